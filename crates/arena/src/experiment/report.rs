//! The page an experiment leaves behind.

use std::fmt::Write;

use super::{Duel, DuelResult, Experiment, Laboratory};
use crate::ArenaError;
use crate::plot::{Chart, Group};

/// What came out of an experiment.
#[derive(Clone, Debug)]
pub struct Report {
    /// The heading.
    pub title: String,
    /// What was done, a paragraph or more.
    pub text: String,
    /// A table in Markdown.
    pub table: String,
    /// The same as a picture.
    pub chart: Chart,
    /// Bars that were not met, in words.
    pub missed: Vec<String>,
    /// Bars that were met by the mean, but not by the whole interval, in words.
    pub uncertain: Vec<String>,
}

/// The heading of what is in [`Report::uncertain`].
const UNCERTAIN: &str = "Reached, but not safely: the interval crosses the line";

impl Report {
    /// Plays duels and tells of them: a row each, ours beside what was published.
    pub(super) fn of_duels(
        experiment: &dyn Experiment,
        laboratory: &mut dyn Laboratory,
        title: &str,
        duels: Vec<Duel>,
        usual_matches: u64,
    ) -> Result<Self, ArenaError> {
        let matches = laboratory.scale().matches(usual_matches);
        let records = laboratory.play(&duels, matches)?;
        let results: Vec<DuelResult> =
            duels.into_iter().zip(&records).filter_map(|(duel, records)| duel.result(records)).collect();
        let with_paper = results.iter().any(|result| result.duel.published.is_some());
        let with_bar = results.iter().any(|result| result.duel.bar.is_some());
        let mut series = vec!["Ludens".to_owned()];
        if with_paper {
            series.push("published".to_owned());
        }
        let group = |result: &DuelResult| {
            let ours = (100.0 * result.share.mean, 100.0 * result.share.interval);
            let bars = if with_paper { vec![Some(ours), result.duel.published] } else { vec![Some(ours)] };
            Group { label: format!("{} {}", result.duel.row, result.duel.column).trim().to_owned(), bars }
        };
        let chart = Chart { title: title.to_owned(), series, groups: results.iter().map(group).collect() };
        let told = |wanted: fn(&DuelResult) -> bool| {
            results.iter().filter(|&result| wanted(result)).map(beside_bar).collect::<Vec<_>>()
        };
        let (missed, uncertain) = (told(DuelResult::is_missed), told(DuelResult::is_unsafe));
        let text = format!(
            "{}\n\n{matches} matches a row, roles exchanged match by match; shares of the first player in per \
             cent with 95% confidence intervals, a draw counts one half. Players are written \
             `AGENT@SIMULATIONS`, simulations being those of each move. Source: {}.",
            experiment.about(),
            experiment.source()
        );
        Ok(Self {
            title: title.to_owned(),
            text,
            table: table(&results, with_paper, with_bar),
            chart,
            missed,
            uncertain,
        })
    }

    /// The page, with the picture beside it as `NAME.svg`.
    pub fn markdown(&self, name: &str) -> String {
        let mut verdict = String::new();
        for (heading, rows) in [("Not reached", &self.missed), (UNCERTAIN, &self.uncertain)] {
            if !rows.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(verdict, "\n{heading}:\n\n- {}\n", rows.join("\n- "));
            }
        }
        format!(
            "# {}\n\n{}\n\n{}{verdict}\n![{}]({name}.svg)\n\nRun again with `ludens experiment {name}`.\n",
            self.title, self.text, self.table, self.title
        )
    }
}

fn beside_bar(result: &DuelResult) -> String {
    let bar = result.duel.bar.map(|bar| bar.to_string()).unwrap_or_default();
    format!("{} {}: {} where {bar} was wanted", result.duel.row, result.duel.column, result.share.per_cent())
}

fn table(results: &[DuelResult], with_paper: bool, with_bar: bool) -> String {
    let mut text = "| game | | first | second | share | won, drawn, lost |".to_owned();
    let mut rule = "| --- | --- | --- | --- | ---: | ---: |".to_owned();
    for (wanted, heading) in [(with_paper, " published |"), (with_bar, " wanted |")] {
        if wanted {
            text.push_str(heading);
            rule.push_str(" ---: |");
        }
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{rule}\n");
    for result in results {
        let duel = &result.duel;
        let [wins, draws, losses] = result.tally.wins_draws_losses();
        let _ = write!(
            text,
            "| {} | {} | `{}` | `{}` | {} | {wins}, {draws}, {losses} |",
            duel.row,
            duel.column,
            duel.first,
            duel.second,
            result.share.per_cent()
        );
        if with_paper {
            let published = duel.published.map(|(share, interval)| format!("{share:.1} ± {interval:.1}"));
            let _ = write!(text, " {} |", published.unwrap_or_default());
        }
        if with_bar {
            let bar = duel.bar.map(|bar| {
                let marks = [(result.is_missed(), " (missed)"), (result.is_unsafe(), " (not safe)")];
                let mark = marks.into_iter().find(|&(holds, _)| holds).map_or("", |(_, mark)| mark);
                format!("{bar}{mark}")
            });
            let _ = write!(text, " {} |", bar.unwrap_or_default());
        }
        text.push('\n');
    }
    text
}
