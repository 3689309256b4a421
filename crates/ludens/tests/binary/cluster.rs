//! Matches played by workers over a real NATS server; without one (`nats-server` on the path, or named in
//! LUDENS_NATS_SERVER) the tests say that they skip.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{COUNTDOWN, COUNTDOWN_TRACE, command, ludens, write};

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
    nats_with(folder, &[])
}

/// The same with other arguments.
fn nats_with(folder: &std::path::Path, more: &[&str]) -> Option<(Process, String)> {
    let binary = std::env::var("LUDENS_NATS_SERVER").unwrap_or_else(|_| "nats-server".to_owned());
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let child = Command::new(binary)
        .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
        .arg(folder)
        .args(more)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(child) = child else {
        // Not by a macro: what tests say that way is shown only if they fail.
        let _ =
            writeln!(std::io::stderr(), "skipped: there is no nats-server; LUDENS_NATS_SERVER may name one");
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
    // The worker that came last may still be on its way.
    let status = || ludens(&["cluster", "status", "--cluster", &address, "--json"]).expect(0).json();
    let workers = |status: &serde_json::Value| status["workers"].as_array().map(Vec::len);
    let status = (0..60).map(|_| status()).find(|status| workers(status) == Some(2)).expect("two workers");
    assert_eq!(status["jobs"], 0, "{status}");
}

/// Waits until a file says something.
fn wait_for(file: &std::path::Path, text: &str) {
    let begin = Instant::now();
    loop {
        let said = std::fs::read_to_string(file).unwrap_or_default();
        if said.contains(text) {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "`{text}` was never said, but: {said}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_worker_of_another_build_leaves_the_work_alone_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((_nats, address)) = nats(&folder.path().join("streams")) else { return };
    // The same program in a file that is not the same: as good as another build.
    let other = folder.path().join("ludens");
    std::fs::copy(env!("CARGO_BIN_EXE_ludens"), &other).expect("a copy");
    let mut file = std::fs::File::options().append(true).open(&other).expect("the copy");
    file.write_all(&[0]).expect("written");
    drop(file);
    let [worker_says, arena_says] = ["worker", "arena"].map(|name| folder.path().join(name));
    let said = |path| std::fs::File::create(path).expect("a file");
    let stranger =
        Command::new(&other).args(["worker", "--cluster", &address]).stderr(said(&worker_says)).spawn();
    let _stranger = Process(stranger.expect("it starts"));
    let status = || ludens(&["cluster", "status", "--cluster", &address, "--json"]).expect(0).json();
    let begin = Instant::now();
    while status()["workers"][0].is_null() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the worker does not come");
    }
    let arena = ["arena", "nim", "--players", "mc@5,random@1", "--matches", "2", "--cluster", &address];
    let mut asking =
        Process(command(&arena).stdout(Stdio::null()).stderr(said(&arena_says)).spawn().expect("it starts"));
    wait_for(&arena_says, "workers of other builds alone");
    wait_for(&worker_says, "leaves it to others");
    assert_eq!(status()["workers"][0]["done"], 0);
    let _worker = worker(&address);
    assert!(asking.0.wait().expect("it ends").success());
    let status = status();
    let done: Vec<_> = status["workers"].as_array().expect("two").iter().map(|one| &one["done"]).collect();
    assert!(done.len() == 2 && done.contains(&&0.into()), "{status}");
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
        let file = write(folder.path(), name, text);
        let report = ludens(&["tournament", &file, "--json"]).expect(0).json();
        let matches = report["matches"].as_array().expect("matches").iter();
        let told =
            matches.map(|one| serde_json::json!([one["number"], one["players"], one["goals"], one["moves"]]));
        (report["ranking"].clone(), report["fairness"].clone(), told.collect::<Vec<_>>())
    };
    let elsewhere = played("elsewhere.toml", &format!("cluster = \"{address}\"\n"));
    assert_eq!(played("here.toml", ""), elsewhere);
}

/// What a player tells Prometheus.
fn metrics(port: u16) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the player listens");
    stream.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").expect("the player listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the player answers");
    answer
}

/// A helper whose words are kept in a file.
fn helper(address: &str, name: &str, log: &std::path::Path) -> Process {
    let arguments = ["helper", "--cluster", address, "--name", name, "--memory", "64"];
    let file = std::fs::File::create(log).expect("a file");
    Process(command(&arguments).stdout(Stdio::null()).stderr(file).spawn().expect("it starts"))
}

