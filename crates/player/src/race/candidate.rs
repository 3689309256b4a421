//! The settings that race: one row each.

use engine::Settings;

use super::character::Character;

/// Some settings, and where they may be better than the usual ones.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// How it is written.
    pub(crate) name: &'static str,
    /// What differs from the usual settings.
    pub(crate) overrides: &'static [(&'static str, &'static str)],
    /// Whether a game is one for it.
    pub(crate) suits: fn(&Character) -> bool,
    /// Whether it plays matches where two play. What plays its playouts one at a time does not: at equal time it lost to
    /// what stays in lanes in every game.
    pub(crate) by_matches: bool,
    /// Whether it answers questions where more or fewer play. A mix of moves has no right answer, and who knows what
    /// pieces are worth is not judged by who does not.
    pub(crate) by_answers: bool,
    /// The method that values states for it, so that it must have found something.
    pub(crate) evaluation: Option<&'static str>,
    /// Whether it looks ahead to a depth in place of growing a tree.
    pub(crate) looks_ahead: bool,
}

const fn row(
    name: &'static str,
    overrides: &'static [(&'static str, &'static str)],
    suits: fn(&Character) -> bool,
) -> Candidate {
    let (evaluation, looks_ahead) = (None, false);
    Candidate { name, overrides, suits, by_matches: false, by_answers: true, evaluation, looks_ahead }
}

const fn mixed(name: &'static str, overrides: &'static [(&'static str, &'static str)]) -> Candidate {
    let suits = |game: &Character| game.at_once > 0.0;
    Candidate { by_matches: true, by_answers: false, ..row(name, overrides, suits) }
}

const fn pieces(name: &'static str, overrides: &'static [(&'static str, &'static str)]) -> Candidate {
    let evaluation = Some("pieces");
    Candidate { by_matches: true, by_answers: false, evaluation, ..row(name, overrides, in_turn) }
}

/// MTD(f) to a depth, states valued by a method.
const fn ahead(name: &'static str, method: &'static str) -> Candidate {
    let suits = |game: &Character| in_turn(game) && game.deciders == 2 && !game.has_chance;
    let evaluation = Some(method);
    Candidate { by_matches: true, by_answers: false, evaluation, looks_ahead: true, ..row(name, &[], suits) }
}

/// Both matches and answers tell how good it is.
const fn either(
    name: &'static str,
    overrides: &'static [(&'static str, &'static str)],
    suits: fn(&Character) -> bool,
) -> Candidate {
    Candidate { by_matches: true, ..row(name, overrides, suits) }
}

fn always(_: &Character) -> bool {
    true
}

fn in_turn(game: &Character) -> bool {
    game.at_once == 0.0
}

/// The first one is what is played without a race. The others stand in the order in which they play their first matches:
/// those first that have won most in some game.
pub(crate) static CANDIDATES: &[Candidate] = &[
    row("the usual settings", &[], always),
    // By a regression too it would win in minichess, but that takes a second to learn: in Othello the race came to no end.
    ahead("looking ahead by pieces", "pieces"),
    either("policy=mast-greedy", &[("policy", "mast-greedy")], always),
    pieces("pieces, implicit=0.4", &[("implicit", "0.4")]),
    mixed("simultaneous=sequential", &[("simultaneous", "sequential")]),
    mixed("simultaneous=exp3", &[("simultaneous", "exp3")]),
    mixed("simultaneous=regret-matching", &[("simultaneous", "regret-matching")]),
    mixed("mixed=always", &[("mixed", "always")]),
    either("exploration=20", &[("exploration", "20")], always),
    either("exploration=60", &[("exploration", "60")], always),
    either("breadth=10000", &[("breadth", "10000")], |game| game.branching > 8.0),
    either("cutoff=true", &[("cutoff", "true")], |game| game.length > 60.0 || game.has_stable_goals),
    either("exploration=10", &[("exploration", "10")], always),
    either("exploration=30", &[("exploration", "30")], always),
    either("breadth=4", &[("breadth", "4")], |game| game.branching > 4.0),
    either("implicit=0.4", &[("implicit", "0.4")], |game| in_turn(game) && game.has_stable_goals),
    either("policy=mast", &[("policy", "mast")], always),
    either("policy=mast,exploration=20", &[("policy", "mast"), ("exploration", "20")], always),
    either("batch=32", &[("batch", "32")], always),
    either("final_move=value", &[("final_move", "value")], always),
    either("decisive=none", &[("decisive", "none")], in_turn),
    row("policy=to-mast", &[("policy", "to-mast")], always),
    row("policy=ngram", &[("policy", "ngram")], always),
    row("policy=last-good-reply", &[("policy", "last-good-reply")], always),
    row("policy=ppa", &[("policy", "ppa")], always),
    row("rave=schedule", &[("rave", "schedule")], always),
    row("rave=error", &[("rave", "error"), ("rave_reference", "50")], always),
];

/// The methods that rows ask for, each once.
pub(crate) fn methods() -> Vec<&'static str> {
    let mut methods: Vec<&str> = CANDIDATES.iter().filter_map(|row| row.evaluation).collect();
    methods.sort_unstable();
    methods.dedup();
    methods
}

impl Candidate {
    /// Whether it is what is played without a race.
    pub(crate) fn is_usual(&self) -> bool {
        self.overrides.is_empty() && !self.looks_ahead
    }

    /// The usual settings with what differs; `None` if somebody asked for another value of one of them, or
    /// nothing differs although something should.
    pub(crate) fn applied_to(&self, usual: &Settings) -> Option<Settings> {
        let mut settings = usual.clone();
        for (name, value) in self.overrides {
            if usual.is_given(name) {
                return None;
            }
            settings.preset(name, value).ok()?;
        }
        (self.overrides.is_empty() || settings != *usual).then_some(settings)
    }
}

#[cfg(test)]
mod tests {
    use search::Parameters;
    use search::mcts::policy::Policies;

    use super::*;

    #[test]
    fn every_row_can_be_read_and_differs() {
        let usual = Settings::new(Parameters::rows(&Policies::standard()));
        for row in CANDIDATES {
            let mut settings = usual.clone();
            for (name, value) in row.overrides {
                settings.set(name, value).unwrap_or_else(|error| panic!("{}: {error}", row.name));
            }
        }
        assert!(CANDIDATES[0].is_usual(), "the first one is as usual");
        assert!(CANDIDATES[1..].iter().all(|row| !row.is_usual()));
        let mut names: Vec<&str> = CANDIDATES.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CANDIDATES.len());
        assert!(methods().iter().all(|method| eval::methods::find(method).is_some()));
    }

    #[test]
    fn what_was_asked_for_is_not_changed() {
        let mut settings = Settings::new(Parameters::rows(&Policies::standard()));
        settings.set("policy", "uniform").expect("a policy");
        let find = |name: &str| CANDIDATES.iter().find(|row| row.name == name).expect("a row");
        assert!(find("policy=mast").applied_to(&settings).is_none());
        assert!(find("exploration=20").applied_to(&settings).is_some());
        settings.preset("exploration", "20").expect("a number");
        assert!(find("exploration=20").applied_to(&settings).is_none(), "it is the same");
    }
}
