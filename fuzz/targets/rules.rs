//! Any rule sheet, end to end: a machine is built within its limits, plays, and agrees with itself.

#![no_main]

use datalog::Limits;
use game::{Describe, Dice, Expansion, Game};
use gdl::SourceFile;
use libfuzzer_sys::fuzz_target;
use machine::reference::Reference;
use verify::PlayoutLimits;

fuzz_target!(|bytes: &[u8]| {
    let source = SourceFile::from_bytes("fuzz", bytes).expect("the fuzzer's inputs are small");
    let rules = gdl::normal::normalize(&gdl::parse(&source).sheet);
    let limits = Limits { bytes: 64 << 20, work: 200_000, stop: None };
    let Ok(machine) = Reference::new(&rules, limits) else { return };
    let mut workspace = machine.workspace();
    for seed in 0..2 {
        let limits = PlayoutLimits { steps: 30 };
        let mut dice = Dice::new(seed);
        let _ = verify::playout(&machine, &mut workspace, &machine.initial(), &mut dice, limits);
    }
    let initial = machine.initial();
    let facts = machine.facts(&initial);
    let texts: Vec<&str> = facts.iter().map(String::as_str).collect();
    assert_eq!(machine.state_of(&texts).as_ref(), Some(&initial), "a state is what its facts say");
    let mut expansion = Expansion::new();
    if machine.expand(&mut workspace, &initial, &mut expansion).is_ok() {
        for (role, legal) in machine.role_ids().zip(expansion.by_role()) {
            for &id in legal {
                assert_eq!(machine.find_move(role, &machine.move_text(id)), Some(id));
            }
        }
    }
});
