//! `ludens solve` for games of several roles.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alphabeta::{Judge, Proven, Search};
use engine::Budget;
use game::{Describe, Dice, Game, MoveId, RoleId};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use serde::Serialize;
use solver::{Limits, Look, Solution, Solved, SolverError, StateGraph};

use crate::machines::faulty;
use crate::output::Output;
use crate::table::{Table, grouped};

/// A way to solve a game of several roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Parts,
    Graph,
    DepthFirst,
    AlphaBeta,
    #[cfg(feature = "bdd")]
    Symbolic,
}

impl Way {
    /// Whether it is tried without being asked for.
    fn is_usual(self) -> bool {
        matches!(self, Way::Parts | Way::Graph | Way::DepthFirst | Way::AlphaBeta)
    }

    /// Whether it can be asked what a position is worth.
    fn answers_positions(self) -> bool {
        !matches!(self, Way::Parts | Way::AlphaBeta)
    }
}

/// The ways in the order in which they are tried, each with its name, the part of the time that is over when it ends, and what it
/// does.
pub(crate) const WAYS: &[(Way, &str, f64, &str)] = &[
    (
        Way::Parts,
        "parts",
        0.25,
        "games that end when all parts of them are over: what each role is sure of, part by part",
    ),
    (
        Way::Graph,
        "graph",
        0.5,
        "games of several roles: all states and what each role is sure of in each of them",
    ),
    #[cfg(feature = "bdd")]
    (
        Way::Symbolic,
        "symbolic",
        0.65,
        "games of several roles, if asked for: what each role is sure of, by sets of states as decision diagrams",
    ),
    (
        Way::DepthFirst,
        "depth-first",
        0.8,
        "games of roles in turn: what each role is sure of, by a table of positions",
    ),
    (
        Way::AlphaBeta,
        "alpha-beta",
        1.0,
        "games of several roles: bounds of what each role is sure of, deeper and deeper",
    ),
];

/// What was asked for.
pub(crate) struct Question<'a> {
    pub(crate) name: &'a str,
    /// The ways that may be tried, by their names; all if there are none.
    pub(crate) methods: &'a [String],
    pub(crate) begin: Instant,
    pub(crate) until: Duration,
    pub(crate) bytes: usize,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
    pub(crate) symmetry: bool,
    pub(crate) json: bool,
    pub(crate) play: bool,
}

#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) game: String,
    /// `parts`, `state graph`, `symbolic`, `depth-first` or `alpha-beta`.
    pub(super) method: &'static str,
    pub(super) seconds: f64,
    /// Whether the values are what the roles can be sure of and no less than that.
    pub(super) proven: bool,
    /// Who is sure of 100.
    pub(super) winner: Option<String>,
    pub(super) values: Vec<Value>,
    /// What can be done at the beginning, by roles that have a choice.
    pub(super) moves: Vec<Move>,
    /// Joint moves when everybody plays at best.
    pub(super) line: Vec<Vec<String>>,
    pub(super) graph: Option<Graph>,
    /// The sets of states, by decision diagrams.
    pub(super) symbolic: Option<Sets>,
    /// What it took depth first.
    pub(super) work: Option<DepthFirstWork>,
    /// Why other ways did not do.
    pub(super) refused: Option<String>,
}

#[derive(Serialize)]
pub(super) struct DepthFirstWork {
    pub(super) positions: u64,
    /// Symmetries of the rules that are made use of, the identity included.
    pub(super) symmetries: u64,
    /// Of the table.
    pub(super) megabytes: usize,
}

#[derive(Serialize)]
pub(super) struct Sets {
    /// None if they are more than 2^128.
    pub(super) states: Option<u128>,
    pub(super) ends: Option<u128>,
    /// Joint moves that are legal somewhere.
    pub(super) joint_moves: usize,
    pub(super) depth: usize,
    /// Whether play may come back to a state.
    pub(super) comes_back: bool,
    /// Whether several roles have a choice at once somewhere.
    pub(super) at_once: bool,
    /// Of the diagram of all states.
    pub(super) nodes: usize,
    /// Of all diagrams, at the most.
    pub(super) most_nodes: usize,
}

