//! Goals that can no longer be reached: what is told at once is never wrong, and proofs need less.

use std::sync::Arc;

use game::{Describe, Dice, Expansion, Game, MoveId, Prospect, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use machine::{Limits as MachineLimits, Target, Wanted};
use solver::{DepthFirst, Limits, Reduction, Solution, StateGraph};

const WIDE: Limits<'static> = Limits { bytes: 1 << 30, is_over: &|| false };

fn machine(rules: &str) -> Arc<BatchMachine> {
    let made = machine::from_text(rules, Wanted::Batch(Target::detect()), &MachineLimits::generous());
    Arc::clone(made.expect("small").lanes().expect("a circuit in lanes"))
}

fn bundled(name: &str) -> Arc<BatchMachine> {
    machine(bundled::find(name).expect("there").rules)
}

/// The states of a random game, and what the roles get in the end.
fn random_game(batch: &BatchMachine, dice: &mut Dice) -> (Vec<CircuitState>, Vec<u8>) {
    let (mut workspace, mut expansion, mut goals) = (batch.workspace(), Expansion::new(), Vec::new());
    let mut states = vec![batch.initial()];
    loop {
        let state = states[states.len() - 1].clone();
        batch.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        if expansion.is_terminal() {
            batch.goals(&mut workspace, &state, &mut goals).expect("no fault");
            return (states, goals.iter().map(|goal| goal.value().0).collect());
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        states.push(batch.apply(&mut workspace, &state, &joint).expect("legal"));
    }
}

fn prospects(batch: &BatchMachine, states: &[CircuitState]) -> Vec<Prospect> {
    let states: Vec<&CircuitState> = states.iter().collect();
    let mut out = Vec::new();
    batch.outlook().expect("a circuit can tell").prospects(&states, &mut out);
    out
}

/// How many states of random games there are, and of how many something is ruled out before the end.
fn follow(name: &str, batch: &BatchMachine, games: usize) -> (usize, usize) {
    let (mut dice, roles) = (Dice::new(3), batch.role_count());
    let (mut all, mut bounded) = (0, 0);
    for _ in 0..games {
        let (states, goals) = random_game(batch, &mut dice);
        let told = prospects(batch, &states);
        let last = states.len() - 1;
        for (place, (state, told)) in states.iter().zip(told.chunks(roles)).enumerate() {
            for (told, &goal) in told.iter().zip(&goals) {
                let holds = (told.lower..=told.upper).contains(&goal);
                assert!(holds, "{name}: {told:?}, but {goal} was reached from {:?}", batch.facts(state));
            }
            let news = |(told, first): (&Prospect, &Prospect)| told != first;
            let first = prospects(batch, &states[..1]);
            bounded += usize::from(place < last && told.iter().zip(&first).any(news));
        }
        all += last;
    }
    (all, bounded)
}

#[test]
fn what_is_ruled_out_is_never_reached() {
    // Of so many in a hundred states of random games at least something is ruled out before the end.
    for (name, least) in [
        ("tic-tac-toe", 5),
        ("tic-tac-toe-misere", 5),
        ("three-player-tic-tac-toe", 2),
        ("connect-four-small", 1),
        ("dots-and-boxes", 0),
        ("goofspiel", 0),
        ("breakthrough-5x5", 0),
        ("clobber", 0),
        ("pawn-duel", 0),
        ("racetrack", 0),
        ("peg-solitaire", 0),
        ("pursuit", 0),
    ] {
        let batch = bundled(name);
        let (all, bounded) = follow(name, &batch, 20);
        println!("{name}: of {bounded} of {all} states something is ruled out");
        assert!(100 * bounded >= least * all, "{name}: {bounded} of {all}");
    }
}

/// Cells that are taken stay taken, and a line that has both marks is nobody's.
#[test]
fn a_board_without_open_lines_is_a_draw() {
    let batch = bundled("tic-tac-toe");
    let told = |rows: [&str; 3]| -> Vec<(u8, u8)> {
        let piece = |mark: char| if mark == '.' { "empty".to_owned() } else { mark.to_string() };
        let row = |(row, y): (&str, usize)| -> Vec<String> {
            row.chars().zip(1..).map(|(mark, x)| format!("(cell {x} {y} {})", piece(mark))).collect()
        };
        let mut facts: Vec<String> = rows.into_iter().zip(1..).flat_map(row).collect();
        facts.push("(control x)".to_owned());
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let state = batch.state_of(&facts).expect("the board of the rules");
        prospects(&batch, &[state]).iter().map(|told| (told.lower, told.upper)).collect()
    };
    assert_eq!(told(["...", "...", "..."]), [(0, 100); 2]);
    assert_eq!(told(["xox", "xoo", "ox."]), [(50, 50); 2]);
    // Only crosses have lines without a nought; only noughts have lines without a cross.
    let most = |rows| told(rows).iter().map(|&(_, upper)| upper).collect::<Vec<u8>>();
    assert_eq!(most(["xox", "xo.", "ox."]), [100, 50]);
    assert_eq!(most(["oxo", "xo.", "xo."]), [50, 100]);
}

#[test]
fn values_lie_between_the_bounds() {
    for name in ["tic-tac-toe", "tic-tac-toe-misere", "nim", "chomp", "goofspiel", "pursuit", "wythoff"] {
        let batch = bundled(name);
        let graph = StateGraph::explore(&batch, Reduction::default(), &WIDE).expect("small");
        let solution = Solution::new(graph, &WIDE).expect("in time");
        let (mut dice, mut compared) = (Dice::new(9), 0);
        while compared < 100 {
            let (states, _) = random_game(&batch, &mut dice);
            let told = prospects(&batch, &states);
            for (state, told) in states.iter().zip(told.chunks(batch.role_count())) {
                let met = solution.graph().find(state).expect("met");
                for (role, told) in (0..).map(RoleId).zip(told) {
                    let value = solution.worth(met, role).value;
                    let lower = if solution.comes_back() { 0 } else { told.lower };
                    let holds = f32::from(lower) <= value && value <= f32::from(told.upper);
                    assert!(holds || batch.chance() == Some(role), "{name}: {value} is not within {told:?}");
                }
                compared += 1;
            }
        }
    }
}

#[test]
fn proofs_say_the_same_and_look_into_fewer_positions() {
    let mut positions = [0, 0];
    for name in ["tic-tac-toe", "tic-tac-toe-misere", "connect-four-small"] {
        let batch = bundled(name);
        for role in [RoleId(0), RoleId(1)] {
            let limits = Limits { bytes: 1 << 26, ..WIDE };
            let new = || DepthFirst::new(batch.machine(), role, Reduction::ALL, limits).expect("in turn");
            let (mut plain, mut told) = (new(), new().with_outlook());
            let [one, two] = [&mut plain, &mut told]
                .map(|search| search.solve(&batch.initial(), &|| false).expect("in time"));
            println!(
                "{name}: {} and {} positions, {} foreseen",
                one.positions,
                two.positions,
                told.foreseen()
            );
            assert_eq!(one.value, two.value, "{name}");
            assert!(told.foreseen() > 0 && plain.foreseen() == 0, "{name}: {one:?} {two:?}");
            positions = [positions[0] + one.positions, positions[1] + two.positions];
        }
    }
    assert!(positions[1] < positions[0], "{positions:?}");
}
