//! Players whose helpers think with them: helpers are counted, missed when they die, and welcome when they come back.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use engine::team::{HelperId, Helpers, Line, News, Order, Report};
use machine::Machine;
use parking_lot::Mutex;
use player::team::local_helpers;
use player::{AgentSpec, Clock, Decision, Limit, Machines, Player, Setup};

fn clock() -> Clock {
    let start = Instant::now();
    Arc::new(move || start.elapsed())
}

fn player(game: &str, agent: AgentSpec, clock: &Clock) -> Player {
    let rules = gdl::normal::read(bundled::find(game).expect("bundled").rules);
    let machines = Machines::build(rules, Duration::from_secs(60), 1 << 30, Arc::clone(clock));
    machines.last().expect("a machine");
    let setup = Setup { machines, role: 0, agent, seed: 7, ponder: false, clock: Arc::clone(clock) };
    Player::new(setup).expect("a player")
}

fn agent(text: &str) -> AgentSpec {
    text.parse().expect("an agent")
}

/// The first decision of an agent after so many simulations.
fn decide(game: &str, agent: AgentSpec, simulations: u64) -> Decision {
    player(game, agent, &clock()).choose(Limit::simulations(simulations)).expect("a move")
}

/// What tells two decisions apart, but for how long they took.
fn told(decision: &Decision) -> (String, u64, Vec<(String, u32, f64)>) {
    let moves = decision.moves.iter().map(|one| (one.text.clone(), one.visits, one.value));
    (decision.text.clone(), decision.simulations, moves.collect())
}

/// Helpers in this process on a line that can be cut.
#[derive(Default)]
struct Shaky {
    number: usize,
    /// Those who hear nothing and are not heard.
    gone: Arc<Mutex<HashSet<HelperId>>>,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    roots: AtomicU64,
    played: AtomicU64,
    lost: AtomicU64,
    /// Of the first helper alone.
    of_first: AtomicU64,
}

struct ShakyLine {
    line: Box<dyn Line>,
    gone: Arc<Mutex<HashSet<HelperId>>>,
    counts: Arc<Counts>,
}

impl Helpers for Shaky {
    fn line(&self, _: &str, machine: &Machine) -> Box<dyn Line> {
        let line = local_helpers(self.number, machine, &clock());
        Box::new(ShakyLine { line, gone: Arc::clone(&self.gone), counts: Arc::clone(&self.counts) })
    }
}

impl Line for ShakyLine {
    fn tell(&self, to: Option<&HelperId>, order: Order) {
        let gone = self.gone.lock();
        for place in 1..=self.line.expected() {
            let id = HelperId(place.to_string());
            if !gone.contains(&id) && to.is_none_or(|to| *to == id) {
                self.line.tell(Some(&id), order.clone());
            }
        }
    }

    fn hear(&self, patience: Duration) -> Option<Report> {
        let report = self.line.hear(patience)?;
        if self.gone.lock().contains(&report.helper) {
            return None;
        }
        let count = match report.news {
            News::Root(_) => &self.counts.roots,
            News::Played(_) => &self.counts.played,
            News::Lost { .. } => &self.counts.lost,
            News::Ready { .. } => return Some(report),
        };
        count.fetch_add(1, Ordering::Relaxed);
        let is_first = report.helper == first();
        self.counts.of_first.fetch_add(u64::from(is_first), Ordering::Relaxed);
        Some(report)
    }

    fn expected(&self) -> usize {
        self.line.expected() - self.gone.lock().len()
    }
}

/// Helpers in this process who are heard later than the clock allows.
struct Late {
    delay: Duration,
    /// How often they were told something, and heard.
    told: Arc<AtomicU64>,
    heard: Arc<AtomicU64>,
}

struct LateLine {
    line: Box<dyn Line>,
    delay: Duration,
    on_their_way: Mutex<VecDeque<(Instant, Report)>>,
    told: Arc<AtomicU64>,
    heard: Arc<AtomicU64>,
}

