//! Real sockets: a hostile host against our player, hostile players against our host.

mod hostile_host;
mod hostile_player;
mod mutations;
mod spelling;
mod support;
