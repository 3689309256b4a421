//! The named agents, and how one is written: `cadia-mast:tau=5,threads=2`.

use machine::Machine;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use engine::team::{HelperSource, Helpers};
use engine::{
    AgentRow, Clock, Event, MEMORY, Made, MakeError, ParameterError, Registry, Seat, Settings, THREADS,
    UnknownName,
};
use game::RuleFault;
use search::Parameters;
use search::mcts::policy::Policies;

use crate::engines;
use crate::team::HELPERS;

const CADIA: &str = "Finnsson and Björnsson 2008";

/// All agents: an engine each, and what differs from its defaults. The agents of the CadiaPlayer paper share
/// a tree without transpositions, plain averages along the path and no proofs. In their averages a move counts as often
/// as it was made (`every_occurrence`), which takes playouts one state at a time; other agents count it once a simulation,
/// which is all that lanes know.
pub static AGENTS: &[AgentRow] = &[
    AgentRow {
        name: "ludens",
        help: "the default: our best so far; a portfolio of planners where it plays alone",
        source: "",
        engine: "portfolio",
        overrides: &[
            // More leaves take less time each, but are worth less than a second playout of the same.
            ("batch", "128"),
            ("breadth", "8"),
            // docs/results/tactics.md: what can be taken is, and what is near is seen at once.
            ("captures", "true"),
            ("decisive", "wins-and-stops"),
            ("discount", "0.999"),
            ("endgame", "5000"),
            ("final_move", "visits"),
            // docs/results/search-speed.md: where a sweep takes long a turn has few of them.
            // docs/results/tactics.md: what playouts should know differs from game to game.
            ("race", "18"),
            ("ramp_by_time", "true"),
            ("resist", "20000"),
            // docs/results/strength.md: what is left of dots and boxes is known long before a tree knows it.
            ("solve_rest", "0.3"),
        ],
    },
    AgentRow {
        name: "cadia-uct",
        help: "UCT with opponent models (CP_uct); memory-enhanced IDA* where it plays alone",
        source: CADIA,
        engine: "cadia",
        overrides: &[("transpositions", "false"), ("backup", "path"), ("prove", "false"), ("fill", "false")],
    },
    AgentRow {
        name: "cadia-mast",
        help: "UCT guided by move averages (CP_imp); memory-enhanced IDA* where it plays alone",
        source: CADIA,
        engine: "cadia",
        overrides: &[
            ("transpositions", "false"),
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("policy", "mast"),
            ("every_occurrence", "true"),
        ],
    },
    AgentRow {
        name: "mc-memory",
        help: "random playouts over a tree that is kept (MC_mem)",
        source: CADIA,
        engine: "mcts",
        overrides: &[
            ("transpositions", "false"),
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("selection", "uniform"),
        ],
    },
    AgentRow {
        name: "mc",
        help: "random playouts, the move with the best average (MC_org)",
        source: CADIA,
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("selection", "uniform"),
            ("depth", "1"),
            ("keep", "false"),
            ("transpositions", "false"),
        ],
    },
    AgentRow {
        name: "guct",
        help: "guided UCT: playouts are stopped now and then and judged by features of the rules",
        source: "Walędzik and Mańdziuk 2014",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("evaluation", "paper")],
    },
    AgentRow {
        name: "guct-null",
        help: "guided UCT whose function says that every state is a draw (null heuristic)",
        source: "Walędzik and Mańdziuk 2014",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("evaluation", "null")],
    },
    AgentRow {
        name: "rave",
        help: "UCT with the values of moves made later (RAVE)",
        source: "Gelly and Silver 2007; Finnsson and Björnsson 2010",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("rave", "schedule")],
    },
    AgentRow {
        name: "rave-online",
        help: "RAVE where it correlates with what is known of moves",
        source: "Świechowski et al. 2015 (survey)",
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("rave", "schedule"),
            ("rave_correlation", "0.3"),
            ("rave_margin", "25"),
        ],
    },
    AgentRow {
        name: "grave",
        help: "generalized RAVE: the values of a node above that is better known",
        source: "Cazenave 2015",
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("rave", "error"),
            ("rave_reference", "50"),
            ("untried", "valued"),
            ("exploration", "0"),
        ],
    },
    AgentRow {
        name: "urgency",
        help: "UCT with unexplored action urgency",
        source: "Finnsson 2012",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("untried", "urgency")],
    },
    AgentRow {
        name: "sufficiency",
        help: "UCT that explores no more where a move is good enough",
        source: "Gudmundsson and Björnsson 2013",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("sufficiency", "80")],
    },
    AgentRow {
        name: "recency",
        help: "UCT in which new results count more",
        source: "Gudmundsson and Björnsson 2011",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("recency", "100")],
    },
    AgentRow {
        name: "roulette",
        help: "moves in the tree by a roulette wheel",
        source: "Tong 2013",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("selection", "roulette")],
    },
    AgentRow {
        name: "td-uct",
        help: "UCT with temporal differences, merged bootstrapping",
        source: "Vodopivec and Šter 2014",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("td", "merged")],
    },
    AgentRow {
        name: "implicit",
        help: "UCT with implicit minimax backups of the goals of states",
        source: "Lanctot et al. 2014",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("implicit", "0.4")],
    },
    AgentRow {
        name: "cadia-rave",
        help: "UCT guided by move averages, with RAVE (RAVE/MAST)",
        source: "Finnsson and Björnsson 2010",
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("policy", "mast"),
            ("every_occurrence", "true"),
            ("rave", "schedule"),
        ],
    },
    AgentRow {
        name: "to-mast",
        help: "UCT guided by the averages of moves made in the tree",
        source: "Finnsson and Björnsson 2010",
        engine: "mcts",
        overrides: &[
            ("transpositions", "false"),
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("policy", "to-mast"),
        ],
    },
    AgentRow {
        name: "past",
        help: "UCT guided by averages of moves and facts",
        source: "Finnsson and Björnsson 2010",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("policy", "past")],
    },
    AgentRow {
        name: "fast",
        help: "UCT guided by the worth of pieces on squares",
        source: "Finnsson and Björnsson 2010",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("policy", "fast")],
    },
    AgentRow {
        name: "ngram",
        help: "UCT guided by averages of up to three moves in a row",
        source: "Tak, Winands and Björnsson 2012",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("policy", "ngram")],
    },
    AgentRow {
        name: "last-good-reply",
        help: "UCT guided by the last good reply, or else by up to three moves in a row",
        source: "Tak, Winands and Björnsson 2012",
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("policy", "last-good-reply"),
        ],
    },
    AgentRow {
        name: "ppa",
        help: "UCT with playout policy adaptation",
        source: "Cazenave 2015",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("policy", "ppa")],
    },
    AgentRow {
        name: "cutoff",
        help: "UCT with playouts that are cut early",
        source: "Finnsson 2012",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("cutoff", "true")],
    },
    AgentRow {
        name: "sequential-uct",
        help: "UCT in which roles that move at once choose one after the other, this one first",
        source: "Tak, Lanctot and Winands 2014",
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("simultaneous", "sequential"),
        ],
    },
    AgentRow {
        name: "exp3",
        help: "Exp3 where roles move at once, with a mixed move; else UCT",
        source: "Lanctot, Lisý and Winands 2014; Tak, Lanctot and Winands 2014",
        engine: "mcts",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false"), ("simultaneous", "exp3")],
    },
    AgentRow {
        name: "regret-matching",
        help: "regret matching where roles move at once, with a mixed move; else UCT",
        source: "Lanctot, Lisý and Winands 2014; Tak, Lanctot and Winands 2014",
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("simultaneous", "regret-matching"),
        ],
    },
    AgentRow {
        name: "equilibrium",
        help: "an equilibrium of small games; a search by information sets of others",
        source: "Zinkevich et al. 2007; Tammelin 2014",
        engine: "equilibrium",
        overrides: &[],
    },
    AgentRow {
        name: "information-sets",
        help: "a search by what roles know",
        source: "Cowling, Powley and Whitehouse 2012",
        engine: "information-sets",
        overrides: &[],
    },
    AgentRow {
        name: "determinised",
        help: "a search of positions that agree with what was told, as if everybody saw them",
        source: "Schofield, Cerexhe and Thielscher 2012",
        engine: "determinised",
        overrides: &[],
    },
    AgentRow {
        name: "nested",
        help: "moves valued by players within simulations, who go by what they will know",
        source: "Schofield and Thielscher 2015",
        engine: "nested",
        overrides: &[],
    },
    AgentRow {
        name: "outcome-sampling",
        help: "regret minimised by samples from positions that agree with what was told",
        source: "Lanctot et al. 2009",
        engine: "outcome-sampling",
        overrides: &[],
    },
    AgentRow {
        name: "mini",
        help: "seven playout strategies by how they fare, and effective quality, for any number of roles",
        source: "Świechowski and Mańdziuk 2014",
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("policy", "mini"),
            ("final_move", "effective"),
            ("parallel", "root"),
        ],
    },
    AgentRow {
        name: "mini-baseline",
        help: "the same with random playouts",
        source: "Świechowski and Mańdziuk 2014",
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("final_move", "effective"),
            ("parallel", "root"),
        ],
    },
    AgentRow {
        name: "mini-puzzle",
        help: "exploring playouts and the highest score in the tree where it plays alone; else UCT",
        source: "Świechowski, Mańdziuk and Ong 2014",
        engine: "mini",
        overrides: &[("backup", "path"), ("prove", "false"), ("fill", "false")],
    },
    AgentRow {
        name: "mini-puzzle-baseline",
        help: "the same player without what is particular to puzzles: averages, seven strategies, no best line",
        source: "Świechowski, Mańdziuk and Ong 2014",
        engine: "mini",
        overrides: &[
            ("worth", "average"),
            ("strategies", "seven"),
            ("allotment", "bounds"),
            ("table", "none"),
            ("lines", "false"),
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
        ],
    },
    AgentRow {
        name: "mtdf",
        help: "MTD(f): looks ahead to a depth, others taken to play against it; UCT where dice fall",
        source: "Walędzik and Mańdziuk 2014",
        engine: "mtdf",
        overrides: &[("evaluation", "paper")],
    },
    AgentRow {
        name: "flux",
        help: "FluxPlayer's fuzzy goals in MTD(f); UCT where dice fall",
        source: "Schiffel and Thielscher 2007",
        engine: "mtdf",
        overrides: &[("evaluation", "flux")],
    },
    AgentRow {
        name: "flux-distance",
        help: "fuzzy goals by distances in the fluent graph in MTD(f)",
        source: "Michulke and Schiffel 2012",
        engine: "mtdf",
        overrides: &[("evaluation", "distance")],
    },
    AgentRow {
        name: "patterns",
        help: "numbers of solutions, ordered domains, distances and persistence in MTD(f)",
        source: "Michulke 2011",
        engine: "mtdf",
        overrides: &[("evaluation", "patterns")],
    },
    AgentRow {
        name: "id3",
        help: "a decision tree over facts in MTD(f)",
        source: "Sheng and Thuente 2011",
        engine: "mtdf",
        overrides: &[("evaluation", "id3")],
    },
    AgentRow {
        name: "c-il2p",
        help: "a trained network of the goal rules in MTD(f)",
        source: "Michulke and Thielscher 2009",
        engine: "mtdf",
        overrides: &[("evaluation", "c-il2p")],
    },
    AgentRow {
        name: "clune",
        help: "payoff, control and termination by stable expressions in MTD(f)",
        source: "Clune 2007",
        engine: "mtdf",
        overrides: &[("evaluation", "clune")],
    },
    AgentRow {
        name: "larg",
        help: "mobility, inverse mobility and goal proximity in MTD(f), weights learnt",
        source: "Kuhlmann, Dresner and Stone 2006",
        engine: "mtdf",
        overrides: &[("evaluation", "larg")],
    },
    AgentRow {
        name: "mobility",
        help: "mobility and inverse mobility in MTD(f), weights learnt",
        source: "Genesereth and Thielscher 2014",
        engine: "mtdf",
        overrides: &[("evaluation", "mobility")],
    },
    AgentRow {
        name: "gifl",
        help: "UCT with implicit minimax backups of learnt wins and threats (GIFL)",
        source: "Kirci, Sturtevant and Schaeffer 2011",
        engine: "mcts",
        overrides: &[
            ("backup", "path"),
            ("prove", "false"),
            ("fill", "false"),
            ("evaluation", "gifl"),
            ("evaluation_stop", "0"),
            ("implicit", "0.4"),
        ],
    },
    AgentRow {
        name: "parts",
        help: "a tree for each part of a game whose parts do not interact; UCT in others",
        source: "after Cox, Schkufza, Madsen and Genesereth 2009",
        engine: "parts",
        overrides: &[],
    },
    AgentRow { name: "random", help: "any legal move", source: "", engine: "random", overrides: &[] },
    AgentRow { name: "legal", help: "the first legal move", source: "", engine: "legal", overrides: &[] },
];

