//! Whole matches without a network.

use std::ops::ControlFlow;

use machine::reference::Reference;
use referee::{
    Answer, Event, Given, Listener, Match, MatchError, MatchRecord, Nobody, PerceptForm, Rulebook, Settings,
    Step, Trouble,
};

/// Two take turns to say a letter, chance throws a coin each time; three turns.
const LETTERS: &str = "(role Left) (role random) (role right)
    (init (step 1)) (init (control left))
    (succ 1 2) (succ 2 3) (succ 3 4)
    (letter a) (letter Bee)
    (<= (legal ?r (say ?l)) (true (control ?r)) (letter ?l))
    (<= (legal left noop) (true (control right)))
    (<= (legal right noop) (true (control left)))
    (legal random heads) (legal random tails)
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next (control left)) (true (control right)))
    (<= (next (control right)) (true (control left)))
    (<= (next (said ?r ?l)) (does ?r (say ?l)))
    (<= (next (said ?r ?l)) (true (said ?r ?l)))
    (<= terminal (true (step 4)))
    (<= (goal left 100) (true (said left bee)))
    (<= (goal left 0) (not (true (said left bee))))
    (goal random 0) (goal right 30)";

struct Table {
    game: Reference,
    book: Rulebook,
}

fn table(rules: &str, scramble: Option<u64>) -> Table {
    let sheet = gdl::parse(&gdl::SourceFile::new("test", rules)).sheet;
    let game = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("playable");
    Table { game, book: Rulebook::new(&sheet, scramble) }
}

impl Table {
    fn begin(&self, seed: u64) -> Match<'_, Reference> {
        let settings = Settings { match_id: "m.1".to_owned(), seed, ..Settings::default() };
        Match::new(&self.game, &self.book, settings, 5).expect("the first state is sound")
    }
}

fn reply(text: &str) -> Answer {
    Answer::Reply(text.to_owned())
}

#[test]
fn a_match_from_start_to_stop() {
    let table = table(LETTERS, None);
    let mut letters = table.begin(1);
    assert!(letters.start_request(0).to_string().starts_with("(START m.1 Left ((role Left) "));
    letters.started(&[None, None, Some(Trouble::TimeOut)]);
    let turn = letters.turn(&[reply("( SAY bee )"), Answer::Hosted, reply("noop")], 6).unwrap();
    assert_eq!((turn.moves[0].as_str(), turn.moves[2].as_str()), ("(say Bee)", "noop"));
    assert_eq!(turn.trouble, [None, None, None]);
    let coin = &turn.moves[1];
    assert_eq!(letters.record().game_role_names, ["Left", "random", "right"]);
    let expected = format!("(PLAY m.1 ((say Bee) {coin} noop))");
    assert_eq!(letters.play_request(0).to_string(), expected);
    letters.turn(&[reply("noop"), Answer::Hosted, reply("(say a)")], 7).unwrap();
    letters.turn(&[reply("(say a)"), Answer::Hosted, reply("noop")], 8).unwrap();
    assert_eq!(letters.goals(), Some(&[100, 0, 30][..]));
    assert!(letters.stop_request(0).to_string().starts_with("(STOP m.1 ((say a) "));
    let again = letters.turn(&[reply("noop"), Answer::Hosted, reply("noop")], 9);
    assert_eq!(again, Err(MatchError::Over));
    let record = letters.record();
    assert_eq!(record.state_times, [5, 6, 7, 8]);
    assert_eq!((record.states.len(), record.moves.len(), record.errors.len()), (4, 3, 4));
    assert_eq!(record.states[0], "((control left) (step 1))");
    assert_eq!(record.errors[0], ["", "", "TO"]);
}

