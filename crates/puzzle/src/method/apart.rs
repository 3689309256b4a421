//! Parts that do not interact are solved apart, each by a portfolio of its own, and their plans are put together.
//!
//! Where the highest goal asks for all parts, all are solved; where one part is enough, the first that is solved. What comes
//! of it is played on the whole game before it is offered, so a plan is always what it says it is.

use std::sync::Arc;
use std::time::Duration;

use circuit::{Composition, Link, MoveGroup, PartGame, Parts};
use game::{Goal, MoveId};
use machine::batch::BatchMachine;
use machine::circuit::{CircuitMachine, CircuitState};

use super::{Breadth, Keys, Method, Progress, Tally};
use crate::eye::{Eye, Sight};
use crate::path::Path;
use crate::{Options, Portfolio, Search, Space};

/// Positions that are tried when plans are put together.
const MOST_POSITIONS: usize = 20_000;
/// Games of more parts than this are left alone.
const MOST_PARTS: usize = 64;
/// What a part scores where all is reached that is asked of it.
const ALL: Goal = Goal(100);

/// Solves parts apart.
#[derive(Debug)]
pub struct Apart {
    space: Arc<Space>,
    members: Vec<Member>,
    /// For each move of the game what it does in the parts.
    done: Vec<Vec<u32>>,
    groups: Vec<MoveGroup>,
    composition: Composition,
    link: Link,
    turn: usize,
    /// Whether shortest plans are looked for, as others were too long together.
    wants_shortest: bool,
}

/// A part.
#[derive(Debug)]
struct Member {
    /// Its number among the parts.
    part: usize,
    game: PartGame,
    space: Arc<Space>,
    options: Options,
    portfolio: Portfolio,
    /// What is done there, step by step.
    plan: Option<Vec<u32>>,
    ended: bool,
}

/// What a step of the whole game has to do.
#[derive(Clone, Debug)]
enum Need {
    /// This in each part; `None` where anything will do.
    Each(Vec<Option<u32>>),
    /// This in one part, the others being left alone.
    Only(usize, u32),
}

impl Apart {
    /// `None` if the game has one part, or cannot be taken apart.
    pub fn new(space: Arc<Space>, options: &Options) -> Option<Self> {
        let circuit = space.circuit();
        let parts = circuit.parts();
        if !(2..=MOST_PARTS).contains(&parts.facts.len()) {
            return None;
        }
        let actions = parts.actions.as_ref()?.first()?;
        let (composition, link) = (actions.composition, *parts.goals.first()?);
        let mut done = vec![Vec::new(); circuit.roles[0].moves.len()];
        for (id, parts) in actions.groups.iter().flat_map(|group| &group.moves) {
            done[*id as usize].clone_from(parts);
        }
        let groups = actions.groups.clone();
        let members: Vec<Member> =
            (0..parts.facts.len()).filter_map(|part| Member::new(&space, &parts, part, options)).collect();
        (!members.is_empty()).then_some(Self {
            members,
            done,
            groups,
            composition,
            link,
            turn: 0,
            wants_shortest: false,
            space,
        })
    }

    /// What has to be done step by step, by the plans there are.
    fn schedule(&self) -> Vec<Need> {
        let parts = self.done.first().map_or(0, Vec::len);
        let solved: Vec<(&Member, &Vec<u32>)> =
            self.members.iter().filter_map(|member| Some((member, member.plan.as_ref()?))).collect();
        if self.composition == Composition::Serial && self.link == Link::All {
            // One part after the other; time that a part spends waiting is time for the others.
            let is_idle = |part: usize, action: u32| {
                self.groups.iter().filter_map(|group| group.idle.as_ref()).any(|idle| idle[part] == action)
            };
            let steps =
                solved.iter().flat_map(|(member, plan)| plan.iter().map(|&action| (member.part, action)));
            let steps = steps.filter(|&(part, action)| !is_idle(part, action));
            return steps.map(|(part, action)| Need::Only(part, action)).collect();
        }
        let solved: Vec<(&Member, &Vec<u32>)> = match self.link {
            Link::All => solved,
            _ => solved.into_iter().min_by_key(|(_, plan)| plan.len()).into_iter().collect(),
        };
        let longest = solved.iter().map(|(_, plan)| plan.len()).max().unwrap_or(0);
        let step = |step: usize| {
            let mut needs = vec![None; parts];
            solved.iter().for_each(|(member, plan)| needs[member.part] = plan.get(step).copied());
            Need::Each(needs)
        };
        (0..longest).map(step).collect()
    }

    /// Whether a move does what is needed.
    fn does(&self, id: MoveId, need: &Need) -> bool {
        let done = &self.done[id.0 as usize];
        match need {
            Need::Each(needs) => {
                needs.iter().zip(done).all(|(need, done)| need.is_none_or(|need| need == *done))
            }
            Need::Only(part, action) => {
                let group =
                    self.groups.iter().find(|group| group.moves.iter().any(|(other, _)| *other == id.0));
                let idle = group.and_then(|group| group.idle.as_ref());
                let others = |idle: &Vec<u32>| {
                    (0..done.len()).all(|other| other == *part || done[other] == idle[other])
                };
                done[*part] == *action && idle.is_none_or(others)
            }
        }
    }

