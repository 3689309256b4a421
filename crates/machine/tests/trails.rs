//! Paths over small graphs, with the list of what was visited or the number of steps: wherever that argument is dropped
//! the circuit says the same as the reference reasoner, which takes the rules as they were written; where it
//! matters it is not dropped.

use ground::Budget;
use machine::circuit::CircuitMachine;
use machine::reference::Reference;
use proptest::prelude::*;
use verify::PlayoutLimits;

/// A graph whose edges are turned on and off. Each pair with a path, as the rules for `way` tell it, is a legal move, so that
/// every state is compared for all pairs; the goal and the end deny a path.
const GAME: &str = "
    (role r) (node a) (node b) (node c)
    (init (clock 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (<= (pair ?x ?y) (node ?x) (node ?y))
    (<= (legal r (flip ?x ?y)) (pair ?x ?y))
    (<= (legal r (say ?x ?y)) (way ?x ?y))
    (<= (next (edge ?x ?y)) (does r (flip ?x ?y)) (not (true (edge ?x ?y))))
    (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does r (flip ?x ?y))))
    (<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n))
    (<= terminal (true (clock 6))) (<= terminal (way a c) (not (way c a)))
    (<= (goal r 100) (not (way a b))) (<= (goal r 0) (way a b))";

/// Lists of at most three nodes, who is in them, and the list with somebody more at its end if he was not in it.
const LISTS: &str = "
    (list nil) (<= (list (cons ?a nil)) (item ?a)) (<= (list (cons ?a (cons ?b nil))) (item ?a) (item ?b))
    (<= (list (cons ?a (cons ?b (cons ?c nil)))) (item ?a) (item ?b) (item ?c))
    (<= (in ?x (cons ?x ?l)) (item ?x) (list ?l)) (<= (in ?x (cons ?y ?l)) (item ?y) (list ?l) (in ?x ?l))
    (<= (more ?x nil (cons ?x nil)) (item ?x))
    (<= (more ?x (cons ?y ?l) (cons ?y ?m)) (item ?x) (item ?y) (distinct ?x ?y) (list ?l) (more ?x ?l ?m) (list ?m))
    (item a) (item b) (item c)";

/// Paths with a list that is handed to the rest of the path, with a name for each node and two relations in turn.
const DOWN: &str = "
    (name a 1) (name b 2) (name c 3)
    (<= (way ?x ?y) (path ?x ?y nil))
    (<= (path ?x ?y ?l) (name ?x ?i) (more ?i ?l ?m) (rest ?x ?y ?m))
    (<= (rest ?x ?y ?l) (true (edge ?x ?y)) (list ?l))
    (<= (rest ?x ?y ?l) (true (edge ?x ?z)) (path ?z ?y ?l) (list ?l))";

/// The list grows along the path, its newest member in front, and begins with where the path does.
const UP: &str = "
    (<= (way ?x ?y) (path ?x ?y ?l))
    (<= (path ?x ?x (cons ?x nil)) (node ?x))
    (<= (path ?x ?z (cons ?z ?l)) (path ?x ?y ?l) (true (edge ?y ?z)) (list ?l) (not (in ?z ?l)))";

/// Who goes on is put on the list, which must not have him yet.
const FRONT: &str = "
    (<= (way ?x ?y) (path ?x ?y nil))
    (<= (path ?x ?y ?l) (true (edge ?x ?y)) (list ?l) (not (in ?x ?l)))
    (<= (path ?x ?y ?l) (true (edge ?x ?z)) (not (in ?x ?l)) (path ?z ?y (cons ?x ?l)) (list ?l))";

/// The steps of a path are counted, up to two: enough for three nodes.
const COUNTED: &str = "
    (<= (way ?x ?y) (path ?x ?y ?n)) (after 0 1) (after 1 2)
    (<= (path ?x ?x 0) (node ?x))
    (<= (path ?x ?z ?n) (path ?x ?y ?m) (true (edge ?y ?z)) (after ?m ?n))";

/// Who is on the list is written as a term.
const CELLS: &str = "
    (at a 1 1) (at b 1 2) (at c 1 3)
    (<= (step ?i ?j ?k ?l) (true (edge ?x ?y)) (at ?x ?i ?j) (at ?y ?k ?l))
    (<= (way ?x ?y) (at ?x ?i ?j) (at ?y ?k ?l) (path ?i ?j ?k ?l ?t))
    (<= (path ?i ?j ?i ?j (cons (cell ?i ?j) nil)) (at ?x ?i ?j))
    (<= (path ?i ?j ?m ?n (cons (cell ?m ?n) ?t)) (path ?i ?j ?k ?l ?t) (step ?k ?l ?m ?n) (at ?x ?m ?n)
        (not (in (cell ?m ?n) ?t)))";

fn lists_of(items: &str) -> String {
    LISTS.replace("(item a) (item b) (item c)", items)
}

/// Sheets whose argument is dropped.
fn dropped() -> Vec<(&'static str, String)> {
    vec![
        ("down", format!("{DOWN} {}", lists_of("(item 1) (item 2) (item 3)"))),
        ("up", format!("{UP} {LISTS}")),
        ("front", format!("{FRONT} {LISTS}")),
        ("counted", COUNTED.to_owned()),
        ("cells", format!("{CELLS} {}", lists_of("(item (cell 1 1)) (item (cell 1 2)) (item (cell 1 3))"))),
    ]
}

