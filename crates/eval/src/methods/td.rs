//! Temporal differences on self-play (Sutton 1988; Tesauro 1995): weights that regression found go on learning from games
//! in which every role makes the move that looks best to it.
//!
//! Games are played side by side. After each round every state of a game is drawn towards the mean of what the states after
//! it were worth and what came of the game (the lambda-return). The last round is played to judge by: the weights
//! are kept only if they predict its games better than those they began with, and than the mean.

use super::MethodRow;
use crate::acceptance::{accept, foretold};
use crate::counts::Counts;
use crate::knowledge::{Knowledge, Known};
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught, percent};
use crate::positions::Positions;
use crate::sample::Sample;
use crate::weighted::{Weighted, weigh};
use engine::Evaluator;
use game::{Dice, Expansions, Game, MoveId, Simulator};
use machine::ErasedState;
use std::sync::Arc;

pub(super) const ROW: MethodRow = MethodRow {
    name: "td",
    source: "Sutton 1988; Tesauro 1995",
    help: "expressions of the rules, weighted by temporal differences on self-play",
    derived: false,
    learn,
};

/// Rounds of self-play, the last one of which is to judge by, and games of a round.
const ROUNDS: usize = 6;
const GAMES: usize = 96;

/// Moves after which a game is given up.
const MOST_STEPS: usize = 300;

/// Moves at random: so that games differ.
const RANDOM: f64 = 0.1;

/// What is believed of what came later, and by what part of an error weights change.
const LAMBDA: f64 = 0.8;
const RATE: f64 = 0.02;

/// A game that was played: its states, and what the roles had in the end, from 0 to 1.
struct Played {
    states: Vec<ErasedState>,
    goals: Vec<f64>,
}

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let (positions, known, apart) = lesson.positions_and_states()?;
    let counts = Counts::new(lesson, &positions, &known)?;
    let start = Arc::new(weigh(lesson, Box::new(counts), &known)?);
    // Self-play by weights that foretell nothing teaches nothing.
    let begun = accept(Arc::clone(&start) as Arc<dyn Knowledge>, &known, &apart)?;
    let mut now = Arc::clone(&start);
    let mut dice = Dice::stream(lesson.seed, 0x7464);
    for _ in 1..ROUNDS {
        let games = play(lesson, &now, &mut dice)?;
        let (sample, ends) = gather(lesson, &games)?;
        now = Arc::new(learn_from(&now, &sample, &ends));
    }
    let judges = play(lesson, &now, &mut dice)?;
    let (sample, _) = gather(lesson, &judges)?;
    let (before, after) = (sample.explained(&*start), sample.explained(&*now));
    let sum = |parts: &[f64]| parts.iter().sum::<f64>();
    let is_better = sum(&after) > sum(&before) && foretold(&after).is_ok();
    // What foretells games of self-play is also to foretell those that were not played by it.
    let learnt = is_better.then(|| accept(now, &known, &apart).ok()).flatten();
    let (accepted, told) = match learnt {
        Some(learnt) => {
            let told = format!(
                "weights after {} games of self-play explain {} of games that were not learnt from (before: {})",
                GAMES * (ROUNDS - 1),
                percent(&after),
                percent(&before)
            );
            (learnt, told)
        }
        None => {
            let told = format!(
                "weights of a regression: self-play made them explain {} of its games and not {}",
                percent(&after),
                percent(&before)
            );
            (begun, told)
        }
    };
    let mut taught = Taught::knowledge(accepted, told, &known);
    taught.report.sequences = GAMES * ROUNDS;
    Ok(taught)
}

