//! Tests of the whole crate from outside, in one binary so that it is linked once.

// Tests print what they skip and how long large sheets take.
#![allow(clippy::print_stdout)]

mod broken;
mod corpus;
mod explanations;
mod markers;
mod pages;
mod properties;
mod size;
