//! What a finding says beyond its code and place: the help and the second places.

use gdl::{Code, Diagnostic, Mode, SourceFile, check, parse};

/// A game without findings, so that only what a test adds is found.
const GAME: &str = "(role robot) (init (light off)) (legal robot press) (goal robot 100)
(<= (next (light on)) (does robot press)) (<= terminal (true (light on)))\n";

/// The only finding of a code in the game with more rules, and its second places as text.
fn finding(code: Code, rules: &str) -> (Diagnostic, Vec<(String, String)>) {
    let source = SourceFile::new("t", format!("{GAME}{rules}"));
    let mut findings = check(&source, &parse(&source), Mode::Strict);
    findings.retain(|finding| finding.code == code);
    let finding = findings.pop().expect("it is found");
    let label = |label: &gdl::Label| (source.slice(label.span).to_owned(), label.message.clone());
    let labels = finding.labels.iter().map(label).collect();
    (finding, labels)
}

fn help(code: Code, rules: &str) -> String {
    finding(code, rules).0.help.expect("every finding has one")
}

#[test]
fn a_cycle_is_shown_step_by_step() {
    let rules = "(<= a (not b)) (<= b c) (<= c (true (light on)) a)";
    let (found, labels) = finding(Code::UnstratifiedNegation, rules);
    assert_eq!(found.message, "`a` depends on the negation of `b`, which depends on `a`");
    let steps = [("c", "`b` depends on `c` here"), ("a", "`c` depends on `a` here")];
    assert_eq!(labels, steps.map(|(place, message)| (place.to_owned(), message.to_owned())));
}

#[test]
fn constants_that_keep_sentences_apart_are_noticed() {
    let apart = "constants in the arguments keep the sentences apart";
    let code = Code::UnstratifiedNegation;
    assert!(help(code, "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))").starts_with(apart));
    assert!(help(code, "(<= (p (f a) ?x) (q ?x) (not (p (f b) ?x))) (q 1)").starts_with(apart));
    assert!(!help(code, "(<= (p (f a) ?x) (q ?x) (not (p ?y ?x))) (q 1)").starts_with(apart));
    // Apart in each rule, but the way round meets itself.
    let round = "(<= (p 1) (not (p 2))) (<= (p 2) (p 1))";
    assert!(!help(code, round).starts_with(apart));
}

#[test]
fn near_names_are_suggested() {
    let near = |rules| help(Code::UndefinedRelation, rules);
    assert_eq!(near("(Neighbour 1 2) (<= (next (light on)) (neigbour 1 2))"), "did you mean `Neighbour`?");
    assert_eq!(near("(<= (next (light on)) (true (ligth on)))"), "did you mean `light`?");
    assert_eq!(near("(<= (next (light on)) (does robot pres))"), "did you mean `press`?");
    assert_eq!(near("(<= (next (light on)) (xyz 1))"), "define it, or remove the condition");
    let arity = near("(edge 1 2) (<= (next (light on)) (edge 1))");
    assert_eq!(arity, "there is a relation `edge` with 2 arguments, and here it has 1");
    assert_eq!(help(Code::UnknownRole, "(legal robto sing)"), "did you mean `robot`?");
}

#[test]
fn the_alternative_that_does_not_bind_is_shown() {
    let (_, labels) = finding(Code::UnsafeRule, "(<= (p ?x) (or (true (light ?x)) (does robot press)))");
    let expected = ("(does robot press)".to_owned(), "in this alternative nothing binds `?x`".to_owned());
    assert_eq!(labels, [expected]);
}

#[test]
fn the_way_to_does_is_shown() {
    let (found, labels) =
        finding(Code::DependsOnDoes, "(<= terminal a) (<= a (not b)) (<= b (does robot press))");
    assert_eq!(found.message, "`terminal` depends on `does` through `a`");
    let places: Vec<_> = labels.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["b", "does"]);
}

#[test]
fn recursion_without_functions_is_said_to_be_finite() {
    let code = Code::UnrestrictedRecursion;
    let finite = "no rule of this recursion builds a term";
    assert!(
        help(code, "(e 1 2) (<= (p ?x ?y) (e ?x ?y)) (<= (p ?x ?z) (p ?x ?y) (p ?y ?z))").starts_with(finite)
    );
    assert!(!help(code, "(p 1) (<= (p (s ?x)) (p ?x))").starts_with(finite));
}

#[test]
fn findings_stand_in_the_order_of_the_text() {
    let source = SourceFile::new("t", "(<= (p ?x) (q ?y))\n(<= p (not))\n)\n(role (f)) (goal r 101)");
    let findings = check(&source, &parse(&source), Mode::Strict);
    assert!(findings.is_sorted_by_key(|finding| finding.span.start));
    assert!(findings.iter().all(|finding| finding.severity == finding.code.severity(Mode::Strict)));
    let lenient = check(&source, &parse(&source), Mode::Lenient);
    assert!(lenient.iter().all(|finding| finding.severity == finding.code.severity(Mode::Lenient)));
    assert_eq!(lenient.len(), findings.len());
}
