//! A small game for each class that few games have: avatars that fly and drive, makers and chasers, effects and
//! ends. What they do was worked out from the facts of the GVG-AI framework, by hand.

mod small;

use std::sync::Arc;

use small::{cells, sprites};
use vgdl::{Action, Game, JavaRandom, Level, Outcome, SourceFile};

const WIDE: &str = "wwwwwwwww\nw       w\nw       w\nw   A   w\nw       w\nw       w\nwwwwwwwww";

/// A game of ten pixels a cell that ends after a hundred ticks.
fn game(sprites: &str, mapping: &str, interactions: &str, level: &str) -> Game {
    ending(sprites, mapping, interactions, "    Timeout limit=100 win=True", level)
}

fn ending(sprites: &str, mapping: &str, interactions: &str, ends: &str, level: &str) -> Game {
    small::game("BasicGame square_size=10", sprites, mapping, interactions, ends, level)
}

/// The avatar alone.
fn avatar(class: &str) -> Game {
    game(
        &format!("    shot > Missile\n    avatar > {class}"),
        "    s > shot",
        "    shot EOS > killSprite",
        WIDE,
    )
}

fn play(game: &mut Game, actions: &[Action]) {
    actions.iter().for_each(|&action| game.advance(&[action]));
}

fn place(game: &Game, name: &str) -> (i32, i32) {
    let rect = sprites(game, name)[0].rect;
    (rect.x, rect.y)
}

/// Another game on the same level with another seed.
fn reseeded(game: &Game, seed: i64) -> Game {
    Game::new(game.level().clone(), seed)
}

#[test]
fn an_aimed_avatar_turns_a_little_and_shoots_twice() {
    let mut game = avatar("AimedAvatar stype=shot");
    play(&mut game, &[Action::Up, Action::Use]);
    assert_eq!(place(&game, "avatar"), (40, 30), "it is stationary");
    let shots = sprites(&game, "shot");
    // One of the button, one of the class; 0.15 from the right, rounded towards zero.
    assert_eq!(shots.iter().map(|shot| (shot.rect.x, shot.rect.y)).collect::<Vec<_>>(), [(49, 28); 2]);
    assert!((shots[0].direction.y + 0.15_f64.sin()).abs() < 1e-9, "{:?}", shots[0].direction);
}

#[test]
fn a_spaceship_turns_before_it_moves_and_shoots_ahead() {
    let mut game = avatar("SpaceshipAvatar stype=shot speed=1");
    play(&mut game, &[Action::Right, Action::Up]);
    assert_eq!(place(&game, "avatar"), (40, 30), "its new orientation comes first");
    play(&mut game, &[Action::Up]);
    assert_eq!(place(&game, "avatar"), (49, 32));
    play(&mut game, &[Action::Use]);
    assert_eq!(sprites(&game, "shot").len(), 2);
    assert_eq!(place(&game, "shot"), (58, 34));
}

#[test]
fn a_bird_flaps_and_falls() {
    let mut game = avatar("BirdAvatar physicstype=1 gravity=1 mass=1 friction=0");
    play(&mut game, &[Action::Nil]);
    assert_eq!(place(&game, "avatar"), (40, 30), "nothing moves in its first tick");
    play(&mut game, &[Action::Use]);
    assert_eq!(place(&game, "avatar"), (41, 30));
    play(&mut game, &[Action::Nil]);
    // Ten upwards: a tenth to the right is nothing, nine and a half are nine.
    assert_eq!(place(&game, "avatar"), (41, 21));
    let direction = sprites(&game, "avatar")[0].direction;
    assert!((direction.y / direction.x + 4.5).abs() < 1e-9, "it flies ahead again: {direction:?}");
}

#[test]
fn a_car_drives_by_itself_and_backs() {
    let mut game = avatar("CarAvatar physicstype=1 mass=1 friction=0");
    play(&mut game, &[Action::Nil, Action::Down]);
    assert_eq!(place(&game, "avatar"), (46, 30));
    play(&mut game, &[Action::Nil]);
    assert_eq!(place(&game, "avatar"), (50, 30), "what it had forwards is only lessened");
    play(&mut game, &[Action::Left]);
    let direction = sprites(&game, "avatar")[0].direction;
    assert!(direction.y > 0.0, "backwards and to the left is down: {direction:?}");
}

