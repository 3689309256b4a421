//! What decides how a match goes, beside the names of its game and players, in one short text.
//!
//! Rules are changed under the same name, and so are the defaults of an agent. Matches of before and
//! after must not be counted together when a tournament goes on.

use std::time::Duration;

use gdl::normal::{NormalRules, print_normal_rule};
use player::AgentSpec;
use serde::{Deserialize, Serialize};

use crate::{Contestant, Fixture, Ground, MatchRules, Thinking};

/// Equal for matches that were played under the same rules, by the same engines with the same values of all parameters,
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
            // Without an opening the fingerprint is that of matches from before there were any.
            let opening = (rules.opening > 0).then(|| format!("opening {}", rules.opening));
            Fingerprint::of(parts.into_iter().chain(opening))
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
    /// As it is written in records.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// As it was read from a record.
    pub(crate) fn read(text: String) -> Self {
        Self(text)
    }

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
    let thinking = match player.thinking {
        Thinking::Simulations(simulations) => simulations.to_string(),
        Thinking::Time(limit) => time(limit),
    };
    Fingerprint::of(of_agent(&player.agent).into_iter().chain([thinking]))
}

/// The engines that may think for an agent, and what differs from their defaults, by name. What is as usual is
/// not in it, so that a new parameter with its default leaves matches of before worth having; when a default
/// or what an engine does with it changes, its revision does.
fn of_agent(agent: &AgentSpec) -> Vec<String> {
    let engines = agent.engines();
    let engines = engines.iter().map(|row| format!("{} {}", row.name, row.revision));
    let values = agent.settings().differences();
    engines.chain(values.into_iter().map(|(name, value)| format!("{name}={value}"))).collect()
}

fn time(time: Duration) -> String {
    format!("{} ns", time.as_nanos())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use engine::{AgentRow, EngineRow, Make, MakeError, Parameter, Typed};

    use super::*;

    const RULES: MatchRules = MatchRules { start: Duration::ZERO, steps: 100, opening: 0, told_moves: 0 };

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
            ("an opening", print(&game, players, MatchRules { opening: 2, ..RULES }, [0, 1])),
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
        let written = "cadia-uct:tau=10,prove=false@10";
        assert_eq!(print(&game, [written, "random"], RULES, [0, 1]), usual);
        // Neither does what a parameter is called.
        let named = |name: &str| {
            let text = format!("cadia-uct:{name}=visits");
            print(&game, [&text, "random"], RULES, [0, 1])
        };
        assert_eq!(named("finally"), named("final_move"));
        assert_ne!(named("finally"), usual);
        let spaced = format!("; a comment\n{nim}\n");
        assert_eq!(print(&ground(&spaced), ["cadia-uct", "random"], RULES, [0, 1]), usual);
    }

    /// The standard agents with one more engine for `me`, which has some parameters.
    fn agent_with(text: &str, revision: u32, parameters: Vec<Parameter>) -> Vec<String> {
        let make: Make = Arc::new(|_| Err(MakeError::Refused("it is not to be played".to_owned())));
        let row = EngineRow {
            name: "new",
            help: "",
            source: "",
            revision,
            parameters,
            demands: Vec::new(),
            fallback: Some("mcts"),
            make,
        };
        let me = AgentRow { name: "me", help: "", source: "", engine: "new", overrides: &[("tau", "7")] };
        let registry = player::engines::registry().as_ref().clone().with_engine(row).with_agent(me);
        of_agent(&AgentSpec::read(text, &Arc::new(registry)).expect("an agent"))
    }

    #[test]
    fn a_new_parameter_leaves_it_as_it_was() {
        let old = Typed::<f64>::real("width", 2.0, 0.0, 9.0, "", "").row();
        let new = Typed::<f64>::real("added", 0.5, 0.0, 1.0, "", "").row();
        let before = agent_with("me:width=3", 1, vec![old.clone()]);
        assert_eq!(
            (before[0].as_str(), &before[2..]),
            ("new 1", &["tau=7".to_owned(), "width=3".to_owned()][..])
        );
        assert!(before[1].starts_with("mcts "), "what plays in its place counts too: {before:?}");
        assert_eq!(agent_with("me:width=3", 1, vec![new.clone(), old.clone()]), before);
        assert_ne!(agent_with("me:width=3,added=0.6", 1, vec![new, old.clone()]), before);
        assert_ne!(agent_with("me:width=3", 2, vec![old.clone()]), before, "what it plays has changed");
        assert_ne!(agent_with("me", 1, vec![old]), before);
    }

    #[test]
    fn it_is_the_same_for_good() {
        // Files are read by later versions: "foobar" and the byte 0xff by FNV-1a.
        assert_eq!(Fingerprint::of(["foobar"]).0, "34524ba7168a2c15");
        assert_ne!(Fingerprint::of(["ab", "c"]), Fingerprint::of(["a", "bc"]));
    }
}
