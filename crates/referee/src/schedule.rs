//! Who plays which role in which match.

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
    /// A schedule for the roles of a game and so many players. Without rotation every match is as
    /// the first.
    pub fn new(roles: &[String], players: usize, rotate: bool) -> Result<Self, TooFewPlayers> {
        let open: Vec<bool> = roles.iter().map(|role| role != crate::RANDOM).collect();
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

    fn roles(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn everyone_plays_every_role() {
        let schedule = Schedule::new(&roles(&["white", "random", "black"]), 3, true).unwrap();
        let seats: Vec<_> = (0..4).map(|number| schedule.players(number)).collect();
        assert_eq!(seats[0], [Some(0), None, Some(1)]);
        assert_eq!(seats[1], [Some(1), None, Some(2)]);
        assert_eq!(seats[2], [Some(2), None, Some(0)]);
        assert_eq!(seats[3], seats[0]);
    }

    #[test]
    fn without_rotation_all_matches_are_alike() {
        let schedule = Schedule::new(&roles(&["white", "black"]), 2, false).unwrap();
        assert_eq!(schedule.players(7), [Some(0), Some(1)]);
    }

    #[test]
    fn too_few_players_are_refused() {
        let error = Schedule::new(&roles(&["a", "b", "random"]), 1, true).unwrap_err();
        assert_eq!(error, TooFewPlayers { roles: 2, players: 1 });
        let nobody = Schedule::new(&roles(&["random"]), 0, true).unwrap();
        assert_eq!(nobody.players(3), [None]);
    }
}
