//! Positions scattered over whole random games.
//!
//! Games are played side by side from the beginning to the end, and of all their positions a part is kept that is drawn.
//! So each stage of the game has its due: whoever stops as soon as there are enough positions has openings only.

use game::{Dice, Expansions, MoveId, RuleFault, Simulator};

use crate::positions::{Positions, SampleOptions, mean_length};

/// Games that are played side by side.
const TOGETHER: usize = 512;

/// One position in so many is kept at most, as neighbours tell much the same.
const KEPT: f64 = 4.0;

/// Rather more positions are kept than are wanted, as their number is a matter of chance; some are left out again.
const MORE: f64 = 1.1;

/// Games are given up after so many times their mean length: what lasts longer would be waited for by all others.
const LONGEST: f64 = 4.0;

impl<State: Clone> Positions<State> {
    /// So many positions of random games, scattered over them; each is a sequence of its own. None if the game is over
    /// before it begins. `None` if it was told to stop.
    pub fn scatter<G: Simulator<State = State>>(
        game: &G,
        workspace: &mut G::Workspace,
        count: usize,
        options: &SampleOptions,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, RuleFault> {
        let length = mean_length(game, workspace, options)?;
        let mut games = Games::new(game.initial(), count, length, options);
        // Where games take no move there is nothing to keep.
        while length > 0.0 && games.kept.len() < count {
            if !games.play(game, workspace, goes_on)? {
                return Ok(None);
            }
        }
        let kept = games.thin_out(count);
        if !goes_on() {
            return Ok(None);
        }
        let (states, depths): (Vec<State>, Vec<u32>) = kept.into_iter().unzip();
        let mut positions = Self {
            sequences: (0..states.len()).map(|place| place..place + 1).collect(),
            states,
            depths,
            scores: vec![Vec::new(); game.role_count()],
            means: vec![0.0; game.role_count()],
            length,
        };
        positions.score(game, workspace, options)?;
        Ok(goes_on().then_some(positions))
    }
}

/// Random games that positions are kept of.
struct Games<State> {
    initial: State,
    dice: Dice,
    /// Games that are played side by side.
    together: usize,
    /// The probability with which a position is kept.
    chance: f64,
    /// Moves after which a game is given up.
    longest: u32,
    /// Positions, and how many moves led to each.
    kept: Vec<(State, u32)>,
}

impl<State: Clone> Games<State> {
    fn new(initial: State, count: usize, length: f64, options: &SampleOptions) -> Self {
        let (together, wanted) = (TOGETHER.min(count.max(1)), count as f64);
        let met = together as f64 * length.max(1.0);
        // Where one round of games has too few positions, each of some rounds gives its share.
        let rounds = (wanted * KEPT / met).ceil().max(1.0);
        Self {
            initial,
            dice: Dice::new(options.seed),
            together,
            chance: MORE * wanted / (rounds * met),
            longest: ((LONGEST * length).ceil() as u32).min(options.steps),
            kept: Vec::new(),
        }
    }

    /// Plays a round of games to their ends; whether it was not told to stop.
    fn play<G: Simulator<State = State>>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<bool, RuleFault> {
        let mut walks: Vec<State> = vec![self.initial.clone(); self.together];
        let (mut expansions, mut joints, mut next) = (Expansions::new(), Vec::<MoveId>::new(), Vec::new());
        for depth in 0..self.longest.max(1) {
            if walks.is_empty() {
                break;
            }
            if !goes_on() {
                return Ok(false);
            }
            let states: Vec<&State> = walks.iter().collect();
            game.expand_all(workspace, &states, &mut expansions)?;
            joints.clear();
            let mut moving = Vec::with_capacity(walks.len());
            for (walk, choices) in walks.iter().zip(expansions.iter()) {
                if choices.is_terminal() {
                    continue;
                }
                if let Some(role) = choices.stuck_role() {
                    return Err(RuleFault::NoLegalMove(role));
                }
                if self.dice.unit() < self.chance {
                    self.kept.push((walk.clone(), depth));
                }
                joints.extend(choices.by_role().map(|legal| legal[self.dice.below(legal.len())]));
                moving.push(walk);
            }
            game.apply_all(workspace, &moving, &joints, &mut next)?;
            walks = std::mem::take(&mut next);
        }
        Ok(true)
    }

