//! Rules that use what there is one of say the same as the rules they were made of.

mod support;

use std::time::Duration;

use circuit::{Effort, build, build_unique};
use game::{Describe, Expansion, Game};
use ground::{Budget, GroundError, Strategy, ground, ground_by};
use support::{PlainGame, rules, trace};

/// A king and a rook on a board of three by three. The king must not stay on the rook's lines, and who leaves the
/// board is out. What the king does depends on where it is under "not", and on what the move was in two ways.
const KING: &str = "
    (role w) (role b) (init (cell 1 1 k)) (init (cell 3 3 r)) (init (turn w)) (init (step 0))
    (n 1) (n 2) (n 3) (succ 1 2) (succ 2 3) (count 0 1) (count 1 2) (count 2 3) (count 3 4) (count 4 5)
    (owner k w) (owner r b)
    (<= (square ?x ?y) (n ?x) (n ?y))
    (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x)) (<= (near ?x ?x) (n ?x))
    (<= (other ?x ?y ?u ?v) (square ?x ?y) (square ?u ?v) (distinct ?x ?u))
    (<= (other ?x ?y ?u ?v) (square ?x ?y) (square ?u ?v) (distinct ?y ?v))
    (<= (line ?x ?y ?x ?v) (other ?x ?y ?x ?v)) (<= (line ?x ?y ?u ?y) (other ?x ?y ?u ?y))
    (<= (threatened ?r ?x ?y) (owner ?p ?o) (distinct ?r ?o) (role ?r) (true (cell ?u ?v ?p)) (line ?u ?v ?x ?y))
    (<= (safe ?r ?x ?y) (square ?x ?y) (role ?r) (not (threatened ?r ?x ?y)))
    (<= (legal ?r (go ?p ?u ?v ?x ?y)) (true (turn ?r)) (owner ?p ?r) (true (cell ?u ?v ?p)) (other ?u ?v ?x ?y)
        (near ?u ?x) (near ?v ?y) (safe ?r ?x ?y))
    (<= (legal ?r (stay ?x ?y)) (true (turn ?r)) (square ?x ?y) (owner ?p ?r) (true (cell ?u ?v ?p))
        (not (threatened ?r ?u ?v)) (near ?u ?x) (near ?v ?y) (not (line ?u ?v ?x ?y)))
    (<= (legal ?r pass) (role ?r) (not (true (turn ?r)))) (<= (legal ?r give) (true (turn ?r)))
    (<= (next (cell ?x ?y ?p)) (does ?r (go ?p ?u ?v ?x ?y)))
    (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?r (go ?q ?u ?v ?s ?t)) (other ?x ?y ?u ?v) (other ?x ?y ?s ?t)
        (distinct ?q ?p))
    (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?r (stay ?s ?t)))
    (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?r give))
    (<= (next (seen ?x ?y)) (does ?r (go ?p ?u ?v ?s ?t)) (square ?x ?y) (distinct ?x ?u) (distinct ?y ?t))
    (<= (next (step ?m)) (true (step ?n)) (count ?n ?m))
    (<= (next (turn w)) (true (turn b))) (<= (next (turn b)) (true (turn w)))
    (<= terminal (true (step 5)))
    (<= (goal ?r 100) (role ?r) (owner ?p ?r) (true (cell ?x ?y ?p)) (not (threatened ?r ?x ?y)))
    (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))";

/// Both circuits of a game, if what there is one of helps.
fn both(rules: &gdl::normal::NormalRules) -> Option<[PlainGame; 2]> {
    let budget = Budget::unlimited();
    let mut ground_rules = ground(rules, &budget).expect("it can be grounded");
    let (unique, report) = build_unique(&ground_rules, &budget).expect("it can be built")?;
    assert_eq!(report.strategy, "one at a time");
    let (plain, _) = build(&mut ground_rules, Effort::Quick, &budget).expect("it can be built");
    Some([plain, unique].map(PlainGame::new))
}

