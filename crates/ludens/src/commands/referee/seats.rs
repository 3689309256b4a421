//! The players of a command line.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use player::AgentSpec;
use server::{Address, Opponent, SessionOptions, Sessions};

/// Somebody who plays.
#[derive(Clone)]
pub(crate) struct Player {
    /// How it was written, told apart from others like it.
    pub(crate) name: String,
    pub(crate) opponent: Opponent,
}

/// Reads the players.
pub(crate) fn read(
    texts: &[String],
    at_once: usize,
    memory: usize,
    seed: u64,
) -> anyhow::Result<Vec<Player>> {
    let mut addresses = HashSet::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut players = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let agent = if text == "random" { Some("random") } else { text.strip_prefix("agent:") };
        let opponent = match agent {
            Some(agent) => {
                let spec: AgentSpec = agent.parse().with_context(|| format!("--players {text}"))?;
                Opponent::Local(local(text, spec, at_once, memory, seed.wrapping_add(number as u64)))
            }
            None => {
                let address: Address = text.parse().with_context(|| {
                    format!("--players {text} (agent:NAME plays in this process, `random` at random)")
                })?;
                if !addresses.insert(address.clone()) {
                    bail!(
                        "the player {address} is there twice; a player takes one role of a match, so start a \
                         second one on another port"
                    );
                }
                Opponent::Remote(address)
            }
        };
        let count = seen.entry(text.clone()).and_modify(|count| *count += 1).or_insert(1);
        let name = if *count == 1 { text.clone() } else { format!("{text} ({count})") };
        players.push(Player { name, opponent });
    }
    Ok(players)
}

/// A player in this process.
fn local(name: &str, spec: AgentSpec, at_once: usize, memory: usize, seed: u64) -> Arc<Sessions> {
    Arc::new(Sessions::new(SessionOptions {
        name: name.to_owned(),
        agent: spec,
        machines: server::shared_machines(),
        matches: at_once + 1,
        // Nobody comes over the network.
        matches_per_address: at_once + 1,
        token: None,
        memory,
        threads: 1,
        // All players share this machine: who thinks on others' time takes it from them.
        ponder: false,
        margin: Duration::from_millis(50),
        // The host is ourselves: it bounds its clocks, and tells when a match is over.
        longest_clock: Duration::MAX,
        longest_silence: Duration::MAX,
        seed,
    }))
}
