//! All ways of running a program against plain evaluation, gate by gate.

use ::circuit::{Edge, Gate, GateId, Gates};
use proptest::prelude::*;

use super::{Executable, Target};
use crate::program::{Area, Network, Place, Rows};

/// A random network: some inputs, gates over earlier edges, outputs some of which overwrite
/// inputs and some of which are constants, inputs or inverted.
#[derive(Clone, Debug)]
struct Random {
    inputs: u32,
    gates: Vec<(bool, u32, u32)>,
    outputs: Vec<u32>,
    seed: u64,
}

const EVENTS: usize = 3;
const ROWS: Rows = Rows { random: 20, events: EVENTS as u32 };

fn random() -> impl Strategy<Value = Random> {
    let gates = prop::collection::vec((any::<bool>(), any::<u32>(), any::<u32>()), 0..400);
    (1..40u32, gates, prop::collection::vec(any::<u32>(), 1..60), any::<u64>())
        .prop_map(|(inputs, gates, outputs, seed)| Random { inputs, gates, outputs, seed })
}

/// The inputs: even numbers from the block, odd ones from the random words.
fn input(gate: Gate) -> Place {
    match gate {
        Gate::Base(number) if number % 2 == 0 => Place::block(number / 2),
        Gate::Base(number) => Place::random(number / 2),
        other => unreachable!("{other:?}"),
    }
}

impl Random {
    fn build(&self) -> (Gates, Vec<(Edge, Place)>) {
        let mut gates = Gates::new();
        let mut edges = vec![Edge::FALSE];
        (0..self.inputs).for_each(|number| edges.push(gates.base(number)));
        for &(is_and, left, right) in &self.gates {
            let pick = |code: u32| {
                // Mostly recent edges, for depth.
                let back = (code >> 1) as usize % edges.len().min(30);
                let edge = edges[edges.len() - 1 - back];
                if code & 1 != 0 { !edge } else { edge }
            };
            let (left, right) = (pick(left), pick(right));
            edges.push(if is_and { gates.and(left, right) } else { gates.xor(left, right) });
        }
        let outputs = self.outputs.iter().enumerate().map(|(index, &code)| {
            let edge = edges[(code >> 1) as usize % edges.len()];
            let place = if index < EVENTS {
                Place::events(index as u32)
            } else {
                // The first of these overwrite the block's inputs.
                Place::block((index - EVENTS) as u32)
            };
            (if code & 1 != 0 { !edge } else { edge }, place)
        });
        let outputs = outputs.collect();
        (gates, outputs)
    }
}

/// The plain evaluation.
fn evaluate(gates: &Gates, outputs: &[(Edge, Place)], read: impl Fn(Place) -> u64) -> Vec<u64> {
    let mut values = vec![0u64; gates.len()];
    for (GateId(index), gate) in gates.iter() {
        let value = |edge: Edge| {
            let value = values[edge.gate().0 as usize];
            if edge.is_inverted() { !value } else { value }
        };
        values[index as usize] = match gate {
            Gate::False => 0,
            Gate::And(left, right) => value(left) & value(right),
            Gate::Xor(left, right) => value(left) ^ value(right),
            other => read(input(other)),
        };
    }
    let value = |&(edge, _): &(Edge, Place)| {
        let value = values[edge.gate().0 as usize];
        if edge.is_inverted() { !value } else { value }
    };
    outputs.iter().map(value).collect()
}

