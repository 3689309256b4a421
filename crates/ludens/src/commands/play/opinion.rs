//! What an agent thinks, in words.

use std::io::Write;

use picture::Analysis;
use player::Decision;

use crate::output::Output;
use crate::pictures::lines;
use crate::printer::goal_name;
use crate::table::Table;

/// What a decision is expected to bring; nothing where there is no simulation, plan or proof behind it.
pub(crate) fn expectation(decision: &Decision) -> Option<String> {
    if let Some(proven) = proven(decision) {
        return Some(format!("proven {proven}"));
    }
    let value = decision.value.filter(|_| decision.simulations > 0 && !decision.unthought)?;
    Some(format!("expects {value:.0}"))
}

/// The goal that is proven, without what distance takes off.
fn proven(decision: &Decision) -> Option<String> {
    decision.proven_goal().map(goal_name)
}

/// A decision in a few lines.
pub(crate) fn opinion(decision: &Decision, analysis: &Analysis, width: usize) -> String {
    let value = expectation(decision).map_or_else(String::new, |told| format!(", {told}"));
    let text = analysis.shortest(std::slice::from_ref(&decision.text)).concat();
    let mut told = format!("play {text}{value} ({} simulations)", decision.simulations);
    let line: Vec<String> =
        decision.line.iter().skip(1).take(6).map(|joint| active(joint, analysis)).collect();
    if !line.is_empty() {
        for line in lines(
            &format!("then {}", line.join(", ")).split(' ').map(str::to_owned).collect::<Vec<_>>(),
            width.saturating_sub(2),
        ) {
            told.push_str("\n  ");
            told.push_str(&line);
        }
    }
    told
}

/// A joint move without those who only wait.
fn active(joint: &[String], analysis: &Analysis) -> String {
    let short = |text: &String| analysis.shortest(std::slice::from_ref(text)).concat();
    let moves: Vec<String> = joint.iter().filter(|text| *text != "noop").map(short).collect();
    if moves.is_empty() { "noop".to_owned() } else { moves.join("+") }
}

/// What is thought of each move, the best first.
pub(crate) fn write_view(
    decision: &Decision,
    analysis: &Analysis,
    output: &mut Output,
) -> anyhow::Result<()> {
    writeln!(output, "{}", opinion(decision, analysis, output.width))?;
    let mut moves = decision.moves.clone();
    moves.sort_by_key(|thought| std::cmp::Reverse(thought.visits));
    let texts: Vec<String> = moves.iter().map(|thought| thought.text.clone()).collect();
    let mut table = Table::new(&["move", ">expected", ">simulations"]);
    for (thought, text) in moves.iter().zip(analysis.shortest(&texts)).take(20) {
        let value = match (thought.proven, thought.visits) {
            ((least, most), _) if least == most => format!("proven {least}"),
            (_, 0) => "-".to_owned(),
            _ => format!("{:.1}", thought.value),
        };
        table.row([text, value, thought.visits.to_string()]);
    }
    if !table.is_empty() {
        table.write(output)?;
    }
    Ok(())
}
