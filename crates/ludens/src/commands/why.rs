//! `ludens why`

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use game::{Describe, Expansion, MoveId};
use gdl::SourceFile;
use language::why::{Condition, Effort, Explanation, Reason, Situation, print, why};
use machine::Machine;
use serde_json::{Value, json};

use crate::arguments::{MachineArguments, Reading};
use crate::input::{self, LoadedGame};
use crate::machines::{Task, faulty, with_machine};
use crate::output::Output;
use crate::pictures;

/// Tell which rules make a sentence true in a position, or what is missing for it
///
/// The sentence is written as in the rules: `(legal white (move e 2 e 4))`, `(goal white 100)`, `terminal`,
/// `(true (cell a 1 wr))`. With variables, as in `(legal white ?m)`, the first answer is explained and others are
/// named. Moves are given as in `ludens play`, one after the other: each is that of the next role with a choice.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens why tic-tac-toe '(legal x (mark 1 1))'\n  \
                  ludens why chess '(legal white (move e 2 e 5))'\n  \
                  ludens why chess check --moves e2e4,f7f6,d1h5\n  \
                  ludens why tic-tac-toe '(next (control o))' --does '1 1'\n\nIn the answer `yes` stands before \
                  conditions that are met, `NO` before the first one that is not, `?` before those that come after it.")]
pub(crate) struct Arguments {
    /// A bundled game, the path of a rule sheet, or -
    game: String,

    /// What is asked for
    sentence: String,

    /// Moves to make first
    #[arg(long, value_name = "MOVE,..", value_delimiter = ',')]
    moves: Vec<String>,

    /// Moves that are made in the position: what `next`, `does` and `sees` depend on
    #[arg(long, value_name = "MOVE,..", value_delimiter = ',')]
    does: Vec<String>,

    /// How many levels of reasons are told
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(0..=200))]
    levels: u16,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    machine: MachineArguments,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = input::load(&self.game, self.reading.mode())?;
        let sentence = match self.sentence.trim() {
            bare if bare.contains(char::is_whitespace) && !bare.starts_with('(') => format!("({bare})"),
            whole => whole.to_owned(),
        };
        let first = sentence.trim_matches(['(', ')', ' ']).split_whitespace().next().unwrap_or_default();
        let asks_for_moves = ["next", "does", "sees"].contains(&first.to_lowercase().as_str());
        let with_moves = asks_for_moves || !self.does.is_empty();
        let task = Walk { arguments: &self, game: &game, with_moves };
        let situation = with_machine(self.machine, &game.rules, None, task)?;
        let effort = Effort { levels: usize::from(self.levels), ..Effort::default() };
        let answer = why(&game.rules, &situation, &sentence, effort)?;
        if self.json {
            output.json(&explanation(&game.source, &answer))?;
        } else {
            write!(output, "{}", print(&game.source, &answer))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Makes the moves and tells where that leads.
struct Walk<'a> {
    arguments: &'a Arguments,
    game: &'a LoadedGame,
    with_moves: bool,
}

impl Task for Walk<'_> {
    type Answer = Situation;

    fn run<G: Describe>(self, machine: &G, _: &Machine) -> anyhow::Result<Situation> {
        let (moves, does) = (&self.arguments.moves, &self.arguments.does);
        // Only who names moves needs to know how people write them.
        let analysis = (!moves.is_empty() || !does.is_empty()).then(|| pictures::analysis(self.game));
        let mut workspace = machine.workspace();
        let mut expansion = Expansion::new();
        let mut state = machine.initial();
        let mut typed = moves.iter().peekable();
        let joint = |expansion: &Expansion,
                     typed: &mut dyn Iterator<Item = &String>,
                     option: &str|
         -> anyhow::Result<Vec<MoveId>> {
            let mut joint: Vec<MoveId> = Vec::new();
            for (role, legal) in expansion.by_role().enumerate() {
                let name = &machine.roles()[role];
                joint.push(match (legal, &analysis) {
                    (&[only], _) => only,
                    ([], _) => bail!("{name} has no legal move here"),
                    (_, None) => {
                        bail!("what is asked depends on the move of {name}: say it with `--{option} MOVE,..`")
                    }
                    (_, Some(analysis)) => {
                        let Some(wanted) = typed.next() else {
                            bail!("the move of {name} is missing in `--{option}`")
                        };
                        let texts: Vec<String> = legal.iter().map(|&id| machine.move_text(id)).collect();
                        legal[pictures::choose(analysis, wanted, &texts, name)?]
                    }
                });
            }
            Ok(joint)
        };
        loop {
            machine.expand(&mut workspace, &state, &mut expansion).map_err(faulty(machine))?;
            let Some(next) = typed.peek() else { break };
            if expansion.is_terminal() {
                bail!("the game is over before `{next}`");
            }
            let joint = joint(&expansion, &mut typed, "moves")?;
            state = machine.apply(&mut workspace, &state, &joint).map_err(faulty(machine))?;
        }
        let mut made = Vec::new();
        if self.with_moves {
            if expansion.is_terminal() {
                bail!("the game is over here: no moves are made");
            }
            let mut typed = does.iter();
            let joint = joint(&expansion, &mut typed, "does")?;
            if let Some(left) = typed.next() {
                bail!("nobody has a choice left for `{left}`");
            }
            let moves = machine.roles().iter().cloned().zip(joint.iter().map(|&id| machine.move_text(id)));
            made = moves.collect();
        }
        Ok(Situation { facts: machine.facts(&state), moves: made })
    }
}

/// An answer for programs.
fn explanation(source: &SourceFile, answer: &Explanation) -> Value {
    let line = |span: gdl::Span| source.line_column(span.start).line;
    let all =
        |conditions: &[Condition]| conditions.iter().map(|one| condition(source, one)).collect::<Vec<_>>();
    let reason = match &answer.reason {
        Reason::Given => json!({ "kind": "given" }),
        Reason::Fact(span) => json!({ "kind": "fact", "line": line(*span) }),
        Reason::Rule { span, conditions } => {
            json!({ "kind": "rule", "line": line(*span), "conditions": all(conditions) })
        }
        Reason::NotGiven(near) => json!({ "kind": "not-given", "near": near }),
        Reason::NotStated(near) => json!({ "kind": "not-stated", "near": near }),
        Reason::NoRule(attempts) => {
            let attempts = attempts.iter().map(|attempt| {
                json!({ "line": line(attempt.span), "head": attempt.head, "conditions": all(&attempt.conditions) })
            });
            json!({ "kind": "no-rule", "attempts": attempts.collect::<Vec<_>>() })
        }
        Reason::Shortened => json!({ "kind": "shortened" }),
    };
    json!({ "sentence": answer.sentence, "holds": answer.holds, "reason": reason, "others": answer.others })
}

fn condition(source: &SourceFile, condition: &Condition) -> Value {
    let because = condition.because.as_deref().map(|because| explanation(source, because));
    json!({ "text": condition.text, "met": condition.met, "because": because })
}
