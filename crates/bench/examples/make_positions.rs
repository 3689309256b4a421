//! Makes the sets of positions with known values in `crates/bench/positions`:
//!
//! ```text
//! cargo run --release -p bench --example make_positions [GAME..]
//! ```

use std::io::Write;
use std::path::PathBuf;

use bench::ruler::{
    BoxTable, Breakthrough, ConnectFour, DotsAndBoxes, Othello, OthelloSolver, Position, PositionSet, Solver,
    Wanted, make,
};

/// Positions of each kind in each set.
const COUNT: usize = 100;

fn wanted(plies: std::ops::Range<u32>, tactical: u32) -> Wanted {
    Wanted { count: COUNT, plies, tactical, seed: 1, games: 20_000 }
}

fn positions(game: &str) -> Vec<Position> {
    let mut solver = Solver::new(24, 5_000_000);
    match game {
        "connect-four" => make::<ConnectFour>(&mut solver, &wanted(16..28, 8)),
        "breakthrough-5x5" => make::<Breakthrough<5, 5>>(&mut solver, &wanted(8..20, 8)),
        "breakthrough-6x5" => make::<Breakthrough<5, 6>>(&mut solver, &wanted(14..28, 8)),
        "dots-and-boxes" => make::<DotsAndBoxes>(&mut BoxTable::new(), &wanted(6..20, 10)),
        "othello" => make::<Othello>(&mut OthelloSolver::new(24, 30_000_000), &wanted(48..55, 8)),
        _ => Vec::new(),
    }
}

fn main() -> std::io::Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let all = ["connect-four", "breakthrough-5x5", "breakthrough-6x5", "dots-and-boxes", "othello"];
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("positions");
    std::fs::create_dir_all(&folder)?;
    for game in all.into_iter().filter(|&game| asked.is_empty() || asked.iter().any(|name| name == game)) {
        let set = PositionSet { game: game.to_owned(), positions: positions(game) };
        writeln!(std::io::stderr(), "{game}: {} positions", set.positions.len())?;
        let head = format!("# cargo run --release -p bench --example make_positions -- {game}\n");
        std::fs::write(folder.join(format!("{game}.tsv")), head + &set.write())?;
    }
    Ok(())
}
