//! The engine.

use std::sync::Arc;

use engine::{
    Budget, Decision, Demand, Engine, EngineRow, Event, MEMORY, MakeError, Seat, Stop, Thought, find_moves,
    replay,
};
use game::{Describe, Game, RoleId, RuleFault};
use machine::MachineKind;
use machine::circuit::CircuitMachine;

use crate::{Forest, Halves};

/// Its name.
pub const NAME: &str = "parts";

/// A tree for each part; games without parts are played by `instead`.
pub fn row(instead: &'static str) -> EngineRow {
    EngineRow {
        name: NAME,
        help: "a tree for each part of a game whose parts do not interact and are played in parallel",
        source: "after Cox, Schkufza, Madsen and Genesereth 2009; Günther, Schiffel and Thielscher 2009",
        revision: 1,
        parameters: vec![MEMORY.row()],
        demands: vec![Demand::NoChance, Demand::Lanes],
        fallback: Some(instead),
        make: Arc::new(|seat| Ok(Box::new(Player::new(seat)?))),
    }
}

struct Player {
    whole: Arc<CircuitMachine>,
    forest: Forest,
    /// Simulations, playouts and steps before this turn.
    before: [u64; 3],
}

impl Player {
    fn new(seat: &Seat<'_>) -> Result<Self, MakeError> {
        let refused = |why: &str| MakeError::Refused(why.to_owned());
        let batch = seat.machine.lanes().ok_or_else(|| refused("it thinks on circuits in lanes only"))?;
        let whole = Arc::clone(batch.machine());
        let halves = Halves::new(&whole).map_err(refused)?;
        let state = replay(&*whole, &mut whole.workspace(), seat.history)?;
        let bytes = (seat.settings.of(&MEMORY) as usize) << 20;
        let step = seat.history.len() as u32;
        let forest = Forest::new(Arc::new(halves), state, step, bytes, seat.seed);
        Ok(Self { whole, forest, before: [0; 3] })
    }
}

impl Engine for Player {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.forest.run(budget)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        let choices = self.forest.choices(role)?;
        let Some(best) = choices.first().copied() else { return Ok(None) };
        let now = self.forest.totals();
        let [simulations, playouts, steps] = [0, 1, 2].map(|place| now[place] - self.before[place]);
        let (nodes, bytes) = self.forest.size();
        let thought = |choice: &crate::Choice| Thought {
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
            depth: self.forest.depth(),
            moves: choices.iter().map(thought).collect(),
            ..Decision::plain(text, spelling, NAME, self.machine())
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find_moves(&*self.whole, joint) else { return Ok(false) };
        self.forest.advance(&joint)?;
        Ok(true)
    }

    fn begin_turn(&mut self) {
        self.before = self.forest.totals();
    }

    fn events(&mut self) -> Vec<Event> {
        Vec::new()
    }

    fn machine(&self) -> MachineKind {
        MachineKind::Batch
    }
}
