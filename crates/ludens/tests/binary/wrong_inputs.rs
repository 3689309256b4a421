//! Wrong inputs get an answer that says what to do, and the right exit code.

use std::io::Write;
use std::process::Stdio;

use crate::support::{COUNTDOWN, COUNTDOWN_TRACE, command, ludens, ludens_with_input, write};

#[test]
fn missing_files() {
    for arguments in [
        &["check", "no/such.kif"][..],
        &["fmt", "no/such.kif"],
        &["info", "no/such.kif"],
        &["verify", "tic-tac-toe", "no/such.json"],
        &["verify", "--corpus", "no/such"],
    ] {
        let run = ludens(arguments).expect(2);
        assert!(run.err.contains("no/such"), "{}", run.err);
    }
}

#[test]
fn unknown_games_are_answered_with_a_suggestion() {
    let run = ludens(&["info", "tic-tac-to"]).expect(2);
    assert!(run.err.contains("did you mean `tic-tac-toe`"), "{}", run.err);
    assert!(ludens(&["info", "qqqqqqqqqqqq"]).expect(2).err.contains("ludens games"));
}

#[test]
fn bad_numbers_and_names() {
    for arguments in [
        &["perft", "tic-tac-toe", "0"][..],
        &["perft", "tic-tac-toe", "-1"],
        &["perft", "tic-tac-toe", "many"],
        &["perft", "tic-tac-toe"],
        &["simulate", "tic-tac-toe", "--playouts", "0"],
        &["simulate", "tic-tac-toe", "--machine", "warp"],
        &["show", "tic-tac-toe", "--stage", "curtain"],
        &["verify", "tic-tac-toe"],
        &["verify", "tic-tac-toe", "trace.json", "--corpus", "."],
        &["check"],
        &["check", "--strict", "--lenient", "a.kif"],
        &["dance"],
        &[],
    ] {
        ludens(arguments).expect(2);
    }
}

#[test]
fn folders_instead_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    for arguments in [&["check", path][..], &["info", path], &["fmt", path], &["verify", "tic-tac-toe", path]]
    {
        assert!(ludens(arguments).expect(2).err.contains("is a folder"));
    }
    // The folder of a game stands for the rules in it.
    write(folder.path(), "rules.kif", COUNTDOWN);
    ludens(&["info", path]).expect(0);
}

#[test]
fn empty_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "empty.kif", "");
    assert!(ludens(&["check", &file]).expect(1).out.contains("gdl::missing_role"));
    for arguments in [&["info", &file][..], &["perft", &file, "1"], &["watch", &file]] {
        assert!(ludens(arguments).expect(1).err.contains("no roles"));
    }
    ludens(&["fmt", &file]).expect(0);
    let trace = write(folder.path(), "empty.json", "");
    assert!(
        ludens(&["verify", "tic-tac-toe", &trace]).expect(2).err.contains("is neither a trace nor a record")
    );
}

#[test]
fn traces_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let game = write(folder.path(), "countdown.kif", COUNTDOWN);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(COUNTDOWN_TRACE.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    let good = write(folder.path(), "good.json.gz", &compressed);
    ludens(&["verify", &game, &good]).expect(0);
    let cut = write(folder.path(), "cut.json.gz", &compressed[..compressed.len() / 2]);
    assert!(ludens(&["verify", &game, &cut]).expect(2).err.contains("damaged or cut off"));
    let noise = write(folder.path(), "noise.json", b"\x00\xff{{{");
    assert!(ludens(&["verify", &game, &noise]).expect(2).err.contains("is neither a trace nor a record"));
    let other = write(folder.path(), "other.json", "[1, 2]");
    assert!(ludens(&["verify", &game, &other]).expect(2).err.contains("is neither a trace nor a record"));
}

#[test]
fn a_huge_sheet_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.kif");
    // A file with a hole: it takes no room on the disk.
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let run = ludens(&["check", path.to_str().unwrap()]).expect(2);
    assert!(run.err.contains("at most"), "{}", run.err);
}

