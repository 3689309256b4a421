//! Hosts and players to whom the case of letters matters.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::Duration;

use game::{Describe, Expansion, Game, MoveId, RoleId};
use machine::reference::Reference;
use protocol::Manner;
use referee::{Clocks, Match, Nobody, Rulebook, Settings};
use server::{Opponent, conduct};

use crate::support::{runtime, serve};

/// Two drop bombs in turn, many times: long enough for every machine to be used.
const BOMBS: &str =
    "(role xPlayer) (role OPlayer) (init (turn xPlayer)) (init (place Here)) (init (place there))
    (init (left 9)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (succ 8 9)
    (<= (legal ?r (dropBomb ?p)) (true (turn ?r)) (true (place ?p)))
    (<= (legal ?r NoOp) (role ?r) (not (true (turn ?r))))
    (<= (next (turn OPlayer)) (true (turn xPlayer))) (<= (next (turn xPlayer)) (true (turn OPlayer)))
    (<= (next (place ?p)) (true (place ?p)))
    (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
    (<= terminal (true (left 0))) (<= (goal ?r 50) (role ?r))";

fn reference() -> (Reference, gdl::RuleSheet) {
    let sheet = gdl::parse(&gdl::SourceFile::new("bombs", BOMBS)).sheet;
    let game = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("playable");
    (game, sheet)
}

#[test]
fn replies_are_spelled_as_the_rules_are() {
    for agent in ["random", "ludens"] {
        let player = serve(agent);
        assert_eq!(player.say(&format!("(START m.1 xPlayer ({BOMBS}) 2 1)")), "ready");
        let (game, _) = reference();
        let (mut workspace, mut state, mut expansion) = (game.workspace(), game.initial(), Expansion::new());
        let mut told = "NIL".to_owned();
        loop {
            game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                break;
            }
            let reply = player.say(&format!("(PLAY m.1 {told})"));
            let spelled = |id: &&MoveId| game.move_spelling(**id) == reply;
            let Some(&own) = expansion.legal(RoleId(0)).iter().find(spelled) else {
                panic!("{agent}: `{reply}` is not how the rules spell a legal move");
            };
            let other = expansion.legal(RoleId(1))[0];
            told = format!("({reply} {})", game.move_spelling(other));
            state = game.apply(&mut workspace, &state, &[own, other]).expect("no fault");
        }
        assert_eq!(player.say(&format!("(STOP m.1 {told})")), "done");
        player.expect_no_workers();
    }
}

/// A player that passes on every message and says yes to all of them.
fn listener() -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound").to_string();
    let (sender, messages) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let (mut text, mut buffer) = (Vec::new(), [0; 65536]);
            while let Ok(read) = stream.read(&mut buffer) {
                text.extend_from_slice(&buffer[..read]);
                // Messages are lists, and end with the line.
                if read == 0 || text.ends_with(b")") {
                    break;
                }
            }
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nready");
            let message = String::from_utf8_lossy(&text).into_owned();
            let body = message.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_owned();
            if sender.send(body).is_err() {
                return;
            }
        }
    });
    (address, messages)
}

#[test]
fn roles_and_moves_are_sent_as_the_rules_spell_them() {
    let (game, sheet) = reference();
    let book = Rulebook::new(&sheet, None);
    let second = Duration::from_secs(1);
    let settings = Settings {
        match_id: "m.1".to_owned(),
        clocks: Clocks { preview: Duration::ZERO, start: second, play: second },
        ..Settings::default()
    };
    let (first, messages) = listener();
    let (second, others) = listener();
    let remote = |text: &str| Some(Opponent::Remote(text.parse().expect("an address")));
    let current = Match::new(&game, &book, settings, 0).expect("sound");
    let report =
        runtime().block_on(conduct(current, &[remote(&first), remote(&second)], Manner::Plain, &mut Nobody));
    assert!(report.record.is_completed, "{:?}", report.record);
    assert_eq!(report.record.game_role_names, ["xPlayer", "OPlayer"]);
    for (messages, role) in [(messages, "xPlayer"), (others, "OPlayer")] {
        let messages: Vec<String> = messages.try_iter().collect();
        assert!(messages[0].starts_with(&format!("(START m.1 {role} ((role xPlayer) ")), "{}", messages[0]);
        assert_eq!(messages[1], "(PLAY m.1 NIL)");
        assert!(messages[2].starts_with("(PLAY m.1 ((dropBomb "), "{}", messages[2]);
        assert!(messages[2].ends_with(" NoOp))"), "{}", messages[2]);
    }
}
