//! Functions of whole games.

use std::sync::Arc;

use engine::Evaluator;
use eval::derived::Derived;
use eval::vocabulary::Kind;
use eval::{Bound, Choice, LearnError, LearnOptions, Learnt, SampleOptions, learn};
use game::{Describe, Dice, Expansion, Simulator};
use gdl::normal::NormalRules;
use ground::Budget;
use machine::{Limits, Target, Visitor, Wanted};

fn rules(name: &str) -> NormalRules {
    gdl::normal::read(bundled::find(name).expect("bundled").rules)
}

struct Learn<'a> {
    rules: &'a NormalRules,
    derived: Option<&'a Derived>,
    options: LearnOptions,
}

impl Visitor<'_> for Learn<'_> {
    type Answer = Result<Learnt, LearnError>;
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        learn(&**game, self.rules, self.derived, &self.options, &|| true)
    }
}

fn learnt(rules: &NormalRules, seed: u64, derived: Option<&Derived>) -> Result<Learnt, LearnError> {
    let lanes = Wanted::Batch(Target::detect());
    let machine = machine::from_rules(rules, lanes, &Limits::generous()).expect("small enough");
    let sample = SampleOptions { seed, ..SampleOptions::default() };
    machine.visit(Learn { rules, derived, options: LearnOptions { sample, ..LearnOptions::default() } })
}

#[test]
fn breakthrough_counts_pawns() {
    let rules = rules("breakthrough");
    let Learnt { function, report } = learnt(&rules, 1, None).expect("a function");
    // (8 + 1) * (8 + 1) * (2 + 1) cells, (2 + 1) of control, and their differences.
    assert_eq!(report.expressions, 9 * 9 * 3 + 3);
    assert_eq!(report.candidates, 243 + 3 + 2 * 28 * 27 + 81 + 1);
    for (role, terms) in function.roles.iter().enumerate() {
        assert_eq!(terms.terms.len(), 30);
        assert!((20.0..80.0).contains(&terms.constant), "{}", function.write_role(role));
    }
    assert_eq!(learnt(&rules, 1, None).expect("again").function.write_role(0), function.write_role(0));
    assert_ne!(learnt(&rules, 2, None).expect("again").function.write_role(0), function.write_role(0));
}

/// Compares what a function says of states with what its terms count in them.
struct Compare<'a> {
    learnt: &'a Learnt,
    derived: Option<&'a Derived>,
}

impl Visitor<'_> for Compare<'_> {
    type Answer = Vec<f64>;
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Vec<f64> {
        let function = &self.learnt.function;
        let bound = Bound::new(Arc::clone(game), Arc::clone(function), self.derived);
        let (mut workspace, mut dice) = (game.workspace(), Dice::new(5));
        let (mut state, mut expansion, mut states) = (game.initial(), Expansion::new(), Vec::new());
        loop {
            game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                break;
            }
            states.push(state.clone());
            let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            state = game.apply(&mut workspace, &state, &joint).expect("no fault");
        }
        let all: Vec<&G::State> = states.iter().collect();
        let mut values = vec![0.0; 2 * all.len()];
        bound.evaluate(&all, &mut values).expect("no fault");
        for (state, values) in states.iter().zip(values.chunks(2)) {
            let mut atoms: Vec<(Kind, String)> =
                game.facts(state).into_iter().map(|fact| (Kind::Fact, fact)).collect();
            if let Some(derived) = self.derived {
                atoms
                    .extend(derived.holding(&game.facts(state)).map(|text| (Kind::Derived, text.to_owned())));
            }
            for (role, value) in values.iter().enumerate() {
                let counts = function.counts(role, &atoms);
                let terms = counts.zip(&function.roles[role].terms).map(|(count, term)| count * term.weight);
                let sum = terms.sum::<f64>() + function.roles[role].constant;
                assert!((function.link.value(sum) - value).abs() < 1e-9, "{sum} is not {value}");
            }
        }
        values
    }
}

