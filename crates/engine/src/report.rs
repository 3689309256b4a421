//! What an engine has to say.

use std::time::Duration;

use machine::MachineKind;

/// A move and what is thought of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move, canonical.
    pub text: String,
    /// The mean goal expected, 0 to 100.
    pub value: f64,
    /// Simulations through it.
    pub visits: u32,
    /// How likely it is to be played, where roles choose at once and the move played is drawn.
    pub likelihood: Option<f64>,
    /// The least and the most that is proven.
    pub proven: (u8, u8),
}

/// What is held for possible by who does not see everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Possible {
    /// Positions that agree with all that was told.
    pub positions: usize,
    /// Whether there are no others.
    pub is_all: bool,
    /// How often so far none was left, and others were found.
    pub recovered: u64,
    /// Steps since the last decision, if no position was found that agrees with all that was told.
    pub inconsistent: u64,
}

/// A move to be played and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move, canonical.
    pub text: String,
    /// The move in the spelling of the rules.
    pub spelling: String,
    /// The mean goal expected, 0 to 100; `None` without a search.
    pub value: Option<f64>,
    /// Whether the move is proven to be as good as any.
    pub proven: bool,
    /// Whether there was a choice, and neither a simulation nor a plan nor a proof behind what was chosen.
    pub unthought: bool,
    /// Simulations of this decision.
    pub simulations: u64,
    /// Playouts of this decision.
    pub playouts: u64,
    /// Steps of these playouts.
    pub steps: u64,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Bytes of the tree.
    pub bytes: usize,
    /// The longest way down the tree.
    pub depth: u32,
    /// Nodes that made way for others in this decision.
    pub recycled: u64,
    /// The longest time between two batches of simulations.
    pub longest_pause: Duration,
    /// Joint moves thought best from here on, each one move per role.
    pub line: Vec<Vec<String>>,
    /// Which settings the engine chose for the game, and why, if it chooses.
    pub tuning: Option<String>,
    /// What is held for possible, where not everything is seen.
    pub possible: Option<Possible>,
    /// All moves and what is thought of them.
    pub moves: Vec<Thought>,
    /// The engine that thought.
    pub engine: &'static str,
    /// What it was thought with.
    pub machine: MachineKind,
    /// How long it took.
    pub elapsed: Duration,
}

impl Decision {
    /// A move that nothing is known of but that it can be made.
    pub fn plain(text: String, spelling: String, engine: &'static str, machine: MachineKind) -> Self {
        Self {
            text,
            spelling,
            value: None,
            proven: false,
            unthought: false,
            simulations: 0,
            playouts: 0,
            steps: 0,
            nodes: 0,
            bytes: 0,
            depth: 0,
            recycled: 0,
            longest_pause: Duration::ZERO,
            line: Vec::new(),
            tuning: None,
            possible: None,
            moves: Vec::new(),
            engine,
            machine,
            elapsed: Duration::ZERO,
        }
    }

    /// The goal that is proven for the move, if it is: without what distance takes off the value.
    pub fn proven_goal(&self) -> Option<u8> {
        let own = self.moves.iter().find(|thought| thought.text == self.text)?;
        let (least, most) = own.proven;
        (self.proven && least == most).then_some(least)
    }
}
