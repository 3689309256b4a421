//! Why a sentence holds in a state, or what is missing for it.
//!
//! Reasoners derive everything that follows; here one sentence is asked for, and only what it depends on is
//! looked at, from the question down to the state (`prover`). Answers are remembered with the rule and the
//! values that gave them first, so that every derivation ends at the state and never leans on itself. Tests
//! compare with the reference reasoner.

mod explain;
mod facts;
mod print;
mod prover;

use gdl::normal::{NormalRules, NormalSentence, NormalTerm};
use gdl::{Expression, ExpressionKind, SourceFile, Span, Symbols};

pub use print::print;

use prover::Prover;

/// What a question is about: a state, and moves if they are made.
#[derive(Clone, Debug, Default)]
pub struct Situation {
    /// What is true, as terms: `(cell 1 1 b)`.
    pub facts: Vec<String>,
    /// Roles and their moves; without any nothing is done.
    pub moves: Vec<(String, String)>,
}

/// How much may be done for one answer.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Comparisons of a condition with a fact or a rule.
    pub steps: u64,
    /// Conditions that lead to each other.
    pub depth: usize,
    /// How many levels of reasons are told.
    pub levels: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { steps: 10_000_000, depth: 1_000, levels: 12 }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhyError {
    /// What was asked is not a sentence.
    #[error("`{0}` is not a sentence: write it as in a rule, such as `(legal white (mark 1 1))`")]
    NotASentence(String),
    /// A fact or move is no term.
    #[error("`{0}` is not a term: write it as in a rule, such as `(cell 1 1 b)`")]
    NotATerm(String),
    /// It takes too long.
    #[error("there is too much to look at for an answer")]
    TooMuch,
    /// Terms grow without end, or conditions lead too far.
    #[error("conditions lead further than {0} steps: is there a recursion that does not end?")]
    TooDeep(usize),
    /// What is true depends on what is not, and that on what is.
    #[error("`{0}` depends on its own negation, so that it has no answer of its own")]
    OwnNegation(String),
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The sentence, with values for its variables if it holds.
    pub sentence: String,
    /// Whether it holds.
    pub holds: bool,
    /// Why.
    pub reason: Reason,
    /// Other values for the variables of what was asked, if there were any: the first few.
    pub others: Vec<String>,
}

/// Why a sentence holds or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The state or the moves have it.
    Given,
    /// The sheet states it.
    Fact(Span),
    /// A rule gives it.
    Rule {
        /// The rule.
        span: Span,
        /// Its conditions, with values.
        conditions: Vec<Condition>,
    },
    /// The state has it not, or nobody does it; what is nearest to it there.
    NotGiven(Vec<String>),
    /// No rule and no fact states anything like it; what is nearest among the facts of its relation.
    NotStated(Vec<String>),
    /// There are rules for it, and none gives it.
    NoRule(Vec<Attempt>),
    /// Too many levels down, or told already.
    Shortened,
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The condition, with values as far as they are known.
    pub text: String,
    /// Whether it is met; `None` if another failed before it was its turn.
    pub met: Option<bool>,
    /// Why the sentence in it holds or not. `distinct` needs no reason.
    pub because: Option<Box<Explanation>>,
}

/// A rule that might have given a sentence: how far it came at best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The rule.
    pub span: Span,
    /// What it would have given, with values as far as they are known.
    pub head: String,
    /// Its conditions.
    pub conditions: Vec<Condition>,
}

