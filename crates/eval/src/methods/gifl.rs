//! Game independent feature learning (Kirci, Sturtevant and Schaeffer 2011).
//!
//! Random games show how they are won: around the end of each a tree of two plies is looked at. Of the facts of the last
//! state those are needed without which it is no win; what of them was there a move before, with what the move took away,
//! is an offensive feature: whoever has all of it and is to move wins. The same facts without the turn are a threat, which
//! the other side has to stop: a defensive feature. The paper plays a feature of value 100 at once in playouts, and
//! others by e^(V / tau) with tau = 0.5; here the numbers of features are what states are valued by,
//! with weights that are learnt, so that every engine can use them.

use super::MethodRow;
use crate::knowledge::{Group, TOGETHER};
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught};
use crate::weighted::{self, Source};
use game::{Describe, Dice, Expansion, Expansions, Game, GoalReading, MoveId, Simulator};
use machine::{ErasedGame, ErasedState, Limits, Wanted};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) const ROW: MethodRow = MethodRow {
    name: "gifl",
    source: "Kirci, Sturtevant and Schaeffer 2011",
    help: "what was there a move before wins: offensive and defensive features, their numbers weighted",
    derived: false,
    learn,
};

/// Random games that are played, and ends that are looked at, at most.
const GAMES: usize = 512;
const MOST_ENDS: usize = 150;

/// Steps after which a random game is given up.
const MOST_STEPS: usize = 500;

/// Features of a role at most, those first that were met most often.
const MOST_FEATURES: usize = 400;

/// The goal that a win is.
const WIN: u8 = 100;

/// The end of a game: who won, the state before and the last one.
struct End {
    winner: usize,
    before: ErasedState,
    last: ErasedState,
}

/// What wins for whoever is to move: facts, by their numbers.
type Pattern = Vec<u32>;

/// The features of all roles.
#[derive(Default)]
struct Gifl {
    facts: Vec<String>,
    names: Vec<String>,
    /// For each role the patterns with which it wins at once if it is to move.
    offensive: Vec<Vec<Pattern>>,
    /// The same without whose turn it is: what others have to stop.
    defensive: Vec<Vec<Pattern>>,
}

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    // A state without one of its facts is seldom one that can be reached, and circuits are right about those only.
    let plain = machine::from_rules(lesson.rules()?, Wanted::Reference, &Limits::generous());
    let plain = plain.map_err(|error| LearnError::TooLarge(error.to_string()))?.erased();
    let (ends, steps) = play(lesson)?;
    let turns = turns(&steps, lesson.game.role_count());
    let mut found: Vec<FxHashMap<Vec<String>, usize>> = vec![FxHashMap::default(); lesson.game.role_count()];
    for end in &ends {
        lesson.check()?;
        if let Some(pattern) = pattern(lesson, &plain, end, &turns)? {
            *found[end.winner].entry(pattern).or_default() += 1;
        }
    }
    let gifl = Gifl::new(found, &turns, lesson.game.roles());
    if gifl.offensive.iter().all(Vec::is_empty) {
        return Err(LearnError::NothingFound);
    }
    weighted::learn(lesson, Box::new(gifl), "wins at once and threats")
}

/// A step of a random game.
struct Step {
    /// Facts that went, and facts that came.
    went: Vec<String>,
    came: Vec<String>,
    /// Relations that had one fact before.
    single: FxHashSet<String>,
}

/// The step from one state to the next.
fn step(before: &[String], after: &[String]) -> Step {
    let (went, came) = difference(before, after);
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    before.iter().for_each(|fact| *counts.entry(relation(fact)).or_default() += 1);
    let single = counts.into_iter().filter(|(_, count)| *count == 1).map(|(name, _)| name.to_owned());
    Step { went, came, single: single.collect() }
}