#[test]
fn trouble_is_recorded_and_a_legal_move_played() {
    let table = table(LETTERS, None);
    for (answer, code) in [
        (reply("(say c)"), "IL (say c)"),
        (reply("noop"), "IL noop"),
        (reply(""), "IL"),
        (reply("(say a"), "IL (say a"),
        (Answer::Late, "TO"),
        (Answer::Unreachable("connection refused".to_owned()), "CE connection refused"),
    ] {
        let mut letters = table.begin(3);
        let turn = letters.turn(&[answer, Answer::Hosted, reply("noop")], 6).unwrap();
        assert!(["(say a)", "(say Bee)"].contains(&turn.moves[0].as_str()), "{turn:?}");
        assert_eq!(letters.record().errors[1], [code, "", ""]);
        assert!(!letters.record().is_clean());
    }
}

#[test]
fn chance_depends_on_the_seed_alone() {
    let table = table(LETTERS, None);
    let coins = |seed: u64, first: Answer| -> Vec<String> {
        let mut letters = table.begin(seed);
        letters.turn(&[first, Answer::Hosted, reply("noop")], 6).unwrap();
        letters.turn(&[reply("noop"), Answer::Hosted, reply("(say a)")], 6).unwrap();
        letters.turn(&[reply("(say a)"), Answer::Hosted, reply("noop")], 6).unwrap();
        letters.record().moves.iter().map(|joint| joint[1].clone()).collect()
    };
    assert_eq!(coins(4, reply("(say a)")), coins(4, Answer::Late));
    assert!((0..20).any(|seed| coins(seed, Answer::Late) != coins(4, Answer::Late)));
}

#[test]
fn scrambled_names_go_out_and_plain_ones_are_recorded() {
    let table = table(LETTERS, Some(9));
    let mut letters = table.begin(1);
    let start = letters.start_request(0).to_string();
    assert!(!start.to_lowercase().contains("left") && start.contains("(role random)"), "{start}");
    let say = table.book.to_players("(say Bee)");
    assert!(!say.contains("say"));
    let turn = letters
        .turn(&[reply(&say.to_uppercase()), Answer::Hosted, reply(&table.book.to_players("noop"))], 6)
        .unwrap();
    assert_eq!(turn.moves[0], "(say Bee)");
    assert!(letters.play_request(0).to_string().contains(&say));
    assert!(letters.record().scrambled);
}

#[test]
fn a_game_without_a_legal_move_is_called_off() {
    let table = table(
        "(role a) (init (step 1)) (<= (legal a go) (true (step 1))) (<= (next (step 2)) (does a go))
         (<= terminal (true (step 3))) (goal a 100)",
        None,
    );
    let mut stuck = table.begin(1);
    let error = stuck.turn(&[reply("go")], 6).unwrap_err();
    assert!(matches!(error, MatchError::Rules(_)), "{error}");
    assert!(stuck.is_over() && stuck.record().is_aborted && stuck.goals().is_none());
    assert_eq!(stuck.record().states.len(), 2);
}

#[test]
fn a_game_without_end_is_called_off() {
    let table = table("(role a) (legal a go) (<= terminal (true never)) (goal a 0)", None);
    let settings = Settings { longest: 2, ..Settings::default() };
    let mut endless = Match::new(&table.game, &table.book, settings, 0).unwrap();
    assert!(endless.turn(&[reply("go")], 1).is_ok());
    assert!(endless.turn(&[reply("go")], 2).is_err());
    assert!(endless.is_over());
}

#[test]
fn records_are_the_communitys_json() {
    let table = table(LETTERS, None);
    let letters = table.begin(1);
    let json = serde_json::to_value(letters.record()).unwrap();
    for key in [
        "matchId",
        "startTime",
        "gameMetaURL",
        "isCompleted",
        "isAborted",
        "states",
        "moves",
        "stateTimes",
        "errors",
        "goalValues",
        "previewClock",
        "startClock",
        "playClock",
        "playerNamesFromHost",
        "isPlayerHuman",
        "scrambled",
    ] {
        assert!(json.get(key).is_some(), "{key} is missing");
    }
    let again: MatchRecord = serde_json::from_value(json).unwrap();
    assert_eq!(again, *letters.record());
}

