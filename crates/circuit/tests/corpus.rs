//! Games of the corpus: perft counts and recorded playouts, by plain evaluation.

mod support;

use circuit::{Effort, build};
use game::Game;
use ground::{Budget, ground};
use support::{PlainGame, rules, trace};
use verify::perft;

fn check(name: &str, counts: &[u64]) {
    let (Some(rules), Some(trace)) = (rules(name), trace(name)) else {
        eprintln!("{name} skipped: set LUDENS_CORPUS to the folder with games and traces");
        return;
    };
    let start = std::time::Instant::now();
    let budget = Budget { clock: &|| start.elapsed(), ..Budget::unlimited() };
    let mut ground_rules = ground(&rules, &budget).expect("it can be grounded");
    let (circuit, _) = build(&mut ground_rules, Effort::Thorough, &budget).expect("it can be built");
    let game = PlainGame::new(circuit);
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&game, &mut (), &game.initial(), depth), Ok(count), "{name} at depth {depth}");
    }
    if let Err(difference) = verify::trace::play_back(&game, &trace, || true) {
        panic!("{name}: {difference}");
    }
}

#[test]
fn classic_games_agree() {
    check("ticTacToe", &[9, 72, 504, 3024, 15120]);
    check("connectFour", &[8, 64, 512, 4096]);
    check("eightPuzzle", &[2, 6, 16, 48, 128, 384]);
    check("breakthrough", &[22, 484]);
    check("reversi", &[4, 12, 56, 244]);
    check("checkers", &[7, 49, 379]);
}

#[test]
fn games_with_traps_agree() {
    for name in ["switches", "crissrace", "hex", "pentago", "quarto", "biddingTicTacToe_10coins"] {
        check(name, &[]);
    }
}

/// Takes a minute, so it is asked for: `LUDENS_LARGE=1 cargo test --release`.
#[test]
fn chess_agrees() {
    if std::env::var_os("LUDENS_LARGE").is_none() {
        println!("skipped: set LUDENS_LARGE to ground chess");
        return;
    }
    check("chess", &[20, 400, 8902]);
    check("reversi", &[4, 12, 56, 244, 1396]);
    check("breakthrough", &[22, 484, 11132]);
    check("checkers", &[7, 49, 379, 2872]);
}