#[test]
fn deep_nesting_and_endless_recursion_are_answered() {
    let deep = "(".repeat(100_000);
    ludens_with_input(&["check", "-"], &deep).expect(1);
    let growing =
        "(role a) (init (n z)) (legal a w) (num z) (<= (num (s ?x)) (num ?x)) (<= terminal (num (s ?x)))
        (goal a 100)";
    let run = ludens_with_input(&["perft", "-", "2", "--memory", "16"], growing).expect(1);
    assert!(run.err.contains("--memory"), "{}", run.err);
    let run = ludens_with_input(&["check", "-", "--memory", "16"], growing).expect(1);
    assert!(run.out.contains("gdl::"), "{}", run.out);
}

#[test]
fn faults_met_in_play_are_told() {
    let stuck =
        COUNTDOWN.replace("(legal you wait)\n(legal you take)", "(<= (legal you wait) (true (left 2)))");
    let run = ludens_with_input(&["simulate", "-"], &stuck).expect(1);
    assert!(run.err.contains("role `you` has no legal move"), "{}", run.err);
    let endless =
        COUNTDOWN.replace("(<= (next (left 0)) (true (left 1)))", "(<= (next (left 2)) (true (left 1)))");
    let run = ludens_with_input(&["simulate", "-", "--steps", "50"], &endless).expect(1);
    assert!(run.err.contains("50 steps") && run.err.contains("--steps"), "{}", run.err);
    ludens_with_input(&["watch", "-", "--steps", "50"], &endless).expect(1);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(&["watch", "breakthrough"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let output = command(&["games"]).stdout(full).output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error:"));
}

/// A referee of one short match that keeps it in a file.
fn referee(db: &str) -> [&str; 12] {
    let player = "agent:random";
    [
        "referee",
        "tic-tac-toe",
        "--player",
        player,
        "--player",
        player,
        "--start-clock",
        "1",
        "--play-clock",
        "1",
        "--db",
        db,
    ]
}

/// An arena of one match that keeps it in a file.
fn arena(out: &str) -> [&str; 8] {
    ["arena", "tic-tac-toe", "--players", "random,legal", "--matches", "1", "--out", out]
}

#[test]
#[cfg(unix)]
fn devices_and_pipes_keep_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (pipe, place) = (pipe.to_str().unwrap(), folder.path().to_str().unwrap());
    for path in ["/dev/null", "/dev/zero", pipe, place] {
        let video = ["video", "tournament", "training", "--players", "random", "--runs", "1", "--out", path];
        for arguments in [&referee(path)[..], &arena(path), &video] {
            let run = ludens(arguments).expect(2);
            assert!(run.err.contains("is not a file"), "{path}: {}", run.err);
            assert_eq!(run.err.matches(path).count(), 1, "it is said once: {}", run.err);
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was left beside the pipe");
}

#[test]
fn files_of_others_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let list = write(folder.path(), "list.txt", "milk\nbread\n");
    let photos = folder.path().join("photos.db");
    let connection = rusqlite::Connection::open(&photos).unwrap();
    connection.execute_batch("CREATE TABLE photos (name TEXT); INSERT INTO photos VALUES ('a')").unwrap();
    drop(connection);
    let before = std::fs::read(&photos).unwrap();
    let photos = photos.to_str().unwrap();
    for path in [&list[..], photos] {
        let run = ludens(&referee(path)).expect(2);
        assert!(run.err.contains("is no database of matches"), "{}", run.err);
        ludens(&arena(path)).expect(2);
    }
    assert_eq!(std::fs::read(photos).unwrap(), before);
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "milk\nbread\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing was left beside them");
}

#[test]
#[cfg(unix)]
fn what_commands_write_replaces_nothing_but_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let list = write(folder.path(), "list.txt", "milk\nbread\n");
    let drawing = write(folder.path(), "drawing.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>");
    let page = write(folder.path(), "page.html", "<!doctype html><html lang=en><title>Mine</title></html>");
    let others = [list, drawing, page];
    let before = others.clone().map(|path| std::fs::read(path).unwrap());
    let played = ludens(&["match", "nim", "--players", "random,random", "--json"]).expect(0);
    let record = write(folder.path(), "record.json", played.out);
    let commands = [
        &["draw", "nim", "--out"][..],
        &["evaluate", "tic-tac-toe", "--samples", "50", "--page"],
        &["replay", &record, "--convert"],
        &["export", "nim", "--to", "gdl", "--output"],
        &["export", "nim", "--to", "dot", "--output"],
    ];
    for command in commands {
        for path in ["/dev/null", pipe.to_str().unwrap(), folder.path().to_str().unwrap()] {
            let run = ludens(&[command, &[path]].concat()).expect(2);
            assert!(run.err.contains("is not a file"), "{command:?} {path}: {}", run.err);
        }
        for path in &others {
            let run = ludens(&[command, &[path]].concat()).expect(2);
            assert!(run.err.contains("left as it is"), "{command:?} {path}: {}", run.err);
        }
        // Its own are written anew.
        let own = folder.path().join("own");
        for _ in 0..2 {
            ludens(&[command, &[own.to_str().unwrap()]].concat()).expect(0);
        }
        std::fs::remove_file(own).unwrap();
    }
    assert_eq!(others.map(|path| std::fs::read(path).unwrap()), before);
    write(folder.path(), "README.md", "# My project\n");
    let run = ludens(&["draw", "nim", "--gallery", folder.path().to_str().unwrap()]).expect(2);
    assert!(run.err.contains("left as it is"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("README.md")).unwrap(), "# My project\n");
}

