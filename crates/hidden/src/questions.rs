//! Games of questions: what is hidden stays as it is, and a move tells something of it or ends the game.
//!
//! A position of such a game is a secret and how many questions were asked, and what is told of a question does not depend
//! on those before it: one table of answers has all of the game. Whether a game is of this kind is never assumed. Every
//! step that may follow is looked at, and one that does not fit makes it another game.
//!
//! Such a table bounds what can be found out. If a question ends the game well for one secret at most and has so many other
//! answers, then after two questions so many secrets are found at most, and so on: however the rest is asked about,
//! it is found later. Knuth 1977 has the same thought for mastermind.

use rustc_hash::FxHashMap;

use crate::transitions::{Moves, Place, Row, Told, Transitions};

/// What a game is worth, 0 to 100, added up over secrets.
pub(crate) type Points = i32;

/// Likelihoods that differ by a smaller part are equal.
const EVEN: f64 = 1e-9;

/// Secrets that are possible after so many questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    pub(crate) asked: usize,
    /// In order.
    pub(crate) secrets: Vec<u16>,
}

/// A game of questions, from some equally likely positions on.
#[derive(Debug)]
pub(crate) struct Questions {
    /// For each position how many questions were asked before it, and its secret.
    places: FxHashMap<Place, (usize, u16)>,
    secrets: usize,
    /// What is answered, question after question, for each secret.
    answers: Vec<u8>,
    /// For each number of questions asked, and each answer, what the game ends with, if it does.
    endings: Vec<Vec<Option<Points>>>,
    /// For each number of questions asked, and each number of secrets, what these are worth at most.
    most: Vec<Vec<Points>>,
    /// For each number of questions asked what each secret is worth to who knows it.
    alone: Vec<Vec<Points>>,
    /// For each secret a question that ends the game with as much as any, if it is the first.
    finders: Vec<u16>,
}

impl Questions {
    /// The game that begins with some positions; `None` if it is another one.
    pub(crate) fn read<State>(transitions: &Transitions<State>, positions: &[(Place, f64)]) -> Option<Self> {
        let &(first, share) = positions.first()?;
        let Row::Open { moves, .. } = transitions.row(first) else { return None };
        let is_even = positions.iter().all(|(_, weight)| (weight - share).abs() < EVEN * share);
        let count = transitions.moves(*moves).len();
        if !is_even || positions.len().max(count) > usize::from(u16::MAX) {
            return None;
        }
        let mut reading = Reading::new(*moves, count, positions.len());
        let mut layer: Option<Vec<Place>> = Some(positions.iter().map(|(place, _)| *place).collect());
        while let Some(places) = layer {
            layer = reading.layer(transitions, &places)?;
        }
        reading.finish()
    }

    /// Some positions of the game, equally likely ones; `None` if it does not have them.
    pub(crate) fn find(&self, positions: &[(Place, f64)]) -> Option<Set> {
        let share = positions.first()?.1;
        let asked = self.places.get(&positions.first()?.0)?.0;
        let secret = |(place, weight): &(Place, f64)| {
            let &(before, secret) = self.places.get(place)?;
            (before == asked && (weight - share).abs() < EVEN * share).then_some(secret)
        };
        let mut secrets: Vec<u16> = positions.iter().map(secret).collect::<Option<_>>()?;
        secrets.sort_unstable();
        Some(Set { asked, secrets })
    }

    /// How many questions there are.
    pub(crate) fn count(&self) -> usize {
        self.answers.len() / self.secrets
    }

    /// How many secrets there are.
    pub(crate) fn secrets(&self) -> usize {
        self.secrets
    }

    /// What is answered to a question, for each secret.
    pub(crate) fn answers(&self, question: u16) -> &[u8] {
        &self.answers[usize::from(question) * self.secrets..][..self.secrets]
    }

    /// What so many secrets are worth at most.
    pub(crate) fn most(&self, asked: usize, secrets: usize) -> Points {
        self.most[asked][secrets]
    }

    /// What a secret is worth to who knows it.
    pub(crate) fn alone(&self, asked: usize, secret: u16) -> Points {
        self.alone[asked][usize::from(secret)]
    }

