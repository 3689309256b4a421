//! Proven values: what is known of a node from what is known of its children.

use std::hash::Hash;

use smallvec::SmallVec;

use super::Bounds;
use super::tree::{Joint, NodeId, Status, Tree};

/// Nodes in which several roles choose among more joint moves than this are not proven.
const MOST_JOINT_MOVES: usize = 2_000;

/// What is known of all roles.
type AllBounds = SmallVec<[Bounds; 4]>;

/// Narrows what is proven of a node by its children; whether that is news. `nature` is the role
/// that moves at random.
pub(crate) fn improve<State: Eq + Hash>(
    tree: &Tree<State>,
    id: NodeId,
    nature: Option<usize>,
    discount: f64,
) -> bool {
    let Status::Open { block, mover } = tree.node(id).status() else { return false };
    let bounds = match mover {
        Some(role) => of_one(tree, block, usize::from(role), nature),
        None => of_several(tree, id, block, nature),
    };
    let Some(bounds) = bounds else { return false };
    let node = tree.node(id);
    let news =
        bounds.iter().enumerate().fold(false, |news, (role, &bounds)| node.narrow(role, bounds) | news);
    if let Some(role) = mover
        && news
        && node.is_proven()
        && nature != Some(usize::from(role))
    {
        settle_value(tree, id, block, usize::from(role), discount);
    }
    news
}

/// The value of a proven node is that of the move its role makes: of equal goals the one reached
/// soonest, and if all is lost, the one that costs the others most time. So a proven win comes
/// nearer with every move.
fn settle_value<State: Eq + Hash>(tree: &Tree<State>, id: NodeId, block: u32, role: usize, discount: f64) {
    let node = tree.node(id);
    let own = node.bounds(role);
    let children = tree.edges(block, role).iter().filter_map(|edge| edge.child());
    let best = children.filter(|&child| tree.node(child).bounds(role) == own).max_by(|&a, &b| {
        let value = |child, role| tree.node(child).mean(role);
        let others = |child| {
            (0..tree.roles()).filter(|&other| other != role).map(|other| value(child, other)).sum::<f64>()
        };
        value(a, role).total_cmp(&value(b, role)).then(others(b).total_cmp(&others(a)))
    });
    let Some(best) = best else { return };
    for role in 0..tree.roles() {
        node.set_mean(role, tree.node(best).mean(role) * discount);
    }
}

/// One role decides. It gets the best it can have. The others get what the moves leave them that it
/// may choose: its proven best moves if it has such, else all that may be as good.
fn of_one<State: Eq + Hash>(
    tree: &Tree<State>,
    block: u32,
    role: usize,
    nature: Option<usize>,
) -> Option<AllBounds> {
    let edges = tree.edges(block, role);
    let behind = |place: usize, role: usize| {
        edges.get(place).child().map_or(Bounds::UNKNOWN, |child| tree.node(child).bounds(role))
    };
    let hull = |role: usize, places: &mut dyn Iterator<Item = usize>| {
        places.map(|place| behind(place, role)).reduce(Bounds::hull).unwrap_or(Bounds::UNKNOWN)
    };
    let all = 0..edges.len();
    if nature == Some(role) {
        return Some((0..tree.roles()).map(|role| hull(role, &mut all.clone())).collect());
    }
    let own = all.clone().map(|place| behind(place, role));
    let own = own.reduce(|a, b| Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) })?;
    let proven_best = |place: &usize| behind(*place, role).lower >= own.upper;
    let not_worse = |place: &usize| behind(*place, role).upper >= own.lower;
    let decided = own.is_exact();
    let other = |other: usize| match other {
        _ if other == role => own,
        _ if decided => hull(other, &mut all.clone().filter(proven_best)),
        _ => hull(other, &mut all.clone().filter(not_worse)),
    };
    Some((0..tree.roles()).map(other).collect())
}

/// Several roles decide at once. Each can be sure of the best of its moves' worst outcomes, and can
/// hope for no more than the best outcome of all.
fn of_several<State: Eq + Hash>(
    tree: &Tree<State>,
    id: NodeId,
    block: u32,
    nature: Option<usize>,
) -> Option<AllBounds> {
    let roles = tree.roles();
    let counts: SmallVec<[usize; 4]> = (0..roles).map(|role| tree.edges(block, role).len()).collect();
    let joint_moves = counts.iter().try_fold(1usize, |product, &count| product.checked_mul(count))?;
    if joint_moves > MOST_JOINT_MOVES {
        return None;
    }
    // Per role and move, what the worst and best replies leave.
    let unknown = Bounds { lower: 100, upper: 0 };
    let mut outcomes: Vec<Vec<Bounds>> = counts.iter().map(|&count| vec![unknown; count]).collect();
    for number in 0..joint_moves {
        let mut rest = number;
        let mut places: SmallVec<[usize; 4]> = SmallVec::new();
        for &count in &counts {
            places.push(rest % count);
            rest /= count;
        }
        let joint: Joint =
            places.iter().enumerate().map(|(role, &place)| tree.edges(block, role).get(place).id()).collect();
        let child = tree.joints().child(id, &joint);
        for (role, &place) in places.iter().enumerate() {
            let behind = child.map_or(Bounds::UNKNOWN, |child| tree.node(child).bounds(role));
            outcomes[role][place] = outcomes[role][place].hull(behind);
        }
    }
    let sure = |(role, outcomes): (usize, &Vec<Bounds>)| {
        let lowers = outcomes.iter().map(|bounds| bounds.lower);
        // Who moves at random is sure of nothing but the worst.
        let lower = if nature == Some(role) { lowers.min() } else { lowers.max() };
        let upper = outcomes.iter().map(|bounds| bounds.upper).max();
        Bounds { lower: lower.unwrap_or(0), upper: upper.unwrap_or(100) }
    };
    Some(outcomes.iter().enumerate().map(sure).collect())
}
