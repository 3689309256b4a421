//! All players of the table, in small games with counted budgets.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use engine::Budget;
use vgdl::SourceFile;
use video::bout::{self, Allowance, Bout, Conditions};
use video::{Action, Level, Outcome, Player, World};

const COUNTED: Conditions =
    Conditions { prepare: Allowance::Ticks(600), tick: Allowance::Ticks(150), limit: None };

fn level(rules: &str, map: &str) -> Arc<Level> {
    let parsed = vgdl::parse(&SourceFile::new("game", rules));
    let checked = vgdl::compile(&parsed.description);
    assert!(parsed.diagnostics.is_empty() && !checked.has_errors(), "{:?}", checked.diagnostics);
    let loaded = Level::load(Arc::new(checked.rules), &SourceFile::new("level", map));
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    Arc::new(loaded.level)
}

/// A coin to fetch, and a wanderer that is in nobody's way.
fn coin() -> Arc<Level> {
    let rules = "BasicGame\n    SpriteSet\n        coin > Resource limit=5\n        fly > RandomNPC\n        \
                 avatar > MovingAvatar\n    InteractionSet\n        coin avatar > collectResource scoreChange=1\n        \
                 avatar wall > stepBack\n        fly wall > stepBack\n    TerminationSet\n        \
                 SpriteCounter stype=coin limit=0 win=True\n        Timeout limit=60 win=False\n    \
                 LevelMapping\n        o > coin\n        f > fly\n";
    level(rules, "wwwwwwww\nw  A o w\nwwwwwwww\nw  f   w\nwwwwwwww\n")
}

/// A crate that has to be pushed around a corner; anywhere else it is stuck.
fn crate_puzzle() -> Arc<Level> {
    let rules = "BasicGame\n    SpriteSet\n        mark > Immovable\n        chest > Passive\n        \
                 avatar > MovingAvatar\n    InteractionSet\n        avatar wall > stepBack\n        \
                 mark chest > killBoth scoreChange=1\n        chest avatar > bounceForward\n        \
                 chest wall > undoAll\n    TerminationSet\n        SpriteCounter stype=mark limit=0 win=True\n        \
                 Timeout limit=500 win=False\n    LevelMapping\n        x > mark\n        c > chest\n";
    level(rules, "wwwwwwwww\nwA      w\nw  c    w\nw       w\nw     x w\nw       w\nwwwwwwwww\n")
}

/// A key that gives no points, far to one side, and a door that it opens, far to the other.
fn key_and_door() -> Arc<Level> {
    let rules = "BasicGame\n    SpriteSet\n        key > Immovable\n        door > Door\n        fly > RandomNPC\n        \
                 avatar > MovingAvatar\n            empty >\n            laden >\n    InteractionSet\n        \
                 empty key > transformTo stype=laden killSecond=True\n        avatar wall > stepBack\n        \
                 empty door > stepBack\n        door laden > killSprite scoreChange=1\n        fly wall > stepBack\n    \
                 TerminationSet\n        SpriteCounter stype=door limit=0 win=True\n        \
                 Timeout limit=300 win=False\n    LevelMapping\n        d > door\n        k > key\n        \
                 f > fly\n        A > empty\n";
    let rows = [
        "w".repeat(26),
        format!("wd{:11}A{:10}kw", "", ""),
        "w".repeat(26),
        format!("w{:12}f{:11}w", "", ""),
    ];
    level(rules, &format!("{}\n{}\n", rows.join("\n"), rows[0]))
}

/// Two avatars and one coin.
fn contest() -> Arc<Level> {
    let rules = "BasicGame no_players=2\n    SpriteSet\n        coin > Resource limit=5\n        \
                 avatar > MovingAvatar\n            one >\n            two >\n    InteractionSet\n        \
                 coin one > killSprite scoreChange=1,0\n        coin two > killSprite scoreChange=0,1\n        \
                 avatar wall > stepBack\n    TerminationSet\n        \
                 SpriteCounter stype=coin limit=0 count_score=True\n        Timeout limit=100 win=False,False\n    \
                 LevelMapping\n        o > coin\n        A > one\n        B > two\n";
    level(rules, "wwwwwwww\nwA o  Bw\nwwwwwwww\n")
}