    /// A question that ends the game with as much as any for a secret.
    pub(crate) fn finder(&self, secret: u16) -> u16 {
        self.finders[usize::from(secret)]
    }

    /// What some secrets are worth at most after a question.
    pub(crate) fn bound(&self, asked: usize, secrets: &[u16], question: u16) -> Points {
        let row = self.answers(question);
        let endings = &self.endings[asked];
        let mut counts = [0u16; 1 << 8];
        for &secret in secrets {
            counts[usize::from(row[usize::from(secret)])] += 1;
        }
        let mut total = 0;
        for (&count, ending) in counts.iter().zip(endings).filter(|(count, _)| **count > 0) {
            total += match ending {
                Some(points) => points * Points::from(count),
                None => self.most[asked + 1][usize::from(count)],
            };
        }
        total
    }

    /// What some secrets are worth after a question, if no two that are left have the same answer.
    pub(crate) fn if_told_apart(&self, asked: usize, secrets: &[u16], question: u16) -> Option<Points> {
        let row = self.answers(question);
        let mut is_met = [false; 1 << 8];
        let mut total = 0;
        for &secret in secrets {
            let answer = usize::from(row[usize::from(secret)]);
            total += match self.endings[asked][answer] {
                Some(points) => points,
                None if std::mem::replace(&mut is_met[answer], true) => return None,
                None => self.alone(asked + 1, secret),
            };
        }
        Some(total)
    }

    /// What a question ends the game with, added up, and the secrets of each other answer.
    pub(crate) fn parts(&self, asked: usize, secrets: &[u16], question: u16) -> (Points, Vec<Vec<u16>>) {
        let row = self.answers(question);
        let mut ended = 0;
        let mut parts: Vec<Vec<u16>> = vec![Vec::new(); self.endings[asked].len()];
        for &secret in secrets {
            let answer = usize::from(row[usize::from(secret)]);
            match self.endings[asked][answer] {
                Some(points) => ended += points,
                None => parts[answer].push(secret),
            }
        }
        parts.retain(|part| !part.is_empty());
        (ended, parts)
    }
}

/// A game as far as it was found to be one of questions.
struct Reading {
    list: Moves,
    secrets: usize,
    places: FxHashMap<Place, (usize, u16)>,
    answers: Vec<u8>,
    /// What is told by each answer.
    told: Vec<Told>,
    /// For each answer what the game ended with after each number of questions.
    endings: Vec<Vec<Option<Points>>>,
    asked: usize,
}

impl Reading {
    fn new(list: Moves, questions: usize, secrets: usize) -> Self {
        Self {
            list,
            secrets,
            places: FxHashMap::default(),
            answers: vec![0; questions * secrets],
            told: Vec::new(),
            endings: Vec::new(),
            asked: 0,
        }
    }

    /// Reads the steps from the positions of all secrets after one more question; `None` if they do not fit, and
    /// otherwise the positions that follow, if the game goes on.
    fn layer<State>(
        &mut self,
        transitions: &Transitions<State>,
        layer: &[Place],
    ) -> Option<Option<Vec<Place>>> {
        // An answer is what it was before, and what the game ends with now.
        let mut known: FxHashMap<(u32, Option<Points>), u8> = FxHashMap::default();
        let (mut told, mut endings) = (Vec::new(), Vec::new());
        let mut next = Vec::with_capacity(layer.len());
        for (secret, &place) in layer.iter().enumerate() {
            if self.places.insert(place, (self.asked, secret as u16)).is_some() {
                return None;
            }
            let Row::Open { moves, each: 1, outcomes } = transitions.row(place) else { return None };
            if *moves != self.list {
                return None;
            }
            let mut follows = None;
            for (question, outcome) in outcomes.iter().enumerate() {
                let ending = match transitions.row(outcome.next) {
                    Row::Over(value) => Some((value * 100.0).round() as Points),
                    // Where it goes on does not depend on what was asked.
                    Row::Open { .. } if *follows.get_or_insert(outcome.next) == outcome.next => None,
                    _ => return None,
                };
                let answer = &mut self.answers[question * self.secrets + secret];
                let before = if self.asked == 0 { outcome.told.0 } else { u32::from(*answer) };
                // What was told earlier is told again.
                if self.asked > 0 && self.told[usize::from(*answer)] != outcome.told {
                    return None;
                }
                let number = match known.get(&(before, ending)) {
                    Some(&number) => number,
                    None => {
                        let fresh = u8::try_from(told.len()).ok()?;
                        let earlier = self.endings.get(usize::from(*answer)).cloned().unwrap_or_default();
                        endings.push(earlier.into_iter().chain([ending]).collect::<Vec<_>>());
                        told.push(outcome.told);
                        *known.entry((before, ending)).or_insert(fresh)
                    }
                };
                *answer = number;
            }
            next.push(follows);
        }
        (self.told, self.endings) = (told, endings);
        self.asked += 1;
        match next.iter().all(Option::is_none) {
            true => Some(None),
            false => next.into_iter().collect::<Option<Vec<Place>>>().map(Some),
        }
    }

