//! Rule sheets that are well formed and yet not much of a game: every machine is built of them and
//! gives the answers of the reference reasoner.

use std::sync::Arc;

use circuit::{Circuit, Effort};
use game::{
    Dice, Game, Job, MoveWorth, Outcomes, PlayOptions, Policy, RoleId, RuleFault, Sampler, Simulator, Weights,
};
use gdl::normal::NormalRules;
use machine::Target;
use machine::batch::{BatchMachine, LaneGame};
use machine::circuit::CircuitMachine;
use machine::reference::{BuildError, Reference};
use verify::PlayoutLimits;

/// Two roles in turn; what comes before decides about the first state.
const TURNS: &str = "(role x) (role y) (init (control x)) (cell 1) (cell 2) (cell 3)
    (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
    (<= (legal ?p (mark ?c)) (true (control ?p)) (cell ?c) (not (true (marked ?c))) (not (true blocked)))
    (<= (next (control y)) (true (control x))) (<= (next (control x)) (true (control y)))
    (<= (next (marked ?c)) (true (marked ?c))) (<= (next (marked ?c)) (does ?p (mark ?c)))
    (<= (next blocked) (true blocked))
    (<= terminal (true over)) (<= terminal (true (marked 3))) (goal x 50) (goal y 50)";

const LIMITS: PlayoutLimits = PlayoutLimits { steps: 30 };

fn rules(text: &str) -> NormalRules {
    gdl::normal::normalize(&gdl::parse(&gdl::SourceFile::new("strange", text)).sheet)
}

fn circuits(rules: &NormalRules) -> Vec<Arc<Circuit>> {
    let build = |effort| machine::build::circuit(rules, effort, &ground::Budget::unlimited());
    [Effort::Quick, Effort::Thorough].map(|effort| build(effort).expect("it is small").circuit).to_vec()
}

/// Walks all machines side by side, and plays in lanes; says the fault of the playouts in lanes, if any.
fn check(text: &str) -> Option<RuleFault> {
    let rules = rules(text);
    let reference = Reference::new(&rules, Default::default()).expect("it has roles");
    let mut faults = Vec::new();
    for circuit in circuits(&rules) {
        for target in Target::ALL {
            let single = Arc::new(CircuitMachine::with_target(Arc::clone(&circuit), target));
            verify::walk(&reference, &*single, 20, 1, LIMITS)
                .unwrap_or_else(|found| panic!("{found}\n{text}"));
            let lanes = LaneGame::new(BatchMachine::with_target(Arc::clone(&single), target));
            verify::walk(&*single, &lanes, 20, 1, LIMITS).unwrap_or_else(|found| panic!("{found}\n{text}"));
            faults.extend(play(&lanes.into_batch(), text));
        }
    }
    assert!(faults.windows(2).all(|pair| pair[0] == pair[1]), "{faults:?}\n{text}");
    faults.pop()?
}

/// The fault of playouts under every policy, which is that of one playout after the other.
fn play(batch: &BatchMachine, text: &str) -> Vec<Option<RuleFault>> {
    let initial = batch.initial();
    let single = batch.machine();
    let alone = |seed: u64| {
        verify::playout(&**single, &mut single.workspace(), &initial, &mut Dice::new(seed), LIMITS).err()
    };
    let alone = (0..20).find_map(alone).filter(|fault| !matches!(fault, RuleFault::TooLong(_)));
    let jobs = [Job::new(&initial, 700)];
    let worth = MoveWorth::new(50.0);
    let samplers =
        [Sampler::Uniform, Sampler::EpsilonGreedy { epsilon: 0.5 }, Sampler::Gibbs { temperature: 10.0 }];
    let policies = samplers.map(|sampler| Policy { weights: Weights::ByMove(&worth), sampler });
    let mut outcomes = Outcomes::default();
    let mut faults = Vec::new();
    for (policy, record_moves) in policies.into_iter().flat_map(|policy| [(policy, false), (policy, true)]) {
        let options = PlayOptions { most_steps: 30, policy, record_moves, ..PlayOptions::default() };
        let fault = batch.play(&mut batch.workspace(), &jobs, &options, &mut outcomes).err();
        assert_eq!(fault, alone, "{policy:?}\n{text}");
        faults.push(fault);
    }
    faults
}

/// A function of a role's name is no role: what it is given, may do or sees is nobody's.
#[test]
fn functions_of_roles_are_no_roles() {
    let more = "(goal (of x) 100) (<= (goal (both x y) 30) (true (control x))) (legal (of x) jump) (sees (of y) all)";
    check(&format!("{TURNS} {more}"));
    let only = TURNS.replace("(goal x 50)", "(goal (of x) 50)");
    check(&only);
}

#[test]
fn a_first_state_that_is_terminal() {
    assert_eq!(check(&format!("(init over) {TURNS}")), None);
    assert_eq!(check(&format!("{TURNS} (<= terminal (true (control x)))")), None);
    assert_eq!(check("(role you) (init a) (legal you wait) terminal (goal you 100)"), None);
}

#[test]
fn a_first_state_that_is_stuck() {
    let fault = Some(RuleFault::NoLegalMove(RoleId(0)));
    assert_eq!(check(&format!("(init blocked) {TURNS}")), fault);
    assert_eq!(check("(role you) (init a) (<= (legal you wait) (true b)) (<= (next b) (true a))"), fault);
}

#[test]
fn a_game_of_turns_that_gets_stuck() {
    let sheet = TURNS.replace("(marked 3))) (goal x 50)", "(marked 4))) (goal x 50)");
    assert!(matches!(check(&sheet), Some(RuleFault::NoLegalMove(_))));
}

#[test]
fn a_role_without_moves() {
    let fault = |role| Some(RuleFault::NoLegalMove(RoleId(role)));
    let step = "(init (at 1)) (next (at 2)) (<= terminal (true (at 3)))";
    assert_eq!(check(&format!("(role x) (role y) {step} (legal x a) (legal x b)")), fault(1));
    assert_eq!(check(&format!("(role x) (role y) {step} (legal y a) (legal y b)")), fault(0));
    assert_eq!(check(&format!("(role x) (role y) {step}")), fault(0));
    // The game is over before anyone misses a move.
    let ends = "(init (at 1)) (<= terminal (true (at 1)))";
    assert_eq!(check(&format!("(role x) (role y) {ends} (legal x a)")), None);
}

#[test]
fn roles_that_can_only_wait() {
    let wait = "(role x) (role y) (init (control x)) (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
        (<= (next (control y)) (true (control x))) (<= (next (control x)) (true (control y)))";
    assert_eq!(check(wait), Some(RuleFault::NoLegalMove(RoleId(0))));
}

#[test]
fn no_facts_at_all() {
    assert_eq!(check("(role you) (legal you wait) (legal you go)"), None);
    assert_eq!(check("(role you) (legal you wait) (<= terminal (true never)) (goal you 30)"), None);
    assert_eq!(check("(role you)"), Some(RuleFault::NoLegalMove(RoleId(0))));
    assert_eq!(check("(role you) terminal"), None);
    assert_eq!(
        check("(role x) (role y) (init a) (next a) (legal x (do it)) (legal y (do it)) terminal"),
        None
    );
}

#[test]
fn rules_for_what_the_state_and_the_players_say() {
    let game = "(role you) (init (at 1)) (legal you wait) (legal you go) (<= (next (at 2)) (does you go))
        (<= (next (at 1)) (true (at 1)) (does you wait)) (<= (next seen) (does you look))
        (<= terminal (true (at 2))) (goal you 50)";
    assert_eq!(check(&format!("{game} (<= (does you look) (true (at 1)))")), None);
    assert_eq!(check(&format!("{game} (<= (does you go) (next (at 1)))")), None);
    assert_eq!(check(&format!("{game} (true (at 2)) (<= (true seen) (true (at 1)))")), None);
}

#[test]
fn six_roles_at_once_and_in_turn() {
    let roles: String = (1..=6).map(|role| format!("(role r{role})")).collect();
    let order: String = (1..=6).map(|role| format!("(after r{role} r{})", role % 6 + 1)).collect();
    let at_once = "(init (step 0)) (succ 0 1) (succ 1 2) (legal ?p a) (<= (legal ?p b) (role ?p))
        (<= (legal ?p a) (role ?p)) (<= (next (said ?p ?m)) (does ?p ?m))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 2)))
        (<= (goal ?p 100) (true (said ?p a))) (<= (goal ?p 0) (true (said ?p b)))";
    assert_eq!(check(&format!("{roles} {at_once}")), None);
    let in_turn = "(init (control r1)) (init (left 9)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
        (<= (legal ?p a) (true (control ?p))) (<= (legal ?p b) (true (control ?p)))
        (<= (next (control ?q)) (true (control ?p)) (after ?p ?q))
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n)) (<= (next (had ?p)) (does ?p b))
        (<= (next (had ?p)) (true (had ?p))) (<= terminal (true (left 0)))
        (<= (goal ?p 100) (true (had ?p)))";
    assert_eq!(check(&format!("{roles} {order} {in_turn}")), None);
}

