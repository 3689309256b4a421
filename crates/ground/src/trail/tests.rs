use gdl::normal::{print_normal_rule, read};

use super::drop_trails;

/// A list is handed down, and begins empty.
const DOWN: &str = "
    (role r) (item a) (item b) (list nil) (<= (list (cons ?x nil)) (item ?x))
    (<= (list (cons ?x (cons ?y nil))) (item ?x) (item ?y))
    (<= (in ?x (cons ?x ?l)) (item ?x) (list ?l)) (<= (in ?x (cons ?y ?l)) (item ?y) (in ?x ?l))
    (<= terminal (path a b nil))
    (<= (path ?x ?y ?l) (true (edge ?x ?y)) (item ?x) (list ?l) (not (in ?x ?l)))
    (<= (path ?x ?y ?l) (true (edge ?x ?z)) (item ?x) (list ?l) (not (in ?x ?l)) (path ?z ?y (cons ?x ?l)))";

fn printed(text: &str) -> Option<Vec<String>> {
    let (rules, count) = drop_trails(&read(text))?;
    assert_eq!(count, 1);
    Some(rules.rules.iter().map(|rule| print_normal_rule(&rules.symbols, rule)).collect())
}

#[test]
fn the_list_is_gone_with_its_rules() {
    assert_eq!(
        printed(DOWN).expect("it only forbids"),
        [
            "(role r)",
            "(item a)",
            "(item b)",
            "(<= terminal (path#any1 a b))",
            "(<= (path#any1 ?x ?y) (true (edge ?x ?y)) (item ?x))",
            "(<= (path#any1 ?x ?y) (true (edge ?x ?z)) (item ?x) (path#any1 ?z ?y))",
        ]
    );
}

#[test]
fn a_list_that_might_matter_stays() {
    let refused = |old: &str, new: &str| {
        assert!(DOWN.contains(old), "{old}");
        assert_eq!(printed(&DOWN.replace(old, new)), None, "{new}");
    };
    // It is asked for with a list that depends on the state, or that somebody is in from the beginning.
    refused("(path a b nil)", "(true (seen ?l)) (list ?l) (path a b ?l)");
    refused("(path a b nil)", "(path a b (cons b nil))");
    // There are too few lists, for all elements or for one of them.
    refused("(<= (list (cons ?x nil)) (item ?x))", "");
    refused("(<= (list (cons ?x nil)) (item ?x))", "(list (cons a nil))");
    // Somebody must be in the list; somebody else may not.
    refused("(list ?l) (not (in ?x ?l)) (path", "(list ?l) (in ?x ?l) (path");
    refused("(not (in ?x ?l)) (path", "(not (in ?z ?l)) (path");
    // One element stands for several nodes.
    refused("(path ?z ?y (cons ?x ?l))", "(owner ?x ?o) (path ?z ?y (cons ?o ?l))");
    // What may be on the list cannot be told.
    refused("(true (edge ?x ?z)) (item ?x)", "(path ?x ?z (cons ?x ?l))");
    // The list is changed in two ways, or decides about more than where the path goes.
    refused(
        "(role r)",
        "(role r) (<= (path ?x ?y ?l) (true (edge ?x ?y)) (list ?l) (path ?y ?x (cons ?x (cons ?y ?l))))",
    );
    refused("(path ?z ?y (cons ?x ?l))", "(path ?z ?l (cons ?x ?l))");
    // The state decides whether the list allows it.
    refused("(list nil)", "(<= (list nil) (true open))");
}

#[test]
fn numbers_of_steps_are_dropped_where_they_suffice() {
    let counted = |successors: &str| {
        printed(&format!(
            "(role r) (node a) (node b) (node c) {successors} (<= terminal (reach c ?n)) (reach a 0)
             (<= (reach ?y ?n) (reach ?x ?m) (true (edge ?x ?y)) (node ?x) (node ?y) (succ ?m ?n))"
        ))
    };
    let rules = counted("(succ 0 1) (succ 1 2)").expect("two steps lead to all of three nodes");
    assert!(rules.contains(&"(<= terminal (reach#any1 c))".to_owned()), "{rules:?}");
    assert_eq!(counted("(succ 0 1)"), None);
    assert_eq!(counted("(succ 0 1) (<= (succ 1 2) (true late))"), None);
}

#[test]
fn of_the_games_of_the_corpus_few_have_such_lists() {
    let folder = std::env::var_os("LUDENS_CORPUS").map(std::path::PathBuf::from);
    let folder = folder.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into());
    let Ok(entries) = std::fs::read_dir(folder.join("games")) else {
        println!("skipped: set LUDENS_CORPUS to the folder with games and traces");
        return;
    };
    let mut found = Vec::new();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        if drop_trails(&read(&String::from_utf8_lossy(&bytes))).is_some() {
            found.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    found.sort();
    assert_eq!(found, ["laikLee_hex"]);
}