/// Why a sentence holds in a situation, or why it does not. A sentence may have variables: `(legal white ?m)` asks
/// for any move.
///
/// ```
/// use language::why::{Effort, Situation, why};
/// let rules = gdl::normal::read("(role me) (<= (legal me go) (true on) (not (true off)))");
/// let situation = Situation { facts: vec!["on".to_owned()], ..Situation::default() };
/// let answer = why(&rules, &situation, "(legal me go)", Effort::default())?;
/// assert!(answer.holds);
/// let answer = why(&rules, &Situation::default(), "(legal me go)", Effort::default())?;
/// assert!(!answer.holds);
/// # Ok::<(), language::why::WhyError>(())
/// ```
pub fn why(
    rules: &NormalRules,
    situation: &Situation,
    sentence: &str,
    effort: Effort,
) -> Result<Explanation, WhyError> {
    with_prover(rules, situation, sentence, effort, |prover, asked| {
        explain::explain(prover, asked, effort.levels)
    })
}

/// All sentences that match one with variables and hold in a situation, in canonical order.
///
/// ```
/// use language::why::{Effort, Situation, solutions};
/// let rules = gdl::normal::read("(succ 1 2) (succ 2 3) (<= (less ?a ?b) (succ ?a ?b))
///     (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))");
/// let found = solutions(&rules, &Situation::default(), "(less 1 ?x)", Effort::default())?;
/// assert_eq!(found, ["(less 1 2)", "(less 1 3)"]);
/// # Ok::<(), language::why::WhyError>(())
/// ```
pub fn solutions(
    rules: &NormalRules,
    situation: &Situation,
    sentence: &str,
    effort: Effort,
) -> Result<Vec<String>, WhyError> {
    with_prover(rules, situation, sentence, effort, |prover, asked| {
        let found = prover.solutions(asked)?;
        let mut texts: Vec<String> = found.iter().map(|one| print::sentence(prover.symbols(), one)).collect();
        texts.sort();
        texts.dedup();
        Ok(texts)
    })
}

fn with_prover<T: Send>(
    rules: &NormalRules,
    situation: &Situation,
    sentence: &str,
    effort: Effort,
    ask: impl FnOnce(&mut Prover<'_>, &NormalSentence) -> Result<T, WhyError> + Send,
) -> Result<T, WhyError> {
    let answer = || {
        let mut prover = Prover::new(rules, situation, effort)?;
        let asked = read_sentence(prover.symbols_mut(), sentence)?;
        ask(&mut prover, &asked)
    };
    // Conditions that lead to each other are calls within calls; only what is used of the stack is taken.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, answer);
        thread.map_err(|_| WhyError::TooMuch)?.join().unwrap_or(Err(WhyError::TooMuch))
    })
}

/// Room for [`Effort::depth`] conditions of long rules.
const STACK_BYTES: usize = 512 << 20;

/// A sentence over the symbols of a sheet; new names are added.
fn read_sentence(symbols: &mut Symbols, text: &str) -> Result<NormalSentence, WhyError> {
    let refused = || WhyError::NotASentence(text.to_owned());
    match read_term(symbols, text).ok_or_else(refused)? {
        NormalTerm::Constant(name) => Ok(NormalSentence { name, arguments: Vec::new() }),
        NormalTerm::Function(name, arguments) => Ok(NormalSentence { name, arguments }),
        NormalTerm::Variable(_) => Err(refused()),
    }
}

/// A term over the symbols of a sheet, with its variables numbered; `None` if the text is not one.
fn read_term(symbols: &mut Symbols, text: &str) -> Option<NormalTerm> {
    let source = SourceFile::new("term", text);
    let parsed = gdl::parse_expressions(&source);
    match &parsed.expressions[..] {
        [expression] if parsed.diagnostics.is_empty() => term(symbols, &source, expression, &mut Vec::new()),
        _ => None,
    }
}

