//! Sheets that people write: the same findings as those of `ludens check`, and tidy text.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use game::{Describe, Simulator};
use gdl::normal::normalize;
use gdl::{Code, Diagnostic, Mode, Parsed, Severity, SourceFile};
use machine::reference::BuildError;
use machine::{Limits, Machine, MakeError, Visitor, Wanted};
use verify::inspect::{Budget, Inspection, inspect};

use crate::alarm::Alarm;
use crate::api::{CheckSheet, Checked, Finding, Piece, QuickFix, Sheet, TextEdit};
use crate::error::WebError;
use crate::games::Games;
use crate::words::piece;

/// The time that playing a sheet may take.
const PLAYING: Duration = Duration::from_secs(5);
/// Bytes for evaluating the rules.
const BYTES: usize = 256 << 20;

/// All that is found in a sheet.
pub(crate) fn check(games: &Games, sheet: &CheckSheet) -> Result<Checked, WebError> {
    let source = read(&sheet.rules)?;
    let parsed = gdl::parse(&source);
    let mut found = gdl::check(&source, &parsed, Mode::Strict);
    let readable = found.iter().all(|finding| finding.code.severity(Mode::Lenient) < Severity::Error);
    if readable && !sheet.quick {
        let played = simulate(&parsed).findings.into_iter().map(|finding| finding.in_mode(Mode::Strict));
        found.extend(played);
        found.sort_by_key(|finding| (finding.span, finding.code));
    }
    let findings = found.iter().map(|finding| place(&source, finding)).collect();
    let game = match (readable, sheet.quick) {
        (true, false) => games.given(&sheet.rules, "Your game"),
        (true, true) => Err(WebError::Conflict("it was not played yet".to_owned())),
        (false, _) => Err(WebError::Wrong("mend what cannot be read first".to_owned())),
    };
    let details = game.as_ref().ok();
    Ok(Checked {
        findings,
        playable: details.is_some(),
        obstacle: game.as_ref().err().map(ToString::to_string),
        roles: details.map_or_else(Vec::new, |game| game.roles().to_vec()),
        chance: details.and_then(|game| game.chance()),
        hidden: details.is_some_and(|game| game.hidden()),
        svg: details.map(|game| game.first_svg()),
    })
}

/// The sheet in the canonical style.
pub(crate) fn format(sheet: &Sheet) -> Result<Sheet, WebError> {
    let source = read(&sheet.rules)?;
    let told = |faults: Vec<Diagnostic>| {
        let first = faults
            .first()
            .map(|fault| format!(": line {}, {}", source.line_column(fault.span.start).line, fault.message));
        WebError::Wrong(format!("mend the syntax first{}", first.unwrap_or_default()))
    };
    Ok(Sheet { rules: gdl::format(&source).map_err(told)? })
}

fn read(rules: &str) -> Result<SourceFile, WebError> {
    let source = SourceFile::from_bytes("rules", rules.as_bytes());
    source.map_err(|error| WebError::Wrong(error.to_string()))
}

fn place(source: &SourceFile, found: &Diagnostic) -> Finding {
    let Piece { line, column, end_line, end_column } = piece(source, found.span);
    let edit = |edit: &gdl::Edit| TextEdit { piece: piece(source, edit.span), text: edit.text.clone() };
    let fix = found.fix.as_ref();
    let fix =
        fix.map(|fix| QuickFix { title: fix.title.clone(), edits: fix.edits.iter().map(edit).collect() });
    Finding {
        code: found.code.to_string(),
        severity: found.severity.name().to_owned(),
        message: found.message.clone(),
        help: found.help.clone(),
        line,
        column,
        end_line,
        end_column,
        fix,
    }
}

struct Simulation<'a> {
    parsed: &'a Parsed,
    machine: &'a Machine,
    stop: &'a AtomicBool,
}

impl Visitor<'_> for Simulation<'_> {
    type Answer = Inspection;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Inspection {
        let go_on = || !self.stop.load(Ordering::Relaxed);
        inspect(&**game, &self.machine.declared(), &self.parsed.sheet, Budget::default(), go_on)
    }
}

/// What shows when the sheet is played.
fn simulate(parsed: &Parsed) -> Inspection {
    let stop = Arc::new(AtomicBool::new(false));
    let _alarm = Alarm::set(PLAYING, &stop);
    let limits = Limits { bytes: BYTES, stop: Some(Arc::clone(&stop)), ..Limits::generous() };
    match machine::from_rules(&normalize(&parsed.sheet), Wanted::Reference, &limits) {
        Ok(machine) => machine.visit_fast(Simulation { parsed, machine: &machine, stop: &stop }),
        Err(MakeError::Reference(error)) => not_built(parsed, &error),
        Err(MakeError::Circuit(_)) => empty(Vec::new()),
    }
}

fn empty(findings: Vec<Diagnostic>) -> Inspection {
    Inspection { findings, playouts: 0, steps: 0, complete: false }
}

/// The inspection of a game that could not even be set up.
fn not_built(parsed: &Parsed, error: &BuildError) -> Inspection {
    // Time that was too short is no fault of the sheet.
    if matches!(error, BuildError::Rules(game::RuleFault::OutOfTime)) {
        return empty(Vec::new());
    }
    let span = parsed.sheet.rules.first().map(|rule| rule.head.span).unwrap_or_default();
    let help = "look for recursion that builds ever larger terms, and for relations that depend on their own negation";
    empty(vec![Diagnostic::new(Code::RuleFault, span, error.to_string()).with_help(help)])
}
