//! The players of a command line.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use arena::Thinking;
use player::AgentSpec;
use server::{Address, Opponent, SessionOptions, Sessions};

use crate::tokens;

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
    let mut addresses = Vec::new();
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
                let address = remote(text)?;
                if addresses.iter().any(|known: &Address| known.is_same_place(&address)) {
                    bail!(
                        "the player {address} is there twice; a player takes one role of a match, so start a \
                         second one on another port"
                    );
                }
                addresses.push(address.clone());
                Opponent::Remote(address)
            }
        };
        // A token is not told to those who read the record.
        let text = match &opponent {
            Opponent::Remote(address) => address.to_string(),
            _ => text.clone(),
        };
        let count = seen.entry(text.clone()).and_modify(|count| *count += 1).or_insert(1);
        let name = if *count == 1 { text.clone() } else { format!("{text} ({count})") };
        players.push(Player { name, opponent });
    }
    Ok(players)
}

/// A player on the network: `host:port`, `TOKEN@host:port`, or `@host:port` for the token of the environment.
fn remote(text: &str) -> anyhow::Result<Address> {
    let (token, place) = match text.split_once('@') {
        None => (None, text),
        Some(("", place)) => (Some(tokens::required(tokens::VARIABLE)?), place),
        Some((token, place)) => {
            let token = tokens::token(token);
            (Some(token.map_err(|why| anyhow::anyhow!("--players ..@{place}: {why}"))?), place)
        }
    };
    let address: Address = place.parse().with_context(|| {
        format!("--players {place} (agent:NAME plays in this process, `random` at random)")
    })?;
    Ok(address.with_token(token))
}

/// A player in this process.
pub(crate) fn local(name: &str, spec: AgentSpec, at_once: usize, memory: usize, seed: u64) -> Arc<Sessions> {
    thinking(name, spec, None, at_once, memory, seed)
}

/// The same for one that thinks by simulations or for a time of its own.
pub(crate) fn thinking(
    name: &str,
    spec: AgentSpec,
    thinking: Option<Thinking>,
    at_once: usize,
    memory: usize,
    seed: u64,
) -> Arc<Sessions> {
    let (simulations, thinking) = match thinking {
        Some(Thinking::Simulations(simulations)) => (Some(simulations), None),
        Some(Thinking::Time(time)) => (None, Some(time)),
        None => (None, None),
    };
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
        thinking,
        simulations,
        margin: Duration::from_millis(50),
        // The host is ourselves: it bounds its clocks, and tells when a match is over.
        longest_clock: Duration::MAX,
        longest_silence: Duration::MAX,
        seed,
    }))
}
