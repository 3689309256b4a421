//! The page an experiment leaves behind.

use std::fmt::Write;

use super::comparison::compare;
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
    /// Where ours differs from what was published by more than both intervals allow, in words.
    pub differing: Vec<String>,
    /// Bars that were not met, in words.
    pub missed: Vec<String>,
    /// Bars that were met by the mean, but not by the whole interval, in words.
    pub uncertain: Vec<String>,
}

/// How the last line of a page begins; the name follows.
const LAST_LINE: &str = "Run again with `ludens experiment ";

/// The heading of what is in [`Report::differing`].
const DIFFERING: &str = "Where ours and what was published differ, by more than both 95% intervals allow";

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
        Ok(Self::with_results(experiment, laboratory, title, duels, usual_matches)?.0)
    }

    /// The same, with the results for further tables.
    pub(super) fn with_results(
        experiment: &dyn Experiment,
        laboratory: &mut dyn Laboratory,
        title: &str,
        duels: Vec<Duel>,
        usual_matches: u64,
    ) -> Result<(Self, Vec<DuelResult>), ArenaError> {
        let matches = laboratory.scale().matches(usual_matches);
        let records = laboratory.play(&duels, matches)?;
        let mut results: Vec<DuelResult> =
            duels.into_iter().zip(&records).filter_map(|(duel, records)| duel.result(records)).collect();
        let most = laboratory.scale().most_matches.unwrap_or(matches);
        for result in &mut results {
            result.go_on(laboratory, matches, most)?;
        }
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
        let differing = results.iter().filter_map(|result| {
            let published = result.duel.published?;
            let place = format!("{} {}", result.duel.row, result.duel.column);
            compare(result.share, published).sentence(place.trim(), result.share, published)
        });
        let differing = differing.collect();
        let more = match most {
            _ if most <= matches => String::new(),
            _ => format!(", and up to {most} where the interval still crossed what is wanted"),
        };
        let text = format!(
            "{}\n\n{matches} matches a row{more}; roles exchanged match by match; shares of the first player in per \
             cent with 95% confidence intervals, a draw counts one half. Players are written \
             `AGENT@SIMULATIONS`, simulations being those of each move.{} Source: {}.",
            experiment.about(),
            if with_paper {
                " Beside published figures `=` stands where ours does not differ by more than both intervals allow, \
                 `+` and `-` where it is higher or lower."
            } else {
                ""
            },
            experiment.source()
        );
        let report = Self {
            title: title.to_owned(),
            text,
            table: table(&results, with_paper, with_bar),
            chart,
            differing,
            missed,
            uncertain,
        };
        Ok((report, results))
    }

    /// The page, with the picture beside it as `NAME.svg`. Its last line says how to run it again;
    /// what people write below that line is theirs: see [`remarks`].
    pub fn markdown(&self, name: &str) -> String {
        let mut verdict = String::new();
        let lists =
            [(DIFFERING, &self.differing), ("Not reached", &self.missed), (UNCERTAIN, &self.uncertain)];
        for (heading, rows) in lists {
            if !rows.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(verdict, "\n{heading}:\n\n- {}\n", rows.join("\n- "));
            }
        }
        format!(
            "# {}\n\n{}\n\n{}{verdict}\n![{}]({name}.svg)\n\n{LAST_LINE}{name}`.\n",
            self.title, self.text, self.table, self.title
        )
    }
}

/// What people wrote below the page of an earlier run: all that follows the line that says how to run
/// it again. A page without that line is not from here and is kept as a whole.
pub fn remarks(page: &str) -> &str {
    let mut read = 0;
    for line in page.split_inclusive('\n') {
        read += line.len();
        if line.starts_with(LAST_LINE) {
            return &page[read..];
        }
    }
    page
}

fn beside_bar(result: &DuelResult) -> String {
    let bar = result.duel.bar.map(|bar| bar.to_string()).unwrap_or_default();
    format!("{} {}: {} where {bar} was wanted", result.duel.row, result.duel.column, result.share.per_cent())
}

pub(super) fn table(results: &[DuelResult], with_paper: bool, with_bar: bool) -> String {
    let mut text = "| game | | first | second | share | won, drawn, lost |".to_owned();
    let mut rule = "| --- | --- | --- | --- | ---: | ---: |".to_owned();
    for (wanted, heading) in [(with_paper, " published, compared |"), (with_bar, " wanted |")] {
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
        let cut = if result.cut > 0 { format!(" ({} broken off)", result.cut) } else { String::new() };
        let _ = write!(
            text,
            "| {} | {} | `{}` | `{}` | {} | {wins}, {draws}{cut}, {losses} |",
            duel.row,
            duel.column,
            duel.first,
            duel.second,
            result.share.per_cent()
        );
        if with_paper {
            let published = duel.published.map(|(share, interval)| {
                let sign = compare(result.share, (share, interval)).sign();
                format!("{share:.1} ± {interval:.1} {sign}")
            });
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

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        Report {
            title: "A table".to_owned(),
            text: "What was done.".to_owned(),
            table: "| share |\n".to_owned(),
            chart: Chart { title: String::new(), series: Vec::new(), groups: Vec::new() },
            differing: Vec::new(),
            missed: Vec::new(),
            uncertain: Vec::new(),
        }
    }

    #[test]
    fn what_people_wrote_below_is_found() {
        let page = report().markdown("table-1");
        assert_eq!(remarks(&page), "");
        for written in
            ["\nPlayed alone.\n", "\nRun again with `ludens experiment` on\r\n\r\nno end", "no blank line"]
        {
            assert_eq!(remarks(&format!("{page}{written}")), written);
            // Options of the run stand behind the name.
            let page = page.replace("experiment table-1`", "experiment table-1 --matches 3`");
            assert_eq!(remarks(&format!("{page}{written}")), written);
        }
        // The end of a line that somebody's editor took away.
        assert_eq!(remarks(page.trim_end()), "");
        assert_eq!(remarks("All of it\nis mine.\n"), "All of it\nis mine.\n");
        assert_eq!(remarks(""), "");
    }
}
