//! What a search would play, and why.

use game::{Expansion, MoveId, RuleFault, Simulator};

use crate::Search;
use crate::children::Joints;
use crate::value::Proven;
use crate::worker::RootMove;

/// Joint moves of the best line, at most.
const LONGEST_LINE: usize = 64;

/// A move and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub id: MoveId,
    /// What it is worth to the depth reached, or a bound of that; `None` if it was not looked at.
    pub value: Option<f64>,
    /// What is proven of it.
    pub proven: Proven,
    /// Positions looked at behind it.
    pub positions: u64,
}

/// What a search has to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The place of the best move.
    pub best: usize,
    /// All moves.
    pub candidates: Vec<Candidate>,
    /// What the position is worth to the role, if anything was found out.
    pub value: Option<f64>,
    /// The depth that was looked through in full.
    pub depth: u16,
    /// Joint moves thought best from here on.
    pub line: Vec<Vec<MoveId>>,
    /// Positions in the table, and its bytes.
    pub remembered: (usize, usize),
    /// Whether there is nothing more to find out.
    pub is_finished: bool,
}

impl Advice {
    /// Whether the best move is proven to be as good as any.
    pub fn is_proven(&self) -> bool {
        let sure = self.candidates[self.best].proven.least;
        self.candidates.len() == 1 || self.candidates.iter().all(|other| other.proven.most <= sure)
    }
}

impl<G: Simulator> Search<G> {
    /// What it would play; `None` if the game is over.
    pub fn advice(&mut self) -> Result<Option<Advice>, RuleFault> {
        let role = self.role;
        let expansion = self.expand()?;
        if expansion.is_terminal() {
            return Ok(None);
        }
        let legal = expansion.legal(role).to_vec();
        if legal.is_empty() {
            return Err(RuleFault::NoLegalMove(role));
        }
        let nothing = RootMove { value: None, proven: Proven::NOTHING, positions: 0 };
        let known = |place: usize| self.workers[0].root.get(place).copied().unwrap_or(nothing);
        let candidate = |(place, &id): (usize, &MoveId)| {
            let RootMove { value, proven, positions } = known(place);
            Candidate { id, value, proven, positions }
        };
        let candidates: Vec<Candidate> = legal.iter().enumerate().map(candidate).collect();
        let thought = self.standing.map_or(0, |standing| standing.place.min(candidates.len() - 1));
        // Nothing is played that is proven worse than something else.
        let sure = candidates.iter().map(|candidate| candidate.proven.least).max().unwrap_or_default();
        let worth = |candidate: &Candidate| candidate.value.unwrap_or(f64::NEG_INFINITY);
        let best = if candidates[thought].proven.most >= sure && candidates[thought].proven.least >= sure {
            thought
        } else if candidates[thought].proven.most <= sure {
            let surest =
                candidates.iter().enumerate().filter(|(_, candidate)| candidate.proven.least == sure);
            let surest = surest.max_by(|one, other| worth(one.1).total_cmp(&worth(other.1)));
            surest.map_or(thought, |(place, _)| place)
        } else {
            thought
        };
        let line = self.line(best)?;
        Ok(Some(Advice {
            best,
            candidates,
            value: self.standing.map(|standing| standing.value),
            depth: self.reached,
            line,
            remembered: (self.table.len(), self.table.bytes()),
            is_finished: self.is_finished(),
        }))
    }

    /// What the table thinks best from here on, after a move.
    fn line(&mut self, best: usize) -> Result<Vec<Vec<MoveId>>, RuleFault> {
        let mut line: Vec<Vec<MoveId>> = Vec::new();
        let mut state = self.root.clone();
        let mut joints = Joints::default();
        let mut expansion = Expansion::new();
        let longest = LONGEST_LINE.min(usize::from(self.depth));
        while line.len() < longest {
            self.game.expand(&mut self.workspace, &state, &mut expansion)?;
            if expansion.is_terminal() || expansion.stuck_role().is_some() {
                break;
            }
            joints.list(expansion.choices(), self.role);
            let known = self.table.get(self.table.key(&state, self.role)).map(|entry| entry.best);
            let (own, reply) = match known {
                Some((own, reply)) if !line.is_empty() || usize::from(own) == best => {
                    (own.into(), reply.into())
                }
                _ if line.is_empty() => (best, 0),
                _ => break,
            };
            if own >= joints.own_count() || reply >= joints.reply_count() {
                break;
            }
            let mut joint = Vec::new();
            joints.push(own, reply, &mut joint);
            state = self.game.apply(&mut self.workspace, &state, &joint)?;
            line.push(joint);
        }
        Ok(line)
    }
}
