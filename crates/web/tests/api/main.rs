//! The server over a real socket.

mod hostile;
mod openapi;
mod play;
mod sheets;
mod support;
