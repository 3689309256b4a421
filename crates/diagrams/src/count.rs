//! How many states a set has.

use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, Function, HasLevel, LevelNo, Manager, Node};
use rustc_hash::FxHashMap;

/// The number of states of a set over so many facts; `None` if it has more digits than there is room for.
///
/// Each node is counted over the facts from its own on. So no number on the way is larger than the answer, whatever
/// there is outside of the set.
#[allow(clippy::mutable_key_type)] // What it hashes by, the number of a node, nobody changes.
pub(crate) fn count(set: &BCDDFunction, facts: LevelNo) -> Option<u128> {
    let mut known = FxHashMap::default();
    let below = count_from_top(set, facts, &mut known)?;
    shifted(below, place(set, facts))
}

/// The place of the fact that a set asks for first.
fn place(set: &BCDDFunction, facts: LevelNo) -> LevelNo {
    set.with_manager_shared(|manager, edge| match manager.get_node(edge) {
        Node::Inner(node) => node.level() / 2,
        Node::Terminal(_) => facts,
    })
}

fn shifted(number: u128, by: LevelNo) -> Option<u128> {
    (number == 0 || number.leading_zeros() >= by).then(|| number.checked_shl(by).unwrap_or(0))
}

#[allow(clippy::mutable_key_type)]
fn count_from_top(
    set: &BCDDFunction,
    facts: LevelNo,
    known: &mut FxHashMap<BCDDFunction, u128>,
) -> Option<u128> {
    let Some((with, without)) = set.cofactors() else { return Some(u128::from(set.satisfiable())) };
    if let Some(&number) = known.get(set) {
        return Some(number);
    }
    let own = place(set, facts);
    let mut sum = 0u128;
    for half in [with, without] {
        let number = count_from_top(&half, facts, known)?;
        sum = sum.checked_add(shifted(number, place(&half, facts) - own - 1)?)?;
    }
    known.insert(set.clone(), sum);
    Some(sum)
}
