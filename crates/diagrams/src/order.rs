//! In which order the facts are asked for. Diagrams of what hangs together are small where it stands together.

use circuit::Circuit;

/// The facts that matter as the rules name them, so that those of a square stand together. What runs by itself comes first, as
/// it tells apart what can be true at all.
pub fn by_number(circuit: &Circuit) -> Vec<u32> {
    let (relevant, autonomous) = (circuit.relevant(), circuit.autonomous());
    let mut facts: Vec<u32> =
        (0..circuit.bases.len() as u32).filter(|&fact| relevant[fact as usize]).collect();
    facts.sort_by_key(|&fact| (!autonomous[fact as usize], fact));
    facts
}