    /// So many of the positions at most, all equally likely.
    fn thin_out(mut self, count: usize) -> Vec<(State, u32)> {
        let (mut open, mut wanted) = (self.kept.len(), count.min(self.kept.len()));
        let dice = &mut self.dice;
        self.kept.retain(|_| {
            let is_kept = dice.below(open) < wanted;
            open -= 1;
            wanted -= usize::from(is_kept);
            is_kept
        });
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use game::Describe;
    use machine::{Limits, Visitor, Wanted};

    use super::*;

    struct Scatter(usize);

    impl Visitor<'_> for Scatter {
        type Answer = (Vec<Vec<String>>, Vec<u32>, Vec<Vec<f64>>, f64);
        fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
            let options = SampleOptions { steps: 200, ..SampleOptions::default() };
            let found = Positions::scatter(&**game, &mut game.workspace(), self.0, &options, &|| true);
            let found = found.expect("no fault").expect("nobody stops it");
            assert_eq!(found.sequences.len(), found.states.len());
            let facts = found.states.iter().map(|state| game.facts(state)).collect();
            (facts, found.depths, found.scores, found.length)
        }
    }

    fn scatter(rules: &str, count: usize) -> <Scatter as Visitor<'static>>::Answer {
        let wanted = Wanted::Batch(machine::Target::detect());
        machine::from_text(rules, wanted, &Limits::generous()).expect("small").visit(Scatter(count))
    }

    #[test]
    fn all_stages_of_a_game_come_equally() {
        for (name, true_length) in [("connect-four", 17.0..25.0), ("checkers", 50.0..85.0)] {
            let rules = bundled::find(name).expect("bundled").rules;
            // So many are held out by default, and so many are learnt from; one round of games, and some.
            for count in [1_000, 4_000] {
                let (_, mut depths, scores, length) = scatter(rules, count);
                assert!(true_length.contains(&length), "{name}: {length}");
                assert_eq!((depths.len(), scores[0].len()), (count, count));
                depths.sort_unstable();
                let at = |part: f64| f64::from(depths[(part * count as f64) as usize]) / length;
                let parts = [0.25, 0.5, 0.75, 0.99].map(at);
                assert!((0.4..0.65).contains(&parts[1]), "{name}: {parts:?}");
                assert!((0.15..0.4).contains(&parts[0]) && parts[3] > 0.95, "{name}: {parts:?}");
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_positions() {
        let rules = bundled::find("tic-tac-toe").expect("bundled").rules;
        for wanted in [Wanted::Batch(machine::Target::detect()), Wanted::Reference] {
            let machine = machine::from_text(rules, wanted, &Limits::generous()).expect("small");
            let of = || machine.visit(Scatter(700));
            assert!(of() == of(), "{wanted:?}");
        }
    }

    #[test]
    fn odd_games_have_positions_too() {
        let switch = "(role you) (init (at 0)) (legal you go) (goal you 50)
            (<= (next (at 1)) (true (at 0))) (<= (next (at 0)) (true (at 1)))";
        // It never ends: it is looked at for as long as was said.
        let (_, depths, _, length) = scatter(&format!("{switch} (<= terminal (true (at 2)))"), 300);
        assert_eq!((depths.len(), length), (300, 200.0));
        assert!(depths.iter().any(|depth| *depth > 150));
        // It is over after a move, and over at once.
        let (_, depths, _, length) = scatter(&format!("{switch} (<= terminal (true (at 1)))"), 3_000);
        assert_eq!((depths, length), (vec![0; 3_000], 1.0));
        let (facts, _, _, length) = scatter(&format!("{switch} (<= terminal (true (at 0)))"), 300);
        assert_eq!((facts.len(), length), (0, 0.0));
        // Few are wanted.
        let rules = bundled::find("checkers").expect("bundled").rules;
        assert_eq!(scatter(rules, 1).1.len(), 1);
        assert_eq!(scatter(rules, 0).1.len(), 0);
    }
}