#[test]
fn helpers_think_with_a_player_and_may_be_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((_nats, address)) = nats(folder.path()) else { return };
    for team in ["root", "tree"] {
        let logs = ["one", "two", "late"].map(|name| folder.path().join(format!("{team}-{name}")));
        let first = helper(&address, "one", &logs[0]);
        let _second = helper(&address, "two", &logs[1]);
        let agent = format!("cadia-uct:helpers=3,team={team},exchange=50");
        let player = crate::matches::listening(&[
            "player",
            "--port",
            "0",
            "--agent",
            &agent,
            "--cluster",
            &address,
            "--memory",
            "256",
            "--threads",
            "1",
        ]);
        let host = format!("127.0.0.1:{}", player.port);
        let arguments =
            ["referee", "connect-four-small", "--players", &host, "--players", "random", "--matches", "1"];
        let clocks = ["--start-clock", "6", "--play-clock", "2", "--json"];
        let referee = command(&[&arguments[..], &clocks[..]].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_secs(8));
        assert!(!metrics(player.port).contains("\nludens_helpers 0\n"), "{}", metrics(player.port));
        let status = ludens(&["cluster", "status", "--cluster", &address, "--json"]).expect(0).json();
        let helpers = status["helpers"].as_array().expect("helpers").iter();
        let told: Vec<_> = helpers.map(|one| (&one["name"], one["reports"].as_u64() > Some(0))).collect();
        assert_eq!(told, [(&"one".into(), true), (&"two".into(), true)], "{status}");
        drop(first);
        let _late = helper(&address, "late", &logs[2]);
        let output = referee.wait_with_output().expect("it ends");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["finished"], 1, "{answer}");
        let trouble: u64 = answer["standings"][0]["trouble"]
            .as_object()
            .expect("counts")
            .values()
            .filter_map(serde_json::Value::as_u64)
            .sum();
        assert_eq!(trouble, 0, "{answer}");
        for log in &logs[..2] {
            let text = std::fs::read_to_string(log).expect("a log");
            assert!(text.contains("helping in another match"), "{team}: {text}");
        }
    }
}

#[test]
fn a_corpus_is_verified_by_workers() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((_nats, address)) = nats(folder.path()) else { return };
    let _worker = worker(&address);
    let corpus = folder.path().join("corpus");
    std::fs::create_dir(&corpus).expect("a folder");
    let wrong = COUNTDOWN_TRACE.replace("\"wait\"]}", "\"weight\"]}");
    for (name, trace) in [("one", COUNTDOWN_TRACE), ("two", COUNTDOWN_TRACE), ("wrong", &wrong)] {
        write(&corpus, &format!("{name}.kif"), COUNTDOWN);
        write(&corpus, &format!("{name}.json"), trace);
    }
    let corpus = corpus.to_str().expect("UTF-8");
    let verify = ["verify", "--corpus", corpus, "--machine", "circuit", "--json"];
    let results = |answer: &serde_json::Value| {
        let all = answer["comparisons"].as_array().expect("comparisons").iter();
        all.map(|one| serde_json::json!([one["game"], one["outcome"], one["states"]])).collect::<Vec<_>>()
    };
    let here = ludens(&verify).expect(1).json();
    let there = ludens(&[&verify[..], &["--cluster", &address]].concat()).expect(1).json();
    assert_eq!(results(&here), results(&there));
    assert_eq!((&there["agree"], &there["differ"]), (&2.into(), &1.into()), "{there}");
}

#[test]
fn an_experiment_is_the_same_wherever_it_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((_nats, address)) = nats(folder.path()) else { return };
    let _workers = [worker(&address), worker(&address)];
    let played = |more: &[&str]| {
        let to = tempfile::tempdir().expect("a folder");
        let to = to.path().to_str().expect("UTF-8");
        let arguments =
            ["experiment", "worth-of-speed", "--matches", "2", "--simulations", "5", "--json", "--to", to];
        let run = ludens(&[&arguments[..], more].concat());
        let page =
            std::fs::read_to_string(format!("{to}/worth-of-speed.md")).unwrap_or_else(|_| run.err.clone());
        (run.json()["missed"].clone(), page)
    };
    assert_eq!(played(&[]), played(&["--cluster", &address]));
}

#[test]
fn a_password_is_needed_where_the_server_has_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((_nats, address)) = nats_with(folder.path(), &["--user", "ada", "--pass", "a-long-word"]) else {
        return;
    };
    let status = |user: &str| {
        let address = address.replace("nats://", &format!("nats://{user}"));
        ludens(&["cluster", "status", "--cluster", &address])
    };
    status("ada:a-long-word@").expect(0);
    for wrong in ["", "ada:a-short-word@", "bea:a-long-word@"] {
        let run = status(wrong).expect(2);
        assert!(run.err.contains("authorization violation") && !run.err.contains("short"), "{}", run.err);
    }
}

#[test]
fn a_queue_that_is_not_there_is_told() {
    let run = ludens(&["cluster", "status", "--cluster", "nats://127.0.0.1:9"]).expect(2);
    assert!(run.err.contains("nats-server -js"), "{}", run.err);
}