    /// The game; `None` if who goes on is not told enough to know the answer.
    fn finish(self) -> Option<Questions> {
        let goes_on: Vec<bool> = self.endings.iter().map(|ends| ends.iter().any(Option::is_none)).collect();
        let mut open: Vec<Told> =
            self.told.iter().zip(&goes_on).filter(|(_, goes_on)| **goes_on).map(|(told, _)| *told).collect();
        open.sort_unstable();
        if open.windows(2).any(|two| two[0] == two[1]) {
            return None;
        }
        let by_count = |asked: usize| self.endings.iter().map(|ends| ends[asked]).collect();
        let endings: Vec<Vec<Option<Points>>> = (0..self.asked).map(by_count).collect();
        let is_worth = |answer: &u8| self.endings[usize::from(*answer)].iter().flatten().any(|&end| end > 0);
        let (mut found, mut ways) = (0, 0);
        for row in self.answers.chunks(self.secrets) {
            found = found.max(row.iter().filter(|answer| is_worth(answer)).count());
            let mut is_met = vec![false; self.told.len()];
            row.iter().for_each(|&answer| is_met[usize::from(answer)] = true);
            ways = ways.max(is_met.iter().zip(&goes_on).filter(|(met, open)| **met && **open).count());
        }
        let most =
            (0..self.asked).map(|asked| ladder(&endings[asked..], found, ways, self.secrets)).collect();
        let (alone, finders) = singles(&self.answers, &endings, self.secrets);
        let Self { places, secrets, answers, .. } = self;
        Some(Questions { places, secrets, answers, endings, most, alone, finders })
    }
}

/// What each number of secrets is worth at most if a question finds so many, and has so many other answers.
fn ladder(endings: &[Vec<Option<Points>>], found: usize, ways: usize, secrets: usize) -> Vec<Points> {
    let best: Vec<Points> =
        endings.iter().map(|ends| ends.iter().flatten().copied().max().unwrap_or(0)).collect();
    let mut total = vec![0];
    let mut room = found;
    for later in 0..best.len() {
        let worth = best[later..].iter().copied().max().unwrap_or(0);
        for _ in 0..room.min(secrets + 1 - total.len()) {
            total.push(total[total.len() - 1] + worth);
        }
        room = room.saturating_mul(ways);
    }
    // What is never found is worth nothing.
    total.resize(secrets + 1, total[total.len() - 1]);
    total
}

/// What each secret is worth to who knows it after each number of questions; and the question that finds it.
fn singles(answers: &[u8], endings: &[Vec<Option<Points>>], secrets: usize) -> (Vec<Vec<Points>>, Vec<u16>) {
    let mut alone = vec![vec![0; secrets]; endings.len() + 1];
    let mut finders = vec![0; secrets];
    for asked in (0..endings.len()).rev() {
        let (now, later) = alone.split_at_mut(asked + 1);
        let (now, later) = (&mut now[asked], &later[0]);
        now.fill(Points::MIN);
        for (question, row) in (0..).zip(answers.chunks(secrets)) {
            for (secret, &answer) in row.iter().enumerate() {
                let ending = endings[asked][usize::from(answer)];
                let worth = ending.unwrap_or(later[secret]);
                if worth > now[secret] {
                    now[secret] = worth;
                    finders[secret] = question;
                }
            }
        }
    }
    (alone, finders)
}
