//! How far facts are from each other, by the fluent graph (Michulke and Schiffel 2012).
//!
//! A fact q has an edge from p if p is needed by one of the ways in which q can come next; each way has one such p, so
//! that the shortest path to q is never longer than the game takes. Any choice of p is right in that sense; the one is
//! taken that looks most like q, as a piece that moves to a square looks like the piece before it moved.

use ground::{AtomId, Bodies, Budget, GroundError, GroundRules, Progress, Stage};
use rustc_hash::{FxHashMap, FxHashSet};

/// The fluent graph of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct FluentGraph {
    /// The facts.
    pub(crate) facts: Vec<String>,
    /// For each fact those from which it has an edge.
    before: Vec<Vec<u32>>,
    /// Whether a fact may come next whatever holds now.
    free: Vec<bool>,
}

/// How far a fact is from others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Distances {
    /// The facts at each distance, the fact itself first.
    pub(crate) levels: Vec<Vec<u32>>,
    /// A distance that is enough from everywhere.
    pub(crate) at_most: Option<usize>,
}

/// Steps that are looked back at most.
const FARTHEST: usize = 30;

/// Relations within relations that are looked into at most.
const DEEPEST: usize = 40;

/// Literals that are looked at in all: beyond that the rules are too complex, as those of chess are.
const MOST_WORK: usize = 5_000_000;

/// Facts of which every proof of an atom needs one; `None` if there is a proof that needs none.
type Needed = Option<Vec<AtomId>>;

struct Reader<'a, 'b> {
    ground: &'a mut GroundRules,
    budget: &'a Budget<'b>,
    bodies: FxHashMap<AtomId, std::rc::Rc<Bodies>>,
    /// The facts, and their names and arguments.
    words: FxHashMap<AtomId, Vec<String>>,
    /// What has to be legal for something to be done.
    legal: FxHashMap<AtomId, AtomId>,
    open: FxHashSet<AtomId>,
    work: usize,
}

impl FluentGraph {
    /// The graph of ground rules; `None` if they are too complex.
    pub(crate) fn new(ground: &mut GroundRules, budget: &Budget<'_>) -> Result<Option<Self>, GroundError> {
        ground.split_above(usize::MAX);
        let bases: Vec<(AtomId, Option<AtomId>, String)> =
            ground.bases.iter().map(|base| (base.atom, base.next, base.text.clone())).collect();
        let moves = ground.roles.iter().flat_map(|role| &role.moves);
        let legal = moves.map(|option| (option.does, option.legal)).collect();
        let words = bases.iter().map(|(atom, _, text)| (*atom, words(text))).collect();
        let mut reader = Reader {
            ground,
            budget,
            bodies: FxHashMap::default(),
            words,
            legal,
            open: FxHashSet::default(),
            work: 0,
        };
        let places: FxHashMap<AtomId, u32> = bases.iter().map(|base| base.0).zip(0..).collect();
        let mut graph = Self::default();
        for (atom, next, text) in bases {
            budget.check(&Progress { stage: Stage::Build, items: graph.facts.len(), bytes: 0 })?;
            graph.facts.push(text);
            let needed = match next {
                Some(next) => reader.atom(next, atom, 0)?,
                None => Some(Vec::new()),
            };
            if reader.work > MOST_WORK {
                return Ok(None);
            }
            graph.free.push(needed.is_none());
            let before = needed.unwrap_or_default();
            let before = before.iter().filter(|&&other| other != atom);
            graph.before.push(before.filter_map(|fact| places.get(fact).copied()).collect());
        }
        Ok(Some(graph))
    }

    /// How far all facts are from one.
    pub(crate) fn distances(&self, fact: u32) -> Distances {
        let mut seen: FxHashSet<u32> = std::iter::once(fact).collect();
        let mut found = Distances { levels: vec![vec![fact]], at_most: None };
        for distance in 0..FARTHEST {
            let level = &found.levels[distance];
            if level.iter().any(|&fact| self.free[fact as usize]) {
                found.at_most = Some(distance + 1);
                break;
            }
            let before = level.iter().flat_map(|&fact| &self.before[fact as usize]);
            let next: Vec<u32> = before.copied().filter(|&fact| seen.insert(fact)).collect();
            if next.is_empty() {
                break;
            }
            found.levels.push(next);
        }
        found
    }
}

