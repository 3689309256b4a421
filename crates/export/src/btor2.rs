//! A transition system in BTOR2 (Niemetz, Preiner, Wolf and Biere 2018), with words of one bit: a state for each fact, an
//! input for each move. Constraints say that each role makes exactly one move and that it is legal; a bad state is one in which
//! the game is over and a role has its highest goal, so that a trace to it is a plan (or, with several roles, a play).

use std::fmt::Write;

use circuit::{Circuit, Edge, Gate};

struct Writer {
    out: String,
    lines: u64,
}

impl Writer {
    /// Writes a line and gives its number.
    fn line(&mut self, text: std::fmt::Arguments<'_>) -> u64 {
        self.lines += 1;
        let _ = writeln!(self.out, "{} {text}", self.lines);
        self.lines
    }
}

/// Writes the system.
pub(crate) fn write(circuit: &Circuit) -> String {
    let mut writer = Writer { out: String::from("; A game as a transition system.\n"), lines: 0 };
    let sort = writer.line(format_args!("sort bitvec 1"));
    let zero = writer.line(format_args!("zero {sort}"));
    let one = writer.line(format_args!("one {sort}"));
    // Comments and names are the terms with blanks that no reader stumbles over.
    let symbol = |text: &str| text.replace(' ', "_").replace(';', ",");
    let bases: Vec<u64> =
        circuit.bases.iter().map(|base| writer.line(format_args!("state {sort} {}", symbol(base)))).collect();
    let mut moves: Vec<Vec<u64>> = Vec::new();
    for role in &circuit.roles {
        let name = |text: &str| symbol(&format!("does_{}_{text}", role.name));
        moves.push(
            role.moves.iter().map(|text| writer.line(format_args!("input {sort} {}", name(text)))).collect(),
        );
    }
    for (&base, &initial) in bases.iter().zip(&circuit.initial) {
        writer.line(format_args!("init {sort} {base} {}", if initial { one } else { zero }));
    }
    // Negative numbers are inverted.
    let signed = |line: u64, inverted: bool| if inverted { format!("-{line}") } else { line.to_string() };
    let mut lines: Vec<u64> = Vec::with_capacity(circuit.gates.len());
    for (_, gate) in circuit.gates.iter() {
        let of = |lines: &[u64], edge: Edge| signed(lines[edge.gate().0 as usize], edge.is_inverted());
        let line = match gate {
            Gate::False => zero,
            Gate::Base(number) => bases[number as usize],
            Gate::Does(role, number) => moves[usize::from(role)][number as usize],
            Gate::And(left, right) => {
                writer.line(format_args!("and {sort} {} {}", of(&lines, left), of(&lines, right)))
            }
            Gate::Xor(left, right) => {
                writer.line(format_args!("xor {sort} {} {}", of(&lines, left), of(&lines, right)))
            }
        };
        lines.push(line);
    }
    let of = |edge: Edge| signed(lines[edge.gate().0 as usize], edge.is_inverted());
    for (&base, &next) in bases.iter().zip(&circuit.next) {
        writer.line(format_args!("next {sort} {base} {}", of(next)));
    }
    for (role, own) in circuit.roles.iter().zip(&moves) {
        // Whether a move was made so far, and whether two were.
        let (mut any, mut two) = (zero, zero);
        for (&input, &legal) in own.iter().zip(&role.legal) {
            let allowed = writer.line(format_args!("implies {sort} {input} {}", of(legal)));
            writer.line(format_args!("constraint {allowed}"));
            let both = writer.line(format_args!("and {sort} {any} {input}"));
            two = writer.line(format_args!("or {sort} {two} {both}"));
            any = writer.line(format_args!("or {sort} {any} {input}"));
        }
        // Where the game is over nobody has to move.
        let moves = writer.line(format_args!("or {sort} {any} {}", of(circuit.terminal)));
        writer.line(format_args!("constraint {moves}"));
        writer.line(format_args!("constraint -{two}"));
    }
    for role in &circuit.roles {
        if let Some(goal) = role.goals.iter().max_by_key(|goal| goal.value) {
            let bad = writer.line(format_args!("and {sort} {} {}", of(circuit.terminal), of(goal.edge)));
            writer.line(format_args!("bad {bad} {}_has_{}", symbol(&role.name), goal.value));
        }
    }
    let _ = writeln!(writer.out, "; terminal is {}", of(circuit.terminal));
    writer.out
}
