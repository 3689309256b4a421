//! A host that died and goes on with its match, and players that are in the middle of it.

use std::time::Duration;

use machine::reference::Reference;
use protocol::Manner;
use referee::{Answer, Clocks, Match, Nobody, Rulebook, Settings, Step};
use server::{Opponent, conduct_resumed};

use crate::support::{rules, runtime, serve, start};

/// Both show the same hand in every round: a PLAY says nothing of which round it is.
#[test]
fn a_question_asked_twice_is_not_taken_for_two_turns() {
    let sheet = gdl::parse(&gdl::SourceFile::new("t", rules("rock-paper-scissors"))).sheet;
    let game = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("playable");
    let book = Rulebook::new(&sheet, None);
    let second = Duration::from_secs(1);
    let clocks = Clocks { preview: Duration::ZERO, start: second, play: second };
    for turns in 1..=4 {
        let players = [serve("legal"), serve("legal")];
        let settings = Settings { match_id: format!("m.{turns}"), clocks, ..Settings::default() };
        let mut current = Match::new(&game, &book, settings.clone(), 0).expect("sound");
        while current.record().moves.len() < turns {
            let step = current.step().expect("it goes on");
            let given = (0..2).map(|role| {
                let request = current.request(role).expect("there is something to say").to_string();
                Answer::Reply(players[role].say(&request)).into()
            });
            let given = given.collect();
            current.take(if step == Step::Preview { Vec::new() } else { given }, 0, &mut Nobody);
        }
        // The host asks for the next moves and dies before it has written them down.
        for (role, player) in players.iter().enumerate() {
            player.say(&current.request(role).expect("a PLAY").to_string());
        }
        let resumed = Match::resume(&game, &book, settings, current.record(), 0).expect("the same rules");
        let opponents = players
            .each_ref()
            .map(|player| Some(Opponent::Remote(player.address.to_string().parse().expect("an address"))));
        let report = runtime().block_on(conduct_resumed(resumed, &opponents, Manner::Plain, &mut Nobody));
        let trouble: Vec<&String> =
            report.record.errors.iter().flatten().filter(|text| !text.is_empty()).collect();
        assert!(report.record.is_completed && trouble.is_empty(), "after {turns}: {:?}", report.record);
    }
}

/// A host of any make that asks once more, in the last turn: moves end no game that is still asked about.
#[test]
fn what_would_end_the_game_is_a_question_asked_again() {
    let player = serve("legal");
    assert_eq!(player.say(&start("m.1", "left", "rock-paper-scissors", 2, 2)), "ready");
    let first = player.say("(PLAY m.1 NIL)");
    let joint = format!("(PLAY m.1 ({first} {first}))");
    for turn in 2..=7 {
        assert_eq!(player.say(&joint), first, "turn {turn}");
    }
}
