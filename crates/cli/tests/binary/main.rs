//! Tests that run the real binary.

mod bench;
mod commands;
mod corpus;
mod support;
mod wrong_inputs;
