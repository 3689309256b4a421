//! Measuring, and the later stages of `show`. Nothing here depends on how fast this machine is.

use crate::support::{COUNTDOWN, ludens, ludens_with_input, write};

/// A game whose only role is stuck after one step.
const STUCK: &str = "(role you) (init a) (<= (legal you go) (true a)) (<= (next b) (true a))
(<= terminal (true c)) (goal you 50) (<= (next c) (true c) (true a))";

#[test]
fn bench_measures_every_machine() {
    let run = ludens(&["bench", "tic-tac-toe", "--machine", "all", "--seconds", "0.05", "--json"]);
    let json = run.expect(0).json();
    let game = &json["games"][0];
    assert_eq!(game["game"], "tic-tac-toe");
    assert!(game["build"]["gates"]["total"].as_u64().unwrap() > 10);
    assert_eq!(game["build"]["facts"], 29);
    let machines = game["machines"].as_array().unwrap();
    let names: Vec<&str> = machines.iter().map(|cell| cell["machine"].as_str().unwrap()).collect();
    assert_eq!(names[..3], ["reference", "circuit", "batch"]);
    for cell in machines {
        let name = &cell["machine"];
        assert!(cell["failure"].is_null() && cell["differs"].as_array().unwrap().is_empty(), "{cell}");
        assert!(cell["state_changes_per_second"].as_f64().unwrap() > 0.0, "{name}");
        let length = cell["length"]["mean"].as_f64().unwrap();
        assert!((length - 7.63).abs() < 0.5, "{name}: {length}");
        assert_eq!(cell["goals"].as_array().unwrap().len(), 2, "{name}");
    }
    assert_eq!(game["expansion"]["leaves"], 512);
    assert_eq!(game["expansion"]["agree"], true);
}

#[test]
fn bench_compares_with_hand_written_programs() {
    let run = ludens(&["bench", "--against", "hand", "--machine", "compiled", "--seconds", "0.02"]).expect(0);
    for game in ["tic-tac-toe", "connect-four", "breakthrough", "othello"] {
        assert!(run.out.contains(game), "{}", run.out);
    }
    assert!(run.out.contains("ratio") && !run.out.contains("differs"), "{}", run.out);
}

#[test]
fn bench_takes_games_of_a_corpus_and_compares_with_peers() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    std::fs::create_dir(&games).unwrap();
    write(&games, "countdown.kif", COUNTDOWN);
    // Only its name is that of a game the peers play.
    write(&games, "hanoi.kif", COUNTDOWN);
    let corpus = folder.path().to_str().unwrap();
    let options = ["--machine", "circuit,compiled", "--seconds", "0.02", "--json"];
    let bench = |more: &[&str]| ludens(&[&["bench", "--corpus", corpus], &options[..], more].concat());
    let json = bench(&[]).expect(0).json();
    assert_eq!(json["games"].as_array().unwrap().len(), 2);
    let json = bench(&["--peers"]).expect(0).json();
    assert_eq!(json["games"].as_array().unwrap().len(), 1);
    assert_eq!(json["peers"]["games"][0]["peer"]["champion"], 1_550_000.0);
    assert_eq!(json["peers"]["circuit_to_champion"]["least_game"], "hanoi");
    let text = ludens(&["bench", "--corpus", corpus, "--peers", "--machine", "batch", "--seconds", "0.02"]);
    assert!(text.expect(0).out.contains("geometric mean"));
    assert!(bench(&["chess"]).expect(2).err.contains("no game `chess`"));
}

#[test]
fn bench_tells_what_fails_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let stuck = write(folder.path(), "stuck.kif", STUCK);
    let options = ["--machine", "circuit,compiled", "--seconds", "0.02", "--json"];
    let arguments = ["bench", &stuck, "no-such-game.kif", "tic-tac-toe"];
    let json = ludens(&[&arguments[..], &options].concat()).expect(1).json();
    let games = json["games"].as_array().unwrap();
    assert!(games[0]["machines"][0]["failure"].as_str().unwrap().contains("no legal move"), "{json}");
    assert!(games[1]["failure"].as_str().unwrap().contains("cannot open"), "{json}");
    assert!(games[2]["machines"][1]["failure"].is_null(), "{json}");
    let tiny = ludens(&["bench", "tic-tac-toe", "--build-seconds", "0.0000001", "--machine", "circuit"]);
    assert!(tiny.expect(1).out.contains("more than the time allowed"));
}

