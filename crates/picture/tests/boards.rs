//! Boards of real games, found without metadata, and drawn.

use game::Describe;
use machine::reference::Reference;
use picture::svg::SvgOptions;
use picture::text::TextOptions;
use picture::{Analysis, Highlights, Picture, Symbol};

/// A few states from play, the initial one first.
fn states(rules: &str) -> Vec<Vec<String>> {
    let game = Reference::new(&gdl::normal::read(rules), Default::default()).expect("good rules");
    let mut workspace = game::Game::workspace(&game);
    let limits = verify::SampleLimits { playouts: 3, steps: 60, kept: 6 };
    let states = verify::sample(&game, &mut workspace, limits, 1, &|| true);
    states.iter().map(|state| game.facts(state)).collect()
}

fn find(name: &str, metadata: bool) -> (Analysis, Vec<Vec<String>>) {
    let game = bundled::find(name).expect("bundled");
    let states = states(game.rules);
    let metadata = metadata.then(|| game.metadata().expect("good metadata"));
    (Analysis::new(&gdl::normal::read(game.rules), &states, metadata), states)
}

fn drawn(analysis: &Analysis, facts: &[String]) -> Picture {
    analysis.picture(facts, &Highlights::default())
}

fn letters(picture: &Picture, width: usize) -> String {
    picture::text::draw(picture, &TextOptions { colour: false, width })
}

#[test]
fn boards_are_found_in_the_rules() {
    for (game, board) in [
        ("connect-four", "7x6 squares, 42 cells"),
        ("checkers", "8x8 squares, 64 cells"),
        ("chess", "8x8 squares, 64 cells"),
        ("hex", "7x7 hexagons, 49 cells"),
        ("othello", "8x8 squares, 64 cells"),
        ("tic-tac-toe", "3x3 squares, 9 cells"),
        ("eight-puzzle", "3x3 squares, 9 cells"),
        ("nine-mens-morris", "7x7 points, 24 cells"),
        ("sudoku", "9x9 squares, 81 cells"),
    ] {
        let (analysis, _) = find(game, false);
        let found = analysis.describe();
        assert!(found[0].starts_with(board), "{game}: {found:?}");
    }
}

#[test]
fn chess_has_its_pieces_in_place() {
    let (analysis, states) = find("chess", false);
    let picture = drawn(&analysis, &states[0]);
    let at = |name: &str| {
        let cell = picture.boards[0].cells.iter().find(|cell| cell.name == name).expect("a cell");
        cell.things.iter().map(|thing| thing.look.symbol).find(|symbol| *symbol != Symbol::Nothing)
    };
    assert_eq!(
        [at("e1"), at("d8"), at("g1"), at("e4")],
        [Some(Symbol::King), Some(Symbol::Queen), Some(Symbol::Knight), None]
    );
    let text = letters(&picture, 80);
    let first = text.lines().next().expect("a line");
    assert!(first.starts_with("8  ♜ ♞ ♝ ♛ ♚"), "{text}");
    assert!(picture.boards[0].checkered);
}

#[test]
fn every_bundled_game_is_drawn_with_and_without_metadata() {
    for game in bundled::all() {
        for metadata in [false, true] {
            let (analysis, states) = find(game.name, metadata);
            for facts in [&states[0], &states[states.len() - 1]] {
                let picture = drawn(&analysis, facts);
                for width in [60, 80] {
                    let text = letters(&picture, width);
                    assert!(!text.trim().is_empty(), "{} has nothing to show", game.name);
                    if let Some(line) = text.lines().find(|line| line.chars().count() > width) {
                        panic!("{} is wider than {width}: {line:?}", game.name);
                    }
                }
                let svg = picture::svg::draw(&picture, &SvgOptions::default());
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", game.name);
                assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count(), "{}", game.name);
            }
        }
    }
}

#[test]
fn metadata_goes_before_what_is_found() {
    let rules = "(role you) (init (cell 1 1 x)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))
        (<= (legal you (mark ?a ?b)) (true (cell ?a ?b b))) (<= (next (cell ?a ?b x)) (does you (mark ?a ?b)))
        (<= (next (cell ?a ?b ?c)) (true (cell ?a ?b ?c)) (not (does you (mark ?a ?b))))
        (<= terminal (true (cell 2 2 x))) (<= (goal you 100) terminal)";
    let states = states(rules);
    let plain = Analysis::new(&gdl::normal::read(rules), &states, None);
    assert_eq!(letters(&drawn(&plain, &states[0]), 80), "1  X ·\n2  · ·\n   1 2\n");
    let text = "[[board]]\ncell = '(cell ?row ?column ?piece)'\nrows = ['2', '1']\n[board.pieces]\nx = { glyph = '@' }";
    let metadata = bundled::Metadata::parse("test", text).expect("good metadata");
    let refined = Analysis::new(&gdl::normal::read(rules), &states, Some(&metadata));
    assert_eq!(letters(&drawn(&refined, &states[0]), 80), "2  · ·\n1  @ ·\n   1 2\n");
    let looks = "[[board]]\n[board.pieces]\nx = { glyph = '%' }";
    let metadata = bundled::Metadata::parse("test", looks).expect("good metadata");
    let refined = Analysis::new(&gdl::normal::read(rules), &states, Some(&metadata));
    assert_eq!(letters(&drawn(&refined, &states[0]), 80), "1  % ·\n2  · ·\n   1 2\n");
}

#[test]
fn strange_rules_are_drawn_too() {
    for rules in [
        "",
        "(role you)",
        "(role you) (init (s z)) (<= (next (s (s ?x))) (true (s ?x))) (legal you wait)",
        "(role you) (init (f ?x)) (legal you ?m) (<= (next ?f) (true ?f))",
        "(role you) (init (cell (at 1 2) (piece x y))) (init (cell (at 2 1) (piece y x))) (legal you (go (at 1 2)))",
    ] {
        let analysis = Analysis::new(&gdl::normal::read(rules), &[], None);
        for facts in
            [vec![], vec!["(".to_owned()], vec!["(s (s (s z)))".to_owned(), "(cell (at 1 2) x)".to_owned()]]
        {
            let picture = drawn(&analysis, &facts);
            letters(&picture, 1);
            picture::svg::draw(&picture, &SvgOptions { cell: f32::NAN, width: -1.0, words: true });
        }
    }
}

#[test]
fn triangles_have_equal_sides_and_blocks_have_thick_lines() {
    let (analysis, states) = find("chinese-checkers", false);
    let svg = picture::svg::draw(
        &drawn(&analysis, &states[0]),
        &SvgOptions { words: false, ..SvgOptions::default() },
    );
    let lines = svg.split("<line ").skip(1).map(|line| {
        let value = |name: &str| -> f32 {
            let text = line.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
            text.and_then(|text| text.parse().ok()).expect("a number")
        };
        ((value("x1") - value("x2")).powi(2) + (value("y1") - value("y2")).powi(2)).sqrt()
    });
    let lengths: Vec<f32> = lines.collect();
    assert!(
        lengths.len() > 50 && lengths.iter().all(|length| (length - lengths[0]).abs() < 1.0),
        "{lengths:?}"
    );
    let thick = |metadata: bool| {
        let (analysis, states) = find("sudoku", metadata);
        let svg = picture::svg::draw(&drawn(&analysis, &states[0]), &SvgOptions::default());
        svg.matches("<line ").count()
    };
    assert_eq!((thick(false), thick(true)), (0, 8));
}
