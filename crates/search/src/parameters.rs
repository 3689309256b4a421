//! Every parameter of the search, in one table: name, meaning, default and where it comes from. What belongs
//! to a policy is in the policy's own rows.

use std::fmt;
use std::str::FromStr;

use engine::{MEMORY, Parameter, Range, Read, Settings, THREADS, Value};
use game::Merging;

use crate::mcts::policy::{Policies, PolicyChoice};

/// How moves are chosen inside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Mean and the square root of log visits.
    Ucb1,
    /// As UCB1, with the variance seen so far.
    Tuned,
    /// All moves equally likely.
    Uniform,
    /// In proportion to the mean.
    Roulette,
}

/// How the values of moves made later count in the choice of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rave {
    /// Not at all.
    Off,
    /// By the visits of the node.
    Schedule,
    /// By the visits of the move and how often it was made later, so that the expected error is least.
    Error,
}

/// When moves are tried for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untried {
    /// Before any move is tried again.
    First,
    /// When no move scores more than an untried one is urgent.
    Urgency,
    /// By what is known of them without a visit.
    Valued,
}

/// How temporal differences are learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Td {
    /// Not at all.
    Off,
    /// What came of the leaf goes up, weighted by the distance to the leaf and to the end of the game.
    Single,
    /// Rewards are weighted by the steps to the end of the game, and take the place of the mean.
    Weighted,
    /// Each move is also compared with the next on the path.
    Merged,
}

/// What a role wants where two play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Its own goal.
    Own,
    /// Its own goal; of equal ones that which leaves the other less.
    OwnThenOthers,
    /// More than the other.
    Difference,
}

/// Which positions are one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Those that are the same.
    Off,
    /// Those that differ only in facts that decide nothing.
    Idle,
    /// Also those that are images of each other.
    Both,
}

impl Alike {
    /// What is taken for one beyond what is the same.
    pub(crate) fn merging(self) -> Option<Merging> {
        match self {
            Alike::Off => None,
            Alike::Idle => Some(Merging::Idle),
            Alike::Both => Some(Merging::Images),
        }
    }
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
    /// The highest effective quality: a shallow minimax over the two upper levels.
    Effective,
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

/// How far playouts look for moves that decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisiveMoves {
    /// Not at all.
    None,
    /// A win at once is taken.
    Wins,
    /// Also, the others are left no win at once, if there is another move.
    WinsAndStops,
}

/// How roles choose inside the tree where several choose at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simultaneous {
    /// Each by its own statistics, as if the others were chance.
    Decoupled,
    /// One after the other; who comes later knows what was chosen before.
    Sequential,
    /// At random, by the exponentials of rewards divided by how likely they were.
    Exp3,
    /// At random, in proportion to regrets.
    RegretMatching,
}

/// Where several roles choose at once, when the move played is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixed {
    /// If the method of choosing yields a mix of moves.
    Method,
    /// Never: the likeliest move is played.
    Never,
    /// Always: by visits, if the method yields no mix.
    Always,
}

/// Who looks for forced wins beside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverChoice {
    /// Nobody.
    None,
    /// Proof-number search, depth first.
    ProofNumber,
}

/// How the moves of playouts are drawn where states are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationPlayouts {
    /// By the policy.
    Random,
    /// By Gibbs sampling over what moves lead to.
    Gibbs,
    /// What leads to the best, but for a few.
    Greedy,
}

impl From<DecisiveMoves> for game::Decisive {
    fn from(moves: DecisiveMoves) -> Self {
        match moves {
            DecisiveMoves::None => game::Decisive::None,
            DecisiveMoves::Wins => game::Decisive::Wins,
            DecisiveMoves::WinsAndStops => game::Decisive::WinsAndStops,
        }
    }
}

macro_rules! words {
    ($($kind:ident { $($variant:ident = $word:literal),* })*) => { $(
        impl $kind {
            /// How it is written.
            pub fn word(self) -> &'static str {
                match self { $($kind::$variant => $word),* }
            }

            fn range() -> Range {
                Range::Word(std::borrow::Cow::Borrowed(&[$($word),*]))
            }
        }
        impl fmt::Display for $kind {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.word())
            }
        }
        impl FromStr for $kind {
            type Err = ();
            fn from_str(text: &str) -> Result<Self, ()> {
                match text { $($word => Ok($kind::$variant),)* _ => Err(()) }
            }
        }
        impl Read for $kind {
            fn read(value: Value) -> Option<Self> {
                <&'static str>::read(value)?.parse().ok()
            }
            fn value(self) -> Value {
                Value::Word(self.word())
            }
        }
    )* };
}

