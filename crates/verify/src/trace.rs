//! Recorded playouts of an independent reasoner, and playing them back.
//!
//! A trace holds, for every step, the SHA-1 of the sorted facts (and the facts themselves in the
//! first playout), terminality, the sorted legal moves of every role, the goals at the end and, in games
//! of GDL-II, what each role is told of the moves.

use std::collections::BTreeMap;

use game::{Describe, Expansion, MoveId, RoleId, RuleFault};
use serde::Deserialize;
use sha1::{Digest, Sha1};

use crate::walk::missing;

/// A recorded set of playouts of one game.
#[derive(Clone, Debug, Deserialize)]
pub struct Trace {
    /// The game's name.
    pub game: String,
    /// The roles in order.
    pub roles: Vec<String>,
    /// The playouts.
    pub playouts: Vec<RecordedPlayout>,
}

/// One playout of a trace.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedPlayout {
    /// Whether it reached the end; otherwise it was cut and its last step is partial.
    #[serde(default)]
    pub complete: bool,
    /// A fault of the game that the recorder met.
    #[serde(default)]
    pub error: Option<String>,
    /// The steps.
    pub steps: Vec<RecordedStep>,
}

/// One state of a playout.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedStep {
    /// The number of facts.
    pub facts: Option<usize>,
    /// SHA-1 of the sorted facts joined by newlines.
    pub state_sha1: Option<String>,
    /// The facts.
    pub state: Option<Vec<String>>,
    /// Whether the state is terminal.
    pub terminal: Option<bool>,
    /// Sorted legal moves by role.
    pub legal: Option<BTreeMap<String, Vec<String>>>,
    /// The joint move that was played, in role order.
    pub moves: Option<Vec<String>>,
    /// What each role is told of the joint move, sorted, in traces of GDL-II.
    pub sees: Option<BTreeMap<String, Vec<String>>>,
    /// Goal values by role, in a terminal state.
    pub goals: Option<BTreeMap<String, i64>>,
}

/// What a trace that agrees has covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraceReport {
    /// Playouts played back.
    pub playouts: usize,
    /// States compared.
    pub states: usize,
}

/// Where a machine and a trace part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("playout {playout}, step {step}: {what} differs\n  expected: {expected}\n  found:    {found}")]
pub struct TraceDifference {
    /// Which playout, from 0.
    pub playout: usize,
    /// Which step, from 0.
    pub step: usize,
    /// What differs.
    pub what: String,
    /// What the trace says.
    pub expected: String,
    /// What the machine says.
    pub found: String,
}

