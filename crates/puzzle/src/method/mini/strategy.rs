//! How playouts choose their moves.

use game::{Dice, Expansion, Goal, MoveId};
use machine::circuit::GoalTree;
use rustc_hash::FxHashMap;

use super::scores::Scores;
use super::symbols::Symbols;
use crate::facts::Facts;
use crate::lanes::PLAYER;

/// How a playout chooses its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Any move.
    Random,
    /// The move to the state that differs most from the last ones.
    Exploration {
        /// How many of the last states it is compared with.
        depth: usize,
        /// Whether facts that are lost count as well as those that are new.
        both_ways: bool,
    },
    /// The move after which there are the most moves.
    Mobility,
    /// The move with the best average score, wherever it was made.
    History,
    /// The move after which the highest goal holds furthest (approximate goal evaluation).
    Goal,
    /// The move to the state whose symbols went along with high scores (statistical symbols
    /// counting); any move until enough was seen.
    Symbols,
    /// The move after which the score is highest, where the rules keep one.
    Score,
}

/// How often a playout does as its strategy says; otherwise it makes any move. The paper tunes this
/// for each strategy within 0.7 and 0.95 and does not tell the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obedience {
    /// Of explorations.
    pub exploration: f64,
    /// Of mobility.
    pub mobility: f64,
    /// Of history.
    pub history: f64,
    /// Of goal evaluation.
    pub goal: f64,
    /// Of symbols counting.
    pub symbols: f64,
    /// Of scores.
    pub score: f64,
}

impl Default for Obedience {
    fn default() -> Self {
        Self { exploration: 0.9, mobility: 0.8, history: 0.8, goal: 0.8, symbols: 0.8, score: 0.8 }
    }
}

impl Obedience {
    /// That of a strategy.
    pub fn of(&self, strategy: Strategy) -> f64 {
        match strategy {
            Strategy::Random => 0.0,
            Strategy::Exploration { .. } => self.exploration,
            Strategy::Mobility => self.mobility,
            Strategy::History => self.history,
            Strategy::Goal => self.goal,
            Strategy::Symbols => self.symbols,
            Strategy::Score => self.score,
        }
    }
}

impl Strategy {
    /// The paper's choice: six explorations and chance.
    pub fn dedicated() -> Vec<Self> {
        Self::explorations(&[4, 6, 8])
    }

    /// Chance, and explorations of some depths, both ways and one way.
    pub fn explorations(depths: &[usize]) -> Vec<Self> {
        let pair = |&depth: &usize| [false, true].map(|both_ways| Self::Exploration { depth, both_ways });
        depths.iter().flat_map(pair).chain([Self::Random]).collect()
    }

    /// All strategies there are.
    pub fn all() -> Vec<Self> {
        let mut all = Self::dedicated();
        all.extend([Self::Goal, Self::History, Self::Mobility, Self::Symbols, Self::Score]);
        all
    }

    /// Those of the player for games of any number of roles, with one exploration.
    pub fn seven() -> Vec<Self> {
        let exploration = Self::Exploration { depth: 4, both_ways: true };
        let others = [Self::Goal, Self::Symbols, Self::Mobility, Self::History, Self::Score];
        [Self::Random, exploration].into_iter().chain(others).collect()
    }