words! {
    Selection { Ucb1 = "ucb1", Tuned = "tuned", Uniform = "uniform", Roulette = "roulette" }
    Rave { Off = "off", Schedule = "schedule", Error = "error" }
    Untried { First = "first", Urgency = "urgency", Valued = "valued" }
    Td { Off = "off", Single = "single", Weighted = "weighted", Merged = "merged" }
    Objective { Own = "own", OwnThenOthers = "own-then-others", Difference = "difference" }
    Alike { Off = "off", Idle = "idle", Both = "both" }
    Backup { Path = "path", Graph = "graph" }
    Final { Value = "value", Visits = "visits", Bound = "bound", Effective = "effective" }
    Parallel { Tree = "tree", Root = "root" }
    Merge { Best = "best", Sum = "sum", Sum10 = "sum10", Raw = "raw" }
    Simultaneous {
        Decoupled = "decoupled", Sequential = "sequential", Exp3 = "exp3", RegretMatching = "regret-matching"
    }
    Mixed { Method = "method", Never = "never", Always = "always" }
    SolverChoice { None = "none", ProofNumber = "proof-number" }
    EvaluationPlayouts { Random = "random", Gibbs = "gibbs", Greedy = "greedy" }
    DecisiveMoves { None = "none", Wins = "wins", WinsAndStops = "wins-and-stops" }
}

const fn whole(least: u64, most: u64) -> Range {
    Range::Whole { least, most }
}

const fn real(least: f64, most: f64) -> Range {
    Range::Real { least, most }
}

macro_rules! parameters {
    ($($name:ident $(($alias:literal))?: $kind:ty = $default:expr, $range:expr, $source:literal, $help:literal;)*) => {
        /// The values of all parameters.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Parameters {
            $(#[doc = $help] pub $name: $kind,)*
            /// MiB for the tree; when they are full the least visited part is forgotten.
            pub memory: u32,
            /// Threads.
            pub threads: u32,
            /// What guides playouts and the choice among moves not tried yet.
            pub policy: PolicyChoice,
        }

        impl Default for Parameters {
            fn default() -> Self {
                Self {
                    $($name: $default,)*
                    memory: MEMORY.default(),
                    threads: THREADS.default(),
                    policy: PolicyChoice::default(),
                }
            }
        }

        /// The rows of the search's own parameters.
        fn own_rows() -> Vec<Parameter> {
            vec![$(Parameter {
                name: stringify!($name),
                aliases: &[$($alias)?],
                help: $help,
                source: $source,
                range: $range,
                default: <$kind as Read>::value($default),
            },)*]
        }

        impl Parameters {
            /// Reads the values in some settings; what they do not say is as usual.
            pub fn read(settings: &Settings, policies: &Policies) -> Self {
                let usual = Self::default();
                Self {
                    $($name: settings.get(stringify!($name)).and_then(Read::read).unwrap_or(usual.$name),)*
                    memory: settings.of(&MEMORY),
                    threads: settings.of(&THREADS),
                    policy: policies.read(settings),
                }
            }
        }
    };
}