#[test]
fn every_machine_values_states_as_their_terms_do() {
    for name in ["tic-tac-toe", "breakthrough-5x5", "connect-four-small"] {
        let rules = rules(name);
        let derived = Derived::new(&rules, &Budget::unlimited()).expect("small");
        for derived in [None, Some(&derived)] {
            let learnt = learnt(&rules, 3, derived).expect("a function");
            let value = |wanted| {
                let machine = machine::from_rules(&rules, wanted, &Limits::generous()).expect("small");
                machine.visit(Compare { learnt: &learnt, derived })
            };
            let reference = value(Wanted::Reference);
            let lanes = value(Wanted::Batch(Target::detect()));
            assert!(reference.iter().zip(&lanes).all(|(one, other)| (one - other).abs() < 1e-9), "{name}");
        }
    }
}

/// What an engine says of the function that it asked for.
struct Prepare<'a> {
    rules: &'a NormalRules,
    choice: Choice,
}

impl Visitor<'_> for Prepare<'_> {
    type Answer = (String, Vec<f64>);
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let prepared = self.choice.prepare(game, Some(self.rules), 3, &|| true).expect("a function");
        let prepared = prepared.expect("a method is asked for");
        let mut values = vec![0.0; game.role_count()];
        prepared.evaluator.evaluate(&[&game.initial()], &mut values).expect("no fault");
        (prepared.told, values)
    }
}

#[test]
fn engines_can_ask_for_what_is_derived() {
    let rules = rules("breakthrough-5x5");
    let of = |derived, wanted| {
        let machine = machine::from_rules(&rules, wanted, &Limits::generous()).expect("small");
        let rows = engine::Settings::new(Choice::rows());
        let choice = Choice { method: eval::methods::find("paper"), derived, ..Choice::read(&rows) };
        machine.visit(Prepare { rules: &rules, choice })
    };
    let candidates = |told: &str| told.split(' ').find_map(|word| word.parse::<usize>().ok());
    let is_same = |values: &[f64], others: &[f64]| {
        values.iter().zip(others).all(|(one, other)| (one - other).abs() < 1e-9)
    };
    let (plain, _) = of(false, Wanted::Batch(Target::detect()));
    let (told, values) = of(true, Wanted::Batch(Target::detect()));
    assert!(candidates(&told) > candidates(&plain), "{plain}; {told}");
    // Lanes draw other games than one state at a time does, so each kind of machine learns a function of its own.
    let (_, expected) = of(true, Wanted::Reference);
    for target in Target::ALL.into_iter().filter(|target| target.is_available()) {
        assert_eq!(of(true, Wanted::Batch(target)), (told.clone(), values.clone()), "{target:?}");
        let (_, single) = of(true, Wanted::Circuit(target));
        assert!(is_same(&single, &expected), "{target:?}: {single:?} {expected:?}");
    }
}

#[test]
fn what_cannot_be_learnt_is_told() {
    let of = |text: &str| learnt(&gdl::normal::read(text), 1, None).err();
    // All is over after one move.
    let short = "(role you) (init (at 0)) (legal you go) (legal you stay) (<= (next (at 1)) (does you go))
        (<= (next (at 2)) (does you stay)) (<= terminal (not (true (at 0)))) (<= (goal you 100) (true (at 1)))";
    assert_eq!(of(short), Some(LearnError::NoPositions));
    // Nobody can do better or worse.
    let level = "(role you) (init (left 9)) (succ 8 9) (succ 7 8) (succ 6 7) (succ 5 6) (succ 4 5) (succ 3 4)
        (legal you go) (legal you stay) (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n) (does you ?any))
        (<= terminal (true (left 3))) (goal you 50)";
    assert_eq!(of(level), Some(LearnError::ConstantScores));
}

#[test]
fn one_player_and_many_are_learnt_too() {
    for name in ["eight-puzzle", "three-player-tic-tac-toe", "rock-paper-scissors", "goofspiel"] {
        let roles = rules(name).roles.len();
        match learnt(&rules(name), 1, None) {
            Ok(learnt) => assert_eq!(learnt.function.roles.len(), roles, "{name}"),
            Err(error) => assert!(!matches!(error, LearnError::Rules(_)), "{name}: {error}"),
        }
    }
}

