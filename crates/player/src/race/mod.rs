//! A race of settings for one game, on the start clock.
//!
//! First the game is looked at: which settings may suit it? Where two play, each of them plays short matches against
//! the usual settings, one after the other. Who does not draw both sides of its first opening level is out, and so is who does
//! not lead after six matches: many settings cost little, and a race in which nobody is left is over. After that those
//! that win more play more often (UCB1); tree and statistics are kept from move to move, as in a match. One is chosen if
//! its matches leave no doubt.
//!
//! With more or fewer roles all of them are asked the same questions: what to play in positions of a game half well, half
//! randomly played, each for the same short time, so that slow settings have fewer simulations. How good an answer is says
//! a search with the usual settings and eight times as long. Every few questions the worse half is out. One is chosen if
//! its answers say so clearly.
//!
//! In doubt the usual settings stay, and with them the tree that was built before; all of it takes no more than the time
//! and the memory it was given. The comparison goes on in a small part of every turn: by matches (`rivalry`) or by answers
//! (`tuning`).

mod candidate;
mod character;
mod evidence;
mod mind;
mod question;
mod rivalry;
mod runner;
mod tuning;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use engine::{Budget, Evaluator, Settings};
use game::{Dice, Game, RoleId, RuleFault, Simulator};
use search::Parameters;
use search::mcts::Search;
use search::mcts::policy::Policies;

pub(crate) use candidate::methods;
use candidate::{CANDIDATES, Candidate};
use character::Character;
use evidence::Evidence;
use mind::Mind;
pub(crate) use mind::options as look_ahead_options;
use question::{Bout, Question, Walk};
pub(crate) use rivalry::Rivalry;
use runner::{FEWEST_MATCHES, PROMISING, Runner, fewest_matches, record, sureness};
pub(crate) use tuning::Tuning;

/// Questions at most, and after how many the worse half is out.
const QUESTIONS: usize = 30;
const ROUND: usize = 6;
/// How many times longer the reference thinks.
const REFERENCE: u32 = 8;
/// A race with less time for an answer says nothing.
const SHORTEST: Duration = Duration::from_micros(500);
const LONGEST: Duration = Duration::from_millis(50);
/// Settings that are left after the last question.
const FINALISTS: usize = 3;
/// So many matches fit into the time, and one more for each of the settings, if a move takes as long as one may.
const MATCHES: f64 = 16.0;
/// The time for a move of a match.
const SHORTEST_MOVE: Duration = Duration::from_millis(5);
const LONGEST_MOVE: Duration = Duration::from_millis(20);
/// How much those that played few matches are favoured: about what the points of one match deviate by.
const MATCH_SPREAD: f64 = 0.5;
/// What is hoped of who has not played yet: who clearly leads plays on before that.
const HOPE: f64 = 0.45;
/// The part of the memory that the searches of a race may have together.
const MEMORY_PART: u32 = 8;

/// What says what states are worth.
pub(crate) type Heuristic<G> = Arc<dyn Evaluator<<G as Game>::State>>;

