//! Swiss: those meet who stand alike and have not met, round by round.

use std::collections::HashSet;

use super::{EntrantId, Fixture, Ground, Series, Side, StageProgress, table};

/// Pairings that are tried before two may meet again.
const TRIES: usize = 100_000;

impl Ground<'_> {
    pub(super) fn swiss(&self) -> (StageProgress, Vec<Fixture>) {
        let mut series: Vec<Series> = Vec::new();
        let mut is_over = true;
        for round in 1..=self.stage.rounds {
            let next = self.swiss_round(round, &series);
            series.extend(next);
            if !self.open(&series).is_empty() {
                is_over = false;
                break;
            }
        }
        let open = self.open(&series);
        let table = table::of_rounds(self, &series);
        (StageProgress { kind: self.stage.kind, field: self.field.to_vec(), series, table, is_over }, open)
    }

    fn swiss_round(&self, round: usize, before: &[Series]) -> Vec<Series> {
        let mut order: Vec<EntrantId> =
            table::of_rounds(self, before).into_iter().map(|row| row.entrant).collect();
        let mut next = Vec::new();
        if order.len() % 2 == 1 {
            // The last who has not been without an opponent yet.
            let had = |entrant: &EntrantId| {
                before.iter().any(|series| series.is_bye && series.entrants[0] == Some(*entrant))
            };
            let place = order.iter().rposition(|entrant| !had(entrant)).unwrap_or(order.len() - 1);
            let alone = order.remove(place);
            next.push(Series {
                side: Side::Round,
                round,
                entrants: vec![Some(alone), None],
                scores: vec![self.stage.best_of as f64, 0.0],
                winner: Some(alone),
                is_bye: true,
                fixtures: Vec::new(),
            });
        }
        let met: HashSet<[EntrantId; 2]> = before
            .iter()
            .filter_map(|series| match series.entrants[..] {
                [Some(one), Some(two)] => Some(sorted([one, two])),
                _ => None,
            })
            .collect();
        let mut tries = TRIES;
        let pairs = pairing(&order, &met, &mut tries)
            .unwrap_or_else(|| order.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect());
        for pair in pairs {
            let number = before.len() + next.len();
            next.push(self.swiss_series(round, number, self.in_role_order(pair, before)));
        }
        next
    }

    /// Who has had the first role less often has it.
    fn in_role_order(&self, [one, two]: [EntrantId; 2], before: &[Series]) -> [EntrantId; 2] {
        let firsts = |entrant: EntrantId| {
            let fixtures = before.iter().flat_map(|series| &series.fixtures);
            fixtures.filter(|fixture| fixture.seats[0] == entrant).count()
        };
        if firsts(two) < firsts(one) { [two, one] } else { [one, two] }
    }

    /// All matches of two in a round: the game of the round, roles exchanged.
    fn swiss_series(&self, round: usize, series: usize, pair: [EntrantId; 2]) -> Series {
        let games = &self.stage.games;
        let mut scores = [0.0; 2];
        let mut fixtures = Vec::new();
        for number in 0..self.stage.best_of {
            let game = games[(round - 1 + number / 2) % games.len()].game;
            let swapped = number % 2 == 1;
            let seats = if swapped { vec![pair[1], pair[0]] } else { pair.to_vec() };
            let fixture = self.fixture(series, number, game, seats);
            if let Some(goals) = self.result(&fixture) {
                let [one, two] = super::series::points(goals);
                scores[0] += if swapped { two } else { one };
                scores[1] += if swapped { one } else { two };
            }
            fixtures.push(fixture);
        }
        let is_done = fixtures.iter().all(|fixture| self.result(fixture).is_some());
        let winner = match is_done {
            true if scores[0] > scores[1] => Some(pair[0]),
            true if scores[0] < scores[1] => Some(pair[1]),
            _ => None,
        };
        Series {
            side: Side::Round,
            round,
            entrants: pair.map(Some).to_vec(),
            scores: scores.to_vec(),
            winner,
            is_bye: false,
            fixtures,
        }
    }
}

fn sorted(mut pair: [EntrantId; 2]) -> [EntrantId; 2] {
    pair.sort();
    pair
}

/// Pairs of neighbours who have not met, as near to each other as can be.
fn pairing(
    order: &[EntrantId],
    met: &HashSet<[EntrantId; 2]>,
    tries: &mut usize,
) -> Option<Vec<[EntrantId; 2]>> {
    let Some((&first, rest)) = order.split_first() else { return Some(Vec::new()) };
    for (place, &other) in rest.iter().enumerate() {
        *tries = tries.checked_sub(1)?;
        if met.contains(&sorted([first, other])) {
            continue;
        }
        let mut left = rest.to_vec();
        left.remove(place);
        if let Some(mut pairs) = pairing(&left, met, tries) {
            pairs.insert(0, [first, other]);
            return Some(pairs);
        }
    }
    None
}