parameters! {
    selection: Selection = Selection::Ucb1, Selection::range(),
        "Kocsis and Szepesvári 2006; Auer et al. 2002", "how moves are chosen inside the tree";
    exploration: f64 = 40.0, real(0.0, 1000.0),
        "Finnsson and Björnsson 2008", "the factor C of the exploration term, for goals from 0 to 100";
    breadth: u32 = 10_000, whole(1, 10_000),
        "ours: docs/results/exploration.md", "with more moves than this C is less, down to half of it with four times as many";
    discount: f64 = 0.99, real(0.5, 1.0),
        "Finnsson and Björnsson 2008", "what a goal loses with every step to it";
    final_move("finally"): Final = Final::Value, Final::range(),
        "Finnsson and Björnsson 2008; Świechowski, Mańdziuk and Ong 2014", "which move is played in the end";
    depth: u32 = 10_000, whole(1, 10_000),
        "ours", "levels of the tree; 1 keeps statistics of the moves in the present position only";
    keep: bool = true, Range::Flag,
        "Finnsson and Björnsson 2008", "whether the tree below the position played is kept";
    transpositions: bool = true, Range::Flag,
        "Childs, Brodeur and Kocsis 2008", "whether positions reached in several ways are one node";
    alike: Alike = Alike::Off, Alike::range(),
        "ours: docs/results/structure.md", "which positions are one node: `idle`, those that differ only in facts that decide nothing; `both`, also those that are images of each other";
    backup: Backup = Backup::Graph, Backup::range(),
        "Childs, Brodeur and Kocsis 2008", "how values travel up";
    prove: bool = true, Range::Flag,
        "Cazenave and Saffidine 2010", "whether ends of the game are backed up as proven bounds";
    latches: bool = false, Range::Flag,
        "ours: docs/results/structure.md", "whether goals that can no longer be reached, as facts that stay as they are rule them out, bound new nodes at once; only with `prove`";
    batch: u32 = 512, whole(1, 4096),
        "ours: docs/results/search-speed.md", "positions handled in one sweep at most; 1 is one at a time";
    ramp: u32 = 16, whole(1, 1000),
        "ours: docs/results/search-speed.md", "a batch has at most this part of the visits so far";
    ramp_by_time: bool = false, Range::Flag,
        "ours: docs/results/search-speed.md", "whether batches grow faster where the turn has time for few of them, and try all moves of the position first";
    sweeps: u32 = 64, whole(1, 1000),
        "ours: docs/results/search-speed.md", "a batch has at most this part of the simulations of a search, where they are counted";
    fill: bool = true, Range::Flag,
        "ours: docs/results/search-speed.md", "whether idle or cheap lanes play more from the same positions, averaged into one result";
    playouts_per_leaf("lanes"): u32 = 1, whole(1, 512),
        "ours: docs/results/search-speed.md", "playouts from each position, averaged into one result";
    steps: u32 = 2_000, whole(1, 100_000),
        "ours", "steps after which a playout is cut";
    decisive: DecisiveMoves = DecisiveMoves::None, DecisiveMoves::range(),
        "Teytaud and Teytaud 2010", "which moves that decide playouts look for, as far as the machine does it in its lanes: roles move in turn, and the circuit does not grow too much";
    captures: bool = false, Range::Flag,
        "ours: docs/results/tactics.md", "whether playouts take something of another's where they can and nothing is decided, as far as the machine does it in its lanes: roles move in turn";
    solver: SolverChoice = SolverChoice::None, SolverChoice::range(),
        "Nagai 2002", "who looks for forced wins around the position beside the tree: two roles that move in turn";
    solver_share: f64 = 0.2, real(0.0, 0.9),
        "ours", "the part of the time that the solver has";
    resist: u32 = 0, whole(0, 1_000_000),
        "ours", "where all moves are proven lost, simulations without proofs that tell which looks best to the others; 0 plays the one that loses latest";
    cutoff: bool = false, Range::Flag,
        "Finnsson 2012", "whether playouts are cut early, where sample playouts say how; policies learn the goals where they were cut";
    cutoff_steps: u32 = 10, whole(1, 100_000),
        "ours", "steps before which no playout is cut early";
    parallel: Parallel = Parallel::Tree, Parallel::range(),
        "Świechowski et al. 2015 (survey)", "what several threads do: one tree together, or one each";
    merge: Merge = Merge::Sum, Merge::range(),
        "Méhat and Cazenave 2011", "how what is known of the moves in several trees is merged";
    rave: Rave = Rave::Off, Rave::range(),
        "Gelly and Silver 2007; Finnsson and Björnsson 2010; Cazenave 2015", "how the values of moves made later in simulations count in the choice of a move";
    rave_k: f64 = 1000.0, real(0.0, 1e9),
        "Gelly and Silver 2007", "visits of a node at which its moves' RAVE values count half, with `rave=schedule`";
    rave_bias: f64 = 1e-7, real(0.0, 1.0),
        "Cazenave 2015", "how wrong RAVE values are taken to be, with `rave=error`";
    rave_reference: u32 = 0, whole(0, 1_000_000),
        "Cazenave 2015", "a node with fewer visits uses the RAVE values of the nearest node above that has as many; 0 is RAVE, more is GRAVE";
    rave_correlation: f64 = -1.0, real(-1.0, 1.0),
        "Świechowski et al. 2015 (survey)", "RAVE values count only in nodes where they correlate with the means of moves at least so much";
    rave_margin: f64 = 100.0, real(0.0, 100.0),
        "Świechowski et al. 2015 (survey)", "a RAVE value counts only if it is no farther from the mean of the node";
    untried: Untried = Untried::First, Untried::range(),
        "Finnsson 2012; Cazenave 2015", "when a move is tried for the first time";
    sufficiency: f64 = 100.0, real(0.0, 100.0),
        "Gudmundsson and Björnsson 2013", "nothing is explored in a node where a move has a mean above this";
    prior_visits: u32 = 0, whole(0, 100_000),
        "Gelly and Silver 2007", "as how many visits counts what the policy takes a move to be worth";
    implicit: f64 = 0.0, real(0.0, 1.0),
        "Lanctot et al. 2014", "the part of a heuristic that is backed up as minimax does, beside the mean";
    evaluation_prior: u32 = 0, whole(0, 100_000),
        "Walędzik and Mańdziuk 2014", "with an evaluation, how many visits every move of a new node begins with, worth what the evaluation says of where the move leads";
    evaluation_order: bool = false, Range::Flag,
        "Walędzik and Mańdziuk 2014", "with an evaluation, whether moves not tried yet come in the order of what it says of where they lead";
    evaluation_playouts: EvaluationPlayouts = EvaluationPlayouts::Random, EvaluationPlayouts::range(),
        "Walędzik and Mańdziuk 2014", "how moves of playouts are drawn: by the policy, or with an evaluation by what it says of where they lead";
    evaluation_temperature: f64 = 10.0, real(0.01, 10_000.0),
        "Finnsson and Björnsson 2008", "with `evaluation_playouts=gibbs`, the temperature: the higher, the more random";
    evaluation_epsilon: f64 = 0.4, real(0.0, 1.0),
        "Tak, Winands and Björnsson 2012", "with `evaluation_playouts=greedy`, how often any move is made";
    recency: u32 = 0, whole(0, 1_000_000),
        "Gudmundsson and Björnsson 2011", "with `backup=path`, visits after which new results count as much as at that point; 0 counts all the same";
    td: Td = Td::Off, Td::range(),
        "Vodopivec and Šter 2014", "how temporal differences are learnt beside the mean";
    td_weight: f64 = 0.5, real(0.0, 1.0),
        "ours", "the part of the value by temporal differences beside the mean";
    td_lambda: f64 = 0.8, real(0.0, 1.0),
        "ours", "what an error loses with every step up, with `td`";
    td_discount: f64 = 0.99, real(0.5, 1.0),
        "ours", "what a reward loses with every step to it, with `td`";
    arbitration: f64 = 0.0, real(0.0, 1.0),
        "Gudmundsson and Björnsson 2011", "the last part of a turn in which only the better of two close moves is tried";
    arbitration_margin: f64 = 2.0, real(0.0, 100.0),
        "ours", "how close the best two moves are for arbitration";
    simultaneous: Simultaneous = Simultaneous::Decoupled, Simultaneous::range(),
        "Tak, Lanctot and Winands 2014", "how roles choose inside the tree where several choose at once";
    simultaneous_random: f64 = 0.1, real(0.0, 1.0),
        "Lanctot, Lisý and Winands 2014; the value is ours", "the part of choices made at random, with `simultaneous=exp3` and `regret-matching`";
    mixed: Mixed = Mixed::Method, Mixed::range(),
        "Lanctot, Lisý and Winands 2014", "where several roles choose at once, when the move played is drawn: if the method yields a mix of moves, never, or always";
    objective: Objective = Objective::Own, Objective::range(),
        "Finnsson and Björnsson 2008", "what a role wants where two play; what is proven counts with its own goal only";
}

