//! Mate in n, on the board of minichess: the one move that forces it is found and proven.

use game::{Describe, Expansion, Game, MoveId};

use crate::agent::Seat;
use crate::begin::{beginning, board};
use crate::position::machine;

/// White to move mates in so many moves of its own, and only by one move.
struct Mate {
    moves: u32,
    key: &'static str,
    rows: [&'static str; 5],
}

const fn mate(moves: u32, key: &'static str, rows: [&'static str; 5]) -> Mate {
    Mate { moves, key, rows }
}

const MATES: [Mate; 22] = [
    mate(1, "(move e 1 e 5)", ["k....", ".....", "K....", ".....", "....R"]),
    mate(1, "(move e 3 c 4)", ["kr...", "pp...", "....N", ".....", "....K"]),
    mate(2, "(move b 1 c 2)", [".....", "..R..", "....k", ".....", ".K..."]),
    mate(2, "(move c 2 b 3)", [".k...", ".....", "..R..", "..K..", "....."]),
    mate(2, "(move d 5 c 4)", ["k..K.", ".....", ".....", ".....", "..Q.."]),
    mate(2, "(move d 4 c 3)", ["...Q.", "k..K.", ".....", ".....", "....."]),
    mate(2, "(move c 5 a 5)", ["..R..", "..B..", "..n..", ".....", "k.K.."]),
    mate(2, "(move b 4 b 3)", ["...R.", "BK...", ".n...", ".....", "k...."]),
    mate(2, "(move c 2 e 3)", [".....", "...Q.", "..K.r", "p.N..", "...k."]),
    mate(2, "(move b 3 b 4)", ["...k.", "..p..", ".KN..", "r.Q..", "....."]),
    mate(2, "(move b 2 d 1)", [".....", ".Q..K", "....p", "kN...", "...r."]),
    mate(2, "(promote e e queen)", [".....", "K..kP", "pN.p.", "..q.R", "....."]),
    mate(2, "(promote b b queen)", ["..N..", ".P.q.", "R..p.", ".k.p.", "...K."]),
    mate(2, "(promote e e queen)", [".....", "....P", ".Kp.k", ".pR.q", ".N..."]),
    mate(3, "(move b 2 c 3)", ["R....", ".....", ".....", ".K...", "...k."]),
    mate(3, "(move b 3 c 3)", ["...k.", "R....", ".K...", ".....", "....."]),
    mate(3, "(move c 1 c 2)", [".....", "..r.p", "..P..", "....p", "k.K.Q"]),
    mate(3, "(move e 1 d 2)", [".....", ".K.pp", ".....", "k..rP", "....Q"]),
    mate(3, "(move b 5 b 4)", [".K...", ".rP..", "Qp.p.", "k....", "....."]),
    mate(3, "(move d 4 d 3)", ["..Q..", "r..K.", "R..q.", ".....", "..k.."]),
    mate(3, "(move d 1 d 4)", ["...K.", "q..r.", ".....", ".R..k", "...Q."]),
    mate(4, "(promote d d queen)", ["k....", "...P.", "...R.", ".p..K", "..r.."]),
];

const SIMULATIONS: u64 = 100_000;

fn piece(letter: char) -> Option<&'static str> {
    Some(match letter {
        'K' => "wk",
        'Q' => "wq",
        'R' => "wr",
        'B' => "wb",
        'N' => "wn",
        'P' => "wp",
        'k' => "bk",
        'q' => "bq",
        'r' => "br",
        'b' => "bb",
        'n' => "bn",
        'p' => "bp",
        _ => return None,
    })
}

fn facts(mate: &Mate) -> Vec<String> {
    let mut facts = board(&mate.rows, piece);
    facts.extend(["(control white)".to_owned(), "(ply 0)".to_owned()]);
    facts
}

/// White's moves that force mate within so many moves, by going through all of them.
fn mates<G: Game>(game: &G, workspace: &mut G::Workspace, state: &G::State, moves: u32) -> Vec<MoveId> {
    let mut expansion = Expansion::new();
    game.expand(workspace, state, &mut expansion).expect("no fault");
    if expansion.is_terminal() || moves == 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    for joint in expansion.joint_moves() {
        let next = game.apply(workspace, state, &joint).expect("no fault");
        let mut replies = Expansion::new();
        game.expand(workspace, &next, &mut replies).expect("no fault");
        let is_mate = if replies.is_terminal() {
            let mut goals = Vec::new();
            game.goals(workspace, &next, &mut goals).expect("no fault");
            goals[0].value().0 == 100
        } else {
            moves > 1
                && replies.joint_moves().all(|reply| {
                    let after = game.apply(workspace, &next, &reply).expect("no fault");
                    !mates(game, workspace, &after, moves - 1).is_empty()
                })
        };
        if is_mate {
            found.push(joint[0]);
        }
    }
    found
}

#[test]
fn there_is_one_key_and_no_shorter_way() {
    let machine = machine(&gdl::normal::read(bundled::find("minichess").expect("bundled").rules));
    let mut workspace = machine.workspace();
    for mate in MATES {
        let facts = facts(&mate);
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let state = machine.state_of(&facts).expect("a state of minichess");
        let shorter = mates(&machine, &mut workspace, &state, mate.moves - 1);
        assert!(shorter.is_empty(), "{:#?}", mate.rows);
        let keys = mates(&machine, &mut workspace, &state, mate.moves);
        let keys: Vec<String> = keys.into_iter().map(|id| machine.move_text(id)).collect();
        assert_eq!(keys, [mate.key], "{:#?}", mate.rows);
    }
}

#[test]
fn ludens_mates_in_n() {
    for mate in MATES {
        let text = beginning(bundled::find("minichess").expect("bundled").rules, &facts(&mate));
        let decision = Seat::new(gdl::normal::read(&text)).decide("ludens", 0, &[], SIMULATIONS);
        assert_eq!(decision.text, mate.key, "mate in {}: {:#?}", mate.moves, mate.rows);
        let (least, _) =
            decision.moves.iter().find(|thought| thought.text == mate.key).expect("listed").proven;
        assert_eq!((decision.proven, least), (true, 100), "mate in {}: {:#?}", mate.moves, mate.rows);
    }
}