    /// Puts plans together, by a small search on the whole game.
    fn join(&self, search: &Search<'_>) {
        let schedule = self.schedule();
        let mut eye = Eye::new(self.space.machine());
        let mut path = Path::default();
        let mut state = Some(self.space.start().clone());
        for _ in 0..MOST_POSITIONS {
            if let Some(state) = state.take() {
                match eye.look(&state) {
                    Sight::End(score) => {
                        search.offer("apart", score, || path.line());
                        if score >= self.space.ceiling() {
                            return;
                        }
                    }
                    Sight::Moves(legal) => {
                        let step = path.len();
                        // Where the game goes on after all plans, anything may be done that keeps what was reached.
                        let fits = |id: &MoveId| schedule.get(step).is_none_or(|need| self.does(*id, need));
                        let moves = if self.keeps(&state, step) {
                            legal.into_iter().filter(fits).collect()
                        } else {
                            Vec::new()
                        };
                        path.push(state, moves);
                    }
                }
            }
            if path.is_empty() {
                return;
            }
            state = path.step(&mut eye);
        }
    }

    /// Whether the parts whose plans are over still have what they were to reach.
    fn keeps(&self, state: &CircuitState, step: usize) -> bool {
        if self.link != Link::All || self.composition == Composition::Serial {
            return true;
        }
        self.members.iter().all(|member| {
            let is_over = member.plan.as_ref().is_some_and(|plan| plan.len() <= step);
            !is_over || Eye::new(member.space.machine()).look(&member.state(state)) == Sight::End(ALL)
        })
    }

    /// Whether enough is solved.
    fn is_ready(&self) -> bool {
        let solved = self.members.iter().filter(|member| member.plan.is_some()).count();
        if self.link == Link::All { solved == self.members.len() } else { solved > 0 }
    }
}

impl Member {
    fn new(space: &Arc<Space>, parts: &Parts, part: usize, options: &Options) -> Option<Self> {
        let mut game = parts.project(space.circuit(), part)?;
        let start = space.start();
        game.circuit.initial = game.facts.iter().map(|&fact| start.get(fact as usize)).collect();
        let machine = Arc::new(CircuitMachine::new(Arc::new(game.circuit.clone())));
        let own = Arc::new(Space::new(Arc::new(BatchMachine::new(machine))).ok()?);
        let bytes = options.bytes / 4 / parts.facts.len();
        let options = Options { threads: 1, bytes, seed: options.seed };
        let portfolio = Portfolio::new(&own, options);
        Some(Self { part, game, space: own, options, portfolio, plan: None, ended: false })
    }

    /// Begins anew, for a plan that is as short as any.
    fn shorten(&mut self) {
        let breadth = Breadth::new(Arc::clone(&self.space), Keys::Timeless, self.options.bytes);
        let methods: Vec<(f64, Box<dyn Method>)> = vec![(1.0, Box::new(breadth))];
        self.portfolio = Portfolio::of(methods, self.space.ceiling(), self.options);
        (self.plan, self.ended) = (None, false);
    }

    /// The part's own state in a state of the game.
    fn state(&self, state: &CircuitState) -> CircuitState {
        CircuitState::from_bits(self.game.facts.iter().map(|&fact| state.get(fact as usize)))
    }
}

impl Method for Apart {
    fn name(&self) -> &'static str {
        "apart"
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        while !search.is_over(until) {
            let open: Vec<usize> = (0..self.members.len())
                .filter(|&place| !self.members[place].ended && self.members[place].plan.is_none())
                .collect();
            if open.is_empty() {
                return Progress::Ended;
            }
            self.turn += 1;
            let member = &mut self.members[open[self.turn % open.len()]];
            let now = (search.clock)();
            let slice = until.saturating_sub(now) / open.len() as u32;
            member.ended =
                member.portfolio.work(now + slice.max(Duration::from_millis(5)), &search.clock, search.stop);
            if let Some(found) = member.portfolio.best().filter(|found| found.plan.score == ALL) {
                let actions = &member.game.actions;
                member.plan = Some(found.plan.moves.iter().map(|id| actions[id.0 as usize].0).collect());
            }
            if self.link == Link::All && member.ended && member.plan.is_none() {
                // The highest goal is out of reach, as far as this method can see.
                return Progress::Ended;
            }
            if self.is_ready() {
                self.join(search);
                if self.wants_shortest || search.board.is_settled() {
                    return Progress::Ended;
                }
                self.wants_shortest = true;
                self.members.iter_mut().for_each(Member::shorten);
            }
        }
        Progress::Working
    }

    fn tally(&self) -> Tally {
        let of =
            |member: &Member| member.portfolio.report().iter().map(|report| report.tally.states).sum::<u64>();
        Tally { states: self.members.iter().map(of).sum(), merged: 0 }
    }

    fn bytes(&self) -> usize {
        self.members.iter().map(|member| member.portfolio.bytes()).sum()
    }
}
