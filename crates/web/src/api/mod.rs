//! What is said over the network: every request and every answer, a file for each part of the page. `openapi.json`
//! says the same for programs in other languages, and a test compares the two.

mod about;
mod games;
mod matches;
mod sheets;
mod tournaments;
mod videos;
mod view;

pub use about::{About, AgentInfo, Failure, Level};
pub use games::{GameDetails, GameSummary};
pub use matches::{
    Change, Hint, HintWish, LoadRecord, Loaded, Made, MakeMove, MatchSummary, NewMatch, Pause, RoleKey,
    SeatWish, TakeOver, TakenOver,
};
pub use sheets::{
    CheckSheet, Checked, Finding, LookAt, Piece, QuickFix, Reasons, Sheet, TextEdit, WhyHere, WhySheet,
    WordHelp,
};
pub use tournaments::{
    CoursePoint, EndedMatch, EndedMatches, GameStandings, MadeTournament, NewTournament, PlayerStanding,
    ShareView, TournamentSummary, TournamentView,
};
pub use videos::{
    KeyStroke, MadeVideo, NewVideo, Pace, Press, VideoFrame, VideoGameDetails, VideoGameInfo, VideoLayer,
    VideoPlayer, VideoView,
};
pub use view::{
    Card, ChoiceView, MatchView, MoveOption, MoveView, Place, Position, RoleView, Seen, ThoughtView, TurnView,
};