/// A tournament of two in one game, with more lines at the top.
fn tournament(folder: &std::path::Path, top: &str) -> String {
    let entrant = |name: &str| format!("[[entrants]]\nname = \"{name}\"\nagent = \"random@1\"\n");
    let stage = "[[stages]]\nkind = \"round-robin\"\ngames = [\"nim\"]\n";
    write(folder, "cup.toml", format!("{top}\n{}{}{stage}", entrant("a"), entrant("b")))
}

#[test]
#[cfg(unix)]
fn a_tournament_replaces_nothing_but_its_own_files() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let list = write(folder.path(), "list.txt", "milk\nbread\n");
    let notes = write(folder.path(), "notes.json", "{\"matches\": [], \"stages\": []}");
    let before = std::fs::read_dir(folder.path()).unwrap().count();
    let refused = |what: &str, path: &str, said: &str| {
        let file = tournament(folder.path(), &format!("{what} = \"{path}\""));
        // A device that everybody needs is asked for only where nothing would be written.
        let all = [&["--check"][..], &[]];
        for more in all.into_iter().filter(|more| path != "/dev/null" || !more.is_empty()) {
            let run = ludens(&[&["tournament", &file][..], more].concat()).expect(2);
            assert!(run.err.contains(said) && run.err.matches(path).count() == 1, "{path}: {}", run.err);
        }
    };
    for what in ["page", "json"] {
        for path in ["/dev/null", pipe.to_str().unwrap(), folder.path().to_str().unwrap()] {
            refused(what, path, "is not a file");
        }
        for path in [&list, &notes] {
            refused(what, path, "left as it is");
        }
        refused(what, "cup.toml", "left as it is");
        refused(what, "cup.db", "cannot be two things");
    }
    for path in ["/dev/null", pipe.to_str().unwrap(), folder.path().to_str().unwrap()] {
        refused("database", path, "is not a file");
    }
    refused("database", &list, "is no database of matches");
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "milk\nbread\n");
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        before + 1,
        "nothing was left but the file"
    );
    // Its own are written anew.
    let file = tournament(folder.path(), "");
    for _ in 0..2 {
        ludens(&["tournament", &file]).expect(0);
    }
}

#[test]
fn errors_say_a_thing_once() {
    let folder = tempfile::tempdir().unwrap();
    // A database that was cut off.
    let path = folder.path().join("cut.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE runs (id); CREATE TABLE matches (id)").unwrap();
    drop(connection);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let run = ludens(&referee(path.to_str().unwrap())).expect(2);
    let parts: Vec<&str> = run.err.trim().split(": ").collect();
    let unique: std::collections::HashSet<&&str> = parts.iter().collect();
    assert_eq!(unique.len(), parts.len(), "{}", run.err);
    let run = ludens(&referee("no/such/folder/matches.db")).expect(2);
    assert_eq!(run.err.matches("No such file").count(), 1, "{}", run.err);
}
