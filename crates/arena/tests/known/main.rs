//! Positions with known answers: the solver that found them agrees with the theory of nim, and with
//! every file; agents find the answers and prove them.

mod agent;
mod answers;
mod nim;
mod position;
mod solver;
