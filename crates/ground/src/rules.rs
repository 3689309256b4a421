//! Ground rules, made on demand: for every atom that may become true, the bodies it follows from.
//!
//! Nothing is stored: a large game has tens of millions of bodies, and whoever turns them into
//! logic needs the bodies of one atom at a time. Only what is asked for is ever instantiated.

use gdl::keyword;

use crate::body::{AtomId, Bodies, GroundLiteral};
use crate::dependency::Dependencies;
use crate::plan::{Output, Plan, Purpose, head_outputs, plan};
use crate::program::{Atom, Program, RelationId, Rule, Skeleton};
use crate::solve::{Halt, Sink, Solver};
use crate::unique::Unit;
use crate::{Budget, GroundError, GroundReport, Progress, Spellings, Stage};

/// How many rows may be looked at for each body that a rule may have before it is split.
const ROWS_PER_BODY: u64 = 64;

/// A fact that may be true in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundBase {
    /// Canonical lower-case KIF.
    pub text: String,
    /// The atom `(true fact)`.
    pub atom: AtomId,
    /// The atom `(init fact)`.
    pub init: Option<AtomId>,
    /// The atom `(next fact)`.
    pub next: Option<AtomId>,
}

/// A move that a role may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundMove {
    /// Canonical lower-case KIF.
    pub text: String,
    /// The atom `(does role move)`.
    pub does: AtomId,
    /// The atom `(legal role move)`.
    pub legal: AtomId,
}

/// What one role may do and reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundRole {
    /// The role's name in lower case.
    pub name: String,
    /// Its moves, sorted bytewise.
    pub moves: Vec<GroundMove>,
    /// Its goal values, ascending, each with the atom `(goal role value)`.
    pub goals: Vec<(u8, AtomId)>,
    /// What it may be told, sorted bytewise, each with the atom `(sees role percept)`.
    pub percepts: Vec<(String, AtomId)>,
}

/// The rules of a game without variables.
#[derive(Clone, Debug)]
pub struct GroundRules {
    pub(crate) program: Program,
    pub(crate) dependencies: Dependencies,
    pub(crate) solver: Solver,
    /// The rules of each relation.
    rules_of: Vec<Vec<u32>>,
    plans: Vec<RulePlan>,
    /// Relation and row of each atom.
    atoms: Vec<(RelationId, u32)>,
    /// The atom of each row of each relation, plus one.
    pub(crate) atom_of: Vec<Vec<u32>>,
    split_above: usize,
    pub(crate) instances: usize,
    /// What the rules assume there is one of at a time.
    pub(crate) assumed: Vec<Unit>,
    /// The rules without what was assumed before anything was grounded.
    pub(crate) unassumed: Option<Box<Program>>,
    /// How the rules were grounded.
    pub report: GroundReport,
    /// The facts, sorted bytewise.
    pub bases: Vec<GroundBase>,
    /// The roles in order.
    pub roles: Vec<GroundRole>,
    /// The role, by its place, whose moves are drawn.
    pub chance: Option<usize>,
    /// Whether the rules say what is seen.
    pub has_percepts: bool,
    /// The atom `terminal`.
    pub terminal: Option<AtomId>,
    /// How the rules spell the names in all texts.
    pub spellings: Spellings,
}

/// How the bodies of a rule are found.
#[derive(Clone, Debug, Default)]
struct RulePlan {
    use_split: bool,
    plain: Option<(Vec<Output>, Plan)>,
    split: Option<(Vec<Output>, Plan)>,
}

impl GroundRules {
    pub(crate) fn new(
        program: Program,
        dependencies: Dependencies,
        mut solver: Solver,
        report: GroundReport,
    ) -> Self {
        let count = program.relations.len();
        let mut rules_of = vec![Vec::new(); count];
        for (number, rule) in program.rules.iter().enumerate() {
            rules_of[rule.head.relation.index()].push(number as u32);
        }
        for relation in 0..count {
            solver.now[relation] = solver.tables[relation].len();
            solver.tables[relation].forget_indexes();
        }
        solver.stage = Some(Stage::Build);
        let mut ground = GroundRules {
            plans: vec![RulePlan::default(); program.rules.len()],
            atom_of: vec![Vec::new(); count],
            atoms: Vec::new(),
            split_above: usize::MAX,
            instances: 0,
            assumed: Vec::new(),
            unassumed: None,
            bases: Vec::new(),
            roles: Vec::new(),
            chance: program.chance,
            has_percepts: program.has_percepts,
            terminal: None,
            spellings: Spellings::of(&program.symbols),
            report,
            rules_of,
            program,
            dependencies,
            solver,
        };
        ground.list_bases();
        ground.list_roles();
        if let Some(relation) = ground.program.find_relation(keyword::TERMINAL, &[]) {
            let row = ground.solver.tables[relation.index()].find(&[]);
            ground.terminal = row.map(|row| ground.intern(relation, row));
        }
        ground
    }

