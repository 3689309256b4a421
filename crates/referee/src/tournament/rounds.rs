//! Preliminaries and the round robin: everything can be played at once.

use game::Dice;

use super::{EntrantId, Fixture, Ground, Kind, Series, Side, StageGame, StageProgress, table};

impl Ground<'_> {
    pub(super) fn all_rounds(&self) -> (StageProgress, Vec<Fixture>) {
        let mut series = Vec::new();
        for round in 1..=self.stage.rounds {
            for game in &self.stage.games {
                let groups = match (self.stage.kind, game.seats) {
                    (Kind::RoundRobin, 2) => self.pairs(),
                    _ => self.rotation(round, game),
                };
                for seats in groups {
                    let fixture = self.fixture(series.len(), 0, game.game, seats);
                    series.push(self.single(round, fixture));
                }
            }
        }
        let open = self.open(&series);
        let table = table::of_rounds(self, &series);
        let (kind, is_over) = (self.stage.kind, open.is_empty());
        (StageProgress { kind, field: self.field.to_vec(), series, table, is_over }, open)
    }

    /// Everybody against everybody, in both roles.
    fn pairs(&self) -> Vec<Vec<EntrantId>> {
        let all =
            self.field.iter().flat_map(|&first| self.field.iter().map(move |&second| vec![first, second]));
        all.filter(|pair| pair[0] != pair[1]).collect()
    }

    /// Everybody in every role once, with neighbours in an order drawn by lot.
    fn rotation(&self, round: usize, game: &StageGame) -> Vec<Vec<EntrantId>> {
        let stream = (self.number * super::MOST_ROUNDS + round) as u64;
        let mut dice = Dice::stream(self.seed ^ Dice::stream(stream, game.game as u64).bits(), stream);
        let mut order = self.field.to_vec();
        for place in (1..order.len()).rev() {
            order.swap(place, dice.below(place + 1));
        }
        let seat = |first: usize| (0..game.seats).map(|role| order[(first + role) % order.len()]).collect();
        (0..order.len()).map(seat).collect()
    }

    /// A series of one match.
    fn single(&self, round: usize, fixture: Fixture) -> Series {
        let result = self.result(&fixture);
        let scores = match (result, fixture.seats.len()) {
            (Some(goals), 2) => super::series::points(goals).to_vec(),
            (Some(goals), _) => goals.iter().map(|&goal| f64::from(goal) / 100.0).collect(),
            (None, seats) => vec![0.0; seats],
        };
        let winner = match (&scores[..], &fixture.seats[..]) {
            ([one, two], [first, _]) if one > two => Some(*first),
            ([one, two], [_, second]) if one < two => Some(*second),
            _ => None,
        };
        Series {
            side: Side::Round,
            round,
            entrants: fixture.seats.iter().map(|&seat| Some(seat)).collect(),
            scores,
            winner,
            is_bye: false,
            fixtures: vec![fixture],
        }
    }
}