/// Plays random games side by side: their ends, and some steps.
fn play(lesson: &Lesson<'_>) -> Result<(Vec<End>, Vec<Step>), LearnError> {
    let game = &*lesson.game;
    let mut workspace = game.workspace();
    let mut dice = Dice::stream(lesson.seed, 0x6769_666C);
    let initial = game.initial();
    let mut walks: Vec<(ErasedState, Option<ErasedState>)> = vec![(initial, None); GAMES];
    let (mut ends, mut steps): (Vec<End>, Vec<Step>) = (Vec::new(), Vec::new());
    let (mut expansions, mut joints, mut next) = (Expansions::new(), Vec::<MoveId>::new(), Vec::new());
    let mut goals: Vec<GoalReading> = Vec::new();
    for made in 0..MOST_STEPS {
        if walks.is_empty() || ends.len() >= MOST_ENDS {
            break;
        }
        lesson.check()?;
        if made > 0 {
            let (now, before) = &walks[0];
            steps.extend(before.as_ref().map(|before| step(&game.facts(before), &game.facts(now))));
        }
        let states: Vec<&ErasedState> = walks.iter().map(|walk| &walk.0).collect();
        game.expand_all(&mut workspace, &states, &mut expansions)?;
        joints.clear();
        let mut moving = Vec::new();
        for ((state, before), choices) in walks.drain(..).zip(expansions.iter()) {
            if choices.is_terminal() {
                game.goals(&mut workspace, &state, &mut goals)?;
                let won = |goal: &GoalReading| goal.value().0 == WIN;
                let winners: Vec<usize> = (0..goals.len()).filter(|&role| won(&goals[role])).collect();
                // What everybody wins nobody wins by a move of his own, but who plays alone does.
                if let ([winner], Some(before)) = (&winners[..], before) {
                    ends.push(End { winner: *winner, before, last: state });
                }
            } else if choices.stuck_role().is_none() {
                joints.extend(choices.by_role().map(|legal| legal[dice.below(legal.len())]));
                moving.push(state);
            }
        }
        game.apply_all(&mut workspace, &moving.iter().collect::<Vec<_>>(), &joints, &mut next)?;
        walks.extend(next.drain(..).zip(moving.into_iter().map(Some)));
    }
    if ends.is_empty() {
        return Err(LearnError::NothingFound);
    }
    Ok((ends, steps))
}

/// The facts that went and those that came.
fn difference(before: &[String], after: &[String]) -> (Vec<String>, Vec<String>) {
    let (old, new): (FxHashSet<&String>, FxHashSet<&String>) =
        (before.iter().collect(), after.iter().collect());
    let went = before.iter().filter(|fact| !new.contains(fact)).cloned().collect();
    let came = after.iter().filter(|fact| !old.contains(fact)).cloned().collect();
    (went, came)
}

/// The relations that say whose turn it is, and those that count steps.
#[derive(Debug, Default, PartialEq)]
struct Turns {
    /// One fact of it holds at a time and another one next, and there are no more of them than roles.
    turn: FxHashSet<String>,
    /// As above, but with more facts.
    counting: FxHashSet<String>,
}

fn relation(fact: &str) -> &str {
    let inside = fact.strip_prefix('(').unwrap_or(fact);
    inside.split([' ', ')']).next().unwrap_or(inside)
}

fn turns(steps: &[Step], roles: usize) -> Turns {
    let mut met: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
    for fact in steps.iter().flat_map(|step| step.went.iter().chain(&step.came)) {
        met.entry(relation(fact)).or_default().insert(fact);
    }
    let mut turns = Turns::default();
    for (name, facts) in met {
        let changes =
            |step: &Step| step.single.contains(name) && step.went.iter().any(|fact| relation(fact) == name);
        if steps.iter().all(changes) {
            let kind = if facts.len() <= roles { &mut turns.turn } else { &mut turns.counting };
            kind.insert(name.to_owned());
        }
    }
    turns
}