/// The SHA-1 of sorted facts, as traces have it.
pub fn state_sha1(facts: &[String]) -> String {
    let digest = Sha1::digest(facts.join("\n").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a trace from JSON.
pub fn parse_trace(json: &[u8]) -> Result<Trace, serde_json::Error> {
    serde_json::from_slice(json)
}

/// Plays a trace back on a machine and compares every answer with it.
/// `progress` is called after every step and stops the run by returning `false`.
pub fn play_back<G: Describe>(
    game: &G,
    trace: &Trace,
    mut progress: impl FnMut() -> bool,
) -> Result<TraceReport, Box<TraceDifference>> {
    let mut report = TraceReport::default();
    if game.roles() != trace.roles {
        return Err(Box::new(TraceDifference {
            playout: 0,
            step: 0,
            what: "list of roles".to_owned(),
            expected: trace.roles.join(" "),
            found: game.roles().join(" "),
        }));
    }
    let mut workspace = game.workspace();
    for (index, playout) in trace.playouts.iter().enumerate() {
        let mut state = game.initial();
        for (number, step) in playout.steps.iter().enumerate() {
            let place = Place { playout: index, step: number };
            report.states += 1;
            check_step(game, &mut workspace, &state, step, place)?;
            if !progress() {
                return Ok(report);
            }
            let Some(moves) = &step.moves else { break };
            let mut joint = Vec::with_capacity(moves.len());
            for (role, text) in game.role_ids().zip(moves) {
                let id = game.find_move(role, text);
                joint.push(id.ok_or_else(|| place.differ("known moves", text.clone(), "no such move"))?);
            }
            check_percepts(game, &mut workspace, &state, &joint, step, place)?;
            state = game.apply(&mut workspace, &state, &joint).map_err(|fault| place.fault(&fault))?;
        }
        report.playouts += 1;
    }
    Ok(report)
}

#[derive(Clone, Copy)]
struct Place {
    playout: usize,
    step: usize,
}

impl Place {
    fn differ(
        self,
        what: &str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Box<TraceDifference> {
        Box::new(TraceDifference {
            playout: self.playout,
            step: self.step,
            what: what.to_owned(),
            expected: expected.into(),
            found: found.into(),
        })
    }

    fn fault(self, fault: &RuleFault) -> Box<TraceDifference> {
        self.differ("evaluation", "an answer", fault.to_string())
    }
}

/// What a role is told of a joint move, as sorted texts.
pub(crate) fn percept_texts<G: Describe>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    joint: &[MoveId],
    role: RoleId,
) -> Result<Vec<String>, RuleFault> {
    let mut told = Vec::new();
    game.observe(workspace, state, joint, role, &mut told)?;
    let mut texts: Vec<String> = told.iter().map(|&id| game.percept_text(id)).collect();
    texts.sort_unstable();
    Ok(texts)
}

fn check_percepts<G: Describe>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    joint: &[MoveId],
    step: &RecordedStep,
    place: Place,
) -> Result<(), Box<TraceDifference>> {
    let Some(sees) = &step.sees else { return Ok(()) };
    for (role, name) in game.role_ids().zip(game.roles()) {
        let found =
            percept_texts(game, workspace, state, joint, role).map_err(|fault| place.fault(&fault))?;
        let empty = Vec::new();
        let expected = sees.get(name).unwrap_or(&empty);
        if *expected != found {
            let what = format!("list of percepts of {name}");
            return Err(place.differ(&what, missing(expected, &found), missing(&found, expected)));
        }
    }
    Ok(())
}

fn check_step<G: Describe>(
    game: &G,
    workspace: &mut G::Workspace,
    state: &G::State,
    step: &RecordedStep,
    place: Place,
) -> Result<(), Box<TraceDifference>> {
    let facts = game.facts(state);
    if let Some(expected) = &step.state
        && *expected != facts
    {
        return Err(place.differ("state", missing(expected, &facts), missing(&facts, expected)));
    }
    if let Some(expected) = step.facts
        && expected != facts.len()
    {
        let found = format!("{} facts: {}", facts.len(), facts.join(" "));
        return Err(place.differ("number of facts", format!("{expected} facts"), found));
    }
    if let Some(expected) = &step.state_sha1 {
        let found = state_sha1(&facts);
        if found != *expected {
            let found = format!("SHA-1 {found} of {}", facts.join(" "));
            return Err(place.differ("state", format!("SHA-1 {expected}"), found));
        }
    }
    let mut expansion = Expansion::new();
    game.expand(workspace, state, &mut expansion).map_err(|fault| place.fault(&fault))?;
    if let Some(expected) = step.terminal
        && expected != expansion.is_terminal()
    {
        return Err(place.differ("terminal", expected.to_string(), expansion.is_terminal().to_string()));
    }
    if let Some(legal) = &step.legal {
        for (index, role) in game.roles().iter().enumerate() {
            let ids = expansion.legal(RoleId(index as u16));
            let found: Vec<String> = ids.iter().map(|&id| game.move_text(id)).collect();
            let empty = Vec::new();
            let expected = legal.get(role).unwrap_or(&empty);
            if *expected != found {
                let what = format!("list of legal moves of {role}");
                return Err(place.differ(&what, missing(expected, &found), missing(&found, expected)));
            }
        }
    }
    if let Some(expected) = &step.goals {
        let mut goals = Vec::new();
        game.goals(workspace, state, &mut goals).map_err(|fault| place.fault(&fault))?;
        for (role, reading) in game.roles().iter().zip(&goals) {
            let found = i64::from(reading.value().0);
            if let Some(&value) = expected.get(role)
                && value != found
            {
                let what = format!("goal of {role}");
                return Err(place.differ(&what, value.to_string(), format!("{reading:?}")));
            }
        }
    }
    Ok(())
}