#[test]
fn a_lander_has_no_brakes() {
    let mut game = avatar("LanderAvatar physicstype=1 mass=1 friction=0");
    play(&mut game, &[Action::Up, Action::Down]);
    assert_eq!(place(&game, "avatar"), (41, 30));
    play(&mut game, &[Action::Left, Action::Up]);
    let seen = sprites(&game, "avatar")[0];
    let (x, y) = (1.0 + 0.3_f64.cos(), -0.3_f64.sin());
    assert!((seen.direction.y / seen.direction.x - y / x).abs() < 1e-9, "{:?}", seen.direction);
    assert!((seen.speed - x.hypot(y)).abs() < 1e-9, "{}", seen.speed);
}

#[test]
fn some_avatars_go_up_and_down_or_across_only() {
    let mut vertical = avatar("VerticalAvatar");
    assert_eq!(vertical.state().actions(vertical.level(), 0), [Action::Up, Action::Down]);
    play(&mut vertical, &[Action::Left, Action::Down, Action::Down, Action::Up]);
    assert_eq!(place(&vertical, "avatar"), (40, 40));
    let mut horizontal = avatar("HorizontalAvatar");
    play(&mut horizontal, &[Action::Up, Action::Left]);
    assert_eq!(place(&horizontal, "avatar"), (30, 30));
}

#[test]
fn a_path_chaser_goes_around_and_a_chaser_in_line_of_sight_keeps_its_way() {
    let hunts = small::game(
        "BasicGame square_size=10 obs=wall",
        "    hound > PathChaser stype=avatar\n    avatar > MovingAvatar",
        "    h > hound",
        "    hound wall > stepBack",
        "    Timeout limit=100 win=True",
        "wwwww\nwA ww\nww ww\nww hw\nwwwww",
    );
    let mut game = hunts;
    play(&mut game, &[Action::Nil; 3]);
    assert_eq!(cells(&game, "hound"), [(2, 1)]);
    let cross = small::game(
        "BasicGame square_size=10",
        "    cake > Immovable\n    dog > LOSChaser stype=cake\n    avatar > MovingAvatar",
        "    c > cake\n    d > dog",
        "    dog wall > stepBack",
        "    Timeout limit=100 win=True",
        "w   c   w\nw       w\nw       w\nwc  d  cw\nw       w\nw       w\nw   c  Aw",
    );
    for seed in 0..12 {
        let mut game = reseeded(&cross, seed);
        // It sees nothing before it has moved, so its first way is any.
        let way = [(0, -1), (-1, 0), (0, 1), (1, 0)][JavaRandom::new(seed).next_int(4) as usize];
        play(&mut game, &[Action::Nil; 3]);
        assert_eq!(cells(&game, "dog"), [(4 + 3 * way.0, 3 + 3 * way.1)], "seed {seed}");
    }
}

#[test]
fn makers_make_all_at_once_or_any() {
    let all = game(
        "    a > Immovable\n    b > Immovable\n    both > SpawnPointMultiSprite stypes=a,b total=4 cooldown=2\n    avatar > MovingAvatar",
        "    s > both",
        "    avatar wall > stepBack",
        "wwwww\nwAs w\nwwwww",
    );
    let mut game = all;
    let count = |game: &Game, name: &str| sprites(game, name).len();
    let counts = |game: &Game| [count(game, "a"), count(game, "b"), count(game, "both")];
    play(&mut game, &[Action::Nil]);
    assert_eq!(counts(&game), [1, 1, 1]);
    play(&mut game, &[Action::Nil]);
    assert_eq!(counts(&game), [1, 1, 1]);
    play(&mut game, &[Action::Nil]);
    assert_eq!(counts(&game), [2, 2, 0]);
    let any = self::game(
        "    a > Immovable\n    b > Immovable\n    maker > BomberRandomMissile stypeMissile=a,b total=5\n    avatar > MovingAvatar",
        "    s > maker",
        "    avatar wall > stepBack",
        "wwwww\nwAs w\nwwwww",
    );
    for seed in 0..8 {
        let mut game = reseeded(&any, seed);
        let mut random = JavaRandom::new(seed);
        let mut expected = [0, 0];
        for _ in 0..5 {
            expected[random.next_int(2) as usize] += 1;
            random.next_float();
        }
        play(&mut game, &[Action::Nil; 9]);
        assert_eq!([count(&game, "a"), count(&game, "b")], expected, "seed {seed}");
        assert_eq!(count(&game, "maker"), 0, "it has made all it may");
    }
}

