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
}

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
        let is_missed =
            |result: &&DuelResult| result.duel.bar.is_some_and(|bar| !bar.is_met(100.0 * result.share.mean));
        let missed = results.iter().filter(is_missed).map(missed_text).collect();
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
        })
    }

    /// The page, with the picture beside it as `NAME.svg`.
    pub fn markdown(&self, name: &str) -> String {
        let verdict = match &self.missed[..] {
            [] => String::new(),
            missed => format!("\nNot reached:\n\n- {}\n", missed.join("\n- ")),
        };
        format!(
            "# {}\n\n{}\n\n{}{verdict}\n![{}]({name}.svg)\n\nRun again with `ludens experiment {name}`.\n",
            self.title, self.text, self.table, self.title
        )
    }
}

fn missed_text(result: &DuelResult) -> String {
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
                let mark = if bar.is_met(100.0 * result.share.mean) { "" } else { " (missed)" };
                format!("{bar}{mark}")
            });
            let _ = write!(text, " {} |", bar.unwrap_or_default());
        }
        text.push('\n');
    }
    text
}
