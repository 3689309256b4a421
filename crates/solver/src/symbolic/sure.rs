//! Backward: where roles are sure of what.

use std::collections::BTreeMap;

use diagrams::{Rules, Set, Step, Trouble};

use super::reach::Reach;
use super::{Level, Progress};
use crate::Limits;

/// What is asked of a role and all others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// Where has the role a move that does whatever the others do?
    Sure,
    /// Where have the others no moves together that keep the role from it whatever it does? With moves at once that may be
    /// more: on average nobody is sure of more than this.
    NotKept,
    /// Where does it come whatever anybody does?
    Always,
}

/// Works out what is sure.
pub(super) struct Backward<'a> {
    rules: &'a mut Rules,
    reach: &'a Reach,
    limits: &'a Limits<'a>,
    tell: &'a dyn Fn(Progress),
    /// The states of each layer in which the game goes on.
    open: Vec<Set>,
    /// All of them.
    all_open: Set,
    /// For each role its moves, each with the joint moves it is a part of; and for what the others do together.
    own: Vec<Vec<Vec<usize>>>,
    others: Vec<Vec<Vec<usize>>>,
    found: usize,
    pub(super) most_nodes: usize,
    /// Whether there is no more room to be had.
    is_last: bool,
}

/// What was worked out.
pub(super) struct Found {
    pub(super) known: Vec<Vec<Level>>,
    pub(super) comes_back: bool,
    pub(super) at_once: bool,
}

impl<'a> Backward<'a> {
    pub(super) fn new(
        rules: &'a mut Rules,
        reach: &'a Reach,
        limits: &'a Limits<'a>,
        tell: &'a dyn Fn(Progress),
        is_last: bool,
    ) -> Result<Self, Trouble> {
        let open = reach.layers.iter().map(|layer| layer.without(&reach.over));
        let open = open.collect::<Result<Vec<Set>, Trouble>>()?;
        let all_open = reach.all.without(&reach.over)?;
        let roles = rules.circuit().roles.len();
        let by = |key: &dyn Fn(&Step) -> Vec<u32>| {
            let mut groups: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
            for (number, step) in reach.steps.iter().enumerate() {
                groups.entry(key(step)).or_default().push(number);
            }
            groups.into_values().collect::<Vec<Vec<usize>>>()
        };
        let own = (0..roles).map(|role| by(&|step| vec![step.joint[role]])).collect();
        let without = |role: usize, step: &Step| {
            let rest = step.joint.iter().enumerate().filter(|(other, _)| *other != role);
            rest.map(|(_, &number)| number).collect()
        };
        let others = (0..roles).map(|role| by(&|step| without(role, step))).collect();
        let most_nodes = rules.nodes();
        Ok(Self { rules, reach, limits, tell, open, all_open, own, others, found: 0, most_nodes, is_last })
    }

    pub(super) fn solve(&mut self) -> Result<Found, Trouble> {
        let at_once = self.is_at_once()?;
        let mut comes_back = false;
        if self.reach.is_mixed {
            let rounds =
                self.rounds(0, Question::Always, &self.reach.over.clone(), None, &self.all_open.clone())?;
            comes_back = !self.all_open.without(&union(self.rules, &rounds)?)?.is_empty();
        }
        let mut known = Vec::new();
        for role in 0..self.own.len() {
            known.push(self.levels(role, at_once)?);
        }
        Ok(Found { known, comes_back, at_once })
    }

    /// What a role can be sure of, from the highest goal down.
    fn levels(&mut self, role: usize, at_once: bool) -> Result<Vec<Level>, Trouble> {
        let goals = self.rules.circuit().roles[role].goals.clone();
        let mut levels: Vec<Level> = Vec::new();
        let mut ends = self.rules.nothing().clone();
        for goal in goals.iter().rev().filter(|goal| goal.value > 0) {
            let rest = self.reach.over.without(&ends)?;
            let fresh = self.rules.within(&rest, goal.edge, self.limits.is_over)?;
            if fresh.is_empty() {
                continue;
            }
            ends = ends.or(&fresh)?;
            let sure = self.answer(role, Question::Sure, &ends)?;
            let open = match at_once {
                true => Some(self.answer(role, Question::NotKept, &ends)?),
                false => None,
            };
            levels.push(Level { goal: goal.value, sure, open, within: None });
        }
        // How long it takes: who chooses for the others holds out where that costs nothing.
        let mut above = self.rules.nothing().clone();
        for level in &mut levels {
            let own = level.sure.without(&above)?;
            let ends = own.and(&self.reach.over)?;
            let asked = own.and(&self.all_open)?;
            match self.rounds(role, Question::Sure, &ends, Some(&above), &asked) {
                Ok(rounds) => level.within = Some(rounds),
                // What is sure stands, even if there is no room to tell how soon.
                Err(trouble) if trouble == Trouble::OutOfTime || self.is_last => break,
                Err(trouble) => return Err(trouble),
            }
            above = level.sure.clone();
        }
        Ok(levels)
    }