/// Compares all that two games say along random games.
fn walk([plain, unique]: &[PlainGame; 2], walks: usize) {
    let mut seed = 5u64;
    let mut dice = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..walks {
        let mut states = [plain.initial(), unique.initial()];
        for _ in 0..200 {
            assert_eq!(plain.facts(&states[0]), unique.facts(&states[1]));
            let mut goals = [Vec::new(), Vec::new()];
            plain.goals(&mut (), &states[0], &mut goals[0]).expect("no fault");
            unique.goals(&mut (), &states[1], &mut goals[1]).expect("no fault");
            assert_eq!(goals[0], goals[1]);
            let mut expansions = [Expansion::new(), Expansion::new()];
            plain.expand(&mut (), &states[0], &mut expansions[0]).expect("no fault");
            unique.expand(&mut (), &states[1], &mut expansions[1]).expect("no fault");
            assert_eq!(expansions[0].is_terminal(), expansions[1].is_terminal());
            if expansions[0].is_terminal() {
                break;
            }
            let mut joints = [Vec::new(), Vec::new()];
            for role in (0..plain.role_count()).map(|role| game::RoleId(role as u16)) {
                let texts: Vec<String> =
                    expansions[0].legal(role).iter().map(|&option| plain.move_text(option)).collect();
                let others: Vec<String> =
                    expansions[1].legal(role).iter().map(|&option| unique.move_text(option)).collect();
                assert_eq!(texts, others);
                let chosen = &texts[dice(texts.len())];
                joints[0].push(plain.find_move(role, chosen).expect("a known move"));
                joints[1].push(unique.find_move(role, chosen).expect("a known move"));
            }
            states = [
                plain.apply(&mut (), &states[0], &joints[0]).expect("no fault"),
                unique.apply(&mut (), &states[1], &joints[1]).expect("no fault"),
            ];
        }
    }
}

#[test]
fn a_king_is_in_one_place() {
    let games = both(&gdl::normal::read(KING)).expect("there is one king");
    walk(&games, 300);
}

#[test]
fn nothing_is_unique_where_it_cannot_be_proven() {
    // There is one queen at the beginning, and two after a promotion.
    let text = KING.replace("(init (step 0))", "(init (step 0)) (init spare)").replace(
        "(<= (legal ?r pass)",
        "(<= (legal w double) (true (turn w)) (true spare)) (<= (next (cell 2 2 k)) (does w double))
         (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does w double)) (<= (legal ?r pass)",
    );
    assert!(both(&gdl::normal::read(&text)).is_none());
}

