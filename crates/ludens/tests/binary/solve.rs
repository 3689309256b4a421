//! `ludens solve`

use crate::support::ludens;

#[test]
fn a_plan_is_found_and_agreed_to() {
    let answer = ludens(&["solve", "hanoi", "--seconds", "60", "--verify", "--json"]).expect(0).json();
    assert_eq!((&answer["score"], &answer["proven"]), (&100.into(), &true.into()), "{answer}");
    assert_eq!(answer["verified_score"], 100);
    assert!(answer["plan"].as_array().is_some_and(|plan| !plan.is_empty()));
}

#[test]
fn the_plan_is_told_in_words() {
    let text = ludens(&["solve", "hamilton", "--seconds", "60", "--verify"]).expect(0).out;
    assert!(text.contains("score 100 in"), "{text}");
    assert!(text.contains("the reference reasoner agrees"), "{text}");
}

#[test]
fn several_players_are_refused_with_a_hint() {
    let text = ludens(&["solve", "tic-tac-toe"]).expect(2).err;
    assert!(text.contains("2 roles") && text.contains("agent"), "{text}");
}

#[test]
fn what_cannot_be_built_is_played_by_the_reference_reasoner() {
    let arguments =
        ["solve", "buttons", "--seconds", "5", "--build-seconds", "0.000001", "--json", "--verify"];
    let answer = ludens(&arguments).expect(0).json();
    assert_eq!((&answer["machine"], &answer["score"]), (&"reference".into(), &100.into()), "{answer}");
}

#[test]
fn methods_are_asked_for_by_name() {
    let arguments = ["solve", "hanoi", "--method", "best-first,symbolic", "--verify", "--json"];
    let answer = ludens(&arguments).expect(0).json();
    assert_eq!(
        (answer["verified_score"].as_u64(), answer["methods"].as_array().map(Vec::len)),
        (Some(100), Some(2))
    );
    assert!(ludens(&["solve", "hanoi", "--method", "list"]).expect(0).out.contains("nested"));
    assert!(ludens(&["solve", "hanoi", "--method", "wishing"]).expect(2).err.contains("best-first"));
}

#[test]
fn symmetric_states_are_counted_unless_told_otherwise() {
    let solve = |whether: &str| {
        let arguments =
            ["solve", "hanoi", "--method", "breadth", "--symmetry", whether, "--json", "--verify"];
        ludens(&arguments).expect(0).json()
    };
    let (merging, plain) = (solve("true"), solve("false"));
    assert_eq!(merging["verified_score"], plain["verified_score"]);
    assert_eq!((&merging["symmetry"]["order"], &merging["symmetry"]["complete"]), (&2.into(), &true.into()));
    assert!(plain["symmetry"].is_null(), "{plain}");
    let states = |answer: &serde_json::Value| answer["methods"][0]["states"].as_u64();
    assert!(states(&merging) < states(&plain), "{merging} {plain}");
}
