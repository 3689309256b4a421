//! Copying logic from one set of gates into another, with its inputs replaced.

use circuit::{Edge, Gate, Gates};

/// Builds the logic of `edges` anew in `target`, with `replace` in place of the inputs.
pub(crate) fn import(
    target: &mut Gates,
    source: &Gates,
    edges: &[Edge],
    mut replace: impl FnMut(&mut Gates, Gate) -> Edge,
) -> Vec<Edge> {
    let mut images = vec![Edge::FALSE; source.len()];
    for id in source.cone(edges.iter().copied()) {
        let image = |edge: Edge| {
            let image = images[edge.gate().0 as usize];
            if edge.is_inverted() { !image } else { image }
        };
        images[id.0 as usize] = match source.get(id) {
            Gate::And(left, right) => target.and(image(left), image(right)),
            Gate::Xor(left, right) => target.xor(image(left), image(right)),
            input => replace(target, input),
        };
    }
    let image = |edge: &Edge| {
        let image = images[edge.gate().0 as usize];
        if edge.is_inverted() { !image } else { image }
    };
    edges.iter().map(image).collect()
}