#[test]
fn checkers_counts_men_and_kings() {
    let rules = rules("checkers");
    let Learnt { function, .. } = learnt(&rules, 1, None).expect("a function");
    for (role, sign) in [("black", -1.0), ("white", 1.0)] {
        let own = function.roles.iter().find(|own| own.role == role).expect("a role");
        let of = |text: &str| {
            let term = own.terms.iter().find(|term| function.write_counted(&term.counted) == text);
            term.map_or(0.0, |term| term.weight)
        };
        assert!(sign * of("(cell(?,?,wm)-cell(?,?,bm))") > 0.1, "{role}");
        assert!(sign * of("(cell(?,?,wk)-cell(?,?,bk))") > 0.1, "{role}");
    }
}

#[test]
fn material_comes_first_in_checkers() {
    let rules = rules("checkers");
    let machine = machine::from_rules(&rules, Wanted::Batch(Target::detect()), &Limits::generous());
    let machine = machine.expect("small enough");
    let runs = 10;
    let mut found = 0;
    for seed in 1..=runs {
        let sample = SampleOptions { seed, ..SampleOptions::default() };
        let options = LearnOptions { sample, ..LearnOptions::default() };
        let function =
            machine.visit(Learn { rules: &rules, derived: None, options }).expect("a function").function;
        let is_among_first = |role: &str, kind: &str| {
            let own = function.roles.iter().find(|own| own.role == role).expect("a role");
            let sign = if role == "white" { 1.0 } else { -1.0 };
            // A difference taken the other way round with the other sign is the same.
            let forms = [
                (format!("(cell(?,?,w{kind})-cell(?,?,b{kind}))"), sign),
                (format!("(cell(?,?,b{kind})-cell(?,?,w{kind}))"), -sign),
            ];
            own.terms.iter().take(5).any(|term| {
                let text = function.write_counted(&term.counted);
                forms.iter().any(|(form, sign)| text == *form && term.weight * sign > 0.0)
            })
        };
        let roles = ["white", "black"].into_iter();
        found +=
            usize::from(roles.clone().all(|role| is_among_first(role, "m") && is_among_first(role, "k")));
    }
    // The paper says more than 80% of its runs.
    assert!(found >= 8, "{found} of {runs}");
}

#[test]
fn edges_and_corners_count_in_othello() {
    let rules = rules("othello");
    let machine = machine::from_rules(&rules, Wanted::Batch(Target::detect()), &Limits::generous());
    let machine = machine.expect("small enough");
    let mut found = 0;
    for seed in 1..=10 {
        let sample = SampleOptions { seed, ..SampleOptions::default() };
        let options = LearnOptions { sample, ..LearnOptions::default() };
        let function =
            machine.visit(Learn { rules: &rules, derived: None, options }).expect("a function").function;
        let is_edge = |text: &str| {
            ["cell(a,", "cell(h,"].iter().any(|file| text.contains(file))
                || [",1,", ",8,"].iter().any(|rank| text.contains(rank))
        };
        let of = |own: &eval::RoleFunction| {
            own.terms.iter().take(5).any(|term| is_edge(&function.write_counted(&term.counted)))
        };
        found += usize::from(function.roles.iter().all(of));
    }
    assert!(found >= 9, "{found} of 10");
}

/// The worth of each piece of a role in some runs.
struct Worth<'a> {
    seeds: &'a [u64],
    role: usize,
    pieces: &'a [&'a str],
}

impl Visitor<'_> for Worth<'_> {
    type Answer = Vec<Vec<f64>>;
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let run = |&seed: &u64| {
            let options = eval::PieceOptions { seed, ..Default::default() };
            let function = eval::learn_pieces(&**game, &options, &|| true).expect("pieces").function;
            let own = &function.roles[self.role];
            let of = |piece: &&str| {
                let text = format!("cell(?,?,{piece})");
                let term = own.terms.iter().find(|term| function.write_counted(&term.counted) == text);
                term.map_or(0.0, |term| term.weight)
            };
            self.pieces.iter().map(of).collect()
        };
        self.seeds.iter().map(run).collect()
    }
}

