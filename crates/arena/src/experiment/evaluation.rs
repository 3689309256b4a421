//! Figures 4 to 8 and Table I of the paper on generated evaluation functions: guided UCT and MTD(f) against plain UCT,
//! against each other, and against the null heuristic.

use std::fmt::Write;

use super::{Duel, DuelResult, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct Evaluation;

/// A game of the paper: the bundled name, the steps of a random game, how rare its simulations are, and Table I: guided UCT
/// against the null heuristic at 5, 10 and 30 seconds, in per cent with half the widths of the 95% intervals.
struct PaperGame {
    name: &'static str,
    steps: u64,
    /// It has one in so many of the simulations that the others have.
    rarer: u64,
    table: [(f64, f64); 3],
    /// What Figures 4, 5 and 7 show, in words.
    figures: [&'static str; 3],
}

const GAMES: [PaperGame; 5] = [
    PaperGame {
        name: "chess",
        steps: 100,
        rarer: 10,
        table: [(44.0, 7.0), (44.0, 8.0), (54.0, 12.0)],
        figures: ["strongly positive, less at 1 s", "draws up to 10 s", "guided UCT"],
    },
    PaperGame {
        name: "checkers",
        steps: 60,
        rarer: 1,
        table: [(85.0, 3.0), (94.0, 4.0), (85.0, 5.0)],
        figures: ["high, falling with time", "better than guided UCT did", "MTD(f)"],
    },
    PaperGame {
        name: "othello",
        steps: 60,
        rarer: 1,
        table: [(25.0, 9.0), (14.0, 9.0), (-11.0, 11.0)],
        figures: ["clearly negative at longer times", "better than guided UCT did", "level"],
    },
    PaperGame {
        name: "connect-four",
        steps: 22,
        rarer: 1,
        table: [(56.0, 8.0), (39.0, 12.0), (36.0, 10.0)],
        figures: ["positive", "better than guided UCT did", "MTD(f)"],
    },
    PaperGame {
        name: "connect-five",
        steps: 45,
        rarer: 1,
        table: [(25.0, 9.0), (30.0, 9.0), (43.0, 10.0)],
        figures: [
            "very low at short times, then level",
            "wins at short times, falling",
            "MTD(f) at short times",
        ],
    },
];

/// What is played: a name, who plays, and where the figure stands in [`PaperGame::figures`]; Table I if nowhere.
const PLAYED: [(&str, Player, Player, Option<usize>); 4] = [
    ("Figure 4: guided UCT v UCT", Player::Guided, Player::Plain, Some(0)),
    ("Figures 5 and 6: MTD(f) v UCT", Player::Ahead, Player::Plain, Some(1)),
    ("Figures 7 and 8: MTD(f) v guided UCT", Player::Ahead, Player::Guided, Some(2)),
    ("Table I: guided UCT v null heuristic", Player::Guided, Player::Null, None),
];

/// Steps of a playout that is stopped with a probability of 0.1 in each state, on the mean.
const STEPS_UNTIL_STOPPED: u64 = 10;

#[derive(Clone, Copy)]
enum Player {
    Plain,
    Guided,
    Null,
    Ahead,
}

impl Player {
    fn agent(self) -> &'static str {
        match self {
            // Guided UCT that is never stopped.
            Player::Plain => "guct:evaluation=none",
            Player::Guided => "guct",
            Player::Null => "guct-null",
            Player::Ahead => "mtdf",
        }
    }

    /// What it may do with as many steps as plain UCT needs for its simulations: a playout that is stopped takes some
    /// ten of them, a position of MTD(f) one.
    fn thinking(self, simulations: u64, steps: u64) -> Thinking {
        Thinking::Simulations(match self {
            Player::Plain => simulations,
            Player::Guided | Player::Null => simulations * steps / STEPS_UNTIL_STOPPED,
            Player::Ahead => simulations * steps,
        })
    }
}

/// A share in per cent as the paper counts: +1 for a win, -1 for a loss.
fn signed(share: f64) -> f64 {
    2.0 * share - 100.0
}

impl Experiment for Evaluation {
    fn name(&self) -> &'static str {
        "evaluation"
    }

    fn about(&self) -> &'static str {
        "Guided UCT and MTD(f) with a function that is made anew before every match, against plain UCT, against each other \
         and against the null heuristic. The paper counts seconds of a prover of its day, which go by with the states that it \
         works out. So states are counted here, and the figures are the same on any machine: three budgets of simulations of plain \
         UCT (a tenth of them in chess, where a prover makes few), for guided UCT as many more as its playouts of ten states on the \
         mean are shorter, and for MTD(f) as many positions as UCT has states. In our lanes a playout to the end costs little more \
         than one that is stopped, as lanes that stop early wait for the others: by the clock guided UCT has not the many more \
         simulations that stopping gave it there."
    }

    fn source(&self) -> &'static str {
        "Walędzik and Mańdziuk, An Automatically Generated Evaluation Function in General Game Playing, 2014, Figures 4 to \
         8 and Table I"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let first = laboratory.scale().simulations(300);
        let budgets = [first, 3 * first, 10 * first];
        let mut duels = Vec::new();
        for (what, one, other, figure) in PLAYED {
            for game in &GAMES {
                for (place, simulations) in budgets.into_iter().enumerate() {
                    let simulations = (simulations / game.rarer).max(1);
                    let duel = Duel::new(
                        game.name,
                        (one.agent(), one.thinking(simulations, game.steps)),
                        (other.agent(), other.thinking(simulations, game.steps)),
                    )?;
                    let mut duel = duel.at(what, format!("{} ({simulations})", game.name));
                    if figure.is_none() {
                        let (value, interval) = game.table[place];
                        duel = duel.published((100.0 + value) / 2.0, interval / 2.0);
                    }
                    duels.push(duel);
                }
            }
        }
        let title = "Evaluation functions read off the rules: Figures 4 to 8 and Table I";
        let (mut report, results) = Report::with_results(self, laboratory, title, duels, 50)?;
        report.table = table(&results, &budgets);
        Ok(report)
    }
}

