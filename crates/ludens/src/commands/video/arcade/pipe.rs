//! Our side of the pipe to an emulator.
//!
//! The emulator is a process of its own, in Python with the package `ale-py`: its licence and ours do not
//! mix, so nothing of it is linked. `emulator.py` says what goes over the pipe.

use std::io::{BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context;
use video::arcade::{Emulator, EmulatorError, MEMORY_BYTES, Memory, SavedId, Step};

const SCRIPT: &str = include_str!("emulator.py");

/// A game in an emulator behind a pipe.
pub(super) struct Pipe {
    child: Child,
    requests: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
    actions: usize,
}

fn broken(error: std::io::Error) -> EmulatorError {
    EmulatorError(format!("the pipe is broken ({error})"))
}

/// The longest message that is read.
const MAX_MESSAGE: usize = 4096;

impl Pipe {
    /// Starts an emulator with a game.
    pub(super) fn open(python: &str, game: &str, seed: u64) -> anyhow::Result<Self> {
        let mut child = Command::new(python)
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start `{python}`; `--python` names another interpreter"))?;
        let (requests, answers) = (child.stdin.take(), child.stdout.take());
        let (requests, answers) = requests.zip(answers).context("the emulator has no pipes")?;
        let mut pipe =
            Self { child, requests: BufWriter::new(requests), answers: BufReader::new(answers), actions: 0 };
        let mut request = vec![b'L'];
        request.extend((game.len() as u32).to_le_bytes());
        request.extend(game.as_bytes());
        request.extend((seed as u32).to_le_bytes());
        let [actions] = pipe.ask(&request).with_context(|| {
            format!("cannot load `{game}`; `{python} -m pip install ale-py` brings the emulator")
        })?;
        pipe.actions = usize::from(actions);
        Ok(pipe)
    }

    /// What is on the screen, as a picture in grey (PGM).
    pub(super) fn screen(&mut self) -> Result<Vec<u8>, EmulatorError> {
        let [a, b, c, d] = self.ask(b"S")?;
        let [width, height] = [[a, b], [c, d]].map(u16::from_le_bytes);
        let mut picture = format!("P5\n{width} {height}\n255\n").into_bytes();
        let head = picture.len();
        picture.resize(head + usize::from(width) * usize::from(height), 0);
        self.answers.read_exact(&mut picture[head..]).map_err(broken)?;
        Ok(picture)
    }

    /// Sends a request and reads an answer of so many bytes.
    fn ask<const N: usize>(&mut self, request: &[u8]) -> Result<[u8; N], EmulatorError> {
        self.requests.write_all(request).and_then(|()| self.requests.flush()).map_err(broken)?;
        let mut sign = [0];
        self.answers.read_exact(&mut sign).map_err(broken)?;
        if sign == *b"+" {
            let mut answer = [0; N];
            self.answers.read_exact(&mut answer).map_err(broken)?;
            return Ok(answer);
        }
        let mut length = [0; 4];
        self.answers.read_exact(&mut length).map_err(broken)?;
        let mut message = vec![0; (u32::from_le_bytes(length) as usize).min(MAX_MESSAGE)];
        self.answers.read_exact(&mut message).map_err(broken)?;
        Err(EmulatorError(String::from_utf8_lossy(&message).into_owned()))
    }

    fn ask_with(&mut self, request: u8, number: u32) -> Result<(), EmulatorError> {
        let [a, b, c, d] = number.to_le_bytes();
        self.ask::<0>(&[request, a, b, c, d]).map(drop)
    }
}

impl Emulator for Pipe {
    fn actions(&self) -> usize {
        self.actions
    }

    fn act(&mut self, action: usize, frames: u32) -> Result<Step, EmulatorError> {
        let [a, b, c, d] = frames.to_le_bytes();
        let answer: [u8; 9] = self.ask(&[b'A', action as u8, a, b, c, d])?;
        let [reward @ .., over] = answer;
        Ok(Step { reward: f64::from_le_bytes(reward), over: over != 0 })
    }

    fn save(&mut self) -> Result<SavedId, EmulatorError> {
        self.ask(b"C").map(|number| SavedId(u32::from_le_bytes(number)))
    }

    fn restore(&mut self, saved: SavedId) -> Result<(), EmulatorError> {
        self.ask_with(b'R', saved.0)
    }

    fn forget(&mut self, saved: SavedId) -> Result<(), EmulatorError> {
        self.ask_with(b'F', saved.0)
    }

    fn memory(&mut self) -> Result<Memory, EmulatorError> {
        self.ask::<MEMORY_BYTES>(b"M")
    }

    fn reset(&mut self) -> Result<(), EmulatorError> {
        self.ask::<0>(b"Z").map(drop)
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
