//! Every bundled game plays as its metadata says: perft counts, and no fault in random playouts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bundled::BundledGame;
use game::{Game, Job, Outcomes, PlayOptions, Simulator};
use gdl::Severity;
use machine::Target;
use machine::batch::{BatchMachine, LaneGame};
use machine::circuit::{CircuitMachine, Evaluation};
use machine::reference::Reference;
use verify::inspect::{Budget, inspect};
use verify::{PlayoutLimits, walk};

/// Counts up to this are computed again. `LUDENS_PERFT_LEAVES` sets another bound.
const LEAVES: u64 = 250_000;

/// The games to test: all, or those that `LUDENS_GAMES` names, with commas between them.
fn games() -> Vec<&'static BundledGame> {
    match std::env::var("LUDENS_GAMES") {
        Ok(names) => names.split(',').map(|name| bundled::find(name).expect("LUDENS_GAMES")).collect(),
        Err(_) => bundled::all().iter().collect(),
    }
}

/// Runs a test for every game, on all processors, and tells of all that fail.
fn for_each_game(test: impl Fn(&BundledGame) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let games = games();
    let work = || {
        let mut failures = Vec::new();
        while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            failures.extend(test(game).err().map(|failure| format!("{}: {failure}", game.name)));
        }
        failures
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(failures.is_empty(), "{} games fail:\n{}", failures.len(), failures.join("\n"));
}

fn parse(game: &BundledGame) -> gdl::RuleSheet {
    gdl::parse(&gdl::SourceFile::new(game.name, game.rules)).sheet
}

fn machine(sheet: &gdl::RuleSheet) -> Result<Reference, String> {
    Reference::new(&gdl::normal::normalize(sheet), Default::default()).map_err(|error| error.to_string())
}

#[test]
fn perft_counts_are_as_expected() {
    let bound =
        std::env::var("LUDENS_PERFT_LEAVES").ok().and_then(|text| text.parse().ok()).unwrap_or(LEAVES);
    for_each_game(|game| {
        let expected = &game.metadata().map_err(|error| error.to_string())?.perft;
        if expected.is_empty() {
            return Err("its metadata has no perft counts".to_owned());
        }
        let machine = machine(&parse(game))?;
        let mut workspace = machine.workspace();
        let initial = machine.initial();
        let mut total = 0u64;
        for (depth, &count) in (1..).zip(expected) {
            total = total.saturating_add(count);
            if total > bound {
                break;
            }
            let found = verify::perft(&machine, &mut workspace, &initial, depth);
            let found = found.map_err(|fault| format!("perft {depth}: {fault}"))?;
            if found != count {
                return Err(format!("perft {depth} is {found}, but metadata says {count}"));
            }
        }
        Ok(())
    });
}

#[test]
fn random_playouts_show_no_fault() {
    for_each_game(|game| {
        let sheet = parse(game);
        let machine = machine(&sheet)?;
        let budget = Budget { playouts: 5, steps: 1_000, search: 0, ..Budget::default() };
        let inspection = inspect(&machine, &machine.declared(), &sheet, budget, || true);
        // Five playouts seldom win.
        let complaints: Vec<String> = inspection
            .findings
            .iter()
            .filter(|finding| finding.severity > Severity::Note)
            .map(|finding| format!("{} [{}]", finding.message, finding.code))
            .collect();
        if complaints.is_empty() { Ok(()) } else { Err(complaints.join("; ")) }
    });
}

/// Every machine walks the same playouts as the reference: states, terminality, legal moves and
/// goals are compared in every state. `LUDENS_WALKS` sets another number of playouts. Then all lanes
/// play, with the same random numbers on every target: all playouts must come out the same.
#[test]
fn fast_machines_agree_with_the_reference() {
    let walks = std::env::var("LUDENS_WALKS").ok().and_then(|text| text.parse().ok());
    let (playouts, steps) = walks.map_or((2, 60), |walks| (walks, PlayoutLimits::default().steps));
    let limits = PlayoutLimits { steps };
    for_each_game(|game| {
        let sheet = parse(game);
        let rules = gdl::normal::normalize(&sheet);
        let reference = machine(&sheet)?;
        let start = std::time::Instant::now();
        let budget = ground::Budget { clock: &|| start.elapsed(), ..ground::Budget::unlimited() };
        let build = machine::build::circuit(&rules, circuit::Effort::Thorough, &budget)
            .map_err(|error| error.to_string())?;
        let plain = Arc::new(CircuitMachine::with_target(build.circuit.clone(), Target::Portable));
        let differ = |what: String| move |difference| format!("{what} differs: {difference}");
        walk(&reference, &*plain, playouts, 1, limits).map_err(differ("circuit".to_owned()))?;
        // A limit of a few facts leads through all that is remembered, and past it.
        let changes = [6, u32::MAX].map(|most_facts| Evaluation::Changes { most_facts });
        for evaluation in changes.into_iter().chain([Evaluation::Effects]) {
            let other = CircuitMachine::with_evaluation(build.circuit.clone(), Target::Portable, evaluation);
            walk(&*plain, &other, playouts, 5, limits).map_err(differ(format!("{evaluation:?}")))?;
        }
        let interpreted = outcomes(&BatchMachine::with_target(Arc::clone(&plain), Target::Portable))?;
        for target in Target::ALL.into_iter().filter(|target| target.is_available()) {
            let single = CircuitMachine::with_target(build.circuit.clone(), target);
            walk(&*plain, &single, playouts, 2, limits).map_err(differ(format!("{target:?} circuit")))?;
            let lanes = LaneGame::new(BatchMachine::with_target(Arc::clone(&plain), target));
            let walked = walk(&*plain, &lanes, playouts, 3, limits);
            let states = walked.map_err(differ(format!("{target:?} batch")))?.states;
            let batch = lanes.into_batch();
            if outcomes(&batch)? != interpreted {
                return Err(format!("playouts in the lanes of {target:?} come out differently"));
            }
            let instructions = batch.cost().instructions;
            println!("{} {target:?}: {states} states, {instructions} instructions a sweep", game.name);
        }
        Ok(())
    });
}

/// Playouts from the initial state, more than there are lanes.
fn outcomes(batch: &BatchMachine) -> Result<Outcomes, String> {
    let initial = batch.initial();
    let playouts = batch.lanes() as u32 + 100;
    let jobs = [Job::new(&initial, playouts)];
    let options = PlayOptions { seed: 4, most_steps: 60, ..PlayOptions::default() };
    let mut outcomes = Outcomes::default();
    let played = batch.play(&mut batch.workspace(), &jobs, &options, &mut outcomes);
    played.map_err(|fault| format!("playouts in the lanes of {:?}: {fault}", batch.target()))?;
    Ok(outcomes)
}
