//! How fast an agent searches, and what it finds: `bench --search` and `bench --signature`.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use game::{Describe, Game, MoveId, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use player::AgentSpec;
use search::{Budget, mcts::Search};
use serde::Serialize;

use super::Arguments;
use crate::input;
use crate::machines::faulty;
use crate::output::Output;
use crate::process::{cpu_seconds_since, cpu_time};
use crate::table::{Table, grouped};

/// How fast an agent searches a game.
#[derive(Serialize)]
struct SearchAnswer {
    game: String,
    /// Of each search.
    simulations: u64,
    searches: u64,
    cpu_seconds: f64,
    seconds: f64,
    simulations_per_cpu_second: f64,
    simulations_per_second: f64,
    /// In the tree at the end of the last search.
    nodes: usize,
    depth: u32,
}

#[derive(Serialize)]
struct SearchAnswers {
    agent: String,
    threads: u32,
    games: Vec<SearchAnswer>,
}

/// Simulations of a search unless told otherwise.
const SIMULATIONS: u64 = 20_000;

/// Searches the first position of each game again and again.
pub(super) fn search(arguments: &Arguments, output: &mut Output) -> anyhow::Result<()> {
    let agent = arguments.agent.with("threads", &arguments.threads.to_string())?;
    let simulations = arguments.simulations.unwrap_or(SIMULATIONS);
    let games = arguments.find_games()?;
    let bar = crate::commands::progress_bar(games.len() as u64, "games");
    let mut answers =
        SearchAnswers { agent: agent.to_string(), threads: arguments.threads, games: Vec::new() };
    for (name, game) in games {
        bar.set_message(name.clone());
        let machine = build(arguments, &game)?;
        answers.games.push(measure(name, &machine, &agent, simulations, arguments.seconds)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if arguments.json {
        return output.json(&answers);
    }
    let mut table =
        Table::new(&["game", ">searches", ">simulations/cpu s", ">simulations/s", ">nodes", ">depth"]);
    for row in &answers.games {
        table.row([
            row.game.clone(),
            format!("{} of {}", row.searches, grouped(row.simulations)),
            grouped(row.simulations_per_cpu_second as u64),
            grouped(row.simulations_per_second as u64),
            grouped(row.nodes as u64),
            row.depth.to_string(),
        ]);
    }
    writeln!(output, "{} from the first position, a fresh tree for each search", answers.agent)?;
    table.write(output)?;
    Ok(())
}

fn build(arguments: &Arguments, game: &str) -> anyhow::Result<Arc<BatchMachine>> {
    let loaded = input::load(game, gdl::Mode::Lenient)?;
    let built = arguments.build.build(&loaded.rules).with_context(|| format!("{game} has no circuit"))?;
    Ok(Arc::new(BatchMachine::new(Arc::new(CircuitMachine::new(built.circuit)))))
}

fn measure(
    game: String,
    machine: &Arc<BatchMachine>,
    agent: &AgentSpec,
    simulations: u64,
    seconds: f64,
) -> anyhow::Result<SearchAnswer> {
    let initial = machine.initial();
    let mut search = Search::new(Arc::clone(machine), initial.clone(), agent.search_parameters(), 0);
    let mut think = |seed: u64| {
        search.restart(&initial, seed);
        search.run(&Budget::simulations(simulations)).map_err(faulty(&**machine))?;
        anyhow::Ok(search.totals().simulations)
    };
    // Once without looking: memory is fetched and the clock of the processor rises.
    think(0)?;
    let (begin, begin_cpu) = (Instant::now(), cpu_time());
    let (mut searches, mut done) = (0, 0);
    let (cpu, wall) = loop {
        done += think(searches + 1)?;
        searches += 1;
        let (cpu, wall) = (cpu_seconds_since(begin_cpu), begin.elapsed().as_secs_f64());
        if cpu >= seconds {
            break (cpu, wall);
        }
    };
    let advice = search.advice(RoleId(0));
    Ok(SearchAnswer {
        game,
        simulations,
        searches,
        cpu_seconds: cpu,
        seconds: wall,
        simulations_per_cpu_second: done as f64 / cpu.max(1e-9),
        simulations_per_second: done as f64 / wall.max(1e-9),
        nodes: advice.as_ref().map_or(0, |advice| advice.nodes),
        depth: advice.map_or(0, |advice| advice.depth),
    })
}

/// The games of the signature: all kinds, and quick to build.
const SIGNED_GAMES: [&str; 24] = [
    "tic-tac-toe",
    "tic-tac-toe-misere",
    "connect-four",
    "connect-four-small",
    "breakthrough",
    "breakthrough-holes",
    "knightthrough",
    "othello",
    "clobber",
    "domineering",
    "dots-and-boxes",
    "hex",
    "kono",
    "mancala",
    "nim",
    "pawn-duel",
    "pentago",
    "three-player-tic-tac-toe",
    "goofspiel",
    "tron",
    "rock-paper-scissors",
    "simultaneous-connect-four",
    "eight-puzzle",
    "ultimatum",
];

/// Turns of each game, and simulations of each turn.
const SIGNED_TURNS: usize = 4;
const SIGNED_SIMULATIONS: u64 = 400;
const SIGNED_AGENTS: [&str; 3] = ["ludens", "cadia-uct", "cadia-mast"];

#[derive(Serialize)]
struct SignatureAnswer {
    signature: String,
    games: Vec<SignedGame>,
}

#[derive(Serialize)]
struct SignedGame {
    game: &'static str,
    signature: String,
}

/// One number for all that the agents find with fixed seeds and budgets: any change of search changes
/// it.
pub(super) fn signature(arguments: &Arguments, output: &mut Output) -> anyhow::Result<()> {
    let bar = crate::commands::progress_bar(SIGNED_GAMES.len() as u64, "games");
    let mut all = Digest::default();
    let mut games = Vec::new();
    for game in SIGNED_GAMES {
        bar.set_message(game);
        // One state at a time and in lanes, which play the same on every processor.
        let machine = build(arguments, game)?;
        let mut digest = Digest::default();
        for agent in SIGNED_AGENTS {
            sign(machine.machine(), &agent.parse()?, &mut digest)?;
            sign(&machine, &agent.parse()?, &mut digest)?;
        }
        all.add(&digest.0.to_le_bytes());
        games.push(SignedGame { game, signature: digest.text() });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let answer = SignatureAnswer { signature: all.text(), games };
    if arguments.json {
        return output.json(&answer);
    }
    let mut table = Table::new(&["game", "signature"]);
    for game in &answer.games {
        table.row([game.game.to_owned(), game.signature.clone()]);
    }
    table.write(output)?;
    writeln!(output, "\nSignature: {}", answer.signature)?;
    Ok(())
}

/// Plays some turns and adds what is thought of every move.
fn sign<G: Simulator + Describe>(
    machine: &Arc<G>,
    agent: &AgentSpec,
    digest: &mut Digest,
) -> anyhow::Result<()> {
    let mut search = Search::new(Arc::clone(machine), machine.initial(), agent.search_parameters(), 1);
    for _ in 0..SIGNED_TURNS {
        search.run(&Budget::simulations(SIGNED_SIMULATIONS)).map_err(faulty(&**machine))?;
        let mut joint: Vec<MoveId> = Vec::new();
        for role in machine.role_ids() {
            let Some(advice) = search.advice(role) else { return Ok(()) };
            for candidate in &advice.candidates {
                digest.add(machine.move_text(candidate.id).as_bytes());
                digest.add(&candidate.visits.to_le_bytes());
                // Beyond that the last bit of a logarithm, which depends on the system, may show.
                digest.add(&((candidate.value * 1e6).round() as i64).to_le_bytes());
            }
            joint.push(advice.best().id);
        }
        search.advance(&joint).map_err(faulty(&**machine))?;
    }
    Ok(())
}

/// The hash function FNV-1a: the same everywhere and for good.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        // From the authors' list of test vectors: "foobar".
        let mut digest = Digest::default();
        digest.add(b"foobar");
        assert_eq!(digest.text(), "85944171f73967e8");
    }
}
