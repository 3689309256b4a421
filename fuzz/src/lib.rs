//! What the fuzz targets share: rule sheets made of any bytes.

mod explore;
mod generate;
mod mutate;
mod tree;

pub use explore::{Explored, explore};
pub use generate::generate;
pub use mutate::mutate;

use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// Larger circuits are left alone, as what is done with them takes time in proportion.
const MOST_GATES: usize = 2_000;
/// The facts or gates in the making of one.
const MOST_ITEMS: usize = 20_000;

/// A rule sheet: one that was put together of parts, or one of our own games with some rules changed.
pub fn sheet(bytes: &mut Unstructured<'_>, roles: Option<usize>) -> Result<String> {
    // Where the bytes end, all that follows is the first of its kind: that had better be short.
    if bytes.ratio(3, 4)? { generate(bytes, roles) } else { mutate(bytes, roles) }
}

/// The rules of a text in the form that machines are made of.
pub fn normal(text: &str) -> gdl::normal::NormalRules {
    gdl::normal::normalize(&gdl::parse(&gdl::SourceFile::new("fuzz", text)).sheet)
}

/// The circuit of some rules, if it can be had with little time and memory.
pub fn circuit(
    rules: &gdl::normal::NormalRules,
    effort: circuit::Effort,
) -> Option<std::sync::Arc<circuit::Circuit>> {
    let begin = std::time::Instant::now();
    let budget = ground::Budget {
        clock: &|| begin.elapsed(),
        deadline: std::time::Duration::from_secs(1),
        bytes: 16 << 20,
        progress: &|progress| progress.items < MOST_ITEMS,
    };
    let build = machine::build::circuit(rules, effort, &budget).ok()?;
    (build.circuit.gates.len() < MOST_GATES).then_some(build.circuit)
}

/// The reference reasoner of some rules, within limits.
pub fn reference(rules: &gdl::normal::NormalRules) -> Option<machine::reference::Reference> {
    let limits = datalog::Limits { bytes: 64 << 20, work: 200_000, stop: None };
    machine::reference::Reference::new(rules, limits).ok()
}

/// Shows what was made of an input, if someone wants to see it.
pub fn show(what: impl FnOnce() -> String) {
    if std::env::var_os("LUDENS_SHOW").is_some() {
        eprintln!("{}", what());
    }
}
