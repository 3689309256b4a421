//! What decides how a match goes, beside the names of its game and players, in one short text.
//!
//! Rules are changed under the same name, and so are the defaults of an agent. Matches of before and
//! after must not be counted together when a tournament goes on.

use std::time::Duration;

use gdl::normal::{NormalRules, print_normal_rule};
use serde::{Deserialize, Serialize};

use crate::{Contestant, Fixture, Ground, MatchRules, Thinking};

/// Equal for matches that were played under the same rules, with the same values of all parameters,
/// the same clocks and the same limit of steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

/// Under which conditions the matches of a tournament are played.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    games: Vec<Fingerprint>,
    players: Vec<Fingerprint>,
}

impl Conditions {
    /// Those of games, players and what all matches have in common.
    pub fn new(grounds: &[Ground], players: &[Contestant], rules: MatchRules) -> Self {
        let game = |ground: &Ground| {
            let parts = [ground.fingerprint().0.clone(), time(rules.start), rules.steps.to_string()];
            Fingerprint::of(parts)
        };
        Self { games: grounds.iter().map(game).collect(), players: players.iter().map(of_player).collect() }
    }

    /// Those of a match.
    pub fn of(&self, fixture: &Fixture) -> Fingerprint {
        let players = fixture.seats.iter().map(|&seat| self.players.get(seat));
        let parts = std::iter::once(self.games.get(fixture.game)).chain(players);
        Fingerprint::of(parts.map(|part| part.map_or("", |print| &print.0)))
    }
}

impl Fingerprint {
    /// Of the rules of a game: of what they mean, not of how they are laid out.
    pub(crate) fn of_rules(rules: &NormalRules) -> Self {
        Self::of(rules.rules.iter().map(|rule| print_normal_rule(&rules.symbols, rule)))
    }

    /// By the hash function FNV-1a, which is the same everywhere and for good.
    fn of(parts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        for part in parts {
            part.as_ref().bytes().for_each(&mut add);
            // No text has this byte: where a part ends makes a difference.
            add(0xff);
        }
        Self(format!("{hash:016x}"))
    }
}

fn of_player(player: &Contestant) -> Fingerprint {
    let agent = player.agent.agent();
    // All values, as those that were not written down are defaults, which change. An agent that does
    // not search has none.
    let values = agent.parameters().map(|_| format!("{:?}", player.agent.parameters()));
    let thinking = match player.thinking {
        Thinking::Simulations(simulations) => simulations.to_string(),
        Thinking::Time(limit) => time(limit),
    };
    Fingerprint::of([agent.name, &values.unwrap_or_default(), &thinking])
}

fn time(time: Duration) -> String {
    format!("{} ns", time.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: MatchRules = MatchRules { start: Duration::ZERO, steps: 100 };

    fn ground(text: &str) -> Ground {
        let rules = gdl::normal::read(text);
        Ground::build("g", rules, Duration::from_secs(60), 1 << 30).expect("a machine")
    }

    fn print(ground: &Ground, players: [&str; 2], rules: MatchRules, seats: [usize; 2]) -> Fingerprint {
        let read = |text| Contestant::read(text, Thinking::Simulations(10)).expect("a player");
        let fixture = Fixture { game: 0, pair: (0, 1), round: 0, seats: seats.to_vec(), seed: 0 };
        Conditions::new(std::slice::from_ref(ground), &players.map(read), rules).of(&fixture)
    }

    #[test]
    fn whatever_decides_a_match_is_in_it() {
        let nim = bundled::find("nim").expect("bundled").rules;
        let game = ground(nim);
        let players = ["cadia-uct", "random"];
        let usual = print(&game, players, RULES, [0, 1]);
        let longer = MatchRules { start: Duration::from_secs(1), ..RULES };
        let other_rules = nim.replacen("100", "99", 1);
        assert_ne!(nim, other_rules);
        for (what, other) in [
            ("rules", print(&ground(&other_rules), players, RULES, [0, 1])),
            ("a start clock", print(&game, players, longer, [0, 1])),
            ("a limit", print(&game, players, MatchRules { steps: 99, ..RULES }, [0, 1])),
            ("a value", print(&game, ["cadia-uct:tau=7", "random"], RULES, [0, 1])),
            ("simulations", print(&game, ["cadia-uct@11", "random"], RULES, [0, 1])),
            ("a clock", print(&game, ["cadia-uct@10s", "random"], RULES, [0, 1])),
            ("an agent", print(&game, ["mini-puzzle", "random"], RULES, [0, 1])),
            ("the seats", print(&game, players, RULES, [1, 0])),
        ] {
            assert_ne!(other, usual, "{what}");
        }
    }

    #[test]
    fn what_decides_nothing_is_not_in_it() {
        let nim = bundled::find("nim").expect("bundled").rules;
        let game = ground(nim);
        let usual = print(&game, ["cadia-uct", "random"], RULES, [0, 1]);
        // The values count, not what was written.
        let value = Contestant::read("cadia-uct", Thinking::Simulations(10)).expect("a player");
        let written = format!("cadia-uct:tau={}@10", value.agent.parameters().tau);
        assert_eq!(print(&game, [&written, "random"], RULES, [0, 1]), usual);
        let spaced = format!("; a comment\n{nim}\n");
        assert_eq!(print(&ground(&spaced), ["cadia-uct", "random"], RULES, [0, 1]), usual);
    }

    #[test]
    fn it_is_the_same_for_good() {
        // Files are read by later versions: "foobar" and the byte 0xff by FNV-1a.
        assert_eq!(Fingerprint::of(["foobar"]).0, "34524ba7168a2c15");
        assert_ne!(Fingerprint::of(["ab", "c"]), Fingerprint::of(["a", "bc"]));
    }
}
