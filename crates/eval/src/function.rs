//! An evaluation function: for each role a weighted sum of features and a constant.

use std::fmt::Write;
use std::sync::Arc;

use crate::features::Expression;
use crate::vocabulary::{ConstantId, Kind, Vocabulary};

/// What a term counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// What is counted.
    pub expression: Expression,
    /// What is subtracted from it.
    pub less: Option<Expression>,
}

/// A weighted feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The feature.
    pub counted: Counted,
    /// What one more of it is worth.
    pub weight: f64,
    /// Its correlation with the role's score.
    pub correlation: f64,
    /// Its stability, where that was asked for.
    pub stability: Option<f64>,
}

/// How a sum becomes a value from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The sum is in goals, 0 to 100; what is beyond is cut.
    Goals,
    /// By the logistic function.
    Logistic,
}

impl Link {
    /// The value of a sum.
    pub fn value(self, sum: f64) -> f64 {
        match self {
            Link::Goals => (sum / 100.0).clamp(0.0, 1.0),
            Link::Logistic => 1.0 / (1.0 + (-sum).exp()),
        }
    }
}

/// The function of one role.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleFunction {
    /// The role's name.
    pub role: String,
    /// The terms, the most important first.
    pub terms: Vec<Term>,
    /// What is added to their sum.
    pub constant: f64,
}

/// An evaluation function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The words of its expressions.
    pub vocabulary: Arc<Vocabulary>,
    /// How sums become values.
    pub link: Link,
    /// One for each role, in order.
    pub roles: Vec<RoleFunction>,
}

impl Function {
    /// A function that says one thing of every state: each role's value, from 0 to 1.
    pub fn constant(names: &[String], value: f64) -> Self {
        let role =
            |name: &String| RoleFunction { role: name.clone(), terms: Vec::new(), constant: 100.0 * value };
        Self { vocabulary: Arc::default(), link: Link::Goals, roles: names.iter().map(role).collect() }
    }

    /// Whether it says the same of every state.
    pub fn is_constant(&self) -> bool {
        self.roles.iter().all(|role| role.terms.is_empty())
    }

    /// Whether it looks at what is derived, not only at facts.
    pub fn looks_at_derived(&self) -> bool {
        let terms = self.roles.iter().flat_map(|role| &role.terms);
        terms
            .into_iter()
            .any(|term| self.vocabulary.shape(term.counted.expression.shape).kind == Kind::Derived)
    }

    /// What an atom adds to each role's sum where it is true; `None` if nothing.
    pub fn weights(&self, kind: Kind, text: &str) -> Option<Vec<f64>> {
        let (shape, constants) = self.vocabulary.look_up(kind, text)?;
        let counts = |expression: &Expression| {
            f64::from(u8::from(expression.shape == shape && expression.fits(&constants)))
        };
        let weight = |term: &Term| {
            let less = term.counted.less.as_ref().map_or(0.0, counts);
            term.weight * (counts(&term.counted.expression) - less)
        };
        let weights: Vec<f64> = self.roles.iter().map(|role| role.terms.iter().map(weight).sum()).collect();
        weights.iter().any(|weight| *weight != 0.0).then_some(weights)
    }

    /// What each term of a role's function counts in a state of some facts and of what follows from them.
    pub fn counts<'a>(&'a self, role: usize, atoms: &'a [(Kind, String)]) -> impl Iterator<Item = f64> + 'a {
        let known: Vec<_> =
            atoms.iter().filter_map(|(kind, text)| self.vocabulary.look_up(*kind, text)).collect();
        let count = move |expression: &Expression| {
            let fitting = known
                .iter()
                .filter(|(shape, constants)| expression.shape == *shape && expression.fits(constants));
            fitting.count() as f64
        };
        self.roles[role]
            .terms
            .iter()
            .map(move |term| count(&term.counted.expression) - term.counted.less.as_ref().map_or(0.0, &count))
    }

