//! Many matches from one place: others are served all the same.

use server::Limits;

use crate::support::{STRANGER, options, serve_with, start};

#[test]
fn one_address_does_not_get_all_seats() {
    let player = serve_with(options("random"), Limits::default());
    for number in 0..8 {
        player.say_from(STRANGER, &start(&format!("m{number}"), "x", "tic-tac-toe", 600, 600));
    }
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 3, 5)), "ready");
    assert!(player.say("(PLAY m NIL)").starts_with("(mark "));
}