/// Carries a match to its end: each role says what a script says.
fn carry(current: &mut Match<'_, Reference>, script: &[[&str; 3]], listener: &mut dyn Listener) -> Vec<Step> {
    let mut steps = Vec::new();
    while let Some(step) = current.step() {
        let turn = current.record().moves.len();
        let given = match step {
            Step::Start => vec![reply("ready").into(), Answer::Hosted.into(), Answer::Late.into()],
            Step::Play => {
                script[turn].map(|text| Given { seconds: Some(0.5), ..reply(text).into() }).to_vec()
            }
            Step::Preview | Step::Stop | Step::Abort => Vec::new(),
        };
        current.take(given, turn as u64, listener);
        steps.push(step);
    }
    steps
}

const SCRIPT: [[&str; 3]; 3] =
    [["(say bee)", "heads", "noop"], ["noop", "tails", "(say c)"], ["(say a)", "heads", "noop"]];

#[test]
fn one_loop_from_the_first_request_to_the_last() {
    let table = table(LETTERS, None);
    let mut events = Vec::new();
    let mut listen = |event: &Event, record: &MatchRecord| {
        events.push((event.clone(), record.moves.len()));
        ControlFlow::Continue(())
    };
    let mut letters = table.begin(1);
    assert!(letters.request(0).expect("a START").to_string().starts_with("(START m.1 "));
    let steps = carry(&mut letters, &SCRIPT, &mut listen);
    assert_eq!(steps, [Step::Start, Step::Play, Step::Play, Step::Play, Step::Stop]);
    assert!(letters.request(0).is_none() && letters.fault().is_none());
    let told: Vec<&Event> = events.iter().map(|(event, _)| event).collect();
    assert!(
        matches!(
            told[..4],
            [
                Event::Begun,
                Event::Trouble { turn: 0, role: 2, .. },
                Event::Position { turn: 0, .. },
                Event::TurnBegun { turn: 1, .. }
            ]
        ),
        "{told:?}"
    );
    let count = |wanted: fn(&Event) -> bool| told.iter().filter(|event| wanted(event)).count();
    assert_eq!(count(|event| matches!(event, Event::Position { .. })), 4);
    assert_eq!(count(|event| matches!(event, Event::Answered { seconds: 0.5, .. })), 9);
    let moved = |event: &&&Event| matches!(event, Event::Moved { turn: 2, .. });
    let Some(Event::Moved { moves, .. }) = told.iter().find(moved) else { panic!("{told:?}") };
    assert_eq!(*moves, letters.record().moves[1]);
    assert!(told.iter().any(
        |event| matches!(event, Event::Trouble { turn: 2, role: 2, trouble } if trouble == "IL (say c)")
    ));
    assert_eq!(told.last(), Some(&&Event::Ended { goals: vec![100, 0, 30], fault: None }));
    let lines: Vec<String> = told.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect();
    assert!(lines[0] == r#"{"event":"begun"}"# && lines[3].contains(r#""choices":[2,2,1]"#), "{lines:?}");
}

#[test]
fn who_has_heard_enough_calls_the_match_off() {
    let table = table(LETTERS, None);
    let mut letters = table.begin(1);
    let mut listen = |event: &Event, _: &MatchRecord| match event {
        Event::Moved { turn: 2, .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let steps = carry(&mut letters, &SCRIPT, &mut listen);
    assert_eq!(steps, [Step::Start, Step::Play, Step::Play, Step::Abort]);
    assert!(letters.record().is_aborted);
    assert_eq!(letters.fault(), Some(&MatchError::Unwanted));
}

#[test]
fn moves_are_taken_back() {
    let table = table(LETTERS, None);
    let mut letters = table.begin(1);
    carry(&mut letters, &SCRIPT, &mut Nobody);
    let whole = letters.record().clone();
    letters.take_back(1).expect("sound");
    assert_eq!((letters.record().moves.len(), letters.is_over(), letters.goals()), (1, false, None));
    assert_eq!(letters.record().states, whole.states[..2]);
    assert_eq!(letters.legal(2), ["(say a)", "(say Bee)"]);
    carry(&mut letters, &SCRIPT, &mut Nobody);
    assert_eq!(letters.record().states.len(), whole.states.len());
    assert!(letters.record().is_completed);
}

#[test]
fn a_fault_of_the_game_is_told_with_what_came_before() {
    let table =
        table(&LETTERS.replace("(<= terminal (true (step 4)))", "(<= terminal (true (step 9)))"), None);
    let settings = Settings { match_id: "m.1".to_owned(), longest: 2, ..Settings::default() };
    let mut letters = Match::new(&table.game, &table.book, settings, 0).expect("sound");
    let mut positions = 0;
    let mut last = None;
    let mut listen = |event: &Event, _: &MatchRecord| {
        positions += usize::from(matches!(event, Event::Position { .. }));
        last = Some(event.clone());
        ControlFlow::Continue(())
    };
    let steps = carry(&mut letters, &SCRIPT, &mut listen);
    assert_eq!(steps.last(), Some(&Step::Abort));
    assert_eq!(positions, 3);
    assert!(matches!(last, Some(Event::Ended { fault: Some(_), .. })), "{last:?}");
    assert!(matches!(letters.fault(), Some(MatchError::Rules(_))));
}

/// A card is dealt to each of two; the left one bets or not. Each sees its own card and the bet.
const CARDS: &str = "(role Left) (role random) (role right)
    (init (stage deal)) (card Ace) (card ten)
    (<= (legal random (deal ?c ?d)) (card ?c) (card ?d) (true (stage deal)))
    (<= (legal random noop) (true (stage bet)))
    (<= (legal left noop) (true (stage deal)))
    (<= (legal left bet) (true (stage bet)))
    (<= (legal left fold) (true (stage bet)))
    (legal right noop)
    (<= (next (holds ?c ?d)) (does random (deal ?c ?d)))
    (<= (next (stage bet)) (true (stage deal)))
    (<= (next (stage over)) (true (stage bet)))
    (<= terminal (true (stage over)))
    (goal left 50) (goal right 50) (goal random 0)
    (<= (sees left (own ?c)) (does random (deal ?c ?d)))
    (<= (sees right (own ?d)) (does random (deal ?c ?d)))
    (<= (sees left dealt) (does random (deal ?c ?d)))
    (<= (sees right hasBet) (does left bet))";

#[test]
fn each_player_is_told_what_it_sees_and_nothing_else() {
    for (form, scramble) in
        [(PerceptForm::Turn, None), (PerceptForm::List, None), (PerceptForm::Turn, Some(7))]
    {
        let table = table(CARDS, scramble);
        let settings =
            Settings { match_id: "m.1".to_owned(), seed: 3, percept_form: form, ..Settings::default() };
        let mut cards = Match::new(&table.game, &table.book, settings, 5).expect("the first state is sound");
        let say = |text: &str| table.book.to_players(text);
        let first = if form == PerceptForm::Turn { "(PLAY m.1 0 NIL ())" } else { "(PLAY m.1 NIL)" };
        assert_eq!(cards.play_request(0).to_string(), first);
        let noop = say("noop");
        cards.turn(&[reply(&noop), Answer::Hosted, reply(&noop)], 6).expect("legal");
        let dealt = cards.record().moves[0][1].clone();
        let hands: Vec<&str> = dealt.trim_matches(['(', ')']).split(' ').skip(1).collect();
        let own = |role: usize| format!("(own {})", hands[role]);
        assert_eq!(cards.record().percepts[0], [vec![own(0), "dealt".to_owned()], vec![], vec![own(1)]]);
        let told = [say(&format!("{} dealt", own(0))), say(&own(1))];
        for (role, told) in [0, 2].into_iter().zip(&told) {
            let message = cards.play_request(role).to_string();
            let expected = match form {
                PerceptForm::Turn => format!("(PLAY m.1 1 {noop} ({told}))"),
                PerceptForm::List => format!("(PLAY m.1 ({told}))"),
            };
            assert_eq!(message, expected);
            assert!(!message.contains(&say("deal ")), "{message}");
        }
        assert_eq!(cards.told(1, 2), ["noop".to_owned(), own(1)]);
        cards.turn(&[reply(&say("bet")), Answer::Hosted, reply(&noop)], 7).expect("legal");
        let stop = cards.stop_request(2).to_string();
        let seen = say("hasBet");
        let expected = match form {
            PerceptForm::Turn => format!("(STOP m.1 2 {noop} ({seen}))"),
            PerceptForm::List => format!("(STOP m.1 ({seen}))"),
        };
        assert_eq!(stop, expected);
        assert_eq!(cards.record().percepts.len(), 2);
        let json = serde_json::to_string(cards.record()).expect("it can be written");
        assert!(json.contains("\"percepts\""));
        cards.take_back(1).expect("sound");
        assert_eq!(cards.record().percepts.len(), 1);
    }
}

#[test]
fn where_everybody_sees_everything_nothing_is_said_of_percepts() {
    let table = table(LETTERS, None);
    let mut letters = table.begin(1);
    letters.turn(&[reply("(say a)"), Answer::Hosted, reply("noop")], 6).expect("legal");
    assert!(letters.record().percepts.is_empty());
    assert_eq!(letters.told(1, 0), letters.record().moves[0]);
    assert!(!serde_json::to_string(letters.record()).expect("it can be written").contains("percepts"));
}

/// What the two say in each turn; chance is the host's.
fn answers(turn: usize) -> Vec<Given> {
    let says = |own: bool| if own { "(say bee)" } else { "noop" };
    let (left, right) = (turn.is_multiple_of(2), !turn.is_multiple_of(2));
    vec![reply(says(left)).into(), Answer::Hosted.into(), reply(says(right)).into()]
}

#[test]
fn a_match_goes_on_from_any_move_as_if_nothing_had_happened() {
    let table = table(LETTERS, Some(3));
    let settings = Settings { match_id: "m.1".to_owned(), seed: 9, ..Settings::default() };
    let said = |answer: Given| match answer.answer {
        Answer::Reply(text) => reply(&table.book.to_players(&text)).into(),
        other => Given::from(other),
    };
    let turn = |current: &mut Match<'_, Reference>| {
        let given = match current.step() {
            Some(Step::Start) => vec![reply("ready").into(), Answer::Hosted.into(), Answer::Late.into()],
            Some(Step::Play) => answers(current.record().moves.len()).into_iter().map(said).collect(),
            _ => Vec::new(),
        };
        let now = 10 + current.record().moves.len() as u64;
        current.take(given, now, &mut Nobody);
    };
    let mut whole = Match::new(&table.game, &table.book, settings.clone(), 5).expect("sound");
    let mut records = vec![whole.record().clone()];
    while whole.step().is_some() {
        turn(&mut whole);
        records.push(whole.record().clone());
    }
    assert!(whole.record().is_completed && whole.record().moves.len() == 3);
    for record in &records {
        let mut resumed =
            Match::resume(&table.game, &table.book, settings.clone(), record, 99).expect("the same rules");
        assert_eq!(resumed.record(), record);
        assert_eq!(resumed.past_requests(0).len(), record.moves.len());
        while resumed.step().is_some() {
            turn(&mut resumed);
        }
        assert_eq!(resumed.record(), whole.record(), "after {} moves", record.moves.len());
    }
    let mut foreign = records[2].clone();
    foreign.moves[0][0] = "(say nothing)".to_owned();
    let error = Match::resume(&table.game, &table.book, settings, &foreign, 0).err().expect("refused");
    assert!(error.to_string().contains("turn 1"), "{error}");
}
