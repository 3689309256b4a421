//! Other parameters in the middle of a match.

use game::Simulator;
use parking_lot::{Mutex, RwLock};

use super::guided::Guidance;
use super::joint::JointTables;
use super::policy;
use super::rave::RaveTables;
use super::search::{Search, outlook};
use super::select::Chooser;
use super::solving::LocalSolver;
use super::tactics;
use crate::{Objective, Parameters, Rave, Selection};

/// What the tree itself depends on.
fn ground(parameters: &Parameters) -> impl PartialEq + use<> {
    let Parameters {
        transpositions,
        alike,
        backup,
        prove,
        discount,
        objective,
        threads,
        parallel,
        td,
        implicit,
        ..
    } = *parameters;
    let keeps = parameters.selection == Selection::Tuned;
    ((transpositions, alike, backup, prove, discount, objective), (threads, parallel, td, implicit, keeps))
}

impl<G: Simulator> Search<G> {
    /// Goes on with other parameters: in the tree there is, if that holds what they need, else in a new one.
    /// Whether the tree was kept. What a policy has learnt is kept if it is the same policy.
    pub fn retune(&mut self, mut parameters: Parameters) -> bool {
        // What is proven is said of a role's own goal.
        parameters.prove &= parameters.objective == Objective::Own;
        if ground(&parameters) != ground(&self.parameters) {
            let (game, state, seed) = (self.game.clone(), self.state(), self.seed());
            let players: Vec<_> =
                self.workers.iter_mut().filter_map(|worker| worker.get_mut().take_leaf_player()).collect();
            *self = Search::new(game, state, parameters, seed);
            self.add_leaf_players(players);
            return false;
        }
        let trees = self.trees.len();
        if parameters.policy != self.parameters.policy {
            self.policies = (0..trees).map(|_| Mutex::new(parameters.policy.make())).collect();
        }
        let chance = self.chance;
        let rave = || (0..trees).filter_map(|_| RaveTables::new(&parameters, chance));
        self.rave = rave().map(RwLock::new).collect();
        if parameters.simultaneous != self.parameters.simultaneous {
            let joint = (0..trees).filter_map(|_| JointTables::new(&parameters, chance));
            self.joint = joint.map(RwLock::new).collect();
        }
        let advised = self.guidance.take().map(|guidance| guidance.evaluator);
        self.guidance = advised.and_then(|evaluator| Guidance::new(evaluator, &parameters, trees));
        if parameters.solver != self.parameters.solver {
            self.solver = LocalSolver::new(&*self.game, &parameters).map(Mutex::new);
        }
        let game = &*self.game;
        (self.decisive, self.captures) = tactics::narrowing(game, &parameters);
        self.outlook = outlook(game, &parameters);
        self.lanes = policy::lanes(game, &mut *parameters.policy.make(), parameters.rave != Rave::Off);
        self.chooser = Chooser::new(&parameters);
        self.parameters = parameters;
        true
    }
}