    fn relations_of(&self, predicate: gdl::SymbolId) -> Vec<RelationId> {
        let all = (0..self.program.relations.len() as u32).map(RelationId);
        all.filter(|&relation| self.program.predicate(relation) == predicate).collect()
    }

    fn twin(&mut self, relation: RelationId, row: u32, predicate: gdl::SymbolId) -> Option<AtomId> {
        let skeletons = &self.program.relations[relation.index()].skeletons;
        let twin = self.program.find_relation(predicate, skeletons)?;
        let tuple = self.solver.tables[relation.index()].row(row);
        let row = self.solver.tables[twin.index()].find(tuple)?;
        Some(self.intern(twin, row))
    }

    fn list_bases(&mut self) {
        for relation in self.relations_of(keyword::TRUE) {
            for row in 0..self.solver.tables[relation.index()].len() {
                let columns = self.solver.tables[relation.index()].row(row);
                let text = self.program_text(relation, columns);
                let atom = self.intern(relation, row);
                let init = self.twin(relation, row, keyword::INIT);
                let next = self.twin(relation, row, keyword::NEXT);
                self.bases.push(GroundBase { text, atom, init, next });
            }
        }
        self.bases.sort_by(|a, b| a.text.cmp(&b.text));
    }

    fn program_text(&self, relation: RelationId, columns: &[crate::term::TermId]) -> String {
        self.program.print_last_argument(&self.solver.terms, relation, columns)
    }

    /// The relations of a keyword between a role and something else. Where the first argument is a function its first
    /// column is a part of it, which may be a role's name without meaning that role.
    fn relations_of_roles(&self, predicate: gdl::SymbolId) -> Vec<RelationId> {
        let mut relations = self.relations_of(predicate);
        relations.retain(|relation| {
            let first = self.program.relations[relation.index()].skeletons.first();
            !matches!(first, Some(Skeleton::Function(..)))
        });
        relations
    }

    fn list_roles(&mut self) {
        for place in 0..self.program.roles.len() {
            let role = self.program.roles[place];
            let name = self.program.symbols.name(self.solver.terms.name(role)).to_owned();
            let mut moves = Vec::new();
            for relation in self.relations_of_roles(keyword::LEGAL) {
                for row in 0..self.solver.tables[relation.index()].len() {
                    let columns = self.solver.tables[relation.index()].row(row);
                    if columns.first() != Some(&role) {
                        continue;
                    }
                    let text = self.program_text(relation, columns);
                    let legal = self.intern(relation, row);
                    if let Some(does) = self.twin(relation, row, keyword::DOES) {
                        moves.push(GroundMove { text, does, legal });
                    }
                }
            }
            moves.sort_by(|a, b| a.text.cmp(&b.text));
            let mut goals = Vec::new();
            for relation in self.relations_of_roles(keyword::GOAL) {
                for row in 0..self.solver.tables[relation.index()].len() {
                    let columns = self.solver.tables[relation.index()].row(row);
                    let value = self.program_text(relation, columns).parse::<u8>();
                    if let Ok(value @ 0..=100) = value
                        && columns.first() == Some(&role)
                    {
                        goals.push((value, self.intern(relation, row)));
                    }
                }
            }
            goals.sort_unstable();
            let mut percepts = Vec::new();
            for relation in self.relations_of_roles(keyword::SEES) {
                if self.program.relations[relation.index()].skeletons.len() != 2 {
                    continue;
                }
                for row in 0..self.solver.tables[relation.index()].len() {
                    let columns = self.solver.tables[relation.index()].row(row);
                    if columns.first() == Some(&role) {
                        let text = self.program_text(relation, columns);
                        percepts.push((text, self.intern(relation, row)));
                    }
                }
            }
            percepts.sort_unstable();
            self.roles.push(GroundRole { name, moves, goals, percepts });
        }
    }

    /// A rule with more bodies than this for one head is replaced by smaller rules with a relation
    /// between them. Few bodies are left alone: they show a simplifier more.
    pub fn split_above(&mut self, bodies: usize) {
        self.split_above = bodies;
        self.plans.iter_mut().for_each(|plan| plan.use_split = bodies == 0);
        self.instances = 0;
    }

