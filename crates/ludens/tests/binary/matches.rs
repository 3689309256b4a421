//! Players and referees in processes of their own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use game::Dice;

use crate::support::{COUNTDOWN, command, ludens, ludens_with_input, write};

/// A player in a process of its own, which ends with this value.
pub(crate) struct Player {
    child: Child,
    /// Where it listens.
    pub(crate) port: u16,
}

#[cfg(target_os = "linux")]
impl Player {
    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn player(agent: &str, port: u16) -> Player {
    player_with(agent, port, &[])
}

fn player_with(agent: &str, port: u16, more: &[&str]) -> Player {
    let port = port.to_string();
    let arguments =
        ["player", "--port", &port, "--agent", agent, "--matches", "24", "--memory", "64", "--no-ponder"];
    listening(&[&arguments[..], more].concat())
}

/// Starts a player with these arguments and waits until it listens.
pub(crate) fn listening(arguments: &[&str]) -> Player {
    let mut child =
        command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("it says something");
    let port = line.split_whitespace().skip_while(|word| *word != "port").nth(1).map(str::parse);
    Player { child, port: port.expect("a port").expect("a number") }
}

/// The arguments of a referee of two players.
fn referee<'a>(game: &'a str, players: &'a [String; 2], clock: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["referee", game, "--player", &players[0], "--player", &players[1], "--json"];
    let clocks = ["--start-clock", clock, "--play-clock", clock];
    fixed.into_iter().chain(clocks).chain(more.iter().copied()).collect()
}

fn addresses(players: &[Player; 2]) -> [String; 2] {
    [0, 1].map(|number| format!("localhost:{}", players[number].port))
}

#[test]
fn two_players_on_the_network() {
    let players = [player("random", 0), player("mc", 0)];
    let addresses = addresses(&players);
    let folder = tempfile::tempdir().expect("a folder");
    let records = folder.path().join("records");
    let records = records.to_str().expect("UTF-8");
    let more = ["--matches", "4", "--jobs", "2", "--scramble", "--manner", "spaced", "--records", records];
    let answer = ludens(&referee("tic-tac-toe", &addresses, "1", &more)).expect(0).json();
    assert_eq!((&answer["finished"], &answer["aborted"]), (&4.into(), &0.into()));
    assert_eq!(answer["standings"][0]["matches"], 4);
    let files: Vec<_> = std::fs::read_dir(records).expect("records").flatten().collect();
    assert_eq!(files.len(), 4);
    let record = std::fs::read_to_string(files[0].path()).expect("a record");
    let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    assert!(record["isCompleted"] == true && record["scrambled"] == true, "{record}");
    assert!(record["states"][0].as_str().expect("a state").contains("(cell 1 1 empty)"), "{record}");
}

/// The whole of 127.0.0.0/8 is this computer: who listens on all addresses is found at any of them.
#[cfg(target_os = "linux")]
#[test]
fn a_player_listens_on_one_address_unless_told() {
    use std::net::TcpStream;
    let player = player("random", 0);
    assert!(TcpStream::connect(("127.0.0.1", player.port)).is_ok());
    assert!(TcpStream::connect(("127.0.0.2", player.port)).is_err(), "it is open to everybody");
    let open = player_with("random", 0, &["--address", "0.0.0.0"]);
    assert!(TcpStream::connect(("127.0.0.2", open.port)).is_ok());
}

#[test]
fn players_in_the_referees_own_process() {
    let run = ludens(&[
        "referee",
        "tic-tac-toe",
        "--player",
        "random",
        "--player",
        "agent:legal",
        "--matches",
        "3",
        "--start-clock",
        "2",
        "--play-clock",
        "2",
    ])
    .expect(0);
    assert!(run.out.contains("agent:legal") && run.out.contains("3 of 3 matches finished"), "{}", run.out);
}

#[test]
fn wrong_players_are_refused() {
    let unable = |players: &[&str], said: &str| {
        let mut arguments = vec!["referee", "tic-tac-toe", "--wait", "0"];
        players.iter().for_each(|player| arguments.extend(["--player", player]));
        let run = ludens(&arguments).expect(2);
        assert!(run.err.contains(said), "{}", run.err);
    };
    unable(&["random"], "add another --player");
    unable(&["random", "nowhere"], "host:port");
    unable(&["random", "agent:nobody"], "there is no agent `nobody`");
    unable(&["localhost:9", "localhost:9"], "is there twice");
    unable(&["random", "localhost:9"], "ludens player --port 9");
    let run = ludens(&["referee", "tic-tac-toe"]).expect(2);
    assert!(run.err.contains("--player"), "{}", run.err);
}

#[test]
fn trouble_shows_in_the_exit_code() {
    // A game whose second state has no legal move.
    let folder = tempfile::tempdir().expect("a folder");
    let stuck = write(
        folder.path(),
        "stuck.kif",
        COUNTDOWN
            .replace("(legal you wait)", "")
            .replace("(legal you take)", "(<= (legal you take) (true (left 2)))"),
    );
    let run = ludens(&["referee", &stuck, "--player", "random", "--start-clock", "1"]).expect(1);
    assert!(run.out.contains("called off") && run.out.contains("no legal move"), "{}", run.out);
}