impl Helpers for Late {
    fn line(&self, _: &str, machine: &Machine) -> Box<dyn Line> {
        let line = local_helpers(2, machine, &clock());
        let (told, heard) = (Arc::clone(&self.told), Arc::clone(&self.heard));
        Box::new(LateLine { line, delay: self.delay, on_their_way: Mutex::default(), told, heard })
    }
}

impl Line for LateLine {
    fn tell(&self, to: Option<&HelperId>, order: Order) {
        self.told.fetch_add(1, Ordering::Relaxed);
        self.line.tell(to, order);
    }

    fn hear(&self, patience: Duration) -> Option<Report> {
        let mut on_their_way = self.on_their_way.lock();
        if let Some(report) = self.line.hear(patience) {
            on_their_way.push_back((Instant::now() + self.delay, report));
        }
        on_their_way.front().filter(|(when, _)| *when <= Instant::now())?;
        let (_, report) = on_their_way.pop_front()?;
        self.heard.fetch_add(1, Ordering::Relaxed);
        Some(report)
    }

    fn expected(&self) -> usize {
        self.line.expected()
    }
}

fn first() -> HelperId {
    HelperId("1".to_owned())
}

#[test]
fn without_helpers_all_is_as_before() {
    for game in ["tic-tac-toe", "connect-four-small"] {
        let alone = told(&decide(game, agent("cadia-uct"), 300));
        assert_eq!(told(&decide(game, agent("cadia-uct:helpers=0,team=tree"), 300)), alone);
        // Helpers were asked for, and nobody came.
        for team in ["root", "tree"] {
            let nobody = Arc::new(Shaky::default());
            let spec = agent(&format!("cadia-uct:helpers=3,team={team}")).with_helpers(nobody, "");
            assert_eq!(told(&decide(game, spec, 300)), alone, "{game}, {team}");
        }
    }
}

#[test]
fn trees_of_helpers_are_merged_and_counted() {
    let alone = decide("connect-four-small", agent("cadia-uct"), 200);
    for merge in ["best", "sum", "sum10", "raw"] {
        let spec = || agent(&format!("cadia-uct:helpers=2,merge={merge}"));
        let helped = decide("connect-four-small", spec(), 200);
        assert!((600..700).contains(&helped.simulations), "{merge}: {}", helped.simulations);
        let visits = |decision: &Decision| decision.moves.iter().map(|one| one.visits).sum::<u32>();
        assert!(visits(&helped) > 2 * visits(&alone), "{merge}: {:?}", helped.moves);
        // Everybody counts, so everything is the same again.
        assert_eq!(told(&decide("connect-four-small", spec(), 200)), told(&helped), "{merge}");
    }
}

#[test]
fn leaves_are_played_out_by_helpers_and_proofs_stay_right() {
    let helpers = Shaky { number: 2, ..Shaky::default() };
    let counts = Arc::clone(&helpers.counts);
    let spec = agent("ludens:helpers=2,team=tree,batch=8").with_helpers(Arc::new(helpers), "");
    let clock = clock();
    let mut player = player("tic-tac-toe", spec, &clock);
    let decision = player.choose(Limit::simulations(400)).expect("a move");
    assert!(decision.simulations >= 400, "{}", decision.simulations);
    // As long as it takes until all is known; the game is a draw.
    let mut last = decision;
    for _ in 0..40 {
        if last.proven {
            break;
        }
        last = player.choose(Limit::simulations(5_000)).expect("a move");
    }
    assert_eq!((last.proven, last.proven_goal()), (true, Some(50)), "{last:?}");
    assert!(counts.played.load(Ordering::Relaxed) > 0, "helpers have played something out");
}

#[test]
fn a_policy_that_learns_from_playouts_says_that_leaves_stay_here() {
    let clock = clock();
    let mut player = player("tic-tac-toe", agent("cadia-mast:helpers=1,team=tree"), &clock);
    player.choose(Limit::simulations(50)).expect("a move");
    let events: Vec<String> = player.events().iter().map(ToString::to_string).collect();
    assert!(events.iter().any(|event| event.contains("team=root")), "{events:?}");
}

