//! What makes a circuit smaller, one file each.

pub(crate) mod constants;
pub(crate) mod correspondence;
pub(crate) mod detach;
pub(crate) mod extract;