    /// The name that a plan's finder goes by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random playouts",
            Self::Exploration { .. } => "exploring playouts",
            Self::Mobility => "mobile playouts",
            Self::History => "playouts by history",
            Self::Goal => "playouts by goal evaluation",
            Self::Symbols => "playouts by symbols",
            Self::Score => "playouts by score",
        }
    }

    /// Chooses among legal moves in the last of some states; among equals any.
    pub(super) fn choose<G: Facts>(
        self,
        game: &G,
        workspace: &mut G::Workspace,
        states: &[G::State],
        legal: &[MoveId],
        knowledge: &mut Knowledge,
        dice: &mut Dice,
    ) -> Option<MoveId> {
        let now = states.last()?;
        let mut best = ((f64::NEG_INFINITY, f64::NEG_INFINITY), None);
        let mut ties = 0;
        for &id in legal {
            let worth = match self {
                Self::Random => return Some(legal[dice.below(legal.len())]),
                Self::History => (knowledge.mean(id), 0.0),
                _ => {
                    let next = game.apply(workspace, now, &[id]).ok()?;
                    self.judge(game, workspace, states, &next, knowledge)?
                }
            };
            if worth > best.0 {
                best = (worth, Some(id));
                ties = 1;
            } else if worth == best.0 {
                ties += 1;
                if dice.below(ties) == 0 {
                    best.1 = Some(id);
                }
            }
        }
        best.1
    }

    /// What a next state is worth, and what decides among those that are worth the same.
    fn judge<G: Facts>(
        self,
        game: &G,
        workspace: &mut G::Workspace,
        states: &[G::State],
        next: &G::State,
        knowledge: &mut Knowledge,
    ) -> Option<(f64, f64)> {
        let worth = match self {
            Self::Random | Self::History => 0.0,
            Self::Mobility => {
                let mut expansion = Expansion::new();
                game.expand(workspace, next, &mut expansion).ok()?;
                expansion.legal(PLAYER).len() as f64
            }
            Self::Exploration { depth, both_ways } => {
                let recent = &states[states.len().saturating_sub(depth)..];
                f64::from(least_difference(game, next, recent, both_ways))
            }
            Self::Score => {
                game.numbers(next, &mut knowledge.facts);
                knowledge.scores.as_ref().map_or(0.0, |scores| scores.of(&knowledge.facts))
            }
            Self::Goal => {
                game.numbers(next, &mut knowledge.facts);
                let is_true = |fact| knowledge.facts.binary_search(&fact).is_ok();
                return Some(knowledge.goals.as_ref().map_or((0.0, 0.0), |goals| goals.degree(is_true)));
            }
            Self::Symbols => {
                game.numbers(next, &mut knowledge.facts);
                knowledge.symbols.as_ref().map_or(0.0, |symbols| symbols.worth(&knowledge.facts))
            }
        };
        Some((worth, 0.0))
    }
}

/// How much a state differs from the most similar of some others: equations (2) and (3).
fn least_difference<G: Facts>(game: &G, next: &G::State, recent: &[G::State], both_ways: bool) -> u32 {
    let difference = |state: &G::State| {
        let (gained, lost) = game.differences(next, state);
        gained + if both_ways { lost } else { 0 }
    };
    recent.iter().map(difference).min().unwrap_or(0)
}

/// What strategies know beside the states.
#[derive(Debug, Default)]
pub(super) struct Knowledge {
    /// The scores of playouts by the moves made in them: how many, and their sum.
    history: FxHashMap<MoveId, (f64, f64)>,
    goals: Option<GoalTree>,
    scores: Option<Scores>,
    symbols: Option<Symbols>,
    /// Scratch.
    facts: Vec<u32>,
}

impl Knowledge {
    /// What some strategies need to know.
    pub(super) fn new<G: Facts>(game: &G, strategies: &[Strategy]) -> Self {
        let circuit = game.gates();
        let wanted = |strategy| circuit.filter(|_| strategies.contains(&strategy));
        Self {
            goals: wanted(Strategy::Goal).and_then(|circuit| GoalTree::new(circuit, 0)),
            scores: wanted(Strategy::Score).and_then(Scores::new),
            symbols: wanted(Strategy::Symbols).map(Symbols::new),
            ..Self::default()
        }
    }

    /// Whether a strategy has something to go by: without a circuit nothing is known of goals, scores and
    /// symbols, and not all rules keep a score.
    pub(super) fn supports(&self, strategy: Strategy) -> bool {
        match strategy {
            Strategy::Goal => self.goals.is_some(),
            Strategy::Score => self.scores.is_some(),
            Strategy::Symbols => self.symbols.is_some(),
            Strategy::Random | Strategy::Exploration { .. } | Strategy::Mobility | Strategy::History => true,
        }
    }

