//! What guides playouts and the choice among moves not tried yet: one file and one row each.
//!
//! A policy is put together from parts: what moves are worth and what that depends on, how one is drawn
//! ([`game::Policy`]), what is learnt from ([`Needs`]), and what it says inside the tree ([`Guide`]). It
//! learns from every batch and is asked before the next one. What a machine does not play in its lanes is
//! played one state at a time, so a new policy works on every machine.
//!
//! To add one, write a file with a type that implements [`Policy`] and a [`PolicyRow`], and list the row in
//! [`Policies::standard`]: docs/recipes/add-a-policy.md.

mod averages;
mod decay;
mod fast;
mod grams;
mod mast;
mod mini;
mod ngram;
mod past;
mod ppa;
mod replies;
mod symbols;
mod uniform;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use engine::{Parameter, Range, Settings, Value};
use game::{
    Context, ContextWorth, FactId, Goal, Lists, MoveId, MoveRecord, MoveWorth, PlayOptions, RoleId, Sampler,
    Simulator, Weights,
};

/// How a choice among moves not tried yet is made.
#[derive(Clone, Debug, Default)]
pub enum Guide {
    /// At random.
    #[default]
    None,
    /// By Gibbs sampling over the worth of moves.
    Gibbs {
        /// Of each move to its role.
        worth: GuideWorth,
        /// The higher, the more random.
        temperature: f32,
    },
}

/// What moves not tried yet are worth.
#[derive(Clone, Debug)]
pub enum GuideWorth {
    /// By role and move.
    ByMove(Arc<MoveWorth>),
    /// By so many joint moves before.
    AfterMoves(usize, Arc<dyn ContextWorth>),
}

impl Guide {
    /// How many joint moves before a choice it depends on.
    pub fn moves_before(&self) -> usize {
        match self {
            Guide::Gibbs { worth: GuideWorth::AfterMoves(moves, _), .. } => *moves,
            Guide::Gibbs { worth: GuideWorth::ByMove(_), .. } | Guide::None => 0,
        }
    }
}

/// How the playouts of a batch choose their moves.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// What moves are worth.
    pub weights: StyleWeights,
    /// How one is drawn.
    pub sampler: Sampler,
}

/// What moves are worth in the playouts of a batch.
#[derive(Clone, Debug, Default)]
pub enum StyleWeights {
    /// All the same.
    #[default]
    Equal,
    /// By role and move.
    ByMove(Arc<MoveWorth>),
    /// By what happened before, or by the state.
    InContext(Context, Arc<dyn ContextWorth>),
}

impl Style {
    /// As a machine takes it.
    pub fn as_policy(&self) -> game::Policy<'_> {
        let weights = match &self.weights {
            StyleWeights::Equal => Weights::Equal,
            StyleWeights::ByMove(worth) => Weights::ByMove(worth),
            StyleWeights::InContext(context, worth) => Weights::InContext(*context, &**worth),
        };
        game::Policy { weights, sampler: self.sampler }
    }
}

/// What a policy learns from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// How each move fared, whenever it was made.
    pub moves: bool,
    /// The moves of each simulation in order.
    pub sequences: bool,
    /// With them, what each role could choose from in each step.
    pub choices: bool,
    /// With them, the facts of the state before each step.
    pub facts: bool,
}

/// A simulation: the moves made in the tree and in the playout, and what came of them.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    /// The joint moves in order, one move a role.
    pub moves: &'a [MoveId],
    /// The goals reached, role by role; how many roles there are.
    pub goals: &'a [Goal],
    /// What each role could choose from, step after step, role after role, if that was asked for.
    pub choices: &'a Lists<MoveId>,
    /// The facts of the state before each step, if they were asked for.
    pub facts: &'a Lists<FactId>,
    /// How facts are written, if they were asked for.
    pub names: Option<&'a dyn FactNames>,
    /// How many of the joint moves were made in the tree.
    pub in_tree: usize,
}

impl<'a> Sequence<'a> {
    /// The joint moves in order.
    pub fn joints(&self) -> impl Iterator<Item = &'a [MoveId]> + use<'a> {
        self.moves.chunks(self.goals.len().max(1))
    }
}

