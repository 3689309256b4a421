//! What an engine demands of a game.

use std::fmt;
use std::sync::Arc;

use game::{Describe, Simulator};
use machine::{Machine, Visitor};

/// What is known of a game on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The number of roles.
    pub roles: usize,
    /// Whether chance is one of them.
    pub has_chance: bool,
    /// Whether the machine plays many states in one call.
    pub has_lanes: bool,
    /// Whether the rules say who sees what: then an engine is told what its role sees, not the joint move.
    pub has_percepts: bool,
    /// Whether what the roles get always adds up to the same; `None` if nobody knows.
    pub is_zero_sum: Option<bool>,
}

impl Profile {
    /// What is known of the game of a machine.
    pub fn of(machine: &Machine) -> Self {
        struct Look;
        impl Visitor<'_> for Look {
            type Answer = Profile;
            fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Profile {
                Profile {
                    roles: game.role_count(),
                    has_chance: game.chance().is_some(),
                    has_lanes: game.lanes() > 1,
                    has_percepts: game.has_percepts(),
                    is_zero_sum: None,
                }
            }
        }
        machine.visit(Look)
    }
}

/// Something an engine cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Nobody else plays.
    OneRole,
    /// Two roles.
    TwoRoles,
    /// What one role gets the other loses.
    ZeroSum,
    /// Nothing is left to chance.
    NoChance,
    /// A machine that plays many states in one call.
    Lanes,
}

impl Demand {
    /// Why a game does not meet it; `None` if it does.
    pub fn unmet(self, profile: &Profile) -> Option<String> {
        let Profile { roles, has_chance, has_lanes, is_zero_sum, .. } = *profile;
        let count = |roles: usize| if roles == 1 { "1 role".to_owned() } else { format!("{roles} roles") };
        match self {
            Demand::OneRole if roles != 1 => Some(format!("it has {}, not one", count(roles))),
            Demand::TwoRoles if roles != 2 => Some(format!("it has {}, not two", count(roles))),
            Demand::ZeroSum if is_zero_sum == Some(false) => {
                Some("what its roles get does not always add up to the same".to_owned())
            }
            Demand::ZeroSum if is_zero_sum.is_none() => {
                Some("it is not known whether what its roles get always adds up to the same".to_owned())
            }
            Demand::NoChance if has_chance => Some("chance plays a part".to_owned()),
            Demand::Lanes if !has_lanes => {
                Some("there is no machine with lanes for it, or not yet".to_owned())
            }
            _ => None,
        }
    }
}

/// Why an engine cannot play a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The engine.
    pub engine: &'static str,
    /// Why not.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the engine `{}` cannot play this game: {}", self.engine, self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said() {
        let duel = Profile {
            roles: 2,
            has_chance: false,
            has_lanes: false,
            has_percepts: false,
            is_zero_sum: Some(true),
        };
        let puzzle = Profile { roles: 1, has_lanes: true, is_zero_sum: None, ..duel };
        let unmet = |demand: Demand, profile| demand.unmet(&profile).unwrap_or_default();
        assert_eq!(unmet(Demand::OneRole, duel), "it has 2 roles, not one");
        assert_eq!(unmet(Demand::TwoRoles, puzzle), "it has 1 role, not two");
        assert!(unmet(Demand::Lanes, duel).contains("lanes"));
        assert!(unmet(Demand::ZeroSum, puzzle).contains("not known"));
        assert!(unmet(Demand::NoChance, Profile { has_chance: true, ..duel }).contains("chance"));
        for demand in [Demand::TwoRoles, Demand::ZeroSum, Demand::NoChance] {
            assert_eq!(demand.unmet(&duel), None);
        }
        assert_eq!([Demand::OneRole, Demand::Lanes].map(|demand| demand.unmet(&puzzle)), [None, None]);
    }
}