/// What a winner had a move before: the facts of the end that it is no win without, as far as they were there, and what
/// the last move took away.
fn pattern(
    lesson: &Lesson<'_>,
    plain: &ErasedGame,
    end: &End,
    turns: &Turns,
) -> Result<Option<Vec<String>>, LearnError> {
    let (before, last) = (lesson.game.facts(&end.before), lesson.game.facts(&end.last));
    let game = plain;
    let mut workspace = game.workspace();
    let (mut needed, mut goals, mut expansion) = (Vec::new(), Vec::new(), Expansion::new());
    for left_out in 0..last.len() {
        let rest = last.iter().enumerate().filter(|(place, _)| *place != left_out);
        let rest: Vec<&str> = rest.map(|(_, fact)| fact.as_str()).collect();
        let Some(state) = game.state_of(&rest) else { continue };
        game.goals(&mut workspace, &state, &mut goals)?;
        let still_won = goals[end.winner].value().0 == WIN;
        let is_over = still_won && {
            game.expand(&mut workspace, &state, &mut expansion)?;
            expansion.is_terminal()
        };
        if !is_over {
            needed.push(&last[left_out]);
        }
    }
    let there: FxHashSet<&String> = before.iter().collect();
    if needed.iter().all(|fact| there.contains(fact)) {
        return Ok(None);
    }
    let kept = needed.iter().filter(|fact| there.contains(**fact)).map(|fact| (*fact).clone());
    let (went, _) = difference(&before, &last);
    let mut pattern: Vec<String> = kept.chain(went).collect();
    pattern.retain(|fact| !turns.counting.contains(relation(fact)));
    pattern.sort();
    pattern.dedup();
    Ok((!pattern.is_empty()).then_some(pattern))
}

impl Gifl {
    fn new(found: Vec<FxHashMap<Vec<String>, usize>>, turns: &Turns, roles: &[String]) -> Self {
        let mut gifl = Self::default();
        let mut places: FxHashMap<String, u32> = FxHashMap::default();
        for found in found {
            let mut often: Vec<(Vec<String>, usize)> = found.into_iter().collect();
            often.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
            often.truncate(MOST_FEATURES);
            let mut place = |fact: &String| {
                let next = places.len() as u32;
                *places.entry(fact.clone()).or_insert_with(|| {
                    gifl.facts.push(fact.clone());
                    next
                })
            };
            let offensive: Vec<Pattern> =
                often.iter().map(|(facts, _)| facts.iter().map(&mut place).collect()).collect();
            let mut lasting = |facts: &Vec<String>| -> Pattern {
                let lasting = facts.iter().filter(|fact| !turns.turn.contains(relation(fact)));
                lasting.map(&mut place).collect()
            };
            let defensive: FxHashSet<Pattern> = often.iter().map(|(facts, _)| lasting(facts)).collect();
            gifl.offensive.push(offensive);
            gifl.defensive.push(defensive.into_iter().filter(|pattern| !pattern.is_empty()).collect());
        }
        gifl.defensive.iter_mut().for_each(|patterns| patterns.sort());
        gifl.names.extend(roles.iter().map(|role| format!("{role} wins at once (offensive)")));
        gifl.names.extend(roles.iter().map(|role| format!("threats of {role} (defensive)")));
        gifl
    }
}

/// Threats that are counted: two at once cannot be stopped, and more are no worse.
const MOST_COUNTED: f32 = 2.0;

impl Source for Gifl {
    fn facts(&self) -> &[String] {
        &self.facts
    }

