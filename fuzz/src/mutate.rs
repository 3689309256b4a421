//! Our own games with some rules changed: what a slip of the pen makes of a real sheet.

use std::sync::OnceLock;

use libfuzzer_sys::arbitrary::{Result, Unstructured};

use crate::tree::Tree;

/// Longer sheets take too long to be grounded again and again.
const MOST_BYTES: usize = 2_500;
/// Changes of a sheet.
const MOST_CHANGES: usize = 5;

struct Own {
    roles: usize,
    rules: Vec<Tree>,
}

fn games() -> &'static [Own] {
    static GAMES: OnceLock<Vec<Own>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let short = bundled::all().iter().filter(|game| game.rules.len() <= MOST_BYTES);
        let own = short.map(|game| {
            let rules = Tree::read(game.rules);
            Own { roles: rules.iter().filter(|rule| rule.is("role")).count(), rules }
        });
        own.collect()
    })
}

/// One of our own games, changed in some places.
pub fn mutate(bytes: &mut Unstructured<'_>, roles: Option<usize>) -> Result<String> {
    let fitting: Vec<&Own> =
        games().iter().filter(|game| roles.is_none_or(|roles| game.roles == roles)).collect();
    let mut rules = bytes.choose(&fitting)?.rules.clone();
    for _ in 0..bytes.int_in_range(0..=MOST_CHANGES)? {
        if rules.is_empty() {
            break;
        }
        change(bytes, &mut rules)?;
    }
    Ok(rules.iter().map(|rule| format!("{rule}\n")).collect())
}

fn change(bytes: &mut Unstructured<'_>, rules: &mut Vec<Tree>) -> Result<()> {
    let index = bytes.choose_index(rules.len())?;
    // Somewhere else in the sheet, to be copied from.
    let other = bytes.choose_index(rules.len())?;
    let size = rules[other].size();
    let copied = rules[other].at(bytes.choose_index(size)?).cloned();
    let place = bytes.choose_index(rules[index].size())?;
    match bytes.int_in_range(0..=7)? {
        0 => drop(rules.remove(index)),
        1 => drop_literal(bytes, &mut rules[index])?,
        2 => {
            if let (Some(tree), Some(copied)) = (rules[index].at(place.max(1)), copied) {
                *tree = copied;
            }
        }
        3 => {
            if let (Some(Tree::List(list)), Some(copied)) = (rules[index].at(place), copied) {
                list.push(copied);
            }
        }
        4 => {
            let rule = rules[index].clone();
            rules.push(rule);
            change_literal(bytes, rules, index, &["not"])?;
        }
        5 => change_literal(bytes, rules, index, &["not"])?,
        6 => change_literal(bytes, rules, index, &["or"])?,
        _ => {
            if let Some(Tree::List(list)) = rules[index].at(place)
                && list.len() > 2
            {
                let last = list.len() - 1;
                list.swap(1, last);
            }
        }
    }
    Ok(())
}

fn drop_literal(bytes: &mut Unstructured<'_>, rule: &mut Tree) -> Result<()> {
    if let Tree::List(list) = rule
        && list.len() > 2
    {
        list.remove(2 + bytes.choose_index(list.len() - 2)?);
    }
    Ok(())
}

/// Puts a literal of a rule inside another one.
fn change_literal(
    bytes: &mut Unstructured<'_>,
    rules: &mut [Tree],
    index: usize,
    around: &[&str],
) -> Result<()> {
    if let Tree::List(list) = &mut rules[index]
        && list.len() > 2
        && list.first() == Some(&Tree::Word("<=".to_owned()))
    {
        let place = 2 + bytes.choose_index(list.len() - 2)?;
        let mut inside: Vec<Tree> = around.iter().map(|word| Tree::Word((*word).to_owned())).collect();
        inside.push(list[place].clone());
        if around == ["or"] {
            inside.push(list[2].clone());
        }
        list[place] = Tree::List(inside);
    }
    Ok(())
}
