//! Functions that the documents show are those that come out.

use crate::support::ludens;

const PAGE: &str = include_str!("../../../../docs/results/functions.md");

/// What takes seconds to build is not made anew.
const SLOW: &str = "chess";

/// An output without how long it took.
fn without_seconds(output: &str) -> Vec<String> {
    let line = |line: &str| match line.split_once(" sequences, ") {
        Some((before, after)) if after.ends_with(" of building") => format!("{before} sequences"),
        _ => line.to_owned(),
    };
    output.lines().map(line).collect()
}

#[test]
fn functions_are_those_of_the_page() {
    let blocks = PAGE.split("```\n").skip(1).step_by(2);
    let shown: Vec<(&str, &str)> =
        blocks.filter_map(|block| block.strip_prefix("$ ludens ")?.split_once('\n')).collect();
    assert_eq!(shown.len(), 5);
    for (command, output) in shown.into_iter().filter(|(command, _)| !command.contains(SLOW)) {
        let arguments: Vec<&str> = command.split(' ').collect();
        let made = without_seconds(&ludens(&arguments).expect(0).out);
        let wanted: Vec<&str> = output.lines().collect();
        assert_eq!(made, wanted, "`ludens {command}` says something else than docs/results/functions.md");
    }
}
