//! Properties that hold for any text, and for any sheet.

use gdl::normal::normalize;
use gdl::{LINE_WIDTH, Mode, Scrambler, SourceFile, check, format, parse, parse_expressions, print_sheet};
use proptest::prelude::*;

use crate::corpus::words;

/// A word that may stand alone: a connective may not, and two letters are one by chance now and then.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z][a-zA-Z0-9_+-]{0,8}", "[0-9]{1,3}", Just("true".to_owned()), Just("weiß".to_owned())]
        .prop_filter("connectives take parts", |name| {
            !["and", "distinct", "not", "or"].iter().any(|word| word.eq_ignore_ascii_case(name))
        })
}

fn term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![name(), "\\?[a-z]{1,3}"];
    leaf.prop_recursive(3, 12, 4, |inner| {
        (name(), prop::collection::vec(inner, 1..4))
            .prop_map(|(name, arguments)| format!("({name} {})", arguments.join(" ")))
    })
}

fn sentence() -> impl Strategy<Value = String> {
    let relation = prop_oneof![
        name(),
        prop::sample::select(vec!["role", "init", "next", "legal", "does", "goal", "terminal", "base"])
            .prop_map(str::to_owned)
    ];
    (relation, prop::collection::vec(term(), 0..4)).prop_map(|(name, arguments)| match arguments[..] {
        [] => name,
        _ => format!("({name} {})", arguments.join(" ")),
    })
}

fn literal() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => sentence(),
        1 => (term(), term()).prop_map(|(left, right)| format!("(distinct {left} {right})")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| format!("(not {inner})")),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|items| format!("(or {})", items.join(" "))),
            prop::collection::vec(inner, 1..4).prop_map(|items| format!("(and {})", items.join(" "))),
        ]
    })
}

fn rule() -> impl Strategy<Value = String> {
    prop_oneof![
        sentence(),
        (sentence(), prop::collection::vec(literal(), 0..5))
            .prop_map(|(head, body)| format!("(<= {head} {})", body.join(" "))),
    ]
}

/// A rule over few variables, so that some are bound, some are not and some in one alternative only.
fn small_rule() -> impl Strategy<Value = String> {
    let variable = || prop::sample::select(vec!["?x", "?y", "?z", "a"]);
    let leaf = prop_oneof![
        4 => (variable(), variable()).prop_map(|(left, right)| format!("(q {left} {right})")),
        2 => variable().prop_map(|one| format!("(not (r {one}))")),
        1 => (variable(), variable()).prop_map(|(left, right)| format!("(distinct {left} {right})")),
        1 => (variable(), variable()).prop_map(|(left, right)| format!("(not (distinct {left} (f {right})))")),
    ];
    let literal = leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|items| format!("(or {})", items.join(" "))),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|items| format!("(and {})", items.join(" "))),
            inner.prop_map(|inner| format!("(not {inner})")),
        ]
    });
    let relation = prop::sample::select(vec!["p", "goal"]);
    (relation, variable(), variable(), prop::collection::vec(literal, 1..5)).prop_map(
        |(relation, left, right, body)| format!("(<= ({relation} {left} {right}) {})", body.join(" ")),
    )
}

/// Blanks, line breaks and comments as people leave them.
fn gap() -> impl Strategy<Value = String> {
    prop_oneof!["[ \\t]{1,3}", "[ ]?(\r\n|\n|\r){1,3}[ ]{0,4}", "[ ]?;[ -~é]{0,20}\r?\n"]
}