    /// How many atoms were met so far; ids are below this.
    pub fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// How many bodies were made so far.
    pub fn instance_count(&self) -> usize {
        self.instances
    }

    /// How many bytes the tables take.
    pub fn bytes(&self) -> usize {
        self.solver.bytes()
            + self.atoms.capacity() * 8
            + self.atom_of.iter().map(|atoms| atoms.capacity() * 4).sum::<usize>()
    }

    /// The atom as canonical lower-case KIF.
    pub fn text(&self, atom: AtomId) -> String {
        let (relation, row) = self.atoms[atom.0 as usize];
        self.program.print(&self.solver.terms, relation, self.solver.tables[relation.index()].row(row))
    }

    /// Whether the atom holds in every state. What is decided and does not hold is no atom at all.
    pub fn is_always(&self, atom: AtomId) -> bool {
        let relation = self.atoms[atom.0 as usize].0;
        !self.dependencies.dynamic[relation.index()]
    }

    fn intern(&mut self, relation: RelationId, row: u32) -> AtomId {
        intern(&mut self.atoms, &mut self.atom_of, relation, row)
    }

    /// Finds the bodies of an atom. `other_bytes` is what the caller holds under the same budget.
    pub fn bodies(
        &mut self,
        atom: AtomId,
        other_bytes: usize,
        budget: &Budget<'_>,
        out: &mut Bodies,
    ) -> Result<(), GroundError> {
        out.clear();
        let (relation, row) = self.atoms[atom.0 as usize];
        self.solver.other_bytes = other_bytes + self.atoms.capacity() * 8;
        for place in 0..self.rules_of[relation.index()].len() {
            let number = self.rules_of[relation.index()][place] as usize;
            let before = out.len();
            let has_split = self.program.rules[number].split.is_some();
            if !(has_split && self.plans[number].use_split) {
                let limit = if has_split { self.split_above } else { usize::MAX };
                if self.rule_bodies(number, false, row, limit, budget, out)? {
                    continue;
                }
                out.truncate(before);
                self.plans[number].use_split = true;
            }
            self.rule_bodies(number, true, row, usize::MAX, budget, out)?;
        }
        self.instances += out.len();
        if self.atoms.len() > (1 << 30) {
            return Err(GroundError::TooMany("atoms"));
        }
        Ok(())
    }

    /// The bodies of one rule; `false` if there are more than the limit.
    fn rule_bodies(
        &mut self,
        number: usize,
        split: bool,
        row: u32,
        limit: usize,
        budget: &Budget<'_>,
        out: &mut Bodies,
    ) -> Result<bool, GroundError> {
        let rule = &self.program.rules[number];
        let rule = if split { rule.split.as_deref().unwrap_or(rule) } else { rule };
        let dynamic = &self.dependencies.dynamic;
        let plans = &mut self.plans[number];
        let slot = if split { &mut plans.split } else { &mut plans.plain };
        let (outputs, plan) = slot.get_or_insert_with(|| {
            let exact = |relation: RelationId| !dynamic[relation.index()];
            (head_outputs(rule), plan(rule, &Purpose::Bodies, &exact, &mut self.solver.tables))
        });
        self.solver.prepare(rule.variables, rule.positive.len());
        for (column, output) in outputs.iter().enumerate() {
            let term = self.solver.tables[rule.head.relation.index()].cell(row, column as u32);
            if !self.solver.accept(output, term) {
                return Ok(true);
            }
        }
        let limit = limit.saturating_add(out.len());
        let mut sink = Collect {
            rule,
            dependencies: &self.dependencies,
            atoms: &mut self.atoms,
            atom_of: &mut self.atom_of,
            limit,
            out,
        };
        // A rule may have few bodies and yet take long to find them.
        self.solver.patience = (limit as u64).saturating_mul(ROWS_PER_BODY);
        match self.solver.solve(plan, 0, &mut sink, budget) {
            Ok(_) => Ok(out.len() <= limit),
            Err(Halt::Failed(error)) => Err(error),
            Err(Halt::TooLong) => Ok(false),
        }
    }

