//! `ludens video play`

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use engine::Budget;
use vgdl::{Action, Game};
use video::{Keys, Player, World};

use super::screen;
use crate::output::Output;
use crate::video_games::VideoGame;

/// Play a video game yourself
///
/// The arrow keys or w, a, s, d steer, the space bar does whatever the avatar has a button for, q ends the
/// game. Where two play, the second one is a player of Ludens, which thinks for half of every tick.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens video play lantern\n  ludens video play zelda.txt --level 2 --speed 10\n  \
                        ludens video play contest.txt --player ludens-video"
)]
pub(crate) struct Arguments {
    /// The game
    game: String,

    /// The number of the level
    #[arg(long, default_value_t = 0)]
    level: usize,

    /// Ticks a second
    #[arg(long, default_value_t = 20.0)]
    speed: f64,

    /// Who plays the second avatar, in a game for two: NAME or NAME:PARAMETER=VALUE,.. (olets if it is not given)
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,

    /// The seed of everything that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How long the other player thinks before the first tick, as in the competition.
const PREPARATION: Duration = Duration::from_secs(1);

/// What keys say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Act(Action),
    Quit,
}

/// Reads keys. Escape alone, `q` and Control-C end the game.
fn read_keys(bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = bytes;
    while let Some((&byte, more)) = rest.split_first() {
        let (found, left) = match (byte, more) {
            (0x1b, [b'[' | b'O', letter, left @ ..]) => {
                let action = match letter {
                    b'A' => Some(Action::Up),
                    b'B' => Some(Action::Down),
                    b'C' => Some(Action::Right),
                    b'D' => Some(Action::Left),
                    _ => None,
                };
                (action.map(Key::Act), left)
            }
            (b'q' | b'Q' | 0x03 | 0x1b, _) => return vec![Key::Quit],
            (b'w' | b'W', _) => (Some(Key::Act(Action::Up)), more),
            (b's' | b'S', _) => (Some(Key::Act(Action::Down)), more),
            (b'a' | b'A', _) => (Some(Key::Act(Action::Left)), more),
            (b'd' | b'D', _) => (Some(Key::Act(Action::Right)), more),
            (b' ', _) => (Some(Key::Act(Action::Use)), more),
            _ => (None, more),
        };
        keys.extend(found);
        rest = left;
    }
    keys
}

impl Arguments {
    /// Who plays the second avatar, if there is one.
    fn other(&self, players: usize) -> anyhow::Result<Option<Box<dyn Player>>> {
        let name = self.player.as_deref();
        if players < 2 {
            if name.is_some() {
                bail!("{} is for one player; --player is for the second avatar of games for two", self.game);
            }
            return Ok(None);
        }
        let made = video::players::registry().read(name.unwrap_or("olets"))?;
        Ok(Some(made.player(self.seed)))
    }

    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = VideoGame::find(&self.game)?;
        let level = game.level(self.level)?;
        let mut other = self.other(game.rules.players)?;
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            bail!("playing needs a terminal; `ludens video watch` works without one");
        }
        let mut play = Game::new(level.clone(), self.seed as i64);
        let pause = Duration::try_from_secs_f64(1.0 / self.speed)?;
        let clock = crate::process::thread_cpu_time;
        let seen = |play: &Game| World::new(play, 1, play.state().random_state());
        if let Some(other) = &mut other {
            other.prepare(&seen(&play), &Budget::until(&clock, clock() + PREPARATION));
        }
        let mut keys = Keys::new(level.rules.key_handling);
        let keyboard = keyboard::Keyboard::open()?;
        write!(output, "\x1b[?1049h\x1b[?25l")?;
        let mut round = || -> anyhow::Result<()> {
            while !play.state().is_over() {
                let (picture, status) = (screen::draw(&play, 0, true), screen::status(&play, 0));
                // Raw terminals want to be told to go back to the first column.
                write!(output, "\x1b[H{}{status}\x1b[K", picture.replace('\n', "\r\n"))?;
                output.flush()?;
                for key in read_keys(&keyboard.read_until(Instant::now() + pause)?) {
                    match key {
                        Key::Quit => return Ok(()),
                        // A terminal does not tell when keys are let go.
                        Key::Act(action) => keys.tap(action),
                    }
                }
                let mut actions = vec![keys.take()];
                if let Some(other) = &mut other {
                    let until = clock() + pause.mul_f64(0.5);
                    actions.push(other.act(&seen(&play), &Budget::until(&clock, until)));
                }
                play.advance(&actions);
            }
            Ok(())
        };
        let played = round();
        drop(keyboard);
        write!(output, "\x1b[?25h\x1b[?1049l")?;
        writeln!(output, "{}", screen::status(&play, 0))?;
        played?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A terminal that hands over keys as they are pressed.
#[cfg(unix)]
mod keyboard {
    use std::time::Instant;

    use anyhow::Context;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

    /// Raw as long as it lives.
    pub(super) struct Keyboard {
        before: Termios,
    }

    impl Keyboard {
        pub(super) fn open() -> anyhow::Result<Self> {
            let before = tcgetattr(std::io::stdin()).context("cannot read the keyboard")?;
            let mut raw = before.clone();
            raw.make_raw();
            tcsetattr(std::io::stdin(), OptionalActions::Now, &raw).context("cannot read the keyboard")?;
            Ok(Self { before })
        }

        /// All keys that are pressed until a time.
        pub(super) fn read_until(&self, until: Instant) -> anyhow::Result<Vec<u8>> {
            let mut pressed = Vec::new();
            loop {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Ok(pressed);
                }
                let input = std::io::stdin();
                let mut asked = [PollFd::new(&input, PollFlags::IN)];
                let timeout = Timespec { tv_sec: left.as_secs() as _, tv_nsec: left.subsec_nanos() as _ };
                match poll(&mut asked, Some(&timeout)) {
                    Ok(0) | Err(rustix::io::Errno::INTR) => {}
                    Ok(_) => {
                        let mut bytes = [0; 64];
                        let count = rustix::io::read(&input, &mut bytes)?;
                        pressed.extend_from_slice(&bytes[..count]);
                        if count == 0 {
                            // Nobody is there any more.
                            pressed.push(b'q');
                            return Ok(pressed);
                        }
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
    }

    impl Drop for Keyboard {
        fn drop(&mut self) {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &self.before);
        }
    }
}

/// Elsewhere terminals are not known well enough.
#[cfg(not(unix))]
mod keyboard {
    use std::time::Instant;

    pub(super) struct Keyboard;

    impl Keyboard {
        pub(super) fn open() -> anyhow::Result<Self> {
            anyhow::bail!("playing with the keyboard needs a Unix terminal; `ludens video watch` works here")
        }

        pub(super) fn read_until(&self, _: Instant) -> anyhow::Result<Vec<u8>> {
            Ok(Vec::new())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_arrows_are_keys() {
        let acts = |actions: &[Action]| actions.iter().map(|&action| Key::Act(action)).collect::<Vec<Key>>();
        assert_eq!(read_keys(b""), []);
        assert_eq!(read_keys(b"\x1b[A"), acts(&[Action::Up]));
        assert_eq!(read_keys(b"a\x1b[C"), acts(&[Action::Left, Action::Right]));
        assert_eq!(read_keys(b"d\x1bOB "), acts(&[Action::Right, Action::Down, Action::Use]));
        assert_eq!(read_keys(b"s?"), acts(&[Action::Down]));
        for last in [&b"dq"[..], b"\x1b", b"\x03"] {
            assert_eq!(read_keys(last), [Key::Quit]);
        }
    }
}