#[test]
fn missiles_without_chance_conveyors_and_inertial_wanderers() {
    let mut game = game(
        "    belt > Conveyor orientation=RIGHT\n    dart > ErraticMissile orientation=RIGHT speed=0.5\n    avatar > MovingAvatar",
        "    b > belt\n    d > dart",
        "    dart wall > stepBack",
        "wwwwwww\nwAb   w\nwd    w\nwwwwwww",
    );
    play(&mut game, &[Action::Nil; 5]);
    assert_eq!(
        place(&game, "dart"),
        (30, 20),
        "its chance is never asked for, and the first tick is at rest"
    );
    assert_eq!(place(&game, "belt"), (20, 10));
    let drifting = self::game(
        "    leaf > RandomInertial mass=1\n    avatar > MovingAvatar",
        "    l > leaf",
        "    leaf EOS > wrapAround",
        "wwwwwww\nwA    w\nw  l  w\nwwwwwww",
    );
    for seed in 0..6 {
        let mut game = reseeded(&drifting, seed);
        let way = [(0, -1), (-1, 0), (0, 1), (1, 0)][JavaRandom::new(seed).next_int(4) as usize];
        play(&mut game, &[Action::Nil]);
        let leaf = sprites(&game, "leaf")[0];
        assert_eq!((leaf.rect.x, leaf.rect.y), (30, 20), "a force moves nothing at once");
        assert_eq!((leaf.direction.x, leaf.direction.y), (f64::from(way.0), f64::from(way.1)), "seed {seed}");
        assert_eq!(leaf.speed, 1.0);
        play(&mut game, &[Action::Nil]);
        assert_eq!(place(&game, "leaf"), (30 + way.0, 20 + way.1), "seed {seed}");
    }
}

#[test]
fn sprites_are_made_on_each_side() {
    let beside = |step_back: bool| {
        let line = |effect: &str, name: &str| {
            format!("    pad avatar > {effect} stype={name}{}", if step_back { " stepBack=True" } else { "" })
        };
        let lines = [("spawnAbove", "n"), ("spawnBelow", "s"), ("spawnLeft", "w2"), ("spawnRight", "e")];
        let lines: Vec<String> = lines.iter().map(|(effect, name)| line(effect, name)).collect();
        let mut game = game(
            "    pad > Immovable\n    n > Immovable\n    s > Immovable\n    w2 > Immovable\n    e > Immovable\n    avatar > MovingAvatar",
            "    p > pad",
            &lines.join("\n"),
            "      \n  A p \n      \n      ",
        );
        play(&mut game, &[Action::Right, Action::Right]);
        ["n", "s", "w2", "e"].map(|name| cells(&game, name)[0])
    };
    assert_eq!(beside(false), [(4, 0), (4, 2), (3, 1), (5, 1)]);
    assert_eq!(beside(true), [(3, 0), (3, 2), (2, 1), (4, 1)], "beside where it came from");
}

#[test]
fn speeds_are_halved_set_and_deadly() {
    let mut game = game(
        "    pad > Immovable\n    mud > Immovable\n    hare > Missile orientation=RIGHT\n    slug > Missile orientation=RIGHT speed=0.5\n    dart > Missile orientation=RIGHT\n    avatar > MovingAvatar",
        "    p > pad\n    m > mud\n    h > hare\n    s > slug\n    d > dart",
        "    dart pad > halfSpeed\n    hare mud > killIfSlow limspeed=0.6\n    slug mud > killIfSlow limspeed=0.6\n    avatar pad > setSpeedForAll stype=dart value=0.75",
        "wwwwwwwww\nwdp     w\nwh m    w\nws m    w\nw   Ap  w\nwwwwwwwww",
    );
    play(&mut game, &[Action::Nil; 2]);
    assert_eq!(sprites(&game, "dart")[0].speed, 0.5);
    play(&mut game, &[Action::Nil]);
    assert_eq!(sprites(&game, "dart")[0].speed, 0.25, "it is still on the pad");
    play(&mut game, &[Action::Nil; 3]);
    assert_eq!(
        (sprites(&game, "hare").len(), sprites(&game, "slug").len()),
        (1, 0),
        "only one of them was slow"
    );
    let before = sprites(&game, "dart")[0].speed;
    assert!(before < 0.25);
    play(&mut game, &[Action::Right]);
    assert_eq!(sprites(&game, "dart")[0].speed, 0.75);
}