/// A sheet, with gaps of every kind between all its tokens.
fn sheet() -> impl Strategy<Value = String> {
    let rules = prop::collection::vec(rule(), 0..8);
    (rules, prop::collection::vec(gap(), 1..40)).prop_map(|(rules, gaps)| {
        let text = rules.join(" ");
        let mut gaps = gaps.iter().cycle();
        let mut out = String::new();
        for token in gdl::tokenize(&text) {
            out.push_str(&text[token.span.range()]);
            out.push_str(gaps.next().expect("they go round"));
        }
        out
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn nothing_panics_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        survive(&SourceFile::from_bytes("t", &bytes).expect("it is small"));
    }

    #[test]
    fn nothing_panics_on_almost_sheets(text in "([()]|<=|not|or|and|distinct|role|goal|true|does|next|\\?x|\\?y|p|q|;|1| |\n){0,120}") {
        survive(&SourceFile::new("t", text));
    }

    #[test]
    fn printing_and_parsing_are_inverse(text in sheet()) {
        let parsed = parse(&SourceFile::new("t", text.clone()));
        let printed = print_sheet(&parsed.sheet);
        let again = parse(&SourceFile::new("t", printed.clone()));
        prop_assert!(again.sheet.same_rules(&parsed.sheet), "{text}");
        prop_assert_eq!(print_sheet(&again.sheet), printed);
        prop_assert_eq!(again.sheet.rules.len(), parse_expressions(&SourceFile::new("t", text)).expressions.len());
    }

    #[test]
    fn scrambling_can_be_undone(text in sheet(), seed in any::<u64>()) {
        let sheet = parse(&SourceFile::new("t", text)).sheet;
        let scrambler = Scrambler::new(&sheet.symbols, seed);
        let scrambled = scrambler.scramble_sheet(&sheet);
        prop_assert!(scrambler.unscramble_sheet(&scrambled).same_rules(&sheet));
        let printed = print_sheet(&scrambled);
        prop_assert!(parse(&SourceFile::new("t", printed)).sheet.same_rules(&scrambled));
    }

    #[test]
    fn formatting_is_idempotent_and_keeps_everything(text in sheet()) {
        let source = SourceFile::new("t", text);
        let tidy = format(&source).expect("its parentheses match");
        prop_assert_eq!(words(&tidy), words(source.text()));
        prop_assert!(!tidy.contains("\n\n\n"));
        prop_assert!(tidy.lines().all(|line| !line.ends_with(' ')));
        let tidy = SourceFile::new("t", tidy);
        prop_assert!(parse(&tidy).sheet.same_rules(&parse(&source).sheet));
        let again = format(&tidy).expect("its parentheses match");
        prop_assert_eq!(again.as_str(), tidy.text());
    }

    #[test]
    fn a_rule_stands_on_one_line_if_it_fits(text in rule()) {
        let tidy = format(&SourceFile::new("t", text.clone())).expect("its parentheses match");
        let flat = words(&text).iter().fold(String::new(), |flat, (_, word)| match (flat.ends_with('(') || flat.is_empty(), *word) {
            (true, word) => flat + word,
            (false, ")") => flat + ")",
            (false, word) => flat + " " + word,
        });
        if flat.chars().count() <= LINE_WIDTH {
            prop_assert_eq!(tidy, flat + "\n");
        } else {
            prop_assert!(tidy.lines().count() > 1);
        }
    }

    #[test]
    fn checks_and_normal_form_agree_on_what_is_safe(text in prop_oneof![small_rule(), sheet()]) {
        let source = SourceFile::new("t", text);
        let parsed = parse(&source);
        let findings = check(&source, &parsed, Mode::Lenient);
        let is_unsafe = |finding: &gdl::Diagnostic| matches!(finding.code, gdl::Code::UnsafeRule | gdl::Code::TooComplex);
        prop_assert_eq!(findings.iter().any(is_unsafe), !normalize(&parsed.sheet).faults.is_empty());
    }
}

/// Everything that takes a text must survive any text.
fn survive(source: &SourceFile) {
    let parsed = parse(source);
    for mode in [Mode::Strict, Mode::Lenient] {
        for finding in check(source, &parsed, mode) {
            let spans = finding.labels.iter().map(|label| label.span).chain([finding.span]);
            for span in spans {
                assert!(source.text().get(span.range()).is_some(), "{finding:?}");
                source.line_column(span.start);
            }
        }
    }
    normalize(&parsed.sheet);
    if let Ok(tidy) = format(source) {
        assert_eq!(words(&tidy), words(source.text()));
    }
    let scrambler = Scrambler::new(&parsed.sheet.symbols, 1);
    scrambler.unscramble_text(&scrambler.scramble_text(source.text()));
}
