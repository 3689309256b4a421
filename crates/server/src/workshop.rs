//! Machines of the games that are being played: matches of one game share them.

use std::sync::{Arc, Weak};
use std::time::Duration;

use machine::MachineKind;
use parking_lot::Mutex;
use player::Machines;

use crate::Setup;

/// Hands out machines. Twenty matches of a game that begin at once build it once.
#[derive(Debug, Default)]
pub(crate) struct Workshop {
    games: Mutex<Vec<Work>>,
}

/// A game that someone plays.
#[derive(Debug)]
struct Work {
    rules: Arc<str>,
    /// The time that it had or has to be built.
    building: Duration,
    machines: Weak<Machines>,
}

impl Work {
    /// The machines, if they are what a match would build for itself.
    fn suits(&self, setup: &Setup) -> Option<Arc<Machines>> {
        let machines = self.machines.upgrade().filter(|_| *self.rules == *setup.source)?;
        let is_complete = || machines.best().is_some_and(|best| best.kind() == MachineKind::Batch);
        (self.building >= setup.building || is_complete()).then_some(machines)
    }
}

impl Workshop {
    /// Machines for a match, in the making if they are new.
    pub(crate) fn machines(&self, setup: &Setup) -> Arc<Machines> {
        let mut games = self.games.lock();
        games.retain(|work| work.machines.strong_count() > 0);
        if let Some(machines) = games.iter().find_map(|work| work.suits(setup)) {
            return machines;
        }
        let clock = Arc::clone(&setup.clock);
        let machines = Machines::build((*setup.rules).clone(), setup.building, setup.memory, clock);
        games.push(Work {
            rules: Arc::clone(&setup.source),
            building: setup.building,
            machines: Arc::downgrade(&machines),
        });
        machines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(game: &str, building: u64) -> Setup {
        let source: Arc<str> = bundled::find(game).expect("bundled").rules.into();
        let sheet = gdl::parse(&gdl::SourceFile::new("test", source.to_string())).sheet;
        Setup {
            rules: Arc::new(gdl::normal::normalize(&sheet)),
            source,
            role: 0,
            seed: 1,
            memory: 1 << 30,
            threads: 1,
            ponder: false,
            building: Duration::from_secs(building),
            clock: Arc::new(|| Duration::ZERO),
        }
    }

    #[test]
    fn matches_of_a_game_share_its_machines() {
        let workshop = Workshop::default();
        let first = workshop.machines(&setup("tic-tac-toe", 10));
        assert!(Arc::ptr_eq(&first, &workshop.machines(&setup("tic-tac-toe", 10))));
        assert!(Arc::ptr_eq(&first, &workshop.machines(&setup("tic-tac-toe", 5))));
        assert!(!Arc::ptr_eq(&first, &workshop.machines(&setup("nim", 10))));
        // Once all is built, more time makes no difference.
        first.last();
        assert!(Arc::ptr_eq(&first, &workshop.machines(&setup("tic-tac-toe", 60))));
    }

    #[test]
    fn nothing_is_kept_for_no_one() {
        let workshop = Workshop::default();
        drop(workshop.machines(&setup("tic-tac-toe", 10)));
        let _nim = workshop.machines(&setup("nim", 10));
        assert_eq!(workshop.games.lock().len(), 1);
    }
}
