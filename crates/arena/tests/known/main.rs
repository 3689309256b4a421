//! Positions with known answers: the solver that found them agrees with the theory of nim, and with
//! every file; agents find the answers and prove them. So they do with whole small games, with mates in
//! a number of moves, and where playouts are too optimistic.

mod agent;
mod answers;
mod begin;
mod mates;
mod nim;
mod optimism;
mod position;
mod rest;
mod solver;
