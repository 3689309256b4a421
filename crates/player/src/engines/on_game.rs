//! From a machine of no particular type to the types that are known: an engine that has to be fast is made
//! for each of them.

use std::sync::Arc;

use engine::Machine;
use game::Simulator;
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use machine::reference::Reference;

/// Something that is done with a game of any type.
pub trait OnGame {
    /// What comes of it.
    type Output;
    /// Does it.
    fn on<G: Simulator + 'static>(self, game: Arc<G>) -> Self::Output;
}

/// Does something with a machine: by its own type if that is known, else by one that stands for all.
pub fn on_game<Work: OnGame>(machine: &Machine, work: Work) -> Work::Output {
    if let Some(game) = machine.game::<BatchMachine>() {
        work.on(game)
    } else if let Some(game) = machine.game::<CircuitMachine>() {
        work.on(game)
    } else if let Some(game) = machine.game::<Reference>() {
        work.on(game)
    } else {
        work.on(Arc::clone(machine.erased()))
    }
}
