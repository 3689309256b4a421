//! Instructions that were tampered with are refused, whatever was done to them.

use ::circuit::{Edge, Gate, Gates};

use super::Target;
use super::allocate::{AllocateError, Allocation, allocate};
use super::instruction::{Instruction, Operand, Pair};
use super::machine_code::{instructions, resources};
use super::memory::Extents;
use super::verify::{Flaw, verify};
use crate::program::{Area, Logic, Network, Place, Program, Rows, Step, table};

const ROWS: Rows = Rows { random: 4, events: 3 };
const SCRATCH: u32 = 60;
const TARGETS: [Target; 2] = [Target::Avx2, Target::Avx512];

/// A network in which values are spilled, with every kind of instruction.
fn allocation(target: Target) -> Allocation {
    let mut gates = Gates::new();
    let inputs: Vec<Edge> = (0..48).map(|number| gates.base(number)).collect();
    let mut outputs = Vec::new();
    let mut row = inputs.clone();
    for round in 0..6 {
        let next = |index: usize| (index * 7 + round) % row.len();
        let edges: Vec<Edge> = (0..row.len())
            .map(|index| match (index + round) % 3 {
                0 => gates.and(row[index], !row[next(index)]),
                1 => gates.xor(row[index], row[next(index)]),
                _ => gates.or(row[index], row[next(index)]),
            })
            .collect();
        row = edges;
    }
    outputs.extend(row.iter().zip(0..).map(|(&edge, slot)| (!edge, Place::block(slot))));
    outputs.push((Edge::TRUE, Place::events(0)));
    outputs.push((Edge::FALSE, Place::events(1)));
    outputs.push((row[0], Place::events(2)));
    let input = |gate: Gate| match gate {
        Gate::Base(number) if number >= 44 => Place::random(number - 44),
        Gate::Base(number) => Place::block(number),
        other => unreachable!("{other:?}"),
    };
    let network = Network { gates: &gates, outputs, rows: ROWS, input: &input };
    instructions(&network, target, SCRATCH, 50).expect("nothing is lost").0
}

fn extents(allocation: &Allocation) -> Extents {
    Extents {
        words: 8,
        vector_words: 4,
        block_slots: allocation.block_slots as usize,
        random_slots: ROWS.random as usize,
        event_slots: ROWS.events as usize,
    }
}

fn look(allocation: &Allocation, target: Target) -> Result<(), Flaw> {
    verify(allocation, resources(target), &extents(allocation))
}

/// The place that an instruction names, to be changed.
fn place(instruction: &mut Instruction) -> Option<&mut Place> {
    match instruction {
        Instruction::Load { from: place, .. }
        | Instruction::Store { to: place, .. }
        | Instruction::Pair { right: Operand::Memory(place), .. }
        | Instruction::Triple { third: Operand::Memory(place), .. } => Some(place),
        _ => None,
    }
}

/// The registers that it names.
fn registers(instruction: &mut Instruction) -> Vec<&mut u8> {
    let mut all = Vec::new();
    match instruction {
        Instruction::Load { to, .. } | Instruction::Ones { to } => all.push(to),
        Instruction::Store { from, .. } => all.push(from),
        Instruction::Move { to, from } => all.extend([to, from]),
        Instruction::Pair { to, left, right, .. } => {
            all.extend([to, left]);
            if let Operand::Register(right) = right {
                all.push(right);
            }
        }
        Instruction::Triple { to, second, third, .. } => {
            all.extend([to, second]);
            if let Operand::Register(third) = third {
                all.push(third);
            }
        }
    }
    all
}

#[test]
fn what_the_compiler_makes_is_accepted() {
    for target in TARGETS {
        let allocation = allocation(target);
        assert!(allocation.segments.len() > 3 && allocation.block_slots > SCRATCH, "{target:?}");
        assert_eq!(look(&allocation, target), Ok(()), "{target:?}");
    }
}

#[test]
fn places_beyond_the_areas_are_refused() {
    for target in TARGETS {
        let sound = allocation(target);
        let mut changed = 0;
        for index in 0..sound.instructions.len() {
            for beyond in [1, 1 << 20, u32::MAX] {
                let mut allocation = sound.clone();
                let Some(place) = place(&mut allocation.instructions[index]) else { continue };
                let end = match place.area {
                    Area::Block => sound.block_slots,
                    Area::Random => ROWS.random,
                    Area::Events => ROWS.events,
                };
                place.slot = end.saturating_add(beyond - 1);
                changed += 1;
                let refused = look(&allocation, target);
                assert!(matches!(refused, Err(Flaw::OutOfBounds { .. })), "{target:?} {index}");
            }
        }
        assert!(changed > 100, "{changed}");
    }
}

#[test]
fn registers_that_are_not_there_are_refused() {
    for target in TARGETS {
        let sound = allocation(target);
        let count = resources(target).registers;
        for index in 0..sound.instructions.len() {
            let named = registers(&mut sound.instructions[index].clone()).len();
            for (operand, register) in (0..named).flat_map(|operand| [(operand, count), (operand, u8::MAX)]) {
                let mut allocation = sound.clone();
                *registers(&mut allocation.instructions[index])[operand] = register;
                let refused = look(&allocation, target);
                assert!(matches!(refused, Err(Flaw::NoRegister { .. })), "{target:?} {index} {operand}");
            }
        }
    }
}

