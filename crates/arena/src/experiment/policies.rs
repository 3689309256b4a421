//! What each technique is worth: with it against plain UCT, in several games.

use std::fmt::Write;
use std::time::Duration;

use super::{Duel, DuelResult, Experiment, Laboratory, Report};
use crate::plot::{self, Chart};
use crate::statistics::Tally;
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct Policies;

/// Techniques and the games they are tried in.
struct Group {
    title: &'static str,
    games: &'static [&'static str],
    /// Each technique, and plain UCT with it.
    techniques: &'static [(&'static str, &'static str)],
}

/// UCT and nothing else.
const PLAIN: &str = "cadia-uct";

const GROUPS: [Group; 2] = [
    Group {
        title: "roles move in turn",
        games: &["connect-four", "breakthrough", "othello", "checkers", "hex", "pentago"],
        techniques: &TECHNIQUES,
    },
    Group {
        title: "roles move at once; plain UCT is decoupled",
        games: &[
            "goofspiel",
            "tron",
            "bidding-tic-tac-toe",
            "simultaneous-connect-four",
            "pursuit",
            "racetrack",
            "blotto",
        ],
        techniques: &AT_ONCE,
    },
];

const TECHNIQUES: [(&str, &str); 40] = [
    ("MAST", "cadia-mast"),
    ("MAST, once a simulation", "cadia-mast:every_occurrence=false"),
    ("MAST once, decay 0.4 a move", "cadia-mast:every_occurrence=false,decay=0.4"),
    ("MAST once, decay 0.6 a move", "cadia-mast:every_occurrence=false,decay=0.6"),
    ("MAST once, decay 0.8 a batch", "cadia-mast:every_occurrence=false,batch_decay=0.8"),
    ("MAST once, decay 0.99 a simulation", "cadia-mast:every_occurrence=false,simulation_decay=0.99"),
    ("MAST, greedy", "cadia-uct:policy=mast-greedy"),
    ("TO-MAST", "cadia-uct:policy=to-mast"),
    ("PAST", "cadia-uct:policy=past"),
    ("FAST", "cadia-uct:policy=fast"),
    ("N-grams, greedy", "cadia-uct:policy=ngram"),
    ("N-grams, Gibbs", "cadia-uct:policy=ngram-gibbs"),
    ("N-grams, greedy, decay 0.4", "cadia-uct:policy=ngram,decay=0.4"),
    ("last good reply", "cadia-uct:policy=last-good-reply"),
    ("PPA", "cadia-uct:policy=ppa"),
    ("MiNI-Player's strategies", "cadia-uct:policy=mini"),
    ("early cutoff", "cadia-uct:cutoff=true"),
    ("RAVE", "rave:transpositions=false"),
    ("RAVE where it correlates", "rave-online:transpositions=false"),
    ("GRAVE", "grave:transpositions=false"),
    ("RAVE and MAST", "cadia-rave:transpositions=false,every_occurrence=false"),
    ("unexplored action urgency", "cadia-uct:untried=urgency"),
    ("sufficiency threshold", "cadia-uct:sufficiency=80"),
    ("moving-average return", "cadia-uct:recency=20000"),
    ("roulette wheel", "cadia-uct:selection=roulette"),
    ("UCB1-tuned", "cadia-uct:selection=tuned"),
    ("TD-UCT, single", "cadia-uct:td=single"),
    ("TD-UCT, weighted", "cadia-uct:td=weighted"),
    ("TD-UCT, merged", "cadia-uct:td=merged"),
    ("implicit minimax", "cadia-uct:implicit=0.4"),
    ("arbitration", "cadia-uct:arbitration=0.2"),
    ("decisive moves", "cadia-uct:decisive=wins"),
    ("decisive and anti-decisive moves", "cadia-uct:decisive=wins-and-stops"),
    ("captures", "cadia-uct:captures=true"),
    ("proofs", "cadia-uct:prove=true"),
    ("proof-number search beside the tree", "cadia-uct:prove=true,solver=proof-number"),
    ("the difference of goals", "cadia-uct:objective=difference"),
    ("transpositions", "cadia-uct:transpositions=true,backup=graph"),
    ("effective quality", "cadia-uct:final_move=effective"),
    ("the most visits", "cadia-uct:final_move=visits"),
];

