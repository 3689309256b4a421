//! The textual form of a circuit: one line per gate, then one per output. It prints and parses, and
//! a parsed circuit is the printed one, gate for gate.
//!
//! ```text
//! circuit
//! g1 = base 0
//! g2 = does 0 3
//! g3 = and g1 !g2
//! base 1 g3 (cell 1 1 b)        initial value, next, fact
//! role white
//! move !g1 (mark 1 1)           legal, move
//! goal 100 g3
//! sees g2 (mark 1 1)            whether it is told, percept
//! chance 1                      the role whose moves are drawn, if there is one
//! percepts                      if the rules say what is seen
//! terminal g0
//! spelling dropBomb             of a name in roles and moves, where it is not in lower case
//! ```

use std::fmt::Write;

use crate::{Circuit, Edge, Gate, GateId, Gates, GoalOutput, PerceptOutput, RoleMoves};

/// Why a text is no circuit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseCircuitError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Circuit {
    /// The textual form.
    pub fn print(&self) -> String {
        let mut out = String::from("circuit\n");
        for (id, gate) in self.gates.iter().skip(1) {
            let _ = match gate {
                Gate::False => Ok(()),
                Gate::Base(number) => writeln!(out, "g{} = base {number}", id.0),
                Gate::Does(role, number) => writeln!(out, "g{} = does {role} {number}", id.0),
                Gate::And(left, right) => writeln!(out, "g{} = and {left:?} {right:?}", id.0),
                Gate::Xor(left, right) => writeln!(out, "g{} = xor {left:?} {right:?}", id.0),
            };
        }
        for ((fact, initial), next) in self.bases.iter().zip(&self.initial).zip(&self.next) {
            let _ = writeln!(out, "base {} {next:?} {fact}", u8::from(*initial));
        }
        for role in &self.roles {
            let _ = writeln!(out, "role {}", role.name);
            for (text, legal) in role.moves.iter().zip(&role.legal) {
                let _ = writeln!(out, "move {legal:?} {text}");
            }
            for goal in &role.goals {
                let _ = writeln!(out, "goal {} {:?}", goal.value, goal.edge);
            }
            for percept in &role.percepts {
                let _ = writeln!(out, "sees {:?} {}", percept.edge, percept.text);
            }
        }
        if let Some(chance) = self.chance {
            let _ = writeln!(out, "chance {chance}");
        }
        if self.has_percepts {
            out.push_str("percepts\n");
        }
        let _ = writeln!(out, "terminal {:?}", self.terminal);
        for word in self.spellings.iter() {
            let _ = writeln!(out, "spelling {word}");
        }
        out
    }

    /// Reads the textual form.
    pub fn parse(text: &str) -> Result<Circuit, ParseCircuitError> {
        let mut parser =
            Parser { circuit: Circuit::default(), gates: vec![Gate::False], spellings: Vec::new() };
        let mut lines = text.lines().enumerate();
        let fault =
            |line: usize, message: &str| ParseCircuitError { line: line + 1, message: message.to_owned() };
        if lines.next().is_none_or(|(_, line)| line.trim() != "circuit") {
            return Err(fault(0, "a circuit begins with the line `circuit`"));
        }
        for (number, line) in lines {
            if !line.trim().is_empty() {
                parser
                    .line(line)
                    .ok_or_else(|| fault(number, &format!("`{line}` is no line of a circuit")))?;
            }
        }
        let Some(gates) = Gates::restore(&parser.gates) else {
            return Err(fault(0, "gates must be listed once each, after those they read"));
        };
        parser.circuit.gates = gates;
        parser.circuit.spellings = std::mem::take(&mut parser.spellings).into_iter().collect();
        if !parser.is_sound() {
            return Err(fault(0, "a fact, move or gate is read that is not there"));
        }
        Ok(parser.circuit)
    }

    /// The circuit as a graph for Graphviz; inverted edges are dashed.
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph circuit {\n  rankdir=LR;\n  node [shape=box];\n");
        let live = crate::rewrite::live_gates(self);
        let style = |edge: Edge| if edge.is_inverted() { " [style=dashed]" } else { "" };
        for (id, gate) in self.gates.iter().filter(|(id, _)| live[id.0 as usize]) {
            let id = id.0;
            let label = match gate {
                Gate::False => "false".to_owned(),
                Gate::Base(number) => self.bases[number as usize].clone(),
                Gate::Does(role, number) => {
                    let role = &self.roles[role as usize];
                    format!("does {} {}", role.name, role.moves[number as usize])
                }
                Gate::And(..) => "and".to_owned(),
                Gate::Xor(..) => "xor".to_owned(),
            };
            let _ = writeln!(out, "  g{id} [label=\"{}\"];", escape(&label));
            if let Gate::And(left, right) | Gate::Xor(left, right) = gate {
                for edge in [left, right] {
                    let _ = writeln!(out, "  g{} -> g{id}{};", edge.gate().0, style(edge));
                }
            }
        }
        let mut output = |label: String, edge: Edge| {
            let label = escape(&label);
            let _ = writeln!(out, "  \"{label}\" [shape=ellipse];");
            let _ = writeln!(out, "  g{} -> \"{label}\"{};", edge.gate().0, style(edge));
        };
        for (fact, &next) in self.bases.iter().zip(&self.next) {
            output(format!("next {fact}"), next);
        }
        for role in &self.roles {
            for (text, &legal) in role.moves.iter().zip(&role.legal) {
                output(format!("legal {} {text}", role.name), legal);
            }
            for goal in &role.goals {
                output(format!("goal {} {}", role.name, goal.value), goal.edge);
            }
            for percept in &role.percepts {
                output(format!("sees {} {}", role.name, percept.text), percept.edge);
            }
        }
        output("terminal".to_owned(), self.terminal);
        out.push_str("}\n");
        out
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

struct Parser {
    circuit: Circuit,
    gates: Vec<Gate>,
    spellings: Vec<String>,
}

impl Parser {
    fn line(&mut self, line: &str) -> Option<()> {
        if line.trim() == "percepts" {
            self.circuit.has_percepts = true;
            return Some(());
        }
        let (word, rest) = line.trim().split_once(' ')?;
        match word {
            "base" => {
                let (initial, rest) = rest.split_once(' ')?;
                let (next, fact) = rest.split_once(' ')?;
                self.circuit.initial.push(match initial {
                    "0" => false,
                    "1" => true,
                    _ => return None,
                });
                self.circuit.next.push(edge(next)?);
                self.circuit.bases.push(fact.to_owned());
            }
            "role" => self.circuit.roles.push(RoleMoves { name: rest.to_owned(), ..RoleMoves::default() }),
            "move" => {
                let (legal, text) = rest.split_once(' ')?;
                let role = self.circuit.roles.last_mut()?;
                role.legal.push(edge(legal)?);
                role.moves.push(text.to_owned());
            }
            "goal" => {
                let (value, text) = rest.split_once(' ')?;
                let goal = GoalOutput { value: value.parse().ok()?, edge: edge(text)? };
                self.circuit.roles.last_mut()?.goals.push(goal);
            }
            "sees" => {
                let (told, text) = rest.split_once(' ')?;
                let percept = PerceptOutput { text: text.to_owned(), edge: edge(told)? };
                self.circuit.roles.last_mut()?.percepts.push(percept);
            }
            "spelling" => self.spellings.push(rest.to_owned()),
            "chance" => self.circuit.chance = Some(rest.parse().ok()?),
            "terminal" => self.circuit.terminal = edge(rest)?,
            _ => {
                let number: usize = word.strip_prefix('g')?.parse().ok()?;
                let mut words = rest.strip_prefix("= ")?.split(' ');
                let kind = words.next()?;
                let (first, second) = (words.next()?, words.next());
                let gate = match (kind, second) {
                    ("base", None) => Gate::Base(first.parse().ok()?),
                    ("does", Some(second)) => Gate::Does(first.parse().ok()?, second.parse().ok()?),
                    ("and", Some(second)) => Gate::And(edge(first)?, edge(second)?),
                    ("xor", Some(second)) => Gate::Xor(edge(first)?, edge(second)?),
                    _ => return None,
                };
                if number != self.gates.len() || words.next().is_some() {
                    return None;
                }
                self.gates.push(gate);
            }
        }
        Some(())
    }

    /// Whether everything that is read is there.
    fn is_sound(&self) -> bool {
        let circuit = &self.circuit;
        let propositions = self.gates.iter().all(|gate| match *gate {
            Gate::Base(number) => (number as usize) < circuit.bases.len(),
            Gate::Does(role, number) => {
                circuit.roles.get(role as usize).is_some_and(|role| (number as usize) < role.moves.len())
            }
            _ => true,
        });
        let chance = circuit.chance.is_none_or(|role| role < circuit.roles.len());
        propositions && chance && circuit.outputs().all(|edge| (edge.gate().0 as usize) < self.gates.len())
    }
}

fn edge(text: &str) -> Option<Edge> {
    let (inverted, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let number: u32 = text.strip_prefix('g')?.parse().ok()?;
    (number < 1 << 31).then(|| Edge::new(GateId(number), inverted))
}
