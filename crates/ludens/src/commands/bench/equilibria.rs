//! How well agents play positions in which two choose at once: against the equilibrium.

use std::io::Write;

use anyhow::Context;
use arena::{Contestant, Ground};
use bench::ruler::{MatrixPosition, MatrixSet};
use serde::Serialize;

use super::positions::{Estimate, ground, tell_late};
use crate::output::Output;
use crate::table::{Table, grouped};

/// What one agent made of one set.
#[derive(Debug, Serialize)]
pub(super) struct MatrixRow {
    game: String,
    agent: String,
    positions: usize,
    /// Per cent of its mix on moves of the equilibrium.
    right: Option<Estimate>,
    /// Points that it loses against the worst reply.
    lost: Option<Estimate>,
    /// Where one move is as good as any mix.
    lost_pure: Option<Estimate>,
    /// Where it must mix.
    lost_mixed: Option<Estimate>,
    /// How far the value expected was from the true one, in goals from 0 to 100.
    error: Option<Estimate>,
    /// Per position, in the mean.
    simulations: f64,
    seconds: f64,
    /// Positions without a thought in time: they count as answered by the worst move.
    late: usize,
}

/// One answer.
struct Answer {
    must_mix: bool,
    is_late: bool,
    right: f64,
    lost: f64,
    error: Option<f64>,
    simulations: u64,
    seconds: f64,
}

/// Has agents play so many positions of each set, spread over it.
pub(super) fn measure(
    sets: &[MatrixSet],
    agents: &[Contestant],
    sample: Option<u32>,
) -> anyhow::Result<Vec<MatrixRow>> {
    let mut rows = Vec::new();
    for set in sets {
        let ground = ground(&set.game)?;
        let all = set.positions.len();
        let count = sample.map_or(all, |count| (count as usize).min(all));
        let chosen: Vec<&MatrixPosition> =
            (0..count).map(|number| &set.positions[number * all / count]).collect();
        let mut answers: Vec<Vec<Answer>> = agents.iter().map(|_| Vec::new()).collect();
        for (position, seed) in chosen.iter().zip(0..) {
            for (agent, answers) in agents.iter().zip(&mut answers) {
                answers.push(ask(&ground, position, agent, seed)?);
            }
        }
        rows.extend(agents.iter().zip(&answers).map(|(agent, answers)| row(&set.game, agent, answers)));
    }
    Ok(rows)
}

fn ask(ground: &Ground, position: &MatrixPosition, agent: &Contestant, seed: u64) -> anyhow::Result<Answer> {
    let must_mix = position.must_mix();
    let Some(decision) = ground.ask_in(&position.line, position.role, agent, seed)? else {
        let lost = position.value() - position.worst_security();
        return Ok(Answer {
            must_mix,
            is_late: true,
            right: 0.0,
            lost,
            error: None,
            simulations: 0,
            seconds: 0.0,
        });
    };
    let place = position.moves.iter().position(|text| *text == decision.text);
    let place = place.with_context(|| format!("{} is no move of the position", decision.text))?;
    // What an agent draws it says; else it plays one move.
    let likelihood = |text: &String| decision.moves.iter().find(|thought| thought.text == *text)?.likelihood;
    let drawn: Option<Vec<f64>> = position.moves.iter().map(likelihood).collect();
    let mix = drawn.unwrap_or_else(|| {
        (0..position.moves.len()).map(|other| if other == place { 1.0 } else { 0.0 }).collect()
    });
    Ok(Answer {
        must_mix,
        is_late: false,
        right: 100.0 * position.right(&mix),
        lost: position.loss(&mix),
        error: decision.value.map(|value| (value - position.value()).abs()),
        simulations: decision.simulations,
        seconds: decision.elapsed.as_secs_f64(),
    })
}

fn row(game: &str, agent: &Contestant, answers: &[Answer]) -> MatrixRow {
    let of = |number: &dyn Fn(&Answer) -> Option<f64>| {
        Estimate::of(&answers.iter().filter_map(number).collect::<Vec<f64>>())
    };
    let count = answers.len().max(1) as f64;
    MatrixRow {
        game: game.to_owned(),
        agent: agent.to_string(),
        positions: answers.len(),
        right: of(&|answer| Some(answer.right)),
        lost: of(&|answer| Some(answer.lost)),
        lost_pure: of(&|answer| (!answer.must_mix).then_some(answer.lost)),
        lost_mixed: of(&|answer| answer.must_mix.then_some(answer.lost)),
        error: of(&|answer| answer.error),
        simulations: answers.iter().map(|answer| answer.simulations as f64).sum::<f64>() / count,
        seconds: answers.iter().map(|answer| answer.seconds).sum::<f64>() / count,
        late: answers.iter().filter(|answer| answer.is_late).count(),
    }
}

/// Tells it.
pub(super) fn write(rows: &[MatrixRow], output: &mut Output) -> anyhow::Result<()> {
    let columns =
        ["game", "agent", ">right %", ">lost", ">pure", ">mixed", ">error", ">simulations", ">seconds"];
    let mut table = Table::new(&columns);
    for row in rows {
        table.row([
            row.game.clone(),
            row.agent.clone(),
            Estimate::text(row.right),
            Estimate::text(row.lost),
            Estimate::text(row.lost_pure),
            Estimate::text(row.lost_mixed),
            Estimate::text(row.error),
            grouped(row.simulations as u64),
            format!("{:.3}", row.seconds),
        ]);
    }
    table.write(output)?;
    writeln!(
        output,
        "\nTwo choose at once. Right: how likely moves of the equilibrium are. Lost: points below the value of the \
         position against the worst reply, where one move is as good as any mix (pure) and where it is not."
    )?;
    tell_late(rows.iter().map(|row| (&*row.game, &*row.agent, row.late)), output)
}