#[test]
fn bench_wants_games() {
    assert!(ludens(&["bench"]).expect(2).err.contains("which games?"));
    assert!(ludens(&["bench", "--peers"]).expect(2).err.contains("--corpus"));
    ludens(&["bench", "tic-tac-toe", "--seconds", "0"]).expect(2);
    ludens(&["bench", "tic-tac-toe", "--machine", "steam"]).expect(2);
}

#[test]
fn perf_writes_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("result.txt");
    let path = file.to_str().unwrap();
    let read = || std::fs::read_to_string(&file).unwrap();
    ludens(&["perf", "tic-tac-toe", path, "0.05"]).expect(0);
    let text = read();
    let keys: Vec<&str> = text.lines().map(|line| line.split('=').next().unwrap()).collect();
    assert_eq!(keys, ["version", "millisecondsTaken", "numStateChanges", "numRollouts"]);
    let number = |key: &str| -> u64 {
        text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('=')?.parse().ok()).unwrap()
    };
    assert!(number("numStateChanges") >= 5 * number("numRollouts") && number("numRollouts") > 0);

    let slow = ludens(&["perf", "tic-tac-toe", path, "0.05", "--build-seconds", "0.0000001"]).expect(0);
    assert!(slow.out.contains("(reference)") && read().contains("numRollouts="), "{}", slow.out);

    let stuck = write(folder.path(), "stuck.kif", STUCK);
    ludens(&["perf", &stuck, path, "0.05"]).expect(1);
    assert!(read().contains("errorMessage=") && read().contains("no legal move"), "{}", read());
    let nowhere = folder.path().join("none").join("file");
    ludens(&["perf", "tic-tac-toe", nowhere.to_str().unwrap(), "0.05"]).expect(2);
}

#[test]
fn show_prints_ground_rules_and_circuits() {
    let show = |arguments: &[&str]| ludens_with_input(&[&["show", "-"], arguments].concat(), COUNTDOWN);
    let ground = show(&["--stage", "ground"]).expect(0).out;
    assert!(ground.starts_with("; 4 facts may be true\n; you has 2 moves and 2 goals\n"), "{ground}");
    assert!(ground.contains("\n(next won) <- (does you take)\n"), "{ground}");
    assert!(ground.contains("\n;   next 4\n"), "{ground}");
    let json = show(&["--stage", "ground", "--format", "json"]).expect(0).json();
    assert_eq!((&json["facts"], &json["relations"]["next"]), (&4.into(), &4.into()));

    let circuit = show(&["--stage", "circuit"]).expect(0).out;
    assert!(circuit.starts_with("pass ") && circuit.contains("construct"), "{circuit}");
    assert!(circuit.contains("\ncircuit\ng1 = ") && circuit.contains("\nrole you\n"), "{circuit}");
    let dot = show(&["--stage", "circuit", "--dot"]).expect(0).out;
    assert!(dot.starts_with("digraph circuit {") && dot.trim_end().ends_with('}'), "{dot}");
    let json = show(&["--stage", "circuit", "--json"]).expect(0).json();
    assert!(json["text"].as_str().unwrap().starts_with("circuit\n"));
    assert_eq!(json["passes"][0]["pass"], "construct");
    assert!(show(&["--dot"]).expect(2).err.contains("--stage circuit"));
}

#[test]
fn positions_with_known_values_are_a_ruler() {
    let agents = ["ludens@400", "random"];
    let run =
        ludens(&["bench", "dots-and-boxes", "--sample", "20", "--json", "--positions", agents[0], agents[1]]);
    let rows = run.expect(0).json();
    let right = |row: usize| rows[row]["right"]["mean"].as_f64().expect("a share");
    assert!(right(0) > right(1), "{rows}");
    assert_eq!(rows[0]["positions"], 20);
    // Where two choose at once a mix is compared with the equilibrium.
    let agents = ["regret-matching@2000", "random"];
    let run =
        ludens(&["bench", "goofspiel", "--sample", "12", "--json", "--positions", agents[0], agents[1]]);
    let rows = run.expect(0).json();
    let lost = |row: usize| rows[row]["lost"]["mean"].as_f64().expect("points");
    assert!(lost(0) < lost(1), "{rows}");
    let unknown = ludens(&["bench", "chess", "--positions", "random"]).expect(2);
    assert!(unknown.err.contains("othello"), "{}", unknown.err);
}
