//! In which order a search looks at moves.

use game::{MoveId, RoleId, Simulator};

use crate::children::Children;
use crate::order::name;
use crate::worker::Worker;

/// What counts for how much in the order of moves: what the table says before all else, then what is behind moves, then
/// killers, then history (0 to 1).
const HINT: f64 = 1000.0;
const BEHIND: f64 = 10.0;
const KILLER: f64 = 1.0;
const JITTER: f64 = 0.3;
const TIE: f64 = 1e-6;

impl<G: Simulator> Worker<G> {
    /// Says that moves were best in a position.
    pub(crate) fn praise(
        &mut self,
        distance: usize,
        moves: impl IntoIterator<Item = (RoleId, MoveId)> + Clone,
        depth: u16,
        is_cut: bool,
    ) {
        if self.options.history {
            moves.clone().into_iter().for_each(|(role, id)| self.order.praise(role, id, depth));
        }
        if self.options.killers && is_cut {
            self.order.kill(distance, name(moves));
        }
    }

    /// How promising moves are, beside what is behind them.
    fn promise(&mut self, distance: usize, moves: impl Iterator<Item = (RoleId, MoveId)> + Clone) -> f64 {
        let mut promise = 0.0;
        if self.options.killers && self.order.is_killer(distance, name(moves.clone())) {
            promise += KILLER;
        }
        if self.options.history {
            promise += moves.map(|(role, id)| self.order.history(role, id)).sum::<f64>();
        }
        if self.helps {
            promise += self.dice.unit() * JITTER;
        } else if distance == 0 {
            promise += self.dice.unit() * TIE;
        }
        promise
    }

    pub(crate) fn order_own(
        &mut self,
        distance: usize,
        children: &mut Children<G::State>,
        hint: Option<(u16, u16)>,
    ) {
        let mut order = std::mem::take(&mut children.own_order);
        order.clear();
        let replies = children.joints.reply_count();
        for own in 0..children.joints.own_count() {
            let mut promise = 0.0;
            if children.joints.own_count() > 1 {
                promise += self.promise(distance, std::iter::once((self.role, children.joints.own(own))));
                if self.options.sort {
                    let found = &children.found[own * replies..][..replies];
                    promise += BEHIND * found.iter().map(|found| found.value).fold(f64::INFINITY, f64::min);
                }
            }
            if hint.is_some_and(|(best, _)| usize::from(best) == own) {
                promise += HINT;
            }
            order.push((promise, own as u16));
        }
        // Stable, so that equal ones stay in their order.
        order.sort_by(|one, other| other.0.total_cmp(&one.0));
        children.own_order = order;
    }

    pub(crate) fn order_replies(
        &mut self,
        distance: usize,
        children: &mut Children<G::State>,
        own: u16,
        hint: Option<(u16, u16)>,
    ) {
        let mut order = std::mem::take(&mut children.reply_order);
        order.clear();
        let replies = children.joints.reply_count();
        for reply in 0..replies {
            let mut promise = 0.0;
            if replies > 1 {
                promise += self.promise(distance, children.joints.reply(reply));
                if self.options.sort {
                    promise -= BEHIND * children.found[children.place(usize::from(own), reply)].value;
                }
            }
            if hint == Some((own, reply as u16)) {
                promise += HINT;
            }
            order.push((promise, reply as u16));
        }
        order.sort_by(|one, other| other.0.total_cmp(&one.0));
        children.reply_order = order;
    }
}
