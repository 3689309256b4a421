//! Knockout and double elimination: a graph of series, each of which is fed by places of the field or by earlier
//! series.

use super::{EntrantId, Fixture, Ground, Kind, Series, Side, StageProgress, table};

/// Where somebody in a series comes from.
#[derive(Clone, Copy, Debug)]
enum Feed {
    /// A place in the field; beyond its end nobody comes.
    Place(usize),
    Winner(usize),
    Loser(usize),
}

/// A series of a bracket before anything is played.
#[derive(Clone, Debug)]
struct Node {
    side: Side,
    round: usize,
    feeds: [Feed; 2],
    /// Only played if the second of this series has won it.
    replay_of: Option<usize>,
}

/// Who comes out of somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comer {
    /// Not decided yet.
    Unknown,
    Nobody,
    Somebody(EntrantId),
}

impl Comer {
    fn entrant(self) -> Option<EntrantId> {
        match self {
            Comer::Somebody(entrant) => Some(entrant),
            Comer::Unknown | Comer::Nobody => None,
        }
    }
}

/// The places of a bracket from top to bottom, so that the best two can meet only at its end, the best four only
/// before, and so on.
fn seeding(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let double = 2 * places.len();
        places = places.iter().flat_map(|&place| [place, double - 1 - place]).collect();
    }
    places
}

/// The series of a knockout of so many.
fn knockout(size: usize) -> (Vec<Node>, Vec<Vec<usize>>) {
    let (mut nodes, mut rounds): (Vec<Node>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
    let mut feeds: Vec<Feed> = seeding(size).into_iter().map(Feed::Place).collect();
    while feeds.len() > 1 {
        let round = rounds.len() + 1;
        let first = nodes.len();
        let pairs = feeds.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
        nodes.extend(pairs.map(|feeds| Node { side: Side::Winners, round, feeds, replay_of: None }));
        rounds.push((first..nodes.len()).collect());
        feeds = (first..nodes.len()).map(Feed::Winner).collect();
    }
    (nodes, rounds)
}

/// The same with a bracket of those who have lost once, and a final of both winners.
fn double_elimination(size: usize) -> Vec<Node> {
    let (mut nodes, rounds) = knockout(size);
    let mut survivors: Vec<Feed> = rounds[0].iter().map(|&node| Feed::Loser(node)).collect();
    let mut round = 0;
    let mut pair = |nodes: &mut Vec<Node>, feeds: Vec<[Feed; 2]>| -> Vec<Feed> {
        round += 1;
        let first = nodes.len();
        nodes.extend(feeds.into_iter().map(|feeds| Node {
            side: Side::Losers,
            round,
            feeds,
            replay_of: None,
        }));
        (first..nodes.len()).map(Feed::Winner).collect()
    };
    for (number, losers) in rounds.iter().enumerate().skip(1) {
        // Those who are left meet each other, then those who have just lost.
        let among = survivors.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        survivors = pair(&mut nodes, among);
        // From the other end every second time, so that the same two do not meet again at once.
        let mut fallen: Vec<Feed> = losers.iter().map(|&node| Feed::Loser(node)).collect();
        if number % 2 == 1 {
            fallen.reverse();
        }
        let against = survivors.iter().zip(fallen).map(|(&survivor, fallen)| [survivor, fallen]).collect();
        survivors = pair(&mut nodes, against);
    }
    let last = rounds.last().and_then(|round| round.first()).copied().unwrap_or(0);
    let decider = nodes.len();
    let feeds = [Feed::Winner(last), survivors[0]];
    nodes.push(Node { side: Side::Final, round: 1, feeds, replay_of: None });
    let feeds = [Feed::Winner(decider), Feed::Loser(decider)];
    nodes.push(Node { side: Side::Final, round: 2, feeds, replay_of: Some(decider) });
    nodes
}

impl Ground<'_> {
    pub(super) fn bracket(&self) -> (StageProgress, Vec<Fixture>) {
        let size = self.field.len().next_power_of_two().max(2);
        let nodes = match self.stage.kind {
            Kind::DoubleElimination => double_elimination(size),
            _ => knockout(size).0,
        };
        let mut series: Vec<Series> = Vec::new();
        let mut comers: Vec<[Comer; 2]> = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            let (played, outcome) = self.series_of(number, node, &series, &comers);
            series.push(played);
            comers.push(outcome);
        }
        let is_over = comers.iter().all(|outcome| !outcome.contains(&Comer::Unknown));
        let open = self.open(&series);
        let table = table::of_bracket(self, &series);
        (StageProgress { kind: self.stage.kind, field: self.field.to_vec(), series, table, is_over }, open)
    }

    /// A series of the graph, and who comes out of it: the winner and the loser.
    fn series_of(
        &self,
        number: usize,
        node: &Node,
        before: &[Series],
        comers: &[[Comer; 2]],
    ) -> (Series, [Comer; 2]) {
        let come = |feed: Feed| match feed {
            Feed::Place(place) => {
                self.field.get(place).map_or(Comer::Nobody, |&entrant| Comer::Somebody(entrant))
            }
            Feed::Winner(node) => comers[node][0],
            Feed::Loser(node) => comers[node][1],
        };
        let mut pair = node.feeds.map(come);
        if let Some(decider) = node.replay_of {
            // The second of the final had lost before, the first had not.
            let first = before[decider].entrants[0];
            if before[decider].winner.is_some_and(|winner| Some(winner) == first) {
                pair = [pair[0], Comer::Nobody];
            }
        }
        let mut series = Series {
            side: node.side,
            round: node.round,
            entrants: pair.map(Comer::entrant).to_vec(),
            scores: vec![0.0; 2],
            winner: None,
            is_bye: false,
            fixtures: Vec::new(),
        };
        let outcome = match pair {
            [Comer::Unknown, _] | [_, Comer::Unknown] => [Comer::Unknown; 2],
            [Comer::Nobody, other] | [other, Comer::Nobody] => {
                series.is_bye = true;
                series.winner = other.entrant();
                [other, Comer::Nobody]
            }
            [Comer::Somebody(first), Comer::Somebody(second)] => {
                let duel = self.duel(number, [first, second]);
                series.scores = duel.scores.to_vec();
                series.winner = duel.winner;
                series.fixtures = duel.fixtures;
                match duel.winner {
                    None => [Comer::Unknown; 2],
                    Some(winner) => {
                        let loser = if winner == first { second } else { first };
                        [Comer::Somebody(winner), Comer::Somebody(loser)]
                    }
                }
            }
        };
        (series, outcome)
    }
}
