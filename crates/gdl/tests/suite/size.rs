//! Large and hostile texts: they may be refused, but must not hang, crash or fill the memory.
//!
//! The plain game has 5 MB and the hostile texts have less; with `LUDENS_LARGE` set all have 50 MB
//! (best run with `--release`).

use std::time::{Duration, Instant};

use gdl::normal::normalize;
use gdl::{Code, Mode, SourceFile, check, format, parse};

fn bytes(usually: usize) -> usize {
    if std::env::var_os("LUDENS_LARGE").is_some() { 50_000_000 } else { usually }
}

/// Repeats numbered pieces of text up to a size.
fn fill_to(bytes: usize, mut piece: impl FnMut(usize) -> String) -> String {
    let mut text = String::with_capacity(bytes + 1000);
    let mut number = 0;
    while text.len() < bytes {
        text += &piece(number);
        number += 1;
    }
    text
}

/// A hostile text: half a megabyte is enough to tell a quadratic loop from a linear one.
fn fill(piece: impl FnMut(usize) -> String) -> String {
    fill_to(bytes(500_000), piece)
}

/// Reads, checks, tidies and normalises; returns the codes found.
fn run(what: &str, text: String) -> Vec<Code> {
    let start = Instant::now();
    let source = SourceFile::new("large", text);
    let parsed = parse(&source);
    let parsing = start.elapsed();
    let findings = check(&source, &parsed, Mode::Strict);
    let checking = start.elapsed() - parsing;
    normalize(&parsed.sheet);
    let normalising = start.elapsed() - parsing - checking;
    let _ = format(&source);
    println!(
        "{what}: parse {parsing:.1?}, check {checking:.1?}, normalise {normalising:.1?}, all {:.1?}",
        start.elapsed()
    );
    // Linear work takes a second or two on a slow machine; a quadratic loop takes much longer.
    let limit = Duration::from_secs(30 + source.text().len() as u64 / 500_000);
    assert!(start.elapsed() < limit, "{what} took {:?}", start.elapsed());
    let mut codes: Vec<_> = findings.into_iter().map(|finding| finding.code).collect();
    codes.sort();
    codes.dedup();
    codes
}

#[test]
fn nested_parentheses() {
    for depth in [5_000, 1_000_000] {
        let balanced = format!("(role a) {}{}", "(".repeat(depth), ")".repeat(depth));
        assert!(run("balanced", balanced).contains(&Code::NestedTooDeep));
        let open = format!("(role a) {}", "(f ".repeat(depth));
        assert!(run("never closed", open).contains(&Code::UnclosedParenthesis));
        let closed = format!("(role a) {}", ")".repeat(depth));
        assert!(run("closed only", closed).contains(&Code::UnexpectedParenthesis));
        let nots = format!("(<= p {}q{})", "(not ".repeat(depth), ")".repeat(depth));
        assert!(run("negations", nots).contains(&Code::NestedTooDeep));
    }
}

#[test]
fn a_large_plain_game() {
    let text = fill_to(bytes(5_000_000), |number| match number {
        0 => "(role a) (legal a m) (goal a 100) (<= terminal (true (at 1)))\n(init (at 0))\n".to_owned(),
        _ => format!(
            "(edge n{number} n{})\n(<= (next (at ?y)) (true (at n{number})) (edge n{number} ?y) (not (true (at ?y))))\n",
            number + 1
        ),
    });
    assert_eq!(run("plain", text), []);
}

#[test]
fn many_faults() {
    let text = fill(|number| {
        format!("(<= (p{number} ?x) (not (q ?x ?y)) (true (r ?z)) (distinct ?w 1)) () (f\n) )\n")
    });
    let codes = run("faults", text);
    assert!(codes.contains(&Code::UnsafeRule) && codes.contains(&Code::UnexpectedParenthesis));
}

#[test]
fn one_long_cycle_through_negation() {
    let mut last = 0;
    let text = fill(|number| {
        last = number + 1;
        format!("(<= p{number} (not p{}))\n", number + 1)
    });
    assert!(run("cycle", text + &format!("(<= p{last} p0)")).contains(&Code::UnstratifiedNegation));
}

#[test]
fn one_relation_negated_by_all_its_rules() {
    let text = fill(|number| format!("(<= (p {number}) (not (p {})))\n", number + 1));
    assert!(run("negations", text).contains(&Code::UnstratifiedNegation));
}

#[test]
fn a_long_chain_of_dependencies() {
    let text = fill(|number| format!("(<= p{} p{number}) (<= (legal r m) p{number})\n", number + 1));
    assert!(run("chain", text + "(<= p0 (does r m))").contains(&Code::DependsOnDoes));
}

#[test]
fn one_rule_of_many_conditions() {
    let body =
        fill(|number| format!("(q ?x{number}) (not (r ?x{number} ?y{number})) (distinct ?z{number} a)\n"));
    let codes = run("conditions", format!("(<= p {body})"));
    assert!(codes.contains(&Code::UnsafeNegation) && codes.contains(&Code::UnsafeRule));
}

#[test]
fn one_sentence_of_many_arguments() {
    let arguments = fill(|number| format!("(f ?x{number}) "));
    let codes = run("arguments", format!("(<= (p {arguments}) (p {arguments} a))"));
    assert!(codes.contains(&Code::UnsafeRule) || codes.contains(&Code::ArityMismatch));
}

#[test]
fn many_combinations() {
    let text = fill(|number| format!("(<= (p{number} ?x) {})\n", "(or (a ?x) (b ?y)) ".repeat(14)));
    assert!(run("combinations", text).contains(&Code::TooComplex));
}

#[test]
fn many_equalities() {
    let body = fill(|number| format!("(not (distinct ?x{number} (f ?x{0} ?x{0})))\n", number + 1));
    assert!(run("equalities", format!("(<= (p ?x0) {body})")).contains(&Code::TooComplex));
}

#[test]
fn many_roles_and_unknown_names() {
    let text = fill(|number| {
        format!("(role r{number}) (<= (goal s{number} 1) (relation{number} a) (true (f{number} b)))\n")
    });
    let codes = run("names", text);
    assert!(codes.contains(&Code::UnknownRole) && codes.contains(&Code::UndefinedRelation));
}

#[test]
fn single_letters() {
    run("letters", fill(|_| "a ".to_owned()));
    run("empty lists", fill(|_| "()".to_owned()));
    run("one word", fill(|_| "aaaaaaaaaa".to_owned()));
    run("comments", fill(|_| ";\n".to_owned()));
    run("comments in a list", format!("({})", fill(|_| ";\na ".to_owned())));
}
