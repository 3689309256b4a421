//! The method of MiNI-Player, where nobody else plays: trees that are kept from move to move, with the
//! best line in each.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use engine::{
    Budget, Clock, Decision, Demand, Engine, EngineRow, Event, MEMORY, MakeError, Seat, Settings, Stop,
    THREADS, Thought, Typed, find_moves, replay,
};
use game::{Describe, Game, Goal, RoleId, RuleFault};
use machine::MachineKind;
use machine::circuit::CircuitMachine;
use puzzle::method::mini::{
    Allotment, Ended, Limit, MiniOptions, MiniPlayer, Obedience, Strategy, Transpositions, Worth,
};

use super::mcts;

const NAME: &str = "mini";
const SOURCE: &str = "Świechowski, Mańdziuk and Ong 2014";
/// Of C, and of how often strategies are obeyed: the paper gives no value of the one, and the range of the others.
const OURS: &str = "Świechowski, Mańdziuk and Ong 2014; the value is ours";

/// Rows of numbers within the paper's range.
macro_rules! obedience {
    ($($row:ident, $name:literal, $default:literal, $help:literal;)*) => { $(
        static $row: Typed<f64> = Typed::<f64>::real($name, $default, 0.0, 1.0, OURS, $help);
    )* };
}

obedience! {
    P_EXPLORATION, "p_exploration", 0.9, "how often playouts do as exploration says";
    P_MOBILITY, "p_mobility", 0.8, "how often playouts do as mobility says";
    P_HISTORY, "p_history", 0.8, "how often playouts do as history says";
    P_GOAL, "p_goal", 0.8, "how often playouts do as goal evaluation says";
    P_SYMBOLS, "p_symbols", 0.8, "how often playouts do as symbols counting says";
    P_SCORE, "p_score", 0.8, "how often playouts do as the score says";
}

/// Beside `exploration` of tree search, which plays where others do.
static EXPLORATION: Typed<f64> = Typed::<f64>::real(
    "mini_exploration",
    100.0,
    0.0,
    1000.0,
    OURS,
    "the factor C of the exploration term in the trees of `mini`, for scores from 0 to 100",
);
static TABLE: Typed<&'static str> = Typed::<&'static str>::word(
    "table",
    "levels",
    &["levels", "zobrist", "none"],
    SOURCE,
    "the table of states: the paper's with five levels, ours, or none",
);
static WORTH: Typed<&'static str> = Typed::<&'static str>::word(
    "worth",
    "highest",
    &["highest", "average"],
    SOURCE,
    "what a state is worth in the tree: the highest score seen below it, or the average",
);
static STRATEGIES: Typed<&'static str> = Typed::<&'static str>::word(
    "strategies",
    "exploration",
    &["exploration", "all", "seven", "random"],
    SOURCE,
    "the strategies of playouts: six explorations and chance, these and all others, one of each kind, or chance",
);
static ALLOTMENT: Typed<&'static str> = Typed::<&'static str>::word(
    "allotment",
    "turns",
    &["turns", "bounds"],
    SOURCE,
    "how playouts are dealt out among strategies: in turn, or by upper confidence bounds",
);
static LINES: Typed<bool> = Typed::<bool>::flag(
    "lines",
    true,
    SOURCE,
    "whether the whole line of a new highest score is put into the tree and followed",
);

/// All rows of the method.
fn parameters() -> Vec<engine::Parameter> {
    let numbers = [&EXPLORATION, &P_EXPLORATION, &P_MOBILITY, &P_HISTORY, &P_GOAL, &P_SYMBOLS, &P_SCORE];
    let words = [&TABLE, &WORTH, &STRATEGIES, &ALLOTMENT];
    let numbers = numbers.into_iter().map(Typed::row);
    let words = words.into_iter().map(Typed::row);
    words.chain([LINES.row()]).chain(numbers).chain([MEMORY.row(), THREADS.row()]).collect()
}

/// What the values of parameters mean.
fn options(settings: &Settings, seed: u64) -> MiniOptions {
    MiniOptions {
        worth: if settings.of(&WORTH) == "average" { Worth::Average } else { Worth::Highest },
        exploration: settings.of(&EXPLORATION),
        strategies: match settings.of(&STRATEGIES) {
            "all" => Strategy::all(),
            "seven" => Strategy::seven(),
            "random" => vec![Strategy::Random],
            _ => Strategy::dedicated(),
        },
        obedience: Obedience {
            exploration: settings.of(&P_EXPLORATION),
            mobility: settings.of(&P_MOBILITY),
            history: settings.of(&P_HISTORY),
            goal: settings.of(&P_GOAL),
            symbols: settings.of(&P_SYMBOLS),
            score: settings.of(&P_SCORE),
        },
        transpositions: match settings.of(&TABLE) {
            "zobrist" => Transpositions::Zobrist,
            "none" => Transpositions::None,
            _ => Transpositions::FiveLevels,
        },
        allotment: if settings.of(&ALLOTMENT) == "bounds" { Allotment::Bounds } else { Allotment::InTurn },
        whole_lines: settings.of(&LINES),
        most_bytes: (settings.of(&MEMORY) as usize) << 20,
        seed,
    }
}

pub(super) fn row() -> EngineRow {
    EngineRow {
        name: NAME,
        help: "exploring playouts and the highest score in the tree",
        source: SOURCE,
        revision: 3,
        parameters: parameters(),
        demands: vec![Demand::OneRole, Demand::NoChance, Demand::Lanes],
        fallback: Some(mcts::NAME),
        make: Arc::new(|seat| Ok(Box::new(Mini::new(seat)?))),
    }
}

