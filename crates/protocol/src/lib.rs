//! The messages of general game playing: what match hosts and players say to each other.
//!
//! A host sends a [`Request`], the player answers with a reply. Both are one list or word of KIF.
//! Reading is lenient, as hosts differ in case, blanks and the arguments they add; writing is strict.
//! There is no IO here: texts in, texts out.
//!
//! ```
//! use protocol::{News, Request};
//! let request = Request::parse("( play Match.7 ( ( MARK 1 1 ) noop ) )")?;
//! let Request::Play { match_id, news } = &request else { panic!("a PLAY") };
//! assert_eq!(match_id, "Match.7");
//! assert_eq!(news.joint(2), Some(vec!["(MARK 1 1)".to_owned(), "noop".to_owned()]));
//! assert_eq!(request.to_string(), "(PLAY Match.7 ((MARK 1 1) noop))");
//! # Ok::<(), protocol::ProtocolError>(())
//! ```

mod clock;
mod list;
mod manner;
mod news;
mod reply;
mod request;

pub use clock::{ASSUMED_CLOCK, LONGEST_CLOCK};
pub use list::tidy;
pub use manner::Manner;
pub use news::News;
pub use reply::{ABORTED, BUSY, DONE, READY};
pub use reply::{Info, Status, reply_is, reply_move};
pub use request::{ProtocolError, Request, Start};
