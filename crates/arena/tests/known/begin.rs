//! Positions that are set up by hand: rules that begin there.

/// A rule sheet that begins with these facts in place of its own.
pub(crate) fn beginning(text: &str, facts: &[String]) -> String {
    // A `(` in the first column begins a rule, in all bundled sheets.
    let mut kept = String::new();
    let mut skipped = false;
    for line in text.lines() {
        if line.starts_with('(') {
            skipped = line.starts_with("(init ") || line.starts_with("(<= (init ");
        }
        if !skipped || line.is_empty() {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept + &facts.iter().map(|fact| format!("(init {fact})\n")).collect::<String>()
}

/// The facts of a board drawn from the top: files from `a`, ranks down to 1. `piece` says what a letter
/// stands for, if it is a piece.
pub(crate) fn board(rows: &[&str], piece: impl Fn(char) -> Option<&'static str>) -> Vec<String> {
    let ranks = (1..=rows.len()).rev();
    let cells = rows
        .iter()
        .zip(ranks)
        .flat_map(|(row, rank)| row.chars().zip('a'..).map(move |(letter, file)| (letter, file, rank)));
    cells
        .filter_map(|(letter, file, rank)| Some(format!("(cell {file} {rank} {})", piece(letter)?)))
        .collect()
}
