//! Tests that run the real binary.

mod arena;
mod bench;
#[cfg(feature = "cluster")]
mod cluster;
mod commands;
mod corpus;
mod matches;
mod readme;
mod solve;
mod strange_sheets;
mod support;
mod terminal;
mod tournament;
mod video;
mod wrong_inputs;
