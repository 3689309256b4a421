//! The commands of the README, as they stand there.

use crate::matches::listening;
use crate::support::command;

const README: &str = include_str!("../../../../README.md");

/// What is shortened, so that all of it runs in a minute: option, what it is set to.
const SHORTER: [(&str, &str); 3] = [("--play-clock", "0.1"), ("--start-clock", "1"), ("--matches", "2")];

/// The arguments of every command in the README, in order.
fn commands() -> Vec<Vec<String>> {
    let shown = README.lines().filter_map(|line| {
        line.strip_prefix("$ ludens ").or_else(|| line.strip_prefix("cargo run --release -- "))
    });
    shown.map(|line| shorter(line.split('#').next().unwrap_or_default())).collect()
}

fn shorter(line: &str) -> Vec<String> {
    let mut words: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
    for (option, value) in SHORTER {
        if let Some(place) = words.iter().position(|word| word == option) {
            value.clone_into(&mut words[place + 1]);
        }
    }
    if words[0] == "match" && !words.iter().any(|word| word == "--play-clock") {
        words.extend(["--play-clock", "0.1"].map(str::to_owned));
    }
    words
}

#[test]
fn they_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut players = Vec::new();
    let mut seen = Vec::new();
    for mut words in commands() {
        seen.push(words[0].clone());
        if words[0] == "player" {
            // Any port that is free, not the one that is shown.
            let rest = words.iter().position(|word| word == "--port").map(|place| place + 2);
            let mut arguments = vec!["player", "--port", "0"];
            arguments.extend(words[rest.unwrap_or(1)..].iter().map(String::as_str));
            players.push(listening(&arguments));
            continue;
        }
        for (place, player) in players.iter().enumerate() {
            let shown = format!("localhost:{}", 9147 + place);
            let real = format!("localhost:{}", player.port);
            words.iter_mut().filter(|word| **word == shown).for_each(|word| word.clone_from(&real));
        }
        let arguments: Vec<_> = words.iter().map(String::as_str).collect();
        let run = command(&arguments).current_dir(&folder).output().expect("the binary starts");
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success() && !run.stdout.is_empty(), "ludens {}\n{errors}", words.join(" "));
    }
    for wanted in ["match", "arena", "solve", "player", "referee", "--help"] {
        assert!(seen.iter().any(|name| name == wanted), "the README shows no `{wanted}`");
    }
}