#[test]
fn values_that_were_never_written_are_refused() {
    for target in TARGETS {
        let sound = allocation(target);
        // Without the store of a spilled value its load finds nothing.
        let is_spill = |to: Place| to.area == Area::Block && to.slot >= SCRATCH;
        let spill = |one: &Instruction| matches!(one, Instruction::Store { to, .. } if is_spill(*to));
        let index = sound.instructions.iter().position(spill).expect("something is spilled");
        let mut allocation = sound.clone();
        let Instruction::Store { from, to } = allocation.instructions[index] else { unreachable!() };
        allocation.instructions[index] = Instruction::Store { from, to: Place::events(0) };
        let refused = look(&allocation, target);
        assert!(matches!(refused, Err(Flaw::EmptySlot { place, .. }) if place == to), "{refused:?}");
        // Without the load at the beginning of a segment a register has a value of another vector.
        let begin = sound.segments[0];
        let load = |instruction: &Instruction| matches!(instruction, Instruction::Load { .. });
        let index = begin + sound.instructions[begin..].iter().position(load).expect("something is loaded");
        let mut allocation = sound.clone();
        allocation.instructions[index] = Instruction::Store { from: 0, to: Place::events(0) };
        assert!(matches!(look(&allocation, target), Err(Flaw::EmptyRegister { .. })));
    }
}

#[test]
fn areas_have_one_direction() {
    for target in TARGETS {
        let mut allocation = allocation(target);
        allocation.instructions.insert(0, Instruction::Load { to: 0, from: Place::events(0) });
        allocation.segments.iter_mut().for_each(|end| *end += 1);
        assert!(matches!(look(&allocation, target), Err(Flaw::WrongWay { instruction: 0, .. })));
        allocation.instructions[0] = Instruction::Load { to: 0, from: Place::random(0) };
        assert_eq!(look(&allocation, target), Ok(()));
        allocation.instructions.push(Instruction::Ones { to: 0 });
        allocation.instructions.push(Instruction::Store { from: 0, to: Place::random(0) });
        *allocation.segments.last_mut().expect("segments") += 2;
        assert!(matches!(look(&allocation, target), Err(Flaw::WrongWay { .. })));
    }
}

#[test]
fn segments_cover_all_instructions_in_order() {
    let sound = allocation(Target::Avx2);
    let (count, first) = (sound.instructions.len(), sound.segments[0]);
    for segments in [vec![], vec![first], vec![count, count + 1], vec![count, first], vec![usize::MAX, count]]
    {
        let allocation = Allocation { segments, ..sound.clone() };
        assert_eq!(look(&allocation, Target::Avx2), Err(Flaw::Segments), "{:?}", allocation.segments);
    }
    let short = Extents { block_slots: sound.block_slots as usize - 1, ..extents(&sound) };
    assert_eq!(verify(&sound, resources(Target::Avx2), &short), Err(Flaw::Segments));
}

#[test]
fn a_constant_that_later_vectors_need_stays() {
    let store = Instruction::Store { from: 3, to: Place::block(1) };
    let zero = Instruction::Pair { operation: Pair::Xor, to: 3, left: 3, right: Operand::Register(3) };
    let sound = Allocation {
        instructions: vec![Instruction::Ones { to: 3 }, store, store],
        segments: vec![1, 3],
        scratch: 5,
        block_slots: 5,
    };
    assert_eq!(look(&sound, Target::Avx2), Ok(()));
    let mut tampered = sound.clone();
    tampered.instructions[2] = zero;
    let flaw = Err(Flaw::SharedRegister { instruction: 2, register: 3 });
    assert_eq!(look(&tampered, Target::Avx2), flaw);
    let triple = Instruction::Triple { table: 0x55, to: 3, second: 3, third: Operand::Register(3) };
    tampered.instructions[1] = triple;
    assert_eq!(look(&tampered, Target::Avx2), Err(Flaw::NoTriples { instruction: 1 }));
}

#[test]
fn a_value_that_nobody_computes_is_an_error() {
    let logic = |inputs: &[u32]| Logic::new(table::AND, inputs);
    let program = |inputs: &[u32]| Program {
        sources: vec![Place::block(0)],
        steps: vec![
            Step::Logic { output: 2, logic: logic(inputs) },
            Step::Store { value: 2, place: Place::block(1) },
        ],
        values: 3,
    };
    for target in TARGETS {
        let allocate = |inputs: &[u32]| allocate(&program(inputs), resources(target), 5, 50);
        assert!(allocate(&[0, 0]).is_ok());
        assert_eq!(allocate(&[0, 1]).err(), Some(AllocateError::Lost(1)));
        assert_eq!(allocate(&[1, 0]).err(), Some(AllocateError::Lost(1)));
    }
}
