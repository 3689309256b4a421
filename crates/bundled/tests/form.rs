//! Every bundled game is well formed, and its metadata fits its rules.

use std::path::Path;

use bundled::{BundledGame, Metadata};
use game::{Describe, Game};
use gdl::{Mode, Severity};
use machine::reference::Reference;

/// Runs a test for every game and tells of all that fail.
fn for_each_game(test: impl Fn(&BundledGame) -> Result<(), String>) {
    let failures: Vec<String> = bundled::all()
        .iter()
        .filter_map(|game| test(game).err().map(|failure| format!("{}: {failure}", game.name)))
        .collect();
    assert!(failures.is_empty(), "{} games fail:\n{}", failures.len(), failures.join("\n"));
}

fn metadata(game: &BundledGame) -> Result<&Metadata, String> {
    game.metadata().map_err(|error| error.to_string())
}

fn machine(game: &BundledGame) -> Result<Reference, String> {
    let sheet = gdl::parse(&gdl::SourceFile::new(game.name, game.rules)).sheet;
    Reference::new(&gdl::normal::normalize(&sheet), Default::default()).map_err(|error| error.to_string())
}

#[test]
fn there_are_more_than_fifty_games_sorted_by_name() {
    let names: Vec<&str> = bundled::all().iter().map(|game| game.name).collect();
    assert!(names.len() >= 50, "{} games", names.len());
    assert!(names.is_sorted());
    let kebab = |name: &&str| {
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    assert!(names.iter().all(kebab));
}

#[test]
fn every_folder_holds_a_whole_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for entry in folder.read_dir().expect("the games are there") {
        let path = entry.expect("readable").path();
        if path.ends_with("video") {
            // Video games are another language, and have a test of their own.
            continue;
        }
        let mut files: Vec<_> =
            path.read_dir().expect("a folder").map(|file| file.expect("readable").file_name()).collect();
        files.sort();
        assert_eq!(files, ["metadata.toml", "rules.kif"], "{}", path.display());
    }
}

#[test]
fn rules_are_strict_and_clean() {
    for_each_game(|game| {
        let source = gdl::SourceFile::new(game.name, game.rules);
        let parsed = gdl::parse(&source);
        let findings = gdl::check(&source, &parsed, Mode::Strict);
        // A note is no complaint.
        let complaints: Vec<String> = findings
            .iter()
            .filter(|finding| finding.severity > Severity::Note)
            .map(|finding| {
                let at = source.line_column(finding.span.start);
                format!("{}:{}: {} [{}]", at.line, at.column, finding.message, finding.code)
            })
            .collect();
        if complaints.is_empty() { Ok(()) } else { Err(complaints.join("; ")) }
    });
}

#[test]
fn metadata_fits_the_rules() {
    for_each_game(|game| {
        let metadata = metadata(game)?;
        let machine = machine(game)?;
        let players = metadata.players.unwrap_or(0);
        if players != machine.role_count() {
            return Err(format!("{players} players, but {} roles", machine.role_count()));
        }
        let counted = |tag| metadata.tags.iter().any(|known| known == tag);
        // Chance is a role and no player.
        let fitting = match players - usize::from(machine.chance().is_some()) {
            1 => counted("one-player"),
            2 => counted("two-player"),
            3 => counted("three-player"),
            4 => counted("four-player"),
            6 => counted("six-player"),
            _ => counted("multi-player"),
        };
        if !fitting {
            return Err(format!("tags {:?} do not say that there are {players} players", metadata.tags));
        }
        let boards = metadata.boards.iter().map(|board| &board.seen_by);
        let counters = metadata.counters.iter().map(|counter| &counter.seen_by);
        for role in boards.chain(counters).flatten().flatten() {
            if !machine.roles().contains(role) {
                return Err(format!("`seen_by` names `{role}`, which is no role"));
            }
        }
        let is_tagged = |tag: &str| metadata.tags.iter().any(|known| known == tag);
        if is_tagged("hidden-information") != machine.has_percepts()
            || is_tagged("chance") != machine.chance().is_some()
        {
            return Err(format!("tags {:?} do not say what is hidden or drawn", metadata.tags));
        }
        let mut facts = machine.facts(&machine.initial());
        facts.extend(machine.declared().base.unwrap_or_default());
        for board in &metadata.boards {
            let Some(cell) = &board.cell else { continue };
            let on_board = |fact: &String| {
                cell.read(fact).is_some_and(|found| {
                    found.iter().all(|&(name, value)| match name {
                        "column" => board.columns.iter().any(|column| column == value),
                        "row" => board.rows.iter().any(|row| row == value),
                        _ => true,
                    })
                })
            };
            if !facts.iter().any(on_board) {
                return Err(format!("no fact of the start or of base lies on the board `{cell}`"));
            }
            let drawn = |piece: &str| {
                board.piece.as_deref() == Some(piece)
                    || facts.iter().any(|fact| {
                        let found = cell.read(fact).unwrap_or_default();
                        found.iter().any(|&(name, value)| name == "piece" && value == piece)
                    })
            };
            if let Some(unknown) = board.pieces.keys().find(|piece| !drawn(piece)) {
                return Err(format!("the piece `{unknown}` never stands on the board `{cell}`"));
            }
        }
        for counter in &metadata.counters {
            if !facts.iter().any(|fact| counter.fact.read(fact).is_some()) {
                return Err(format!("no fact of the start or of base is a `{}`", counter.fact));
            }
        }
        Ok(())
    });
}
