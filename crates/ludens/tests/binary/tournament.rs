//! Tournaments from a file to their page.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::matches::listening;
use crate::support::{command, ludens, ludens_with_input, write};

/// A process that ends with this value.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port that is free now.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

fn entrants(lines: &[(&str, &str)]) -> String {
    lines.iter().map(|(name, who)| format!("[[entrants]]\nname = \"{name}\"\n{who}\n")).collect()
}

fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).expect("the file beside the page");
    serde_json::from_str(&text).expect("JSON")
}

/// Runs a tournament, and kills it when so many matches have been told.
fn killed_after(file: &str, matches: usize) {
    let mut child = Ended(
        command(&["tournament", file])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts"),
    );
    let lines = BufReader::new(child.0.stdout.take().expect("piped")).lines();
    let told = lines.map_while(Result::ok).filter(|line| line.contains(": "));
    let _ = told.filter(|line| !line.starts_with("players connect")).take(matches).count();
}

/// Which matches there are and how they went, whatever they are called.
fn played(report: &serde_json::Value) -> BTreeMap<u64, serde_json::Value> {
    let matches = report["matches"].as_array().expect("matches").iter();
    let all: Vec<(u64, serde_json::Value)> = matches
        .map(|one| {
            let number = one["number"].as_u64().expect("a number");
            (number, serde_json::json!([one["players"], one["goals"], one["moves"], one["game"]]))
        })
        .collect();
    let map: BTreeMap<u64, serde_json::Value> = all.iter().cloned().collect();
    assert_eq!(map.len(), all.len(), "a match was counted twice");
    map
}

#[test]
fn a_double_elimination_of_eight_over_ten_games_is_killed_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let players = [
        listening(&["player", "--port", "0", "--agent", "random", "--memory", "64", "--matches", "8"]),
        listening(&["player", "--port", "0", "--agent", "legal", "--memory", "64", "--matches", "8"]),
    ];
    let token = "a-word-of-gretas";
    let port = free_port();
    let host = format!("http://127.0.0.1:{port}");
    let connected = ["player", "--connect", &host, "--name", "Greta", "--agent", "random", "--memory", "64"];
    let _connected = Ended(
        command(&connected)
            .env("LUDENS_TOKEN", token)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts"),
    );
    let http = players.each_ref().map(|player| format!("http = \"127.0.0.1:{}\"", player.port));
    let greta = format!("connect = true\ntoken = \"{token}\"");
    let who = [
        ("Ada <b>", "agent = \"cadia-uct@40\""),
        ("Bea", "agent = \"mc@20\""),
        ("Cleo", "agent = \"random@1\""),
        ("Dora", "agent = \"random\""),
        ("Eva", http[0].as_str()),
        ("Fay", http[1].as_str()),
        ("Greta", greta.as_str()),
        ("Hedda", "agent = \"legal\""),
    ];
    let top = format!(
        "name = \"Cup\"\nseed = 5\nat_once = 3\nstart_clock = 20\nplay_clock = 5\nlisten = \"127.0.0.1:{port}\"\n"
    );
    let stages = "[[stages]]\nkind = \"preliminaries\"\ngames = [\"countdown.kif\", \"tic-tac-toe\"]\n\
                  [[stages]]\nkind = \"double-elimination\"\ntop = 8\nbest_of = 3\n\
                  games = [\"tic-tac-toe\", \"nim\", \"connect-four-small\", \"rock-paper-scissors\", \"chomp\", \
                  \"tic-tac-toe-misere\", \"nim-misere\", \"wythoff\", \"matching-pennies\", \"breakthrough-5x5\"]\n";
    write(folder.path(), "countdown.kif", crate::support::COUNTDOWN);
    let file = write(folder.path(), "cup.toml", format!("{top}{}{stages}", entrants(&who)));
    for matches in [3, 10, 14] {
        killed_after(&file, matches);
    }
    let run = ludens(&["tournament", &file]).expect(0);
    assert!(run.out.contains("matches were played before"), "{}", run.out);
    let report = json(&folder.path().join("cup.json"));
    assert_eq!(report["is_over"], true, "{report}");
    let all = played(&report);
    assert!(all.len() >= 16 + 2 * 14, "{} matches", all.len());
    // Two series lost and out: thirteen or fourteen series besides the final.
    let series = report["stages"][1]["series"].as_array().expect("series");
    assert_eq!(series.iter().filter(|one| one["winner"].is_null()).count(), 0, "{series:?}");
    let trouble: u64 = report["standings"]
        .as_array()
        .expect("standings")
        .iter()
        .map(|one| {
            let count = |what: &str| one["trouble"][what].as_u64().expect("a count");
            count("late") + count("illegal") + count("unreachable")
        })
        .sum();
    assert_eq!(trouble, 0, "{}", report["standings"]);
    assert!(report["ratings"].as_array().is_some_and(|ratings| ratings.len() == 8), "{}", report["ratings"]);
    assert!(report["fairness"].as_array().is_some_and(|games| games.len() == 11), "{}", report["fairness"]);
    let in_bracket = report["matches"].as_array().expect("matches").iter().filter(|one| one["stage"] == 1);
    let games: std::collections::BTreeSet<_> = in_bracket.map(|one| one["game"].as_str()).collect();
    assert_eq!(games.len(), 10, "{games:?}");
    let page = std::fs::read_to_string(folder.path().join("cup.html")).expect("the page");
    assert!(page.contains("Beaten once") && page.contains("The winner is") && page.contains("Ada &lt;b&gt;"));
    assert!(!page.contains("Ada <b>") && !page.contains("http://") && !page.contains("https://"));
    // Once more: nothing is left to do.
    let again = ludens(&["tournament", &file, "--json"]).expect(0).json();
    assert_eq!(played(&again), all);
}

