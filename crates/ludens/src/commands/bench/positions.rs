//! How well agents play positions whose exact values are known: `bench --positions`.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use arena::{Contestant, Ground, Thinking};
use bench::ruler::{self, Kind, MatrixSet, Position, PositionSet};
use serde::Serialize;

use super::{Arguments, equilibria};
use crate::input;
use crate::output::Output;
use crate::process::cpu_time;
use crate::table::{Table, grouped};

/// How agents think that do not say it.
const OTHERWISE: Thinking = Thinking::Simulations(10_000);

/// How long building the machines of a game may take, and the bytes of each.
const BUILD_TIME: Duration = Duration::from_secs(60);
const BUILD_BYTES: usize = 4 << 30;

/// A share with its 95% interval, or a mean with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Estimate {
    mean: f64,
    interval: f64,
}

impl Estimate {
    /// Of some numbers; `None` of none.
    pub(super) fn of(numbers: &[f64]) -> Option<Self> {
        let count = numbers.len() as f64;
        if numbers.is_empty() {
            return None;
        }
        let mean = numbers.iter().sum::<f64>() / count;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let interval = 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt();
        Some(Self { mean, interval })
    }

    pub(super) fn text(found: Option<Self>) -> String {
        found.map_or_else(|| "-".to_owned(), |one| format!("{:.1} \u{b1} {:.1}", one.mean, one.interval))
    }
}

/// What one agent made of one set.
#[derive(Debug, Serialize)]
struct Row {
    game: String,
    agent: String,
    positions: usize,
    /// Per cent of the moves that were right.
    right: Option<Estimate>,
    /// In positions whose value is seen within a few plies.
    right_tactical: Option<Estimate>,
    /// In the others.
    right_quiet: Option<Estimate>,
    /// How far the value expected was from the true one, in goals from 0 to 100.
    error: Option<Estimate>,
    /// Per position, in the mean.
    simulations: f64,
    seconds: f64,
    /// Positions without a thought in time: they count as answered wrongly.
    late: usize,
}

/// A row of any kind of set.
#[derive(Serialize)]
#[serde(untagged)]
enum AnyRow<'a> {
    InTurn(&'a Row),
    AtOnce(&'a equilibria::MatrixRow),
}

/// One answer.
struct Answer {
    kind: Kind,
    is_late: bool,
    right: bool,
    error: Option<f64>,
    simulations: u64,
    seconds: f64,
}

/// Has agents play the positions of the sets.
pub(super) fn positions(arguments: &Arguments, output: &mut Output) -> anyhow::Result<()> {
    let agents: Vec<Contestant> =
        arguments.positions.iter().map(|text| Contestant::read(text, OTHERWISE)).collect::<Result<_, _>>()?;
    let (sets, at_once) = sets(&arguments.games)?;
    let chosen: Vec<Vec<&Position>> = sets.iter().map(|set| sample(set, arguments.sample)).collect();
    let all: usize = chosen.iter().map(|positions| positions.len() * agents.len()).sum();
    let bar = crate::commands::progress_bar(all as u64, "positions");
    let mut rows = Vec::new();
    for (set, positions) in sets.iter().zip(&chosen) {
        let ground = ground(&set.game)?;
        bar.set_message(set.game.clone());
        let mut answers: Vec<Vec<Answer>> = agents.iter().map(|_| Vec::new()).collect();
        // Agents take turns, so that other work on the machine disturbs all of them alike.
        for (position, number) in positions.iter().zip(0..) {
            for (agent, answers) in agents.iter().zip(&mut answers) {
                answers.push(ask(&ground, position, agent, number)?);
                bar.inc(1);
            }
        }
        rows.extend(agents.iter().zip(&answers).map(|(agent, answers)| row(&set.game, agent, answers)));
    }
    bar.finish_and_clear();
    let at_once = equilibria::measure(&at_once, &agents, arguments.sample)?;
    if arguments.json {
        let all = rows.iter().map(AnyRow::InTurn).chain(at_once.iter().map(AnyRow::AtOnce));
        return output.json(&all.collect::<Vec<_>>());
    }
    if rows.is_empty() {
        return equilibria::write(&at_once, output);
    }
    let mut table = Table::new(&[
        "game",
        "agent",
        ">right %",
        ">tactical",
        ">quiet",
        ">error",
        ">simulations",
        ">seconds",
    ]);
    for row in &rows {
        table.row([
            row.game.clone(),
            row.agent.clone(),
            Estimate::text(row.right),
            Estimate::text(row.right_tactical),
            Estimate::text(row.right_quiet),
            Estimate::text(row.error),
            grouped(row.simulations as u64),
            format!("{:.3}", row.seconds),
        ]);
    }
    table.write(output)?;
    writeln!(
        output,
        "\nRight: moves whose exact value is that of the best, with 95% intervals. Error: of the value expected, in goals."
    )?;
    tell_late(rows.iter().map(|row| (&*row.game, &*row.agent, row.late)), output)?;
    if at_once.is_empty() { Ok(()) } else { equilibria::write(&at_once, output) }
}

/// A game whose players think by processor time: other work on the machine takes none of it.
pub(super) fn ground(game: &str) -> anyhow::Result<Ground> {
    let loaded = input::load(game, gdl::Mode::Lenient)?;
    let ground = Ground::build(game, loaded.rules, BUILD_TIME, BUILD_BYTES)?;
    Ok(ground.timed_by(Arc::new(cpu_time)))
}

/// Tells which agents had no thought in time, in which games and how often.
pub(super) fn tell_late<'a>(
    rows: impl Iterator<Item = (&'a str, &'a str, usize)>,
    output: &mut Output,
) -> anyhow::Result<()> {
    for (game, agent, late) in rows.filter(|&(.., late)| late > 0) {
        writeln!(output, "{game}, {agent}: no thought in time in {late} positions, which count as wrong.")?;
    }
    Ok(())
}