struct Mini {
    machine: Arc<CircuitMachine>,
    player: MiniPlayer<CircuitMachine>,
    worth: Worth,
    clock: Clock,
    /// Simulations before this turn.
    before: u64,
}

impl Mini {
    fn new(seat: &Seat<'_>) -> Result<Self, MakeError> {
        let refused = |why: &str| MakeError::Refused(why.to_owned());
        let batch = seat.machine.lanes();
        let batch = batch.ok_or_else(|| refused("it thinks on circuits only"))?;
        let machine = Arc::clone(batch.machine());
        let state = replay(&*machine, &mut machine.workspace(), seat.history)?;
        let options = options(seat.settings, seat.seed);
        let threads = seat.settings.of(&THREADS) as usize;
        let goals = machine.circuit().roles.first().map_or(&[][..], |role| &role.goals);
        let ceiling = Goal(goals.iter().map(|goal| goal.value).max().unwrap_or(0));
        let player = MiniPlayer::new(&machine, &state, &options, threads, ceiling);
        let player = player.ok_or_else(|| refused("nothing can be done in this position"))?;
        Ok(Self { machine, player, worth: options.worth, clock: Arc::clone(seat.clock), before: 0 })
    }
}

impl Engine for Mini {
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        let never = AtomicBool::new(false);
        let limit = Limit { until: budget.until, simulations: budget.simulations };
        Ok(match self.player.work(limit, &self.clock, budget.stop.unwrap_or(&never)) {
            Ended::Time => Stop::Time,
            Ended::Simulations => Stop::Simulations,
            Ended::Told => Stop::Told,
            Ended::Solved => Stop::Proven,
        })
    }

    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault> {
        if self.player.end().is_some() {
            return Ok(None);
        }
        let planned = self.player.planned();
        let candidates = self.player.candidates();
        let Some(id) = self.player.decide() else { return Err(RuleFault::NoLegalMove(role)) };
        let best = self.player.board().best().filter(|_| planned.is_some());
        let of_id = candidates.iter().find(|candidate| candidate.id == id);
        let quality = of_id.filter(|known| known.tally.visits > 0);
        let quality = quality.map(|known| known.effective_quality(self.worth).min(100.0));
        let line = best.iter().flat_map(|found| &found.plan.moves);
        let (text, spelling) = (self.machine.move_text(id), self.machine.move_spelling(id));
        let simulations = self.player.simulations() - self.before;
        let thought = |candidate: &puzzle::method::mini::Candidate| Thought {
            text: self.machine.move_text(candidate.id),
            value: candidate.tally.worth(self.worth),
            visits: candidate.tally.visits,
            likelihood: None,
            proven: (0, 100),
        };
        Ok(Some(Decision {
            value: best.as_ref().map(|found| f64::from(found.plan.score.0)).or(quality),
            proven: planned.is_some() && self.player.board().is_settled(),
            unthought: quality.is_none() && candidates.len() > 1 && planned.is_none(),
            simulations,
            playouts: simulations,
            nodes: self.player.nodes(),
            bytes: self.player.bytes(),
            depth: best.as_ref().map_or(0, |found| found.plan.moves.len() as u32),
            line: line.map(|&id| vec![self.machine.move_text(id)]).collect(),
            moves: candidates.iter().map(thought).collect(),
            ..Decision::plain(text, spelling, NAME, self.machine())
        }))
    }

    fn advance(&mut self, joint: &[String]) -> Result<bool, RuleFault> {
        let Some(joint) = find_moves(&*self.machine, joint) else { return Ok(false) };
        Ok(joint.first().is_some_and(|&id| self.player.advance(id)))
    }

    fn begin_turn(&mut self) {
        self.before = self.player.simulations();
    }

    fn events(&mut self) -> Vec<Event> {
        Vec::new()
    }

    fn machine(&self) -> MachineKind {
        MachineKind::Batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a list of values makes of the method.
    fn of(values: &[(&str, &str)]) -> MiniOptions {
        let mut settings = Settings::new(parameters());
        values.iter().for_each(|(name, value)| settings.set(name, value).expect("a value"));
        options(&settings, 7)
    }

    #[test]
    fn every_parameter_reaches_the_method() {
        let plain = MiniOptions { seed: 7, ..MiniOptions::default() };
        assert_eq!(of(&[]), plain, "the defaults are those of the method");
        let rows = parameters();
        for row in rows.iter().filter(|row| row.name != THREADS.name()) {
            let other = match &row.range {
                engine::Range::Flag => "false".to_owned(),
                engine::Range::Whole { least, .. } => least.to_string(),
                engine::Range::Real { least, .. } => least.to_string(),
                engine::Range::Word(words) => words.last().expect("words").to_string(),
            };
            assert_ne!(of(&[(row.name, &other)]), plain, "`{}` changes nothing", row.name);
        }
        assert_eq!(of(&[("memory", "16")]).most_bytes, 16 << 20);
        let baseline = [
            ("worth", "average"),
            ("strategies", "seven"),
            ("allotment", "bounds"),
            ("table", "none"),
            ("lines", "false"),
        ];
        assert_eq!(of(&baseline), MiniOptions { seed: 7, ..MiniOptions::baseline() });
    }
}
