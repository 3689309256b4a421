//! Reads rules as links of a chain on which a trail is handed on.

use gdl::normal::{NormalLiteral, NormalRule, NormalSentence, NormalTerm};

use super::link::{Link, Trails};
use super::{Index, key, sentence};

/// Which way the trail is handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the head to the condition.
    Down,
    /// From the condition to the head.
    Up,
}

/// The rules of relations that depend on each other, with one argument of each as its trail.
#[derive(Debug)]
pub(super) struct Chain<'a> {
    pub(super) trails: Trails,
    pub(super) links: Vec<Link<'a>>,
    pub(super) starts: Vec<&'a NormalSentence>,
}

impl<'a> Chain<'a> {
    /// The chain of relations with these trails; `None` if the rules are not of this form.
    pub(super) fn read(index: &Index<'a>, trails: &Trails, direction: Direction) -> Option<Self> {
        let mut chain = Chain { trails: trails.clone(), links: Vec::new(), starts: Vec::new() };
        for rule in &index.rules.rules {
            let own = |literal: &&'a NormalLiteral| trails.has_condition(literal);
            let uses: Vec<&'a NormalLiteral> = rule.body.iter().filter(own).collect();
            if !trails.has(key(&rule.head)) {
                for literal in uses {
                    chain.asked_by(rule, literal, direction)?;
                }
                continue;
            }
            let condition = match uses[..] {
                [] => None,
                [NormalLiteral::Holds(sentence)] => Some(sentence),
                _ => return None,
            };
            match (direction, condition) {
                (Direction::Down, _) => chain.links.push(Link::of(trails, rule, &rule.head, condition)?),
                (Direction::Up, Some(condition)) => {
                    chain.links.push(Link::of(trails, rule, condition, Some(&rule.head))?);
                }
                (Direction::Up, None) => chain.starts.push(&rule.head),
            }
        }
        let mut changes =
            chain.links.iter().map(|link| &link.operation).filter(|operation| operation.changes());
        let first = changes.next()?;
        changes.all(|other| other == first).then_some(chain)
    }

    /// Takes note of a condition in a rule outside of the chain.
    fn asked_by(
        &mut self,
        rule: &'a NormalRule,
        literal: &'a NormalLiteral,
        direction: Direction,
    ) -> Option<()> {
        let asked = sentence(literal)?;
        if direction == Direction::Down {
            self.starts.push(asked);
            return Some(());
        }
        // Any trail will do: the variable occurs here and nowhere else.
        let (NormalLiteral::Holds(_), NormalTerm::Variable(trail)) = (literal, self.trails.trail(asked))
        else {
            return None;
        };
        let mut count = 0;
        let mut visit = |variable| count += u32::from(variable == *trail);
        rule.head.variables(&mut visit);
        rule.body.iter().for_each(|literal| literal.variables(&mut visit));
        (count == 1).then_some(())
    }

    /// The places in nodes at which no link changes anything.
    pub(super) fn is_fixed(&self, place: usize) -> bool {
        self.links.iter().all(|link| {
            let Some(to) = link.to else { return true };
            let (from, to) = (self.trails.node(link.from), self.trails.node(to));
            from.get(place).is_some() && from.get(place) == to.get(place)
        })
    }

    /// The places of a rule's conditions on the trail.
    pub(super) fn conditions_on_trail(&self, rule: &NormalRule) -> &[usize] {
        let link = self.links.iter().find(|link| std::ptr::eq(link.rule, rule));
        link.map_or(&[], |link| link.touched.as_slice())
    }
}