/// Plays a match in which the first helper goes after a while, and comes back later; how often it was heard, in the
/// three parts.
fn shaken_match(team: &str) -> [u64; 3] {
    let helpers = Shaky { number: 2, ..Shaky::default() };
    let (counts, gone) = (Arc::clone(&helpers.counts), Arc::clone(&helpers.gone));
    let text = format!("cadia-uct:helpers=2,team={team},exchange=5");
    let spec = agent(&text).with_helpers(Arc::new(helpers), "");
    let clock = clock();
    let mut player = player("connect-four", spec, &clock);
    let mut parts = [0; 3];
    for (part, heard) in parts.iter_mut().enumerate() {
        match part {
            1 => drop(gone.lock().insert(first())),
            2 => gone.lock().clear(),
            _ => {}
        }
        let before = counts.of_first.load(Ordering::Relaxed);
        let (mut made, mut simulations) = (String::new(), 0);
        for turn in 0..20 {
            let is_heard = counts.of_first.load(Ordering::Relaxed) > before;
            // On a busy computer it takes some time until it is heard of.
            if turn > 2 && (is_heard || part == 1) {
                break;
            }
            let decision = player.choose(Limit::until(clock() + Duration::from_millis(300))).expect("a move");
            assert!(decision.moves.iter().any(|one| one.text == decision.text), "{decision:?}");
            made = decision.text;
            // There the time may also be over before anybody begins.
            simulations += decision.simulations;
        }
        assert!(simulations > 0);
        *heard = counts.of_first.load(Ordering::Relaxed) - before;
        // The position is another one in each part.
        player.advance(&[made.as_str(), "noop"]).expect("legal");
        player.advance(&["noop", "(drop 3)"]).expect("legal");
    }
    parts
}

#[test]
fn a_helper_with_a_tree_may_go_and_come_back() {
    let [before, away, after] = shaken_match("root");
    assert!(before > 0 && away == 0 && after > 0, "{before}, {away}, {after}");
}

#[test]
fn a_helper_that_plays_out_leaves_may_go_and_come_back() {
    let [before, away, after] = shaken_match("tree");
    assert!(before > 0 && away == 0 && after > 0, "{before}, {away}, {after}");
}

/// A few turns by the clock with helpers who answer so much later than they should; how often they were told something,
/// and heard.
fn match_with_late_helpers(team: &str, delay: Duration) -> (u64, u64) {
    const TIME: Duration = Duration::from_millis(500);
    /// A busy computer may not come to it at once, but what is late is as late as helpers are.
    const TOO_LATE: Duration = Duration::from_millis(2_000);
    let (told, heard) = (Arc::<AtomicU64>::default(), Arc::<AtomicU64>::default());
    let late = Late { delay, told: Arc::clone(&told), heard: Arc::clone(&heard) };
    let spec =
        agent(&format!("cadia-uct:helpers=2,team={team},exchange=20")).with_helpers(Arc::new(late), "");
    let clock = clock();
    let mut player = player("connect-four", spec, &clock);
    for turn in 0..4 {
        let begin = clock();
        let decision = player.choose(Limit::until(begin + TIME)).expect("a move");
        let took = clock() - begin;
        assert!(took < TOO_LATE, "{team}, turn {turn}: {took:?}");
        // What was heard meanwhile may be of the turn before, and then it does not count.
        assert!(decision.moves.iter().any(|one| one.text == decision.text), "{decision:?}");
        player.advance(&[decision.text.as_str(), "noop"]).expect("legal");
        player.advance(&["noop", "(drop 3)"]).expect("legal");
    }
    (told.load(Ordering::Relaxed), heard.load(Ordering::Relaxed))
}

#[test]
fn the_clock_is_kept_however_late_helpers_are() {
    for team in ["root", "tree"] {
        let (told, heard) = match_with_late_helpers(team, Duration::from_secs(600));
        assert!(told > 0 && heard == 0, "{team}: {told}, {heard}");
        // These are heard, but a turn or more too late.
        let (_, heard) = match_with_late_helpers(team, Duration::from_millis(700));
        assert!(heard > 0, "{team}");
    }
}
