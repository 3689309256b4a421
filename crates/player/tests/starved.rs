//! Players that get no time in games that hide something: what they were told is kept, what a host drew in their place is found
//! out, and once there is time they know where they are. And the start clock is time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use game::{Describe, Dice, Expansion, Game, MoveId, Observe, RoleId};
use machine::{ErasedGame, ErasedState, Limits, Target, Wanted};
use player::{Clock, Limit, MachineKind, Machines, Player, Setup, Told};

/// A clock that jumps: a minute goes by between two looks at it.
fn jumping() -> Clock {
    let looks = AtomicU64::new(0);
    Arc::new(move || Duration::from_secs(60 * looks.fetch_add(1, Ordering::Relaxed)))
}

/// The match as the host sees it. It tells the first role what it sees, and never what was played in its name.
struct Host {
    game: Arc<ErasedGame>,
    state: ErasedState,
    expansion: Expansion,
    dice: Dice,
}

const ROLE: RoleId = RoleId(0);

impl Host {
    fn new(game: &Arc<ErasedGame>, seed: u64) -> Self {
        let (game, state) = (Arc::clone(game), game.initial());
        let mut host = Self { game, state, expansion: Expansion::new(), dice: Dice::new(seed) };
        host.look();
        host
    }

    fn look(&mut self) {
        self.game.expand(&mut self.game.workspace(), &self.state, &mut self.expansion).expect("no fault");
    }

    /// Makes a move of the first role, or draws one, and any of the others.
    fn make(&mut self, own: Option<&str>) -> Told {
        let dice = &mut self.dice;
        let mut joint: Vec<MoveId> =
            self.expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        if let Some(own) = own {
            let id = self.game.find_move(ROLE, own).filter(|id| self.expansion.legal(ROLE).contains(id));
            joint[0] = id.unwrap_or_else(|| panic!("`{own}` is not legal"));
        }
        let (mut workspace, mut seen) = (self.game.workspace(), Vec::new());
        self.game.observe(&mut workspace, &self.state, &joint, ROLE, &mut seen).expect("no fault");
        self.state = self.game.apply(&mut workspace, &self.state, &joint).expect("no fault");
        self.look();
        let percepts = seen.iter().map(|&id| self.game.percept_text(id)).collect();
        Told::Seen { turn: None, own: None, percepts }
    }
}

/// Plays a match in which some turns end before they begin, and the host draws a move for them. `knows` says whether the
/// player is told that its answer came to nothing.
fn play(game: &Arc<ErasedGame>, agent: &str, seed: u64, knows: bool) -> usize {
    let clock = jumping();
    let setup = Setup {
        machines: Machines::of(Arc::clone(game), MachineKind::Batch),
        role: usize::from(ROLE.0),
        agent: agent.parse().expect("an agent"),
        seed,
        ponder: false,
        clock: Arc::clone(&clock),
    };
    let mut player = Player::new(setup).expect("a thread");
    let mut host = Host::new(game, seed);
    let (mut told, mut drawn) = (Told::Nothing, 0);
    for turn in 0.. {
        if host.expansion.is_terminal() {
            break;
        }
        player.follow(told);
        if turn % 3 == 1 {
            let late = player.choose(Limit::until(clock()));
            player.answered(late.as_ref().map_or("noop", |decision| decision.spelling.as_str()));
            if knows {
                player.unheard();
            }
            drawn += 1;
            told = host.make(None);
            continue;
        }
        let decision = player.choose(Limit::simulations(20)).expect("a move");
        let possible = decision.possible.expect("something is hidden");
        assert!(possible.positions > 0 && possible.inconsistent == 0, "{agent} {seed}: {possible:?}");
        player.answered(&decision.spelling);
        let is_legal = game.find_move(ROLE, &decision.text);
        let is_legal = is_legal.is_some_and(|id| host.expansion.legal(ROLE).contains(&id));
        // Nobody has said which move was drawn: it may be legal in another position that agrees, and not in the true one.
        told = host.make(Some(&decision.text).filter(|_| is_legal).map(String::as_str));
    }
    drawn
}

#[test]
fn who_was_given_no_time_knows_where_it_is_once_there_is_some() {
    let mut drawn = 0;
    for name in ["kriegspiel-tic-tac-toe", "mastermind-small", "leduc-poker", "spy-against-spy", "monty-hall"]
    {
        let rules = bundled::find(name).expect("a bundled game").rules;
        let machine = machine::from_text(rules, Wanted::Batch(Target::detect()), &Limits::generous());
        let game = machine.expect("a machine").erased();
        for (agent, seed) in [("ludens", 1), ("information-sets", 2), ("random", 3)] {
            for knows in [true, false] {
                drawn += play(&game, agent, seed, knows);
            }
        }
    }
    assert!(drawn > 20, "{drawn}");
}

#[test]
fn who_has_nothing_to_think_about_waits_for_its_machine() {
    let rules = gdl::normal::read(bundled::find("mastermind").expect("a bundled game").rules);
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let machines = Machines::build(rules, Duration::from_secs(60), 1 << 28, Arc::clone(&clock));
    let setup = Setup {
        machines: Arc::clone(&machines),
        role: usize::from(ROLE.0),
        agent: "random".parse().expect("an agent"),
        seed: 1,
        ponder: false,
        clock,
    };
    let mut player = Player::new(setup).expect("a thread");
    player.prepare(Some(Duration::from_secs(60))).expect("it can be played");
    assert!(machines.kind() > Some(MachineKind::Reference), "{:?}", machines.kind());
}
