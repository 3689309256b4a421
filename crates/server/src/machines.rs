//! Machines of the games that are being played: matches of one game share them.

use std::sync::{Arc, Weak};
use std::time::Duration;

use gdl::normal::NormalRules;
use parking_lot::Mutex;
use player::{Clock, MachineKind, Machines, Room};

/// A game that machines are wanted for.
pub struct GameText {
    /// Its rules.
    pub rules: NormalRules,
    /// The same as they were sent.
    pub source: Arc<str>,
    /// Time to build machines in the background.
    pub building: Duration,
    /// Bytes for them.
    pub room: Room,
    /// The time.
    pub clock: Clock,
}

/// Where sessions get their machines from.
pub type MachineSource = Arc<dyn Fn(GameText) -> Arc<Machines> + Send + Sync>;

/// Machines that are built, once for all matches of a game that go on at the same time.
pub fn shared_machines() -> MachineSource {
    let shared = SharedMachines::default();
    Arc::new(move |game| shared.machines(game))
}

/// Hands out machines. Twenty matches of a game that begin at once build it once.
#[derive(Debug, Default)]
struct SharedMachines {
    games: Mutex<Vec<Known>>,
}

/// A game that someone plays.
#[derive(Debug)]
struct Known {
    rules: Arc<str>,
    /// The time that it had or has to be built.
    building: Duration,
    machines: Weak<Machines>,
}

impl Known {
    /// The machines, if they are what a match would build for itself.
    fn suits(&self, game: &GameText) -> Option<Arc<Machines>> {
        let machines = self.machines.upgrade().filter(|_| *self.rules == *game.source)?;
        let is_complete = || machines.kind() == Some(MachineKind::Batch);
        (self.building >= game.building || is_complete()).then_some(machines)
    }
}

impl SharedMachines {
    /// Machines for a match, in the making if they are new.
    fn machines(&self, game: GameText) -> Arc<Machines> {
        let mut games = self.games.lock();
        games.retain(|known| known.machines.strong_count() > 0);
        if let Some(machines) = games.iter().find_map(|known| known.suits(&game)) {
            return machines;
        }
        let machines = Machines::build_within(game.rules, game.building, game.room, game.clock);
        let weak = Arc::downgrade(&machines);
        games.push(Known { rules: game.source, building: game.building, machines: weak });
        machines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str, building: u64) -> GameText {
        let source: Arc<str> = bundled::find(name).expect("bundled").rules.into();
        let sheet = gdl::parse(&gdl::SourceFile::new("test", source.to_string())).sheet;
        GameText {
            rules: gdl::normal::normalize(&sheet),
            source,
            building: Duration::from_secs(building),
            room: Room { circuit: 1 << 30, reference: 1 << 30 },
            clock: Arc::new(|| Duration::ZERO),
        }
    }

    #[test]
    fn matches_of_a_game_share_its_machines() {
        let shared = SharedMachines::default();
        let first = shared.machines(game("tic-tac-toe", 10));
        assert!(Arc::ptr_eq(&first, &shared.machines(game("tic-tac-toe", 10))));
        assert!(Arc::ptr_eq(&first, &shared.machines(game("tic-tac-toe", 5))));
        assert!(!Arc::ptr_eq(&first, &shared.machines(game("nim", 10))));
        // Once all is built, more time makes no difference.
        first.last();
        assert!(Arc::ptr_eq(&first, &shared.machines(game("tic-tac-toe", 60))));
    }

    #[test]
    fn nothing_is_kept_for_no_one() {
        let shared = SharedMachines::default();
        drop(shared.machines(game("tic-tac-toe", 10)));
        let _nim = shared.machines(game("nim", 10));
        assert_eq!(shared.games.lock().len(), 1);
    }
}