/// Kills a referee again and again, and a player now and then, until all matches are finished.
fn kill_again_and_again(folder: &Path, kills: usize, matches: u64, play_clock: &str) {
    let mut players = [player("random", 0), player("mc", 0)];
    let addresses = addresses(&players);
    let database = folder.join("matches.db");
    let database = database.to_str().expect("UTF-8");
    let count = matches.to_string();
    let more = ["--matches", &count, "--at-once", "3", "--db", database];
    let arguments = referee("tic-tac-toe", &addresses, play_clock, &more);
    let mut dice = Dice::new(5);
    for kill in 0..kills {
        let mut child =
            command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(dice.below(1500) as u64));
        if kill % 3 == 2 {
            let number = kill / 3 % 2;
            let port = players[number].port;
            drop(players[number].child.kill());
            let _ = players[number].child.wait();
            std::thread::sleep(Duration::from_millis(dice.below(300) as u64));
            players[number] = player(["random", "mc"][number], port);
            std::thread::sleep(Duration::from_millis(dice.below(500) as u64));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
    // A player that was killed had trouble, so that the code may be 1.
    let last = ludens(&arguments);
    assert!(matches!(last.code, Some(0 | 1)), "{}", last.err);
    let answer = last.json();
    assert_eq!(answer["finished"], matches, "{answer}");
    // Once more: nothing is left to do, nothing is lost.
    let again = ludens(&arguments).json();
    assert_eq!(again["finished_before"], matches, "{again}");
    assert_eq!(again["timing"]["answers"], 0, "{again}");
    assert_eq!(again["interrupted"], 0, "{again}");
}

#[test]
fn a_killed_referee_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    kill_again_and_again(folder.path(), 4, 12, "1");
}

#[test]
#[ignore = "takes minutes"]
fn fifty_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    kill_again_and_again(folder.path(), 50, 200, "1");
}

#[test]
fn a_person_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("game.json");
    let saved = saved.to_str().expect("UTF-8");
    let moves = format!("2 2\n?\nview\nmark\nundo\nnonsense\n1\nfacts\nhelp\nsave {saved}\nquit\n");
    let play = ["play", "tic-tac-toe", "--agent", "mc", "--seconds", "0.05"];
    let run = ludens_with_input(&play, &moves).expect(0);
    for said in
        ["You play x", "#9 3 3", "o plays (mark ", "simulations", "may be one of", "no legal move", "saved"]
    {
        assert!(run.out.contains(said), "{said} is missing:\n{}", run.out);
    }
    let resumed = ludens_with_input(&[&play[..], &["--resume", saved]].concat(), "moves\n").expect(0);
    assert!(resumed.out.contains("#7 ") && !resumed.out.contains("#8 "), "{}", resumed.out);
    let other = ludens_with_input(&["play", "nim", "--resume", saved], "").expect(2);
    assert!(other.err.contains("holds a game of tic-tac-toe"), "{}", other.err);
    let nobody = ludens_with_input(&["play", "tic-tac-toe", "--role", "z"], "").expect(2);
    assert!(nobody.err.contains("there are x, o"), "{}", nobody.err);
}

#[test]
fn a_game_without_a_board_is_played_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = write(folder.path(), "countdown.kif", COUNTDOWN);
    let run = ludens_with_input(&["play", &game], "take\nwait\n").expect(0);
    assert!(
        run.out.contains("left: 2") && run.out.contains("You have") && run.out.contains("Goals: you 100"),
        "{}",
        run.out
    );
}

#[test]
fn a_port_in_use_is_told() {
    let first = player("random", 0);
    let run = ludens(&["player", "--port", &first.port.to_string()]).expect(2);
    assert!(run.err.contains("choose another with --port"), "{}", run.err);
}

/// A match that another address began is closed to the referee, unless it sends the token.
#[test]
fn a_referee_sends_the_token() {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    // A player that answers who it is and remembers what it was sent.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let place = listener.local_addr().expect("an address").to_string();
    let heard = std::thread::spawn(move || {
        let mut heads = Vec::new();
        for stream in listener.incoming().take(2) {
            let mut stream = stream.expect("a connection");
            let mut bytes = [0; 4096];
            let count = stream.read(&mut bytes).expect("a request");
            heads.push(String::from_utf8_lossy(&bytes[..count]).to_lowercase());
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nready");
        }
        heads
    });
    let countdown = tempfile::tempdir().expect("a folder");
    let game = write(countdown.path(), "countdown.kif", COUNTDOWN);
    let word = "a-word-of-mine";
    let player = format!("@{place}");
    let arguments =
        ["referee", &game, "--player", &player, "--start-clock", "1", "--play-clock", "0.2", "--json"];
    let unset = command(&arguments).env_remove("LUDENS_TOKEN").output().expect("it runs");
    assert!(String::from_utf8_lossy(&unset.stderr).contains("LUDENS_TOKEN"), "{unset:?}");
    let run = command(&arguments).env("LUDENS_TOKEN", word).output().expect("it runs");
    let heads = heard.join().expect("it listens");
    assert!(heads.iter().all(|head| head.contains(&format!("authorization: bearer {word}"))), "{heads:?}");
    let told = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(told.contains(&place) && !told.contains(word), "{told}");
    let short = ludens(&["referee", &game, "--player", "short@localhost:9"]).expect(2);
    assert!(short.err.contains("at least 12 letters"), "{}", short.err);
}