/// A row of six cells that is good if each of two numbers is in it exactly once, in one condition over all cells.
const ROW: &str = "
    (role r) (n 1) (n 2) (n 3) (c 1) (c 2) (c 3) (c 4) (c 5) (c 6) (eq 1 1) (eq 2 2) (eq 3 3)
    (<= (empty ?i) (c ?i) (not (true (mark ?i 1))) (not (true (mark ?i 2))) (not (true (mark ?i 3))))
    (<= (legal r (play ?i ?m)) (empty ?i) (n ?m)) (<= (next (mark ?i ?m)) (does r (play ?i ?m)))
    (<= (next (mark ?i ?m)) (true (mark ?i ?m)))
    (<= (first ?z ?a ?b ?c ?d ?e ?f) (eq ?z ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (not (eq ?z ?b)) (not (eq ?z ?c))
        (not (eq ?z ?d)) (not (eq ?z ?e)) (not (eq ?z ?f)))
    (<= (one ?z ?a ?b ?c ?d ?e ?f) (first ?z ?a ?b ?c ?d ?e ?f))
    (<= (one ?z ?a ?b ?c ?d ?e ?f) (first ?z ?b ?a ?c ?d ?e ?f))
    (<= (one ?z ?a ?b ?c ?d ?e ?f) (first ?z ?c ?a ?b ?d ?e ?f))
    (<= (one ?z ?a ?b ?c ?d ?e ?f) (first ?z ?d ?a ?b ?c ?e ?f))
    (<= (one ?z ?a ?b ?c ?d ?e ?f) (first ?z ?e ?a ?b ?c ?d ?f))
    (<= (one ?z ?a ?b ?c ?d ?e ?f) (first ?z ?f ?a ?b ?c ?d ?e))
    (<= good (true (mark 1 ?a)) (true (mark 2 ?b)) (true (mark 3 ?c)) (true (mark 4 ?d)) (true (mark 5 ?e))
        (true (mark 6 ?f)) (one 1 ?a ?b ?c ?d ?e ?f) (one 2 ?a ?b ?c ?d ?e ?f))
    (<= some (empty ?i)) (<= terminal (not some)) (<= (goal r 100) good) (<= (goal r 0) (not good))";

#[test]
fn conditions_on_many_variables_are_taken_apart() {
    let rules = gdl::normal::read(ROW);
    let budget = Budget::unlimited();
    let game = |strategy: Strategy| {
        let mut ground_rules = ground_by(&rules, strategy, &budget).expect("it can be grounded");
        let sets = ground_rules.assumptions().expect("they are known");
        assert_eq!(sets.is_empty(), strategy == Strategy::Split);
        PlainGame::new(build(&mut ground_rules, Effort::Quick, &budget).expect("it can be built").0)
    };
    walk(&[Strategy::Split, Strategy::Unique].map(game), 400);

    // A cell that is marked twice has two values, and nothing may be built on its having one.
    let twice =
        gdl::normal::read(&ROW.replace("(legal r (play ?i ?m)) (empty ?i)", "(legal r (play ?i ?m)) (c ?i)"));
    let mut ground_rules = ground_by(&twice, Strategy::Unique, &budget).expect("it can be grounded");
    let refused = build(&mut ground_rules, Effort::Quick, &budget).err();
    assert_eq!(refused, Some(GroundError::Unproven));

    // Whoever was short of time and assumed it goes on without.
    // More numbers, so that there is time to be short of.
    let twice = gdl::normal::read(&format!(
        "(n 4) (n 5) (eq 4 4) (eq 5 5) {}",
        ROW.replace("(legal r (play ?i ?m)) (empty ?i)", "(legal r (play ?i ?m)) (c ?i)")
    ));
    let mut ground_rules = (0..1000).find_map(assume_in_haste(&twice)).expect("some haste makes it assume");
    assert_eq!(ground_rules.report.failed, [(Strategy::Split, GroundError::OutOfTime)]);
    let hasty = PlainGame::new(build(&mut ground_rules, Effort::Quick, &budget).expect("it can be built").0);
    assert_eq!(ground_rules.report.strategy, Strategy::Split);
    assert_eq!(ground_rules.report.failed.last(), Some(&(Strategy::Unique, GroundError::Unproven)));
    let mut ground_rules = ground_by(&twice, Strategy::Split, &budget).expect("it can be grounded");
    let plain = PlainGame::new(build(&mut ground_rules, Effort::Quick, &budget).expect("it can be built").0);
    walk(&[plain, hasty], 50);
}

/// Grounds rules by a clock that leaps after so many readings, so that the first way takes more than its share; `None` if it
/// leaps too early or too late for that.
fn assume_in_haste(rules: &gdl::normal::NormalRules) -> impl Fn(usize) -> Option<ground::GroundRules> {
    move |readings| {
        let read = std::cell::Cell::new(0);
        let clock = || {
            read.set(read.get() + 1);
            Duration::from_secs(if read.get() > readings { 20 } else { 0 })
        };
        let budget = Budget { clock: &clock, deadline: Duration::from_secs(80), ..Budget::unlimited() };
        let ground_rules = ground(rules, &budget).ok()?;
        (ground_rules.report.strategy == Strategy::Unique).then_some(ground_rules)
    }
}

#[test]
fn two_of_a_kind_are_not_assumed_to_be_one() {
    // A row of three stones of one owner: of these there may be many, and the rule says so.
    let text = "(role r) (c 1) (c 2) (c 3) (c 4) (init (turn r))
        (line 1 1 1 2 1 3) (line 2 1 2 2 2 3) (line 1 4 2 4 3 4)
        (<= (legal r (put ?x ?y)) (c ?x) (c ?y) (not (true (stone ?x ?y r))))
        (<= (next (stone ?x ?y r)) (does r (put ?x ?y))) (<= (next (stone ?x ?y r)) (true (stone ?x ?y r)))
        (<= (row ?p) (line ?a ?b ?c ?d ?e ?f) (true (stone ?a ?b ?p)) (true (stone ?c ?d ?p)) (true (stone ?e ?f ?p)))
        (<= terminal (row r)) (<= (goal r 100) (row r))";
    let rules = gdl::normal::read(text);
    let ground_rules = ground_by(&rules, Strategy::Unique, &Budget::unlimited()).expect("it can be grounded");
    assert_eq!(ground_rules.assumptions(), Some(Vec::new()));
}

#[test]
fn games_of_the_corpus_agree() {
    for name in ["breakthrough", "checkers", "skirmish", "tron_10x10", "ttcc4_2player", "kalaha6x2x4"] {
        let Some(rules) = rules(name) else {
            eprintln!("{name} skipped: set LUDENS_CORPUS to the folder with games and traces");
            return;
        };
        let games = both(&rules).expect("something there is one of");
        walk(&games, 3);
        if let Some(trace) = trace(name)
            && let Err(difference) = verify::trace::play_back(&games[1], &trace, || true)
        {
            panic!("{name}: {difference}");
        }
    }
}
