//! Ludens, a general game player: give it the rules of any game and it plays that game well, at once,
//! without having seen it before.
//!
//! Rules are written in the Game Description Language (GDL). Read them, or take those of a game that comes with
//! the library:
//!
//! ```
//! use ludens::Rules;
//!
//! let rules = Rules::read("pick", "(role you) (init start) (legal you (pick 1)) (legal you (pick 2))
//!     (<= (next (picked ?n)) (does you (pick ?n))) (<= terminal (true (picked ?n)))
//!     (<= (goal you 100) (true (picked 2))) (<= (goal you 0) (true (picked 1)))")?;
//! assert_eq!(rules.roles(), ["you"]);
//! assert!(rules.diagnostics().is_empty());
//! let error = Rules::bundled("conect-four").unwrap_err();
//! assert!(error.to_string().contains("connect-four"));
//! # Ok::<(), ludens::Error>(())
//! ```
//!
//! Let agents play a match. The same seed and counted simulations give the same match:
//!
//! ```
//! use ludens::{Game, Rules};
//!
//! let game = Game::new(&Rules::bundled("tic-tac-toe")?)?;
//! let played = game.play(&["ludens@500", "cadia-uct@500"], 7)?;
//! assert_eq!(played.goals, [50, 50]);
//! println!("{} moves, the first is {}", played.moves.len(), played.moves[0][0]);
//! # Ok::<(), ludens::Error>(())
//! ```
//!
//! Ask for one move:
//!
//! ```
//! use std::time::Duration;
//! use ludens::{Game, Rules};
//!
//! let game = Game::new(&Rules::bundled("tic-tac-toe")?)?;
//! let mut player = game.player(1, "ludens", 1)?;
//! player.advance(&["(mark 2 2)", "noop"])?;
//! let decision = player.choose_within(Duration::from_millis(50))?;
//! println!("{} is worth {:?} of 100", decision.text, decision.value);
//! assert!(decision.text.starts_with("(mark "));
//! # Ok::<(), ludens::Error>(())
//! ```
//!
//! Solve a puzzle:
//!
//! ```
//! use std::time::Duration;
//! use ludens::{Rules, solve};
//!
//! let solution = solve(&Rules::bundled("missionaries")?, Duration::from_secs(5))?;
//! assert_eq!((solution.score, solution.is_proven), (100, true));
//! println!("{}", solution.moves.join(" "));
//! # Ok::<(), ludens::Error>(())
//! ```
//!
//! Run a tournament:
//!
//! ```
//! use ludens::{Game, Rules, Tournament};
//!
//! let games = [Game::new(&Rules::bundled("tic-tac-toe")?)?, Game::new(&Rules::bundled("nim")?)?];
//! let standings = Tournament::new(&games, &["ludens@200", "random"])?.matches(4).seed(3).run()?;
//! let share = standings.share("ludens@200").expect("it played");
//! assert!(share.mean > 50.0);
//! println!("{:.0} ± {:.0} per cent over {} matches", share.mean, share.interval, standings.matches());
//! # Ok::<(), ludens::Error>(())
//! ```
//!
//! # Features
//!
//! All are on by default: `cli` is the command `ludens`, `server` playing over HTTP, `sqlite` the referee's database,
//! `sat` and `bdd` methods for puzzles. A program that only plays does with `default-features = false`.

#[path = "library/error.rs"]
mod error;
#[path = "library/game.rs"]
mod game_with_machine;
#[path = "library/rules.rs"]
mod rules;
#[path = "library/solution.rs"]
mod solution;
#[path = "library/tournament.rs"]
mod tournament;

pub use crate::error::Error;
pub use crate::game_with_machine::{Game, Played, Player};
pub use crate::rules::Rules;
pub use crate::solution::{Solution, solve};
pub use crate::tournament::{Share, Standings, Tournament};
pub use gdl::{Diagnostic, Severity};
pub use player::{Decision, Thought};
