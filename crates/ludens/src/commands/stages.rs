//! `ludens show --stage ground|circuit`

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use circuit::BuildReport;
use ground::GroundRules;
use serde::Serialize;

use crate::circuits::BuildArguments;
use crate::failure::FaultyGame;
use crate::input::LoadedGame;
use crate::output::Output;
use crate::table::{Table, grouped};

/// Rules with more bodies than this for one head are shown split, as they are first built.
const SPLIT_ABOVE: usize = 30;

/// Ground rules, counted while they go by.
struct Lines<'a> {
    /// Where they go; kept in `kept` if nowhere.
    output: Option<&'a mut Output>,
    kept: Vec<String>,
    line: String,
    /// Ground rules and facts of each relation.
    counts: BTreeMap<String, u64>,
    failure: Option<io::Error>,
}

impl Lines<'_> {
    fn end_line(&mut self) -> fmt::Result {
        let head = self.line.trim_start_matches('(');
        let relation = head.split([' ', ')']).next().unwrap_or("");
        match self.counts.get_mut(relation) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(relation.to_owned(), 1)),
        }
        match &mut self.output {
            Some(output) => {
                if let Err(error) = writeln!(output, "{}", self.line) {
                    self.failure = Some(error);
                    return Err(fmt::Error);
                }
            }
            None => self.kept.push(self.line.clone()),
        }
        self.line.clear();
        Ok(())
    }
}

impl fmt::Write for Lines<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut parts = text.split('\n');
        self.line.push_str(parts.next().unwrap_or(""));
        for part in parts {
            self.end_line()?;
            self.line.push_str(part);
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct GroundAnswer<'a> {
    game: &'a str,
    stage: &'static str,
    facts: usize,
    roles: Vec<RoleAnswer<'a>>,
    relations: BTreeMap<String, u64>,
    rules: Vec<String>,
}

#[derive(Serialize)]
struct RoleAnswer<'a> {
    role: &'a str,
    moves: usize,
    goals: usize,
}

fn role_sizes(ground: &GroundRules) -> Vec<RoleAnswer<'_>> {
    let sizes = ground.roles.iter().map(|role| RoleAnswer {
        role: &role.name,
        moves: role.moves.len(),
        goals: role.goals.len(),
    });
    sizes.collect()
}

/// The rules without variables.
pub(super) fn ground(
    game: &LoadedGame,
    build: BuildArguments,
    json: bool,
    output: &mut Output,
) -> anyhow::Result<()> {
    let budget = build.budget();
    let mut ground = ground::ground(&game.rules, &budget).map_err(unbuildable)?;
    ground.split_above(SPLIT_ABOVE);
    if !json {
        writeln!(output, "; {} facts may be true", grouped(ground.bases.len() as u64))?;
        for role in role_sizes(&ground) {
            let moves = grouped(role.moves as u64);
            writeln!(output, "; {} has {moves} moves and {} goals", role.role, role.goals)?;
        }
    }
    let mut lines = Lines {
        output: (!json).then_some(&mut *output),
        kept: Vec::new(),
        line: String::new(),
        counts: BTreeMap::new(),
        failure: None,
    };
    let printed = ground.print(&budget, &mut lines);
    let Lines { kept, counts, failure, .. } = lines;
    if let Some(error) = failure {
        return Err(error.into());
    }
    printed.map_err(unbuildable)?;
    if json {
        return output.json(&GroundAnswer {
            game: &game.name,
            stage: "ground",
            facts: ground.bases.len(),
            roles: role_sizes(&ground),
            relations: counts,
            rules: kept,
        });
    }
    writeln!(output, "; {} rules", grouped(counts.values().sum()))?;
    for (relation, count) in counts {
        writeln!(output, ";   {relation} {}", grouped(count))?;
    }
    Ok(())
}

#[derive(Serialize)]
struct CircuitAnswer<'a> {
    game: &'a str,
    stage: &'static str,
    strategy: &'static str,
    ground_rules: usize,
    passes: Vec<PassAnswer>,
    stays_true: usize,
    stays_false: usize,
    always: &'a [String],
    text: String,
}

#[derive(Serialize)]
struct PassAnswer {
    pass: &'static str,
    facts: usize,
    moves: usize,
    legal_and_terminal: usize,
    next: usize,
    goal: usize,
}

/// The circuit, as text or as a graph.
pub(super) fn circuit(
    game: &LoadedGame,
    build: BuildArguments,
    json: bool,
    dot: bool,
    output: &mut Output,
) -> anyhow::Result<()> {
    let built = build.build(&game.rules).map_err(unbuildable)?;
    if dot && !json {
        return Ok(output.write_all(built.circuit.dot().as_bytes())?);
    }
    let report = &built.report;
    let passes = passes(report);
    if json {
        let text = if dot { built.circuit.dot() } else { built.circuit.print() };
        return output.json(&CircuitAnswer {
            game: &game.name,
            stage: "circuit",
            strategy: report.strategy,
            ground_rules: report.counts.ground_rules,
            passes,
            stays_true: report.analysis.stays_true.len(),
            stays_false: report.analysis.stays_false.len(),
            always: &report.analysis.always,
            text,
        });
    }
    // The circuit begins with the line `circuit`; what is before it is for people.
    let mut table =
        Table::new(&["pass", ">facts", ">moves", ">gates: legal+terminal", ">next", ">goal", ">all"]);
    for pass in passes {
        let total = pass.legal_and_terminal + pass.next + pass.goal;
        let numbers = [pass.facts, pass.moves, pass.legal_and_terminal, pass.next, pass.goal, total];
        let numbers = numbers.into_iter().map(|number| grouped(number as u64));
        table.row(std::iter::once(pass.pass.to_owned()).chain(numbers));
    }
    table.write(output)?;
    let analysis = &report.analysis;
    writeln!(
        output,
        "\n{} ground rules (strategy: {}), {} sets of atoms that depend on each other\n{} facts stay true once \
         they are, {} stay false; {} are always true\n",
        grouped(report.counts.ground_rules as u64),
        report.strategy,
        report.counts.recursive_components,
        analysis.stays_true.len(),
        analysis.stays_false.len(),
        analysis.always.len(),
    )?;
    Ok(output.write_all(built.circuit.print().as_bytes())?)
}

fn passes(report: &BuildReport) -> Vec<PassAnswer> {
    let pass = |pass: &circuit::PassReport| PassAnswer {
        pass: pass.name,
        facts: pass.bases,
        moves: pass.moves,
        legal_and_terminal: pass.sizes.legal_and_terminal,
        next: pass.sizes.next,
        goal: pass.sizes.goal,
    };
    report.passes.iter().map(pass).collect()
}

fn unbuildable(error: ground::GroundError) -> anyhow::Error {
    let hint = match error {
        ground::GroundError::OutOfTime => "; `--build-seconds` allows more",
        ground::GroundError::OutOfMemory { .. } => "; `--memory` allows more",
        _ => "",
    };
    FaultyGame(format!("{error}{hint}")).into()
}