/// An agent that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// There is no such agent.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// Something that is not `name=value`.
    #[error("`{0}` is no parameter: write name=value, as in `cadia-mast:tau=5,threads=2`")]
    NoValue(String),
    /// The agent has no parameters.
    #[error("the agent `{0}` has no parameters")]
    NoParameters(&'static str),
    /// A parameter does not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// An agent and the values of its parameters.
#[derive(Clone, Debug)]
pub struct AgentSpec {
    agent: AgentRow,
    settings: Settings,
    text: String,
    registry: Arc<Registry>,
    /// Helpers that are elsewhere.
    helpers: Option<HelperSource>,
}

impl AgentSpec {
    /// Reads an agent of a registry.
    pub fn read(text: &str, registry: &Arc<Registry>) -> Result<Self, AgentError> {
        let text = text.trim();
        let (name, list) = text.split_once(':').unwrap_or((text, ""));
        let agent = *registry.agent(name)?;
        let mut settings = registry.settings(&agent)?;
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (name, value) = item.split_once('=').ok_or_else(|| AgentError::NoValue(item.to_owned()))?;
            if settings.is_empty() {
                return Err(AgentError::NoParameters(agent.name));
            }
            settings.set(name.trim(), value.trim())?;
        }
        Ok(Self { agent, settings, text: text.to_owned(), registry: Arc::clone(registry), helpers: None })
    }

    /// The agent.
    pub fn agent(&self) -> &AgentRow {
        &self.agent
    }

    /// The values of its parameters.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The engines it may think with: its own, then who plays what that cannot.
    pub fn engines(&self) -> Vec<&engine::EngineRow> {
        self.registry.chain(self.agent.engine)
    }

    /// What a tree search takes of its values.
    pub fn search_parameters(&self) -> Parameters {
        Parameters::read(&self.settings, &Policies::standard())
    }

    /// The same agent with another value of a parameter.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, AgentError> {
        let separator = if self.text.contains(':') { ',' } else { ':' };
        let spec = Self::read(&format!("{}{separator}{name}={value}", self.text), &self.registry)?;
        Ok(match self.helpers.clone() {
            Some(HelperSource { helpers, rules }) => spec.with_helpers(helpers, &rules),
            None => spec,
        })
    }

    /// The same agent with helpers that are elsewhere, for matches of a game with these rules; up to 16
    /// where it was not told how many, as more of them are said to do harm.
    pub fn with_helpers(mut self, helpers: Arc<dyn Helpers>, rules: &str) -> Self {
        self.helpers = Some(HelperSource { helpers, rules: rules.into() });
        self.settings.offer(&HELPERS, 16);
        self
    }

    /// The same agent for a match of a game with other rules.
    pub fn for_rules(mut self, rules: &Arc<str>) -> Self {
        if let Some(source) = &mut self.helpers {
            source.rules = Arc::clone(rules);
        }
        self
    }

    /// The same agent with its share of the machine, where it was not told what to take: so many threads, and
    /// so many bytes.
    pub fn with_share(mut self, threads: usize, bytes: usize) -> Self {
        let whole = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        self.settings.offer(&THREADS, whole(threads));
        self.settings.offer(&MEMORY, whole(bytes >> 20));
        self
    }

    /// The engine that thinks for it on a machine, in the position after some joint moves. Somebody always
    /// plays: at worst the first legal move.
    pub fn make(
        &self,
        machine: &Machine,
        history: &[Vec<String>],
        seed: u64,
        clock: &Clock,
    ) -> Result<Made, RuleFault> {
        let helpers = self.helpers.as_ref();
        let seat = Seat { machine, history, settings: &self.settings, seed, clock, helpers };
        match self.registry.make(self.agent.engine, &seat) {
            Ok(made) => Ok(made),
            Err(MakeError::Rules(fault)) => Err(fault),
            Err(MakeError::Refused(text)) => {
                let engine = engines::legal_on(machine, history)?;
                let event = Event::Said { engine: self.agent.engine, text };
                Ok(Made { engine, name: "legal", events: vec![event] })
            }
        }
    }
}