/// Plays a round: each role that alone has a choice makes the move after which the state is worth most to it, but for some
/// moves at random; where several choose at once all do at random.
fn play(lesson: &Lesson<'_>, weighted: &Arc<Weighted>, dice: &mut Dice) -> Result<Vec<Played>, LearnError> {
    let game = &lesson.game;
    let known = Known::new(Arc::clone(game), Arc::clone(weighted) as Arc<dyn Knowledge>);
    let (mut workspace, roles) = (game.workspace(), game.role_count());
    let mut open: Vec<Vec<ErasedState>> = vec![vec![game.initial()]; GAMES];
    let (mut done, mut expansions, mut next) = (Vec::new(), Expansions::new(), Vec::new());
    let mut goals = Vec::new();
    for _ in 0..MOST_STEPS {
        if open.is_empty() {
            break;
        }
        lesson.check()?;
        let lasts: Vec<&ErasedState> = open.iter().filter_map(|states| states.last()).collect();
        game.expand_all(&mut workspace, &lasts, &mut expansions)?;
        // For each game the joint moves that are looked at, and who chooses among them.
        let (mut parents, mut joints, mut choosers): (Vec<usize>, Vec<MoveId>, Vec<Option<usize>>) =
            (Vec::new(), Vec::new(), Vec::new());
        let mut is_over = vec![false; open.len()];
        for (place, choices) in expansions.iter().enumerate() {
            choosers.push(None);
            if choices.is_terminal() || choices.stuck_role().is_some() {
                is_over[place] = true;
                continue;
            }
            let drawn: Vec<MoveId> = choices.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            // Chance does not choose.
            let chooses = |role: usize| game.chance().map(|chance| usize::from(chance.0)) != Some(role);
            let with_choice = choices.by_role().enumerate();
            let mut with_choice = with_choice.filter(|(role, legal)| legal.len() > 1 && chooses(*role));
            let chooser = with_choice.next().filter(|_| with_choice.next().is_none());
            match chooser.filter(|_| dice.unit() >= RANDOM) {
                Some((role, legal)) => {
                    choosers[place] = Some(role);
                    for &id in legal {
                        parents.push(place);
                        joints.extend(
                            drawn
                                .iter()
                                .enumerate()
                                .map(|(own, &drawn)| if own == role { id } else { drawn }),
                        );
                    }
                }
                None => {
                    parents.push(place);
                    joints.extend(drawn);
                }
            }
        }
        let starts: Vec<&ErasedState> = parents.iter().map(|&place| lasts[place]).collect();
        game.apply_all(&mut workspace, &starts, &joints, &mut next)?;
        let mut values = vec![0.0; next.len() * roles];
        known.evaluate(&next.iter().collect::<Vec<_>>(), &mut values)?;
        let mut best: Vec<Option<(f64, usize)>> = vec![None; open.len()];
        for (candidate, &place) in parents.iter().enumerate() {
            let value = choosers[place].map_or(0.0, |role| values[candidate * roles + role]);
            if best[place].is_none_or(|best| value > best.0) {
                best[place] = Some((value, candidate));
            }
        }
        let mut going = Vec::new();
        for ((mut states, best), over) in open.into_iter().zip(best).zip(is_over) {
            match best {
                Some((_, candidate)) if !over => {
                    states.push(next[candidate].clone());
                    going.push(states);
                }
                _ => {
                    if let Some(last) = states.last() {
                        game.goals(&mut workspace, last, &mut goals)?;
                    }
                    states.pop();
                    let goals =
                        goals.iter().map(|goal: &game::GoalReading| f64::from(goal.value().0) / 100.0);
                    done.push(Played { states, goals: goals.collect() });
                }
            }
        }
        open = going;
    }
    Ok(done)
}

/// The states of games as a sample, and where each game ends in it.
fn gather(lesson: &Lesson<'_>, games: &[Played]) -> Result<(Sample, Vec<usize>), LearnError> {
    let roles = lesson.game.role_count();
    let mut positions = Positions {
        states: Vec::new(),
        depths: Vec::new(),
        sequences: Vec::new(),
        scores: vec![Vec::new(); roles],
        means: vec![0.0; roles],
        length: 0.0,
    };
    let mut ends = Vec::new();
    for played in games.iter().filter(|played| !played.states.is_empty()) {
        positions.states.extend(played.states.iter().cloned());
        positions.depths.extend(0..played.states.len() as u32);
        for (scores, goal) in positions.scores.iter_mut().zip(&played.goals) {
            scores.extend(std::iter::repeat_n(100.0 * goal, played.states.len()));
        }
        ends.push(positions.states.len());
    }
    if positions.states.is_empty() {
        return Err(LearnError::NoPositions);
    }
    positions.length = positions.states.len() as f64 / ends.len() as f64;
    Ok((Sample::new(&*lesson.game, &positions)?, ends))
}

/// The returns of a game's states for a role: what comes of the game in the last one, and before that a mix of what the
/// next state is worth and what its return is.
fn returns(values: &[f64], goal: f64, lambda: f64) -> Vec<f64> {
    let mut returns = vec![goal; values.len()];
    for step in (0..values.len().saturating_sub(1)).rev() {
        returns[step] = (1.0 - lambda) * values[step + 1] + lambda * returns[step + 1];
    }
    returns
}

/// The weights after learning from games, all changes by the weights of before.
fn learn_from(weighted: &Weighted, sample: &Sample, ends: &[usize]) -> Weighted {
    let values = sample.judge(weighted);
    let roles = sample.roles.len();
    let mut targets: Vec<Vec<f64>> = vec![Vec::new(); roles];
    for (role, targets) in targets.iter_mut().enumerate() {
        let mut begin = 0;
        for &end in ends {
            let own: Vec<f64> = (begin..end).map(|state| values[state * roles + role]).collect();
            targets.extend(returns(&own, sample.scores[role][begin], LAMBDA));
            begin = end;
        }
    }
    weighted.moved(sample, &targets, RATE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_by_hand() {
        // The last is the goal; before it 0.5 * 0.6 + 0.5 * 1 = 0.8, before that 0.5 * 0.4 + 0.5 * 0.8 = 0.6.
        let found = returns(&[0.5, 0.4, 0.6], 1.0, 0.5);
        assert!(
            found.iter().zip([0.6, 0.8, 1.0]).all(|(one, other)| (one - other).abs() < 1e-12),
            "{found:?}"
        );
        assert_eq!(returns(&[0.5, 0.4], 0.0, 1.0), [0.0, 0.0]);
        assert_eq!(returns(&[0.5, 0.4], 0.0, 0.0), [0.4, 0.0]);
        assert!(returns(&[], 1.0, 0.5).is_empty());
    }
}