/// The sets of these games, in turn and at once; all of them without names.
fn sets(games: &[String]) -> anyhow::Result<(Vec<PositionSet>, Vec<MatrixSet>)> {
    let mut sets = ruler::sets().context("a set of positions is damaged")?;
    let mut at_once = ruler::matrix_sets().context("a set of positions is damaged")?;
    let names = sets.iter().map(|set| &set.game).chain(at_once.iter().map(|set| &set.game));
    let known: Vec<String> = names.cloned().collect();
    if let Some(game) = games.iter().find(|game| !known.contains(game)) {
        bail!("there is no set of positions of `{game}`: there are {}", known.join(", "));
    }
    let is_wanted = |game: &String| games.is_empty() || games.contains(game);
    sets.retain(|set| is_wanted(&set.game));
    at_once.retain(|set| is_wanted(&set.game));
    Ok((sets, at_once))
}

/// So many positions, evenly from a set: it is ordered by kind and length.
fn sample(set: &PositionSet, count: Option<u32>) -> Vec<&Position> {
    let all = set.positions.len();
    let count = count.map_or(all, |count| (count as usize).min(all));
    (0..count).map(|number| &set.positions[number * all / count]).collect()
}

fn ask(ground: &Ground, position: &Position, agent: &Contestant, seed: u64) -> anyhow::Result<Answer> {
    let Some(decision) = ground.ask_after(&position.line, agent, seed)? else {
        let kind = position.kind;
        return Ok(Answer { kind, is_late: true, right: false, error: None, simulations: 0, seconds: 0.0 });
    };
    let worth = position.value_of(&decision.text).with_context(|| {
        format!("{} is no move of the position after {}", decision.text, position.line.join(" "))
    })?;
    Ok(Answer {
        kind: position.kind,
        is_late: false,
        right: worth == position.value(),
        error: decision.value.map(|value| (value - f64::from(position.value())).abs()),
        simulations: decision.simulations,
        seconds: decision.elapsed.as_secs_f64(),
    })
}

fn row(game: &str, agent: &Contestant, answers: &[Answer]) -> Row {
    let share = |of: &dyn Fn(&Answer) -> bool| {
        let numbers: Vec<f64> = answers
            .iter()
            .filter(|answer| of(answer))
            .map(|answer| if answer.right { 100.0 } else { 0.0 })
            .collect();
        Estimate::of(&numbers)
    };
    let errors: Vec<f64> = answers.iter().filter_map(|answer| answer.error).collect();
    let count = answers.len().max(1) as f64;
    Row {
        game: game.to_owned(),
        agent: agent.to_string(),
        positions: answers.len(),
        right: share(&|_| true),
        right_tactical: share(&|answer| answer.kind == Kind::Tactical),
        right_quiet: share(&|answer| answer.kind == Kind::Quiet),
        error: Estimate::of(&errors),
        simulations: answers.iter().map(|answer| answer.simulations as f64).sum::<f64>() / count,
        seconds: answers.iter().map(|answer| answer.seconds).sum::<f64>() / count,
        late: answers.iter().filter(|answer| answer.is_late).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_mean() {
        // Of 0, 100, 100, 100: the variance is 2,500, the standard error 25.
        let found = Estimate::of(&[0.0, 100.0, 100.0, 100.0]).expect("numbers");
        assert!((found.mean - 75.0).abs() < 1e-9 && (found.interval - 49.0).abs() < 1e-9, "{found:?}");
        assert_eq!(Estimate::of(&[]), None);
    }

    #[test]
    fn samples_are_spread_over_the_set() {
        let set = &ruler::sets().expect("sets")[0];
        let some = sample(set, Some(4));
        let kinds: Vec<Kind> = some.iter().map(|position| position.kind).collect();
        assert_eq!(kinds, [Kind::Tactical, Kind::Tactical, Kind::Quiet, Kind::Quiet]);
        assert_eq!(sample(set, None).len(), set.positions.len());
        assert_eq!(sample(set, Some(9_999)).len(), set.positions.len());
    }
}
