//! What the machines are measured against.
//!
//! [`hand`] has playouts of four games written by hand as tightly as we can, one state at a time
//! on bitboards: the yardstick that says how much generality costs, or earns. [`peers`] has what
//! other players were measured to reach. [`ruler`] has positions whose values are known.

pub mod hand;
pub mod peers;
pub mod ruler;
