//! The ends of a game.

use crate::rules::{Condition, Termination, TypeId};

use super::{MAX_MESSAGES, MAX_TICKS, Outcome, Play};

impl Play<'_> {
    pub(crate) fn end(&mut self) {
        for index in 0..self.rules.terminations.len() {
            if self.state.ended {
                break;
            }
            let termination = &self.rules.terminations[index];
            if self.holds(termination) {
                self.state.ended = true;
                let wins = self.winners(termination);
                for (player, wins) in self.state.players.iter_mut().zip(wins).take(self.rules.players) {
                    player.outcome = if wins { Outcome::Won } else { Outcome::Lost };
                }
            }
        }
        if self.state.messages > MAX_MESSAGES {
            self.state.ended = true;
            self.state.messages = 0;
        }
        if self.state.tick >= MAX_TICKS {
            self.state.ended = true;
            for player in &mut self.state.players {
                if player.outcome != Outcome::Won {
                    player.outcome = Outcome::Lost;
                }
            }
        }
    }

    fn holds(&mut self, termination: &Termination) -> bool {
        let limit = termination.limit;
        let sum = |play: &Self, types: &[TypeId]| types.iter().map(|&id| play.count_alive(id)).sum::<i32>();
        match &termination.condition {
            Condition::AtMost(of) => self.state.can_end && of.is_some_and(|id| self.count_alive(id) <= limit),
            Condition::AtLeast(of) => {
                self.state.can_end && of.is_some_and(|id| self.count_alive(id) >= limit)
            }
            Condition::Together { types, more } => {
                let count = sum(self, types);
                self.state.can_end && (count == limit || (*more && count > limit))
            }
            Condition::Kinds { of: Some(id), kinds } => {
                self.state.can_end && self.count_alive(*id) == limit && self.kinds_below(*id) == *kinds
            }
            Condition::Kinds { of: None, .. } => false,
            Condition::Timeout { .. } => self.state.tick >= limit,
            Condition::Stop { types, more } => {
                let count = sum(self, types);
                self.state.can_end = if *more { count <= limit } else { count != limit };
                false
            }
        }
    }

    /// How many types of a family have sprites of their own and living ones in their own families.
    pub(crate) fn kinds_below(&self, id: TypeId) -> i32 {
        let family = &self.rules.kind(id).family;
        let alive =
            |member: &&TypeId| self.state.groups[member.number()].count > 0 && self.count_alive(**member) > 0;
        family.iter().filter(alive).count() as i32
    }

    fn winners(&self, termination: &Termination) -> [bool; 2] {
        let mut wins = termination.wins;
        let players = self.rules.players;
        if termination.by_score {
            let scores = self.state.players.map(|player| player.score);
            let best = scores[..players].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for player in 0..players {
                wins[player] = scores[player] == best;
            }
            // With no points at all the framework takes the victory from the last player only.
            if scores[..players].iter().all(|&score| score == 0.0) {
                wins[players - 1] = false;
            }
        }
        let Condition::Timeout { counts: true, compares, limits } = &termination.condition else {
            return wins;
        };
        let counters = &self.state.counters;
        if *compares {
            let equal = counters.iter().all(|counter| Some(counter) == counters.first());
            wins = [!equal, equal];
        } else if players != counters.len() {
            wins = [false; 2];
        } else {
            // Only the last player's line is kept, and it stands first.
            let last = players - 1;
            let reached = limits.get(last).copied().flatten() == Some(counters[last]);
            wins = [reached, false];
        }
        wins
    }
}
