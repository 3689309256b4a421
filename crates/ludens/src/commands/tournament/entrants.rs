//! The ways to the entrants.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use arena::Thinking;
use protocol::Request;
use server::{Lobby, Opponent, Questions};
use tokio::net::TcpListener;

use super::file::{Described, Who};
use super::person;
use crate::commands::referee::seats;

/// The way to each entrant, and the address where players connect.
pub(super) async fn ways(described: &Described) -> anyhow::Result<(Vec<Opponent>, Option<String>)> {
    let guests = described.entrants.iter().filter_map(|entrant| match &entrant.who {
        Who::Connects(token) => Some((entrant.name.clone(), token.clone())),
        _ => None,
    });
    let lobby = Arc::new(Lobby::new(guests));
    let mut ways = Vec::new();
    for (number, entrant) in described.entrants.iter().enumerate() {
        ways.push(match &entrant.who {
            Who::Agent(contestant, text) => {
                // Without `@` it thinks as long as the clock allows.
                let thinking: Option<Thinking> = text.contains('@').then_some(contestant.thinking);
                let (agent, seed) = (contestant.agent.clone(), described.seed.wrapping_add(number as u64));
                let (at_once, memory) = (described.at_once, described.memory);
                Opponent::Local(seats::thinking(&entrant.name, agent, thinking, at_once, memory, seed))
            }
            Who::Http(address) => Opponent::Remote(address.clone()),
            Who::Connects(_) => match lobby.guest(&entrant.name) {
                Some(guest) => Opponent::Connected(guest),
                None => bail!("{} is not expected", entrant.name),
            },
            Who::Person => {
                let (questions, asked) = Questions::new();
                person::sit_down(entrant.name.clone(), asked).context("cannot read from the terminal")?;
                Opponent::Person(questions)
            }
        });
    }
    let Some(listen) = &described.listen else { return Ok((ways, None)) };
    let listener = TcpListener::bind(listen).await.with_context(|| {
        format!("cannot listen on {listen}; choose another address with `listen`, for example 127.0.0.1:9200")
    })?;
    let address = listener.local_addr().context("the port is gone")?.to_string();
    tokio::spawn(server::welcome(listener, lobby));
    Ok((ways, Some(address)))
}

/// Whether somebody can be asked.
pub(super) async fn is_there(way: &Opponent) -> Result<(), String> {
    match way {
        Opponent::Local(_) | Opponent::Person(_) => Ok(()),
        Opponent::Connected(guest) if guest.is_here() => Ok(()),
        Opponent::Connected(_) => Err("it has not connected".to_owned()),
        Opponent::Remote(_) => {
            let asked = way.ask(Request::Info.to_string(), Duration::from_millis(2500)).await;
            asked.map(|_| ()).map_err(|error| error.to_string())
        }
    }
}