#[test]
fn kills_change_nothing_where_seeds_fix_the_matches() {
    let folder = tempfile::tempdir().expect("a folder");
    let who = [
        ("a", "agent = \"cadia-uct@30\""),
        ("b", "agent = \"mc@30\""),
        ("c", "agent = \"random@1\""),
        ("d", "agent = \"cadia-mast@30\""),
        ("e", "agent = \"legal@1\""),
    ];
    let stages = "[[stages]]\nkind = \"swiss\"\nrounds = 3\ngames = [\"tic-tac-toe\", \"nim\"]\n\
                  [[stages]]\nkind = \"knockout\"\ntop = 4\ngames = [\"connect-four-small\", \"tic-tac-toe\"]\n\
                  [[stages]]\nkind = \"round-robin\"\ntop = 3\ngames = [\"tic-tac-toe\", \"three-player-tic-tac-toe\"]\n";
    let text = format!("seed = 9\nat_once = 2\n{}{stages}", entrants(&who));
    let file = |name: &str| write(folder.path(), name, &text);
    let (calm, shaken) = (file("calm.toml"), file("shaken.toml"));
    ludens(&["tournament", &calm]).expect(0);
    for matches in [1, 4, 6, 2] {
        killed_after(&shaken, matches);
    }
    ludens(&["tournament", &shaken]).expect(0);
    let (calm, shaken) = (json(&folder.path().join("calm.json")), json(&folder.path().join("shaken.json")));
    assert_eq!(played(&calm), played(&shaken));
    assert_eq!((&calm["ranking"], &calm["stages"]), (&shaken["ranking"], &shaken["stages"]));
    assert_eq!(calm["ratings"], shaken["ratings"]);
}

#[test]
fn a_person_takes_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let who = [("You", "person = true"), ("Random", "agent = \"random@1\"")];
    let stages = "[[stages]]\nkind = \"knockout\"\nbest_of = 1\ngames = [\"tic-tac-toe\"]\n";
    let file = write(folder.path(), "duel.toml", format!("play_clock = 60\n{}{stages}", entrants(&who)));
    let cells: String =
        (1..=3).flat_map(|x| (1..=3).map(move |y| format!("nonsense\n(mark {x} {y})\n"))).collect();
    let run = ludens_with_input(&["tournament", &file], &cells.repeat(3)).expect(0);
    assert!(run.out.contains("your move (") && run.out.contains("The match is over."), "{}", run.out);
    let report = json(&folder.path().join("duel.json"));
    let record = &report["matches"][0];
    assert!(record["trouble"].as_array().is_some_and(Vec::is_empty), "{record}");
    assert_eq!(report["entrants"][0]["kind"], "person");
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let two = entrants(&[("a", "agent = \"random\""), ("b", "agent = \"random\"")]);
    let stage = "[[stages]]\nkind = \"knockout\"\ngames = [\"tic-tac-toe\"]\n";
    let told = |text: &str, said: &[&str]| {
        let file = write(folder.path(), "wrong.toml", text);
        let run = ludens(&["tournament", &file, "--check"]).expect(2);
        for said in said {
            assert!(run.err.contains(said), "{said} is missing in:\n{}", run.err);
        }
    };
    told("seed = ", &["wrong.toml", "line 1", "docs/guide/tournament.md"]);
    told(&format!("sede = 1\n{two}{stage}"), &["unknown field `sede`", "line 1"]);
    told(&format!("play_clock = 0\n{two}{stage}"), &["wrong.toml:1:14", "seconds from 0.01"]);
    told(
        &format!("{two}{}", stage.replace("knockout", "cup")),
        &["wrong.toml:8:8", "there is no kind `cup`", "double-elimination"],
    );
    told(
        &format!("{two}{}", stage.replace("tic-tac-toe", "tictactoo")),
        &["wrong.toml:9:10", "tictactoo", "ludens games"],
    );
    told(
        &format!("{two}{}", stage.replace("tic-tac-toe", "hanoi")),
        &["wrong.toml:9:10", "1 roles", "games for two"],
    );
    told(&format!("{two}{stage}top = 8\n"), &["wrong.toml:8:8", "`top = 8`; give a number from 2 to 2"]);
    told(
        &format!("{}{stage}", two.replace("\"b\"", "\"a\"")),
        &["wrong.toml:5:8", "two entrants of the name a"],
    );
    told(
        &format!("{}{stage}", two.replacen("agent = \"random\"", "agent = \"nobody\"", 1)),
        &["wrong.toml:3:9", "there is no agent `nobody`"],
    );
    told(
        &format!("{}{stage}", two.replacen("agent = \"random\"", "http = \"nowhere\"", 1)),
        &["wrong.toml:3:8", "host:port"],
    );
    told(
        &format!("{}{stage}", two.replacen("agent = \"random\"", "connect = true", 1)),
        &["needs a token", "token_env"],
    );
    told(&format!("{}{stage}", two.replacen("agent = \"random\"", "", 1)), &["wrong.toml:2:8", "in one way"]);
    let secret = "connect = true\ntoken = \"a-word-of-mine\"";
    told(&format!("{}{stage}", two.replacen("agent = \"random\"", secret, 1)), &["listen = "]);
    told("entrants = []\nstages = []\n", &["two entrants"]);
    let missing = ludens(&["tournament", "nowhere.toml"]).expect(2);
    assert!(missing.err.contains("cannot read nowhere.toml"), "{}", missing.err);
    let fine = write(folder.path(), "fine.toml", format!("{two}{stage}"));
    assert!(ludens(&["tournament", &fine, "--check"]).expect(0).out.contains("2 entrants, 1 games"));
    assert!(!folder.path().join("fine.db").exists(), "a check writes nothing");
}
