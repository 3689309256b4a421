//! Matches played by workers over a real NATS server; without one (`nats-server` on the path, or named in
//! LUDENS_NATS_SERVER) the tests say that they skip.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{command, ludens};

/// A process that ends with this value.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server with JetStream, and its address.
fn nats(folder: &std::path::Path) -> Option<(Process, String)> {
    let binary = std::env::var("LUDENS_NATS_SERVER").unwrap_or_else(|_| "nats-server".to_owned());
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let child = Command::new(binary)
        .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(child) = child else {
        eprintln!("skipped: there is no nats-server; LUDENS_NATS_SERVER may name one");
        return None;
    };
    let process = Process(child);
    let begin = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the server does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
    Some((process, format!("nats://127.0.0.1:{port}")))
}

fn worker(address: &str) -> Process {
    let arguments = ["worker", "--cluster", address, "--jobs", "1"];
    Process(command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts"))
}

#[test]
fn workers_play_the_same_matches_although_one_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((_nats, address)) = nats(folder.path()) else { return };
    let arena = [
        "arena",
        "tic-tac-toe",
        "nim",
        "--players",
        "cadia-uct@60,mc@60,random@1",
        "--matches",
        "6",
        "--json",
    ];
    let here = ludens(&arena).expect(0).json();
    let mut workers = vec![worker(&address), worker(&address)];
    let file = folder.path().join("matches.jsonl");
    let file = file.to_str().expect("UTF-8");
    let elsewhere = [&arena[..], &["--cluster", &address, "--out", file]].concat();
    let asking =
        command(&elsewhere).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(2));
    workers.remove(0);
    workers.push(worker(&address));
    let output = asking.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let there: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // Everything but how long it took.
    let results = |answer: &serde_json::Value| {
        let games = answer["games"].as_array().expect("games").iter();
        let shares = games.map(|game| {
            let players = game["players"].as_array().expect("players").iter();
            let told = players.map(|player| {
                (player["against"].clone(), player["total"].clone(), player["mean_goal"].clone())
            });
            (game["matches"].clone(), game["mean_length"].clone(), told.collect::<Vec<_>>())
        });
        (answer["matches"].clone(), shares.collect::<Vec<_>>())
    };
    assert_eq!(results(&here), results(&there));
    let lines = std::fs::read_to_string(file).expect("the file").lines().count();
    assert_eq!(lines as u64, there["matches"].as_u64().expect("a count"), "each is kept once");
    let status = ludens(&["cluster", "status", "--cluster", &address, "--json"]).expect(0).json();
    assert_eq!(
        (&status["jobs"], status["workers"].as_array().map(Vec::len)),
        (&0.into(), Some(2)),
        "{status}"
    );
}

#[test]
fn a_tournament_is_the_same_wherever_it_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((_nats, address)) = nats(folder.path()) else { return };
    let _worker = worker(&address);
    let who = ["cadia-uct@40", "mc@40", "random@1", "legal@1"].map(|agent| {
        let name = agent.split('@').next().unwrap_or_default();
        format!("[[entrants]]\nname = \"{name}\"\nagent = \"{agent}\"\n")
    });
    let stage = "[[stages]]\nkind = \"double-elimination\"\ngames = [\"tic-tac-toe\", \"nim\"]\n";
    let played = |name: &str, top: &str| {
        let text = format!("name = \"cup\"\nat_once = 4\n{top}{}{stage}", who.concat());
        let file = crate::support::write(folder.path(), name, text);
        let report = ludens(&["tournament", &file, "--json"]).expect(0).json();
        let matches = report["matches"].as_array().expect("matches").iter();
        let told =
            matches.map(|one| serde_json::json!([one["number"], one["players"], one["goals"], one["moves"]]));
        (report["ranking"].clone(), report["fairness"].clone(), told.collect::<Vec<_>>())
    };
    let elsewhere = played("elsewhere.toml", &format!("cluster = \"{address}\"\n"));
    assert_eq!(played("here.toml", ""), elsewhere);
}

#[test]
fn a_queue_that_is_not_there_is_told() {
    let run = ludens(&["cluster", "status", "--cluster", "nats://127.0.0.1:9"]).expect(2);
    assert!(run.err.contains("nats-server -js"), "{}", run.err);
}
