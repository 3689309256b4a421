//! A person at a terminal: lines are edited, nothing is wider than the terminal.

#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::support::command;

/// A program that hangs has to fail at some time.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program in a terminal of its own.
struct Terminal {
    child: Child,
    keys: File,
    /// All that was written so far.
    screen: Arc<Mutex<Vec<u8>>>,
    /// How much of it was looked at.
    seen: usize,
}

impl Terminal {
    fn open(arguments: &[&str], columns: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).expect("granted");
        unlockpt(&master).expect("unlocked");
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let name = ptsname(&master, Vec::new()).expect("its name");
        let path = Path::new(name.to_str().expect("UTF-8"));
        let end = || File::options().read(true).write(true).open(path).expect("the other end");
        tcsetwinsize(end(), size).expect("its size");
        let child = command(arguments)
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .stdin(Stdio::from(OwnedFd::from(end())))
            .stdout(Stdio::from(OwnedFd::from(end())))
            .stderr(Stdio::from(OwnedFd::from(end())))
            .spawn()
            .expect("started");
        let keys = File::from(master);
        let screen = Arc::new(Mutex::new(Vec::new()));
        let (mut reader, written) = (keys.try_clone().expect("the same"), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                written.lock().expect("no panic").extend_from_slice(&bytes[..count]);
            }
        });
        Self { child, keys, screen, seen: 0 }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().expect("no panic")).into_owned()
    }

    /// Waits until one of the texts is written, and says which.
    fn wait(&mut self, texts: &[&str]) -> usize {
        let begin = Instant::now();
        loop {
            let all = plain(&self.text());
            let new = all.get(self.seen..).unwrap_or("");
            let first =
                texts.iter().enumerate().filter_map(|(which, text)| Some((new.find(text)?, which))).min();
            if let Some((at, which)) = first {
                self.seen += at + texts[which].len();
                return which;
            }
            assert!(begin.elapsed() < PATIENCE, "no {texts:?} in:\n{all}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn type_line(&mut self, line: &str) {
        self.keys.write_all(format!("{line}\r").as_bytes()).expect("typed");
    }

    fn end(self) -> String {
        let (text, success) = self.outcome();
        assert!(success, "{text}");
        text
    }

    /// All that was written, and whether all is well.
    fn outcome(mut self) -> (String, bool) {
        let status = self.child.wait().expect("ended");
        std::thread::sleep(Duration::from_millis(100));
        (self.text(), status.success())
    }
}

/// What is seen: without escape codes.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            out.push(letter);
            continue;
        }
        if letters.next() == Some('[') {
            letters.by_ref().find(char::is_ascii_alphabetic);
        }
    }
    out
}

fn assert_fits(text: &str, columns: usize) {
    for line in plain(text).split(['\n', '\r']) {
        assert!(line.chars().count() <= columns, "wider than {columns}: {line:?}");
    }
}

const CELLS: [&str; 9] = ["1 1", "1 2", "1 3", "2 1", "2 2", "2 3", "3 1", "3 2", "3 3"];

#[test]
fn a_whole_game_with_undo_hint_save_and_resume() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("game.json");
    let saved = saved.to_str().expect("UTF-8");
    let play = ["play", "ttt", "--players", "mc", "--play-clock", "0.05"];
    let mut terminal = Terminal::open(&play, 80);
    terminal.wait(&["You play x"]);
    terminal.wait(&["your move>"]);
    terminal.type_line("2 2");
    terminal.wait(&["o plays"]);
    terminal.wait(&["your move>"]);
    terminal.type_line("undo");
    terminal.wait(&["your move>"]);
    terminal.type_line("?");
    terminal.wait(&["simulations"]);
    terminal.wait(&["your move>"]);
    // The arrow upwards brings back what was typed: the hint, and before it `undo`, `2 2`.
    terminal.keys.write_all(b"\x1b[A\x1b[A\x1b[A\r").expect("typed");
    terminal.wait(&["o plays"]);
    terminal.wait(&["your move>"]);
    terminal.type_line(&format!("save {saved}"));
    terminal.wait(&["saved"]);
    terminal.wait(&["your move>"]);
    terminal.type_line("quit");
    assert_fits(&terminal.end().replace(saved, "FILE"), 80);

    let mut terminal = Terminal::open(&[&play[..], &["--resume", saved]].concat(), 60);
    let mut cells = CELLS.iter().cycle();
    for _ in 0..40 {
        if terminal.wait(&["your move>", "The game is over."]) == 1 {
            break;
        }
        terminal.type_line(cells.next().expect("a cell"));
    }
    terminal.wait(&["Goals: x"]);
    terminal.wait(&["rematch, undo"]);
    terminal.type_line("rematch");
    terminal.wait(&["your move>"]);
    terminal.type_line("q");
    assert_fits(&terminal.end().replace(saved, "FILE"), 60);

    let shown = command(&["replay", saved]).output().expect("replayed");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("Move 1 of 2") || shown.contains("Move 1 of 1"), "{shown}");
}

#[test]
fn a_wide_board_fits_a_narrow_terminal() {
    let mut terminal = Terminal::open(&["play", "chess", "--players", "random", "--play-clock", "0.05"], 60);
    terminal.wait(&["your move>"]);
    terminal.type_line("e2e4");
    terminal.wait(&["black plays"]);
    terminal.wait(&["your move>"]);
    terminal.type_line("help");
    terminal.wait(&["your move>"]);
    terminal.type_line("quit");
    assert_fits(&terminal.end(), 60);
}

#[test]
fn tables_and_long_lines_fit_as_well() {
    for columns in [60, 80] {
        for arguments in [
            &["games"][..],
            &["agents"],
            &["info", "tic-tac-toe"],
            &["match", "tic-tac-toe", "--players", "mc,random", "--simulations", "20"],
            &["arena", "tic-tac-toe", "nim", "--players", "mc@9,random@5,cadia-uct@9", "--matches", "2"],
            &["why", "tic-tac-toe", "(legal x (mark 1 1))"],
            &["play", "conect-four"],
            &["match", "nim", "--players", "nobody"],
        ] {
            let (text, _) = Terminal::open(arguments, columns).outcome();
            assert!(text.lines().count() > 1, "{arguments:?}: {text}");
            assert_fits(&text, usize::from(columns));
        }
    }
}
