//! The form that reasoners work on: rules whose bodies are plain conjunctions.
//!
//! `or` and `and` are multiplied out, `not` is pushed inwards by De Morgan, `(not (distinct a b))`
//! is unified away, variables are numbered per rule. What the specification calls unsafe is mended
//! here where practice agrees on the meaning:
//!
//! * a variable in the role position of a head that nothing binds ranges over the roles;
//! * a variable that occurs in one negated sentence only makes it "there is none such";
//! * a rule for `true` or `does` says nothing: these are given by the state and the players.
//!
//! A rule that cannot be mended is left out and listed in [`NormalRules::faults`].

mod alternatives;
mod build;
mod print;
mod unbound;

pub use alternatives::MAX_ALTERNATIVES;
pub use print::print_normal_rule;

pub(crate) use alternatives::{Allowance, Flat, alternatives, is_conjunction};
pub(crate) use build::build;
pub(crate) use unbound::{Unbound, unbound};

use crate::{RuleSheet, Span, SymbolId, Symbols, keyword};

/// All rules of a sheet in normal form.
#[derive(Clone, Debug)]
pub struct NormalRules {
    /// The sheet's symbols and those of auxiliary relations.
    pub symbols: Symbols,
    /// The roles in order.
    pub roles: Vec<SymbolId>,
    /// Facts (empty bodies) and rules.
    pub rules: Vec<NormalRule>,
    /// Rules that were left out, and why.
    pub faults: Vec<NormalFault>,
}

impl NormalRules {
    /// The role, by its place, whose moves are drawn. This is where it is decided who is chance; whoever
    /// comes after hands it on.
    pub fn chance(&self) -> Option<usize> {
        // Who plays alone decides, whatever the role is called.
        self.roles.iter().position(|&role| role == keyword::RANDOM).filter(|_| self.roles.len() > 1)
    }

    /// Whether the rules say what is seen (GDL-II). Where they do not, everybody sees the joint move. This is
    /// where it is decided who may see what; whoever comes after hands it on.
    pub fn has_percepts(&self) -> bool {
        self.rules.iter().any(|rule| rule.head.name == keyword::SEES && rule.head.arguments.len() == 2)
    }
}

/// Why a rule was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalFault {
    /// The rule in the sheet.
    pub span: Span,
    /// What is wrong with it.
    pub message: String,
}

/// A head that follows from all literals of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalRule {
    /// What follows.
    pub head: NormalSentence,
    /// From what.
    pub body: Vec<NormalLiteral>,
    /// The names of the variables, by their numbers.
    pub variables: Vec<SymbolId>,
    /// The rule in the sheet that this one comes from.
    pub span: Span,
}

/// A relation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NormalSentence {
    /// The relation; names with several arities are several relations.
    pub name: SymbolId,
    /// Its arguments.
    pub arguments: Vec<NormalTerm>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NormalLiteral {
    /// The sentence holds.
    Holds(NormalSentence),
    /// The sentence does not hold; its variables are bound by others.
    Fails(NormalSentence),
    /// The terms differ.
    Distinct(NormalTerm, NormalTerm),
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NormalTerm {
    /// A variable of the rule, by number.
    Variable(u32),
    /// A constant.
    Constant(SymbolId),
    /// A function of at least one argument.
    Function(SymbolId, Vec<NormalTerm>),
}

impl NormalTerm {
    /// Calls `visit` with every variable inside.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            NormalTerm::Variable(variable) => visit(*variable),
            NormalTerm::Constant(_) => {}
            NormalTerm::Function(_, arguments) => arguments.iter().for_each(|term| term.variables(visit)),
        }
    }
}

impl NormalSentence {
    /// Calls `visit` with every variable inside.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        self.arguments.iter().for_each(|term| term.variables(visit));
    }
}

impl NormalLiteral {
    /// Calls `visit` with every variable inside.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => sentence.variables(visit),
            NormalLiteral::Distinct(left, right) => {
                left.variables(visit);
                right.variables(visit);
            }
        }
    }
}

/// The rules of a text in normal form. What cannot be read is left out: who has to play makes the best
/// of what it is given, who wants to tell of faults parses by itself.
pub fn read(text: &str) -> NormalRules {
    normalize(&crate::parse(&crate::SourceFile::new("rules", text)).sheet)
}

/// Brings a sheet into normal form.
///
/// ```
/// use gdl::normal::{normalize, print_normal_rule};
/// let sheet = gdl::parse(&gdl::SourceFile::new("inline", "(<= p (or a (not b)))")).sheet;
/// let normal = normalize(&sheet);
/// let printed: Vec<_> = normal.rules.iter().map(|rule| print_normal_rule(&normal.symbols, rule)).collect();
/// assert_eq!(printed, ["(<= p a)", "(<= p (not b))"]);
/// ```
pub fn normalize(sheet: &RuleSheet) -> NormalRules {
    let mut output = NormalRules {
        symbols: sheet.symbols.clone(),
        roles: sheet.roles(),
        rules: Vec::with_capacity(sheet.rules.len()),
        faults: Vec::new(),
    };
    let mut allowance = Allowance::default();
    let mut auxiliaries = 0;
    for rule in &sheet.rules {
        if let Err(message) = allowance.admit(rule) {
            output.faults.push(NormalFault { span: rule.span, message });
            continue;
        }
        for alternative in alternatives(rule) {
            match build(&rule.head, &alternative, rule.span, &mut allowance) {
                Ok(Some(normal)) => unbound::close(normal, &mut output, &mut auxiliaries),
                Ok(None) => {}
                Err(message) => output.faults.push(NormalFault { span: rule.span, message }),
            }
        }
    }
    output.rules.retain(|rule| !is_given(&rule.head));
    output.faults.dedup();
    output
}