const AT_ONCE: [(&str, &str); 4] = [
    ("sequential UCT", "cadia-uct:simultaneous=sequential"),
    ("Exp3", "cadia-uct:simultaneous=exp3"),
    ("regret matching", "cadia-uct:simultaneous=regret-matching"),
    ("decoupled UCT, mixed final move", "cadia-uct:mixed=always"),
];

impl Experiment for Policies {
    fn name(&self) -> &'static str {
        "policies"
    }

    fn about(&self) -> &'static str {
        "Plain UCT with one technique against plain UCT without (`cadia-uct`), at equal numbers of simulations and at \
         equal time: above 50 the technique helps. The second table has its price in it, which is small where playouts \
         stay in lanes."
    }

    fn source(&self) -> &'static str {
        "our own measurement; the papers of the techniques are in `ludens agents`"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let scale = laboratory.scale();
        let milliseconds = if scale.quick { 5 } else { 20 };
        let budgets = [
            ("equal simulations", Thinking::Simulations(scale.simulations(1_000))),
            ("equal time", Thinking::Time(Duration::from_millis(milliseconds))),
        ];
        let mut duels = Vec::new();
        for (column, thinking) in budgets {
            for group in &GROUPS {
                for &(technique, agent) in group.techniques {
                    for &game in group.games {
                        let duel = Duel::new(game, (agent, thinking), (PLAIN, thinking))?;
                        duels.push(duel.at(technique, column));
                    }
                }
            }
        }
        let title = "What techniques are worth against plain UCT";
        let (mut report, results) = Report::with_results(self, laboratory, title, duels, 40)?;
        let of = |technique: &str, column: &str| -> Vec<&DuelResult> {
            let is_there =
                |result: &&DuelResult| result.duel.row == technique && result.duel.column == column;
            results.iter().filter(is_there).collect()
        };
        report.table = String::new();
        for (column, thinking) in budgets {
            for group in &GROUPS {
                // Writing to a string cannot fail.
                let _ = write!(report.table, "**At {column}** ({thinking} a move), {}:\n\n", group.title);
                report.table.push_str(&group.heading());
                for &(technique, agent) in group.techniques {
                    report.table.push_str(&group.row(technique, agent, &of(technique, column)));
                }
                report.table.push('\n');
            }
        }
        let bars = |&(technique, _): &(&str, &str)| {
            let bar = |(column, _)| mean(&of(technique, column)).share();
            let bars = budgets.map(bar).map(|share| Some((100.0 * share?.mean, 100.0 * share?.interval)));
            plot::Group { label: technique.to_owned(), bars: bars.to_vec() }
        };
        let groups = GROUPS.iter().flat_map(|group| group.techniques).map(bars).collect();
        let series = budgets.map(|(column, _)| column.to_owned()).to_vec();
        report.chart = Chart { title: title.to_owned(), series, groups };
        Ok(report)
    }
}

impl Group {
    fn heading(&self) -> String {
        let rule = " ---: |".repeat(self.games.len() + 1);
        format!("| technique | agent | {} | all |\n| --- | --- |{rule}\n", self.games.join(" | "))
    }

    /// A technique, its share in each game and over all of them.
    fn row(&self, technique: &str, agent: &str, results: &[&DuelResult]) -> String {
        let mut text = format!("| {technique} | `{agent}` |");
        for &game in self.games {
            let result = results.iter().find(|result| result.duel.game == game);
            // Writing to a string cannot fail.
            let _ = write!(text, " {} |", result.map(|result| result.share.per_cent()).unwrap_or_default());
        }
        let all = mean(results).share().map(|share| share.per_cent());
        let _ = writeln!(text, " {} |", all.unwrap_or_default());
        text
    }
}

/// The matches of all games together.
fn mean(results: &[&DuelResult]) -> Tally {
    let mut all = Tally::default();
    results.iter().for_each(|result| all.extend(&result.tally));
    all
}