impl Default for AgentSpec {
    fn default() -> Self {
        let registry = Arc::clone(engines::registry());
        // What is wrong with a row of ours shows in the tests.
        let settings = registry.settings(&AGENTS[0]).unwrap_or_default();
        Self { agent: AGENTS[0], settings, text: AGENTS[0].name.to_owned(), registry, helpers: None }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl PartialEq for AgentSpec {
    fn eq(&self, other: &Self) -> bool {
        self.agent.name == other.agent.name && self.settings == other.settings
    }
}

impl FromStr for AgentSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        Self::read(text, engines::registry())
    }
}

#[cfg(test)]
mod tests {
    use engine::Value;
    use search::Final;

    use super::*;

    fn read(text: &str) -> AgentSpec {
        text.parse().expect("an agent")
    }

    #[test]
    fn an_agent_is_a_name_and_parameters() {
        let spec = read("cadia-mast:tau=5, threads=2");
        assert_eq!(spec.settings().get("tau"), Some(Value::Real(5.0)));
        assert_eq!(spec.search_parameters().threads, 2);
        assert_eq!(spec.search_parameters().policy.row().name, "mast");
        assert_eq!(spec.with("tau", "7").expect("a value").settings().get("tau"), Some(Value::Real(7.0)));
        assert_eq!(read("mc").with("threads", "2").expect("a value").to_string(), "mc:threads=2");
    }