#[test]
fn chess_pieces_are_worth_what_they_should_be() {
    let rules = rules("chess");
    let machine = machine::from_rules(&rules, Wanted::Batch(Target::detect()), &Limits::generous());
    let machine = machine.expect("small enough");
    let seeds = [1, 2, 3];
    for (role, pieces) in [["wq", "wr", "wb", "wn", "wp"], ["bq", "br", "bb", "bn", "bp"]].iter().enumerate()
    {
        for worth in machine.visit(Worth { seeds: &seeds, role, pieces }) {
            let [queen, rook, bishop, knight, pawn] = worth[..] else { panic!("five pieces") };
            let minor = bishop.max(knight);
            // Bishop and knight are about the same, and so is a pawn that may become a queen, in random games.
            assert!(queen > rook && rook > minor && bishop.min(knight) > 0.0, "{pieces:?}: {worth:?}");
            assert!(rook > pawn && pawn > 0.0, "{pieces:?}: {worth:?}");
        }
    }
}

struct Weigh<'a>(&'a NormalRules);

impl Visitor<'_> for Weigh<'_> {
    type Answer = (eval::LearntPieces, Learnt, Vec<f64>);
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let pieces = eval::learn_pieces(&**game, &eval::PieceOptions::default(), &|| true).expect("pieces");
        let options = eval::RegressionOptions { positions: 3_000, ..Default::default() };
        let (learnt, explained) =
            eval::regression::learn_by_regression(game, self.0, None, &options, &|| true)
                .expect("a function");
        (pieces, learnt, explained)
    }
}

#[test]
fn men_and_kings_are_pieces_and_worth_having() {
    let rules = rules("checkers");
    let machine = machine::from_rules(&rules, Wanted::Batch(Target::detect()), &Limits::generous());
    let (counted, learnt, explained) = machine.expect("small enough").visit(Weigh(&rules));
    let eval::LearntPieces { function, pieces, explained: by_pieces } = counted;
    let names: Vec<(&str, usize)> =
        pieces.iter().map(|piece| (piece.text.as_str(), piece.at_start)).collect();
    for piece in [("cell(?,?,bm)", 12), ("cell(?,?,wm)", 12), ("cell(?,?,bk)", 0), ("cell(?,?,wk)", 0)] {
        assert!(names.contains(&piece), "{names:?}");
    }
    assert_eq!(names.len(), 4, "{names:?}");
    for own in &function.roles {
        for term in &own.terms {
            let is_own = function.write_counted(&term.counted).contains(&format!(",{}", &own.role[..1]));
            assert_eq!(term.weight > 0.0, is_own, "{}", function.write_role(0));
        }
    }
    // What it was not learnt from it predicts.
    assert!(explained.iter().all(|part| *part > 0.02), "{explained:?}");
    assert!(by_pieces.iter().all(|part| *part > 0.02), "{by_pieces:?}");
    assert_eq!(learnt.function.roles.len(), 2);
}

/// What a method makes of a game, and what it says of the states of a random game.
struct Ask<'a> {
    samples: Option<usize>,
    rules: &'a NormalRules,
    method: &'static eval::MethodRow,
    /// Knowledge that was learnt before, if it is to be asked.
    taught: Option<eval::Taught>,
}

impl Visitor<'_> for Ask<'_> {
    type Answer = Result<(eval::Taught, Vec<f64>), LearnError>;
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let goes_on = || true;
        let lesson =
            eval::Lesson { samples: self.samples, ..eval::Lesson::new(game, Some(self.rules), 7, &goes_on) };
        let taught = match self.taught {
            Some(taught) => taught,
            None => (self.method.learn)(&lesson)?,
        };
        let evaluator = taught.judgement.bind(game, None);
        let (mut workspace, mut dice) = (game.workspace(), Dice::new(9));
        let (mut state, mut expansion, mut states) = (game.initial(), Expansion::new(), Vec::new());
        loop {
            game.expand(&mut workspace, &state, &mut expansion)?;
            if expansion.is_terminal() {
                break;
            }
            states.push(state.clone());
            let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            state = game.apply(&mut workspace, &state, &joint)?;
        }
        let all: Vec<&G::State> = states.iter().collect();
        let mut values = vec![f64::NAN; game.role_count() * all.len()];
        evaluator.evaluate(&all, &mut values)?;
        Ok((taught, values))
    }
}

