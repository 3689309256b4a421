//! Positions to learn from: short sequences out of random games, and what came of playing on from their ends
//! (Walędzik and Mańdziuk 2014, section IV-A-2).
//!
//! All sequences are walked side by side, a step of all of them in one call, so that machines with lanes use them.

use std::ops::Range;

use game::{Decisive, Dice, Expansions, Job, MoveId, Outcomes, PlayOptions, RuleFault, Simulator};

/// What a sequence of positions is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceOptions {
    /// The least positions of a sequence.
    pub least: usize,
    /// The most.
    pub most: usize,
    /// The most moves between two positions of a sequence.
    pub gap: usize,
}

impl Default for SequenceOptions {
    fn default() -> Self {
        Self { least: 2, most: 5, gap: 3 }
    }
}

/// How many positions are looked at, and which.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleOptions {
    /// Sequences of positions.
    pub sequences: usize,
    /// What each of them is.
    pub sequence: SequenceOptions,
    /// Playouts from the last position of each sequence.
    pub playouts: u32,
    /// The same seed gives the same positions.
    pub seed: u64,
    /// Playouts that are longer are cut.
    pub steps: u32,
    /// How far playouts look for moves that decide.
    pub decisive: Decisive,
}

impl Default for SampleOptions {
    fn default() -> Self {
        Self {
            sequences: 100,
            sequence: SequenceOptions::default(),
            playouts: 10,
            seed: 1,
            steps: 2_000,
            decisive: Decisive::None,
        }
    }
}

/// Positions in sequences.
#[derive(Clone, Debug)]
pub struct Positions<State> {
    /// The positions, sequence after sequence. None of them is terminal.
    pub states: Vec<State>,
    /// How many moves led to each.
    pub depths: Vec<u32>,
    /// Which positions are those of each sequence.
    pub sequences: Vec<Range<usize>>,
    /// For each role the mean goal of the playouts from the end of its sequence, for each position.
    pub scores: Vec<Vec<f64>>,
    /// For each role the mean goal over all sequences.
    pub means: Vec<f64>,
    /// How long random games are on average.
    pub length: f64,
}

/// Playouts from the beginning that tell how long games are.
const LENGTH_PLAYOUTS: u32 = 100;

/// How often a sequence is begun anew whose game ended too early.
const TRIES: u32 = 50;

/// A sequence on its way.
struct Walk<State> {
    dice: Dice,
    state: State,
    /// Moves made so far.
    made: usize,
    /// Moves before the first position.
    depth: usize,
    /// Positions wanted, and moves between them.
    wanted: usize,
    gap: usize,
    found: Vec<(State, u32)>,
    tries: u32,
}

impl<State: Clone> Walk<State> {
    fn begin(&mut self, initial: &State, length: f64, options: &SequenceOptions) {
        self.state = initial.clone();
        self.made = 0;
        self.found.clear();
        // Later tries begin earlier: some games are shorter than most.
        let length = length / f64::from(1 + self.tries / 4);
        self.depth = self.dice.below(length.round().max(1.0) as usize);
        self.wanted = options.least + self.dice.below(options.most.saturating_sub(options.least) + 1);
        self.gap = 1 + self.dice.below(options.gap.max(1));
        self.tries += 1;
    }
}

/// How long random games are on average.
pub(crate) fn mean_length<G: Simulator>(
    game: &G,
    workspace: &mut G::Workspace,
    options: &SampleOptions,
) -> Result<f64, RuleFault> {
    let (initial, mut outcomes) = (game.initial(), Outcomes::default());
    let play = PlayOptions { seed: options.seed, most_steps: options.steps, ..PlayOptions::default() };
    game.play(workspace, &[Job::new(&initial, LENGTH_PLAYOUTS)], &play, &mut outcomes)?;
    let lengths = (0..outcomes.len()).map(|playout| f64::from(outcomes.length(playout)));
    Ok(lengths.sum::<f64>() / f64::from(LENGTH_PLAYOUTS))
}

