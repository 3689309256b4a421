//! `ludens info` on the structure of games, and `ludens export`

use crate::support::{ludens, write};

#[test]
fn parts_are_told() {
    let answer = ludens(&["info", "twin-lights", "--playouts", "1", "--json"]).expect(0).json();
    let structure = &answer["structure"];
    assert_eq!(structure["composition"], "parallel", "{structure}");
    assert_eq!(
        (&structure["terminal"], &structure["goals"][0]),
        (&"all".into(), &"all".into()),
        "{structure}"
    );
    let parts = structure["parts"].as_array().expect("parts");
    assert!(
        parts.len() == 2 && parts.iter().all(|part| part["facts"] == 16 && part["actions"][0] == 17),
        "{structure}"
    );
    let text = ludens(&["info", "twin-trays", "--playouts", "1"]).expect(0).out;
    assert!(text.contains("2 that do not interact") && text.contains("in one of them"), "{text}");
    let text = ludens(&["info", "tic-tac-toe", "--playouts", "1"]).expect(0).out;
    assert!(text.contains("everything hangs together"), "{text}");
    assert!(text.contains("symmetries   8, 16 with those that exchange roles"), "{text}");
}

#[test]
fn games_are_exported_in_every_language() {
    let folder = tempfile::tempdir().expect("a folder");
    for format in ["gdl", "asp", "pddl", "prolog", "cplus", "dot", "btor2"] {
        let text = ludens(&["export", "buttons", "--to", format]).expect(0).out;
        let path = folder.path().join(format);
        let path = path.to_str().expect("UTF-8");
        ludens(&["export", "buttons", "--to", format, "--output", path]).expect(0);
        assert_eq!(std::fs::read_to_string(path).expect("written"), text, "{format}");
        assert!(text.len() > 200, "{format}: {text}");
    }
    // What was written plays the same.
    let ground = ludens(&["export", "buttons", "--to", "gdl"]).expect(0).out;
    let path = write(folder.path(), "ground.kif", ground);
    let perft =
        |game: &str| ludens(&["perft", game, "4", "--json"]).expect(0).json()["depths"][3]["count"].clone();
    assert_eq!(perft(&path), perft("buttons"));
    let unknown = ludens(&["export", "buttons", "--to", "latin"]).expect(2).err;
    assert!(unknown.contains("prolog"), "{unknown}");
    let several = ludens(&["export", "tic-tac-toe", "--to", "pddl"]).expect(2).err;
    assert!(several.contains("one player"), "{several}");
}
