//! The video games that come with Ludens: descriptions in VGDL with five levels each, in three sets as
//! the competition has them.

use crate::nearest;

/// Set, name, rules and levels of every game.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str]);

static EMBEDDED: &[Row] = include!(concat!(env!("OUT_DIR"), "/video.rs"));

/// A video game that comes with Ludens.
#[derive(Clone, Copy, Debug)]
pub struct VideoGame {
    /// The set it belongs to: `training`, `validation` or `test`.
    pub set: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its description.
    pub rules: &'static str,
    /// Its levels.
    pub levels: &'static [&'static str],
}

/// All video games, set by set.
pub fn all() -> impl Iterator<Item = VideoGame> {
    EMBEDDED.iter().map(|&(set, name, rules, levels)| VideoGame { set, name, rules, levels })
}

/// The video game of a name. Case, blanks and hyphens do not matter.
pub fn find(name: &str) -> Option<VideoGame> {
    let wanted = nearest::letters(name);
    all().find(|game| nearest::letters(game.name) == wanted)
}

/// The names of a set; none if there is no such set.
pub fn set(name: &str) -> Vec<&'static str> {
    all().filter(|game| game.set == name).map(|game| game.name).collect()
}

/// The name that is nearest to what was written, if one is near.
pub fn nearest(name: &str) -> Option<&'static str> {
    nearest::nearest(name, EMBEDDED.iter().map(|row| row.1)).first().copied()
}
