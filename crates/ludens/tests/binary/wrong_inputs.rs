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
    assert!(ludens(&["verify", "tic-tac-toe", &trace]).expect(2).err.contains("is not a trace"));
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
    assert!(ludens(&["verify", &game, &noise]).expect(2).err.contains("is not a trace"));
    let other = write(folder.path(), "other.json", "[1, 2]");
    assert!(ludens(&["verify", &game, &other]).expect(2).err.contains("is not a trace"));
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
