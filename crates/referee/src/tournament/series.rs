//! Two entrants, or a group, who meet in one match or several.

use serde::Serialize;

use super::{EntrantId, Fixture, Ground};

/// Which part of a stage a series belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// A round in which all play.
    Round,
    /// Those who have not lost.
    Winners,
    /// Those who have lost once.
    Losers,
    /// The last series, and the one after it if the first loss of the winner was there.
    Final,
}

/// Entrants who meet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Which part of the stage it belongs to.
    pub side: Side,
    /// Which round of that part, from 1.
    pub round: usize,
    /// Who meets; none where it is not known yet, or nobody is there to be met.
    pub entrants: Vec<Option<EntrantId>>,
    /// What each of them has reached: wins, a draw counting one half; goals where more than two meet.
    pub scores: Vec<f64>,
    /// Who has won it, in series of two.
    pub winner: Option<EntrantId>,
    /// Whether one goes on without a match.
    pub is_bye: bool,
    /// Its matches: those that were played and those that are to be played for certain.
    pub fixtures: Vec<Fixture>,
}

/// Matches beyond the last one of a series that nobody has won.
const EXTRA: usize = 2;

/// What a match of two gives to the first and to the second.
pub(super) fn points(goals: &[u8]) -> [f64; 2] {
    match goals {
        [first, second, ..] if first > second => [1.0, 0.0],
        [first, second, ..] if first < second => [0.0, 1.0],
        // A match that a fault of the game has ended is nobody's.
        _ => [0.5, 0.5],
    }
}

/// A series of two: where it stands.
pub(super) struct Duel {
    pub(super) scores: [f64; 2],
    pub(super) winner: Option<EntrantId>,
    pub(super) fixtures: Vec<Fixture>,
}

impl Ground<'_> {
    /// Match by match of a series of two: games in turn, roles exchanged from match to match, and from one time that a
    /// game is played to the next.
    pub(super) fn duel_fixture(&self, series: usize, number: usize, pair: [EntrantId; 2]) -> Fixture {
        let games = &self.stage.games;
        let game = games[(series + number) % games.len()].game;
        let [first, second] = pair;
        // With an even number of games each of them comes at an even or at an odd number only.
        let turns = if games.len().is_multiple_of(2) { number / games.len() } else { 0 };
        let seats =
            if (number + turns).is_multiple_of(2) { vec![first, second] } else { vec![second, first] };
        self.fixture(series, number, game, seats)
    }

    /// A series of two until one has won more than half of the matches. Who is level after the last one has to have
    /// the higher sum of goals; then up to two more matches decide, then the place in the field.
    pub(super) fn duel(&self, series: usize, pair: [EntrantId; 2]) -> Duel {
        let best_of = self.stage.best_of;
        let (mut scores, mut goals) = ([0.0; 2], [0u32; 2]);
        let mut fixtures = Vec::new();
        loop {
            let played = fixtures.len();
            if let Some(winner) = self.decided(scores, goals, played, pair) {
                return Duel { scores, winner: Some(winner), fixtures };
            }
            let fixture = self.duel_fixture(series, played, pair);
            let Some(result) = self.result(&fixture) else {
                // As many as are needed whoever wins them can be played at once.
                let needed = ((best_of / 2 + 1) as f64 - scores[0].max(scores[1])).ceil().max(1.0) as usize;
                let until = (played + needed).min(best_of).max(played + 1);
                fixtures.extend((played..until).map(|number| self.duel_fixture(series, number, pair)));
                return Duel { scores, winner: None, fixtures };
            };
            let is_first = fixture.seats[0] == pair[0];
            let [one, two] = points(result);
            let reached = |seat: usize| u32::from(result.get(seat).copied().unwrap_or(0));
            let (own, other) = if is_first { (0, 1) } else { (1, 0) };
            scores[own] += one;
            scores[other] += two;
            goals[own] += reached(0);
            goals[other] += reached(1);
            fixtures.push(fixture);
        }
    }

    fn decided(
        &self,
        scores: [f64; 2],
        goals: [u32; 2],
        played: usize,
        pair: [EntrantId; 2],
    ) -> Option<EntrantId> {
        let best_of = self.stage.best_of;
        let ahead = |first: bool| Some(pair[usize::from(!first)]);
        let is_won = scores[0].max(scores[1]) > best_of as f64 / 2.0;
        if (is_won || played >= best_of) && scores[0] != scores[1] {
            return ahead(scores[0] > scores[1]);
        }
        if played < best_of {
            return None;
        }
        if goals[0] != goals[1] {
            return ahead(goals[0] > goals[1]);
        }
        (played >= best_of + EXTRA).then(|| pair[usize::from(self.place(pair[1]) < self.place(pair[0]))])
    }
}
