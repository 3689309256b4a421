//! `ludens video arcade`

mod pipe;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use game::Dice;
use serde::Serialize;
use video::arcade::{Emulator, OBJECTIVES, ObjectiveRow, PLANNERS, PlannerRow, Sarsa, Search};

use self::pipe::Pipe;
use crate::output::Output;

/// Play a game of an old console in an emulator
///
/// The emulator is the Arcade Learning Environment, which runs as a process of its own: a Python
/// interpreter with the package ale-py. Planners look ahead in it; `sarsa` learns without looking ahead.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens video arcade breakout\n  \
                        ludens video arcade breakout --planner uct --objective novelty --steps 50\n  \
                        ludens video arcade breakout --planner sarsa --episodes 20 --json")]
pub(crate) struct Arguments {
    /// The name of a game of the emulator, or the path of a cartridge
    game: String,

    /// Who decides: breadth-first, uct, iw1 or sarsa
    #[arg(long, default_value = "iw1")]
    planner: String,

    /// What is wanted: score, lexicographic or novelty
    #[arg(long, default_value = "score")]
    objective: String,

    /// Decisions at most
    #[arg(long, default_value_t = 100)]
    steps: u32,

    /// Games that sarsa learns from
    #[arg(long, default_value_t = 10)]
    episodes: u32,

    /// Frames for which an action is held
    #[arg(long, default_value_t = Search::default().frames, value_parser = clap::value_parser!(u32).range(1..=1000))]
    frames: u32,

    /// Actions that are tried for a decision
    #[arg(long, default_value_t = Search::default().tries, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    tries: u32,

    /// The seed of everything that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Write what is on the screen at the end to this file, as a picture in grey (PGM)
    #[arg(long, value_name = "FILE")]
    screen: Option<PathBuf>,

    /// The Python interpreter that has ale-py
    #[arg(long, default_value = "python3")]
    python: String,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    planner: String,
    objective: String,
    /// The score, or those of all games that were learned from.
    scores: Vec<f64>,
    /// What was done, by its number.
    actions: Vec<usize>,
    over: bool,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let objective = self.objective_row()?;
        let planner = if self.planner == "sarsa" { None } else { Some(self.planner_row()?) };
        let mut emulator = Pipe::open(&self.python, &self.game, self.seed)?;
        let mut dice = Dice::new(self.seed);
        let mut answer = Answer {
            game: self.game.clone(),
            planner: self.planner.clone(),
            objective: objective.name.to_owned(),
            scores: Vec::new(),
            actions: Vec::new(),
            over: false,
        };
        match planner {
            Some(planner) => self.plan(planner, objective, &mut emulator, &mut dice, &mut answer)?,
            None => {
                let mut sarsa = Sarsa::new(emulator.actions());
                for _ in 0..self.episodes {
                    let score = sarsa.episode(&mut emulator, self.frames, self.steps, &mut dice)?;
                    answer.scores.push(score);
                }
            }
        }
        if let Some(path) = &self.screen {
            let picture = emulator.screen()?;
            std::fs::write(path, picture).with_context(|| format!("cannot write {}", path.display()))?;
        }
        if self.json {
            output.json(&answer)?;
        } else {
            let scores: Vec<String> = answer.scores.iter().map(f64::to_string).collect();
            let end = if answer.over { ", and the game is over" } else { "" };
            writeln!(output, "{} scored {} in {}{end}", answer.planner, scores.join(", "), answer.game)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn plan(
        &self,
        planner: &PlannerRow,
        objective: &ObjectiveRow,
        emulator: &mut Pipe,
        dice: &mut Dice,
        answer: &mut Answer,
    ) -> anyhow::Result<()> {
        let search = Search { frames: self.frames, tries: self.tries, ..Search::default() };
        let mut objective = (objective.make)();
        let mut score = 0.0;
        for _ in 0..self.steps {
            objective.observe(&emulator.memory()?);
            let action = (planner.plan)(emulator, &objective, search, dice)?;
            let step = emulator.act(action, self.frames)?;
            score += step.reward;
            answer.actions.push(action);
            answer.over = step.over;
            if step.over {
                break;
            }
        }
        answer.scores.push(score);
        Ok(())
    }

    fn planner_row(&self) -> anyhow::Result<&'static PlannerRow> {
        let names: Vec<&str> = PLANNERS.iter().map(|row| row.name).chain(["sarsa"]).collect();
        match PLANNERS.iter().find(|row| row.name == self.planner) {
            Some(row) => Ok(row),
            None => bail!("there is no planner `{}`; there are {}", self.planner, names.join(", ")),
        }
    }

    fn objective_row(&self) -> anyhow::Result<&'static ObjectiveRow> {
        let names: Vec<&str> = OBJECTIVES.iter().map(|row| row.name).collect();
        match OBJECTIVES.iter().find(|row| row.name == self.objective) {
            Some(row) => Ok(row),
            None => bail!("there is no objective `{}`; there are {}", self.objective, names.join(", ")),
        }
    }
}
