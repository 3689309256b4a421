//! How often the paper's method finds what decides checkers: the differences of men and of kings, with the right sign, among
//! the first terms of both roles' functions (Walędzik and Mańdziuk 2014, section V-E: in more than 80% of runs they are the
//! first two, or "a functionally equivalent notation, e.g. counting pieces and kings separately for each player").
//!
//! And how often it finds edges and corners in Othello, and numbers of pieces the usual order of chess pieces.
//!
//! `cargo run --release -p eval --example material -- 50`
#![allow(clippy::print_stdout)]

use std::sync::Arc;

use eval::{
    Function, LearnError, LearnOptions, PaperOptions, PieceOptions, RoleFunction, SampleOptions, learn,
    learn_pieces,
};
use game::{Describe, Simulator};
use gdl::normal::NormalRules;
use machine::{Limits, Machine, Target, Visitor, Wanted};

/// What is asked of a run.
struct Run<'a> {
    rules: &'a NormalRules,
    options: LearnOptions,
}

impl Visitor<'_> for Run<'_> {
    type Answer = Result<Arc<Function>, LearnError>;
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        learn(&**game, self.rules, None, &self.options, &|| true).map(|learnt| learnt.function)
    }
}

/// The place of the first term that counts a kind of piece for both sides: as a difference, or one side by itself if the
/// other is there as well, in which case the later one counts.
fn place(function: &Function, role: &str, kind: char, forms: bool) -> Option<usize> {
    let own = function.roles.iter().find(|own| own.role == role)?;
    let sign = if role == "white" { 1.0 } else { -1.0 };
    let of = |text: String, sign: f64| {
        own.terms
            .iter()
            .position(|term| function.write_counted(&term.counted) == text && term.weight * sign > 0.0)
    };
    let difference = of(format!("(cell(?,?,w{kind})-cell(?,?,b{kind}))"), sign);
    let other_way = of(format!("(cell(?,?,b{kind})-cell(?,?,w{kind}))"), -sign);
    let white = of(format!("cell(?,?,w{kind})"), sign);
    let black = of(format!("cell(?,?,b{kind})"), -sign);
    let apart = white.zip(black).map(|(white, black)| white.max(black)).filter(|_| forms);
    [difference, other_way, apart].into_iter().flatten().min()
}

/// A game on lanes.
fn game(name: &str) -> (NormalRules, Machine) {
    let rules = gdl::normal::read(bundled::find(name).expect("bundled").rules);
    let machine = machine::from_rules(&rules, Wanted::Batch(Target::detect()), &Limits::generous());
    (rules, machine.expect("small enough"))
}

/// Whether an expression of Othello names a cell of the edge, or of a corner.
fn is_edge(text: &str) -> bool {
    ["(a,", "(h,", ",1,", ",8,"].iter().any(|part| text.contains(part))
}

fn is_corner(text: &str) -> bool {
    ["(a,1,", "(a,8,", "(h,1,", "(h,8,"].iter().any(|part| text.contains(part))
}

fn othello(runs: u64) {
    let (rules, machine) = game("othello");
    println!("Othello, among the first terms of both roles | first | first 5 | of 30");
    for (what, is_found) in [("an edge", is_edge as fn(&str) -> bool), ("a corner", is_corner)] {
        let mut counts = [0; 3];
        for seed in 1..=runs {
            let sample = SampleOptions { seed, ..SampleOptions::default() };
            let options = LearnOptions { sample, ..LearnOptions::default() };
            let Ok(function) = machine.visit(Run { rules: &rules, options }) else { continue };
            let place = |own: &RoleFunction| {
                let mut texts = own.terms.iter().map(|term| function.write_counted(&term.counted));
                texts.position(|text| is_found(&text)).unwrap_or(usize::MAX)
            };
            let worst = function.roles.iter().map(place).max().unwrap_or(usize::MAX);
            for (count, most) in counts.iter_mut().zip([1, 5, 30]) {
                *count += u64::from(worst < most);
            }
        }
        let [first, five, all] = counts;
        println!("{what} | {first} | {five} | {all}");
    }
}

/// The worth of the pieces of both roles in chess, queen first.
struct Worth(u64);

impl Visitor<'_> for Worth {
    type Answer = Option<Vec<[f64; 5]>>;
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let options = PieceOptions { seed: self.0, ..PieceOptions::default() };
        let function = learn_pieces(&**game, &options, &|| true).ok()?.function;
        let of = |(own, colour): (&RoleFunction, char)| {
            ['q', 'r', 'b', 'n', 'p'].map(|piece| {
                let text = format!("cell(?,?,{colour}{piece})");
                let term = own.terms.iter().find(|term| function.write_counted(&term.counted) == text);
                term.map_or(0.0, |term| term.weight)
            })
        };
        Some(function.roles.iter().zip(['w', 'b']).map(of).collect())
    }
}

fn chess(runs: u64) {
    let (_, machine) = game("chess");
    let (mut sums, mut majors, mut pawns, mut roles) = ([0.0; 5], 0, 0, 0u32);
    for worth in (1..=runs).filter_map(|seed| machine.visit(Worth(seed))).flatten() {
        let [queen, rook, bishop, knight, pawn] = worth;
        majors += u64::from(queen > rook && rook > bishop.max(knight));
        pawns += u64::from(pawn < bishop.min(knight));
        roles += 1;
        sums.iter_mut().zip(worth).for_each(|(sum, worth)| *sum += worth);
    }
    println!("chess: of {roles} roles queen, rook, the others in {majors}, the pawn last in {pawns}");
    println!(
        "queen, rook, bishop, knight, pawn on the mean: {:.4?}",
        sums.map(|sum| sum / f64::from(roles.max(1)))
    );
}

fn main() {
    let runs = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50u64);
    othello(runs);
    chess(runs.min(20));
    let (rules, machine) = game("checkers");
    println!(
        "sequences, playouts, distinct | first 2 | first 5 | first 10 | of 30 | first 5 with other forms"
    );
    for (sequences, playouts, distinct) in
        [(100, 10, false), (100, 10, true), (400, 10, false), (100, 100, false)]
    {
        let mut counts = [0; 5];
        for seed in 1..=runs {
            let sample = SampleOptions { seed, sequences, playouts, ..SampleOptions::default() };
            let paper = PaperOptions { distinct, ..PaperOptions::default() };
            let options = LearnOptions { sample, paper, ..LearnOptions::default() };
            let Ok(function) = machine.visit(Run { rules: &rules, options }) else { continue };
            let worst = |forms: bool| {
                let places = ["white", "black"].into_iter().flat_map(|role| {
                    ['m', 'k'].map(|kind| place(&function, role, kind, forms).unwrap_or(usize::MAX))
                });
                places.max().unwrap_or(usize::MAX)
            };
            let plain = worst(false);
            for (count, most) in counts.iter_mut().zip([2, 5, 10, 30]) {
                *count += u64::from(plain < most);
            }
            counts[4] += u64::from(worst(true) < 5);
        }
        let [two, five, ten, all, forms] = counts;
        println!("{sequences}, {playouts}, {distinct} | {two} | {five} | {ten} | {all} | {forms}");
    }
}
