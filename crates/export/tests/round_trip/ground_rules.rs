//! The sheet of ground rules, read by the reference reasoner.

use export::{Format, export};
use game::{Dice, Expansion, FactId, Game, MoveId, Simulator};
use machine::reference::Reference;
use verify::PlayoutLimits;

use crate::{SHEETS, circuit};

fn reference(rules: &str) -> Reference {
    Reference::new(&gdl::normal::read(rules), Default::default()).expect("plays")
}

#[test]
fn ground_rules_play_the_same() {
    for (name, rules) in SHEETS {
        let text = export(&circuit(rules), Format::Gdl).expect("any game");
        let sheet = gdl::parse(&gdl::SourceFile::new("ground", &text));
        assert!(sheet.diagnostics.is_empty(), "{name}: {:?}", sheet.diagnostics.first());
        let walked = verify::walk(&reference(rules), &reference(&text), 4, 1, PlayoutLimits::default());
        assert!(walked.as_ref().is_ok_and(|report| report.states > 4), "{name}: {walked:?}");
    }
}

/// The groups that comments tell.
fn groups(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("; at most one: "));
    lines
        .map(|line| {
            let (mut depth, mut facts) = (0, vec![String::new()]);
            for letter in line.chars() {
                depth += i32::from(letter == '(') - i32::from(letter == ')');
                match facts.last_mut() {
                    Some(fact) if depth > 0 || letter != ' ' => fact.push(letter),
                    _ => facts.push(String::new()),
                }
            }
            facts
        })
        .collect()
}

#[test]
fn facts_of_a_group_exclude_each_other() {
    let mut told = 0;
    for (name, rules) in SHEETS {
        let groups = groups(&export(&circuit(rules), Format::Gdl).expect("any game"));
        let game = reference(rules);
        let (mut workspace, mut expansion, mut dice) = (game.workspace(), Expansion::new(), Dice::new(3));
        let mut state = game.initial();
        for _ in 0..200 {
            let mut ids: Vec<FactId> = Vec::new();
            game.list_facts(&state, &mut ids);
            let facts: Vec<String> = ids.iter().map(|&id| game.fact_text(id)).collect();
            for group in &groups {
                let held = group.iter().filter(|fact| facts.contains(fact)).count();
                assert!(held <= 1, "{name}: {group:?}");
            }
            game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            state = if expansion.is_terminal() {
                game.initial()
            } else {
                let joint: Vec<MoveId> =
                    expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
                game.apply(&mut workspace, &state, &joint).expect("no fault")
            };
        }
        told += usize::from(!groups.is_empty());
        if name == "tic-tac-toe" {
            let facts = |group: &Vec<String>| group.join(" ");
            let all: Vec<String> = groups.iter().map(facts).collect();
            assert_eq!(all.len(), 10, "{all:?}");
            assert!(all.iter().any(|group| group.starts_with("(control ")), "{all:?}");
            let cell = |place: &str| all.iter().any(|group| group.starts_with(&format!("(cell {place} ")));
            assert!(cell("1 1") && cell("3 2"), "{all:?}");
        }
    }
    assert!(told >= 8, "{told}");
}
