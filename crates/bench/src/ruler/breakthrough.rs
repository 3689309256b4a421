//! Breakthrough on small boards, two rows of pawns each.

use super::HandGame;

/// A position on a board of some files and ranks. Bit `rank * FILES + file`, counted from white's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breakthrough<const FILES: u32, const RANKS: u32> {
    white: u64,
    black: u64,
    is_white_to_move: bool,
}

/// From a square to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    from: (u32, u32),
    to: (u32, u32),
}

impl<const FILES: u32, const RANKS: u32> Breakthrough<FILES, RANKS> {
    const CAMP: u64 = (1 << (2 * FILES)) - 1;
    const RANK: u64 = (1 << FILES) - 1;

    fn bit((file, rank): (u32, u32)) -> u64 {
        1 << (rank * FILES + file)
    }

    fn far(&self) -> u32 {
        if self.is_white_to_move { RANKS - 1 } else { 0 }
    }

    /// The pawns of a side: their files, and how many steps they have left.
    fn pawns(&self, is_white: bool) -> impl Iterator<Item = (u32, u32)> + Clone {
        let mut left = if is_white { self.white } else { self.black };
        std::iter::from_fn(move || {
            let square = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            let (file, rank) = (square % FILES, square / FILES);
            Some((file, if is_white { RANKS - 1 - rank } else { rank }))
        })
    }

    /// Whether a side has a pawn that arrives by going straight on, before any of the other's does and whatever the
    /// other does. A pawn of the other's that is some ranks ahead can be where ours comes to if it is not more than
    /// about half as many files away: both go towards each other, and who moves has one step more.
    fn has_runner(&self, is_white: bool) -> bool {
        let moves_first = is_white == self.is_white_to_move;
        let (own, other) = (self.pawns(is_white), self.pawns(!is_white));
        let nearest = other.clone().map(|(_, left)| left).min().unwrap_or(RANKS);
        own.clone().any(|(file, left)| {
            let in_time = if moves_first { left <= nearest } else { left < nearest };
            let is_free = || own.clone().all(|(friend, ahead)| friend != file || ahead >= left);
            let stops = |(stopper, steps): (u32, u32)| {
                let ahead = steps.saturating_sub(RANKS - 1 - left);
                let reach = if moves_first { ahead / 2 } else { ahead.div_ceil(2) };
                ahead > 0 && stopper.abs_diff(file) <= reach
            };
            in_time && is_free() && !other.clone().any(stops)
        })
    }
}

impl<const FILES: u32, const RANKS: u32> HandGame for Breakthrough<FILES, RANKS> {
    type Move = Step;

    fn initial() -> Self {
        Self { white: Self::CAMP, black: Self::CAMP << ((RANKS - 2) * FILES), is_white_to_move: true }
    }

    fn result(&self) -> Option<i8> {
        if self.black == 0 || self.white >> ((RANKS - 1) * FILES) != 0 {
            return Some(1);
        }
        (self.white == 0 || self.black & Self::RANK != 0).then_some(-1)
    }

    fn foreseen(&self) -> Option<i8> {
        self.result().or_else(|| {
            let own = if self.is_white_to_move { 1 } else { -1 };
            let is_won = self.has_runner(self.is_white_to_move);
            is_won.then_some(own).or_else(|| self.has_runner(!self.is_white_to_move).then_some(-own))
        })
    }

    fn is_first_to_move(&self) -> bool {
        self.is_white_to_move
    }

    fn moves(&self, out: &mut Vec<Step>) {
        let (own, other) =
            if self.is_white_to_move { (self.white, self.black) } else { (self.black, self.white) };
        for file in 0..FILES {
            for rank in 0..RANKS {
                if own & Self::bit((file, rank)) == 0 || rank == self.far() {
                    continue;
                }
                let ahead = if self.is_white_to_move { rank + 1 } else { rank - 1 };
                for to_file in file.saturating_sub(1)..=(file + 1).min(FILES - 1) {
                    let target = Self::bit((to_file, ahead));
                    let closed = if to_file == file { own | other } else { own };
                    if target & closed == 0 {
                        out.push(Step { from: (file, rank), to: (to_file, ahead) });
                    }
                }
            }
        }
    }

    fn promising(&self, out: &mut Vec<Step>) {
        self.moves(out);
        let other = if self.is_white_to_move { self.black } else { self.white };
        let left = |step: &Step| self.far().abs_diff(step.to.1);
        if let Some(&win) = out.iter().find(|step| left(step) == 0) {
            out.clear();
            out.push(win);
            return;
        }
        // What the other arrives with next cannot be blocked, as it may go aside: it must be taken. Who cannot is lost
        // whatever it does.
        let last =
            if self.is_white_to_move { Self::RANK << FILES } else { Self::RANK << ((RANKS - 2) * FILES) };
        let arriving = other & last;
        if arriving != 0 {
            let takes = out.iter().filter(|step| arriving & Self::bit(step.to) != 0).copied();
            let takes: Vec<Step> = takes.collect();
            if takes.is_empty() {
                out.truncate(1)
            } else {
                *out = takes
            }
            return;
        }
        // Captures first, and of these, as of the rest, what is nearest to an end: a pawn of the other's
        // that is about to arrive, or one of our own.
        out.sort_by_key(|step| {
            let takes = other & Self::bit(step.to) != 0;
            let home = RANKS - 1 - left(step);
            if takes { (0, home) } else { (1, left(step)) }
        });
    }

    fn play(&self, step: Step) -> Self {
        let (from, to) = (Self::bit(step.from), Self::bit(step.to));
        let mut next = Self { is_white_to_move: !self.is_white_to_move, ..*self };
        if self.is_white_to_move {
            next.white = next.white & !from | to;
            next.black &= !to;
        } else {
            next.black = next.black & !from | to;
            next.white &= !to;
        }
        next
    }

    fn key(&self) -> u128 {
        u128::from(self.white) << 64 | u128::from(self.black) << 1 | u128::from(self.is_white_to_move)
    }

    fn text(step: Step) -> String {
        let file = |number: u32| char::from(b'a' + number as u8);
        let (from, to) = (step.from, step.to);
        format!("(move {} {} {} {})", file(from.0), from.1 + 1, file(to.0), to.1 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_positions_as_by_the_rule_sheets() {
        fn count<G: HandGame>(game: &G, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            if game.result().is_some() {
                return 0;
            }
            let mut moves = Vec::new();
            game.moves(&mut moves);
            moves.into_iter().map(|step| count(&game.play(step), depth - 1)).sum()
        }
        let small = Breakthrough::<5, 5>::initial();
        assert_eq!([1, 2, 3, 4].map(|depth| count(&small, depth)), [13, 156, 1924, 23_084]);
        let large = Breakthrough::<5, 6>::initial();
        assert_eq!([1, 2, 3, 4].map(|depth| count(&large, depth)), [13, 169, 2331, 31_545]);
    }
}
