//! What a search takes from its table, and what it leaves there.

use game::{Goal, Simulator};

use crate::children::{Children, LOST, WON};
use crate::table::{Entry, Key};
use crate::value::{EVEN, Found, Proven, worth_of};
use crate::worker::{MOST_DISTANCE, Worker};

impl<G: Simulator> Worker<G> {
    /// Whether an entry of the table says enough; else it may narrow the window.
    pub(crate) fn known(&self, entry: &Entry, depth: u16, (alpha, beta): &mut (f64, f64)) -> Option<Found> {
        let is_settled = entry.proven.is_settled() && !self.options.same_depth;
        let is_deep = if self.options.same_depth { entry.depth == depth } else { entry.depth >= depth };
        let found = |value| Some(Found { value, proven: entry.proven });
        if is_settled || (is_deep && (entry.lower >= *beta || entry.lower == entry.upper)) {
            return found(entry.lower);
        }
        if is_deep && entry.upper <= *alpha {
            return found(entry.upper);
        }
        if is_deep {
            (*alpha, *beta) = (alpha.max(entry.lower), beta.min(entry.upper));
        }
        None
    }

    /// A value that agrees with what is proven, where all is.
    pub(crate) fn settled(&self, found: Found, depth: u16) -> Found {
        if !found.proven.is_settled() || self.options.same_depth {
            return found;
        }
        let away = worth_of(found.proven.least) - EVEN;
        let steps = |count: usize| EVEN + away * self.options.discount.0.powi(count as i32);
        let (far, near) = (steps(2 * MOST_DISTANCE), EVEN + away);
        let agrees = (far.min(near)..=far.max(near)).contains(&found.value);
        if agrees { found } else { Found { value: steps(usize::from(depth)), ..found } }
    }

    pub(crate) fn remember(
        &self,
        key: Key<'_, G::State>,
        found: Found,
        (alpha, beta): (f64, f64),
        depth: u16,
        best: (u16, u16),
    ) {
        if !self.options.remember {
            return;
        }
        let is_exact = found.proven.is_settled() && !self.options.same_depth;
        let is_lower = is_exact || found.value > alpha;
        let is_upper = is_exact || found.value < beta;
        self.table.set(
            key,
            Entry {
                lower: if is_lower { found.value } else { f64::NEG_INFINITY },
                upper: if is_upper { found.value } else { f64::INFINITY },
                depth,
                proven: found.proven,
                best,
            },
        );
    }

    /// Whether what the table knows of the children is enough.
    pub(crate) fn probe(
        &self,
        children: &Children<G::State>,
        rest: u16,
        (alpha, beta): (f64, f64),
    ) -> Option<Found> {
        if !self.options.remember {
            return None;
        }
        let discount = self.options.discount;
        let positions = &children.positions;
        let (mut lower, mut upper, mut proven) = (f64::NEG_INFINITY, f64::NEG_INFINITY, LOST);
        let replies = children.joints.reply_count();
        for own in 0..children.joints.own_count() {
            let (mut own_lower, mut own_upper, mut own_proven) = (f64::INFINITY, f64::INFINITY, WON);
            for reply in 0..replies {
                let place = own * replies + reply;
                let (low, high, known) = match positions.outlooks[place].found() {
                    Some(found) => (found.value, found.value, found.proven),
                    None => {
                        let entry = self.table.get(self.table.key(&positions.states[place], self.role));
                        let mut window = (f64::NEG_INFINITY, f64::INFINITY);
                        match entry {
                            None => (window.0, window.1, Proven::NOTHING),
                            Some(entry) => match self.known(&entry, rest, &mut window) {
                                Some(found) => (found.value, found.value, found.proven),
                                None => (window.0, window.1, entry.proven),
                            },
                        }
                    }
                };
                own_lower = own_lower.min(low);
                own_upper = own_upper.min(high);
                own_proven = own_proven.and(known);
            }
            if !children.joints.is_complete {
                own_proven.least = Goal(0);
            }
            lower = lower.max(own_lower);
            upper = upper.max(own_upper);
            proven = proven.or(own_proven);
        }
        if !children.joints.has_all_own {
            proven.most = Goal::MOST;
        }
        let (lower, upper) = (discount.before(lower), discount.before(upper));
        if lower >= beta {
            return Some(Found { value: lower, proven });
        }
        (upper <= alpha).then_some(Found { value: upper, proven })
    }
}