/// What methods that value states have learnt, by their names.
pub(crate) type Learnt<G> = Vec<(&'static str, Heuristic<G>)>;

/// How to play.
pub(crate) struct Setting<G: Simulator> {
    pub(crate) parameters: Parameters,
    /// What says what states are worth, if that is asked.
    pub(crate) heuristic: Option<Heuristic<G>>,
    /// Whether to look ahead to a depth by it in place of growing a tree.
    pub(crate) looks_ahead: bool,
}

/// What came of a race.
pub(crate) struct Verdict<G: Simulator> {
    /// What was chosen; `None` for the usual settings.
    pub(crate) chosen: Option<Setting<G>>,
    /// What was chosen and why.
    pub(crate) text: String,
    /// Goes on comparing the best ones by answers.
    pub(crate) tuning: Option<Tuning<G>>,
    /// Goes on comparing two by matches.
    pub(crate) rivalry: Option<Rivalry<G>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Questions,
    Matches,
    Over,
}

/// A race under way.
pub(crate) struct Race<G: Simulator> {
    game: Arc<G>,
    start: G::State,
    seed: u64,
    character: Character,
    /// The first has the usual settings.
    runners: Vec<Runner<G>>,
    /// How many began.
    entered: usize,
    reference: Search<G>,
    walk: Walk<G>,
    slice: Duration,
    /// The time for a move of a match.
    move_time: Duration,
    ends: Duration,
    /// When it ends if somebody is on the way to be chosen.
    latest: Duration,
    stage: Stage,
    asked: usize,
    /// A question, what the usual settings lost by their answer, and who is asked next.
    question: Option<(Question<G::State>, f64, usize)>,
    /// A match, and whose it is against the usual settings.
    bout: Option<(Bout<G>, usize)>,
    bouts: usize,
}

impl<G: Simulator> Race<G> {
    /// Looks at a game and begins; `None` if there is too little time, or nothing to race. Settings that ask for a
    /// method which has learnt nothing do not run. It has two ends: the later one if somebody is on the way to be chosen.
    pub(crate) fn begin(
        game: &Arc<G>,
        start: &G::State,
        (usual, policies, seed): (&Settings, &Policies, u64),
        learnt: &Learnt<G>,
        clock: &(dyn Fn() -> Duration + Sync),
        (ends, latest): (Duration, Duration),
    ) -> Result<Option<Self>, RuleFault> {
        let begun = clock();
        let look_ends = begun + ends.saturating_sub(begun) / 10;
        let character = character::read(&**game, start, seed, || clock() < look_ends)?;
        // Between two, matches tell more than answers do: short answers show no gain where there is one.
        let is_duel = game.role_count() - usize::from(game.chance().is_some()) == 2;
        let suits = |row: &&Candidate| {
            let is_judged = if is_duel { row.by_matches } else { row.by_answers };
            let has_learnt = row.evaluation.is_none_or(|method| find::<G>(learnt, method).is_some());
            (row.suits)(&character) && has_learnt && (is_judged || row.is_usual())
        };
        let entered: Vec<(&'static Candidate, Settings)> = CANDIDATES
            .iter()
            .filter(suits)
            .filter_map(|row| row.applied_to(usual).map(|settings| (row, settings)))
            .collect();
        let left = ends.saturating_sub(clock());
        // As each round halves the field, all of them together answer as often as in two rounds of all.
        let asked = 2 * ROUND * entered.len() + (1 + FINALISTS) * QUESTIONS;
        let answers = (asked + REFERENCE as usize * QUESTIONS) as f64;
        let slice = left.mul_f64(1.0 / answers).min(LONGEST);
        let shortest_match = SHORTEST_MOVE.mul_f64(character.length.max(1.0));
        let is_short = match is_duel {
            true => left < shortest_match * FEWEST_MATCHES as u32 / 2,
            false => slice < SHORTEST,
        };
        if character.deciders == 0 || entered.len() < 2 || is_short {
            return Ok(None);
        }
        let share = |parameters: &Parameters| {
            // Nobody is asked questions where matches are played.
            let all = entered.len() as u32 + if is_duel { 0 } else { REFERENCE + 2 };
            (parameters.memory / MEMORY_PART / all).max(1)
        };
        let search = |parameters: &Parameters, parts: u32| {
            let memory = share(parameters) * parts;
            let small = Parameters { memory, threads: 1, resist: 0, ..parameters.clone() };
            Search::new(Arc::clone(game), start.clone(), small, seed)
        };
        let runner = |(candidate, settings): &(&'static Candidate, Settings)| {
            let parameters = Parameters::read(settings, policies);
            let heuristic = candidate.evaluation.and_then(|method| find::<G>(learnt, method));
            let mind = match &heuristic {
                Some(heuristic) if candidate.looks_ahead => {
                    let bytes = (share(&parameters) as usize) << 20;
                    Mind::looking_ahead(game, start, Arc::clone(heuristic), bytes, seed)
                }
                _ => {
                    let mut search = search(&parameters, 1);
                    if let Some(heuristic) = &heuristic {
                        search.set_heuristic(Arc::clone(heuristic));
                    }
                    Mind::Tree(Box::new(search))
                }
            };
            let (gains, points) = (Evidence::default(), Evidence::default());
            Runner { candidate, parameters, heuristic, mind, gains, points }
        };
        let runners: Vec<Runner<G>> = entered.iter().map(runner).collect();
        let matches = MATCHES + entered.len() as f64;
        let move_time = left.mul_f64(1.0 / (matches * character.length.max(1.0)));
        let reference = search(&runners[0].parameters, REFERENCE);
        let walker = search(&runners[0].parameters, 1);
        Ok(Some(Self {
            walk: Walk::new(Arc::clone(game), start.clone(), walker, seed),
            game: Arc::clone(game),
            start: start.clone(),
            seed,
            character,
            entered: runners.len(),
            runners,
            reference,
            slice,
            move_time: move_time.clamp(SHORTEST_MOVE, LONGEST_MOVE),
            ends,
            latest,
            stage: if is_duel { Stage::Matches } else { Stage::Questions },
            asked: 0,
            question: None,
            bout: None,
            bouts: 0,
        }))
    }

    /// Whether nothing is left to do.
    pub(crate) fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// One answer, or one move of a match.
    pub(crate) fn step(&mut self, budget: &Budget<'_>) -> Result<(), RuleFault> {
        let now = (budget.clock)();
        match self.stage {
            _ if now >= self.latest || now >= self.ends && !self.is_promising() => self.stage = Stage::Over,
            Stage::Questions if self.asked >= QUESTIONS => self.stage = Stage::Over,
            Stage::Questions => self.ask(budget)?,
            Stage::Matches => self.play(budget)?,
            Stage::Over => {}
        }
        Ok(())
    }

    /// Whether somebody won most matches, and too few to be chosen.
    fn is_promising(&self) -> bool {
        let rivals = self.runners.iter().skip(1);
        let mut records = rivals.map(|rival| &rival.points).filter(|points| points.count() > 1);
        let is_chosen = |points: &Evidence| self.sureness(&Evidence::default(), points).is_some();
        records.clone().all(|points| !is_chosen(points)) && records.any(|points| points.mean() >= PROMISING)
    }

    /// A part of the time from now on.
    fn part<'a>(&self, budget: &Budget<'a>, slices: u32) -> Budget<'a> {
        let until = (budget.clock)() + self.slice * slices;
        Budget { until: Some(until.min(self.ends)), simulations: None, ..*budget }
    }

    fn ask(&mut self, budget: &Budget<'_>) -> Result<(), RuleFault> {
        let seed = self.seed.wrapping_add(self.asked as u64);
        let Some((question, usual, place)) = &mut self.question else {
            let (state, role) = self.walk.next_position(budget)?;
            let time = self.part(budget, REFERENCE);
            let question = Question::answered_by(&mut self.reference, state, role, seed, &time)?;
            self.question = question.filter(|_| !is_stopped(budget)).map(|question| (question, 0.0, 0));
            return Ok(());
        };
        let until = ((budget.clock)() + self.slice).min(self.ends);
        let time = Budget { until: Some(until), simulations: None, ..*budget };
        let runner = &mut self.runners[*place];
        let loss = question.loss_of(&mut runner.mind, seed, &time)?;
        if is_stopped(budget) {
            return Ok(());
        }
        match *place {
            0 => *usual = loss,
            _ => runner.gains.add(*usual - loss),
        }
        *place += 1;
        if *place >= self.runners.len() {
            self.question = None;
            self.asked += 1;
            if self.asked.is_multiple_of(ROUND) {
                self.halve();
            }
        }
        Ok(())
    }

    /// The worse half is out.
    fn halve(&mut self) {
        self.runners[1..].sort_by(|one, other| other.gains.mean().total_cmp(&one.gains.mean()));
        self.runners.truncate(1 + (self.runners.len() / 2).max(FINALISTS));
    }

    fn play(&mut self, budget: &Budget<'_>) -> Result<(), RuleFault> {
        let Some((bout, place)) = &mut self.bout else {
            let Some(place) = self.next_rival() else {
                self.stage = Stage::Over;
                return Ok(());
            };
            // All of them play the same openings, each on both sides.
            let played = self.runners[place].points.count();
            let dice = Dice::stream(self.seed ^ 0x5eed, played as u64 / 2);
            let manner = (played % 2, self.character.at_once == 0.0);
            self.bout = Some((Bout::new(Arc::clone(&self.game), &self.start, manner, dice)?, place));
            return Ok(());
        };
        let until = (budget.clock)() + self.move_time;
        let time = Budget { until: Some(until.min(self.latest)), simulations: None, ..*budget };
        let (usual, others) = self.runners.split_at_mut(1);
        let rival = &mut others[*place - 1];
        let ended = bout.step(&mut rival.mind, &mut usual[0].mind, &time)?;
        if is_stopped(budget) {
            self.bout = None;
        } else if let Some(points) = ended {
            rival.points.add(points - 0.5);
            self.bout = None;
            self.bouts += 1;
        }
        Ok(())
    }

    /// Who plays next: who is on trial, else by UCB1, and of those who have not played the first one first; `None` if there is
    /// nothing left to find out.
    fn next_rival(&self) -> Option<usize> {
        let rivals = || self.runners.iter().enumerate().skip(1);
        if let Some((place, _)) = rivals().find(|(_, rival)| rival.is_on_trial()) {
            return Some(place);
        }
        let promise = |rival: &Runner<G>| match rival.points.count() {
            0 => HOPE,
            played => {
                let all = self.bouts as f64;
                rival.points.mean() + MATCH_SPREAD * (all.ln() / played as f64).sqrt()
            }
        };
        let left = rivals().filter(|(_, rival)| !rival.is_out()).rev();
        let best = left.max_by(|(_, one), (_, other)| promise(one).total_cmp(&promise(other)));
        best.filter(|(_, rival)| !rival.is_settled()).map(|(place, _)| place)
    }

    /// How sure it is that settings are better than the usual ones, by matches or else by their answers; `None` if they
    /// are not to be chosen.
    fn sureness(&self, gains: &Evidence, points: &Evidence) -> Option<f64> {
        sureness(gains, points, fewest_matches(self.entered - 1))
    }

    /// What came of it, with what is known by now.
    pub(crate) fn end(mut self) -> Verdict<G> {
        let rated = self.runners.iter().enumerate().skip(1);
        let rated =
            rated.filter_map(|(place, runner)| Some((self.sureness(&runner.gains, &runner.points)?, place)));
        let best = rated.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, place)| place);
        let (played, waited): (Vec<_>, Vec<_>) = self.runners.iter().skip(1).partition(|one| one.is_judged());
        let mut told: Vec<String> = played.into_iter().map(record).collect();
        match waited.len() {
            0 => {}
            some => told.push(format!("{some} did not come to play")),
        }
        let told = if told.is_empty() { "nobody was judged".to_owned() } else { told.join("; ") };
        let name = self.runners[best.unwrap_or(0)].candidate.name;
        let verb = if best.is_some() { "chose" } else { "kept" };
        let text = format!(
            "{verb} {name} of {} settings after {} questions and {} matches: {told} ({})",
            self.entered, self.asked, self.bouts, self.character
        );
        let chosen = best.map(|place| self.runners[place].setting());
        // What matches have judged answers do not replace.
        if self.bouts > 0 {
            return Verdict { chosen, text, tuning: None, rivalry: self.rivalry(best) };
        }
        let goes_on = self.runners.len() > 1;
        let tuning = goes_on.then(|| Tuning::new(self.runners, self.seed));
        Verdict { chosen, text, tuning, rivalry: None }
    }

    /// Who plays, and who is compared with it from now on: the usual settings where others were chosen, else the best
    /// of those that came near them.
    fn rivalry(&mut self, best: Option<usize>) -> Option<Rivalry<G>> {
        let is_near = |points: &Evidence| points.count() > 1 && points.mean() >= -PROMISING;
        let rivals = self.runners.iter().enumerate().skip(1).rev();
        let nearest = rivals
            .filter(|(_, rival)| is_near(&rival.points))
            .max_by(|(_, one), (_, other)| one.points.mean().total_cmp(&other.points.mean()));
        let other = best.or(nearest.map(|(place, _)| place))?;
        let other = self.runners.swap_remove(other);
        let usual = self.runners.swap_remove(0);
        let two = if best.is_some() { (other, usual) } else { (usual, other) };
        let manner = (self.character.at_once == 0.0, self.move_time);
        Some(Rivalry::new(Arc::clone(&self.game), two, manner, self.seed))
    }
}

/// What a method has learnt.
fn find<G: Simulator>(learnt: &Learnt<G>, method: &str) -> Option<Heuristic<G>> {
    learnt.iter().find(|(name, _)| *name == method).map(|(_, heuristic)| Arc::clone(heuristic))
}

/// Whether somebody waits: what was cut short is no answer.
fn is_stopped(budget: &Budget<'_>) -> bool {
    budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
}

/// What a search would play for a role in a position, after some time.
fn answer<G: Simulator>(
    search: &mut Search<G>,
    state: &G::State,
    role: RoleId,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<Option<search::mcts::Advice>, RuleFault> {
    search.play_for(role);
    search.restart(state, seed);
    think(search, role, budget)
}

/// What a search would play for a role where it stands, after some time.
fn think<G: Simulator>(
    search: &mut Search<G>,
    role: RoleId,
    budget: &Budget<'_>,
) -> Result<Option<search::mcts::Advice>, RuleFault> {
    search.run(&Budget { turn_ends: budget.until, ..*budget })?;
    Ok(search.advice(role))
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::game as test_game;
