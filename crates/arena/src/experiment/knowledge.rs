//! What each method of valuing states is worth to plain UCT, and what it costs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use eval::{Lesson, MethodRow, Positions, SampleOptions};
use game::{Describe, Simulator};
use machine::{Limits, Target, Visitor, Wanted};

use super::{Duel, DuelResult, Experiment, Laboratory, Report};
use crate::plot::{Chart, Group};
use crate::statistics::Tally;
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct Knowledge;

const GAMES: [&str; 8] = [
    "connect-four",
    "breakthrough",
    "knightthrough",
    "othello",
    "checkers",
    "pentago",
    "hex",
    "three-musketeers",
];

/// Games in which the price is measured.
const PRICED: [&str; 3] = ["connect-four", "breakthrough", "checkers"];

/// Methods, and what their papers say they are worth.
const METHODS: [(&str, &str); 16] = [
    ("null", "the yardstick of the paper's Table I"),
    ("paper", "better than the null heuristic in 14 of 15 cells of Table I"),
    ("regression", "ours"),
    ("pieces", "ours"),
    ("phases", "ours"),
    ("td", "ours"),
    ("flux", "won the competition of 2006"),
    ("distance", "19 games: 3 much better, 3 slightly, 9 the same, 4 worse"),
    ("patterns", "no figures at hand"),
    ("gifl", "15 games: a significant gain in 6 or 7"),
    ("id3", "no figures at hand"),
    ("c-il2p", "36 of 197 games without a network; no matches"),
    ("clune", "won the competition of 2005"),
    ("mobility", "no figures at hand"),
    ("proximity", "no figures at hand"),
    ("larg", "no figures at hand"),
];

/// UCT and nothing else.
const PLAIN: &str = "implicit:implicit=0";

/// The same with states valued and backed up as minimax does, playouts to the end.
fn with(method: &str) -> String {
    format!("implicit:evaluation={method},evaluation_stop=0,evaluation_steps=1000000,implicit=0.3")
}

/// Below so many simulations a move the price is measured on few positions: it is not what is looked at.
const FEW: u64 = 100;

impl Experiment for Knowledge {
    fn name(&self) -> &'static str {
        "knowledge"
    }

    fn about(&self) -> &'static str {
        "Plain UCT with states valued by a method (`evaluation`) against plain UCT without, at equal numbers of \
         simulations: above 50 the method helps. Values are backed up as minimax does beside the playouts \
         (`implicit=0.3`), and learnt anew before every match. A method that finds nothing in a game plays as plain UCT \
         does."
    }

    fn source(&self) -> &'static str {
        "our own measurement; the papers of the methods are in `ludens evaluate --help`"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let scale = laboratory.scale();
        let simulations = scale.simulations(400);
        let thinking = Thinking::Simulations(simulations);
        let mut duels = Vec::new();
        for (method, _) in METHODS {
            let agent = with(method);
            for game in GAMES {
                let duel = Duel::new(game, (agent.as_str(), thinking), (PLAIN, thinking))?;
                duels.push(duel.at(method, "equal simulations"));
            }
        }
        let title = "What knowledge is worth to plain UCT, and what it costs";
        let (mut report, results) = Report::with_results(self, laboratory, title, duels, 20)?;
        let of = |method: &str| -> Vec<&DuelResult> {
            results.iter().filter(|result| result.duel.row == method).collect()
        };
        report.table = format!("**Shares** ({thinking} a move), and what was claimed:\n\n{}", heading());
        for (method, claim) in METHODS {
            report.table.push_str(&row(method, claim, &of(method)));
        }
        let samples = (scale.quick || simulations < FEW).then_some(60);
        report.table.push_str(&prices(samples)?);
        let group = |(method, _): (&str, &str)| {
            let share = all(&of(method)).share();
            Group {
                label: method.to_owned(),
                bars: vec![share.map(|share| (100.0 * share.mean, 100.0 * share.interval))],
            }
        };
        let series = vec!["equal simulations".to_owned()];
        report.chart = Chart { title: title.to_owned(), series, groups: METHODS.map(group).to_vec() };
        Ok(report)
    }
}

fn heading() -> String {
    let rule = " ---: |".repeat(GAMES.len() + 1);
    format!("| method | {} | all | claimed |\n| --- |{rule} --- |\n", GAMES.join(" | "))
}

/// A method, its share in each game and over all of them.
fn row(method: &str, claim: &str, results: &[&DuelResult]) -> String {
    let mut text = format!("| `{method}` |");
    for game in GAMES {
        let result = results.iter().find(|result| result.duel.game == game);
        // Writing to a string cannot fail.
        let _ = write!(text, " {} |", result.map(|result| result.share.per_cent()).unwrap_or_default());
    }
    let share = all(results).share().map(|share| share.per_cent());
    let _ = writeln!(text, " {} | {claim} |", share.unwrap_or_default());
    text
}

/// The matches of all games together.
fn all(results: &[&DuelResult]) -> Tally {
    let mut all = Tally::default();
    results.iter().for_each(|result| all.extend(&result.tally));
    all
}