/// A table for each figure: a row a game, ours at each budget and the paper's beside it.
fn table(results: &[DuelResult], budgets: &[u64; 3]) -> String {
    let mut text =
        "Win +1, draw 0, loss -1, in per cent, as the paper counts; half the width of the 95% interval.\n"
            .to_owned();
    for (what, _, _, figure) in PLAYED {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n**{what}**\n\n| game | {} | {} | {} | the paper |\n| --- | ---: | ---: | ---: | --- |\n",
            budgets[0], budgets[1], budgets[2]
        );
        for game in &GAMES {
            let rarer = if game.rarer > 1 { format!(" (1/{})", game.rarer) } else { String::new() };
            let _ = write!(text, "| {}{rarer} |", game.name);
            let own =
                results.iter().filter(|result| result.duel.row == what && result.duel.game == game.name);
            for result in own {
                let share = result.share;
                let _ = write!(text, " {:.0} ± {:.0} |", signed(100.0 * share.mean), 200.0 * share.interval);
            }
            let paper = match figure {
                Some(place) => game.figures[place].to_owned(),
                None => {
                    let cells = game.table.map(|(value, interval)| format!("{value:.0} ± {interval:.0}"));
                    format!("{} at 5, 10 and 30 s", cells.join(", "))
                }
            };
            let _ = writeln!(text, " {paper} |");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_told_as_the_paper_does() {
        assert_eq!((signed(50.0), signed(100.0), signed(25.0)), (0.0, 100.0, -50.0));
    }

    #[test]
    fn everybody_works_out_as_many_states() {
        let all = [Player::Plain, Player::Guided, Player::Null, Player::Ahead];
        let counts = all.map(|player| match player.thinking(100, 22) {
            Thinking::Simulations(count) => count,
            Thinking::Time(_) => panic!("counted"),
        });
        assert_eq!(counts, [100, 220, 220, 2_200]);
    }
}
