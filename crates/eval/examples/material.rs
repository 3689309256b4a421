//! How often the paper's method finds what decides checkers: the differences of men and of kings, with the right sign, among
//! the first terms of both roles' functions (Walędzik and Mańdziuk 2014, section V-E: in more than 80% of runs they are the
//! first two, or "a functionally equivalent notation, e.g. counting pieces and kings separately for each player").
//!
//! `cargo run --release -p eval --example material -- 50`
#![allow(clippy::print_stdout)]

use std::sync::Arc;

use eval::{Function, LearnError, LearnOptions, PaperOptions, SampleOptions, learn};
use game::{Describe, Simulator};
use machine::{Limits, Target, Visitor, Wanted};

/// What is asked of a run.
struct Run<'a> {
    rules: &'a gdl::normal::NormalRules,
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

fn main() {
    let runs = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50u64);
    let text = bundled::find("checkers").expect("bundled").rules;
    let rules = gdl::normal::read(text);
    let machine = machine::from_rules(&rules, Wanted::Batch(Target::detect()), &Limits::generous())
        .expect("checkers is small enough");
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
