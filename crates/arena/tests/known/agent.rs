//! Agents find the right moves, and prove that they are right.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gdl::normal::NormalRules;
use player::{Clock, Decision, Limit, Machines, Player, Setup};

use crate::position::{Position, files};

/// A game that is ready, and who plays it.
pub(crate) struct Seat {
    machines: Arc<Machines>,
    clock: Clock,
}

impl Seat {
    pub(crate) fn new(rules: NormalRules) -> Self {
        let start = Instant::now();
        let clock: Clock = Arc::new(move || start.elapsed());
        let machines = Machines::build(rules, Duration::from_secs(120), 1 << 30, Arc::clone(&clock));
        assert!(machines.last().is_some(), "bundled games have machines");
        Self { machines, clock }
    }

    /// What an agent decides after some moves.
    pub(crate) fn decide(
        &self,
        agent: &str,
        role: usize,
        moves: &[Vec<String>],
        simulations: u64,
    ) -> Decision {
        let mut player = Player::new(Setup {
            machines: Arc::clone(&self.machines),
            role,
            agent: agent.parse().expect("an agent"),
            seed: 1,
            ponder: false,
            clock: Arc::clone(&self.clock),
        })
        .expect("a player");
        for joint in moves {
            player.advance(joint).expect("legal moves");
        }
        player.choose(Limit::simulations(simulations)).expect("a move")
    }
}

/// The role of a position, by its place.
fn role(seat: &Seat, position: &Position) -> usize {
    let machine = seat.machines.last().expect("a machine");
    machine.roles().iter().position(|role| *role == position.role).expect("a role")
}

/// Simulations for positions on which the solver spent up to so much work. Of those that took more,
/// one in ultimate tic-tac-toe is played wrong and one in pentago is not proven with as many.
const SIMULATIONS: u64 = 500_000;
const WORK: u64 = 50_000;

#[test]
fn ludens_plays_right_and_proves_it() {
    let (mut all, mut wrong, mut unproven) = (0, Vec::new(), Vec::new());
    for file in files() {
        let seat = Seat::new(gdl::normal::read(bundled::find(&file.game).expect("bundled").rules));
        for (number, position) in
            file.positions.iter().enumerate().filter(|(_, position)| position.work <= WORK)
        {
            let decision = seat.decide("ludens", role(&seat, position), &position.moves, SIMULATIONS);
            all += 1;
            if !position.right.contains(&decision.text) {
                wrong.push(format!(
                    "{} {number}: {} in place of {:?}",
                    file.game, decision.text, position.right
                ));
            } else if !decision.proven {
                unproven.push(format!("{} {number} after {} simulations", file.game, decision.simulations));
            }
        }
    }
    assert!(
        wrong.is_empty() && unproven.is_empty() && all >= 40,
        "{all} positions\nwrong: {wrong:#?}\nunproven: {unproven:#?}"
    );
}

/// Whole games, from the first position on.
#[test]
fn ludens_solves_small_games() {
    let solve = |name: &str, agent: &str, simulations: u64| {
        let seat = Seat::new(gdl::normal::read(bundled::find(name).expect("bundled").rules));
        let decision = seat.decide(agent, 0, &[], simulations);
        assert!(decision.proven, "{agent}: {name} after {} simulations", decision.simulations);
        let chosen = decision.moves.iter().find(|thought| thought.text == decision.text).expect("listed");
        // A draw, less what waiting for it costs.
        assert_eq!(chosen.proven, (50, 50), "{agent}");
        assert!((48.0..=50.0).contains(&chosen.value), "{agent}: {}", chosen.value);
        decision.text
    };
    // Threads once spoilt what each other had proven.
    for agent in ["ludens", "ludens:threads=2"] {
        solve("tic-tac-toe", agent, 200_000);
        let text = solve("connect-four-small", agent, 60_000_000);
        assert!(["(drop 2)", "(drop 3)", "(drop 4)"].contains(&text.as_str()), "{text}");
    }
}