fn play(level: &Arc<Level>, names: &[&str], seed: u64, ticks: usize) -> (Bout, Vec<Vec<Action>>) {
    let registry = video::players::registry();
    let mut players: Vec<_> =
        names.iter().map(|name| registry.read(name).expect("a player").player(seed)).collect();
    let mut done = Vec::new();
    let bout = bout::play(level, &mut players, seed, COUNTED, &|| Duration::ZERO, &mut |_, actions| {
        done.push(actions.to_vec());
        if done.len() > ticks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (bout, done)
}

#[test]
fn same_seed_same_game_and_only_what_avatars_can_do() {
    let level = coin();
    for row in video::players::registry().rows() {
        let (bout, actions) = play(&level, &[row.name], 7, 12);
        assert_eq!(play(&level, &[row.name], 7, 12), (bout, actions.clone()), "{}", row.name);
        assert!(actions.iter().flatten().all(|action| *action != Action::Use), "{}", row.name);
        assert!(!row.help.is_empty() && !row.source.is_empty());
    }
}

#[test]
fn whoever_looks_ahead_takes_the_coin() {
    let level = coin();
    for row in video::players::registry().rows() {
        if matches!(row.name, "random" | "one-step") {
            continue;
        }
        let (bout, _) = play(&level, &[row.name], 3, 100);
        assert_eq!(bout.results, [(Outcome::Won, 1.0)], "{} in {} ticks", row.name, bout.ticks);
        assert!(bout.ticks < 60, "{}", row.name);
    }
}

#[test]
fn a_puzzle_is_planned_to_its_end() {
    let (bout, _) = play(&crate_puzzle(), &["ludens-video"], 1, 1000);
    assert_eq!(bout.results, [(Outcome::Won, 1.0)], "after {} ticks", bout.ticks);
    let (bout, _) = play(&crate_puzzle(), &["ludens-video:patience=0"], 1, 1000);
    assert!(bout.ticks > 0);
}

#[test]
fn what_gives_no_points_is_fetched_if_it_makes_a_difference() {
    for seed in 1..4 {
        let (bout, _) = play(&key_and_door(), &["ludens-video"], seed, 400);
        assert_eq!(bout.results, [(Outcome::Won, 1.0)], "after {} ticks", bout.ticks);
    }
}

#[test]
fn two_can_play_against_each_other() {
    let level = contest();
    for (one, two) in [("ludens-video", "random"), ("olets", "mcts"), ("iw1", "ludens-video")] {
        let (bout, actions) = play(&level, &[one, two], 5, 100);
        assert_eq!(bout.results.len(), 2);
        assert!(actions.iter().skip(1).all(|both| both.len() == 2));
        assert!(bout.ticks > 0 && !bout.broken_off);
    }
    let (bout, _) = play(&level, &["ludens-video", "random"], 5, 100);
    assert_eq!(bout.results[0].0, Outcome::Won, "it is nearer");
}

#[test]
fn what_is_hidden_is_not_shown() {
    let rules = "BasicGame\n    SpriteSet\n        ghost > RandomNPC hidden=True\n        fly > RandomNPC\n        \
                 avatar > MovingAvatar\n    InteractionSet\n        avatar wall > stepBack\n        \
                 ghost wall > stepBack\n        fly wall > stepBack\n    TerminationSet\n        \
                 Timeout limit=500 win=False\n    LevelMapping\n        g > ghost\n        f > fly\n";
    let world = |map: &str| World::new(&vgdl::Game::new(level(rules, map), 1), 0, 1);
    let mut ghost = world("wwwwwwww\nwA  g  w\nw      w\nwwwwwwww\n");
    let types: Vec<_> = level(rules, "A\n").rules.types().collect();
    let [hidden, shown] = [types[2], types[3]];
    assert!(!ghost.sees(hidden) && !ghost.kinds().any(|kind| kind == hidden));
    assert_eq!((ghost.sprites_of(hidden).count(), ghost.sprites_in(video::Category::Npc).count()), (0, 0));
    let before = ghost.fingerprint();
    (0..5).for_each(|_| ghost.advance(Action::Nil));
    assert_eq!(ghost.fingerprint(), before, "the ghost walked");
    let mut fly = world("wwwwwwww\nwA  f  w\nw      w\nwwwwwwww\n");
    assert_eq!(fly.sprites_of(shown).count(), 1);
    let before = fly.fingerprint();
    fly.advance(Action::Nil);
    assert_ne!(fly.fingerprint(), before);
}

#[test]
fn late_answers_do_nothing() {
    let level = coin();
    let tick = Allowance::Time(Duration::from_millis(40));
    let conditions = Conditions { prepare: Allowance::Ticks(1), tick, limit: None };
    // Every look at the clock takes 30 ms.
    let now = std::sync::atomic::AtomicU64::new(0);
    let clock = || Duration::from_millis(now.fetch_add(30, std::sync::atomic::Ordering::Relaxed));
    let mut players = [video::players::registry().read("mcts").expect("a player").player(1)];
    let bout = bout::play(&level, &mut players, 1, conditions, &clock, &mut |_, _| ControlFlow::Continue(()));
    assert_eq!(bout.late, bout.ticks as u64);
    assert_eq!(bout.results, [(Outcome::Lost, 0.0)]);
    assert!(bout.longest > Duration::from_millis(40));
}

/// Answers after so much time, whatever it may take.
struct Slow<'a> {
    now: &'a AtomicU64,
    prepares: u64,
    acts: u64,
}

impl Player for Slow<'_> {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {
        self.now.fetch_add(self.prepares, Ordering::Relaxed);
    }

    fn act(&mut self, _: &World, _: &Budget<'_>) -> Action {
        self.now.fetch_add(self.acts, Ordering::Relaxed);
        Action::Right
    }
}

