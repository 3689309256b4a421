//! Table 1 of the CadiaPlayer paper: UCT against Monte Carlo without a tree and with one.

use std::fmt::Write;

use super::comparison::compare;
use super::{Bar, CADIA_GAMES, CADIA_PLAYER, CADIA_TIMES, Duel, DuelResult, Experiment, Laboratory, Report};
use crate::statistics::Tally;
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct TableOne;

/// By game: the share and interval of UCT against MC_org and against MC_mem, and of MC_mem against MC_org.
const PUBLISHED: [[(f64, f64); 3]; 4] = [
    [(91.2, 3.38), (91.6, 3.26), (58.2, 5.93)],
    [(91.8, 2.95), (71.4, 5.08), (84.6, 4.18)],
    [(84.0, 4.49), (73.8, 5.39), (65.0, 5.86)],
    [(80.0, 4.97), (74.8, 5.39), (52.4, 6.20)],
];

/// The players of a game, and who of them plays whom in its rows.
const PLAYERS: [&str; 3] = ["cadia-uct", "mc-memory", "mc"];
const PAIRS: [(usize, usize); 3] = [(0, 2), (0, 1), (1, 2)];

/// By game: the totals of the players and their intervals, as published.
const TOTALS: [[(f64, f64); 3]; 4] = [
    [(91.4, 2.35), (33.3, 4.03), (25.3, 3.71)],
    [(81.6, 3.07), (56.6, 4.10), (11.8, 2.57)],
    [(78.9, 3.53), (45.6, 4.33), (25.5, 3.78)],
    [(77.4, 3.67), (38.8, 4.28), (33.8, 4.15)],
];

/// By game: of a hundred simulations of UCT, how many MC_org made in the same time.
const WITHOUT_MEMORY: [u64; 4] = [50, 50, 74, 74];

impl Experiment for TableOne {
    fn name(&self) -> &'static str {
        "table-1"
    }

    fn about(&self) -> &'static str {
        "UCT, Monte Carlo without memory (`mc`), and Monte Carlo with a tree but uniform choice in it (`mc-memory`), each \
         against each. The paper's players thought for the same time in every game, so that they had many more of connect four's short \
         and simple playouts: here it has eight times the simulations of the others. For the same reason `mc`, which \
         cannot keep what it worked out, has fewer than UCT: half in connect four and checkers, as the paper measured, \
         and 1/1.35 in Othello and, not being named, in breakthrough."
    }

    fn source(&self) -> &'static str {
        CADIA_PLAYER
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let simulations = laboratory.scale().simulations(1_000);
        let mut duels = Vec::new();
        for (number, ((game, title), row)) in CADIA_GAMES.into_iter().zip(PUBLISHED).enumerate() {
            let simulations = CADIA_TIMES[number] * simulations;
            let of = [simulations, simulations, simulations * WITHOUT_MEMORY[number] / 100];
            for ((first, second), (share, interval)) in PAIRS.into_iter().zip(row) {
                let player = |place: usize| (PLAYERS[place], Thinking::Simulations(of[place]));
                let duel = Duel::new(game, player(first), player(second))?
                    .at(title, format!("{} against {}", PLAYERS[first], PLAYERS[second]))
                    .published(share, interval)
                    .bar(Bar::AtLeast(share - interval));
                duels.push(duel);
            }
        }
        let title = "CadiaPlayer's Table 1: UCT against Monte Carlo";
        let (mut report, results) = Report::with_results(self, laboratory, title, duels, 250)?;
        let (table, differing) = totals(&results);
        report.table += &table;
        report.differing.extend(differing);
        Ok(report)
    }
}

/// The totals of all players over their two opponents, and where they differ from what was published.
fn totals(results: &[DuelResult]) -> (String, Vec<String>) {
    let mut out =
        "\n| game | player | total | published, compared |\n| --- | --- | ---: | ---: |\n".to_owned();
    let mut differing = Vec::new();
    for ((_, title), published) in CADIA_GAMES.into_iter().zip(TOTALS) {
        let of_game = results.iter().filter(|result| result.duel.row == title);
        let mut tallies: [Tally; 3] = Default::default();
        for (result, (first, second)) in of_game.zip(PAIRS) {
            tallies[first].extend(&result.tally);
            tallies[second].extend(&result.tally.inverted());
        }
        for ((player, tally), published) in PLAYERS.into_iter().zip(&tallies).zip(published) {
            let Some(share) = tally.share() else { continue };
            let comparison = compare(share, published);
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "| {title} | `{player}` | {} | {:.1} ± {:.1} {} |",
                share.per_cent(),
                published.0,
                published.1,
                comparison.sign()
            );
            differing.extend(comparison.sentence(&format!("{title}, total of {player}"), share, published));
        }
    }
    (out, differing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_means_of_rows() {
        // As printed: the total of each player is the mean of its two shares, the other side's being what is left.
        for (row, totals) in PUBLISHED.into_iter().zip(TOTALS) {
            let mut sums = [0.0; 3];
            for ((share, _), (first, second)) in row.into_iter().zip(PAIRS) {
                sums[first] += share / 2.0;
                sums[second] += (100.0 - share) / 2.0;
            }
            for (sum, total) in sums.into_iter().zip(totals) {
                assert!((sum - total.0).abs() < 0.11, "{sums:?} {totals:?}");
            }
        }
    }
}
