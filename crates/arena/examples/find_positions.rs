//! Looks for positions that are hard to play right and writes them to `tests/known/positions`:
//!
//! ```text
//! cargo run --release -p arena --example find_positions -- GAME COUNT [SEED]
//! ```
//!
//! Games are played at random, some plies are taken back, and what remains is solved exactly. Kept
//! are positions with few right moves and a deep proof, most of all those in which random playouts
//! like a wrong move best, as in Figure 2 of Finnsson and Björnsson (2008).

// The modules are shared with a test, which uses other parts of them.
#[allow(dead_code)]
#[path = "../tests/known/position.rs"]
mod position;
#[allow(dead_code)]
#[path = "../tests/known/solver.rs"]
mod solver;

use std::collections::BTreeSet;
use std::io::Write;

use game::{Describe, Dice, Expansion, Game, MoveId};
use machine::circuit::CircuitMachine;
use position::{Position, PositionFile};
use solver::{Solution, Solver};
use verify::PlayoutLimits;

/// Positions the solver may look at for one answer: beyond that nobody wants to wait in a test.
const LIMIT: u64 = 100_000;
/// Positions it may look at altogether.
const ALL_LIMIT: u64 = 6_000_000;
/// Playouts that show what chance likes best.
const PLAYOUTS: u64 = 200;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let usage = "find_positions GAME COUNT [SEED]";
    let name = arguments.next().expect(usage);
    let count: usize = arguments.next().and_then(|text| text.parse().ok()).expect(usage);
    let seed: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let bundled = bundled::find(&name).expect("a bundled game");
    let machine = position::machine(&gdl::normal::read(bundled.rules));
    // Terms of deep searches need room.
    let search = move || find(&machine, count, seed);
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(search).expect("a thread");
    let mut positions = thread.join().expect("no panic");
    positions.sort_by_key(|position| position.moves.len());
    let traps = positions.iter().filter(|position| position.kind.ends_with("trap")).count();
    let _ = writeln!(std::io::stderr(), "{name}: {} positions, {traps} traps", positions.len());
    if positions.is_empty() {
        return;
    }
    let text = toml::to_string(&PositionFile { game: bundled.name.to_owned(), positions }).expect("TOML");
    let path = position::folder().join(format!("{}.toml", bundled.name));
    let command =
        format!("# cargo run --release -p arena --example find_positions -- {name} {count} {seed}\n\n");
    std::fs::write(path, command + &text).expect("the folder can be written");
}

fn find(machine: &CircuitMachine, count: usize, seed: u64) -> Vec<Position> {
    let mut found: Vec<Position> = Vec::new();
    let mut seen = BTreeSet::new();
    let goals = position::goals(machine);
    let mut work = 0;
    for game in 0..4000 {
        let mut dice = Dice::stream(seed, game);
        let moves = random_game(machine, &mut dice);
        let back = 2 + dice.below(11);
        let moves = moves[..moves.len().saturating_sub(back)].to_vec();
        let state = position::replay(machine, &moves);
        if !seen.insert(machine.facts(&state)) {
            continue;
        }
        let mut solver = Solver::new(machine, &goals, LIMIT);
        let solved = solver.solve(&state);
        work += solver.positions;
        if work > ALL_LIMIT {
            break;
        }
        let Ok(solution) = solved else { continue };
        if solution.plies < 4 || solution.legal < 4 || 3 * solution.right.len() > solution.legal {
            continue;
        }
        found.push(describe(machine, &state, moves, &solution, solver.positions, &mut dice));
        let traps = found.iter().filter(|position| position.kind.ends_with("trap")).count();
        if traps >= count {
            break;
        }
    }
    // Traps first, then the deepest.
    found.sort_by_key(|position| (!position.kind.ends_with("trap"), std::cmp::Reverse(position.plies)));
    found.truncate(count);
    found
}

fn random_game(machine: &CircuitMachine, dice: &mut Dice) -> Vec<Vec<String>> {
    let mut workspace = machine.workspace();
    let mut expansion = Expansion::new();
    let (mut state, mut moves) = (machine.initial(), Vec::new());
    loop {
        machine.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        if expansion.is_terminal() {
            return moves;
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        moves.push(joint.iter().map(|&id| machine.move_text(id)).collect());
        state = machine.apply(&mut workspace, &state, &joint).expect("no fault");
    }
}

fn describe(
    machine: &CircuitMachine,
    state: &<CircuitMachine as Game>::State,
    moves: Vec<Vec<String>>,
    solution: &Solution,
    work: u64,
    dice: &mut Dice,
) -> Position {
    let role = solution.role.0 as usize;
    let mut workspace = machine.workspace();
    let mut expansion = Expansion::new();
    machine.expand(&mut workspace, state, &mut expansion).expect("no fault");
    // What plain random playouts after each move think of it.
    let mut favourite = (f64::NEG_INFINITY, MoveId(0));
    for joint in expansion.joint_moves() {
        let next = machine.apply(&mut workspace, state, &joint).expect("no fault");
        let mut sum = 0.0;
        for _ in 0..PLAYOUTS {
            let mut random = Dice::new(dice.bits());
            let limits = PlayoutLimits::default();
            let end = verify::playout(machine, &mut workspace, &next, &mut random, limits).expect("no fault");
            sum += f64::from(end.goals[role].value().0);
        }
        if sum > favourite.0 {
            favourite = (sum, joint[role]);
        }
    }
    let kind = if solution.value > 50 { "forced-win" } else { "only-defence" };
    let trap = if solution.right.contains(&favourite.1) { "" } else { " trap" };
    Position {
        kind: format!("{kind}{trap}"),
        role: machine.roles()[role].clone(),
        value: solution.value,
        right: solution.right.iter().map(|&id| machine.move_text(id)).collect(),
        legal: solution.legal,
        plies: solution.plies,
        work,
        moves,
    }
}
