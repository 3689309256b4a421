//! Real sockets: a hostile host against our player, hostile players against our host.

mod crowd;
mod explosion;
mod hidden;
mod hostile_host;
mod hostile_player;
mod lobby;
mod many_hidden;
mod mutations;
mod resumed;
// A machine with faults, shared with the tests of the player.
#[allow(dead_code)]
#[path = "../../../player/tests/clocks/slow.rs"]
mod slow;
mod spelling;
mod strangers;
mod support;
