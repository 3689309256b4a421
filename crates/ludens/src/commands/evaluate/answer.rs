//! What `ludens evaluate` says.

use std::io::Write;

use eval::function::rounded;
use serde::Serialize;

use crate::output::Output;
use crate::table::{Table, grouped};

#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) game: String,
    pub(super) method: String,
    /// How it came about, in a line.
    pub(super) told: String,
    pub(super) seed: u64,
    pub(super) candidates: usize,
    pub(super) expressions: usize,
    pub(super) positions: usize,
    pub(super) sequences: usize,
    /// Of a random game, in moves.
    pub(super) length: f64,
    pub(super) build_seconds: f64,
    pub(super) seconds: f64,
    pub(super) roles: Vec<RoleAnswer>,
    /// What a method knows that is no sum of features, in lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) knowledge: Vec<String>,
    pub(super) position: PositionAnswer,
}

#[derive(Serialize)]
pub(super) struct RoleAnswer {
    pub(super) role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) constant: Option<f64>,
    /// The part of the variance of scores of other positions that is explained.
    pub(super) explained: Option<f64>,
    /// The value of the position, 0 to 1.
    pub(super) value: f64,
    pub(super) terms: Vec<TermAnswer>,
    /// The function in one line.
    #[serde(rename = "function", skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

#[derive(Serialize)]
pub(super) struct TermAnswer {
    pub(super) expression: String,
    pub(super) weight: f64,
    pub(super) correlation: f64,
    pub(super) stability: Option<f64>,
    /// In the position.
    pub(super) count: f64,
}

#[derive(Serialize)]
pub(super) struct PositionAnswer {
    pub(super) facts: Vec<String>,
}

impl Answer {
    /// How the function came about, in a line.
    pub(super) fn how(&self) -> String {
        format!(
            "{} candidate features ({} expressions), {} positions in {} sequences, {:.2} s after {:.2} s of building",
            grouped(self.candidates as u64),
            grouped(self.expressions as u64),
            grouped(self.positions as u64),
            grouped(self.sequences as u64),
            self.seconds,
            self.build_seconds
        )
    }

    pub(super) fn write(&self, output: &mut Output, most: usize) -> anyhow::Result<()> {
        writeln!(output, "{}", self.how())?;
        writeln!(output, "{}", self.told)?;
        for role in &self.roles {
            writeln!(output)?;
            let heading = output.bold(&role.role);
            let explained = role.explained.map_or_else(String::new, |part| {
                format!(", explains {:.0}% of the scores of other positions", 100.0 * part)
            });
            writeln!(output, "{heading}: {:.3} in the position{explained}", role.value)?;
            let Some(constant) = role.constant else { continue };
            let mut table =
                Table::new(&[">weight", "feature", ">correlation", ">stability", ">here", ">adds"]);
            for term in role.terms.iter().take(most) {
                table.row([
                    rounded(term.weight),
                    term.expression.clone(),
                    format!("{:.2}", term.correlation),
                    term.stability.map_or_else(|| "-".to_owned(), |stability| format!("{stability:.2}")),
                    format!("{}", term.count),
                    rounded(term.weight * term.count),
                ]);
            }
            let rest: f64 = role.terms.iter().skip(most).map(|term| term.weight * term.count).sum();
            if role.terms.len() > most {
                let others = format!("{} others", role.terms.len() - most);
                let none = String::new();
                table.row([none.clone(), others, none.clone(), none.clone(), none, rounded(rest)]);
            }
            let (none, one) = (String::new(), "1".to_owned());
            let constant = rounded(constant);
            table.row([constant.clone(), "1".to_owned(), none.clone(), none, one, constant]);
            table.write(output)?;
        }
        if !self.knowledge.is_empty() {
            writeln!(output)?;
        }
        for line in self.knowledge.iter().take(MOST_LINES) {
            writeln!(output, "{line}")?;
        }
        if self.knowledge.len() > MOST_LINES {
            writeln!(output, "and {} lines more, with --json", self.knowledge.len() - MOST_LINES)?;
        }
        Ok(())
    }
}

/// Lines of knowledge that are written to people.
const MOST_LINES: usize = 60;
