//! The engines of this crate, a row each. They go by what their role is told, in games that hide something and in
//! games that do not.

mod mind;
mod solver;

use std::sync::Arc;

use engine::{Budget, Decision, Engine, EngineRow, Event, MEMORY, Seat, Stop, Typed};
use game::{Describe, RoleId, RuleFault, Simulator};
use machine::{Machine, MachineKind, Visitor};

use crate::Belief;
use mind::Mind;

/// Positions that are held for possible.
pub static PARTICLES: Typed<u32> =
    Typed::<u32>::whole("particles", 2000, 1, 1_000_000, "ours", "positions that are held for possible");

/// How much seldom tried moves are preferred.
pub static CURIOSITY: Typed<f64> = Typed::<f64>::real(
    "curiosity",
    0.7,
    0.0,
    100.0,
    "Cowling et al. 2012",
    "how much moves are preferred that were tried seldom, goals being 0 to 1",
);

/// How large a game may be to be solved.
pub static SOLVED_NODES: Typed<u32> = Typed::<u32>::whole(
    "solved_nodes",
    300_000,
    0,
    100_000_000,
    "ours",
    "nodes of the whole tree up to which a game is solved by information sets",
);

/// How a role goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Solved where that can be; where not, moves are valued by players within simulations in short games with moves at once,
    /// and searched by information sets in others.
    Best,
    /// Played by an equilibrium where there is one to be had, searched by information sets otherwise.
    Equilibrium,
    /// Searched by information sets.
    InformationSets,
    /// Searched as if everybody saw everything.
    Determinised,
    /// Moves valued by players within simulations.
    Nested,
    /// Learnt from samples of the game, weighed by regret.
    Sampled,
    /// Any legal move.
    Any,
    /// The first legal move.
    First,
}

/// What an engine does and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) manner: Manner,
    pub(crate) particles: usize,
    pub(crate) curiosity: f64,
    pub(crate) solved_nodes: usize,
    pub(crate) search_nodes: usize,
    pub(crate) seed: u64,
}

/// About what a node of the search takes, with its moves and views.
const NODE_BYTES: usize = 512;

/// The name of the engine that plays where an agent's own goes by joint moves.
pub const DEFAULT: &str = "hidden";

/// All rows.
pub fn rows() -> Vec<EngineRow> {
    let row = |name, manner, help, source| EngineRow {
        name,
        help,
        source,
        revision: 4,
        parameters: vec![PARTICLES.row(), CURIOSITY.row(), SOLVED_NODES.row(), MEMORY.row()],
        demands: Vec::new(),
        fallback: None,
        make: Arc::new(move |seat| Ok(on(seat, name, manner))),
    };
    vec![
        row(
            DEFAULT,
            Manner::Best,
            "hidden information: small games solved, short ones by players within simulations, others searched by what roles know",
            "ours",
        ),
        row(
            "equilibrium",
            Manner::Equilibrium,
            "counterfactual regret minimisation over the whole of a small game",
            "Zinkevich et al. 2007; Tammelin 2014",
        ),
        row(
            "information-sets",
            Manner::InformationSets,
            "tree search by what roles know, over positions that agree with all that was told",
            "Cowling, Powley and Whitehouse 2012",
        ),
        row(
            "determinised",
            Manner::Determinised,
            "tree search over positions that agree with all that was told, each as if everybody saw it",
            "Schofield, Cerexhe and Thielscher 2012",
        ),
        row(
            "nested",
            Manner::Nested,
            "moves valued by simulations in which the role goes on by what it will know then",
            "Schofield and Thielscher 2015",
        ),
        row(
            "outcome-sampling",
            Manner::Sampled,
            "counterfactual regret minimisation by samples, from positions that agree with all that was told",
            "Lanctot et al. 2009",
        ),
    ]
}

/// The names of all engines that go by what they are told.
pub const NAMES: &[&str] =
    &[DEFAULT, "equilibrium", "information-sets", "determinised", "nested", "outcome-sampling"];