    #[test]
    fn every_row_can_be_read() {
        for agent in AGENTS {
            let spec = read(agent.name);
            assert_eq!(spec.engines().first().map(|row| row.name), Some(agent.engine));
            for (name, value) in agent.overrides {
                assert_eq!(spec.settings().get(name).map(|value| value.to_string()).as_deref(), Some(*value));
            }
        }
        assert_eq!(read("ludens"), AgentSpec::default());
    }

    #[test]
    fn every_engine_without_demands_ends_a_chain() {
        for row in engines::registry().engines() {
            let chain = engines::registry().chain(row.name);
            assert!(chain.last().is_some_and(|last| last.demands.is_empty()), "{}", row.name);
        }
    }

    #[test]
    fn old_names_are_understood() {
        let spec = read("cadia-uct:finally=visits,lanes=4");
        let parameters = spec.search_parameters();
        assert_eq!((parameters.final_move, parameters.playouts_per_leaf), (Final::Visits, 4));
        assert_eq!(spec, read("cadia-uct:final_move=visits,playouts_per_leaf=4"));
    }

    #[test]
    fn a_share_is_taken_where_nothing_was_said() {
        let share = |text: &str| {
            let parameters = read(text).with_share(3, 64 << 20).search_parameters();
            (parameters.threads, parameters.memory)
        };
        assert_eq!(share("ludens"), (3, 64));
        assert_eq!(share("ludens:threads=1"), (1, 64));
        assert_eq!(share("ludens:memory=128"), (3, 128));
        assert!(read("random").with_share(3, 1).settings().is_empty());
    }

    #[test]
    fn faults_say_what_to_do() {
        let fault = |text: &str| text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(fault("cadia").contains("cadia-uct"));
        assert!(fault("luddens").contains("did you mean `ludens`?"), "{}", fault("luddens"));
        assert!(fault("random:tau=1").contains("no parameters"));
        assert!(fault("ludens:tau").contains("name=value"));
        assert!(fault("ludens:speed=1").contains("no parameter `speed`"));
        assert!(fault("ludens:treads=1").contains("did you mean `threads`?"));
        assert!(fault("ludens:tau=0").contains("0.01 to 10000"));
        assert!(fault("ludens:policy=best").contains("uniform, mast, mast-greedy, to-mast, ngram"));
    }
}