    /// Learns from a simulation.
    pub(super) fn learn<G: Facts>(&mut self, game: &G, line: &[MoveId], states: &[G::State], score: Goal) {
        let score = f64::from(score.0);
        for &id in line {
            let entry = self.history.entry(id).or_default();
            entry.0 += 1.0;
            entry.1 += score;
        }
        if let Some(symbols) = &mut self.symbols {
            let mut times: FxHashMap<u32, u32> = FxHashMap::default();
            for state in states {
                game.numbers(state, &mut self.facts);
                self.facts.iter().for_each(|&fact| *times.entry(fact).or_default() += 1);
            }
            symbols.learn(&times, states.len(), score);
        }
    }

    /// Of the simulations in which a move was made, their number and the sum of their scores.
    pub(super) fn past(&self, id: MoveId) -> (f64, f64) {
        self.history.get(&id).copied().unwrap_or_default()
    }

    fn mean(&self, id: MoveId) -> f64 {
        let (count, sum) = self.past(id);
        sum / count.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use game::Game;
    use machine::circuit::{CircuitMachine, CircuitState};

    use super::*;

    /// Switches to be turned on and off; pulling turns on all that are off and back.
    const SWITCHES: &str = "(role you) (switch a) (switch b) (switch c) (init (on a)) (init (on b))
        (<= (legal you (flip ?s)) (switch ?s)) (legal you pull) (legal you wait)
        (<= (next (on ?s)) (does you (flip ?s)) (not (true (on ?s))))
        (<= (next (on ?s)) (true (on ?s)) (not (does you (flip ?s))) (not (does you pull)))
        (<= (next (on ?s)) (does you pull) (switch ?s) (not (true (on ?s))))
        (<= (goal you 100) (true (on c))) (<= (goal you 0) (not (true (on c))))
        (<= terminal (true (on a)) (true (on b)) (true (on c)))";

    fn machine() -> Arc<CircuitMachine> {
        machine_of(SWITCHES)
    }

    fn machine_of(rules: &str) -> Arc<CircuitMachine> {
        let rules = gdl::normal::read(rules);
        let budget = ground::Budget::unlimited();
        let build = machine::build::circuit(&rules, circuit::Effort::Quick, &budget).expect("a circuit");
        Arc::new(CircuitMachine::new(build.circuit))
    }

    /// The state in which some switches are on.
    fn state(machine: &CircuitMachine, on: &str) -> CircuitState {
        let is_on = |base: &String| on.chars().any(|switch| *base == format!("(on {switch})"));
        CircuitState::from_bits(machine.circuit().bases.iter().map(is_on).collect::<Vec<_>>().into_iter())
    }

    #[test]
    fn differences_are_those_of_the_equations() {
        let machine = machine();
        let of = |on: &str| state(&machine, on);
        let least = |next: &str, recent: &[&str], both_ways| {
            let recent: Vec<CircuitState> = recent.iter().map(|on| of(on)).collect();
            least_difference(&*machine, &of(next), &recent, both_ways)
        };
        // Equation (2): c is new, a and b are lost; with delta 0 only what is new counts.
        assert_eq!(least("c", &["ab"], false), 1);
        assert_eq!(least("c", &["ab"], true), 3);
        // Equation (3): the least over the last states: 3 to the first, 1 to the second, 2 to the third.
        assert_eq!(least("c", &["ab", "bc", "abc"], true), 1);
        assert_eq!(least("c", &["ab", "abc"], true), 2);
    }

    #[test]
    fn the_move_to_the_least_similar_state_is_chosen() {
        let machine = machine();
        let mut workspace = machine.workspace();
        let mut expansion = Expansion::new();
        let states = [state(&machine, "c"), state(&machine, "bc"), state(&machine, "ab")];
        machine.expand(&mut workspace, &states[2], &mut expansion).expect("moves");
        let legal = expansion.legal(PLAYER);
        let chosen = |depth: usize, both_ways: bool| {
            let strategy = Strategy::Exploration { depth, both_ways };
            let knowledge = &mut Knowledge::default();
            let mut found: Vec<String> = (1..30)
                .filter_map(|seed| {
                    let mut dice = Dice::new(seed);
                    strategy.choose(&*machine, &mut machine.workspace(), &states, legal, knowledge, &mut dice)
                })
                .map(|id| game::Describe::move_text(&*machine, id))
                .collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        // Equation (4) from ab: flip a -> b, flip b -> a, flip c -> abc, pull -> c, wait -> ab.
        // Against ab alone: 1, 1, 1, 3, 0.
        assert_eq!(chosen(1, true), ["pull"]);
        // Against ab, bc and c: b 1 (ab or bc), a 1 (ab), abc 1, c 0, ab 0.
        assert_eq!(chosen(3, true), ["(flip a)", "(flip b)", "(flip c)"]);
        // Only what is new: against ab and bc: b 0, a 0, abc 1, c 0, ab 0.
        assert_eq!(chosen(2, false), ["(flip c)"]);
    }

    /// Which of the legal moves in the initial state a strategy may choose.
    fn choices(machine: &CircuitMachine, strategy: Strategy, knowledge: &mut Knowledge) -> Vec<String> {
        let mut workspace = machine.workspace();
        let mut expansion = Expansion::new();
        let states = [machine.initial()];
        machine.expand(&mut workspace, &states[0], &mut expansion).expect("moves");
        let legal = expansion.legal(PLAYER);
        let mut found: Vec<String> = (1..30)
            .filter_map(|seed| {
                strategy.choose(machine, &mut workspace, &states, legal, knowledge, &mut Dice::new(seed))
            })
            .map(|id| game::Describe::move_text(machine, id))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Two rooms lead on by one door, one by two.
    const ROOMS: &str =
        "(role you) (init (at start)) (door start hall) (door start cellar) (door start attic)
        (door hall start) (door hall garden) (door cellar start) (door attic start) (door garden start)
        (<= (legal you (go ?to)) (true (at ?from)) (door ?from ?to)) (<= (next (at ?to)) (does you (go ?to)))
        (<= (goal you 100) (true (at garden))) (<= (goal you 0) (not (true (at garden))))
        (<= terminal (true (at garden)))";

    #[test]
    fn mobility_goes_where_most_moves_are() {
        let machine = machine_of(ROOMS);
        let knowledge = &mut Knowledge::default();
        assert_eq!(
            choices(&machine, Strategy::Mobility, knowledge),
            ["(go hall)"],
            "two moves against one and one"
        );
    }

    #[test]
    fn history_takes_the_best_average_of_all_simulations() {
        let machine = machine_of(ROOMS);
        let mut workspace = machine.workspace();
        let mut expansion = Expansion::new();
        machine.expand(&mut workspace, &machine.initial(), &mut expansion).expect("moves");
        let legal = expansion.legal(PLAYER).to_vec();
        let to = |room: &str| {
            let text = format!("(go {room})");
            *legal.iter().find(|&&id| game::Describe::move_text(&*machine, id) == text).expect("a move")
        };
        let mut knowledge = Knowledge::default();
        knowledge.learn(&*machine, &[to("hall")], &[], Goal(100));
        knowledge.learn(&*machine, &[to("hall"), to("cellar")], &[], Goal(20));
        knowledge.learn(&*machine, &[to("attic")], &[], Goal(50));
        // 60 for the hall, 20 for the cellar, 50 for the attic.
        assert_eq!(knowledge.past(to("hall")), (2.0, 120.0));
        assert_eq!(choices(&machine, Strategy::History, &mut knowledge), ["(go hall)"]);
        knowledge.learn(&*machine, &[to("hall")], &[], Goal(30));
        // 150 / 3 = 50: as much as the attic, so either.
        assert_eq!(choices(&machine, Strategy::History, &mut knowledge), ["(go attic)", "(go hall)"]);
    }

    #[test]
    fn what_is_not_known_is_no_strategy() {
        let machine = machine();
        let knowledge = Knowledge::new(&*machine, &Strategy::all());
        assert!(knowledge.supports(Strategy::Goal) && knowledge.supports(Strategy::Symbols));
        assert!(!knowledge.supports(Strategy::Score), "these rules keep no score");
    }
}