    /// What a term counts, as the paper writes it.
    pub fn write_counted(&self, counted: &Counted) -> String {
        let write = |expression: &Expression| {
            let slots: &[Option<ConstantId>] = &expression.slots;
            self.vocabulary.write(expression.shape, slots)
        };
        match &counted.less {
            None => write(&counted.expression),
            Some(less) => format!("({}-{})", write(&counted.expression), write(less)),
        }
    }

    /// The function of a role in one line, as the appendix of the paper has it:
    /// `0.33*(cell(?,?,wp)-cell(?,?,bp)) + 48*1`.
    pub fn write_role(&self, role: usize) -> String {
        let mut text = String::new();
        let Some(role) = self.roles.get(role) else { return text };
        for term in &role.terms {
            // Writing to a string does not fail.
            let _ = write!(text, "{}*{} + ", rounded(term.weight), self.write_counted(&term.counted));
        }
        let _ = write!(text, "{}*1", rounded(role.constant));
        text
    }
}

/// A number with two digits that count.
pub fn rounded(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let digits = (1 - number.abs().log10().floor() as i32).max(0) as usize;
    format!("{number:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Slots;

    fn function() -> Function {
        let mut words = Vocabulary::default();
        let (shape, constants) = words.read(Kind::Fact, "(cell 1 1 wp)").expect("a term");
        let bp = words.constant("bp");
        let of = |piece| Expression { shape, slots: Slots::from_slice(&[None, None, Some(piece)]) };
        let term = Term {
            counted: Counted { expression: of(constants[2]), less: Some(of(bp)) },
            weight: 0.33,
            correlation: 0.5,
            stability: Some(0.66),
        };
        let row = Term {
            counted: Counted {
                expression: Expression {
                    shape,
                    slots: Slots::from_slice(&[Some(constants[0]), None, Some(constants[2])]),
                },
                less: None,
            },
            weight: -0.131,
            correlation: 0.0,
            stability: None,
        };
        let role = RoleFunction { role: "white".to_owned(), terms: vec![term, row], constant: 48.0 };
        Function { vocabulary: Arc::new(words), link: Link::Goals, roles: vec![role] }
    }

    #[test]
    fn a_function_is_written_as_in_the_paper() {
        assert_eq!(function().write_role(0), "0.33*(cell(?,?,wp)-cell(?,?,bp)) + -0.13*cell(1,?,wp) + 48*1");
        assert_eq!(rounded(0.0651), "0.065");
        assert_eq!((rounded(123.4), rounded(0.0)), ("123".to_owned(), "0".to_owned()));
    }

    #[test]
    fn atoms_add_up_to_terms() {
        let function = function();
        let of = |text: &str| function.weights(Kind::Fact, text).map(|weights| weights[0]);
        assert_eq!(of("(cell 2 7 wp)"), Some(0.33));
        assert_eq!(of("(cell 1 7 wp)"), Some(0.33 - 0.131));
        assert_eq!(of("(cell 2 7 bp)"), Some(-0.33));
        assert_eq!((of("(cell 2 7 wk)"), of("(control white)"), of("(")), (None, None, None));
        assert_eq!(function.weights(Kind::Derived, "(cell 2 7 wp)"), None);
        let facts = ["(cell 1 3 wp)", "(cell 4 3 wp)", "(cell 5 3 bp)", "(cell 1 1 bp)", "(cell 2 2 bp)"];
        let atoms = facts.map(|text| (Kind::Fact, text.to_owned()));
        assert_eq!(function.counts(0, &atoms).collect::<Vec<_>>(), [-1.0, 1.0]);
    }

    #[test]
    fn links_give_values() {
        assert_eq!(Link::Goals.value(48.0), 0.48);
        assert_eq!((Link::Goals.value(-3.0), Link::Goals.value(104.0)), (0.0, 1.0));
        assert_eq!(Link::Logistic.value(0.0), 0.5);
        assert!((Link::Logistic.value(3f64.ln()) - 0.75).abs() < 1e-12);
    }
}
