//! A helper that goes leaves its place to another, by the clock, in which nobody is waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use engine::team::{HelperId, Helpers, Line, News, Order, Report};
use machine::Machine;
use parking_lot::Mutex;
use player::team::local_helpers;
use player::{AgentSpec, Clock, Limit, Machines, Player, Setup};

/// What a tree of a helper is said to have seen: nobody else sees as much.
const MARK: u64 = 1 << 40;

/// Two helpers of which one is there.
struct One {
    present: Arc<Mutex<HelperId>>,
    /// Batches of leaves that were given to whoever is there.
    batches: Arc<AtomicU64>,
}

struct OneLine {
    line: Box<dyn Line>,
    present: Arc<Mutex<HelperId>>,
    batches: Arc<AtomicU64>,
}

impl Helpers for One {
    fn line(&self, _: &str, machine: &Machine) -> Box<dyn Line> {
        let start = Instant::now();
        let clock: Clock = Arc::new(move || start.elapsed());
        let line = local_helpers(2, machine, &clock);
        Box::new(OneLine { line, present: Arc::clone(&self.present), batches: Arc::clone(&self.batches) })
    }
}

impl Line for OneLine {
    fn tell(&self, to: Option<&HelperId>, order: Order) {
        let present = self.present.lock().clone();
        if to.is_none_or(|to| *to == present) {
            self.batches.fetch_add(u64::from(matches!(order, Order::Play(_))), Ordering::Relaxed);
            self.line.tell(Some(&present), order);
        }
    }

    fn hear(&self, patience: Duration) -> Option<Report> {
        let mut report = self.line.hear(patience)?;
        if report.helper != *self.present.lock() {
            return None;
        }
        if let News::Root(root) = &mut report.news {
            root.simulations = MARK;
        }
        Some(report)
    }

    fn expected(&self) -> usize {
        0
    }
}

fn helper(name: &str) -> HelperId {
    HelperId(name.to_owned())
}

/// Whether the first helper counts, and after it went the second.
fn counted(team: &str) -> [bool; 2] {
    let (start, passed) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let clock: Clock = {
        let passed = Arc::clone(&passed);
        Arc::new(move || start.elapsed() + Duration::from_secs(passed.load(Ordering::Relaxed)))
    };
    let rules = gdl::normal::read(bundled::find("connect-four").expect("bundled").rules);
    let machines = Machines::build(rules, Duration::from_secs(60), 1 << 30, Arc::clone(&clock));
    machines.last().expect("a machine");
    let (present, batches) = (Arc::new(Mutex::new(helper("1"))), Arc::default());
    let helpers = One { present: Arc::clone(&present), batches: Arc::clone(&batches) };
    let agent: AgentSpec = format!("cadia-uct:helpers=1,team={team},exchange=5").parse().expect("an agent");
    let agent = agent.with_helpers(Arc::new(helpers), "");
    let setup = Setup { machines, role: 0, agent, seed: 7, ponder: false, clock: Arc::clone(&clock) };
    let mut player = Player::new(setup).expect("a player");
    [helper("1"), helper("2")].map(|name| {
        *present.lock() = name;
        // The match takes its time.
        passed.fetch_add(30, Ordering::Relaxed);
        let before = batches.load(Ordering::Relaxed);
        // On a busy computer it takes some turns until anybody is heard of.
        (0..40).any(|_| {
            let decision = player.choose(Limit::until(clock() + Duration::from_millis(200))).expect("a move");
            player.advance(&[decision.text.as_str(), "noop"]).expect("legal");
            let played = batches.load(Ordering::Relaxed) > before;
            decision.simulations >= MARK || played
        })
    })
}

#[test]
fn another_helper_with_a_tree_takes_the_place_of_one_that_is_gone() {
    assert_eq!(counted("root"), [true, true]);
}

#[test]
fn another_helper_that_plays_out_leaves_takes_the_place_of_one_that_is_gone() {
    assert_eq!(counted("tree"), [true, true]);
}