#[test]
fn who_is_far_too_late_is_disqualified() {
    let conditions = Conditions { limit: Some(Duration::from_millis(50)), ..Conditions::default() };
    let play = |level: &Arc<Level>, prepares: u64, acts: u64| {
        let now = &*Box::leak(Box::new(AtomicU64::new(0)));
        let clock = || Duration::from_millis(now.load(Ordering::Relaxed));
        let slow = || -> Box<dyn Player> { Box::new(Slow { now, prepares, acts }) };
        let mut players = [slow(), Box::new(Slow { now, prepares: 0, acts: 0 }) as Box<dyn Player>];
        bout::play(level, &mut players, 1, conditions, &clock, &mut |_, _| ControlFlow::Continue(()))
    };
    let fine = play(&coin(), 1000, 40);
    assert_eq!((fine.late, &fine.disqualified[..]), (0, &[false][..]));
    let late = play(&coin(), 1000, 50);
    assert_eq!((late.late, late.disqualified[0]), (late.ticks as u64, false));
    let lost = [(Outcome::Lost, bout::DISQUALIFIED_SCORE)];
    let far = play(&coin(), 1000, 51);
    assert_eq!((far.ticks, far.disqualified[0], &far.results[..]), (1, true, &lost[..]));
    let long = play(&coin(), 1001, 1);
    assert_eq!((long.ticks, long.disqualified[0], &long.results[..]), (0, true, &lost[..]));
    let two = play(&contest(), 1000, 51);
    assert_eq!(two.disqualified, [true, false]);
    assert_eq!((two.results[0], two.results[1].0), (lost[0], Outcome::Open));
}

#[test]
fn players_are_read_with_their_parameters() {
    let registry = video::players::registry();
    assert_eq!(
        registry.read("olets:taboo_ticks=20,taboo_penalty=0.2").expect("fine").name(),
        "olets:taboo_penalty=0.2,taboo_ticks=20"
    );
    for (text, part) in [
        ("olet", "did you mean `olets`?"),
        ("olets:taboo=1", "no parameter"),
        ("olets:taboo_ticks", "NAME=VALUE"),
        ("mcts:depth=0", "1 to 1000"),
    ] {
        let error = registry.read(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_plan_outlives_answers_that_came_too_late() {
    let level = crate_puzzle();
    let tick = Allowance::Time(Duration::from_millis(40));
    let conditions = Conditions { prepare: Allowance::Ticks(4000), tick, limit: None };
    // Now and then something takes the time away.
    let looks = std::sync::atomic::AtomicU64::new(0);
    let clock = || {
        let looks = looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Duration::from_millis(looks / 7 * 50)
    };
    let mut players = [video::players::registry().read("ludens-video").expect("a player").player(1)];
    let bout = bout::play(&level, &mut players, 1, conditions, &clock, &mut |_, _| ControlFlow::Continue(()));
    assert!(bout.late > 0, "{bout:?}");
    assert_eq!(bout.results, [(Outcome::Won, 1.0)], "{bout:?}");
}
