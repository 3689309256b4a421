//! Who plays which role in which match.

use game::RoleId;

/// There are more roles than players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game has {roles} roles to play, but there are {players} players; add another --player")]
pub struct TooFewPlayers {
    /// Roles that are not played by the host.
    pub roles: usize,
    /// Players.
    pub players: usize,
}

/// A list of matches in which the players rotate through the roles. Over as many matches as there
/// are players, everyone plays every role once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The roles that players play; the others are the host's.
    open: Vec<bool>,
    players: usize,
    rotate: bool,
}

impl Schedule {
    /// A schedule for so many roles, one of which may be chance, and so many players. Without rotation
    /// every match is as the first.
    pub fn new(
        roles: usize,
        chance: Option<RoleId>,
        players: usize,
        rotate: bool,
    ) -> Result<Self, TooFewPlayers> {
        let is_chance = |role: usize| chance.is_some_and(|chance| chance.0 as usize == role);
        let open: Vec<bool> = (0..roles).map(|role| !is_chance(role)).collect();
        let needed = open.iter().filter(|open| **open).count();
        if players < needed {
            return Err(TooFewPlayers { roles: needed, players });
        }
        Ok(Self { open, players, rotate })
    }

    /// The player of each role in a match, counted from 0; `None` for a role of the host.
    pub fn players(&self, number: u64) -> Vec<Option<usize>> {
        let players = self.players as u64;
        let shift = if self.rotate { number % players.max(1) } else { 0 };
        let mut next = 0;
        let seat = |&open: &bool| {
            open.then(|| {
                next += 1;
                ((next - 1 + shift) % players) as usize
            })
        };
        self.open.iter().map(seat).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_plays_every_role() {
        let schedule = Schedule::new(3, Some(RoleId(1)), 3, true).unwrap();
        let seats: Vec<_> = (0..4).map(|number| schedule.players(number)).collect();
        assert_eq!(seats[0], [Some(0), None, Some(1)]);
        assert_eq!(seats[1], [Some(1), None, Some(2)]);
        assert_eq!(seats[2], [Some(2), None, Some(0)]);
        assert_eq!(seats[3], seats[0]);
    }

    #[test]
    fn without_rotation_all_matches_are_alike() {
        let schedule = Schedule::new(2, None, 2, false).unwrap();
        assert_eq!(schedule.players(7), [Some(0), Some(1)]);
    }

    #[test]
    fn too_few_players_are_refused() {
        let error = Schedule::new(3, Some(RoleId(2)), 1, true).unwrap_err();
        assert_eq!(error, TooFewPlayers { roles: 2, players: 1 });
        let nobody = Schedule::new(1, Some(RoleId(0)), 0, true).unwrap();
        assert_eq!(nobody.players(3), [None]);
    }
}