    /// Where something leads to some ends.
    fn answer(&mut self, role: usize, question: Question, ends: &Set) -> Result<Set, Trouble> {
        if self.reach.is_mixed {
            let rounds = self.rounds(role, question, ends, None, &self.all_open.clone())?;
            return union(self.rules, &rounds);
        }
        let (mut behind, mut all) = (self.rules.nothing().clone(), self.rules.nothing().clone());
        for depth in (0..self.open.len()).rev() {
            let here = ends.and(&self.reach.layers[depth])?;
            let asked = self.open[depth].clone();
            behind = here.or(&self.before(role, question, &behind, &asked)?)?;
            all = all.or(&behind)?;
        }
        Ok(all)
    }

    /// What leads to some ends within one move, within two, until nothing is added. `free` is where the question need not
    /// be asked any more. What each round adds, the ends first.
    fn rounds(
        &mut self,
        role: usize,
        question: Question,
        ends: &Set,
        free: Option<&Set>,
        asked: &Set,
    ) -> Result<Vec<Set>, Trouble> {
        let mut behind = match free {
            Some(free) => ends.or(free)?,
            None => ends.clone(),
        };
        let (mut rounds, mut rest) = (vec![ends.clone()], asked.clone());
        while !rest.is_empty() {
            let fresh = self.before(role, question, &behind, &rest)?;
            if fresh.is_empty() {
                break;
            }
            rest = rest.without(&fresh)?;
            behind = behind.or(&fresh)?;
            rounds.push(fresh);
        }
        Ok(rounds)
    }

    /// Which of some states lead to others by one move.
    fn before(&mut self, role: usize, question: Question, behind: &Set, asked: &Set) -> Result<Set, Trouble> {
        self.found += 1;
        let nodes = self.rules.nodes();
        self.most_nodes = self.most_nodes.max(nodes);
        (self.tell)(Progress { layers: self.reach.layers.len(), sure: self.found, nodes });
        if behind.is_empty() || asked.is_empty() {
            return Ok(self.rules.nothing().clone());
        }
        let mut yes = self.rules.nothing().clone();
        match question {
            Question::Sure => {
                for group in 0..self.own[role].len() {
                    let (possible, bad) = self.group(true, role, group, behind, asked)?;
                    yes = yes.or(&possible.without(&bad)?)?;
                }
                Ok(yes)
            }
            Question::NotKept => {
                // The others keep it from the role where something they can do together leads nowhere else.
                let mut kept = self.rules.nothing().clone();
                for group in 0..self.others[role].len() {
                    let (possible, good) = self.group(false, role, group, behind, asked)?;
                    kept = kept.or(&possible.without(&good)?)?;
                }
                asked.without(&kept)
            }
            Question::Always => {
                let mut away = self.rules.nothing().clone();
                for group in 0..self.own[role].len() {
                    away = away.or(&self.group(true, role, group, behind, asked)?.1)?;
                }
                asked.without(&away)
            }
        }
    }

    /// For joint moves with something in common, where any of them is possible, and where one of them leads out of some states
    /// (or into them).
    fn group(
        &mut self,
        is_out: bool,
        role: usize,
        group: usize,
        behind: &Set,
        asked: &Set,
    ) -> Result<(Set, Set), Trouble> {
        let (mut possible, mut leading) = (self.rules.nothing().clone(), self.rules.nothing().clone());
        let groups = if is_out { &self.own } else { &self.others };
        for &number in &groups[role][group] {
            if (self.limits.is_over)() {
                return Err(Trouble::OutOfTime);
            }
            let step = &self.reach.steps[number];
            let here = asked.and(&step.possible)?;
            if here.is_empty() {
                continue;
            }
            possible = possible.or(&here)?;
            let here = here.without(&leading)?;
            let from = step.origin(behind)?;
            let found = if is_out { here.without(&from)? } else { here.and(&from)? };
            leading = leading.or(&found)?;
            self.rules.tidy();
        }
        Ok((possible, leading))
    }

    /// Whether several roles have a choice in a state.
    fn is_at_once(&mut self) -> Result<bool, Trouble> {
        let mut choosing: Option<Set> = None;
        for role in 0..self.own.len() {
            let (mut one, mut several) = (self.rules.nothing().clone(), self.rules.nothing().clone());
            let legal = self.rules.circuit().roles[role].legal.clone();
            for edge in legal {
                let here = self.all_open.and(&self.rules.edge(edge, self.limits.is_over)?)?;
                several = several.or(&one.and(&here)?)?;
                one = one.or(&here)?;
            }
            match &choosing {
                Some(others) if !others.and(&several)?.is_empty() => return Ok(true),
                Some(others) => choosing = Some(others.or(&several)?),
                None => choosing = Some(several),
            }
        }
        Ok(false)
    }
}

fn union(rules: &Rules, sets: &[Set]) -> Result<Set, Trouble> {
    sets.iter().try_fold(rules.nothing().clone(), |all, set| all.or(set))
}
