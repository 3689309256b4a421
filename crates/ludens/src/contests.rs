//! What commands that let agents play have in common.

use std::time::Duration;

use arena::{Contestant, Ground, MatchRules, Thinking};
use clap::Args;

use crate::circuits::positive;
use crate::commands::spinner;
use crate::input::LoadedGame;

/// How long agents think.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ThinkingArguments {
    /// Seconds for each move
    #[arg(long, value_name = "S", value_parser = positive, conflicts_with = "simulations")]
    pub(crate) play_clock: Option<f64>,

    /// Simulations for each move, in place of a clock: repeatable
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) simulations: Option<u64>,

    /// Seconds before the first move, beside the time for building
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(crate) start_clock: Option<f64>,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Seconds that building a machine may take
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = positive)]
    pub(crate) build_seconds: f64,

    /// Mebibytes of memory for each machine
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(crate) memory: u64,

    /// Joint moves after which a match is broken off
    #[arg(long, default_value_t = 10_000)]
    pub(crate) steps: usize,
}

impl ThinkingArguments {
    /// How long to think about a move, unless a player says otherwise.
    pub(crate) fn thinking(&self, otherwise: Thinking) -> Thinking {
        match (self.simulations, self.play_clock) {
            (Some(simulations), _) => Thinking::Simulations(simulations),
            (None, Some(seconds)) => Thinking::Time(Duration::from_secs_f64(seconds)),
            (None, None) => otherwise,
        }
    }

    /// What matches have in common.
    pub(crate) fn rules(&self) -> MatchRules {
        let start = self.start_clock.map_or(Duration::ZERO, Duration::from_secs_f64);
        MatchRules { start, steps: self.steps, ..MatchRules::default() }
    }

    /// Makes a game ready.
    pub(crate) fn ground(&self, game: &LoadedGame) -> anyhow::Result<Ground> {
        let bar = spinner(format!("building {}", game.title()));
        let bytes = usize::try_from(self.memory << 20).unwrap_or(usize::MAX);
        let time = Duration::from_secs_f64(self.build_seconds);
        let ground = Ground::build(&game.name, game.rules.clone(), time, bytes);
        bar.finish_and_clear();
        Ok(ground?)
    }
}

/// Reads players as they are given on the command line.
///
/// Parameters of an agent are separated by commas, as players are: a part that is no agent belongs
/// to the one before, as in `ludens,cadia-mast:tau=5,threads=2`.
pub(crate) fn contestants(texts: &[String], thinking: Thinking) -> anyhow::Result<Vec<Contestant>> {
    let mut whole: Vec<String> = Vec::new();
    for text in texts {
        match whole.last_mut() {
            Some(last) if last.contains(':') && !last.contains('@') && is_parameter(text) => {
                last.push(',');
                last.push_str(text);
            }
            _ => whole.push(text.clone()),
        }
    }
    whole.iter().map(|text| Ok(Contestant::read(text, thinking)?)).collect()
}

fn is_parameter(text: &str) -> bool {
    let name = text.split(['=', '@']).next().unwrap_or_default();
    text.contains('=') && !name.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_players_and_parameters() {
        let texts: Vec<String> =
            "ludens,cadia-mast:tau=5,threads=2@300,mc:batch=1,random".split(',').map(str::to_owned).collect();
        let players = contestants(&texts, Thinking::Simulations(10)).expect("players");
        let names: Vec<String> = players.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["ludens@10", "cadia-mast:tau=5,threads=2@300", "mc:batch=1@10", "random@10"]);
        assert!(contestants(&["ludens".to_owned(), "tau=5".to_owned()], Thinking::Simulations(1)).is_err());
    }
}