#[derive(Serialize)]
pub(super) struct Graph {
    states: usize,
    ends: usize,
    joint_moves: usize,
    depth: u32,
    /// Whether play may come back to a state.
    comes_back: bool,
    /// Symmetries of the rules that are made use of, the identity included: images of a state count as one.
    symmetries: u64,
    megabytes: usize,
}

#[derive(Serialize)]
pub(super) struct Value {
    pub(super) role: String,
    /// What it is sure of, whatever all others do.
    pub(super) least: f64,
    /// More than this it is not sure of.
    pub(super) most: f64,
    /// Joint moves until it has what it is sure of.
    pub(super) steps: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Move {
    role: String,
    #[serde(rename = "move")]
    text: String,
    value: f64,
    /// Joint moves until the role has that; none if it is nothing, or not known.
    steps: Option<f64>,
    /// How often it is made, from 0 to 1.
    share: f64,
}

impl Question<'_> {
    /// Solves a game of several roles.
    pub(crate) fn answer(&self, batch: &Arc<BatchMachine>, output: &mut Output) -> anyhow::Result<ExitCode> {
        if let Some(name) = self.methods.iter().find(|name| !WAYS.iter().any(|way| way.1 == **name)) {
            anyhow::bail!("`{name}` is no method for games of several roles; `--method list` shows them");
        }
        let is_asked = |way: &Way, name: &str| match self.methods {
            [] => way.is_usual(),
            methods => methods.iter().any(|method| *method == name),
        };
        let ways = WAYS
            .iter()
            .filter(|(way, name, ..)| is_asked(way, name) && (way.answers_positions() || !self.play));
        let mut refused: Option<String> = None;
        let mut ways = ways.peekable();
        while let Some(&(way, name, share, _)) = ways.next() {
            // The rest of the time is for what comes after, where this turns out not to do.
            let until = if ways.peek().is_none() { self.until } else { self.until.mul_f64(share) };
            let error = match way {
                Way::Parts => {
                    match self.by_parts(batch, until)? {
                        Ok(answer) => return self.tell(answer, output),
                        // Most games have one part: nothing to be told.
                        Err(_) if ways.peek().is_some() => {}
                        Err(why) => anyhow::bail!(
                            "{} is not solved part by part: {why}; without `--method parts` it is looked at as a whole",
                            self.name
                        ),
                    }
                    continue;
                }
                Way::Graph => match self.graph(batch, until) {
                    Ok(solution) if self.play => return self.step_through(batch, &solution, output),
                    Ok(solution) => return self.tell(self.by_graph(batch, &solution)?, output),
                    Err(error) => error,
                },
                #[cfg(feature = "bdd")]
                Way::Symbolic => match self.symbolic(batch, until) {
                    Ok(Ok(solved)) if self.play => return self.step_through(batch, &solved, output),
                    Ok(Ok(solved)) => return self.tell(self.by_symbolic(batch, &solved)?, output),
                    Ok(Err(error)) => error,
                    Err(interrupted) => return Ok(interrupted.told()),
                },
                Way::DepthFirst if self.play => match self.inquire(batch, refused.as_deref(), output) {
                    Ok(done) => return done,
                    Err(error) => error,
                },
                Way::DepthFirst => match self.by_depth_first(batch, until, refused.clone()) {
                    Ok(answer) => return self.tell(answer, output),
                    Err(error) => error,
                },
                Way::AlphaBeta => return self.tell(self.by_looking_ahead(batch, refused)?, output),
            };
            match error {
                SolverError::Fault(fault) => return Err(faulty(&**batch)(fault)),
                SolverError::HiddenInformation => return Err(error.into()),
                _ if ways.peek().is_none() => return Err(error.into()),
                _ => {
                    let before = refused.map_or_else(String::new, |text| format!("{text}; "));
                    refused = Some(format!("{before}{name}: {error}"));
                }
            }
        }
        anyhow::bail!(
            "`--play` asks what positions are worth: let the method `graph`, `depth-first` or `symbolic` work"
        )
    }

    fn graph(&self, batch: &BatchMachine, until: Duration) -> Result<Solution, SolverError> {
        let is_over = || self.begin.elapsed() >= until;
        let limits = Limits { bytes: self.bytes, is_over: &is_over };
        StateGraph::explore(batch, self.reduction(), &limits).and_then(|graph| Solution::new(graph, &limits))
    }