#[test]
fn more_roles_than_there_are_numbers() {
    let count = usize::from(u16::MAX) + 2;
    let roles: String = (0..count).map(|role| format!("(role r{role})")).collect();
    let rules = rules(&format!("{roles} (init a) (<= terminal (true a))"));
    let refused = Reference::new(&rules, Default::default()).err();
    assert_eq!(refused, Some(BuildError::TooManyRoles(count)));
    let refused = machine::build::circuit(&rules, Effort::Quick, &ground::Budget::unlimited()).err();
    assert_eq!(refused, Some(ground::GroundError::TooMany("roles")));
}

/// Where nobody does anything yet, "one of most moves" is not "none of the rest".
#[test]
fn ends_goals_and_beginnings_that_read_moves() {
    let game =
        "(role x) (role y) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (option 1) (option 2) (option 3)
        (<= (legal ?p (take ?n)) (role ?p) (option ?n)) (legal x wait) (legal y wait)
        (<= (next (took ?p)) (taking ?p)) (<= (taking ?p) (does ?p (take ?n)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= (goal ?p 100) (role ?p) (true (took ?p)))";
    let end = "(<= terminal (true (step 3)))";
    assert_eq!(check(&format!("{game} {end} (<= (goal ?p 0) (role ?p) (taking ?p))")), None);
    assert_eq!(check(&format!("{game} {end} (<= (init (took ?p)) (role ?p) (taking ?p))")), None);
    assert_eq!(check(&format!("{game} {end} (<= terminal (taking x))")), None);
    assert_eq!(check(&format!("{game} {end} (<= (legal x again) (taking x))")), None);
}
