//! The engine.

use std::sync::Arc;

use engine::{
    Budget, Decision, Demand, Engine, EngineRow, Event, MEMORY, MakeError, Seat, Stop, THREADS, Thought,
    Typed, find_moves,
};
use game::{Describe, Game, RoleId, RuleFault};
use machine::MachineKind;
use machine::circuit::{CircuitMachine, CircuitState, CircuitWorkspace};

use crate::watch::Watch;
use crate::{Choice, Forest, Halves};

/// Its name.
pub const NAME: &str = "parts";

/// Whether parts are searched apart.
pub static PARTS: Typed<bool> = Typed::<bool>::flag(
    "parts",
    true,
    "ours: docs/results/structure.md",
    "whether a game whose parts do not interact has a tree for each of them",
);

/// A tree for each part; games without parts are played by `instead`.
pub fn row(instead: &'static str) -> EngineRow {
    EngineRow {
        name: NAME,
        help: "a tree for each part of a game whose parts do not interact and are played in parallel",
        source: "after Cox, Schkufza, Madsen and Genesereth 2009; Günther, Schiffel and Thielscher 2009",
        revision: 1,
        parameters: vec![PARTS.row(), MEMORY.row(), THREADS.row()],
        demands: vec![Demand::NoChance, Demand::Lanes],
        fallback: Some(instead),
        make: Arc::new(|seat| Ok(Box::new(Player::new(seat)?))),
    }
}

struct Player {
    whole: Arc<CircuitMachine>,
    halves: Arc<Halves>,
    watch: Watch,
    /// Where the match stands.
    state: CircuitState,
    workspace: CircuitWorkspace,
    /// Trees of all parts, once for each thread.
    forests: Vec<Forest>,
    /// Simulations, playouts and steps before this turn.
    before: [u64; 3],
}

impl Player {
    fn new(seat: &Seat<'_>) -> Result<Self, MakeError> {
        let refused = |why: &str| MakeError::Refused(why.to_owned());
        if !seat.settings.of(&PARTS) {
            return Err(refused("parts are not to be searched apart"));
        }
        let batch = seat.machine.lanes().ok_or_else(|| refused("it thinks on circuits in lanes only"))?;
        let whole = Arc::clone(batch.machine());
        let halves = Arc::new(Halves::new(&whole).map_err(refused)?);
        let mut workspace = whole.workspace();
        let (mut watch, mut state) = (Watch::new(&halves), whole.initial());
        for joint in seat.history {
            // Moves that the machine does not know were refused when they came.
            let Some(joint) = find_moves(&*whole, joint) else { continue };
            state = whole.apply(&mut workspace, &state, &joint)?;
            if !watch.agrees(&halves, &state)? {
                return Err(refused("a part of it goes on where it seemed to be over"));
            }
        }
        let threads = seat.settings.of(&THREADS).max(1);
        let bytes = ((seat.settings.of(&MEMORY) as usize) << 20) / threads as usize;
        let step = seat.history.len() as u32;
        let forest = |thread: u32| {
            let seed = seat.seed.wrapping_add(u64::from(thread) << 32);
            Forest::new(Arc::clone(&halves), state.clone(), step, bytes, seed)
        };
        let forests = (0..threads).map(forest).collect();
        Ok(Self { whole, halves, watch, state, workspace, forests, before: [0; 3] })
    }

    fn totals(&self) -> [u64; 3] {
        self.forests.iter().fold([0; 3], |sum, forest| {
            let own = forest.totals();
            [0, 1, 2].map(|place| sum[place] + own[place])
        })
    }

    /// What the trees of all threads think of the moves of a role, the best first.
    fn choices(&mut self, role: RoleId) -> Result<Vec<Choice>, RuleFault> {
        let mut all: Vec<Choice> = Vec::new();
        for forest in &mut self.forests {
            for choice in forest.choices(role)? {
                match all.iter_mut().find(|known| known.id == choice.id) {
                    Some(known) => known.join(&choice),
                    None => all.push(choice),
                }
            }
        }
        all.sort_by(|one, other| other.share.total_cmp(&one.share).then(one.id.0.cmp(&other.id.0)));
        Ok(all)
    }
}

impl Engine for Player {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        let [first, others @ ..] = &mut self.forests[..] else { return Ok(Stop::Proven) };
        if others.is_empty() {
            return first.run(budget);
        }
        let threads = others.len() as u64 + 1;
        let simulations = budget.simulations.map(|all| all.div_ceil(threads));
        let own = Budget { simulations, ..*budget };
        std::thread::scope(|scope| {
            // What cannot be started does not think.
            let started: Vec<_> = others
                .iter_mut()
                .filter_map(|forest| {
                    std::thread::Builder::new().spawn_scoped(scope, || forest.run(&own)).ok()
                })
                .collect();
            let mut stop = first.run(&own);
            for thread in started {
                match thread.join() {
                    Ok(Ok(_)) => {}
                    Ok(Err(fault)) => stop = Err(fault),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            stop
        })
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        let choices = self.choices(role)?;
        let Some(best) = choices.first().copied() else { return Ok(None) };
        let now = self.totals();
        let [simulations, playouts, steps] = [0, 1, 2].map(|place| now[place] - self.before[place]);
        let sizes = self.forests.iter().map(Forest::size);
        let (nodes, bytes) = sizes.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        let thought = |choice: &Choice| Thought {
            text: self.whole.move_text(choice.id),
            value: choice.value,
            visits: choice.visits,
            likelihood: None,
            proven: (0, 100),
        };
        let (text, spelling) = (self.whole.move_text(best.id), self.whole.move_spelling(best.id));
        Ok(Some(Decision {
            value: (best.visits > 0).then_some(best.value),
            unthought: best.visits == 0 && choices.len() > 1,
            simulations,
            playouts,
            steps,
            nodes,
            bytes,
            depth: self.forests.iter().map(Forest::depth).max().unwrap_or(0),
            moves: choices.iter().map(thought).collect(),
            ..Decision::plain(text, spelling, NAME, self.machine())
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find_moves(&*self.whole, joint) else { return Ok(false) };
        self.forests.iter_mut().try_for_each(|forest| forest.advance(&joint))?;
        self.state = self.whole.apply(&mut self.workspace, &self.state, &joint)?;
        // Where it does not, whoever is made for the rest of the match plays it with one tree.
        self.watch.agrees(&self.halves, &self.state)
    }

    fn begin_turn(&mut self) {
        self.before = self.totals();
    }

    fn events(&mut self) -> Vec<Event> {
        Vec::new()
    }

    fn machine(&self) -> MachineKind {
        MachineKind::Batch
    }
}