    fn wants_moves(&self) -> bool {
        false
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&self, group: &Group<'_>, out: &mut [f32]) {
        let kinds = self.offensive.iter().map(|own| (own, 1.0));
        let kinds = kinds.chain(self.defensive.iter().map(|own| (own, MOST_COUNTED)));
        for ((patterns, most), room) in kinds.zip(out.chunks_mut(TOGETHER)) {
            for pattern in patterns {
                for word in 0..group.states.div_ceil(64) {
                    let facts = pattern.iter().map(|&fact| group.facts[fact as usize][word]);
                    let mut rest = facts.fold(u64::MAX, |all, fact| all & fact);
                    while rest != 0 {
                        let value = &mut room[64 * word + rest.trailing_zeros() as usize];
                        *value = (*value + 1.0).min(most);
                        rest &= rest - 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use game::Describe;

    fn tic_tac_toe() -> Arc<ErasedGame> {
        let rules = bundled::find("tic-tac-toe").expect("bundled").rules;
        machine::from_text(rules, Wanted::Reference, &Limits::generous()).expect("small").erased()
    }

    #[test]
    fn a_line_of_three_was_one_of_two_before() {
        let game = tic_tac_toe();
        let lesson = Lesson { game: Arc::clone(&game), ..Lesson::new(&game, None, 1, &|| true) };
        let (ends, steps) = play(&lesson).expect("games end");
        let turns = turns(&steps, 2);
        assert_eq!(turns.turn.iter().map(String::as_str).collect::<Vec<_>>(), ["control"]);
        assert!(turns.counting.is_empty());
        for end in ends.iter().take(20) {
            let pattern = pattern(&lesson, &game, end, &turns).expect("no fault");
            // Two lines at once have more than one fact that is not needed by itself.
            let Some(pattern) = pattern else { continue };
            let mark = [" x)", " o)"][end.winner];
            let own = pattern.iter().filter(|fact| fact.ends_with(mark) && fact.starts_with("(cell")).count();
            let empty = pattern.iter().filter(|fact| fact.ends_with(" empty)")).count();
            let turn = pattern.iter().filter(|fact| fact.starts_with("(control")).count();
            assert!(own <= 2 && empty == 1 && turn == 1 && pattern.len() == own + 2, "{pattern:?}");
        }
    }

    #[test]
    fn patterns_are_counted_by_hand() {
        let pattern = |facts: &[&str]| facts.iter().map(|fact| (*fact).to_owned()).collect::<Vec<_>>();
        let turns = Turns { turn: std::iter::once("control".to_owned()).collect(), ..Turns::default() };
        let found = vec![
            FxHashMap::from_iter([
                (pattern(&["(cell 1 x)", "(control x)"]), 3),
                (pattern(&["(cell 2 x)", "(control x)"]), 1),
                (pattern(&["(cell 1 x)", "(cell 2 x)", "(control x)"]), 1),
            ]),
            FxHashMap::default(),
        ];
        let gifl = Gifl::new(found, &turns, &["x".to_owned(), "o".to_owned()]);
        assert_eq!(gifl.facts, ["(cell 1 x)", "(control x)", "(cell 2 x)"]);
        // State 0 has all, state 1 both cells, state 2 the turn.
        let lanes = |bits: u64| std::array::from_fn(|word| if word == 0 { bits } else { 0 });
        let facts: Vec<[u64; 8]> = [0b011, 0b101, 0b011].map(lanes).to_vec();
        let mut out = vec![0.0; 4 * TOGETHER];
        gifl.read(&Group { facts: &facts, moves: &[], states: 3 }, &mut out);
        assert_eq!(out[..3], [1.0, 0.0, 0.0]);
        assert_eq!(out[2 * TOGETHER..][..3], [2.0, 2.0, 0.0]);
        assert_eq!(out[3 * TOGETHER..][..3], [0.0; 3]);
        assert_eq!(relation("(cell 1 x)"), "cell");
        assert_eq!(relation("done"), "done");
    }

    #[test]
    fn differences_are_what_came_and_went() {
        let of = |facts: &[&str]| facts.iter().map(|fact| (*fact).to_owned()).collect::<Vec<_>>();
        assert_eq!(difference(&of(&["a", "b"]), &of(&["b", "c"])), (of(&["a"]), of(&["c"])));
        assert_eq!(tic_tac_toe().roles(), ["x", "o"]);
        // What counts steps is told from whose turn it is by how many there are of it.
        let turn = |number: usize| format!("(control {})", ["x", "o"][number % 2]);
        let state = |number: usize| {
            vec![turn(number), format!("(step {number})"), "(cell 1 b)".to_owned(), "(cell 2 b)".to_owned()]
        };
        let steps: Vec<Step> = (0..4).map(|number| step(&state(number), &state(number + 1))).collect();
        let of = |name: &str| std::iter::once(name.to_owned()).collect();
        assert_eq!(turns(&steps, 2), Turns { turn: of("control"), counting: of("step") });
    }
}
