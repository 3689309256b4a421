//! `ludens solve`

use crate::support::{ludens, ludens_with_input};

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
fn games_of_several_roles_are_solved() {
    let answer = ludens(&["solve", "tic-tac-toe", "--symmetry", "false", "--json"]).expect(0).json();
    assert_eq!((&answer["method"], &answer["proven"]), (&"state graph".into(), &true.into()), "{answer}");
    assert_eq!((&answer["winner"], &answer["graph"]["states"]), (&serde_json::Value::Null, &5478.into()));
    let values = answer["values"].as_array().expect("values");
    assert!(values.iter().all(|value| value["least"] == 50.0 && value["most"] == 50.0), "{answer}");
    assert_eq!(
        (answer["moves"].as_array().map(Vec::len), answer["line"].as_array().map(Vec::len)),
        (Some(9), Some(9))
    );
    // Without turned and mirrored boards there are 765 positions. Roles may be exchanged too, but no position is met both ways.
    let merged = ludens(&["solve", "tic-tac-toe", "--json"]).expect(0).json();
    assert_eq!(
        (&merged["graph"]["states"], &merged["graph"]["symmetries"]),
        (&765.into(), &16.into()),
        "{merged}"
    );
    assert_eq!((&merged["values"], merged["line"].as_array().map(Vec::len)), (&answer["values"], Some(9)));
    let text = ludens(&["solve", "nim"]).expect(0).out;
    assert!(text.contains("wins") && text.contains("states"), "{text}");
}

#[test]
#[cfg(feature = "bdd")]
fn games_of_several_roles_are_solved_by_sets_of_states() {
    let solve = |method: &str| {
        ludens(&["solve", "chomp", "--method", method, "--symmetry", "false", "--json"]).expect(0).json()
    };
    let (sets, graph) = (solve("symbolic"), solve("graph"));
    assert_eq!((&sets["method"], &sets["proven"]), (&"symbolic".into(), &true.into()), "{sets}");
    assert_eq!((&sets["values"], &sets["winner"]), (&graph["values"], &graph["winner"]), "{sets}");
    assert_eq!(sets["line"].as_array().map(Vec::len), graph["line"].as_array().map(Vec::len), "{sets}");
    assert!(sets["symbolic"]["states"].as_u64() > Some(0) && graph["symbolic"].is_null(), "{sets}");
    let text =
        ludens_with_input(&["solve", "nim", "--method", "symbolic", "--play"], "\nquit\n").expect(0).out;
    assert!(text.contains("sure of"), "{text}");
    // It says what to do, and other methods may be asked to go on.
    let large = ["solve", "connect-four", "--memory", "64", "--seconds", "2", "--method", "symbolic"];
    assert!(ludens(&large).expect(2).err.contains("allow more with"));
}

#[test]
fn what_does_not_fit_is_looked_into_by_alpha_beta() {
    let arguments = ["solve", "connect-four", "--memory", "64", "--seconds", "3", "--json"];
    let answer = ludens(&arguments).expect(0).json();
    assert_eq!(
        (&answer["method"], &answer["graph"]),
        (&"alpha-beta".into(), &serde_json::Value::Null),
        "{answer}"
    );
    assert!(answer["refused"].as_str().is_some_and(|text| text.contains("--memory")), "{answer}");
    let hidden = ludens(&["solve", "kuhn-poker"]).expect(2).err;
    assert!(hidden.contains("ludens equilibrium"), "{hidden}");
}

#[test]
fn a_game_of_parts_is_solved_part_by_part() {
    let json = ludens(&["solve", "twin-tic-tac-toe", "--json"]).expect(0).json();
    assert_eq!((&json["method"], &json["proven"]), (&"parts".into(), &true.into()), "{json}");
    for value in json["values"].as_array().expect("values of both") {
        assert_eq!((value["least"].as_f64(), value["most"].as_f64()), (Some(50.0), Some(50.0)), "{json}");
    }
    // It ends with either of its parts.
    let fault = ludens(&["solve", "twin-breakthrough", "--method", "parts"]).expect(2).err;
    assert!(fault.contains("all parts"), "{fault}");
}

#[test]
fn depth_first_tells_in_how_many_moves_and_is_stepped_through() {
    let solve = |method: &str| ludens(&["solve", "nim", "--method", method, "--json"]).expect(0).json();
    let (one, all) = (solve("depth-first"), solve("graph"));
    assert_eq!((&one["values"], &one["winner"]), (&all["values"], &all["winner"]), "{one}");
    assert!(one["values"][1]["steps"].is_number(), "{one}");
    let text = ludens_with_input(&["solve", "chomp", "--method", "depth-first", "--play"], &"\n".repeat(40))
        .expect(0)
        .out;
    assert!(text.contains("the game is over"), "{text}");
    // Where that cannot be done, it says so.
    let arguments = ["solve", "matching-pennies", "--method", "depth-first", "--play"];
    assert!(ludens(&arguments).expect(2).err.contains("state graph"));
}

#[test]
fn a_solved_game_is_stepped_through() {
    let text = ludens_with_input(&["solve", "matching-pennies", "--play"], "nonsense\n\n\n\n\n\n\n\n\n\n")
        .expect(0)
        .out;
    assert!(text.contains("`nonsense` is no legal move here"), "{text}");
    assert!(text.contains("the game is over"), "{text}");
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