#[test]
fn every_method_values_states_alike_on_every_machine() {
    for name in ["tic-tac-toe", "breakthrough-5x5", "connect-four-small"] {
        let rules = rules(name);
        for method in eval::METHODS {
            let ask = |wanted, taught| {
                let machine = machine::from_rules(&rules, wanted, &Limits::generous()).expect("small");
                machine.visit(Ask { samples: Some(1_500), rules: &rules, method, taught })
            };
            let lanes = Wanted::Batch(Target::detect());
            let (taught, values) = match ask(lanes, None) {
                Ok(found) => found,
                Err(error) => {
                    let is_told = matches!(
                        error,
                        LearnError::NoBetter | LearnError::NoPieces | LearnError::NothingFound
                    );
                    assert!(is_told, "{name}, {}: {error}", method.name);
                    continue;
                }
            };
            assert!(values.iter().all(|value| (0.0..=1.0).contains(value)), "{name}, {}", method.name);
            assert!(!taught.told.is_empty());
            let (_, again) = ask(lanes, None).expect("again");
            assert_eq!(again, values, "{name}, {}: the same seed", method.name);
            let (_, plain) = ask(Wanted::Reference, Some(taught)).expect("asked only");
            let near = plain.iter().zip(&values).all(|(one, other)| (one - other).abs() < 1e-6);
            assert!(near, "{name}, {}: {plain:?} {values:?}", method.name);
        }
    }
}

#[test]
fn methods_find_what_decides() {
    let of = |game: &str, method: &str| {
        let rules = rules(game);
        let machine = machine::from_rules(&rules, Wanted::Batch(Target::detect()), &Limits::generous());
        let method = eval::methods::find(method).expect("a method");
        machine.expect("small").visit(Ask { samples: Some(20_000), rules: &rules, method, taught: None })
    };
    // Who has two in a row and is to move wins: threats explain much of tic-tac-toe.
    let (taught, _) = of("tic-tac-toe", "gifl").expect("wins");
    let explained = taught.explained.expect("looked at");
    assert!(explained.iter().all(|part| *part > 0.15), "{}", taught.told);
    // How far pawns have come is most of what there is to know of breakthrough.
    let (taught, _) = of("breakthrough-5x5", "patterns").expect("pawns");
    let explained = taught.explained.expect("looked at");
    assert!(explained.iter().all(|part| *part > 0.05), "{}", taught.told);
    // Without rules there is nothing to read.
    let lesson_of = |method: &str| {
        let rules = rules("tic-tac-toe");
        let machine = machine::from_rules(&rules, Wanted::Reference, &Limits::generous()).expect("small");
        let lesson = eval::Lesson::new(&machine.erased(), None, 1, &|| true);
        (eval::methods::find(method).expect("a method").learn)(&lesson).err()
    };
    assert_eq!(lesson_of("flux"), Some(LearnError::NoRules));
}

#[test]
fn what_there_is_to_know_of_a_game_is_learnt_from_the_usual_number_of_positions() {
    for (game, method, least) in [
        ("connect-four", "phases", 0.15),
        ("connect-four", "gifl", 0.05),
        ("connect-four", "id3", 0.03),
        ("breakthrough", "regression", 0.2),
    ] {
        let rules = rules(game);
        let machine = machine::from_rules(&rules, Wanted::Batch(Target::detect()), &Limits::generous());
        let method = eval::methods::find(method).expect("a method");
        let ask = Ask { samples: None, rules: &rules, method, taught: None };
        let (taught, _) = machine.expect("small").visit(ask).expect("a function");
        let explained = taught.explained.expect("looked at");
        assert!(explained.iter().all(|part| *part > least), "{game}, {}: {}", method.name, taught.told);
    }
}