/// Sheets that are nearly the same, and whose argument matters or might.
fn kept() -> Vec<(&'static str, String)> {
    let down = format!("{DOWN} {}", lists_of("(item 1) (item 2) (item 3)"));
    let up = format!("{UP} {LISTS}");
    let front = format!("{FRONT} {LISTS}");
    let counted = COUNTED.to_owned();
    let change = |name: &'static str, text: &str, old: &str, new: &str| {
        assert!(text.contains(old), "{name}");
        (name, text.replace(old, new))
    };
    vec![
        change(
            "the list is told",
            &up,
            "(way ?x ?y) (path ?x ?y ?l)",
            "(way ?x ?y) (path ?x ?y ?l) (in b ?l)",
        ),
        change(
            "a list of two is asked for",
            &up,
            "(path ?x ?y ?l))",
            "(path ?x ?y (cons ?a (cons ?b nil))))",
        ),
        change("it must have been visited", &up, "(not (in ?z ?l))", "(in ?z ?l)"),
        change("what is visited may not be told", &up, "(cons ?z ?l)) (path", "(cons ?y ?l)) (path"),
        change(
            "lists are short",
            &down,
            "(<= (list (cons ?a (cons ?b (cons ?c nil))))",
            "(<= (other (cons ?a (cons ?b (cons ?c nil))))",
        ),
        change("one cannot be listed", &down, "(item 3)", "(item 4)"),
        change("two have the same name", &down, "(name c 3)", "(name c 2)"),
        change("it begins with somebody", &down, "(path ?x ?y nil)", "(path ?x ?y (cons 2 nil))"),
        change(
            "the end must be new",
            &front,
            "(list ?l) (not (in ?x ?l)))",
            "(list ?l) (not (in ?x ?l)) (not (in ?y ?l)))",
        ),
        change(
            "one must not follow another",
            &front,
            "(not (in ?x ?l)) (path",
            "(not (in ?x ?l)) (not (bad ?x ?l)) (path",
        )
        .and("(<= (bad a (cons b ?l)) (list ?l))"),
        change("the state forbids", &up, "(not (in ?z ?l))", "(not (in ?z ?l)) (not (odd ?l))")
            .and("(<= (odd (cons ?x ?l)) (true (edge ?x ?x)) (list ?l))"),
        change("too few steps", &counted, "(after 1 2)", ""),
        change(
            "the number is read",
            &counted,
            "(way ?x ?y) (path ?x ?y ?n)",
            "(way ?x ?y) (path ?x ?y ?n) (after ?n 2)",
        ),
        change(
            "some steps count twice",
            &counted,
            "(<= (path ?x ?x 0) (node ?x))",
            "(<= (path ?x ?x 0) (node ?x))
            (<= (path ?x a ?n) (path ?x ?y ?m) (true (edge ?y a)) (after ?m ?k) (after ?k ?n))",
        ),
        change("two at once", &counted, "(true (edge ?y ?z))", "(path ?y ?z 0)"),
    ]
}

/// More rules for a changed sheet.
trait And {
    fn and(self, more: &str) -> Self;
}

impl And for (&'static str, String) {
    fn and(self, more: &str) -> Self {
        (self.0, format!("{} {more}", self.1))
    }
}

/// Whether arguments are dropped, after comparing the circuit with the reference.
fn drops(name: &str, text: &str, edges: u16, walks: u64) -> bool {
    let nodes = ["a", "b", "c"];
    let edge = |place: usize| format!("(init (edge {} {}))", nodes[place / 3], nodes[place % 3]);
    let init: String = (0..9).filter(|place| edges >> place & 1 != 0).map(edge).collect();
    let sheet = format!("{GAME} {init} {text}");
    let rules = gdl::normal::read(&sheet);
    assert!(rules.faults.is_empty(), "{name}: {:?}", rules.faults);
    let reference = Reference::new(&rules, Default::default()).expect("it has roles");
    let mut ground = ground::ground(&rules, &Budget::unlimited()).expect("it is small");
    let dropped = ground.report.dropped > 0;
    let built = circuit::build(&mut ground, circuit::Effort::Quick, &Budget::unlimited());
    let machine = CircuitMachine::new(std::sync::Arc::new(built.expect("it is small").0));
    let limits = PlayoutLimits { steps: 10 };
    verify::walk(&reference, &machine, walks, u64::from(edges), limits)
        .unwrap_or_else(|difference| panic!("{name}: {difference}\n{init}"));
    dropped
}

#[test]
fn what_only_forbids_is_dropped() {
    for (name, text) in dropped() {
        assert!(drops(name, &text, 0b001_100_010, 5), "{name}");
    }
}

#[test]
fn what_matters_is_kept() {
    for (name, text) in kept() {
        assert!(!drops(name, &text, 0b001_100_010, 2), "{name}");
    }
}

#[test]
fn a_game_of_the_corpus_agrees_with_the_reference() {
    let folder = std::env::var_os("LUDENS_CORPUS").map(std::path::PathBuf::from);
    let folder = folder.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into());
    let Ok(bytes) = std::fs::read(folder.join("games/laikLee_hex.kif")) else {
        println!("skipped: set LUDENS_CORPUS to the folder with games and traces");
        return;
    };
    let rules = gdl::normal::read(&String::from_utf8_lossy(&bytes));
    let reference = Reference::new(&rules, Default::default()).expect("it has roles");
    let built = machine::build::circuit(&rules, circuit::Effort::Thorough, &Budget::unlimited());
    let machine = CircuitMachine::new(built.expect("its lists are dropped").circuit);
    let report = verify::walk(&reference, &machine, 60, 3, PlayoutLimits { steps: 30 })
        .unwrap_or_else(|difference| panic!("{difference}"));
    assert!(report.states > 1000, "{report:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn paths_are_the_same_in_any_graph(edges: u16, sheet in 0..5usize) {
        let (name, text) = &dropped()[sheet];
        prop_assert!(drops(name, text, edges, 2));
    }
}