/// What methods cost: cpu time to learn, cpu time for a state, and what that explains. Who refuses has worked as well.
fn prices(samples: Option<usize>) -> Result<String, ArenaError> {
    let mut text = "\n**Price**: milliseconds of cpu time to learn, microseconds for a state (512 in one call), and how much of \
                    the scores of other positions is explained, in per cent, first role first. Who learns in vain has only the \
                    time that it took:\n\n| method |"
        .to_owned();
    for game in PRICED {
        let _ = write!(text, " {game}: learn | state | explained |");
    }
    let _ = writeln!(text, "\n| --- |{}", " ---: | ---: | ---: |".repeat(PRICED.len()));
    let mut columns = Vec::new();
    for game in PRICED {
        let unplayable = |why: String| ArenaError::Unplayable { game: game.to_owned(), why };
        let rules = bundled::find(game).map_err(|error| unplayable(error.to_string()))?.rules;
        let machine = machine::from_text(rules, Wanted::Batch(Target::detect()), &Limits::generous())
            .map_err(|error| unplayable(error.to_string()))?;
        columns.push(machine.visit_fast(Price { rules: &gdl::normal::read(rules), samples }));
    }
    // Why nothing was learnt, and where.
    let mut refusals: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (place, (method, _)) in METHODS.iter().enumerate() {
        let _ = write!(text, "| `{method}` |");
        for (game, column) in PRICED.iter().zip(&columns) {
            let Cells { text: cells, refused } = &column[place];
            let _ = write!(text, " {cells} |");
            if let Some(why) = refused {
                refusals.entry(why).or_default().push(format!("`{method}` in {game}"));
            }
        }
        text.push('\n');
    }
    text.push('\n');
    for (why, who) in refusals {
        let _ = writeln!(text, "- {}: {why}.", who.join(", "));
    }
    Ok(text)
}

/// What a method costs in a game.
struct Cells {
    /// Three cells of a table.
    text: String,
    /// Why nothing was learnt, if so.
    refused: Option<String>,
}

impl Cells {
    fn refused(milliseconds: Option<f64>, why: String) -> Self {
        let learn = milliseconds.map_or_else(|| "-".to_owned(), |milliseconds| format!("{milliseconds:.0}"));
        Self { text: format!("{learn} | - | -"), refused: Some(why) }
    }
}

/// Measures all methods in a game.
struct Price<'a> {
    rules: &'a gdl::normal::NormalRules,
    samples: Option<usize>,
}

impl Visitor<'_> for Price<'_> {
    type Answer = Vec<Cells>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let sample = SampleOptions { seed: 99, ..SampleOptions::default() };
        let count = self.samples.unwrap_or(2_000);
        let apart = Positions::scatter(&**game, &mut game.workspace(), count, &sample, &|| true);
        let Ok(Some(apart)) = apart else {
            let why = || "no positions were met".to_owned();
            return METHODS.iter().map(|_| Cells::refused(None, why())).collect();
        };
        let cells = |method: &MethodRow| {
            let goes_on = || true;
            let lesson = Lesson { samples: self.samples, ..Lesson::new(game, Some(self.rules), 1, &goes_on) };
            let begun = CpuTime::now();
            let taught = (method.learn)(&lesson);
            let learnt = 1e3 * begun.elapsed().as_secs_f64();
            let taught = match taught {
                Ok(taught) => taught,
                Err(error) => return Cells::refused(Some(learnt), error.to_string()),
            };
            let evaluator = taught.judgement.bind(game, None);
            let states: Vec<&G::State> = apart.states.iter().collect();
            let mut values = vec![0.0; states.len() * game.role_count()];
            let begun = CpuTime::now();
            let judged = evaluator.evaluate(&states, &mut values);
            let each = begun.elapsed().as_secs_f64() * 1e6 / states.len().max(1) as f64;
            let explained = judged.and_then(|()| eval::explained(&*evaluator, &apart)).unwrap_or_default();
            let explained: Vec<String> =
                explained.iter().map(|part| format!("{:.0}", 100.0 * part)).collect();
            Cells { text: format!("{learnt:.0} | {each:.2} | {}", explained.join(", ")), refused: None }
        };
        let row = |(method, _): &(&str, &str)| {
            eval::methods::find(method)
                .map_or_else(|| Cells::refused(None, "it is unknown".to_owned()), &cells)
        };
        METHODS.iter().map(row).collect()
    }
}

/// The time that this thread has used.
struct CpuTime {
    begun: Duration,
}

impl CpuTime {
    fn now() -> Self {
        Self { begun: Self::used() }
    }

    fn used() -> Duration {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
    }

    fn elapsed(&self) -> Duration {
        Self::used().saturating_sub(self.begun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_measured() {
        let listed: Vec<&str> = METHODS.iter().map(|method| method.0).collect();
        for row in eval::METHODS {
            assert!(listed.contains(&row.name), "{}", row.name);
        }
        assert!(listed.iter().all(|name| eval::methods::find(name).is_some()));
    }
}
