//! A database on disk.

use referee::MatchRecord;
use store::{OpenMatch, Outcome, Store, StoreError};

fn record(match_id: &str) -> MatchRecord {
    MatchRecord { match_id: match_id.to_owned(), goal_values: vec![100, 0], ..MatchRecord::default() }
}

#[test]
fn what_was_kept_is_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.run("settings", 1).unwrap();
    store.begin(run, 1, &record("b")).unwrap();
    store.end(&record("b"), Outcome::Finished, 3).unwrap();
    store.begin(run, 0, &record("a")).unwrap();
    let mut changed = record("a");
    changed.moves.push(vec!["noop".to_owned()]);
    store.update(&changed).unwrap();
    drop(store);

    let mut store = Store::open(&path).unwrap();
    let other = store.run("other settings", 4).unwrap();
    assert_ne!(other, run);
    assert_eq!(store.run("settings", 4).unwrap(), run);
    assert_eq!(store.unfinished(run, 3).unwrap(), [0, 2]);
    assert_eq!(store.interrupt(run, 5).unwrap(), [changed]);
    assert!(store.interrupt(run, 5).unwrap().is_empty());
    assert_eq!(store.attempts(run, 0).unwrap(), 1);
    assert_eq!(store.records(run).unwrap(), [record("b")]);
    assert!(store.records(other).unwrap().is_empty());
}

#[test]
fn a_number_is_finished_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("m.db")).unwrap();
    let run = store.run("settings", 1).unwrap();
    store.begin(run, 0, &record("a")).unwrap();
    assert!(matches!(store.begin(run, 0, &record("b")), Err(StoreError::Database { .. })));
    store.end(&record("a"), Outcome::Interrupted, 2).unwrap();
    store.begin(run, 0, &record("b")).unwrap();
    store.end(&record("b"), Outcome::Finished, 3).unwrap();
    // What has ended stays as it ended.
    store.end(&record("b"), Outcome::Interrupted, 4).unwrap();
    assert!(store.begin(run, 0, &record("c")).is_err());
    assert_eq!(store.records(run).unwrap().len(), 1);
    assert_eq!(store.aborted(run).unwrap(), 0);
}

#[test]
fn two_writers_are_one_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let store = Store::open(&path).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(error.to_string().contains("another process"), "{error}");
    drop(store);
    assert!(Store::open(&path).is_ok());
}

#[test]
fn what_is_no_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    std::fs::write(&path, "this is not a database, but it is long enough to be looked at".repeat(20))
        .unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Foreign { .. })));
    assert!(Store::open(&folder.path().join("nowhere/m.db")).is_err());
}

#[test]
fn open_matches_are_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let open = |id: &str, changed: u64| OpenMatch {
        id: id.to_owned(),
        changed,
        settings: "{}".to_owned(),
        record: record(id),
    };
    let mut store = Store::open(&path).unwrap();
    store.keep(&open("a", 1)).unwrap();
    store.keep(&open("b", 2)).unwrap();
    let mut later = open("a", 3);
    later.record.moves.push(vec!["noop".to_owned()]);
    store.keep(&later).unwrap();
    drop(store);

    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.kept("a").unwrap(), Some(later.clone()));
    assert_eq!(store.kept("c").unwrap(), None);
    assert_eq!(store.latest(9).unwrap(), [later.clone(), open("b", 2)]);
    store.forget_all_but(1).unwrap();
    assert_eq!(store.latest(9).unwrap(), [later]);
    assert!(store.forget("a").unwrap() && !store.forget("a").unwrap());
    assert!(store.ended_matches(None, 0, 9).unwrap().is_empty());
}

#[test]
fn a_file_of_the_layout_before_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.run("settings", 1).unwrap();
    store.begin(run, 0, &record("a")).unwrap();
    store.end(&record("a"), Outcome::Finished, 2).unwrap();
    drop(store);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("DROP TABLE open_matches; PRAGMA user_version = 1;").unwrap();
    drop(connection);

    let store = Store::open(&path).unwrap();
    assert_eq!(store.ended_matches(None, 0, 9).unwrap()[0].record, record("a"));
    assert!(store.latest(9).unwrap().is_empty());
}

#[test]
fn runs_and_their_matches_are_browsed_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("m.db")).unwrap();
    let [one, two] = ["one", "two"].map(|settings| store.run(settings, 5).unwrap());
    for (run, number, id) in [(one, 0, "a"), (two, 0, "b"), (one, 1, "c"), (one, 2, "d")] {
        store.begin(run, number, &record(id)).unwrap();
        if id != "d" {
            store.end(&record(id), Outcome::Finished, 7).unwrap();
        }
    }
    let settings: Vec<String> = store.runs().unwrap().into_iter().map(|run| run.settings).collect();
    assert_eq!(settings, ["two", "one"]);
    let ids = |run, from, count| -> Vec<String> {
        let found = store.ended_matches(run, from, count).unwrap();
        found.into_iter().map(|ended| ended.record.match_id).collect()
    };
    assert_eq!(ids(None, 0, 9), ["c", "b", "a"]);
    assert_eq!(ids(None, 1, 1), ["b"]);
    assert_eq!(ids(Some(one), 0, 9), ["c", "a"]);
    assert_eq!((store.count_ended(None).unwrap(), store.count_ended(Some(two)).unwrap()), (3, 1));
    let found = store.find_ended("c").unwrap().expect("it has ended");
    assert_eq!((found.run, found.number, found.ended), (one, 1, 7));
    assert!(store.find_ended("d").unwrap().is_none(), "it has not ended");
    store.forget_run(one).unwrap();
    assert_eq!((store.runs().unwrap().len(), store.count_ended(None).unwrap()), (1, 1));
}
