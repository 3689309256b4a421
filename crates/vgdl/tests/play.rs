//! Small games of our own: what the rules say is what happens.

mod small;

use small::{cells, game, sprites};
use vgdl::{Action, Category, Direction, Game, Outcome};

fn boxes() -> Game {
    game(
        "BasicGame square_size=10",
        "    hole > Immovable\n    avatar > MovingAvatar\n    box > Passive\n    wall > Immovable",
        "    b > box\n    o > hole",
        "    avatar wall > stepBack\n    box avatar > bounceForward\n    box wall box > undoAll\n    \
         box hole > killSprite scoreChange=1",
        "    SpriteCounter stype=box limit=0 win=True",
        "wwwwwww\nwAb.o.w\nw.b...w\nwwwwwww".replace('.', " ").as_str(),
    )
}

#[test]
fn a_box_is_pushed_into_a_hole_and_a_wall_stops_the_avatar() {
    let mut game = boxes();
    game.advance(&[Action::Up]);
    assert_eq!(cells(&game, "avatar"), [(1, 1)]);
    game.advance(&[Action::Right]);
    assert_eq!((cells(&game, "avatar"), cells(&game, "box")), (vec![(2, 1)], vec![(3, 1), (2, 2)]));
    game.advance(&[Action::Right]);
    assert_eq!(cells(&game, "box"), [(2, 2)]);
    assert_eq!(game.state().score(0), 1.0);
    assert_eq!(game.state().outcome(0), Outcome::Open);
    // The other box has a wall behind it: all is undone.
    game.advance(&[Action::Left]);
    game.advance(&[Action::Down]);
    assert_eq!((cells(&game, "avatar"), cells(&game, "box")), (vec![(2, 1)], vec![(2, 2)]));
}

#[test]
fn an_action_that_an_avatar_does_not_have_is_nothing_in_a_game() {
    let mut game = boxes();
    assert_eq!(
        game.state().actions(game.level(), 0),
        [Action::Left, Action::Right, Action::Down, Action::Up]
    );
    game.advance(&[Action::Use]);
    assert_eq!(cells(&game, "avatar"), [(1, 1)]);
    assert!(game.asks(0));
}

fn shooter() -> Game {
    game(
        "BasicGame square_size=10",
        "    floor > Immovable\n    gold > Resource limit=2\n    ghost > RandomNPC cooldown=2 cons=1\n    \
         spring > SpawnPoint stype=ghost prob=0.4 cooldown=3\n    shot > Missile speed=0.5\n    \
         avatar > ShootAvatar stype=shot ammo=gold\n    wall > Immovable",
        "    . > floor\n    g > floor gold\n    s > floor spring\n    A > floor avatar",
        "    avatar ghost wall > stepBack\n    shot wall > killSprite\n    ghost shot > killBoth scoreChange=2\n    \
         gold avatar > collectResource scoreChange=1\n    avatar TIME > spawn timer=9 repeating=True stype=gold",
        "    SpriteCounter stype=avatar limit=0 win=False\n    Timeout limit=60 win=True",
        "wwwwwww\nwAgg.sw\nwg....w\nwwwwwww",
    )
}

#[test]
fn shots_need_ammunition_and_fly_half_a_cell_a_tick() {
    let mut game = shooter();
    game.advance(&[Action::Use]);
    assert!(cells(&game, "shot").is_empty());
    game.advance(&[Action::Right]);
    let avatar = game.state().avatar(game.level(), 0).expect("an avatar");
    let gold = game.level().rules.type_named("gold").expect("a type");
    assert_eq!(avatar.resources, [(gold, 2)], "one from the start by time, one collected");
    game.advance(&[Action::Use]);
    let shot = sprites(&game, "shot");
    assert_eq!(
        (shot[0].rect.x, shot[0].direction, shot[0].category),
        (30, Direction::RIGHT, Category::FromAvatar)
    );
    game.advance(&[Action::Nil]);
    assert_eq!(sprites(&game, "shot")[0].rect.x, 35);
    assert_eq!(game.state().avatar(game.level(), 0).expect("an avatar").resources, [(gold, 1)]);
}