/// Whether it is given and not derived.
fn is_given(head: &NormalSentence) -> bool {
    let arity = Some(head.arguments.len());
    [keyword::TRUE, keyword::DOES].contains(&head.name) && keyword::relation_arity(head.name) == arity
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, parse};

    fn normal(text: &str) -> (Vec<String>, Vec<String>) {
        let rules = normalize(&parse(&SourceFile::new("t", text)).sheet);
        let printed = rules.rules.iter().map(|rule| print_normal_rule(&rules.symbols, rule)).collect();
        (printed, rules.faults.into_iter().map(|fault| fault.message).collect())
    }

    #[test]
    fn chance_is_a_role_by_its_name() {
        let chance = |text: &str| normalize(&parse(&SourceFile::new("t", text)).sheet).chance();
        assert_eq!(chance("(role you) (role Random)"), Some(1));
        assert_eq!(chance("(role you) (role randomly) (init random)"), None);
        assert_eq!(chance("(role random)"), None);
    }

    #[test]
    fn a_sheet_without_sees_hides_nothing() {
        let told = |text: &str| normalize(&parse(&SourceFile::new("t", text)).sheet).has_percepts();
        assert!(told("(role you) (<= (sees you done) (does you go))"));
        assert!(!told("(role you) (sees you) (<= (seen you done) (does you go))"));
    }

    #[test]
    fn disjunctions_multiply_out() {
        let (rules, _) = normal("(<= p (or a b) (or (and c d) e))");
        assert_eq!(rules, ["(<= p a c d)", "(<= p b c d)", "(<= p a e)", "(<= p b e)"]);
    }

    #[test]
    fn what_is_given_is_not_derived() {
        let (rules, faults) =
            normal("(true a) (<= (does r go) (next a)) (<= (true a b) c) (<= (next a) (true a))");
        assert_eq!(rules, ["(<= (true a b) c)", "(<= (next a) (true a))"]);
        assert!(faults.is_empty());
    }

    #[test]
    fn negation_moves_inwards() {
        let (rules, _) = normal("(<= p (not (or a (not b))))");
        assert_eq!(rules, ["(<= p (not a) b)"]);
        let (rules, _) = normal("(<= p (q ?x) (not (and a b)))");
        assert_eq!(rules, ["(<= p (q ?x) (not a))", "(<= p (q ?x) (not b))"]);
    }

    #[test]
    fn not_distinct_unifies() {
        let (rules, _) = normal("(<= (p ?x ?y) (q ?x) (r ?y) (not (distinct ?x (f ?y))))");
        assert_eq!(rules, ["(<= (p (f ?y) ?y) (q (f ?y)) (r ?y))"]);
        let (rules, _) = normal("(<= (p ?x) (q ?x) (not (distinct a b)))");
        assert!(rules.is_empty());
    }

    #[test]
    fn distinct_of_constants_is_decided() {
        let (rules, _) = normal("(<= p (distinct a b) q) (<= r (distinct a a) q)");
        assert_eq!(rules, ["(<= p q)"]);
    }

    #[test]
    fn unbound_roles_range_over_the_roles() {
        let (rules, faults) = normal("(<= (goal ?p 100) (true done))");
        assert_eq!(rules, ["(<= (goal ?p 100) (true done) (role ?p))"]);
        assert!(faults.is_empty());
    }

    #[test]
    fn a_variable_of_one_negation_means_none_such() {
        let (rules, faults) = normal("(<= (p ?x) (q ?x) (not (r ?x ?y)))");
        assert_eq!(rules, ["(<= (exists#1 ?x) (r ?x ?y))", "(<= (p ?x) (q ?x) (not (exists#1 ?x)))"]);
        assert!(faults.is_empty());
    }

    #[test]
    fn what_cannot_be_mended_is_reported() {
        let (rules, faults) = normal("(<= (p ?x) q)");
        assert!(rules.is_empty());
        assert_eq!(faults, ["nothing in its body binds the variable `?x`"]);
    }

    #[test]
    fn too_many_combinations_are_refused() {
        let body = "(or a b) ".repeat(40);
        let (rules, faults) = normal(&format!("(<= p {body})"));
        assert!(rules.is_empty());
        assert_eq!(faults.len(), 1);
    }

    #[test]
    fn hostile_equalities_are_refused_not_computed() {
        let doubling: String =
            (0..200).map(|n| format!("(not (distinct ?x{n} (f ?x{0} ?x{0}))) ", n + 1)).collect();
        let (rules, faults) = normal(&format!("(<= (p ?x0) {doubling} (q ?x200))"));
        assert!(rules.is_empty());
        assert_eq!(faults.len(), 1);
        let chain: String = (0..50_000).map(|n| format!("(not (distinct ?x{n} ?x{})) ", n + 1)).collect();
        let (rules, faults) = normal(&format!("(<= (p ?x0) {chain} (q ?x50000))"));
        assert_eq!((rules.len(), faults.len()), (1, 0));
        let (rules, faults) = normal("(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))");
        assert_eq!((rules.len(), faults.len()), (0, 0));
    }

    #[test]
    fn auxiliary_names_are_new() {
        let (rules, _) = normal("(exists#1) (<= p (not (q ?x)))");
        assert_eq!(rules, ["exists#1", "(<= exists#2 (q ?x))", "(<= p (not exists#2))"]);
    }
}
