//! Which moves each lane has made, and how they fared.

use game::{MoveId, Outcomes};

use super::LANES;
use super::layout::Layout;
use crate::circuit::MoveNumbers;

/// Words of the widest block.
const MOST_WORDS: usize = LANES / 64;

/// The lanes that begin to be recorded.
pub(super) fn begin(block: &mut [u64], layout: &Layout, words: usize, lanes: &[u64]) {
    let recording = &mut block[layout.recording * words..(layout.recording + 1) * words];
    recording.iter_mut().zip(lanes).for_each(|(recording, lanes)| *recording |= lanes);
    for played in played_slots(block, layout, words) {
        played.iter_mut().zip(lanes).for_each(|(played, lanes)| *played &= !lanes);
    }
}

/// Lanes that are not recorded any more.
pub(super) fn end(block: &mut [u64], layout: &Layout, words: usize, lanes: &[u64]) {
    let recording = &mut block[layout.recording * words..(layout.recording + 1) * words];
    recording.iter_mut().zip(lanes).for_each(|(recording, lanes)| *recording &= !lanes);
}

/// Notes the moves of a sweep whose choices were left open (otherwise the sweep itself does it),
/// in all recorded lanes that were not over before.
pub(super) fn note(block: &mut [u64], layout: &Layout, words: usize, finished: &[u64]) {
    end(block, layout, words, finished);
    let mut mask = [0; MOST_WORDS];
    for (word, mask) in mask[..words].iter_mut().enumerate() {
        *mask = block[layout.recording * words + word] & block[layout.moves * words + word];
    }
    let (before, played) = block.split_at_mut(layout.played * words);
    let does = &before[layout.does * words..(layout.does + layout.move_count) * words];
    for (played, does) in played.chunks_exact_mut(words).zip(does.chunks_exact(words)) {
        for (played, (does, mask)) in played.iter_mut().zip(does.iter().zip(&mask)) {
            *played |= does & mask;
        }
    }
}

/// Adds up what lanes have made: `playouts` has lanes with the playouts that they have played, whose
/// goals are known.
pub(super) fn harvest(
    block: &[u64],
    layout: &Layout,
    words: usize,
    numbers: &MoveNumbers,
    playouts: &[(usize, u32)],
    out: &mut Outcomes,
) {
    let mut lanes = [0u64; MOST_WORDS];
    playouts.iter().for_each(|&(lane, _)| lanes[lane / 64] |= 1 << (lane % 64));
    let mut moves = std::mem::take(&mut out.moves);
    // The lanes of each goal value above 0.
    let mut by_value: Vec<(u8, [u64; MOST_WORDS])> = Vec::new();
    for role in numbers.roles() {
        by_value.clear();
        for &(lane, playout) in playouts {
            let value = out.goals(playout as usize)[role.0 as usize].0;
            if value == 0 {
                continue;
            }
            let known = by_value.iter().position(|(other, _)| *other == value);
            let index = known.unwrap_or_else(|| {
                by_value.push((value, [0; MOST_WORDS]));
                by_value.len() - 1
            });
            by_value[index].1[lane / 64] |= 1 << (lane % 64);
        }
        for id in numbers.range(role) {
            let start = (layout.played + id as usize) * words;
            let played = &block[start..start + words];
            let count = population(played, &lanes);
            if count > 0 {
                let goals = by_value
                    .iter()
                    .map(|(value, lanes)| u64::from(*value) * u64::from(population(played, lanes)));
                moves.add(role, MoveId(id), count, goals.sum());
            }
        }
    }
    out.moves = moves;
}

/// Says which moves lanes have made, playout by playout; `playouts` as above.
pub(super) fn list(
    block: &[u64],
    layout: &Layout,
    words: usize,
    numbers: &MoveNumbers,
    playouts: &[(usize, u32)],
    out: &mut Outcomes,
) {
    // Lane and playout have the same place in their words, so words go over as they are.
    let mut parts: Vec<(usize, usize, u64)> = Vec::new();
    for &(lane, playout) in playouts {
        let (word, to, bit) = (lane / 64, playout as usize / 64, 1 << (lane % 64));
        debug_assert_eq!(lane % 64, playout as usize % 64, "lanes are blocks of words");
        match parts.iter_mut().find(|part| (part.0, part.1) == (word, to)) {
            Some(part) => part.2 |= bit,
            None => parts.push((word, to, bit)),
        }
    }
    let moves = numbers.roles().flat_map(|role| numbers.range(role).map(move |id| (role, id)));
    for (role, id) in moves {
        let played = &block[(layout.played + id as usize) * words..][..words];
        for &(word, to, lanes) in &parts {
            out.made.add(to, role, MoveId(id), played[word] & lanes);
        }
    }
}

fn population(words: &[u64], lanes: &[u64; MOST_WORDS]) -> u32 {
    words.iter().zip(lanes).map(|(word, lanes)| (word & lanes).count_ones()).sum()
}

fn played_slots<'a>(
    block: &'a mut [u64],
    layout: &Layout,
    words: usize,
) -> impl Iterator<Item = &'a mut [u64]> + use<'a> {
    let end = layout.played + layout.move_count;
    block[layout.played * words..end * words].chunks_exact_mut(words)
}