    fn tell(&self, answer: Answer, output: &mut Output) -> anyhow::Result<ExitCode> {
        if self.json {
            output.json(&answer)?;
        } else {
            answer.tell(output)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn by_graph(&self, batch: &BatchMachine, solution: &Solution) -> anyhow::Result<Answer> {
        let graph = solution.graph();
        let known = Graph {
            states: graph.len(),
            ends: graph.over(),
            joint_moves: graph.moves(),
            depth: graph.depth(),
            comes_back: solution.comes_back(),
            symmetries: graph.symmetries(),
            megabytes: graph.bytes() / 1_000_000,
        };
        Ok(Answer { graph: Some(known), ..self.by_states(batch, solution, "state graph")? })
    }

    /// What is told of a game of which every state is solved.
    pub(super) fn by_states(
        &self,
        batch: &BatchMachine,
        solved: &dyn Solved,
        method: &'static str,
    ) -> anyhow::Result<Answer> {
        let look = solved.look(batch, &batch.initial())?;
        let worths = look.as_ref().map_or(&[][..], |look| &look.worths);
        let value = |role: RoleId| {
            let worth = worths.get(usize::from(role.0)).copied().unwrap_or_default();
            let (value, steps) = (f64::from(worth.value), Some(f64::from(worth.steps)));
            Value {
                role: role_name(batch, role),
                least: value,
                most: value,
                steps: steps.filter(|_| value > 0.0 && solved.knows_steps()),
            }
        };
        let values: Vec<Value> = players(batch).into_iter().map(value).collect();
        let line = solved.line(batch, &batch.initial(), &mut Dice::new(self.seed))?;
        Ok(Answer {
            game: self.name.to_owned(),
            method,
            seconds: self.begin.elapsed().as_secs_f64(),
            proven: true,
            winner: winner(&values),
            values,
            moves: look.map_or_else(Vec::new, |look| moves(batch, &look, solved.knows_steps())),
            line: line.iter().map(|step| joint_texts(batch, &step.joint)).collect(),
            graph: None,
            symbolic: None,
            work: None,
            refused: None,
        })
    }

    /// Where not all states can be kept, alpha-beta proves what it can.
    fn by_looking_ahead(&self, batch: &Arc<BatchMachine>, refused: Option<String>) -> anyhow::Result<Answer> {
        let clock = || self.begin.elapsed();
        let players = players(batch);
        let left = self.until.saturating_sub(clock()).max(Duration::from_secs(1));
        let (mut values, mut line) = (Vec::new(), Vec::new());
        for (number, &role) in (1..).zip(&players) {
            let mut options = alphabeta::Options::default();
            options.threads = self.threads;
            options.bytes = self.bytes / 2;
            let judge: Judge<CircuitState> = Judge::Ready(Arc::new(alphabeta::evaluators::Even));
            let mut search = Search::new(batch, batch.initial(), role, judge, options, self.seed);
            let until = self.until.max(clock() + Duration::from_secs(1)) - left;
            let until = until + left * number / players.len() as u32;
            search.run(&Budget::until(&clock, until))?;
            let Proven { least, most } = search.proven();
            let role = role_name(batch, role);
            values.push(Value { role, least: least.0.into(), most: most.0.into(), steps: None });
            if let Some(advice) = search.advice()?.filter(|_| line.is_empty() && least == most) {
                line = advice.line.iter().map(|joint| joint_texts(batch, joint)).collect();
            }
        }
        Ok(Answer {
            game: self.name.to_owned(),
            method: "alpha-beta",
            seconds: self.begin.elapsed().as_secs_f64(),
            proven: values.iter().all(|value| value.least == value.most),
            winner: winner(&values),
            values,
            moves: Vec::new(),
            line,
            graph: None,
            symbolic: None,
            work: None,
            refused,
        })
    }
}

impl Answer {
    fn tell(&self, output: &mut Output) -> anyhow::Result<()> {
        if let Some(refused) = &self.refused {
            writeln!(output, "by {}, as others did not do: {refused}", self.method)?;
        }
        if let Some(graph) = &self.graph {
            let again = if graph.comes_back { ", play may come back to a state" } else { "" };
            let (states, ends, moves) = (graph.states as u64, graph.ends as u64, graph.joint_moves as u64);
            writeln!(
                output,
                "{} states, {} of them final, {} joint moves{again}; symmetries: {}; {:.1} s, {} MB",
                grouped(states),
                grouped(ends),
                grouped(moves),
                graph.symmetries,
                self.seconds,
                graph.megabytes
            )?;
        }
        #[cfg(feature = "bdd")]
        if let Some(sets) = &self.symbolic {
            sets.tell(self.seconds, output)?;
        }
        if let Some(DepthFirstWork { positions, symmetries, megabytes }) = self.work {
            let (positions, seconds) = (grouped(positions), self.seconds);
            writeln!(
                output,
                "{positions} positions looked into, symmetries: {symmetries}; {seconds:.1} s, a table of {megabytes} MB"
            )?;
        }
        let number = |value: f64| format!("{}", (value * 100.0).round() / 100.0);
        let mut table = Table::new(&["role", ">sure of", ">in moves"]);
        for value in &self.values {
            let sure = if value.least == value.most {
                number(value.least)
            } else {
                format!("{} to {}", number(value.least), number(value.most))
            };
            table.row([value.role.clone(), sure, value.steps.map_or_else(String::new, number)]);
        }
        table.write(output)?;
        let verdict = match &self.winner {
            Some(role) => format!("{role} wins"),
            None if self.symbolic.as_ref().is_some_and(|sets| sets.at_once) && !self.proven => {
                "not settled without mixing moves, as roles move at once; `--method graph` mixes them"
                    .to_owned()
            }
            None if !self.proven => "not settled; allow more with --seconds or --memory".to_owned(),
            None => "nobody wins by force".to_owned(),
        };
        let verdict = output.bold(&verdict);
        writeln!(output, "{verdict}")?;
        if self.moves.len() > 1 {
            writeln!(output)?;
            self::table(&self.moves).write(output)?;
        }
        writeln!(output)?;
        for (step, joint) in self.line.iter().enumerate() {
            writeln!(output, "{:>4}  {}", step + 1, joint.join("  "))?;
        }
        Ok(())
    }
}

pub(super) fn table(moves: &[Move]) -> Table {
    let number = |value: f64| format!("{}", (value * 100.0).round() / 100.0);
    let mut table = Table::new(&["role", "move", ">sure of", ">in moves", ">share"]);
    for row in moves {
        let share = if row.share > 0.0 { number(row.share) } else { String::new() };
        let steps = row.steps.map_or_else(String::new, number);
        table.row([row.role.clone(), row.text.clone(), number(row.value), steps, share]);
    }
    table
}

/// Who is sure of everything.
pub(super) fn winner(values: &[Value]) -> Option<String> {
    values.iter().find(|value| value.least >= 100.0).map(|value| value.role.clone())
}

pub(super) fn role_name(batch: &BatchMachine, role: RoleId) -> String {
    batch.roles().get(usize::from(role.0)).cloned().unwrap_or_default()
}

/// The roles that are not chance.
pub(super) fn players(batch: &BatchMachine) -> Vec<RoleId> {
    batch.role_ids().filter(|&role| batch.chance() != Some(role)).collect()
}

pub(super) fn joint_texts(batch: &BatchMachine, joint: &[MoveId]) -> Vec<String> {
    joint.iter().map(|&id| batch.move_text(id)).collect()
}

/// What roles with a choice can do in a state, and what it is worth.
pub(super) fn moves(batch: &BatchMachine, look: &Look, knows_steps: bool) -> Vec<Move> {
    let mut moves = Vec::new();
    for role in players(batch) {
        if look.legal.get(usize::from(role.0)).is_none_or(|legal| legal.len() < 2) {
            continue;
        }
        let candidates = look.candidates(role);
        moves.extend(candidates.into_iter().map(|candidate| {
            Move {
                role: role_name(batch, role),
                text: batch.move_text(candidate.id),
                value: candidate.worth.value.into(),
                steps: Some(f64::from(candidate.worth.steps) + 1.0)
                    .filter(|_| candidate.worth.value > 0.0 && knows_steps),
                share: candidate.share,
            }
        }));
    }
    moves
}
