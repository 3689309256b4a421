//! In which order the facts are asked for. Diagrams of what hangs together are small where it stands together.

use circuit::Circuit;

/// Facts are moved towards what they hang together with so often; it settles long before.
const ROUNDS: usize = 50;
/// Facts that hang together with so many others at once say little about where they belong.
const MOST_TOGETHER: usize = 40;

/// The facts that matter as the rules name them: those of a square stand together. What runs by itself comes first, as it
/// tells apart what can be true at all.
pub fn by_number(circuit: &Circuit) -> Vec<u32> {
    let (relevant, autonomous) = (circuit.relevant(), circuit.autonomous());
    let mut facts: Vec<u32> =
        (0..circuit.bases.len() as u32).filter(|&fact| relevant[fact as usize]).collect();
    facts.sort_by_key(|&fact| (!autonomous[fact as usize], fact));
    facts
}

/// The facts that matter, each near those that decide together with it: what becomes of a fact, whether a move is legal,
/// what a goal asks for (after FORCE, by Aloul, Markov and Sakallah 2003: each fact goes to the mean of the centres of what it
/// takes part in, again and again).
pub fn near_each_other(circuit: &Circuit) -> Vec<u32> {
    let start = by_number(circuit);
    let autonomous = circuit.autonomous();
    let first = start.iter().take_while(|&&fact| autonomous[fact as usize]).count();
    let (clock, rest) = start.split_at(first);
    let together = groups(circuit, rest);
    let mut order = rest.to_vec();
    let mut best = (span(&together, &order), order.clone());
    for _ in 0..ROUNDS {
        let place = places(circuit, &order);
        let mut pull = vec![(0.0, 0u32); circuit.bases.len()];
        for group in &together {
            let centre =
                group.iter().map(|&fact| place[fact as usize] as f64).sum::<f64>() / group.len() as f64;
            for &fact in group {
                let (sum, count) = &mut pull[fact as usize];
                (*sum, *count) = (*sum + centre, *count + 1);
            }
        }
        let wanted = |fact: u32| match pull[fact as usize] {
            (_, 0) => place[fact as usize] as f64,
            (sum, count) => sum / f64::from(count),
        };
        order.sort_by(|&one, &other| wanted(one).total_cmp(&wanted(other)).then(one.cmp(&other)));
        let span = span(&together, &order);
        if span >= best.0 {
            break;
        }
        best = (span, order.clone());
    }
    [clock, &best.1].concat()
}

/// Facts that decide something together.
fn groups(circuit: &Circuit, facts: &[u32]) -> Vec<Vec<u32>> {
    let is_asked: rustc_hash::FxHashSet<u32> = facts.iter().copied().collect();
    let mut groups = Vec::new();
    let mut add = |mut group: Vec<u32>| {
        group.retain(|fact| is_asked.contains(fact));
        if (2..=MOST_TOGETHER).contains(&group.len()) {
            groups.push(group);
        }
    };
    for &fact in facts {
        let mut group = circuit.support(circuit.next[fact as usize]);
        group.push(fact);
        group.sort_unstable();
        group.dedup();
        add(group);
    }
    for role in &circuit.roles {
        role.legal.iter().for_each(|&legal| add(circuit.support(legal)));
        role.goals.iter().for_each(|goal| add(circuit.support(goal.edge)));
    }
    add(circuit.support(circuit.terminal));
    groups
}

fn places(circuit: &Circuit, order: &[u32]) -> Vec<usize> {
    let mut place = vec![0; circuit.bases.len()];
    for (number, &fact) in order.iter().enumerate() {
        place[fact as usize] = number;
    }
    place
}

/// How far apart the facts of all groups stand, together.
fn span(groups: &[Vec<u32>], order: &[u32]) -> usize {
    let most = order.iter().copied().max().unwrap_or(0) as usize;
    let mut place = vec![0; most + 1];
    for (number, &fact) in order.iter().enumerate() {
        place[fact as usize] = number;
    }
    let ends = |group: &Vec<u32>| {
        let places = group.iter().map(|&fact| place[fact as usize]);
        places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
    };
    groups.iter().map(ends).sum()
}