    /// All ground rules that the outputs depend on, as text: `head <- literals`.
    pub fn print(&mut self, budget: &Budget<'_>, out: &mut dyn std::fmt::Write) -> Result<(), GroundError> {
        let mut bodies = Bodies::default();
        let mut atom = 0;
        while atom < self.atoms.len() {
            let id = AtomId(atom as u32);
            atom += 1;
            budget.check(&Progress { stage: Stage::Build, items: atom, bytes: self.bytes() })?;
            let head = self.text(id);
            if self.is_always(id) {
                let _ = writeln!(out, "{head}");
                continue;
            }
            self.bodies(id, 0, budget, &mut bodies)?;
            for body in bodies.iter() {
                let _ = write!(out, "{head} <-");
                for literal in body {
                    let sign = if literal.is_negated() { "~" } else { "" };
                    let _ = write!(out, " {sign}{}", self.text(literal.atom()));
                }
                let _ = writeln!(out);
            }
        }
        Ok(())
    }
}

fn intern(
    atoms: &mut Vec<(RelationId, u32)>,
    atom_of: &mut [Vec<u32>],
    relation: RelationId,
    row: u32,
) -> AtomId {
    let known = &mut atom_of[relation.index()];
    if known.len() <= row as usize {
        known.resize(row as usize + 1, 0);
    }
    let slot = &mut known[row as usize];
    if *slot == 0 {
        atoms.push((relation, row));
        *slot = atoms.len() as u32;
    }
    AtomId(*slot - 1)
}

/// Collects the bodies of a rule.
struct Collect<'a> {
    rule: &'a Rule,
    dependencies: &'a Dependencies,
    atoms: &'a mut Vec<(RelationId, u32)>,
    atom_of: &'a mut Vec<Vec<u32>>,
    limit: usize,
    out: &'a mut Bodies,
}

impl Sink for Collect<'_> {
    fn solution(&mut self, solver: &mut Solver) -> Result<bool, Halt> {
        let dynamic = |atom: &Atom| self.dependencies.dynamic[atom.relation.index()];
        for (literal, atom) in self.rule.positive.iter().enumerate() {
            if dynamic(atom) {
                let id = intern(self.atoms, self.atom_of, atom.relation, solver.rows[literal]);
                self.out.literals.push(GroundLiteral::new(id, false));
            }
        }
        for atom in self.rule.negative.iter().filter(|atom| dynamic(atom)) {
            let relation = atom.relation.index();
            let row = if self.dependencies.needed[relation] {
                solver.find(relation, &atom.arguments)
            } else {
                Some(solver.insert(relation, &atom.arguments).0)
            };
            // What can never hold need not be denied.
            if let Some(row) = row {
                let id = intern(self.atoms, self.atom_of, atom.relation, row);
                self.out.literals.push(GroundLiteral::new(id, true));
            }
        }
        self.out.ends.push(self.out.literals.len() as u32);
        solver.held_bytes = self.out.bytes();
        if self.out.literals.len() > u32::MAX as usize / 2 {
            return Err(GroundError::TooMany("ground rules for one head").into());
        }
        Ok(self.out.ends.len() > self.limit)
    }

    fn head(&self) -> Option<&Atom> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str, split_above: usize) -> Vec<String> {
        let sheet = gdl::parse(&gdl::SourceFile::new("test", text)).sheet;
        let budget = Budget::unlimited();
        let mut rules = crate::ground(&gdl::normal::normalize(&sheet), &budget).expect("small");
        rules.split_above(split_above);
        let mut out = String::new();
        rules.print(&budget, &mut out).expect("small");
        let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    }

    #[test]
    fn fixed_relations_fold_away_and_only_what_is_asked_for_is_made() {
        let lines = printed(
            "(role r) (init (at 1)) (succ 1 2) (succ 2 3) (legal r go)
             (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does r go) (not (blocked ?y)))
             (<= (blocked ?x) (true (at ?x)) (wall ?x)) (wall 2)",
            usize::MAX,
        );
        let expected = [
            "(blocked 2) <- (true (at 2))",
            "(init (at 1))",
            "(legal r go)",
            "(next (at 2)) <- (true (at 1)) (does r go) ~(blocked 2)",
            "(next (at 3)) <- (true (at 2)) (does r go) ~(blocked 3)",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn splitting_makes_sums_of_products() {
        let text = "(role r) (init (p 1)) (init (p 2)) (init (p 3)) (init (q 1)) (init (q 2)) (init (q 3))
             (legal r go) (<= (next done) (true (p ?x)) (true (q ?y)))";
        let bodies = |lines: &[String]| lines.iter().filter(|line| line.contains("<-")).count();
        assert_eq!(bodies(&printed(text, usize::MAX)), 9);
        assert_eq!(bodies(&printed(text, 0)), 6);
    }
}
