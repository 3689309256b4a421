//! What helpers are worth to a player: trees of their own, or leaves of the one tree.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use player::{AgentSpec, Clock, Limit, Machines, Player, Setup};
use serde_json::Value;

use super::{Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct Helpers;

const GAMES: [&str; 5] = ["connect-four", "breakthrough", "othello", "checkers", "hex"];

/// What helpers do.
const TEAMS: [&str; 2] = ["root", "tree"];

/// Helpers whose simulations are counted by time: threads of the player's process, beside its own.
const HELPERS: [u32; 4] = [0, 1, 2, 4];

/// How long simulations are counted, and how long where it is only seen that it runs.
const COUNTED: Duration = Duration::from_secs(5);
const BRIEFLY: Duration = Duration::from_millis(20);

/// The numbers of simulations below which it is only seen that it runs.
const FEW: u64 = 100;

/// Time to build a machine, and bytes for it.
const BUILDING: (Duration, usize) = (Duration::from_secs(60), 1 << 30);

/// How the trees of a player and three helpers are merged.
const MERGES: [&str; 4] = ["best", "sum", "sum10", "raw"];

impl Experiment for Helpers {
    fn name(&self) -> &'static str {
        "helpers"
    }

    fn about(&self) -> &'static str {
        "A player with helpers against the same player alone. First the four ways of merging four trees, each of them with as \
         many simulations as the player alone has: what more trees are worth, whatever they cost. Then two and four \
         helpers at equal time by the clock, with trees of their own and at the leaves of one tree; that says something only \
         where there is a core for each of them. The survey has it that Sum and Sum10 are best and close, that trees of \
         their own are better below five helpers, and one tree with up to sixteen. Last, how many more simulations there are."
    }

    fn source(&self) -> &'static str {
        "Méhat and Cazenave 2011, as told in Świechowski et al. 2015"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let scale = laboratory.scale();
        let counted = Thinking::Simulations(scale.simulations(1_000));
        let usual = Duration::from_millis(if scale.quick { 100 } else { 500 });
        let timed = Thinking::Time(usual.div_f64(scale.faster.unwrap_or(1.0)));
        let mut duels = Vec::new();
        for game in GAMES {
            for merge in MERGES {
                let team = format!("cadia-uct:helpers=3,merge={merge}");
                let duel = Duel::new(game, (&team, counted), ("cadia-uct", counted))?;
                duels.push(duel.at(game, format!("four trees, {merge} ({counted} each)")));
            }
            for (team, helpers) in TEAMS.into_iter().flat_map(|team| [(team, 2), (team, 4)]) {
                let text = format!("cadia-uct:helpers={helpers},team={team}");
                let duel = Duel::new(game, (&text, timed), ("cadia-uct", timed))?;
                duels.push(duel.at(game, format!("{team}, {helpers} helpers ({timed})")));
            }
        }
        let title = "A player with helpers against the player alone";
        let mut report = Report::of_duels(self, laboratory, title, duels, 100)?;
        let is_short = scale.quick || scale.simulations(1_000) < FEW;
        let (games, time) = if is_short { (&GAMES[..2], BRIEFLY) } else { (&GAMES[..], COUNTED) };
        report.table.push_str(&speeds(laboratory, games, time)?);
        Ok(report)
    }
}

/// How many simulations there are in a second, by game, team and helpers.
fn speeds(laboratory: &mut dyn Laboratory, games: &[&str], time: Duration) -> Result<String, ArenaError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let key = |game: &&str| format!("helpers, simulations in {time:?} of {game} on {cores} cores");
    let keys: Vec<String> = games.iter().map(key).collect();
    let told = laboratory.trials(&keys, &|place| game_speeds(games[place], time))?;
    let mut text = format!(
        "\n**Simulations in a second** from the first position, in thousands, with helpers that are threads beside the \
         player's own, and how many times as many as without helpers. This computer has {cores} cores: more threads than \
         that share them.\n\n| game | team |"
    );
    // Writing to a string cannot fail.
    for helpers in HELPERS {
        let _ = write!(text, " {helpers} helpers |");
    }
    let _ = writeln!(text, "\n| --- | --- |{}", " ---: |".repeat(HELPERS.len()));
    for (game, told) in games.iter().zip(&told) {
        for (team, speeds) in TEAMS.iter().zip(told.as_array().into_iter().flatten()) {
            let speeds: Vec<f64> =
                speeds.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
            let _ = write!(text, "| {game} | {team} |");
            for speed in &speeds {
                let _ = write!(text, " {:.1} ({:.2}) |", speed / 1000.0, speed / speeds[0].max(1.0));
            }
            text.push('\n');
        }
    }
    Ok(text)
}

/// Simulations in a second of a game, for each team and number of helpers.
fn game_speeds(game: &str, time: Duration) -> Result<Value, ArenaError> {
    let unplayable = |why: String| ArenaError::Unplayable { game: game.to_owned(), why };
    let rules = bundled::find(game).map_err(|error| unplayable(error.to_string()))?.rules;
    let start = Instant::now();
    let clock: Clock = Arc::new(move || start.elapsed());
    let machines = Machines::build(gdl::normal::read(rules), BUILDING.0, BUILDING.1, Arc::clone(&clock));
    machines.last();
    let speed = |team: &str, helpers: u32| -> Result<f64, String> {
        let text = format!("cadia-uct:helpers={helpers},team={team}");
        let agent: AgentSpec = text.parse().map_err(|error: player::AgentError| error.to_string())?;
        let (machines, clock) = (Arc::clone(&machines), Arc::clone(&clock));
        let setup = Setup { machines, role: 0, agent, seed: 1, ponder: false, clock: Arc::clone(&clock) };
        let mut player = Player::new(setup).map_err(|error| error.to_string())?;
        player.prepare(None).map_err(|error| error.to_string())?;
        let begin = clock();
        let decision = player.choose(Limit::until(begin + time)).map_err(|error| error.to_string())?;
        Ok(decision.simulations as f64 / clock().saturating_sub(begin).as_secs_f64())
    };
    let of_team =
        |team: &str| HELPERS.iter().map(|&helpers| speed(team, helpers)).collect::<Result<Vec<_>, _>>();
    let all = TEAMS.iter().map(|team| of_team(team)).collect::<Result<Vec<_>, _>>().map_err(unplayable)?;
    Ok(Value::from(all))
}
