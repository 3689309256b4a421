//! What sprites do in a tick, by family of classes.

mod chaser;
mod flicker;
mod npc;
mod path_chaser;
mod producer;
mod walker;