impl<State: Clone> Positions<State> {
    /// Plays at random and keeps what is met. `None` if it was told to stop.
    pub fn sample<G: Simulator<State = State>>(
        game: &G,
        workspace: &mut G::Workspace,
        options: &SampleOptions,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, RuleFault> {
        let initial = game.initial();
        let length = mean_length(game, workspace, options)?;
        if !goes_on() {
            return Ok(None);
        }
        let mut walks: Vec<Walk<State>> = (0..options.sequences as u64)
            .map(|index| {
                let dice = Dice::stream(options.seed, index);
                let state = initial.clone();
                let mut walk =
                    Walk { dice, state, made: 0, depth: 0, wanted: 0, gap: 1, found: Vec::new(), tries: 0 };
                walk.begin(&initial, length, &options.sequence);
                walk
            })
            .collect();
        let mut open: Vec<usize> = (0..walks.len()).collect();
        let (mut expansions, mut joints, mut next) = (Expansions::new(), Vec::<MoveId>::new(), Vec::new());
        while !open.is_empty() {
            if !goes_on() {
                return Ok(None);
            }
            let states: Vec<&State> = open.iter().map(|&walk| &walks[walk].state).collect();
            game.expand_all(workspace, &states, &mut expansions)?;
            let mut moving = Vec::with_capacity(open.len());
            joints.clear();
            for (&index, choices) in open.iter().zip(expansions.iter()) {
                let walk = &mut walks[index];
                if choices.is_terminal() {
                    if walk.tries < TRIES {
                        walk.begin(&initial, length, &options.sequence);
                        moving.push((index, false));
                    }
                    continue;
                }
                if let Some(role) = choices.stuck_role() {
                    return Err(RuleFault::NoLegalMove(role));
                }
                if walk.made >= walk.depth && (walk.made - walk.depth).is_multiple_of(walk.gap) {
                    walk.found.push((walk.state.clone(), walk.made as u32));
                    if walk.found.len() == walk.wanted {
                        continue;
                    }
                }
                joints.extend(choices.by_role().map(|legal| legal[walk.dice.below(legal.len())]));
                moving.push((index, true));
            }
            let states: Vec<&State> =
                moving.iter().filter(|(_, moves)| *moves).map(|&(walk, _)| &walks[walk].state).collect();
            game.apply_all(workspace, &states, &joints, &mut next)?;
            let moved = moving.iter().filter(|(_, moves)| *moves);
            for (&(index, _), state) in moved.zip(next.drain(..)) {
                walks[index].state = state;
                walks[index].made += 1;
            }
            open = moving.into_iter().map(|(walk, _)| walk).collect();
        }
        let mut positions = Self {
            states: Vec::new(),
            depths: Vec::new(),
            sequences: Vec::new(),
            scores: vec![Vec::new(); game.role_count()],
            means: vec![0.0; game.role_count()],
            length,
        };
        for walk in walks {
            // What ended before it had two positions tells nothing of change.
            if walk.found.len() >= options.sequence.least.max(1) {
                let start = positions.states.len();
                for (state, depth) in walk.found {
                    positions.states.push(state);
                    positions.depths.push(depth);
                }
                positions.sequences.push(start..positions.states.len());
            }
        }
        positions.score(game, workspace, options)?;
        Ok(goes_on().then_some(positions))
    }

    /// Plays on from the last position of each sequence.
    pub(crate) fn score<G: Simulator<State = State>>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        options: &SampleOptions,
    ) -> Result<(), RuleFault> {
        let playouts = options.playouts.max(1);
        let last = |sequence: &Range<usize>| Job::new(&self.states[sequence.end - 1], playouts);
        let jobs: Vec<Job<'_, State>> = self.sequences.iter().map(last).collect();
        let play = PlayOptions {
            seed: options.seed.wrapping_add(1),
            most_steps: options.steps,
            decisive: options.decisive,
            ..PlayOptions::default()
        };
        let mut outcomes = Outcomes::default();
        if !jobs.is_empty() {
            game.play(workspace, &jobs, &play, &mut outcomes)?;
        }
        for (number, sequence) in self.sequences.iter().enumerate() {
            let first = number * playouts as usize;
            for (role, scores) in self.scores.iter_mut().enumerate() {
                let goals =
                    (first..first + playouts as usize).map(|one| f64::from(outcomes.goals(one)[role].0));
                let mean = goals.sum::<f64>() / f64::from(playouts);
                scores.extend(std::iter::repeat_n(mean, sequence.len()));
                self.means[role] += mean / self.sequences.len() as f64;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use game::Describe;
    use machine::{Limits, Visitor, Wanted};

    use super::*;

    struct Sample;

    impl Visitor<'_> for Sample {
        type Answer = (Vec<Vec<String>>, Vec<Range<usize>>, Vec<Vec<f64>>, f64);
        fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
            let options = SampleOptions { sequences: 40, ..SampleOptions::default() };
            let found = Positions::sample(&**game, &mut game.workspace(), &options, &|| true);
            let found = found.expect("no fault").expect("nobody stops it");
            let facts = found.states.iter().map(|state| game.facts(state)).collect();
            (facts, found.sequences, found.scores, found.length)
        }
    }

    #[test]
    fn positions_are_what_was_asked_for() {
        let rules = bundled::find("tic-tac-toe").expect("bundled").rules;
        for wanted in [Wanted::Reference, Wanted::Batch(machine::Target::detect())] {
            let sample =
                || machine::from_text(rules, wanted, &Limits::generous()).expect("small").visit(Sample);
            let (facts, sequences, scores, length) = sample();
            assert!((6.8..8.4).contains(&length), "{length}");
            assert_eq!(sequences.last().map(|last| last.end), Some(facts.len()));
            assert!(
                sequences.len() > 30 && sequences.iter().all(|sequence| (2..=5).contains(&sequence.len()))
            );
            assert!(scores.len() == 2 && scores.iter().all(|scores| scores.len() == facts.len()));
            let mut sums = scores[0].iter().zip(&scores[1]).map(|(one, other)| one + other);
            assert!(sums.all(|sum| (sum - 100.0).abs() < 1e-9), "one wins what one loses");
            assert_eq!(sample(), (facts, sequences, scores, length), "the same seed");
        }
    }
}
