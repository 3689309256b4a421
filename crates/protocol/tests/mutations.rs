//! Messages that were damaged on the way: reading never panics, and what can be read can be written
//! and read again.

use std::time::Duration;

use proptest::prelude::*;
use protocol::{Info, Manner, News, Request, Start, reply_is, reply_move, tidy};

const MESSAGES: &[&str] = &[
    "(INFO)",
    "(PING)",
    "(PREVIEW ((role white) (init (cell 1 1 b))) 10)",
    "(START match.1 white ((role white) (<= terminal (true (step 9)))) 30 15)",
    "( START M.2 xplayer ( ( ROLE XPLAYER ) ( <= ( LEGAL XPLAYER NOOP ) ( TRUE A ) ) ) 3 2 )",
    "(PLAY match.1 NIL)",
    "(PLAY match.1 ((mark 1 1) noop))",
    "(PLAY match.1 4 (bet 2) ((card 3) raised))",
    "(STOP match.1 (noop (mark 3 3)))",
    "(ABORT match.1)",
];

/// Where to cut, what to put there.
#[derive(Clone, Debug)]
enum Damage {
    Remove(usize, usize),
    Insert(usize, String),
    Repeat(usize, usize),
    Cut(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<prop::sample::Index>().prop_map(|index| index.index(1000));
    let text = prop_oneof!["[()]{1,4}", "[ \t\r\n;]{1,3}", "\\PC{1,5}", any::<char>().prop_map(String::from)];
    prop_oneof![
        (place.clone(), 1usize..8).prop_map(|(at, length)| Damage::Remove(at, length)),
        (place.clone(), text).prop_map(|(at, text)| Damage::Insert(at, text)),
        (place.clone(), 1usize..20).prop_map(|(at, length)| Damage::Repeat(at, length)),
        place.prop_map(Damage::Cut),
    ]
}

fn damaged(message: &str, damages: &[Damage]) -> String {
    let mut letters: Vec<char> = message.chars().collect();
    for damage in damages {
        let within = |at: usize| at % (letters.len() + 1);
        match damage {
            Damage::Remove(at, length) => {
                let at = within(*at);
                letters.drain(at..(at + length).min(letters.len()));
            }
            Damage::Insert(at, text) => {
                let at = within(*at);
                letters.splice(at..at, text.chars());
            }
            Damage::Repeat(at, length) => {
                let at = within(*at);
                let piece = letters[at..(at + length).min(letters.len())].to_vec();
                letters.splice(at..at, piece);
            }
            Damage::Cut(at) => letters.truncate(within(*at)),
        }
    }
    letters.into_iter().collect()
}

fn word() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_.]{0,8}"
}

fn term() -> impl Strategy<Value = String> + Clone {
    let leaf = word().prop_filter("NIL has a meaning of its own", |word| word != "nil");
    leaf.prop_recursive(3, 12, 3, |inner| {
        (word(), prop::collection::vec(inner, 1..4))
            .prop_map(|(name, arguments)| format!("({name} {})", arguments.join(" ")))
    })
}

fn news() -> impl Strategy<Value = News> {
    prop_oneof![
        Just(News::First),
        prop::collection::vec(term(), 1..4).prop_map(News::Moves),
        (any::<u64>(), prop::option::of(term()), prop::collection::vec(term(), 0..3))
            .prop_map(|(turn, last_move, percepts)| News::Seen { turn, last_move, percepts }),
    ]
}

fn request() -> impl Strategy<Value = Request> {
    let rules = prop::collection::vec(term(), 1..5).prop_map(|rules| rules.join(" "));
    let seconds = (0u64..100_000).prop_map(Duration::from_secs);
    prop_oneof![
        Just(Request::Info),
        (rules.clone(), seconds.clone()).prop_map(|(rules, clock)| Request::Preview { rules, clock }),
        (word(), word(), rules, seconds.clone(), seconds).prop_map(
            |(match_id, role, rules, start_clock, play_clock)| Request::Start(Start {
                match_id,
                role,
                rules,
                start_clock,
                play_clock
            })
        ),
        (word(), news()).prop_map(|(match_id, news)| Request::Play { match_id, news }),
        (word(), news()).prop_map(|(match_id, news)| Request::Stop { match_id, news }),
        word().prop_map(|match_id| Request::Abort { match_id }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_messages_are_read_or_refused(
        message in prop::sample::select(MESSAGES),
        damages in prop::collection::vec(damage(), 1..6),
    ) {
        let text = damaged(message, &damages);
        // Replies are read from the same kind of text.
        let _ = (Info::parse(&text), reply_is(&text, "ready"));
        if let Some(reply) = reply_move(&text) {
            prop_assert_eq!(reply_move(&reply), Some(reply));
        }
        match Request::parse(&text) {
            Ok(request) => {
                let again = Request::parse(&request.to_string());
                prop_assert_eq!(again, Ok(request), "{}", text);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn requests_survive_the_wire(request in request()) {
        let text = request.to_string();
        prop_assert_eq!(Request::parse(&text), Ok(request));
    }

    #[test]
    fn manners_say_the_same(request in request()) {
        let text = request.to_string();
        let spaced = Request::parse(&Manner::Spaced.apply(&text));
        prop_assert_eq!(spaced.map(|request| tidy(&request.to_string())), Ok(tidy(&text)));
        let loud = Request::parse(&Manner::UpperCase.apply(&text));
        prop_assert_eq!(loud.map(|request| request.to_string().to_lowercase()), Ok(text.to_lowercase()));
    }
}
