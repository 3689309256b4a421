//! `ludens solve`

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use game::{Describe, Game};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use machine::reference::Reference;
use puzzle::method::{METHODS, Method, Mini, MiniOptions};
use puzzle::{Board, Clock, Options, Portfolio, Space};
use serde::Serialize;

use super::solve_roles::{Question, WAYS};
use crate::arguments::GameArguments;
use crate::circuits::{BuildArguments, positive};
use crate::failure::{Unbuildable, tell};
use crate::input::{self, LoadedGame};
use crate::interrupt::{self, Raised};
use crate::output::Output;
use crate::table::Table;

/// Find a plan for a one-player game, or what each role of another game can be sure of
///
/// In a one-player game several methods look for a plan side by side. The answer is the best plan found, what it
/// scores, whether nothing better is possible, which method found it and when. A game of several roles becomes its
/// state graph: the answer is what each role is sure of whatever the others do, in how many moves, what every move is
/// worth, and how the game goes when everybody plays at best. Where the graph does not fit into half of --memory or
/// half of --seconds, the value of the beginning alone is proven depth first, and where that is too much as well,
/// alpha-beta proves what it can.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens solve eight-puzzle\n  ludens solve sokoban --seconds 60 --verify\n  \
                        ludens solve hanoi --method symbolic,best-first\n  ludens solve my-puzzle.kif --json\n  \
                        ludens solve tic-tac-toe\n  ludens solve chomp --play"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// Seconds to look for a plan or to solve, building the machine included; at least a second is
    /// left for looking
    #[arg(long, short = 's', value_name = "S", default_value_t = 10.0, value_parser = positive)]
    seconds: f64,

    /// Play the plan on the reference reasoner and compare what it scores
    #[arg(long)]
    verify: bool,

    /// Let only these methods work: names separated by commas, `list` shows them
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    method: Vec<String>,

    /// Whether states that are images of each other under a symmetry of the rules (a board and its
    /// mirror image) count as one
    #[arg(long, value_name = "WHETHER", default_value_t = true, action = clap::ArgAction::Set)]
    symmetry: bool,

    /// Threads that look at the same time
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Step through a game of several roles: each position with what its moves are worth, and the
    /// next move read from the standard input
    #[arg(long, conflicts_with = "json")]
    play: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    build: BuildArguments,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    seconds: f64,
    build_seconds: f64,
    machine: &'static str,
    /// None if no plan was found.
    score: Option<u8>,
    /// Whether nothing better is possible.
    proven: bool,
    /// Who showed it, if that took more than reading the goals.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<&'static str>,
    method: Option<&'static str>,
    found_at_seconds: Option<f64>,
    plan: Vec<String>,
    /// What the reference reasoner gives for the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_score: Option<u8>,
    improvements: Vec<Improvement>,
    methods: Vec<MethodTime>,
    /// None if symmetries were not looked for.
    symmetry: Option<SymmetryAnswer>,
}

#[derive(Serialize)]
struct SymmetryAnswer {
    /// Symmetries of the rules at least, the identity included.
    order: u64,
    /// How many of them are made use of.
    used: u64,
    /// Whether there are no others, as far as the rules tell.
    complete: bool,
    /// States left out because an image of them was known.
    merged: u64,
}

#[derive(Serialize)]
struct Improvement {
    seconds: f64,
    score: u8,
    moves: usize,
    method: &'static str,
}

