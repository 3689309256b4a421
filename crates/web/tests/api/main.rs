//! The server over a real socket.

mod hostile;
mod openapi;
mod packed;
mod play;
mod remote;
mod sheets;
mod support;
mod tournaments;
mod videos;
mod watchers;
