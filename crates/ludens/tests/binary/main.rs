//! Tests that run the real binary.

mod arena;
mod bench;
mod commands;
mod corpus;
mod matches;
mod readme;
mod solve;
mod strange_sheets;
mod support;
mod terminal;
mod video;
mod web;
mod wrong_inputs;
