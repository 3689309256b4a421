//! `ludens info`

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bundled::Metadata;
use game::{Describe, Dice, Expansion, MoveId};
use machine::Machine;
use serde::Serialize;

use crate::arguments::{GameArguments, MachineArguments};
use crate::circuits::{BuildArguments, EffortKind};
use crate::input::{self, LoadedGame};
use crate::machines::{Task, fault_text, with_machine};
use crate::output::Output;
use crate::structure::Structure;
use crate::table::Table;
use crate::video_games::{Texts, VideoGame};

/// Tell what is known of a game: roles, kind, sizes, and what random playouts show
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens info chess\n  ludens info my-game.kif --playouts 200\n  \
                        ludens info tron --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// Random playouts to look at
    #[arg(long, default_value_t = 30)]
    playouts: u64,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Seconds after which no further playout is begun
    #[arg(long, default_value_t = 10)]
    seconds: u64,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    machine: MachineArguments,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    metadata: Option<Metadata>,
    kind: &'static str,
    /// `complete` where everybody sees the joint move, `hidden` where the rules say who sees what.
    information: &'static str,
    /// The role whose moves are drawn.
    chance: Option<String>,
    sheet: SheetSizes,
    initial_facts: usize,
    bytes: usize,
    playouts: u64,
    /// What ended the playouts early.
    fault: Option<String>,
    length: Range,
    /// Joint moves to choose from.
    branching: Range,
    roles: Vec<RoleAnswer>,
    /// What the circuit shows; null if there is none in time.
    structure: Option<Structure>,
}

#[derive(Serialize)]
struct SheetSizes {
    bytes: usize,
    facts: usize,
    rules: usize,
    relations: usize,
    normal_rules: usize,
    left_out: usize,
}

#[derive(Serialize)]
struct RoleAnswer {
    role: String,
    legal_moves: Range,
    /// What it was told in playouts, by the names of the percepts, and in how many steps each.
    sees: BTreeMap<String, u64>,
    goals_seen: BTreeMap<u8, u64>,
}

/// Mean, least and greatest of some numbers.
#[derive(Clone, Copy, Default, Serialize)]
struct Range {
    mean: f64,
    least: u64,
    greatest: u64,
    #[serde(skip)]
    count: u64,
}

impl Range {
    fn add(&mut self, number: u64) {
        self.least = if self.count == 0 { number } else { self.least.min(number) };
        self.greatest = self.greatest.max(number);
        self.count += 1;
        self.mean += (number as f64 - self.mean) / self.count as f64;
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:.1} ({} to {})", self.mean, self.least, self.greatest)
    }
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        if let Some(texts) = Texts::find(&self.game.game)? {
            let game = VideoGame::new(texts.name, &texts.rules, &texts.levels);
            return super::video::info(&game, self.playouts, self.seed, self.json, output);
        }
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let mut answer =
            with_machine(self.machine, &game.rules, None, Survey { arguments: &self, game: &game })?;
        let build = BuildArguments {
            build_seconds: (self.seconds as f64).min(STRUCTURE_SECONDS),
            memory: self.machine.memory,
            effort: EffortKind::Thorough,
        };
        answer.structure = build.build(&game.rules).ok().map(|built| Structure::of(&built.circuit));
        if self.json {
            output.json(&answer)?;
        } else {
            game.write_title(output)?;
            answer.write(output)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Survey<'a> {
    arguments: &'a Arguments,
    game: &'a LoadedGame,
}

/// What playouts have shown so far.
#[derive(Default)]
struct Seen {
    playouts: u64,
    length: Range,
    branching: Range,
    legal: Vec<Range>,
    goals: Vec<BTreeMap<u8, u64>>,
    sees: Vec<BTreeMap<String, u64>>,
    /// Whether several roles had a choice in one position.
    simultaneous: bool,
}

/// A circuit that takes longer is not waited for.
const STRUCTURE_SECONDS: f64 = 5.0;

/// A playout that is longer is given up; it is no fault to tell of here.
const MAX_STEPS: usize = 10_000;

impl Task for Survey<'_> {
    type Answer = Answer;

    fn run<G: Describe>(self, machine: &G, held: &Machine) -> anyhow::Result<Answer> {
        let Self { arguments, game } = self;
        let roles = machine.roles();
        let mut seen = Seen {
            legal: vec![Range::default(); roles.len()],
            goals: vec![BTreeMap::new(); roles.len()],
            sees: vec![BTreeMap::new(); roles.len()],
            ..Seen::default()
        };
        let deadline = Instant::now() + Duration::from_secs(arguments.seconds);
        let mut workspace = machine.workspace();
        let mut fault = None;
        for index in 0..arguments.playouts {
            if Instant::now() >= deadline && seen.playouts > 0 {
                break;
            }
            let played = seen.play(machine, &mut workspace, Dice::stream(arguments.seed, index));
            if let Err(met) = played {
                fault = Some(fault_text(machine, &met));
                break;
            }
        }
        let role = |(place, role): (usize, &String)| RoleAnswer {
            role: role.clone(),
            legal_moves: seen.legal[place],
            sees: seen.sees[place].clone(),
            goals_seen: seen.goals[place].clone(),
        };
        Ok(Answer {
            game: game.name.clone(),
            metadata: game.metadata.clone(),
            kind: match (roles.len(), seen.simultaneous) {
                (1, _) => "one-player",
                (_, false) => "turn-taking",
                (_, true) => "simultaneous",
            },
            information: if machine.has_percepts() { "hidden" } else { "complete" },
            chance: machine.chance().map(|role| roles[usize::from(role.0)].clone()),
            sheet: sheet_sizes(game),
            initial_facts: machine.facts(&machine.initial()).len(),
            bytes: held.bytes(),
            playouts: seen.playouts,
            fault,
            length: seen.length,
            branching: seen.branching,
            roles: roles.iter().enumerate().map(role).collect(),
            structure: None,
        })
    }
}

