//! Picks the version that suits the processor. The unsafe code of this crate is here and in
//! `othello_avx2`: calls of functions compiled for instructions whose presence was checked.
#![allow(unsafe_code)]

use super::{Deposit, Generator, HandGame, HandTally, Plain};
use super::{breakthrough, connect_four, othello, tic_tac_toe};

#[inline(always)]
fn play_with<D: Deposit>(game: HandGame, playouts: u64, seed: u64) -> HandTally {
    let mut generator = Generator::new(seed);
    match game {
        HandGame::TicTacToe => tic_tac_toe::play::<D>(&mut generator, playouts),
        HandGame::ConnectFour => connect_four::play::<D>(&mut generator, playouts),
        HandGame::Breakthrough => breakthrough::play::<D>(&mut generator, playouts),
        HandGame::Othello => othello::play::<D>(&mut generator, playouts),
    }
}

/// Plays uniformly random playouts from the beginning.
pub fn play(game: HandGame, playouts: u64, seed: u64) -> HandTally {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("lzcnt")
    {
        if game == HandGame::Othello && std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions.
            return unsafe { super::othello_avx2::play(&mut Generator::new(seed), playouts) };
        }
        // SAFETY: the processor has the instructions.
        return unsafe { play_bmi2(game, playouts, seed) };
    }
    play_plain(game, playouts, seed)
}

/// The same playouts without any special instruction.
pub(super) fn play_plain(game: HandGame, playouts: u64, seed: u64) -> HandTally {
    play_with::<Plain>(game, playouts, seed)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
fn play_bmi2(game: HandGame, playouts: u64, seed: u64) -> HandTally {
    play_with::<Bmi2>(game, playouts, seed)
}

/// The deposit instruction.
#[cfg(target_arch = "x86_64")]
pub(super) struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl Deposit for Bmi2 {
    #[inline(always)]
    fn pick(mask: u64, index: u32) -> u64 {
        // SAFETY: only functions compiled for BMI2 use it.
        unsafe { std::arch::x86_64::_pdep_u64(1 << index, mask) }
    }
}
