//! Every parameter of the search: name, meaning, default and where it comes from.

use engine::{MEMORY, Parameter, Settings, THREADS, Typed};

use crate::driver::DriverKind;
use crate::evaluators;
use crate::value::Discount;

const PAPER: &str = "Walędzik and Mańdziuk 2014";

static DRIVER: Typed<&str> = Typed::<&str>::word(
    "driver",
    "bisection",
    &["bisection", "guess", "aspiration"],
    PAPER,
    "windows of alpha-beta: halving what is possible, around the last value, or a wide one",
);
static PRECISION: Typed<f64> = Typed::<f64>::real(
    "precision",
    0.01,
    0.000_001,
    0.5,
    PAPER,
    "the width of a narrow window; 1 is all there is",
);
static ASPIRATION: Typed<f64> =
    Typed::<f64>::real("aspiration", 0.05, 0.000_001, 1.0, "ours", "half the width of a wide window");
static REMEMBER: Typed<bool> =
    Typed::<bool>::flag("remember", true, PAPER, "whether positions are remembered in a table");
static PROBE: Typed<bool> = Typed::<bool>::flag(
    "probe",
    true,
    "Plaat et al. 1996",
    "whether all children are looked up before one is gone to (enhanced transposition cutoffs)",
);
static HISTORY: Typed<bool> = Typed::<bool>::flag(
    "history",
    true,
    "Schaeffer 1983",
    "whether moves that were best elsewhere come first",
);
static KILLERS: Typed<bool> = Typed::<bool>::flag(
    "killers",
    true,
    "Akl and Newborn 1977",
    "whether moves that refuted others at the same distance come first",
);
static SORT: Typed<bool> = Typed::<bool>::flag(
    "sort",
    true,
    "ours",
    "whether moves come in the order of what the positions behind them are worth",
);
static EXTEND: Typed<bool> =
    Typed::<bool>::flag("extend", false, "ours", "whether a step without a choice does not count as depth");
static BUNDLE: Typed<u32> = Typed::<u32>::whole(
    "bundle",
    512,
    1,
    65_536,
    "ours",
    "leaves of the last two steps that are evaluated at once, if there are not more of them",
);
static DISTANCE: Typed<f64> = Typed::<f64>::real(
    "distance_discount",
    0.9999,
    0.5,
    1.0,
    "ours",
    "what a step leaves of the difference of a value from the middle, so that wins come sooner",
);
static LOOK_AHEAD: Typed<u32> =
    Typed::<u32>::whole("look_ahead", 200, 1, 200, "ours", "the greatest depth in joint moves");

/// Every parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Which windows alpha-beta is called with.
    pub driver: DriverKind,
    /// The width of a narrow one.
    pub precision: f64,
    /// Half the width of a wide one.
    pub aspiration: f64,
    /// Whether positions are remembered.
    pub remember: bool,
    /// Whether children are looked up before one is gone to.
    pub probe: bool,
    /// Whether moves that were best elsewhere come first.
    pub history: bool,
    /// Whether moves that refuted others at the same distance come first.
    pub killers: bool,
    /// Whether moves come in the order of what is behind them.
    pub sort: bool,
    /// Whether a step without a choice does not count.
    pub extend: bool,
    /// Leaves of the last two steps that are evaluated at once.
    pub bundle: usize,
    /// What a step leaves of a value.
    pub(crate) discount: Discount,
    /// The greatest depth.
    pub look_ahead: u16,
    /// Threads.
    pub threads: usize,
    /// Bytes for the table.
    pub bytes: usize,
    /// Whether what is remembered counts for the very depth it was found at only: slow, to be compared.
    pub(crate) same_depth: bool,
}

impl Options {
    /// The rows of all parameters, those of evaluators too.
    pub fn rows() -> Vec<Parameter> {
        let mut rows = vec![
            DRIVER.row(),
            PRECISION.row(),
            ASPIRATION.row(),
            REMEMBER.row(),
            PROBE.row(),
            HISTORY.row(),
            KILLERS.row(),
            SORT.row(),
            EXTEND.row(),
            BUNDLE.row(),
            DISTANCE.row(),
            LOOK_AHEAD.row(),
            THREADS.row(),
            MEMORY.row(),
        ];
        rows.extend(evaluators::rows());
        rows
    }

    /// What settings say.
    pub fn read(settings: &Settings) -> Self {
        Self {
            driver: match settings.of(&DRIVER) {
                "guess" => DriverKind::Guess,
                "aspiration" => DriverKind::Aspiration,
                _ => DriverKind::Bisection,
            },
            precision: settings.of(&PRECISION),
            aspiration: settings.of(&ASPIRATION),
            remember: settings.of(&REMEMBER),
            probe: settings.of(&PROBE),
            history: settings.of(&HISTORY),
            killers: settings.of(&KILLERS),
            sort: settings.of(&SORT),
            extend: settings.of(&EXTEND),
            bundle: settings.of(&BUNDLE) as usize,
            discount: Discount(settings.of(&DISTANCE)),
            look_ahead: settings.of(&LOOK_AHEAD) as u16,
            threads: settings.of(&THREADS) as usize,
            bytes: (settings.of(&MEMORY) as usize) << 20,
            same_depth: false,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::read(&Settings::new(Self::rows()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_changes_something() {
        let evaluators = evaluators::rows();
        for row in Options::rows().iter().filter(|row| evaluators.iter().all(|other| other.name != row.name))
        {
            let other = match &row.range {
                engine::Range::Flag => (row.default == engine::Value::Flag(false)).to_string(),
                engine::Range::Whole { least, most } => {
                    if row.default == engine::Value::Whole(*most) { least + 1 } else { *most }.to_string()
                }
                engine::Range::Real { least, .. } => least.to_string(),
                engine::Range::Word(words) => words.last().expect("words").to_string(),
            };
            let mut settings = Settings::new(Options::rows());
            settings.set(row.name, &other).expect("a value");
            assert_ne!(Options::read(&settings), Options::default(), "{}", row.name);
        }
    }
}
