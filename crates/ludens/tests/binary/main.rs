//! Tests that run the real binary.

mod arena;
#[cfg(unix)]
mod attacks;
mod bench;
#[cfg(feature = "cluster")]
mod cluster;
mod commands;
mod corpus;
mod functions;
mod install;
mod lsp;
mod matches;
mod readme;
mod solve;
mod strange_sheets;
mod structure;
mod support;
mod terminal;
mod tournament;
mod tournaments;
mod video;
mod web;
mod why;
mod wrong_inputs;