#[test]
fn a_game_ends_in_time_and_the_winner_has_a_point_at_least() {
    let mut game = shooter();
    for _ in 0..100 {
        game.advance(&[Action::Nil]);
    }
    assert!(game.state().is_over());
    assert_eq!(game.state().tick(), 60);
    assert_eq!(game.result()[0].0, Outcome::Won);
    assert!(game.result()[0].1 >= 1.0);
    assert!(game.state().actions(game.level(), 0).is_empty());
}

#[test]
fn a_model_with_the_seed_of_a_game_plays_as_the_game_does() {
    let mut game = shooter();
    let mut model = game.model(1);
    let mut other = game.model(99);
    for tick in 0..70 {
        let action = [Action::Left, Action::Right, Action::Down, Action::Up, Action::Use][tick * 7 % 5];
        game.advance(&[action]);
        model.advance(&[action]);
        let seen = |state: &vgdl::State| state.visible(game.level(), 0).collect::<Vec<_>>();
        assert_eq!(seen(game.state()), seen(model.state()), "tick {tick}");
        assert_eq!(game.state().random_state(), model.state().random_state());
        assert_eq!(game.state().score(0), model.state().score(0));
        // A copy into old memory is as good as a new one.
        other.clone_from(&model);
        let fresh = model.clone();
        assert_eq!(seen(other.state()), seen(fresh.state()));
        assert_eq!(game.history(), other.history().copied().collect::<Vec<_>>());
    }
    assert!(!game.history().is_empty());
}

#[test]
fn two_players_have_their_own_scores_and_ends() {
    let mut game = game(
        "BasicGame square_size=10 no_players=2",
        "    coin > Immovable\n    avatar > MovingAvatar\n      left >\n      right >",
        "    c > coin\n    L > left\n    R > right",
        "    coin left > killSprite scoreChange=3,-1\n    coin right > killSprite scoreChange=0,1",
        "    SpriteCounter stype=coin limit=0 count_score=True",
        "Lc  cR\n      ",
    );
    game.advance(&[Action::Right, Action::Nil]);
    assert_eq!((game.state().score(0), game.state().score(1)), (3.0, -1.0));
    game.advance(&[Action::Nil, Action::Left]);
    assert_eq!((game.state().outcome(0), game.state().outcome(1)), (Outcome::Won, Outcome::Lost));
}

#[test]
fn a_dead_avatar_stays_and_is_not_asked() {
    let mut game = game(
        "BasicGame square_size=10",
        "    trap > Immovable\n    avatar > MovingAvatar",
        "    t > trap",
        "    avatar trap > killSprite",
        "    Timeout limit=50 win=True",
        "A t\n   ",
    );
    game.advance(&[Action::Right]);
    game.advance(&[Action::Right]);
    assert!(!game.asks(0));
    assert!(sprites(&game, "avatar")[0].disabled);
    game.advance(&[Action::Left]);
    assert_eq!(cells(&game, "avatar"), [(2, 0)]);
}

#[test]
fn chasers_come_and_paths_go_around_walls() {
    let mut game = game(
        "BasicGame square_size=10 obs=wall",
        "    hound > PathChaser stype=avatar\n    avatar > MovingAvatar\n    wall > Immovable",
        "    h > hound",
        "    hound wall > stepBack\n    avatar hound > killSprite",
        "    SpriteCounter stype=avatar limit=0 win=False",
        "wwwww\nwA  w\nwwwhw\nw   w\nwwwww",
    );
    let mut ticks = 0;
    while !game.state().is_over() {
        game.advance(&[Action::Nil]);
        ticks += 1;
        assert!(ticks < 10);
    }
    assert_eq!(ticks, 3);
}
