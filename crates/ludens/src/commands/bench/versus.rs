//! Ratios to other programs: those of the peers, measured once, and those written by hand, measured
//! in the same run.

use std::path::Path;

use bench::hand::HandGame;
use bench::peers::{self, Peer};
use serde::Serialize;

use super::answer::GameAnswer;

/// What the hand-written programs are called among the machines.
pub(super) const HAND: &str = "hand";

/// The bundled games that hand-written programs play.
pub(super) const HAND_GAMES: [(&str, HandGame); 4] = [
    ("tic-tac-toe", HandGame::TicTacToe),
    ("connect-four", HandGame::ConnectFour),
    ("breakthrough", HandGame::Breakthrough),
    ("othello", HandGame::Othello),
];

/// The same games in a corpus of the community; its connect four has eight columns.
const CORPUS_GAMES: [(&str, HandGame); 3] = [
    ("ticTacToe.kif", HandGame::TicTacToe),
    ("breakthrough.kif", HandGame::Breakthrough),
    ("reversi.kif", HandGame::Othello),
];

/// The hand-written program of a game.
pub(super) fn hand_game(game: &str) -> Option<HandGame> {
    let file = Path::new(game).file_name().and_then(|name| name.to_str());
    if let Some((_, hand)) = CORPUS_GAMES.iter().find(|(name, _)| Some(*name) == file) {
        return Some(*hand);
    }
    let bundled = bundled::find(game).ok()?;
    HAND_GAMES.iter().find(|(name, _)| *name == bundled.name).map(|(_, hand)| *hand)
}

/// One machine against the program written for its game.
#[derive(Serialize)]
pub(super) struct HandRatio {
    pub(super) game: String,
    pub(super) machine: String,
    pub(super) state_changes_per_second: f64,
    pub(super) hand_per_second: f64,
    pub(super) ratio: f64,
}

/// All machines against the programs written for their games.
pub(super) fn hand(games: &[GameAnswer]) -> Vec<HandRatio> {
    let mut ratios = Vec::new();
    for game in games {
        let Some(hand) = game.machine(HAND).and_then(|cell| cell.speed()) else { continue };
        for cell in game.machines.iter().filter(|cell| cell.machine != HAND) {
            let Some(speed) = cell.speed() else { continue };
            ratios.push(HandRatio {
                game: game.game.clone(),
                machine: cell.machine.clone(),
                state_changes_per_second: speed,
                hand_per_second: hand,
                ratio: speed / hand,
            });
        }
    }
    ratios
}

/// Games against the figures of the peers.
#[derive(Serialize)]
pub(super) struct PeerComparison {
    pub(super) source: &'static str,
    pub(super) games: Vec<PeerRow>,
    /// The fastest machine in lanes against the champion.
    pub(super) lanes_to_champion: Option<Ratios>,
    pub(super) lanes_to_prover: Option<Ratios>,
    pub(super) lanes_to_openspiel: Option<Ratios>,
    /// The circuit, one state at a time, against the champion.
    pub(super) circuit_to_champion: Option<Ratios>,
    pub(super) circuit_to_prover: Option<Ratios>,
    /// The reference reasoner against the prover, its like.
    pub(super) reference_to_prover: Option<Ratios>,
    /// AVX2 against AVX-512, where both were measured.
    pub(super) avx2_to_avx512: Option<Ratios>,
}

/// One game.
#[derive(Serialize)]
pub(super) struct PeerRow {
    pub(super) peer: Peer,
    pub(super) lanes_per_second: Option<f64>,
    pub(super) circuit_per_second: Option<f64>,
    pub(super) reference_per_second: Option<f64>,
    pub(super) avx2_to_avx512: Option<f64>,
}

/// Ratios over several games.
#[derive(Serialize)]
pub(super) struct Ratios {
    pub(super) games: usize,
    pub(super) geometric_mean: f64,
    pub(super) least: f64,
    pub(super) least_game: String,
}

impl PeerRow {
    pub(super) fn lanes_to(&self, figure: Option<f64>) -> Option<f64> {
        Some(self.lanes_per_second? / figure?)
    }

    pub(super) fn circuit_to(&self, figure: Option<f64>) -> Option<f64> {
        Some(self.circuit_per_second? / figure?)
    }

    pub(super) fn reference_to(&self, figure: Option<f64>) -> Option<f64> {
        Some(self.reference_per_second? / figure?)
    }
}

/// Compares with the figures of the peers.
pub(super) fn peers(games: &[GameAnswer]) -> PeerComparison {
    let row = |game: &GameAnswer| {
        let speed = |name| game.machine(name).and_then(|cell| cell.speed());
        Some(PeerRow {
            peer: peers::find(&game.game)?.clone(),
            lanes_per_second: game.best_in_lanes().and_then(|cell| cell.speed()),
            circuit_per_second: speed("circuit"),
            reference_per_second: speed("reference"),
            avx2_to_avx512: speed("avx2").zip(speed("avx512")).map(|(two, five)| two / five),
        })
    };
    let rows: Vec<PeerRow> = games.iter().filter_map(row).collect();
    let over = |ratio: &dyn Fn(&PeerRow) -> Option<f64>| {
        ratios(rows.iter().filter_map(|row| Some((row.peer.game, ratio(row)?))))
    };
    PeerComparison {
        source: peers::SOURCE,
        lanes_to_champion: over(&|row| row.lanes_to(row.peer.champion)),
        lanes_to_prover: over(&|row| row.lanes_to(row.peer.prover)),
        lanes_to_openspiel: over(&|row| row.lanes_to(row.peer.openspiel)),
        circuit_to_champion: over(&|row| row.circuit_to(row.peer.champion)),
        circuit_to_prover: over(&|row| row.circuit_to(row.peer.prover)),
        reference_to_prover: over(&|row| row.reference_to(row.peer.prover)),
        avx2_to_avx512: over(&|row| row.avx2_to_avx512),
        games: rows,
    }
}

fn ratios<'a>(ratios: impl Iterator<Item = (&'a str, f64)>) -> Option<Ratios> {
    let ratios: Vec<(&str, f64)> = ratios.collect();
    let (least_game, least) = ratios.iter().copied().min_by(|one, two| one.1.total_cmp(&two.1))?;
    let logarithms: f64 = ratios.iter().map(|(_, ratio)| ratio.ln()).sum();
    Some(Ratios {
        games: ratios.len(),
        geometric_mean: (logarithms / ratios.len() as f64).exp(),
        least,
        least_game: least_game.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_bundled_names_and_in_the_corpus() {
        assert_eq!(hand_game("Othello"), Some(HandGame::Othello));
        assert_eq!(hand_game("/corpus/games/reversi.kif"), Some(HandGame::Othello));
        assert_eq!(hand_game("/corpus/games/connectFour.kif"), None);
        assert_eq!(hand_game("chess"), None);
    }

    #[test]
    fn ratios_are_averaged_as_ratios() {
        let found = ratios([("a", 2.0), ("b", 8.0)].into_iter()).expect("two");
        assert!((found.geometric_mean - 4.0).abs() < 1e-9);
        assert_eq!((found.least, found.least_game.as_str()), (2.0, "a"));
        assert!(ratios([].into_iter()).is_none());
    }
}
