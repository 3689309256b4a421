//! Every parameter of the search, in one table: name, meaning, default and where it comes from.

use std::fmt;
use std::str::FromStr;

/// How moves are chosen inside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Mean and the square root of log visits.
    Ucb1,
    /// As UCB1, with the variance seen so far.
    Tuned,
    /// All moves equally likely.
    Uniform,
}

/// How values travel up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backup {
    /// The result of a playout is added along the path it took.
    Path,
    /// A move is worth what the position behind it is worth, however that was found out.
    Graph,
}

/// How the move to be played is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Final {
    /// The highest mean.
    Value,
    /// The most visits.
    Visits,
    /// The highest lower confidence limit.
    Bound,
}

/// What guides playouts, and the choice among moves not tried yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyName {
    /// Nothing.
    Uniform,
    /// Moves that did well elsewhere, by Gibbs sampling.
    Mast,
    /// Moves that did well elsewhere, the best one or now and then any.
    MastGreedy,
}

/// What several threads do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// All work on one tree.
    Tree,
    /// Each has a tree of its own; the roots are merged.
    Root,
}

/// How the roots of several trees are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// The move with the highest value in any tree.
    Best,
    /// Scores and visits are summed.
    Sum,
    /// As `Sum`, over the ten best moves of each tree.
    Sum10,
    /// Means are averaged without regard to visits.
    Raw,
}

/// A value that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// There is no such parameter.
    #[error("there is no parameter `{name}`; `ludens agents` lists them")]
    Unknown {
        /// What was given.
        name: String,
    },
    /// The value does not fit.
    #[error("`{value}` is no value for `{name}`: {expected}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is wanted.
        expected: String,
    },
}

/// A row of the table.
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// What it may be.
    pub range: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    set: fn(&mut Parameters, &str) -> Option<()>,
    get: fn(&Parameters) -> String,
}

impl Parameter {
    /// The value in some parameters, as it is written.
    pub fn value(&self, parameters: &Parameters) -> String {
        (self.get)(parameters)
    }
}

impl fmt::Debug for Parameter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Parameter").field("name", &self.name).finish_non_exhaustive()
    }
}

macro_rules! words {
    ($($kind:ident { $($variant:ident = $word:literal),* })*) => { $(
        impl fmt::Display for $kind {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(match self { $($kind::$variant => $word),* })
            }
        }
        impl FromStr for $kind {
            type Err = ();
            fn from_str(text: &str) -> Result<Self, ()> {
                match text { $($word => Ok($kind::$variant),)* _ => Err(()) }
            }
        }
    )* };
}

words! {
    Selection { Ucb1 = "ucb1", Tuned = "tuned", Uniform = "uniform" }
    Backup { Path = "path", Graph = "graph" }
    Final { Value = "value", Visits = "visits", Bound = "bound" }
    PolicyName { Uniform = "uniform", Mast = "mast", MastGreedy = "mast-greedy" }
    Parallel { Tree = "tree", Root = "root" }
    Merge { Best = "best", Sum = "sum", Sum10 = "sum10", Raw = "raw" }
}

