//! The gamemaster's core: what is sent to the players, which of their answers count, what is played
//! in place of the others, the record of it all and what happens as it happens. There is no IO and no
//! clock here: whoever carries the messages says what came back and when.
//!
//! ```
//! use machine::reference::Reference;
//! use referee::{Answer, Clocks, Match, Rulebook, Settings};
//!
//! let rules = "(role you) (init (left 1)) (legal you wait) (legal you go)
//!     (<= (next (left 0)) (does you go)) (<= terminal (true (left 0))) (<= (goal you 100) terminal)";
//! let sheet = gdl::parse(&gdl::SourceFile::new("countdown", rules)).sheet;
//! let game = Reference::new(&gdl::normal::normalize(&sheet), Default::default())?;
//! let book = Rulebook::new(&sheet, None);
//! let settings = Settings { match_id: "m.1".to_owned(), ..Settings::default() };
//! let mut game_match = Match::new(&game, &book, settings, 0)?;
//! assert_eq!(game_match.play_request(0).to_string(), "(PLAY m.1 NIL)");
//! let turn = game_match.turn(&[Answer::Reply("( GO )".to_owned())], 1000)?;
//! assert_eq!(turn.moves, ["go"]);
//! assert_eq!(game_match.goals(), Some(&[100][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod conduct;
mod event;
mod older;
mod record;
mod rulebook;
mod schedule;
mod standing;
mod step;
mod trouble;

pub use conduct::{Clocks, Match, MatchError, PerceptForm, Settings, Turn};
pub use event::{Event, Listener, MoveThought, Nobody, Thought};
pub use older::{RecordError, read_records};
pub use record::{Details, Effort, MatchRecord, recorded_facts};
pub use rulebook::Rulebook;
pub use schedule::{Schedule, TooFewPlayers};
pub use standing::{Standing, TroubleCounts, standings};
pub use step::{Given, Step};
pub use trouble::{Answer, Trouble};
