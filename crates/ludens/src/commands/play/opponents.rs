//! The agents that a person plays against.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gdl::normal::NormalRules;
use player::{AgentSpec, Clock, Decision, Limit, Machines, Player, Setup};

use crate::input::LoadedGame;

/// Agents for any role of a game, made when they are first asked.
pub(crate) struct Opponents {
    rules: NormalRules,
    machines: Option<Arc<Machines>>,
    players: Vec<Option<Player>>,
    agent: AgentSpec,
    seconds: Duration,
    memory: usize,
    seed: u64,
    clock: Clock,
}

/// Seconds that building fast machines may take in the background.
const BUILDING: Duration = Duration::from_secs(60);

impl Opponents {
    pub(crate) fn new(
        game: &LoadedGame,
        agent: AgentSpec,
        seconds: Duration,
        memory: usize,
        seed: u64,
    ) -> Self {
        let begin = Instant::now();
        let clock: Clock = Arc::new(move || begin.elapsed());
        let players = game.rules.roles.iter().map(|_| None).collect();
        Self { rules: game.rules.clone(), machines: None, players, agent, seconds, memory, seed, clock }
    }

    /// The name of the agent.
    pub(crate) fn name(&self) -> String {
        self.agent.to_string()
    }

    /// What a role would do after what it was told of some steps.
    pub(crate) fn ask(&mut self, role: usize, history: &[Vec<String>]) -> anyhow::Result<Decision> {
        if self.players[role].is_none() {
            let machines = self.machines.get_or_insert_with(|| {
                Machines::build(self.rules.clone(), BUILDING, self.memory, Arc::clone(&self.clock))
            });
            let mut player = Player::new(Setup {
                machines: Arc::clone(machines),
                role,
                agent: self.agent.clone(),
                seed: self.seed.wrapping_add(role as u64),
                ponder: false,
                clock: Arc::clone(&self.clock),
            })?;
            for told in history {
                player.advance(told)?;
            }
            self.players[role] = Some(player);
            machines.first();
        }
        let until = (self.clock)() + self.seconds;
        let Some(player) = &mut self.players[role] else { anyhow::bail!("there is no agent") };
        Ok(player.choose(Limit::until(until))?)
    }

    /// Tells everyone of a step what their role is told.
    pub(crate) fn advance(&mut self, told: impl Fn(usize) -> Vec<String>) -> anyhow::Result<()> {
        for (role, player) in self.players.iter_mut().enumerate() {
            if let Some(player) = player {
                player.advance(&told(role))?;
            }
        }
        Ok(())
    }

    /// Forgets where everyone is: the game has gone back.
    pub(crate) fn forget(&mut self) {
        self.players.iter_mut().for_each(|player| *player = None);
    }
}