impl Reader<'_, '_> {
    /// Facts that an atom needs, those that look most like a fact.
    fn atom(&mut self, atom: AtomId, like: AtomId, depth: usize) -> Result<Needed, GroundError> {
        if self.words.contains_key(&atom) {
            return Ok(Some(vec![atom]));
        }
        if let Some(&legal) = self.legal.get(&atom) {
            return self.atom(legal, like, depth + 1);
        }
        if self.ground.is_always(atom) || depth > DEEPEST || self.work > MOST_WORK {
            return Ok(None);
        }
        // A proof does not need itself.
        if !self.open.insert(atom) {
            return Ok(Some(Vec::new()));
        }
        let bodies = match self.bodies.get(&atom) {
            Some(known) => std::rc::Rc::clone(known),
            None => {
                let mut bodies = Bodies::default();
                self.ground.bodies(atom, 0, self.budget, &mut bodies)?;
                let bodies = std::rc::Rc::new(bodies);
                self.bodies.insert(atom, std::rc::Rc::clone(&bodies));
                bodies
            }
        };
        let mut all: Option<FxHashSet<AtomId>> = Some(FxHashSet::default());
        for body in bodies.iter() {
            self.work += body.len() + 1;
            let mut best: Option<((usize, usize), Vec<AtomId>)> = None;
            for literal in body.iter().filter(|literal| !literal.is_negated()) {
                let Some(needed) = self.atom(literal.atom(), like, depth + 1)? else { continue };
                let worst = needed.iter().map(|&fact| self.unlike(fact, like)).max();
                let score = (worst.unwrap_or(0), needed.len());
                if best.as_ref().is_none_or(|best| score < best.0) {
                    best = Some((score, needed));
                }
            }
            match (&mut all, best) {
                (Some(all), Some((_, needed))) => all.extend(needed),
                (_, None) => all = None,
                (None, _) => {}
            }
            if all.is_none() {
                break;
            }
        }
        self.open.remove(&atom);
        Ok(all.map(|all| {
            let mut all: Vec<AtomId> = all.into_iter().collect();
            all.sort_unstable();
            all
        }))
    }

    /// How much two facts differ: their names most, what stands last after that, then other arguments.
    fn unlike(&self, one: AtomId, other: AtomId) -> usize {
        match (self.words.get(&one), self.words.get(&other)) {
            (Some(one), Some(other)) => unlike(one, other),
            _ => usize::MAX,
        }
    }
}

fn unlike(one: &[String], other: &[String]) -> usize {
    if one.len() != other.len() || one.first() != other.first() {
        return 10_000;
    }
    let differing = one.iter().zip(other).filter(|(one, other)| one != other).count();
    differing + if one.last() == other.last() { 0 } else { 100 }
}

/// The names in a fact.
fn words(text: &str) -> Vec<String> {
    let split = text.split(|letter: char| letter.is_whitespace() || letter == '(' || letter == ')');
    split.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_are_as_far_as_they_have_to_walk() {
        // Figure 3 of the survey, on three files and four ranks: a pawn goes straight ahead or diagonally.
        let rules = gdl::normal::read(
            "(role white) (role black) (succ 1 2) (succ 2 3) (succ 3 4) (next-file a b) (next-file b c)
             (beside ?x ?y) (<= (near ?x ?y) (next-file ?x ?y)) (<= (near ?x ?y) (next-file ?y ?x))
             (near a a) (near b b) (near c c)
             (init (cell a 1 white)) (init (cell b 1 white)) (init (cell c 1 white)) (init (cell b 4 black))
             (init (control white))
             (<= (legal white (move ?x ?y ?u ?v)) (true (control white)) (true (cell ?x ?y white))
                 (succ ?y ?v) (near ?x ?u))
             (<= (legal white noop) (true (control black)))
             (<= (legal black noop) (true (control white))) (<= (legal black noop) (true (control black)))
             (<= (next (cell ?u ?v white)) (does white (move ?x ?y ?u ?v)))
             (<= (next (cell ?u ?v white)) (true (cell ?u ?v white)) (not (left ?u ?v)))
             (<= (left ?x ?y) (does white (move ?x ?y ?u ?v)))
             (<= (next (cell ?u ?v black)) (true (cell ?u ?v black)) (not (taken ?u ?v)))
             (<= (taken ?u ?v) (does white (move ?x ?y ?u ?v)))
             (<= (next (control black)) (true (control white))) (<= (next (control white)) (true (control black)))
             (<= terminal (true (cell ?x 4 white))) (<= (goal white 100) (true (cell ?x 4 white)))",
        );
        let budget = Budget::unlimited();
        let mut ground = ground::ground(&rules, &budget).expect("small");
        let graph = FluentGraph::new(&mut ground, &budget).expect("small").expect("simple");
        let place = |text: &str| graph.facts.iter().position(|fact| fact == text).expect("a fact") as u32;
        let distances = graph.distances(place("(cell a 4 white)"));
        let from = |text: &str| {
            let fact = place(text);
            distances.levels.iter().position(|level| level.contains(&fact))
        };
        assert_eq!(
            (from("(cell a 4 white)"), from("(cell a 3 white)"), from("(cell b 3 white)")),
            (Some(0), Some(1), Some(1))
        );
        assert_eq!(from("(cell c 3 white)"), None, "from there the file is out of reach");
        assert_eq!((from("(cell c 2 white)"), from("(cell c 1 white)")), (Some(2), Some(3)));
        assert_eq!(
            (from("(control white)"), from("(cell b 4 black)"), distances.at_most),
            (None, None, None)
        );
        // Whose turn it is comes from whose turn it was.
        assert_eq!(graph.distances(place("(control black)")).levels.len(), 2);
    }

    #[test]
    fn facts_are_more_or_less_alike() {
        let unlike = |one: &str, other: &str| unlike(&words(one), &words(other));
        assert_eq!(unlike("(cell a 1 white)", "(cell a 2 white)"), 1);
        assert_eq!(unlike("(cell a 1 white)", "(cell b 2 white)"), 2);
        assert_eq!(unlike("(cell a 1 white)", "(cell a 1 black)"), 101);
        assert_eq!(unlike("(cell a 1 white)", "(control white)"), 10_000);
    }
}
