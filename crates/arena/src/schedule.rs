//! Who plays whom, in which roles, in which order.
//!
//! Two players at a time: every role is taken by one of the two, and the next match has them
//! exchanged, so that two matches in a row are fair even where the roles are not. In games of more
//! roles all ways of mixing the two come in turn. Rounds come first: whenever a tournament is
//! stopped, all pairs have played about equally often.

/// What is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The number of roles of each game.
    pub roles: Vec<usize>,
    /// The number of players.
    pub players: usize,
    /// Matches of each pair in each game; in games of one role matches of each player.
    pub matches: u64,
    /// The seed of everything.
    pub seed: u64,
    /// Whether only the first player meets the others, and they do not meet each other.
    pub gauntlet: bool,
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The game, by its place.
    pub game: usize,
    /// The two who play each other, the lower number first; the same one twice in a game of one role.
    pub pair: (usize, usize),
    /// Which match of the pair in this game it is, from 0.
    pub round: u64,
    /// The player in each role.
    pub seats: Vec<usize>,
    /// The seed of all chance in the match; equal for the two matches with exchanged roles.
    pub seed: u64,
}

impl Schedule {
    /// All matches in the order in which they are to be played.
    pub fn fixtures(&self) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        // Two by two, so that exchanged roles come together.
        for first in (0..self.matches).step_by(2) {
            for (game, &roles) in self.roles.iter().enumerate() {
                for pair in self.pairs(roles) {
                    for round in first..(first + 2).min(self.matches) {
                        let seats = seats(roles, pair, round);
                        let seed = self.seed_of(game, pair, round);
                        fixtures.push(Fixture { game, pair, round, seats, seed });
                    }
                }
            }
        }
        fixtures
    }

    fn pairs(&self, roles: usize) -> Vec<(usize, usize)> {
        let players = 0..self.players;
        if roles < 2 {
            return players.map(|player| (player, player)).collect();
        }
        let first = if self.gauntlet { 0..self.players.min(1) } else { players };
        first.flat_map(|one| (one + 1..self.players).map(move |two| (one, two))).collect()
    }

    fn seed_of(&self, game: usize, pair: (usize, usize), round: u64) -> u64 {
        // A game of one role has no exchange: each match has a seed of its own.
        let group = if pair.0 == pair.1 { round } else { round / 2 };
        [game as u64, pair.0 as u64, pair.1 as u64, group]
            .into_iter()
            .fold(self.seed, |seed, part| game::Dice::stream(seed, part).bits())
    }
}

/// The player in each role: the ways of mixing two players in turn, each followed by its exchange.
fn seats(roles: usize, pair: (usize, usize), round: u64) -> Vec<usize> {
    if roles < 2 {
        return vec![pair.0; roles];
    }
    // The first player has the first role; the other roles are the bits of a number. Beyond twenty
    // roles there are more ways than anybody plays.
    let free = (roles - 1).min(20) as u32;
    let mut ways: Vec<u32> = (0..1u32 << free).filter(|&others| others != (1 << free) - 1).collect();
    // The most even mixtures first.
    ways.sort_by_key(|&others| (2 * (others.count_ones() as usize + 1)).abs_diff(roles));
    let way = ways[(round / 2) as usize % ways.len()];
    let exchanged = round % 2 == 1;
    let is_first = |role: usize| role == 0 || (role <= 20 && way >> (role - 1) & 1 == 1);
    (0..roles).map(|role| if is_first(role) != exchanged { pair.0 } else { pair.1 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn schedule(roles: &[usize], players: usize, matches: u64) -> Vec<Fixture> {
        Schedule { roles: roles.to_vec(), players, matches, seed: 1, gauntlet: false }.fixtures()
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_everybody() {
        let whole = schedule(&[2, 1], 4, 2);
        let gauntlet =
            Schedule { roles: vec![2, 1], players: 4, matches: 2, seed: 1, gauntlet: true }.fixtures();
        let is_kept = |fixture: &&Fixture| fixture.game == 1 || fixture.pair.0 == 0;
        // They are matches of the whole tournament, so that a file of those serves both.
        assert_eq!(gauntlet, whole.iter().filter(is_kept).cloned().collect::<Vec<_>>());
        assert_eq!(gauntlet.iter().filter(|fixture| fixture.game == 0).count(), 3 * 2);
    }

    #[test]
    fn roles_are_exchanged_match_by_match() {
        let fixtures = schedule(&[2], 2, 4);
        let seats: Vec<&[usize]> = fixtures.iter().map(|fixture| &fixture.seats[..]).collect();
        assert_eq!(seats, [[0, 1], [1, 0], [0, 1], [1, 0]]);
        assert_eq!(fixtures[0].seed, fixtures[1].seed);
        assert_ne!(fixtures[1].seed, fixtures[2].seed);
    }

    #[test]
    fn everybody_plays_everybody_equally_often_in_every_role() {
        for roles in 2..=5 {
            let ways = (1 << roles) - 2;
            let fixtures = schedule(&[roles, roles], 3, ways);
            assert_eq!(fixtures.len() as u64, 2 * 3 * ways);
            let mut roles_of: BTreeMap<(usize, usize), u64> = BTreeMap::new();
            for fixture in &fixtures {
                assert!(fixture.seats.contains(&fixture.pair.0) && fixture.seats.contains(&fixture.pair.1));
                for (role, &player) in fixture.seats.iter().enumerate() {
                    *roles_of.entry((player, role)).or_default() += 1;
                }
            }
            assert_eq!(roles_of.len(), 3 * roles);
            assert!(roles_of.values().all(|&times| times == roles_of[&(0, 0)]), "{roles_of:?}");
        }
    }

    #[test]
    fn a_game_of_one_role_is_played_alone() {
        let fixtures = schedule(&[1], 2, 3);
        let seats: Vec<usize> = fixtures.iter().map(|fixture| fixture.seats[0]).collect();
        assert_eq!(seats, [0, 0, 1, 1, 0, 1]);
        let seeds: std::collections::BTreeSet<u64> = fixtures.iter().map(|fixture| fixture.seed).collect();
        assert_eq!(seeds.len(), 6);
    }

    #[test]
    fn a_stopped_tournament_is_even() {
        let fixtures = schedule(&[2, 2, 3], 3, 100);
        let mut played: BTreeMap<(usize, (usize, usize)), u64> = BTreeMap::new();
        for fixture in &fixtures[..200] {
            *played.entry((fixture.game, fixture.pair)).or_default() += 1;
        }
        let (least, most) = (played.values().min().expect("some"), played.values().max().expect("some"));
        assert!(played.len() == 9 && most - least <= 2, "{played:?}");
    }
}