#[test]
fn only_what_stands_upright_lives_and_health_grows_to_its_limit() {
    let mut game = game(
        "    up > Passive rotation=4.7\n    flat > Passive rotation=0.0\n    pill > Immovable\n    pad > Immovable\n    avatar > MovingAvatar healthPoints=4 limitHealthPoints=7",
        "    u > up pad\n    f > flat pad\n    p > pill",
        "    up pad > killIfNotUpright\n    flat pad > killIfNotUpright\n    avatar pill > addHealthPointsToMax value=5 killSecond=True scoreChange=1",
        "wwwwwww\nwApufpw\nwwwwwww",
    );
    play(&mut game, &[Action::Right]);
    assert_eq!((sprites(&game, "up").len(), sprites(&game, "flat").len()), (1, 0));
    let avatar = game.state().avatar(game.level(), 0).expect("alive");
    assert_eq!((avatar.sprite.health, avatar.max_health), (7, 7));
    assert_eq!((sprites(&game, "pill").len(), game.state().score(0)), (1, 1.0));
}

#[test]
fn a_child_is_drawn() {
    let eggs = game(
        "    egg > Immovable\n    bird >\n      duck > Immovable\n      crow > Immovable\n    avatar > MovingAvatar",
        "    e > egg\n    d > duck",
        "    egg avatar > transformToRandomChild stype=bird",
        "wwwww\nwAe w\nwwwww",
    );
    for seed in 0..12 {
        let mut game = reseeded(&eggs, seed);
        play(&mut game, &[Action::Right]);
        let drawn = JavaRandom::new(seed).next_int(2) as usize;
        let hatched = [sprites(&game, "duck").len(), sprites(&game, "crow").len()];
        assert_eq!(hatched, if drawn == 0 { [1, 0] } else { [0, 1] }, "seed {seed}");
        assert_eq!(sprites(&game, "egg").len(), 0);
    }
}

#[test]
fn games_end_when_there_are_enough_of_all() {
    let coins = |ends: &str| {
        let mut game = ending(
            "    box > Immovable\n    coin >\n      gold > Immovable\n      silver > Immovable\n    avatar > MovingAvatar",
            "    b > box\n    s > silver",
            "    box avatar > transformTo stype=gold",
            ends,
            "wwwwww\nwAbbsw\nwwwwww",
        );
        let mut ticks = 0;
        while !game.state().is_over() && ticks < 20 {
            play(&mut game, &[Action::Right]);
            ticks += 1;
        }
        (ticks, game.state().outcome(0))
    };
    assert_eq!(coins("    SpriteCounterMore stype=coin limit=2 win=True"), (1, Outcome::Won));
    assert_eq!(coins("    SpriteCounterMore stype=coin limit=3 win=False"), (2, Outcome::Lost));
    assert_eq!(
        coins("    MultiSpriteCounterSubTypes stype1=coin limit=3 subTypesNum=2 win=True"),
        (2, Outcome::Won)
    );
    assert_eq!(
        coins("    MultiSpriteCounterSubTypes stype1=coin limit=3 subTypesNum=1 win=True").1,
        Outcome::Open
    );
}

#[test]
fn flags_of_sprites_and_effects_are_kept() {
    let mut game = game(
        "    coin > Immovable\n    dart > Missile orientation=RIGHT isFirstTick=False\n    spark > Immovable is_from_avatar=True\n    avatar > MovingAvatar",
        "    c > coin\n    d > dart\n    s > spark",
        "    avatar coin > stepBack scoreChange=2 applyScore=False\n    avatar spark > stepBack scoreChange=1",
        "wwwwwww\nwsAc  w\nwd    w\nwwwwwww",
    );
    play(&mut game, &[Action::Right]);
    assert_eq!((place(&game, "dart"), game.state().score(0)), ((20, 20), 0.0), "no tick at rest, no score");
    play(&mut game, &[Action::Left]);
    assert_eq!(game.state().score(0), 1.0);
    assert_eq!(
        sprites(&game, "spark")[0].category,
        vgdl::Category::Static,
        "who stays is told as such first"
    );
    let text = "BasicGame key_handler=Pulse\n SpriteSet\n  glass > Immovable invisible=True,False\n InteractionSet\n TerminationSet\n LevelMapping\n";
    let rules = vgdl::compile(&vgdl::parse(&SourceFile::new("game", text)).description).rules;
    assert_eq!(rules.key_handling, vgdl::KeyHandling::Pulse);
    let glass = rules.type_named("glass").expect("a type");
    assert_eq!(rules.kind(glass).invisible, [true, false]);
    assert!(Level::load(Arc::new(rules), &SourceFile::new("level", "A")).level.width == 1);
}