fn term(
    symbols: &mut Symbols,
    source: &SourceFile,
    expression: &Expression,
    variables: &mut Vec<gdl::SymbolId>,
) -> Option<NormalTerm> {
    match &expression.kind {
        ExpressionKind::Word => {
            let name = symbols.intern(source.slice(expression.span));
            if !symbols.is_variable(name) {
                return Some(NormalTerm::Constant(name));
            }
            let known = variables.iter().position(|&other| other == name);
            let number = known.unwrap_or_else(|| {
                variables.push(name);
                variables.len() - 1
            });
            Some(NormalTerm::Variable(number as u32))
        }
        ExpressionKind::List(items) => {
            let (first, rest) = items.split_first()?;
            let NormalTerm::Constant(name) = term(symbols, source, first, variables)? else { return None };
            if first.list().is_some() {
                return None;
            }
            let arguments: Vec<NormalTerm> =
                rest.iter().map(|item| term(symbols, source, item, variables)).collect::<Option<_>>()?;
            Some(if arguments.is_empty() {
                NormalTerm::Constant(name)
            } else {
                NormalTerm::Function(name, arguments)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "(role me) (role you)
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (less ?a ?b) (succ ?a ?b))
(<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))
(<= (legal ?r (go ?x)) (true (turn ?r)) (true (at ?y)) (less ?y ?x) (not (true (blocked ?x))))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (at ?x)) (does ?r (go ?x)))
(<= stuck (true (turn ?r)) (not (legal ?r (go ?x))))
(<= (odd ?x) (succ ?y ?x) (not (odd ?y)) (even ?y))
(<= (even ?x) (succ ?y ?x) (odd ?y))
(<= (p ?x) (not (p ?x)) (succ ?x ?y))
(<= (deep (s ?x)) (deep ?x)) (deep z)";

    fn situation(facts: &[&str]) -> Situation {
        Situation { facts: facts.iter().map(|&fact| fact.to_owned()).collect(), moves: Vec::new() }
    }

    fn ask(facts: &[&str], sentence: &str) -> Result<String, WhyError> {
        let source = SourceFile::new("t", RULES);
        let rules = gdl::normal::normalize(&gdl::parse(&source).sheet);
        let effort = Effort { steps: 100_000, depth: 200, levels: 12 };
        Ok(print(&source, &why(&rules, &situation(facts), sentence, effort)?))
    }

    #[test]
    fn what_holds_is_derived_down_to_the_state() {
        assert_eq!(
            ask(&["(turn me)", "(at 1)"], "(legal me (go 3))").expect("an answer"),
            "(legal me (go 3)) holds\n  \
             line 5: (<= (legal ?r (go ?x)) (true (turn ?r)) (true (at ?y)) (less ?y ?x) (not (true (blocked ?x))))\n    \
             yes (true (turn me)): it is given\n    \
             yes (true (at 1)): it is given\n    \
             yes (less 1 3)\n      \
             line 4: (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))\n        \
             yes (less 1 2)\n          \
             line 3: (<= (less ?a ?b) (succ ?a ?b))\n            \
             yes (succ 1 2): the rules state it\n        \
             yes (succ 2 3): the rules state it\n    \
             yes (not (true (blocked 3))): it is not given\n"
        );
        let any = ask(&["(turn me)", "(at 2)"], "(legal me ?m)").expect("an answer");
        assert!(
            any.starts_with("(legal me (go 3)) holds") && any.ends_with("so do (legal me (go 4))\n"),
            "{any}"
        );
    }

    #[test]
    fn what_does_not_hold_has_its_nearest_failing_condition() {
        let told = ask(&["(turn me)", "(at 1)", "(blocked 3)"], "(legal me (go 3))").expect("an answer");
        assert!(told.starts_with("(legal me (go 3)) does not hold\n  line 5:"), "{told}");
        assert!(told.contains("\n    NO  (not (true (blocked 3))): it is given\n"), "{told}");
        assert!(told.contains("\n    yes (less 1 3)\n"), "{told}");
        let told = ask(&["(turn me)", "(at 1)"], "(true (at 2))").expect("an answer");
        assert_eq!(told, "(true (at 2)) does not hold: it is not given\n");
        let told = ask(&[], "(succ 1 3)").expect("an answer");
        assert_eq!(told, "(succ 1 3) does not hold: no rule states it; there is (succ 1 2), (succ 2 3)\n");
        // A condition that the normal form gave a name of its own is told as it was written.
        let told = ask(&["(turn me)", "(at 1)"], "stuck").expect("an answer");
        assert!(told.contains("NO  (not (legal me (go ?x)))"), "{told}");
        assert!(ask(&["(turn me)", "(at 4)"], "stuck").expect("an answer").starts_with("stuck holds"));
    }

    #[test]
    fn a_variable_that_is_asked_for_twice_has_one_value() {
        let rules = gdl::normal::read(
            "(q 1 2) (q 2 2) (<= (p ?a ?b) (q ?a ?b)) (<= (r ?t) (s ?t)) (s (f 1)) (s (g 1))",
        );
        let ask =
            |text| solutions(&rules, &Situation::default(), text, Effort::default()).expect("an answer");
        assert_eq!(ask("(p ?x ?x)"), ["(p 2 2)"]);
        assert_eq!(ask("(r (f ?x))"), ["(r (f 1))"]);
        assert_eq!(ask("(p 1 ?x)"), ["(p 1 2)"]);
    }

    /// Questions that lead back to themselves by several ways have all their answers.
    #[test]
    fn recursion_through_several_relations_is_complete() {
        let edges = "(e 1 2) (e 2 3) (e 3 1) (e 3 4) (e 4 5) (e 5 4) (e 6 1)";
        let rules = gdl::normal::read(&format!(
            "{edges} (<= (a ?x ?z) (b ?x ?y) (c ?y ?z)) (<= (a ?x ?y) (e ?x ?y)) (<= (b ?x ?y) (a ?x ?y))
             (<= (c ?x ?y) (a ?x ?y)) (<= (c ?x ?y) (b ?x ?y)) (<= (stays ?x) (a ?x ?x)) (node 4) (node 6)
             (<= (lone ?x) (node ?x) (not (stays ?x)))"
        ));
        let ask =
            |text| solutions(&rules, &Situation::default(), text, Effort::default()).expect("an answer");
        assert_eq!(ask("(a 1 ?x)").len(), 5);
        assert_eq!(ask("(a ?x 1)").len(), 4);
        assert_eq!(ask("(a ?x ?y)").len(), 3 * 5 + 2 * 2 + 5);
        assert_eq!(ask("(stays ?x)").len(), 5);
        assert_eq!(ask("(lone ?x)"), ["(lone 6)"]);
    }

    #[test]
    fn moves_count_if_they_are_made() {
        let rules = gdl::normal::read(RULES);
        let mut situation = situation(&["(turn me)", "(at 1)"]);
        let holds = |situation: &Situation| {
            why(&rules, situation, "(next (at 3))", Effort::default()).expect("an answer").holds
        };
        assert!(!holds(&situation));
        situation.moves = vec![("me".to_owned(), "(go 3)".to_owned()), ("you".to_owned(), "wait".to_owned())];
        assert!(holds(&situation));
    }

    #[test]
    fn hopeless_questions_end() {
        assert!(matches!(ask(&[], "(p 1)"), Err(WhyError::OwnNegation(_))));
        assert!(matches!(ask(&[], "(deep ?x)"), Err(WhyError::TooMuch | WhyError::TooDeep(_))));
        assert!(matches!(ask(&[], "(odd ?x)"), Ok(_) | Err(WhyError::OwnNegation(_))));
        assert!(matches!(ask(&[], "((a) b)"), Err(WhyError::NotASentence(_))));
        assert!(matches!(ask(&[], "?x"), Err(WhyError::NotASentence(_))));
        assert!(matches!(ask(&[], "(a"), Err(WhyError::NotASentence(_))));
        assert!(matches!(ask(&["(at ?x)"], "(p 1)"), Err(WhyError::NotATerm(_))));
        assert!(ask(&[], "(never heard of it)").expect("an answer").contains("no rule states it"));
    }
}
