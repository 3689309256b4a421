//! Makes the sets of positions with known values in `crates/bench/positions`:
//!
//! ```text
//! cargo run --release -p bench --example make_positions [GAME..]
//! ```

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use bench::ruler::{
    BoxTable, Breakthrough, ConnectFour, ConnectFourSolver, DotsAndBoxes, MatrixSet, Othello, OthelloSolver,
    Position, PositionSet, ProofSolver, Wanted, goofspiel_positions, make,
};

/// A set is made in so many parts side by side.
const PARTS: usize = 4;

/// Positions of a kind in each part, the plies to look at, up to which depth a position is tactical, how few of the moves
/// are right, playouts that are wrong.
fn wanted(count: usize, plies: Range<u32>, tactical: u32, one_of: usize, playouts: u32) -> Wanted {
    Wanted { count, plies, tactical, one_of, playouts, seed: 0, games: 20_000 }
}

fn part(game: &str, seed: u64) -> Vec<Position> {
    let seeded = |wanted: Wanted| Wanted { seed, ..wanted };
    match game {
        "connect-four" => {
            let mut solver = ConnectFourSolver::new(22, 3_000_000);
            make::<ConnectFour>(&mut solver, &seeded(wanted(15, 11..17, 23, 2, 50)))
        }
        // More playouts are hardly ever wrong there.
        "breakthrough-6x5" => {
            let mut solver = ProofSolver::new(22, 50_000);
            make::<Breakthrough<5, 6>>(&mut solver, &seeded(wanted(13, 17..23, 5, 4, 4)))
        }
        "dots-and-boxes" => make::<DotsAndBoxes>(&mut BoxTable::new(), &seeded(wanted(25, 4..13, 15, 4, 50))),
        "othello" => {
            let mut solver = OthelloSolver::new(22, 3_000_000);
            make::<Othello>(&mut solver, &seeded(wanted(20, 43..49, 14, 2, 50)))
        }
        _ => Vec::new(),
    }
}

fn positions(game: &str) -> Vec<Position> {
    let mut all: Vec<Position> = std::thread::scope(|scope| {
        let parts: Vec<_> = (1..=PARTS as u64).map(|seed| scope.spawn(move || part(game, seed))).collect();
        parts.into_iter().flat_map(|part| part.join().expect("a part does not fail")).collect()
    });
    all.sort_by_key(|position| (position.kind, position.line.len()));
    all
}

fn main() -> std::io::Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let all = ["connect-four", "breakthrough-6x5", "dots-and-boxes", "othello", "goofspiel"];
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("positions");
    std::fs::create_dir_all(&folder)?;
    for game in all.into_iter().filter(|&game| asked.is_empty() || asked.iter().any(|name| name == game)) {
        let head = format!("# cargo run --release -p bench --example make_positions -- {game}\n");
        let file = folder.join(format!("{game}.tsv"));
        if game == "goofspiel" {
            let set = MatrixSet { game: game.to_owned(), positions: goofspiel_positions() };
            std::fs::write(file, head + &set.write())?;
            continue;
        }
        let set = PositionSet { game: game.to_owned(), positions: positions(game) };
        writeln!(std::io::stderr(), "{game}: {} positions", set.positions.len())?;
        std::fs::write(file, head + &set.write())?;
    }
    Ok(())
}
