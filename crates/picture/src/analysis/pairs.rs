//! Coordinates that are told by two facts: `(posx red 3)` and `(posy red 5)` are one place on a board.

use super::fluent::Fluent;
use crate::term::Term;

/// Two fluents that tell one place.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// The fluent of the column.
    x: String,
    /// The fluent of the row.
    y: String,
    arity: usize,
    /// What the place is called.
    name: String,
}

/// The fluents that tell where something is, and the fluent that stands for each two of them.
pub(crate) fn pairs(fluents: &mut Vec<Fluent>) -> Vec<Pair> {
    let mut found: Vec<(Pair, Fluent)> = Vec::new();
    for x in fluents.iter().filter(|fluent| fluent.arity >= 1 && fluent.slots.len() == fluent.arity) {
        let Some(rest) = remainder(&x.name, 'x') else { continue };
        let same = |y: &&Fluent| {
            y.arity == x.arity && y.slots.len() == y.arity && remainder(&y.name, 'y').as_ref() == Some(&rest)
        };
        let Some(y) = fluents.iter().find(same) else { continue };
        let last = x.arity - 1;
        if x.slots[last].order.is_none() || y.slots[last].order.is_none() {
            continue;
        }
        let name = format!("pos{}", rest.trim_matches(|letter: char| !letter.is_ascii_digit()));
        let pair = Pair { x: x.name.clone(), y: y.name.clone(), arity: x.arity, name: name.clone() };
        let mut slots = x.slots.clone();
        let mut row = y.slots[last].clone();
        row.path = vec![last + 1];
        slots.push(row);
        slots[last].names = vec!["x".to_owned()];
        slots[last + 1].names = vec!["y".to_owned()];
        let join = |(xs, ys): (&Vec<Vec<String>>, &Vec<Vec<String>>)| {
            let row = |fact: &Vec<String>| {
                let other = ys.iter().find(|other| other[..last] == fact[..last])?;
                Some(fact.iter().cloned().chain([other[last].clone()]).collect())
            };
            xs.iter().filter_map(row).collect()
        };
        let seen = x.seen.iter().zip(&y.seen).map(join).collect();
        found.push((pair, Fluent { name, arity: x.arity + 1, slots, seen }));
    }
    fluents.retain(|fluent| {
        !found
            .iter()
            .any(|(pair, _)| pair.arity == fluent.arity && [&pair.x, &pair.y].contains(&&fluent.name))
    });
    let (pairs, joined): (Vec<Pair>, Vec<Fluent>) = found.into_iter().unzip();
    fluents.extend(joined);
    pairs
}

/// What is left of a name without the letter of a coordinate, if the rest is about places.
fn remainder(name: &str, letter: char) -> Option<String> {
    let at = name.find(letter)?;
    let rest = format!("{}{}", &name[..at], &name[at + 1..]);
    let plain = rest.trim_matches(|letter: char| !letter.is_ascii_alphabetic());
    ["", "pos", "position", "loc", "location", "at", "coord"].contains(&plain).then_some(rest)
}

impl Pair {
    /// Puts the one fact of a place where its two facts were.
    pub(crate) fn join(&self, facts: &mut Vec<Term>) {
        let of = |name: &String, fact: &&Term| fact.name == *name && fact.arguments.len() == self.arity;
        let last = self.arity - 1;
        let mut joined = Vec::new();
        for x in facts.iter().filter(|fact| of(&self.x, fact)) {
            let same = |y: &&Term| y.arguments[..last] == x.arguments[..last];
            if let Some(y) = facts.iter().filter(|fact| of(&self.y, fact)).find(same) {
                let mut arguments = x.arguments.clone();
                arguments.push(y.arguments[last].clone());
                joined.push(Term { name: self.name.clone(), arguments });
            }
        }
        if !joined.is_empty() {
            facts.retain(|fact| !of(&self.x, &fact) && !of(&self.y, &fact));
            facts.append(&mut joined);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_facts_become_one() {
        let pair = Pair { x: "posx".into(), y: "posy".into(), arity: 2, name: "pos".into() };
        let mut facts: Vec<Term> =
            ["(posx red 3)", "(posy blue 2)", "(posy red 4)", "(velx red 1)"].map(Term::read).to_vec();
        pair.join(&mut facts);
        let texts: Vec<String> = facts.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["(velx red 1)", "(pos red 3 4)"]);
    }

    #[test]
    fn only_places_are_joined() {
        assert_eq!(remainder("posx", 'x').as_deref(), Some("pos"));
        assert_eq!(remainder("x1", 'x').as_deref(), Some("1"));
        assert_eq!(remainder("velx", 'x'), None);
        assert_eq!(remainder("exit", 'x'), None);
    }
}
