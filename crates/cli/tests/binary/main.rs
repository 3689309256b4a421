//! Tests that run the real binary.

mod arena;
mod bench;
mod commands;
mod corpus;
mod matches;
mod solve;
mod support;
mod wrong_inputs;
