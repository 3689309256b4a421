//! Goals as formulas against goals as the reference derives them.

use std::sync::Arc;

use eval::formula::Formulas;
use game::{Describe, Dice, Expansion, GoalReading, Simulator};
use ground::Budget;
use machine::{Limits, Visitor, Wanted};

/// The states that are asked about, and what formulas say of them.
struct Compare<'a> {
    formulas: &'a Formulas,
    /// States as facts; random games are looked at as well.
    states: &'a [Vec<String>],
    games: usize,
}

impl Compare<'_> {
    fn of_state<G: Simulator + Describe>(&self, game: &G, state: &G::State, goals: &mut Vec<GoalReading>) {
        let mut workspace = game.workspace();
        game.goals(&mut workspace, state, goals).expect("no fault");
        let facts = game.facts(state);
        let holds = self.formulas.holding(|fact| facts.iter().any(|own| own == fact));
        for (role, goal) in goals.iter().enumerate() {
            let reached = self.formulas.goals[role].iter().filter(|(_, part)| holds[*part as usize]);
            let reached: Vec<u8> = reached.map(|(value, _)| *value).collect();
            let ends = (reached.first().copied(), reached.last().copied());
            let expected = match goal {
                GoalReading::None => (None, None),
                GoalReading::One(value) => (Some(value.0), Some(value.0)),
                GoalReading::Several { highest, lowest } => (Some(lowest.0), Some(highest.0)),
            };
            assert_eq!(ends, expected, "role {role} in {facts:?}");
        }
        let mut expansion = Expansion::new();
        game.expand(&mut workspace, state, &mut expansion).expect("no fault");
        assert_eq!(holds[self.formulas.terminal as usize], expansion.is_terminal(), "{facts:?}");
    }
}

impl Visitor<'_> for Compare<'_> {
    type Answer = ();
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) {
        let mut goals = Vec::new();
        for facts in self.states {
            let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
            self.of_state(&**game, &game.state_of(&facts).expect("a state"), &mut goals);
        }
        let (mut workspace, mut dice, mut expansion) = (game.workspace(), Dice::new(4), Expansion::new());
        for _ in 0..self.games {
            let mut state = game.initial();
            loop {
                self.of_state(&**game, &state, &mut goals);
                game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
                if expansion.is_terminal() {
                    break;
                }
                let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
                state = game.apply(&mut workspace, &state, &joint).expect("no fault");
            }
        }
    }
}

fn compare(name: &str, states: &[Vec<String>], games: usize) {
    let text = bundled::find(name).expect("bundled").rules;
    let rules = gdl::normal::read(text);
    let formulas =
        Formulas::new(&rules, 100_000, &Budget::unlimited()).expect("no fault").expect("few parts");
    let machine = machine::from_rules(&rules, Wanted::Reference, &Limits::generous()).expect("small");
    machine.visit(Compare { formulas: &formulas, states, games });
}

#[test]
fn chains_across_a_board_are_seen_in_all_rows() {
    let mut states = vec![vec!["(control red)".to_owned()]];
    for line in 1..=7 {
        let chain = |gap: usize| -> [Vec<String>; 2] {
            let cells = || (1..=7).filter(move |&place| place != gap);
            let control = "(control red)".to_owned();
            let red = cells().map(|place| format!("(cell {place} {line} red)"));
            let blue = cells().map(|place| format!("(cell {line} {place} blue)"));
            [red.chain([control.clone()]).collect(), blue.chain([control]).collect()]
        };
        // Whole, and with one stone missing.
        states.extend(chain(0));
        states.extend(chain(line));
    }
    compare("hex", &states, 6);
}

#[test]
fn formulas_are_the_goals_of_the_reference() {
    for name in [
        "tic-tac-toe",
        "breakthrough-5x5",
        "connect-four-small",
        "pentago",
        "dots-and-boxes",
        "lines-of-action",
    ] {
        compare(name, &[], 2);
    }
}
