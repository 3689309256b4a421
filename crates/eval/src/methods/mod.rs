//! Ways to value states: one file and one row each. To add one, write a file with a row and name the row in
//! [`METHODS`].

mod clune;
mod distance;
mod flux;
mod gifl;
mod id3;
mod larg;
mod linear;
mod network;
mod patterns;
mod phases;
mod td;

use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught};

/// A way to value states.
#[derive(Clone, Copy)]
pub struct MethodRow {
    /// The name by which it is asked for.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// Whether it looks at what the rules derive where that is asked for.
    pub derived: bool,
    /// Learns it.
    pub learn: fn(&Lesson<'_>) -> Result<Taught, LearnError>,
}

impl std::fmt::Debug for MethodRow {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("MethodRow").field(&self.name).finish()
    }
}

impl PartialEq for MethodRow {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// All methods.
pub const METHODS: &[MethodRow] = &[
    linear::NULL,
    linear::PAPER,
    linear::REGRESSION,
    linear::PIECES,
    phases::ROW,
    td::ROW,
    flux::ROW,
    distance::ROW,
    patterns::ROW,
    gifl::ROW,
    id3::ROW,
    network::ROW,
    clune::ROW,
    larg::MOBILITY,
    larg::PROXIMITY,
    larg::LARG,
];

/// What says that no method is asked for.
pub const NONE: &str = "none";

/// The names of all methods, after the one that says that none is asked for.
pub const NAMES: &[&str] = &{
    let mut names = [NONE; METHODS.len() + 1];
    let mut place = 0;
    while place < METHODS.len() {
        names[place + 1] = METHODS[place].name;
        place += 1;
    }
    names
};

/// The method of a name.
pub fn find(name: &str) -> Option<&'static MethodRow> {
    METHODS.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_name_of_its_own() {
        let different: std::collections::HashSet<&&str> = NAMES.iter().collect();
        assert_eq!(different.len(), METHODS.len() + 1);
        assert!(METHODS.iter().all(|row| find(row.name) == Some(row) && !row.source.is_empty()));
        assert!(find(NONE).is_none());
    }
}