macro_rules! parameters {
    ($($name:ident: $kind:ty = $default:expr, $range:literal, $check:expr, $source:literal, $help:literal;)*) => {
        /// The values of all parameters.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Parameters { $(#[doc = $help] pub $name: $kind,)* }

        impl Default for Parameters {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        /// The table of all parameters.
        pub static PARAMETERS: &[Parameter] = &[$(Parameter {
            name: stringify!($name),
            help: $help,
            range: $range,
            source: $source,
            set: |parameters, text| {
                let value: $kind = text.parse().ok()?;
                let check: fn(&$kind) -> bool = $check;
                check(&value).then(|| parameters.$name = value)
            },
            get: |parameters| parameters.$name.to_string(),
        },)*];
    };
}

parameters! {
    selection: Selection = Selection::Ucb1, "ucb1, tuned or uniform", |_| true,
        "Kocsis and Szepesvári 2006; Auer et al. 2002", "how moves are chosen inside the tree";
    exploration: f64 = 40.0, "0 to 1000", |v| (0.0..=1000.0).contains(v),
        "Finnsson and Björnsson 2008", "the factor C of the exploration term, for goals from 0 to 100";
    breadth: u32 = 10_000, "1 to 10000", |v| (1..=10_000).contains(v),
        "ours: docs/results/exploration.md", "with more moves than this C is less, down to half of it with four times as many";
    discount: f64 = 0.99, "0.5 to 1", |v| (0.5..=1.0).contains(v),
        "Finnsson and Björnsson 2008", "what a goal loses with every step to it";
    finally: Final = Final::Value, "value, visits or bound", |_| true,
        "Finnsson and Björnsson 2008", "which move is played in the end";
    depth: u32 = 10_000, "1 to 10000", |v| (1..=10_000).contains(v),
        "ours", "levels of the tree; 1 keeps statistics of the moves in the present position only";
    keep: bool = true, "true or false", |_| true,
        "Finnsson and Björnsson 2008", "whether the tree below the position played is kept";
    transpositions: bool = true, "true or false", |_| true,
        "Childs, Brodeur and Kocsis 2008", "whether positions reached in several ways are one node";
    backup: Backup = Backup::Graph, "path or graph", |_| true,
        "Childs, Brodeur and Kocsis 2008", "how values travel up";
    prove: bool = true, "true or false", |_| true,
        "Cazenave and Saffidine 2010", "whether ends of the game are backed up as proven bounds";
    policy: PolicyName = PolicyName::Uniform, "uniform, mast or mast-greedy", |_| true,
        "Finnsson and Björnsson 2008", "what guides playouts and the choice among moves not tried yet";
    tau: f64 = 10.0, "0.01 to 10000", |v| (0.01..=10_000.0).contains(v),
        "Finnsson and Björnsson 2008", "temperature of Gibbs sampling: the higher, the more random";
    unseen: f64 = 100.0, "0 to 100", |v| (0.0..=100.0).contains(v),
        "Finnsson and Björnsson 2008", "what a move never made is taken to be worth";
    epsilon: f64 = 0.4, "0 to 1", |v| (0.0..=1.0).contains(v),
        "Tak, Winands and Björnsson 2012", "how often a greedy policy makes any move";
    decay: f64 = 1.0, "0 to 1", |v| (0.0..=1.0).contains(v),
        "Tak, Winands and Björnsson 2014", "what is kept of a policy's statistics after each move of the match";
    batch: u32 = 512, "1 to 4096", |v| (1..=4096).contains(v),
        "ours: docs/results/search-speed.md", "positions handled in one sweep at most; 1 is one at a time";
    ramp: u32 = 16, "1 to 1000", |v| (1..=1000).contains(v),
        "ours: docs/results/search-speed.md", "a batch has at most this part of the visits so far";
    sweeps: u32 = 64, "1 to 1000", |v| (1..=1000).contains(v),
        "ours: docs/results/search-speed.md", "a batch has at most this part of the simulations of a search, where they are counted";
    fill: bool = true, "true or false", |_| true,
        "ours: docs/results/search-speed.md", "whether idle or cheap lanes play more from the same positions, averaged into one result";
    lanes: u32 = 1, "1 to 512", |v| (1..=512).contains(v),
        "ours: docs/results/search-speed.md", "playouts from each position, averaged into one result";
    steps: u32 = 2_000, "1 to 100000", |v| (1..=100_000).contains(v),
        "ours", "steps after which a playout is cut";
    memory: u32 = 1024, "16 to 1000000", |v| (16..=1_000_000).contains(v),
        "ours", "MiB for the tree; when they are full the least visited part is forgotten";
    threads: u32 = 1, "1 to 256", |v| (1..=256).contains(v),
        "ours", "threads";
    parallel: Parallel = Parallel::Tree, "tree or root", |_| true,
        "Świechowski et al. 2015 (survey)", "what several threads do: one tree together, or one each";
    merge: Merge = Merge::Sum, "best, sum, sum10 or raw", |_| true,
        "Méhat and Cazenave 2011", "how the values of the moves in several trees are merged; visits are summed";
    symmetry: bool = true, "true or false", |_| true,
        "ours: docs/results/puzzles.md", "in one-player games, whether states that are images of each other under the rules are one";
}

impl Parameters {
    /// Sets a parameter from text.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        let row = PARAMETERS.iter().find(|row| row.name == name);
        let row = row.ok_or_else(|| ParameterError::Unknown { name: name.to_owned() })?;
        (row.set)(self, value).ok_or_else(|| ParameterError::Value {
            name: row.name,
            value: value.to_owned(),
            expected: row.range.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_can_be_written_and_read() {
        let mut parameters = Parameters::default();
        for row in PARAMETERS {
            let value = row.value(&parameters);
            assert_eq!(parameters.set(row.name, &value), Ok(()), "{}", row.name);
        }
        assert_eq!(parameters, Parameters::default());
    }

    #[test]
    fn wrong_values_are_explained() {
        let mut parameters = Parameters::default();
        let error = parameters.set("discount", "7").unwrap_err();
        assert_eq!(error.to_string(), "`7` is no value for `discount`: 0.5 to 1");
        assert!(parameters.set("speed", "7").is_err());
        assert!(parameters.set("exploration", "NaN").is_err());
    }
}
