//! Tests that run the real binary.

mod commands;
mod corpus;
mod support;
mod wrong_inputs;
