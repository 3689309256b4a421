//! Makes the sets of positions with known values in `crates/bench/positions`:
//!
//! ```text
//! cargo run --release -p bench --example make_positions [GAME..]
//! ```

use std::io::Write;
use std::path::PathBuf;

use bench::ruler::{
    BoxTable, Breakthrough, ConnectFour, ConnectFourSolver, DotsAndBoxes, MatrixSet, Othello, OthelloSolver,
    Position, PositionSet, Solver, Wanted, goofspiel_positions, make,
};

/// Positions of each kind in each set.
const COUNT: usize = 100;

fn wanted(plies: std::ops::Range<u32>, tactical: u32) -> Wanted {
    Wanted { count: COUNT, plies, tactical, seed: 1, games: 20_000 }
}

fn positions(game: &str) -> Vec<Position> {
    let mut solver = Solver::new(22, 2_000_000);
    match game {
        "connect-four" => {
            make::<ConnectFour>(&mut ConnectFourSolver::new(22, 20_000_000), &wanted(16..30, 8))
        }
        "breakthrough-5x5" => make::<Breakthrough<5, 5>>(&mut Solver::new(22, 200_000), &wanted(14..26, 8)),
        "breakthrough-6x5" => make::<Breakthrough<5, 6>>(&mut solver, &wanted(14..28, 8)),
        "dots-and-boxes" => make::<DotsAndBoxes>(&mut BoxTable::new(), &wanted(6..20, 10)),
        "othello" => make::<Othello>(&mut OthelloSolver::new(24, 30_000_000), &wanted(48..55, 8)),
        _ => Vec::new(),
    }
}

fn main() -> std::io::Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let all =
        ["connect-four", "breakthrough-5x5", "breakthrough-6x5", "dots-and-boxes", "othello", "goofspiel"];
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
