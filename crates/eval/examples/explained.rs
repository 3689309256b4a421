//! How much of the scores of positions that it has not seen each method explains, with its own numbers of samples.
//!
//! `cargo run --profile test -p eval --example explained -- connect-four,othello regression,phases`
#![allow(clippy::print_stdout)]

use std::sync::Arc;

use eval::{Lesson, MethodRow, methods};
use game::{Describe, Simulator};
use gdl::normal::NormalRules;
use machine::{Limits, Target, Visitor, Wanted};

const GAMES: &str = "connect-four,breakthrough,othello,checkers,kono,knightthrough";
const METHODS: &str = "regression,phases,td,id3,gifl";

struct Ask<'a> {
    rules: &'a NormalRules,
    method: &'static MethodRow,
}

impl Visitor<'_> for Ask<'_> {
    type Answer = String;
    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        match (self.method.learn)(&Lesson::new(game, Some(self.rules), 1, &|| true)) {
            Ok(taught) => {
                let explained = taught.explained.unwrap_or_default();
                let explained: Vec<String> =
                    explained.iter().map(|part| format!("{:.0}", 100.0 * part)).collect();
                format!("{} | {}", explained.join(", "), taught.told)
            }
            Err(error) => format!("- | {error}"),
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let games = arguments.next().unwrap_or_else(|| GAMES.to_owned());
    let names = arguments.next().unwrap_or_else(|| METHODS.to_owned());
    println!("game | method | explained | what it tells");
    for game in games.split(',') {
        let rules = gdl::normal::read(bundled::find(game).expect("bundled").rules);
        let machine = machine::from_rules(&rules, Wanted::Batch(Target::detect()), &Limits::generous());
        let machine = machine.expect("small enough");
        for name in names.split(',') {
            let method = methods::find(name).expect("a method");
            println!("{game} | {name} | {}", machine.visit(Ask { rules: &rules, method }));
        }
    }
}
