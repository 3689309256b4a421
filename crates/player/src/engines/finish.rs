//! The end of games with moves at once, played by an equilibrium; the rest as somebody else plays it.

use std::sync::Arc;

use engine::{Budget, Decision, Engine, Event, Stop, Typed, find_moves};
use game::{Describe, Dice, Expansion, RoleId, RuleFault, Simulator};
use hidden::Endgame;
use machine::MachineKind;

/// How large what is left of a game may be.
pub(super) static ENDGAME: Typed<u32> = Typed::<u32>::whole(
    "endgame",
    0,
    0,
    10_000_000,
    "Zinkevich et al. 2007",
    "nodes of what is left of a game with moves at once up to which it is played by an equilibrium; 0 never",
);

/// An engine, and who takes over from it.
pub(super) struct Finish<G: Simulator + Describe> {
    inner: Box<dyn Engine>,
    game: Arc<G>,
    workspace: G::Workspace,
    state: G::State,
    endgame: Endgame<G>,
    dice: Dice,
    /// Where in a mixture of moves this turn's is, 0 to 1.
    lot: f64,
    /// Calls to think in this turn.
    calls: u64,
}

impl<G: Simulator + Describe + 'static> Finish<G> {
    pub(super) fn new(
        inner: Box<dyn Engine>,
        game: &Arc<G>,
        state: G::State,
        most_nodes: usize,
        seed: u64,
    ) -> Result<Self, RuleFault> {
        let mut dice = Dice::stream(seed, 11);
        let mut endgame = Endgame::new(Arc::clone(game), most_nodes);
        endgame.begin(state.clone())?;
        let (game, lot) = (Arc::clone(game), dice.unit());
        Ok(Self { inner, workspace: game.workspace(), game, state, endgame, dice, lot, calls: 0 })
    }
}

impl<G: Simulator + Describe + 'static> Engine for Finish<G> {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.calls += 1;
        // By turns, as long as it is not clear whether what is left is small enough: a move is needed in any case.
        let looks = budget.until.is_none() || !self.calls.is_multiple_of(2) || !self.endgame.is_open();
        if looks && let Some(stop) = self.endgame.think(budget)? {
            return Ok(stop);
        }
        self.inner.think(budget)
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        let inner = self.inner.decide(role)?;
        let Some(mixture) = self.endgame.mixture(role) else { return Ok(inner) };
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, &self.state, &mut expansion)?;
        let mut rest = self.lot;
        let drawn = mixture.moves.iter().find(|(_, share)| {
            rest -= share;
            rest < 0.0
        });
        let likeliest = || mixture.moves.iter().max_by(|one, two| one.1.total_cmp(&two.1));
        let chosen = drawn.or_else(likeliest).map(|(id, _)| *id);
        let (Some(inner), Some(id)) = (inner, chosen.filter(|id| expansion.legal(role).contains(id))) else {
            return Ok(None);
        };
        let (text, spelling) = (self.game.move_text(id), self.game.move_spelling(id));
        let value = Some(100.0 * mixture.value);
        Ok(Some(Decision { text, spelling, value, unthought: false, ..inner }))
    }

    fn advance(&mut self, told: &[String]) -> Result<bool, RuleFault> {
        if !self.inner.advance(told)? {
            return Ok(false);
        }
        let Some(joint) = find_moves(&*self.game, told) else { return Ok(false) };
        self.state = self.game.apply(&mut self.workspace, &self.state, &joint)?;
        self.endgame.begin(self.state.clone())?;
        Ok(true)
    }

    fn begin_turn(&mut self) {
        self.lot = self.dice.unit();
        self.calls = 0;
        self.inner.begin_turn();
    }

    fn events(&mut self) -> Vec<Event> {
        self.inner.events()
    }

    fn machine(&self) -> MachineKind {
        self.inner.machine()
    }
}
