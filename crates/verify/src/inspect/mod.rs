//! Checks by simulation: what a rule sheet does wrong shows when it is played.
//!
//! Seeded random playouts look for states without legal moves, playouts that do not end, missing
//! and contradicting goals, facts and moves that `base` and `input` do not list, and what roles cannot know. Each fault is
//! told once, with the first moves that led to it. That nothing is found proves nothing; what is
//! found is certain, [`Code::NotWinnable`] excepted.

mod percepts;
mod places;
mod win;

use std::collections::HashSet;

use game::{Describe, Dice, Expansion, GoalReading, MoveId, RoleId, RuleFault};
use gdl::{Code, Diagnostic, RuleSheet, Span};

use percepts::Views;
use places::Places;

/// What a sheet declares by `base` and `input`.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Facts.
    pub base: Option<HashSet<String>>,
    /// Roles and moves.
    pub input: Option<HashSet<(String, String)>>,
}

/// How much is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Playouts from the beginning.
    pub playouts: u64,
    /// Joint moves after which a playout counts as endless.
    pub steps_of_playout: usize,
    /// Joint moves in all playouts together; no new playout begins beyond.
    pub steps: u64,
    /// Positions that are searched for a win of a role that has won no playout.
    pub search: usize,
    /// The seed of the playouts.
    pub seed: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { playouts: 50, steps_of_playout: 2_000, steps: 50_000, search: 40_000, seed: 1 }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The faults, with their strict severities.
    pub findings: Vec<Diagnostic>,
    /// Playouts that were begun.
    pub playouts: u64,
    /// Joint moves in them.
    pub steps: u64,
    /// Whether all playouts asked for were played: time and steps sufficed.
    pub complete: bool,
}

/// Plays a game at random and reports what goes wrong. `go_on` is asked before each step and ends
/// the inspection early by returning `false`, as does a machine that is told to stop.
pub fn inspect<G: Describe>(
    game: &G,
    declared: &Declared,
    sheet: &RuleSheet,
    budget: Budget,
    go_on: impl FnMut() -> bool,
) -> Inspection {
    let mut inspector = Inspector {
        game,
        declared,
        places: Places::new(sheet),
        workspace: game.workspace(),
        findings: Vec::new(),
        told: HashSet::new(),
        best: vec![None; game.role_count()],
        ended: 0,
        steps: 0,
        views: Views::default(),
        go_on,
    };
    let mut playouts = 0;
    let mut complete = true;
    for index in 0..budget.playouts {
        if inspector.steps >= budget.steps {
            complete = false;
            break;
        }
        playouts += 1;
        if !inspector.playout(Dice::stream(budget.seed, index), budget.steps_of_playout) {
            complete = false;
            break;
        }
    }
    if complete && inspector.ended > 0 {
        inspector.winnable(budget);
    }
    let mut findings = inspector.findings;
    findings.sort_by_key(|finding| (finding.span, finding.code));
    Inspection { findings, playouts, steps: inspector.steps, complete }
}

struct Inspector<'a, G: Describe, GoOn> {
    game: &'a G,
    declared: &'a Declared,
    places: Places<'a>,
    workspace: G::Workspace,
    findings: Vec<Diagnostic>,
    /// What was told already: a fault and whom or what it concerns.
    told: HashSet<(Code, String)>,
    /// The best goal of each role at an end.
    best: Vec<Option<u8>>,
    ended: u64,
    steps: u64,
    /// What looks the same to roles, in a game that hides something.
    views: Views,
    go_on: GoOn,
}

/// How a position was reached.
type Path = [Vec<MoveId>];