impl Seen {
    fn play<G: Describe>(
        &mut self,
        machine: &G,
        workspace: &mut G::Workspace,
        mut dice: Dice,
    ) -> Result<(), game::RuleFault> {
        let mut state = machine.initial();
        let mut expansion = Expansion::new();
        for step in 0..=MAX_STEPS {
            machine.expand(workspace, &state, &mut expansion)?;
            if expansion.is_terminal() {
                let mut goals = Vec::new();
                machine.goals(workspace, &state, &mut goals)?;
                for (counts, reading) in self.goals.iter_mut().zip(&goals) {
                    *counts.entry(reading.value().0).or_default() += 1;
                }
                self.length.add(step as u64);
                self.playouts += 1;
                return Ok(());
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(game::RuleFault::NoLegalMove(role));
            }
            self.branching.add(expansion.joint_count());
            for (range, legal) in self.legal.iter_mut().zip(expansion.by_role()) {
                range.add(legal.len() as u64);
            }
            self.simultaneous |= expansion.by_role().filter(|legal| legal.len() > 1).count() > 1;
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            self.look_at_percepts(machine, workspace, &state, &joint)?;
            state = machine.apply(workspace, &state, &joint)?;
        }
        Err(game::RuleFault::TooLong(MAX_STEPS))
    }
}

impl Seen {
    /// Notes what each role is told of a joint move.
    fn look_at_percepts<G: Describe>(
        &mut self,
        machine: &G,
        workspace: &mut G::Workspace,
        state: &G::State,
        joint: &[MoveId],
    ) -> Result<(), game::RuleFault> {
        if !machine.has_percepts() {
            return Ok(());
        }
        for (role, sees) in machine.role_ids().zip(&mut self.sees) {
            let mut told = Vec::new();
            machine.observe(workspace, state, joint, role, &mut told)?;
            let name = |&id| {
                let text = machine.percept_spelling(id);
                text.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default().to_owned()
            };
            for name in told.iter().map(name).collect::<BTreeSet<String>>() {
                *sees.entry(name).or_default() += 1;
            }
        }
        Ok(())
    }
}

fn sheet_sizes(game: &LoadedGame) -> SheetSizes {
    let rules = &game.parsed.sheet.rules;
    let facts = rules.iter().filter(|rule| rule.body.is_empty()).count();
    let relations: BTreeSet<_> =
        rules.iter().map(|rule| (rule.head.name, rule.head.arguments.len())).collect();
    SheetSizes {
        bytes: game.source.text().len(),
        facts,
        rules: rules.len() - facts,
        relations: relations.len(),
        normal_rules: game.rules.rules.len(),
        left_out: game.rules.faults.len(),
    }
}

impl Answer {
    fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        if let Some(metadata) = &self.metadata {
            writeln!(output, "{}\n", metadata.description)?;
            writeln!(output, "source       {}", metadata.source)?;
            writeln!(output, "tags         {}", metadata.tags.join(", "))?;
        }
        let sheet = &self.sheet;
        writeln!(output, "kind         {}", self.kind)?;
        let information = match self.information {
            "hidden" => "hidden: each role knows its own moves and what it sees",
            _ => "complete: everybody sees the moves of all",
        };
        writeln!(output, "information  {information}")?;
        if let Some(chance) = &self.chance {
            writeln!(output, "chance       the moves of `{chance}` are drawn")?;
        }
        writeln!(
            output,
            "rule sheet   {} bytes: {} facts and {} rules for {} relations, {} rules in normal form",
            sheet.bytes, sheet.facts, sheet.rules, sheet.relations, sheet.normal_rules
        )?;
        if sheet.left_out > 0 {
            writeln!(output, "left out     {} rules that cannot be used", sheet.left_out)?;
        }
        writeln!(output, "state        {} facts at the beginning", self.initial_facts)?;
        writeln!(output, "playouts     {} at random", self.playouts)?;
        if let Some(fault) = &self.fault {
            writeln!(output, "fault        {fault}; `ludens check` tells more")?;
        }
        writeln!(output, "length       {}", self.length)?;
        writeln!(output, "joint moves  {} to choose from", self.branching)?;
        writeln!(output)?;
        let is_hidden = self.information == "hidden";
        let headings: &[&str] = match is_hidden {
            true => &["role", "legal moves", "goals seen", "sees (steps)"],
            false => &["role", "legal moves", "goals seen"],
        };
        let mut table = Table::new(headings);
        for role in &self.roles {
            let goals: Vec<String> =
                role.goals_seen.iter().map(|(goal, count)| format!("{goal} ({count}x)")).collect();
            let mut row = vec![role.role.clone(), role.legal_moves.to_string(), goals.join("  ")];
            let sees = role.sees.iter().map(|(name, steps)| format!("{name} ({steps}x)"));
            let sees: Vec<String> = sees.collect();
            row.extend(
                is_hidden.then(|| if sees.is_empty() { "nothing".to_owned() } else { sees.join("  ") }),
            );
            table.row(row);
        }
        table.write(output)?;
        writeln!(output)?;
        let names: Vec<&str> = self.roles.iter().map(|role| role.role.as_str()).collect();
        match &self.structure {
            Some(structure) => structure.write(&names, output)?,
            None => writeln!(output, "structure    not known: there was no circuit in time")?,
        }
        Ok(())
    }
}