/// An engine that goes by what its role is told.
pub fn on(seat: &Seat<'_>, name: &'static str, manner: Manner) -> Box<dyn Engine> {
    let settings = seat.settings;
    let plan = Plan {
        name,
        manner,
        particles: settings.of(&PARTICLES) as usize,
        curiosity: settings.of(&CURIOSITY),
        solved_nodes: settings.of(&SOLVED_NODES) as usize,
        search_nodes: ((settings.of(&MEMORY) as usize) << 20) / NODE_BYTES,
        seed: seat.seed,
    };
    begin(seat.machine, seat.history, plan)
}

/// An engine that knows what is legal by what its role is told, and no more.
pub fn plain(
    machine: &Machine,
    history: &[Vec<String>],
    name: &'static str,
    manner: Manner,
    seed: u64,
) -> Box<dyn Engine> {
    let plan = Plan { name, manner, particles: 64, curiosity: 0.0, solved_nodes: 0, search_nodes: 0, seed };
    begin(machine, history, plan)
}

fn begin(machine: &Machine, history: &[Vec<String>], plan: Plan) -> Box<dyn Engine> {
    struct Begin<'a>(&'a Machine, &'a [Vec<String>], Plan);
    impl Visitor<'_> for Begin<'_> {
        type Answer = Box<dyn Engine>;
        fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Box<dyn Engine> {
            let Begin(machine, history, plan) = self;
            let (game, machine) = (Arc::clone(game), machine.clone());
            Box::new(Hidden { game, machine, plan, history: history.to_vec(), mind: None })
        }
    }
    machine.visit_fast(Begin(machine, history, plan))
}

/// An engine of this crate. Whose part it takes it learns when it is first asked for a move.
struct Hidden<G: Simulator + Describe> {
    game: Arc<G>,
    machine: Machine,
    plan: Plan,
    /// What was told of each step.
    history: Vec<Vec<String>>,
    mind: Option<Mind<G>>,
}

impl<G: Simulator + Describe> Hidden<G> {
    /// What a role knows at the beginning.
    fn belief(&self, role: RoleId) -> Belief<G> {
        let Plan { particles, seed, manner, .. } = self.plan;
        let belief = Belief::new(Arc::clone(&self.game), role, particles, seed).suited_to(&self.machine);
        // To know what is legal one position is enough.
        if matches!(manner, Manner::Any | Manner::First) { belief.in_haste() } else { belief }
    }

    fn mind(&mut self, role: RoleId) -> Result<&mut Mind<G>, RuleFault> {
        let mind = match self.mind.take().filter(|mind| mind.role() == role) {
            Some(mind) => mind,
            None => {
                let belief = self.belief(role);
                let mut mind = Mind::new(belief, self.plan);
                for told in &self.history {
                    mind.advance(told)?;
                }
                mind
            }
        };
        Ok(self.mind.insert(mind))
    }
}

impl<G: Simulator + Describe> Engine for Hidden<G> {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        match &mut self.mind {
            Some(mind) => mind.think(budget),
            None => Ok(Stop::Proven),
        }
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        let (kind, name) = (self.machine.kind(), self.plan.name);
        self.mind(role)?.decide(name, kind)
    }

    fn advance(&mut self, told: &[String]) -> Result<bool, RuleFault> {
        self.history.push(told.to_vec());
        match &mut self.mind {
            Some(mind) => mind.advance(told),
            None => Ok(true),
        }
    }

    fn begin_turn(&mut self) {
        if let Some(mind) = &mut self.mind {
            mind.begin_turn();
        }
    }

    fn events(&mut self) -> Vec<Event> {
        let name = self.plan.name;
        let said = self.mind.as_mut().map(Mind::said).unwrap_or_default();
        said.into_iter().map(|text| Event::Said { engine: name, text }).collect()
    }

    fn machine(&self) -> MachineKind {
        self.machine.kind()
    }
}
