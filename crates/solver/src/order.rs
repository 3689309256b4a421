//! The order in which states are valued.

use crate::{Limits, NodeId, SolverError, StateGraph};

impl StateGraph {
    /// All states, each after all that it leads to; `None` if play may come back to a state.
    pub fn order(&self, limits: &Limits<'_>) -> Result<Option<Vec<u32>>, SolverError> {
        let count = self.len() as u32;
        let leads_on = |node: u32| self.successors(NodeId(node)).iter().all(|&next| next > node);
        if (0..count).all(leads_on) {
            return Ok(Some((0..count).rev().collect()));
        }
        // Depth first, by hand: lines may be long.
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let mut marks = vec![NEW; count as usize];
        let mut order = Vec::with_capacity(count as usize);
        let mut path: Vec<(u32, u32)> = vec![(0, 0)];
        marks[0] = OPEN;
        let mut work = 0;
        while let Some((node, place)) = path.last_mut() {
            limits.spend(&mut work, 1, self.len())?;
            match self.successors(NodeId(*node)).get(*place as usize) {
                None => {
                    marks[*node as usize] = DONE;
                    order.push(*node);
                    path.pop();
                }
                Some(&next) => {
                    *place += 1;
                    match marks[next as usize] {
                        OPEN => return Ok(None),
                        NEW => {
                            marks[next as usize] = OPEN;
                            path.push((next, 0));
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(Some(order))
    }
}