#[derive(Serialize)]
struct MethodTime {
    method: &'static str,
    seconds: f64,
    ended: bool,
    /// Different states met, where account of them is kept.
    states: u64,
    /// States left out because an image of them was known.
    merged: u64,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let begin = Instant::now();
        if self.method.iter().any(|name| name == "list") {
            return list(output);
        }
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let options =
            Options { threads: usize::from(self.threads), bytes: self.build.bytes() / 2, seed: self.seed };
        match self.build.build(&game.rules) {
            Ok(built) => {
                let machine = Arc::new(CircuitMachine::new(built.circuit));
                let batch = Arc::new(BatchMachine::new(Arc::clone(&machine)));
                if machine.role_count() > 1 {
                    return self.question(&game, begin).answer(&batch, output);
                }
                anyhow::ensure!(!self.play, "--play steps through games of several roles; this one has one");
                let space = Arc::new(Space::new(batch)?.merging(self.symmetry));
                let portfolio = match self.method.as_slice() {
                    [] => Portfolio::new(&space, options),
                    names => Portfolio::named(&space, options, names)?,
                };
                let text = |id| machine.move_text(id);
                let mut answer = self.finish(&game, &portfolio, begin, "lanes", &text)?;
                answer.symmetry = space.symmetry().map(|found| SymmetryAnswer {
                    order: found.order,
                    used: found.used,
                    complete: found.complete,
                    merged: answer.methods.iter().map(|method| method.merged).sum(),
                });
                self.tell(&answer, output)
            }
            Err(error) => {
                let roles = game.rules.roles.len();
                anyhow::ensure!(
                    roles == 1,
                    "{error}; games of several roles are solved by their circuit: allow more with --build-seconds and --memory"
                );
                tell("warning", &format!("{error}; the reference reasoner plays, far more slowly"));
                let limits = datalog::Limits { bytes: self.build.bytes(), ..Default::default() };
                let machine = Arc::new(Reference::new(&game.rules, limits).map_err(Unbuildable)?);
                let mini =
                    MiniOptions { most_bytes: options.bytes, seed: self.seed, ..MiniOptions::default() };
                let mini = Mini::new(Arc::clone(&machine), machine.initial(), mini);
                let methods = mini.into_iter().map(|mini| (1.0, Box::new(mini) as Box<dyn Method>)).collect();
                let portfolio = Portfolio::of(methods, game::Goal(100), options);
                let text = |id| machine.move_text(id);
                let answer = self.finish(&game, &portfolio, begin, "reference", &text)?;
                self.tell(&answer, output)
            }
        }
    }

    /// The question that a game of several roles is asked.
    fn question<'a>(&'a self, game: &'a LoadedGame, begin: Instant) -> Question<'a> {
        let until = Duration::from_secs_f64(self.seconds).max(begin.elapsed() + Duration::from_secs(1));
        Question {
            name: &game.name,
            methods: &self.method,
            begin,
            until,
            bytes: self.build.bytes() / 2,
            threads: usize::from(self.threads),
            seed: self.seed,
            symmetry: self.symmetry,
            json: self.json,
            play: self.play,
        }
    }

    /// Works, and says what came of it.
    fn finish(
        &self,
        game: &LoadedGame,
        portfolio: &Portfolio,
        begin: Instant,
        machine: &'static str,
        text: &dyn Fn(game::MoveId) -> String,
    ) -> anyhow::Result<Answer> {
        let build_seconds = begin.elapsed().as_secs_f64();
        work(portfolio, self.seconds, begin);
        self.answer(game, portfolio, begin, build_seconds, machine, text)
    }

    fn answer(
        &self,
        game: &LoadedGame,
        portfolio: &Portfolio,
        begin: Instant,
        build_seconds: f64,
        machine: &'static str,
        text: &dyn Fn(game::MoveId) -> String,
    ) -> anyhow::Result<Answer> {
        let seconds = begin.elapsed().as_secs_f64();
        let board = portfolio.board();
        let best = board.best();
        let plan: Vec<String> = best.iter().flat_map(|found| &found.plan.moves).map(|&id| text(id)).collect();
        let verified_score = if self.verify && best.is_some() {
            let limits = datalog::Limits { bytes: self.build.bytes(), ..Default::default() };
            let reference = Reference::new(&game.rules, limits).map_err(Unbuildable)?;
            let goal = puzzle::replay(&reference, &reference.initial(), &plan)
                .context("the reference reasoner does not agree with the plan")?;
            let claimed = best.as_ref().map(|found| found.plan.score);
            anyhow::ensure!(
                Some(goal) == claimed,
                "the plan was thought to score {} but scores {} by the reference reasoner",
                claimed.map_or(0, |goal| goal.0),
                goal.0
            );
            Some(goal.0)
        } else {
            None
        };
        Ok(Answer {
            game: game.name.clone(),
            seconds,
            build_seconds,
            machine,
            score: best.as_ref().map(|found| found.plan.score.0),
            proven: board.is_settled(),
            proof: board.proof().filter(|_| board.is_settled()),
            method: best.as_ref().map(|found| found.method),
            found_at_seconds: best.as_ref().map(|found| found.time.as_secs_f64()),
            plan,
            verified_score,
            improvements: board
                .history()
                .iter()
                .map(|found| Improvement {
                    seconds: found.time.as_secs_f64(),
                    score: found.plan.score.0,
                    moves: found.plan.moves.len(),
                    method: found.method,
                })
                .collect(),
            methods: portfolio
                .report()
                .into_iter()
                .map(|report| MethodTime {
                    method: report.method,
                    seconds: report.used.as_secs_f64(),
                    ended: report.ended,
                    states: report.tally.states,
                    merged: report.tally.merged,
                })
                .collect(),
            symmetry: None,
        })
    }

    fn tell(&self, answer: &Answer, output: &mut Output) -> anyhow::Result<ExitCode> {
        if self.json {
            output.json(answer)?;
            return Ok(ExitCode::SUCCESS);
        }
        let Some(score) = answer.score else {
            let what_to_do = if answer.methods.iter().all(|method| method.ended) {
                "no method has anything left to try: `ludens check` tells whether the game can end"
            } else {
                "allow more with --seconds"
            };
            writeln!(output, "no plan found in {:.1} s; {what_to_do}", answer.seconds)?;
            return Ok(ExitCode::SUCCESS);
        };
        for (step, text) in answer.plan.iter().enumerate() {
            writeln!(output, "{:>4}  {text}", step + 1)?;
        }
        let certainty = match (answer.proven, answer.proof) {
            (true, Some(method)) => format!(", the best there is (shown by: {method})"),
            (true, None) => ", the most the goals have".to_owned(),
            (false, _) => ", perhaps not the best".to_owned(),
        };
        let heading = output.bold(&format!("score {score}"));
        let verified = if answer.verified_score.is_some() { "; the reference reasoner agrees" } else { "" };
        writeln!(output, "{heading} in {} moves{certainty}{verified}", answer.plan.len())?;
        let mut table = Table::new(&["found at", "score", "moves", "method"]);
        for improvement in &answer.improvements {
            table.row([
                format!("{:.3} s", improvement.seconds),
                improvement.score.to_string(),
                improvement.moves.to_string(),
                improvement.method.to_owned(),
            ]);
        }
        table.write(output)?;
        if let Some(SymmetryAnswer { order, complete, merged, .. }) = answer.symmetry
            && order > 1
        {
            let least = if complete { "" } else { "at least " };
            writeln!(output, "{least}{order} symmetries; {merged} states left out as images of others")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Lets a portfolio work for some seconds, with the best plan shown as it changes.
fn work(portfolio: &Portfolio, seconds: f64, begin: Instant) {
    let until = Duration::from_secs_f64(seconds).max(begin.elapsed() + Duration::from_secs(1));
    let clock: Clock = Arc::new(move || begin.elapsed());
    let stop = interrupt::flag();
    let finished = AtomicBool::new(false);
    let bar = super::progress_bar(until.as_millis() as u64, "ms");
    std::thread::scope(|scope| {
        // Also when the work panics: the thread that shows it is waited for.
        let _raised_at_the_end = Raised(&finished);
        scope.spawn(|| {
            while !finished.load(Ordering::Relaxed) {
                bar.set_position(begin.elapsed().as_millis() as u64);
                bar.set_message(progress(portfolio.board()));
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        portfolio.work(until, &clock, &stop);
    });
    bar.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        tell("note", "ended early; this is the best so far");
    }
}

/// Shows the methods.
fn list(output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut table = Table::new(&["method", "in the portfolio", "what it does"]);
    for entry in METHODS {
        let share =
            if entry.share > 0.0 { format!("share {}", entry.share) } else { "if asked for".to_owned() };
        table.row([entry.name.to_owned(), share, entry.help.to_owned()]);
    }
    for (_, name, _, help) in WAYS {
        table.row([(*name).to_owned(), "no, for several roles".to_owned(), (*help).to_owned()]);
    }
    table.write(output)?;
    Ok(ExitCode::SUCCESS)
}

fn progress(board: &Board) -> String {
    match board.best() {
        None => "no plan yet".to_owned(),
        Some(found) => {
            format!("score {} of at most {} ({})", found.plan.score.0, board.ceiling().0, found.method)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::Search;
    use puzzle::method::Progress;

    struct Panics;

    impl Method for Panics {
        fn name(&self) -> &'static str {
            "panics"
        }

        fn work(&mut self, _: Duration, _: &Search<'_>) -> Progress {
            panic!("a fault in a method")
        }
    }

    #[test]
    fn a_panic_ends_the_work() {
        let (sender, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let working = std::thread::spawn(|| {
                let options = Options { threads: 2, ..Options::default() };
                let portfolio = Portfolio::of(vec![(1.0, Box::new(Panics))], game::Goal(100), options);
                work(&portfolio, 3600.0, Instant::now());
            });
            sender.send(working.join().is_err())
        });
        assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(true), "it hangs");
    }
}
