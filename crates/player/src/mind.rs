//! A way of thinking on one machine, whatever the machine.

use std::sync::Arc;

use game::{Dice, Expansion, Game, MoveId, RoleId, RuleFault, Simulator};
use search::mcts::{Search, Totals};
use search::{Budget, Stop};

use crate::agent::{AgentSpec, Method, Planner};
use crate::machines::{Clock, MachineKind, Offer};
use crate::plan_mind::PlanMind;
use crate::report::{Decision, Thought};

/// What a brain asks of a mind.
pub(crate) trait Mind: Send {
    /// Thinks about the present position.
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault>;
    /// What it would play for a role; `None` if the game is over.
    fn decide(&mut self, role: usize) -> Result<Option<Decision>, RuleFault>;
    /// Follows a joint move; `false` if a move is not known.
    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault>;
    /// Begins to count simulations anew.
    fn begin_turn(&mut self);
    /// What it runs on.
    fn machine(&self) -> MachineKind;
}

/// A mind on a machine, in the position after some joint moves.
pub(crate) fn make(
    offer: &Offer,
    agent: &AgentSpec,
    history: &[Vec<String>],
    seed: u64,
    clock: &Clock,
) -> Result<Box<dyn Mind>, RuleFault> {
    let planner = agent.agent().planner;
    if planner != Planner::None
        && let Some(lanes) = &offer.lanes
        && lanes.role_count() == 1
    {
        let threads = agent.parameters().threads as usize;
        let options = puzzle::Options { threads, seed, ..Default::default() };
        let symmetry = agent.parameters().symmetry;
        if let Some(mind) = PlanMind::new(lanes, history, (planner, symmetry), options, clock)? {
            return Ok(Box::new(mind));
        }
    }
    Arc::clone(&offer.machine).mind(offer.kind, agent, history, seed)
}

/// An agent's mind that does not plan.
pub(crate) fn on<G: Simulator + 'static>(
    game: Arc<G>,
    kind: MachineKind,
    agent: &AgentSpec,
    history: &[Vec<String>],
    seed: u64,
) -> Result<Box<dyn Mind>, RuleFault> {
    let mut workspace = game.workspace();
    let state = replay(&*game, &mut workspace, history)?;
    Ok(match agent.agent().method {
        Method::Tree => {
            let search = Search::new(game, state, agent.parameters().clone(), seed);
            Box::new(TreeMind { search, kind, before: Totals::default() })
        }
        method => Box::new(PlainMind { game, workspace, state, kind, method, dice: Dice::new(seed) }),
    })
}

/// A mind that only knows what is legal.
pub(crate) fn plain<G: Game + 'static>(
    game: Arc<G>,
    kind: MachineKind,
    history: &[Vec<String>],
) -> Result<Box<dyn Mind>, RuleFault> {
    let mut workspace = game.workspace();
    let state = replay(&*game, &mut workspace, history)?;
    let (method, dice) = (Method::Legal, Dice::new(0));
    Ok(Box::new(PlainMind { game, workspace, state, kind, method, dice }))
}

/// The position after some joint moves.
fn replay<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    history: &[Vec<String>],
) -> Result<G::State, RuleFault> {
    let mut state = game.initial();
    for joint in history {
        // Moves that the machine does not know were refused when they came.
        if let Some(joint) = find(game, joint) {
            state = game.apply(workspace, &state, &joint)?;
        }
    }
    Ok(state)
}

/// The moves of a joint move by their texts, if all are known.
pub(crate) fn find<G: Game>(game: &G, joint: &[String]) -> Option<Vec<MoveId>> {
    joint.iter().enumerate().map(|(role, text)| game.find_move(RoleId(role as u16), text)).collect()
}

struct TreeMind<G: Simulator> {
    search: Search<G>,
    kind: MachineKind,
    before: Totals,
}

impl<G: Simulator> Mind for TreeMind<G> {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.search.run(budget)
    }

    fn decide(&mut self, role: usize) -> Result<Option<Decision>, RuleFault> {
        // Without a simulation the moves are not listed yet.
        self.search.run(&Budget::simulations(0))?;
        let Some(advice) = self.search.advice(RoleId(role as u16)) else { return Ok(None) };
        let game = self.search.game();
        let (now, before) = (self.search.totals(), self.before);
        let simulations = now.simulations - before.simulations;
        let thought = |candidate: &search::mcts::Candidate| Thought {
            text: game.move_text(candidate.id),
            value: candidate.value,
            visits: candidate.visits,
            proven: (candidate.bounds.lower, candidate.bounds.upper),
        };
        let best = advice.best();
        // Where all is lost, or all is one, no move is the best.
        let is_known = advice.is_proven() || advice.bounds.iter().all(|bounds| bounds.is_exact());
        Ok(Some(Decision {
            text: game.move_text(best.id),
            spelling: game.move_spelling(best.id),
            value: Some(if best.visits > 0 { best.value } else { advice.values[role] }),
            proven: advice.is_proven(),
            unthought: simulations == 0 && advice.candidates.len() > 1 && !is_known,
            simulations,
            playouts: now.playouts - before.playouts,
            steps: now.steps - before.steps,
            nodes: advice.nodes,
            bytes: advice.bytes,
            depth: advice.depth,
            recycled: now.recycled - before.recycled,
            longest_pause: now.longest_pause,
            line: advice
                .line
                .iter()
                .map(|joint| joint.iter().map(|&id| game.move_text(id)).collect())
                .collect(),
            moves: advice.candidates.iter().map(thought).collect(),
            machine: self.kind,
            elapsed: Default::default(),
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find(&**self.search.game(), joint) else { return Ok(false) };
        self.search.advance(&joint)?;
        Ok(true)
    }

    fn begin_turn(&mut self) {
        self.before = self.search.totals();
        self.search.forget_pauses();
    }

    fn machine(&self) -> MachineKind {
        self.kind
    }
}

/// Plays without thinking.
struct PlainMind<G: Game> {
    game: Arc<G>,
    workspace: G::Workspace,
    state: G::State,
    kind: MachineKind,
    method: Method,
    dice: Dice,
}

impl<G: Game> Mind for PlainMind<G> {
    fn think(&mut self, _: &Budget<'_>) -> Result<Stop, RuleFault> {
        Ok(Stop::Proven)
    }

    fn decide(&mut self, role: usize) -> Result<Option<Decision>, RuleFault> {
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, &self.state, &mut expansion)?;
        let legal = expansion.legal(RoleId(role as u16));
        if expansion.is_terminal() {
            return Ok(None);
        }
        if legal.is_empty() {
            return Err(RuleFault::NoLegalMove(RoleId(role as u16)));
        }
        let unthought = legal.len() > 1;
        let id = if self.method == Method::Random { legal[self.dice.below(legal.len())] } else { legal[0] };
        Ok(Some(Decision {
            text: self.game.move_text(id),
            spelling: self.game.move_spelling(id),
            value: None,
            proven: false,
            unthought,
            simulations: 0,
            playouts: 0,
            steps: 0,
            nodes: 0,
            bytes: 0,
            depth: 0,
            recycled: 0,
            longest_pause: Default::default(),
            line: Vec::new(),
            moves: Vec::new(),
            machine: self.kind,
            elapsed: Default::default(),
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find(&*self.game, joint) else { return Ok(false) };
        self.state = self.game.apply(&mut self.workspace, &self.state, &joint)?;
        Ok(true)
    }

    fn begin_turn(&mut self) {}

    fn machine(&self) -> MachineKind {
        self.kind
    }
}