impl<G: Describe, GoOn: FnMut() -> bool> Inspector<'_, G, GoOn> {
    /// Plays once; `false` if the inspection has to end.
    fn playout(&mut self, mut dice: Dice, limit: usize) -> bool {
        let mut state = self.game.initial();
        let mut path: Vec<Vec<MoveId>> = Vec::new();
        let mut expansion = Expansion::new();
        let mut before: Vec<GoalReading> = Vec::new();
        let mut views = self.views.begin(self.game.role_count());
        loop {
            if !(self.go_on)() {
                return false;
            }
            let mut goals = Vec::new();
            let looked = self.game.expand(&mut self.workspace, &state, &mut expansion);
            let looked = looked.and_then(|()| self.game.goals(&mut self.workspace, &state, &mut goals));
            if let Err(fault) = looked {
                return self.fault(&fault, &path);
            }
            self.facts(&state, &path);
            self.moves(&expansion, &path);
            self.falling_goals(&before, &goals, &path);
            self.hidden(&views, &expansion, &path);
            if expansion.is_terminal() {
                self.end(&goals, &path);
                return true;
            }
            if let Some(role) = expansion.stuck_role() {
                self.stuck(role, &path);
                return true;
            }
            if path.len() >= limit {
                self.endless(&path);
                return true;
            }
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            if let Err(fault) = self.tell_roles(&mut views, &state, &joint) {
                return self.fault(&fault, &path);
            }
            match self.game.apply(&mut self.workspace, &state, &joint) {
                Ok(next) => state = next,
                Err(fault) => return self.fault(&fault, &path),
            }
            path.push(joint);
            self.steps += 1;
            before = goals;
        }
    }

    /// Reports a fault once for each thing it concerns.
    fn tell(&mut self, code: Code, about: &str, build: impl FnOnce(&Self) -> Diagnostic) {
        if self.told.insert((code, about.to_owned())) {
            let finding = build(self);
            self.findings.push(finding);
        }
    }

    fn role(&self, role: usize) -> String {
        self.game.roles()[role].clone()
    }

    fn fault(&mut self, fault: &RuleFault, path: &Path) -> bool {
        if matches!(fault, RuleFault::OutOfTime) {
            return false;
        }
        self.tell(Code::RuleFault, "", |this| {
            let about = match fault {
                RuleFault::Unstratified(name) => name.as_str(),
                _ => "",
            };
            let message = format!("{fault}, {}", this.told_path(path));
            Diagnostic::new(Code::RuleFault, this.places.about(about), message)
                .with_help("look for relations that depend on their own negation or build ever larger terms")
        });
        true
    }

    fn stuck(&mut self, role: RoleId, path: &Path) {
        let name = self.role(role.0 as usize);
        self.tell(Code::NoLegalMove, &name, |this| {
            let message = format!("`{name}` has no legal move {}", this.told_path(path));
            let help = "give every role a legal move in every state that is not terminal, such as `noop`";
            let finding =
                Diagnostic::new(Code::NoLegalMove, this.places.role(&name), message).with_help(help);
            this.labelled(finding, this.places.legal(&name), "its legal moves come from here")
        });
    }

    fn endless(&mut self, path: &Path) {
        self.tell(Code::NotTerminating, "", |this| {
            let message = format!("a playout goes on after {} moves", path.len());
            Diagnostic::new(Code::NotTerminating, this.places.terminal(), message)
                .with_help("count the steps in the state and make the game end at a limit")
        });
    }

    fn end(&mut self, goals: &[GoalReading], path: &Path) {
        self.ended += 1;
        for (role, &reading) in goals.iter().enumerate() {
            let name = self.role(role);
            let best = &mut self.best[role];
            *best = (*best).max(Some(reading.value().0));
            match reading {
                GoalReading::One(_) => {}
                GoalReading::None => self.tell(Code::GoalMissing, &name, |this| {
                    let message = format!("`{name}` has no goal value at the end, {}", this.told_path(path));
                    Diagnostic::new(Code::GoalMissing, this.places.goal(&name), message)
                        .with_help("let exactly one `goal` hold for every role in every terminal state")
                }),
                GoalReading::Several { highest, lowest } => self.tell(Code::GoalAmbiguous, &name, |this| {
                    let (low, high) = (lowest.0, highest.0);
                    let message = format!(
                        "`{name}` has both {low} and {high} as goal values at the end, {}",
                        this.told_path(path)
                    );
                    let finding =
                        Diagnostic::new(Code::GoalAmbiguous, this.places.goal_of_value(&name, high), message)
                            .with_help("make the conditions of the goals exclude each other");
                    let other = Some(this.places.goal_of_value(&name, low));
                    this.labelled(finding, other, "the other value may come from here")
                }),
            }
        }
    }

    fn falling_goals(&mut self, before: &[GoalReading], now: &[GoalReading], path: &Path) {
        for (role, pair) in before.iter().zip(now).enumerate() {
            let (&GoalReading::One(old), &GoalReading::One(new)) = pair else { continue };
            if new >= old {
                continue;
            }
            let name = self.role(role);
            self.tell(Code::GoalDecreases, &name, |this| {
                let message = format!(
                    "the goal of `{name}` falls from {} to {} {}",
                    old.0,
                    new.0,
                    this.told_path(path)
                );
                Diagnostic::new(Code::GoalDecreases, this.places.goal_of_value(&name, old.0), message)
                    .with_help("players that read goals before the end expect them to grow only")
            });
        }
    }

    fn facts(&mut self, state: &G::State, path: &Path) {
        let declared = self.declared;
        let Some(base) = &declared.base else { return };
        for fact in self.game.facts(state).iter().filter(|&fact| !base.contains(fact)) {
            let name = first_name(fact);
            self.tell(Code::OutsideBase, name, |this| {
                let message =
                    format!("`{fact}` is true {}, and `base` does not list it", this.told_path(path));
                let finding = Diagnostic::new(Code::OutsideBase, this.places.state_rule(name), message)
                    .with_help("let `base` list every fact that can become true");
                this.labelled(finding, this.places.base(name), "`base` lists these")
            });
        }
    }

    fn moves(&mut self, expansion: &Expansion, path: &Path) {
        let declared = self.declared;
        let Some(input) = &declared.input else { return };
        for (role, legal) in expansion.by_role().enumerate() {
            let role = self.role(role);
            for &id in legal {
                let pair = (role.clone(), self.game.move_text(id));
                if input.contains(&pair) {
                    continue;
                }
                let (role, action) = pair;
                let name = first_name(&action);
                self.tell(Code::OutsideInput, &format!("{role} {name}"), |this| {
                    let message = format!(
                        "`{action}` is legal for `{role}` {}, and `input` does not list it",
                        this.told_path(path)
                    );
                    let finding =
                        Diagnostic::new(Code::OutsideInput, this.places.legal_rule(&role, name), message)
                            .with_help("let `input` list every move that can become legal");
                    this.labelled(finding, this.places.input(&role), "`input` lists these")
                });
            }
        }
    }

    fn winnable(&mut self, budget: Budget) {
        for role in 0..self.best.len() {
            let name = self.role(role);
            let Some(highest) = self.places.highest_goal(&name) else { continue };
            if self.best[role] >= Some(highest) {
                continue;
            }
            let mut search = win::Search {
                game: self.game,
                workspace: &mut self.workspace,
                go_on: &mut self.go_on,
                dice: Dice::stream(budget.seed, u64::MAX),
                role: RoleId(role as u16),
                wanted: highest,
                left: budget.search,
                known: HashSet::new(),
                exhausted: false,
            };
            if search.succeeds() {
                continue;
            }
            let (searched, all) = (search.known.len(), search.exhausted);
            let best = self.best[role].unwrap_or(0);
            let ended = self.ended;
            self.tell(Code::NotWinnable, &name, |this| {
                let mut message = format!(
                    "none of {ended} random playouts brought `{name}` a goal of {highest}; the best is {best}"
                );
                if all {
                    message += &format!(", and none of all {searched} positions is such an end");
                } else if searched > 0 {
                    message += &format!(", and a search of {searched} positions found no such end");
                }
                Diagnostic::new(Code::NotWinnable, this.places.goal_of_value(&name, highest), message)
                    .with_help("if that is only rare, as in a hard puzzle, nothing is wrong; more playouts may show it")
            });
        }
    }

    fn labelled(&self, finding: Diagnostic, place: Option<Span>, message: &str) -> Diagnostic {
        match place {
            Some(span) if span != finding.span => finding.with_label(span, message),
            _ => finding,
        }
    }

    /// The moves that lead to a position, the last few of them if there are many.
    fn told_path(&self, path: &Path) -> String {
        const SHOWN: usize = 4;
        if path.is_empty() {
            return "in the initial state".to_owned();
        }
        let joint = |joint: &Vec<MoveId>| {
            let moves: Vec<String> = joint.iter().map(|&id| self.game.move_spelling(id)).collect();
            moves.join(" ")
        };
        let last: Vec<String> = path[path.len().saturating_sub(SHOWN)..].iter().map(joint).collect();
        let (plural, skipped) =
            (if path.len() == 1 { "" } else { "s" }, if path.len() > SHOWN { ".. / " } else { "" });
        format!("after {} move{plural} ({skipped}{})", path.len(), last.join(" / "))
    }
}

/// The function of a term in canonical text, or the constant that it is.
fn first_name(term: &str) -> &str {
    let term = term.trim_start_matches('(');
    &term[..term.find([' ', ')']).unwrap_or(term.len())]
}
