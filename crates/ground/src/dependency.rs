//! Which relation depends on which: the order of evaluation, what is fixed once and for all, and
//! what is needed of each relation.

use gdl::keyword;

use crate::program::{Program, RelationId, Rule};

/// What is known about the relations of a program before it is evaluated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dependencies {
    /// Relations that depend on each other, after all those that they depend on.
    pub components: Vec<Vec<RelationId>>,
    /// The component of each relation.
    pub component_of: Vec<u32>,
    /// Whether a relation may differ from state to state (or has no stratified meaning).
    pub dynamic: Vec<bool>,
    /// Whether all rows that may become true are needed. A relation of which only single rows are
    /// asked for, under `not`, is not evaluated but asked row by row.
    pub needed: Vec<bool>,
}

/// All versions of a rule.
pub(crate) fn versions(rule: &Rule) -> impl Iterator<Item = &Rule> {
    std::iter::once(rule).chain(rule.split.as_deref())
}

/// Analyses a program.
pub(crate) fn analyze(program: &Program) -> Dependencies {
    let count = program.relations.len();
    let mut uses: Vec<Vec<u32>> = vec![Vec::new(); count];
    for rule in program.rules.iter().flat_map(versions) {
        let list = &mut uses[rule.head.relation.index()];
        list.extend(rule.positive.iter().chain(&rule.negative).map(|atom| atom.relation.0));
    }
    for relation in 0..count as u32 {
        if let Some(fed) = program.feeds(RelationId(relation)) {
            uses[fed.index()].push(relation);
        }
    }
    for list in &mut uses {
        list.sort_unstable();
        list.dedup();
    }
    let components = strong_components(&uses);
    let mut component_of = vec![0; count];
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|&relation| component_of[relation as usize] = number as u32);
    }

    let mut dynamic: Vec<bool> = program
        .relations
        .iter()
        .map(|relation| [keyword::TRUE, keyword::DOES].contains(&relation.predicate))
        .collect();
    for rule in program.rules.iter().flat_map(versions) {
        let head = rule.head.relation.index();
        dynamic[head] |=
            rule.negative.iter().any(|atom| component_of[atom.relation.index()] == component_of[head]);
    }
    for component in &components {
        let depends = |&relation: &u32| {
            let relation = relation as usize;
            dynamic[relation] || uses[relation].iter().any(|&used| dynamic[used as usize])
        };
        // What a state's facts were fed from does not make other relations vary.
        if component.iter().any(depends) {
            component.iter().for_each(|&relation| dynamic[relation as usize] = true);
        }
    }

    Dependencies {
        needed: needed(program, &dynamic),
        components: components
            .into_iter()
            .map(|component| component.into_iter().map(RelationId).collect())
            .collect(),
        component_of,
        dynamic,
    }
}

fn needed(program: &Program, dynamic: &[bool]) -> Vec<bool> {
    let count = program.relations.len();
    let mut rules_of: Vec<Vec<&Rule>> = vec![Vec::new(); count];
    for rule in program.rules.iter().flat_map(versions) {
        rules_of[rule.head.relation.index()].push(rule);
    }
    let mut live = vec![false; count];
    let mut needed = vec![false; count];
    let mut open = Vec::new();
    let outputs = [
        keyword::NEXT,
        keyword::LEGAL,
        keyword::INIT,
        keyword::GOAL,
        keyword::TERMINAL,
        keyword::SEES,
        keyword::TRUE,
        keyword::DOES,
    ];
    for (relation, info) in program.relations.iter().enumerate() {
        needed[relation] = outputs.contains(&info.predicate);
        if needed[relation] {
            live[relation] = true;
            open.push(relation);
        }
    }
    while let Some(relation) = open.pop() {
        for rule in &rules_of[relation] {
            for (atom, positive) in rule
                .positive
                .iter()
                .map(|atom| (atom, true))
                .chain(rule.negative.iter().map(|atom| (atom, false)))
            {
                let used = atom.relation.index();
                needed[used] |= positive || !dynamic[used];
                if !live[used] {
                    live[used] = true;
                    open.push(used);
                }
            }
        }
    }
    needed
}

/// Strongly connected components, each after those it leads to (Tarjan).
pub fn strong_components(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let count = edges.len();
    let mut number = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut done = vec![false; count];
    let mut stack = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut components = Vec::new();
    let mut counter = 0;
    for start in 0..count as u32 {
        if number[start as usize] != UNSEEN {
            continue;
        }
        path.push((start, 0));
        while let Some((node, place)) = path.last_mut() {
            let index = *node as usize;
            if *place == 0 {
                number[index] = counter;
                low[index] = counter;
                counter += 1;
                stack.push(*node);
            }
            if let Some(&target) = edges[index].get(*place) {
                *place += 1;
                let target_index = target as usize;
                if number[target_index] == UNSEEN {
                    path.push((target, 0));
                } else if !done[target_index] {
                    low[index] = low[index].min(number[target_index]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[index]);
            }
            if low[index] == number[index] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    done[member as usize] = true;
                    component.push(member);
                    if member as usize == index {
                        break;
                    }
                }
                component.sort_unstable();
                components.push(component);
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_use() {
        let components = strong_components(&[vec![1], vec![2], vec![1, 3], vec![]]);
        assert_eq!(components, [vec![3], vec![1, 2], vec![0]]);
    }
}