/// A way of guiding playouts.
pub trait Policy: Send + fmt::Debug {
    /// What it has to be told.
    fn needs(&self) -> Needs;
    /// Learns how moves fared in playouts, if it needs moves.
    fn learn_playouts(&mut self, moves: &MoveRecord);
    /// Learns that a role made a move in the tree so many times, and the sum of its goals, each 0 to 100, if
    /// it needs moves.
    fn learn_move(&mut self, role: RoleId, id: MoveId, times: u32, goals: f64);
    /// Learns from a simulation, if it needs sequences.
    fn learn_sequence(&mut self, sequence: &Sequence<'_>);
    /// How the next batch chooses among moves not tried yet.
    fn guide(&mut self) -> Guide;
    /// How the next batch plays out. The parts are always the same; what moves are worth is not.
    fn style(&mut self) -> Style;
    /// A batch of so many simulations was learnt from.
    fn end_batch(&mut self, simulations: u64);
    /// A move of the match was made: older knowledge counts less.
    fn age(&mut self);
}

/// How the facts of a game are written.
pub trait FactNames: fmt::Debug {
    /// A fact as canonical text.
    fn text(&self, fact: FactId) -> String;
}

/// A policy that can be asked for.
#[derive(Clone, Copy)]
pub struct PolicyRow {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its parameters.
    pub parameters: fn() -> Vec<Parameter>,
    /// Who makes it, with the values of its parameters.
    pub make: fn(&Settings) -> Box<dyn Policy>,
}

impl fmt::Debug for PolicyRow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PolicyRow").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The parameter that names a policy.
const PARAMETER: &str = "policy";

/// Policies that can be asked for. The first one is used unless told otherwise.
#[derive(Clone, Debug)]
pub struct Policies {
    rows: Vec<PolicyRow>,
}

impl Policies {
    /// All policies there are.
    pub fn standard() -> Self {
        let rows = vec![
            uniform::ROW,
            mast::ROW,
            mast::GREEDY_ROW,
            mast::TREE_ONLY_ROW,
            ngram::ROW,
            ngram::GIBBS_ROW,
            replies::ROW,
            ppa::ROW,
            past::ROW,
            fast::ROW,
            mini::ROW,
        ];
        Self { rows }
    }

    /// The same with one more.
    pub fn with(mut self, row: PolicyRow) -> Self {
        self.rows.push(row);
        self
    }

    /// All of them.
    pub fn rows(&self) -> &[PolicyRow] {
        &self.rows
    }

    /// The policy with a name and the defaults of its parameters.
    pub fn choice(&self, name: &str) -> Option<PolicyChoice> {
        let row = self.rows.iter().find(|row| row.name == name)?;
        Some(PolicyChoice { row: *row, settings: Settings::new((row.parameters)()) })
    }

    /// The rows of all their parameters, after the one that names a policy.
    pub fn parameters(&self) -> Vec<Parameter> {
        let names: Vec<&'static str> = self.rows.iter().map(|row| row.name).collect();
        let mut parameters = vec![Parameter {
            name: PARAMETER,
            aliases: &[],
            help: "what guides playouts and the choice among moves not tried yet",
            source: "Finnsson and Björnsson 2008",
            default: Value::Word(names.first().copied().unwrap_or_default()),
            range: Range::Word(Cow::Owned(names)),
        }];
        for row in self.rows.iter().flat_map(|row| (row.parameters)()) {
            if parameters.iter().all(|known| known.name != row.name) {
                parameters.push(row);
            }
        }
        parameters
    }

    /// The policy that some settings name, with the values of its parameters.
    pub(crate) fn read(&self, settings: &Settings) -> PolicyChoice {
        let Some(Value::Word(name)) = settings.get(PARAMETER) else { return PolicyChoice::default() };
        let Some(mut choice) = self.choice(name) else { return PolicyChoice::default() };
        for row in (choice.row.parameters)() {
            if let Some(value) = settings.get(row.name) {
                // What could be set there can be set here: the rows are the same.
                let _ = choice.settings.preset(row.name, &value.to_string());
            }
        }
        choice
    }
}

/// A policy with the values of its parameters.
#[derive(Clone, Debug)]
pub struct PolicyChoice {
    row: PolicyRow,
    settings: Settings,
}

impl PolicyChoice {
    /// The policy.
    pub fn row(&self) -> &PolicyRow {
        &self.row
    }

    /// The policy, with nothing learnt yet.
    pub fn make(&self) -> Box<dyn Policy> {
        (self.row.make)(&self.settings)
    }
}

impl Default for PolicyChoice {
    fn default() -> Self {
        Self { row: uniform::ROW, settings: Settings::default() }
    }
}

impl PartialEq for PolicyChoice {
    fn eq(&self, other: &Self) -> bool {
        self.row.name == other.row.name && self.settings == other.settings
    }
}

/// How many playouts of a policy cost hardly more than one, maybe with a record of the moves of each.
pub(crate) fn lanes<G: Simulator>(game: &G, policy: &mut dyn Policy, record_made: bool) -> usize {
    let (style, needs) = (policy.style(), policy.needs());
    let options = PlayOptions {
        policy: style.as_policy(),
        record_moves: needs.moves || record_made,
        record_sequences: needs.sequences,
        record_choices: needs.choices,
        record_facts: needs.facts,
        record_made,
        ..PlayOptions::default()
    };
    if game.supports(&options) { game.lanes() } else { 1 }
}
