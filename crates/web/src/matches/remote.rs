//! Players on the network.

use std::time::Duration;

use referee::{Answer, Clocks};
use server::{Address, Unanswered, ask};

/// What hosts give beyond the play clock.
const GRACE: Duration = Duration::from_secs(1);

/// What a player on the network knows of the match.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Remote {
    /// It was told that the match begins, and of every turn since.
    pub(super) begun: bool,
}

/// Asks a player, first to prepare itself if it has to. Nobody waits here.
pub(super) fn ask_remote(
    runtime: &tokio::runtime::Handle,
    address: &str,
    start: Option<String>,
    play: String,
    clocks: Clocks,
    answered: impl FnOnce(Answer) + Send + 'static,
) {
    let Ok(address) = address.parse::<Address>() else {
        return answered(Answer::Unreachable("this is no address".to_owned()));
    };
    runtime.spawn(async move {
        if let Some(start) = start
            && let Err(why) = ask(&address, start, clocks.start + GRACE).await
        {
            return answered(answer(Err(why)));
        }
        answered(answer(ask(&address, play, clocks.play + GRACE).await));
    });
}

fn answer(asked: Result<String, Unanswered>) -> Answer {
    match asked {
        Ok(reply) => Answer::Reply(reply),
        Err(Unanswered::Late) => Answer::Late,
        Err(Unanswered::Unreachable(why)) => Answer::Unreachable(why),
    }
}
