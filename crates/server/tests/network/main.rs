//! Real sockets: a hostile host against our player, hostile players against our host.

mod hostile_host;
mod mutations;
mod support;