impl Parameters {
    /// All rows: the search's own, what it uses of the machine, and those of some policies.
    pub fn rows(policies: &Policies) -> Vec<Parameter> {
        let mut rows = own_rows();
        rows.extend([MEMORY.row(), THREADS.row()]);
        rows.extend(policies.parameters());
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings::new(Parameters::rows(&Policies::standard()))
    }

    fn read(settings: &Settings) -> Parameters {
        Parameters::read(settings, &Policies::standard())
    }

    #[test]
    fn every_default_can_be_written_and_read() {
        let mut changed = settings();
        for (row, value) in settings().iter() {
            assert_eq!(changed.set(row.name, &value.to_string()), Ok(()), "{}", row.name);
        }
        assert_eq!(changed, settings());
        assert_eq!(read(&changed), Parameters::default());
    }

    #[test]
    fn every_value_is_read() {
        let mut changed = settings();
        for (row, value) in settings().iter() {
            let other = match &row.range {
                Range::Flag => (value == Value::Flag(false)).to_string(),
                Range::Whole { least, most } => {
                    (if value == Value::Whole(*most) { *least } else { *most }).to_string()
                }
                Range::Real { least, most } => {
                    (if value == Value::Real(*most) { *least } else { *most }).to_string()
                }
                Range::Word(words) => {
                    let other = words.iter().find(|word| value != Value::Word(word));
                    (*other.expect("a choice")).to_owned()
                }
            };
            let before = read(&changed);
            changed.set(row.name, &other).expect("a value");
            // What belongs to a policy counts where the policy does.
            let is_policy = Policies::standard().parameters().iter().any(|own| own.name == row.name);
            assert!(is_policy || read(&changed) != before, "{} is not read", row.name);
        }
    }

    #[test]
    fn old_names_are_understood() {
        let mut changed = settings();
        changed.set("finally", "visits").expect("an old name");
        changed.set("lanes", "8").expect("an old name");
        let parameters = read(&changed);
        assert_eq!((parameters.final_move, parameters.playouts_per_leaf), (Final::Visits, 8));
    }

    #[test]
    fn wrong_values_are_explained() {
        let mut settings = settings();
        let error = settings.set("discount", "7").unwrap_err();
        assert_eq!(error.to_string(), "`7` is no value for `discount`: 0.5 to 1");
        assert!(settings.set("speed", "7").is_err());
        assert!(settings.set("exploration", "NaN").is_err());
    }
}