/// Runs two sweeps in some way and compares every output with the plain evaluation.
fn check(random: &Random, words: usize, prepare: impl FnOnce(&Network<'_>, u32) -> (usize, Run)) {
    let (gates, outputs) = random.build();
    let network = Network { gates: &gates, outputs: outputs.clone(), rows: ROWS, input: &input };
    let scratch = 100;
    let (slots, run) = prepare(&network, scratch);
    let mut dice = game::Dice::new(random.seed);
    let mut fill = |count: usize| (0..count).map(|_| dice.bits()).collect::<Vec<u64>>();
    let mut block = fill(slots.max(100) * words);
    let (random_row, event_row) = (ROWS.random as usize, ROWS.events as usize);
    let drawn = fill(random_row * words * 2);
    let mut events = vec![0; event_row * words * 2];
    let before = block.clone();
    run(&mut block, &drawn, &mut events, 2);
    let mut state = before;
    for sweep in 0..2 {
        for word in 0..words {
            let read = |place: Place| match place.area {
                Area::Block => state[place.slot as usize * words + word],
                _ => drawn[(sweep * random_row + place.slot as usize) * words + word],
            };
            let expected = evaluate(&gates, &outputs, read);
            for (&(_, place), &value) in outputs.iter().zip(&expected) {
                match place.area {
                    Area::Block => state[place.slot as usize * words + word] = value,
                    _ => assert_eq!(
                        events[(sweep * event_row + place.slot as usize) * words + word],
                        value,
                        "event {} of sweep {sweep}",
                        place.slot
                    ),
                }
            }
        }
    }
    for (slot, (found, expected)) in block.chunks(words).zip(state.chunks(words)).take(57).enumerate() {
        assert_eq!(found, expected, "slot {slot}");
    }
}

type Run = Box<dyn FnOnce(&mut [u64], &[u64], &mut [u64], usize)>;

fn executable(target: Target, words: usize) -> impl FnOnce(&Network<'_>, u32) -> (usize, Run) {
    move |network, scratch| {
        let executable = Executable::new(network, target, words, scratch);
        // Otherwise the interpreter would be compared with itself.
        let is_compiled = target != Target::Portable && target.is_available();
        assert_eq!(executable.code_bytes() > 0, is_compiled, "{target:?}, {words} words");
        let slots = executable.block_slots();
        (
            slots,
            Box::new(move |block, random, events, sweeps| executable.sweep(block, random, events, sweeps)),
        )
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn interpreter_equals_plain_evaluation(random in random()) {
        check(&random, 1, executable(Target::Portable, 1));
        check(&random, 4, executable(Target::Portable, 4));
        check(&random, 8, executable(Target::Portable, 8));
    }

    // Where the processor lacks a target, the interpreter runs in its place.
    #[test]
    fn machine_code_equals_plain_evaluation(random in random()) {
        check(&random, 2, executable(Target::Avx2, 2));
        check(&random, 4, executable(Target::Avx2, 4));
        check(&random, 8, executable(Target::Avx2, 8));
        check(&random, 2, executable(Target::Avx512, 2));
        check(&random, 8, executable(Target::Avx512, 8));
    }

    #[test]
    fn the_first_lanes_may_be_run_alone(random in random(), lanes in 0..=512usize) {
        let (gates, outputs) = random.build();
        let network = Network { gates: &gates, outputs, rows: ROWS, input: &input };
        let executable = Executable::new(&network, Target::Avx2, 8, 100);
        let mut dice = game::Dice::new(random.seed);
        let mut fill = |slots: usize| (0..slots * 8).map(|_| dice.bits()).collect::<Vec<u64>>();
        let (mut some, drawn) = (fill(executable.block_slots()), fill(ROWS.random as usize));
        let mut all = some.clone();
        let mut events = [vec![0; EVENTS * 8], vec![0; EVENTS * 8]];
        executable.sweep_lanes(&mut some, &drawn, &mut events[0], 1, lanes);
        executable.sweep(&mut all, &drawn, &mut events[1], 1);
        let words = lanes.div_ceil(64);
        for (some, all) in [(&some, &all), (&events[0], &events[1])] {
            for (some, all) in some.chunks(8).zip(all.chunks(8)) {
                assert_eq!(some[..words], all[..words]);
            }
        }
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", unix))]
    fn instructions_equal_plain_evaluation(random in random()) {
        check(&random, 1, simulated::prepare(Target::Avx2));
        check(&random, 1, simulated::prepare(Target::Avx512));
    }
}

/// Instructions run in software: what the compiler decides is tested for processors that the
/// test machine is not.
#[cfg(all(target_arch = "x86_64", unix))]
mod simulated {
    use super::super::instruction::{Instruction, Operand, Pair};
    use super::super::machine_code::{SEGMENT, instructions};
    use super::*;

    pub(super) fn prepare(target: Target) -> impl FnOnce(&Network<'_>, u32) -> (usize, Run) {
        move |network, scratch| {
            let (allocation, _) = instructions(network, target, scratch, SEGMENT).expect("nothing is lost");
            let registers = if target == Target::Avx512 { 32 } else { 16 };
            let run: Run = Box::new(move |block, random, events, sweeps| {
                for sweep in 0..sweeps {
                    let random = &random[sweep * ROWS.random as usize..];
                    let events = &mut events[sweep * ROWS.events as usize..];
                    run(&allocation.instructions, registers, block, random, events);
                }
            });
            (allocation.block_slots as usize, run)
        }
    }

    fn run(code: &[Instruction], count: usize, block: &mut [u64], random: &[u64], events: &mut [u64]) {
        let mut registers = vec![0xdead_beef_dead_beef_u64; count];
        for instruction in code {
            let read = |place: Place| match place.area {
                Area::Block => block[place.slot as usize],
                Area::Random => random[place.slot as usize],
                Area::Events => unreachable!("events are written only"),
            };
            let operand = |operand: Operand| match operand {
                Operand::Register(register) => registers[register as usize],
                Operand::Memory(place) => read(place),
            };
            match *instruction {
                Instruction::Load { to, from } => registers[to as usize] = read(from),
                Instruction::Store { from, to } => match to.area {
                    Area::Block => block[to.slot as usize] = registers[from as usize],
                    _ => events[to.slot as usize] = registers[from as usize],
                },
                Instruction::Move { to, from } => registers[to as usize] = registers[from as usize],
                Instruction::Ones { to } => registers[to as usize] = u64::MAX,
                Instruction::Pair { operation, to, left, right } => {
                    let (left, right) = (registers[left as usize], operand(right));
                    registers[to as usize] = match operation {
                        Pair::And => left & right,
                        Pair::AndNot => !left & right,
                        Pair::Or => left | right,
                        Pair::Xor => left ^ right,
                    };
                }
                Instruction::Triple { table, to, second, third } => {
                    let (a, b, c) = (registers[to as usize], registers[second as usize], operand(third));
                    registers[to as usize] =
                        (0..8u8).filter(|index| table >> index & 1 != 0).fold(0, |all, index| {
                            let pick = |word: u64, bit: u8| if index >> bit & 1 != 0 { word } else { !word };
                            all | pick(a, 2) & pick(b, 1) & pick(c, 0)
                        });
                }
            }
        }
    }
}
