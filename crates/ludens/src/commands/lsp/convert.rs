//! What the library says in the words of the protocol.

use gdl::{Edit, Severity, Span};
use language::{CompletionKind, EntryKind, Finding, Position};
use lsp_types as lsp;

use super::server::Text;

pub(super) fn position(position: lsp::Position) -> Position {
    Position { line: position.line, column: position.character }
}

/// The byte at a place of a text.
pub(super) fn offset(text: &Text, at: lsp::Position) -> u32 {
    text.lines.offset(text.document.source().text(), position(at))
}

pub(super) fn span(text: &Text, range: lsp::Range) -> Span {
    Span { start: offset(text, range.start), end: offset(text, range.end) }
}

pub(super) fn range(text: &Text, span: Span) -> lsp::Range {
    let place = |position: Position| lsp::Position::new(position.line, position.column);
    let (start, end) = text.lines.range(text.document.source().text(), span);
    lsp::Range::new(place(start), place(end))
}

pub(super) fn location(text: &Text, span: Span) -> lsp::Location {
    lsp::Location::new(text.uri.clone(), range(text, span))
}

pub(super) fn edit(text: &Text, edit: &Edit) -> lsp::TextEdit {
    lsp::TextEdit::new(range(text, edit.span), edit.text.clone())
}

/// Changes of one text.
pub(super) fn changes(text: &Text, edits: &[Edit]) -> lsp::WorkspaceEdit {
    let edits = edits.iter().map(|change| edit(text, change)).collect();
    lsp::WorkspaceEdit::new([(text.uri.clone(), edits)].into_iter().collect())
}

pub(super) fn finding(text: &Text, finding: &Finding) -> lsp::Diagnostic {
    let related = finding.labels.iter().map(|label| lsp::DiagnosticRelatedInformation {
        location: location(text, label.span),
        message: label.message.clone(),
    });
    let related: Vec<_> = related.collect();
    let message = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    let unused = ["gdl::unused_relation", "vgdl::unused_sprite"].contains(&finding.code.as_str());
    lsp::Diagnostic {
        range: range(text, finding.span),
        severity: Some(match finding.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Note => lsp::DiagnosticSeverity::INFORMATION,
        }),
        code: Some(lsp::NumberOrString::String(finding.code.clone())),
        source: Some("ludens".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        tags: unused.then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        ..lsp::Diagnostic::default()
    }
}

#[expect(deprecated, reason = "the protocol's type has a field that nobody should use")]
pub(super) fn symbol(text: &Text, entry: &language::Entry) -> lsp::DocumentSymbol {
    let kind = match entry.kind {
        EntryKind::Role => lsp::SymbolKind::CLASS,
        EntryKind::State => lsp::SymbolKind::FIELD,
        EntryKind::Moves => lsp::SymbolKind::METHOD,
        EntryKind::Keyword => lsp::SymbolKind::EVENT,
        EntryKind::Relation => lsp::SymbolKind::FUNCTION,
    };
    let rules: Vec<_> = entry.rules.iter().map(|rule| symbol(text, rule)).collect();
    lsp::DocumentSymbol {
        name: entry.name.clone(),
        detail: Some(entry.detail.clone()),
        kind,
        tags: None,
        deprecated: None,
        range: range(text, entry.span),
        selection_range: range(text, entry.head),
        children: (!rules.is_empty()).then_some(rules),
    }
}

pub(super) fn completion(
    text: &Text,
    order: usize,
    completion: &language::Completion,
) -> lsp::CompletionItem {
    let kind = match completion.kind {
        CompletionKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Relation => lsp::CompletionItemKind::FUNCTION,
        CompletionKind::Function => lsp::CompletionItemKind::STRUCT,
        CompletionKind::Value => lsp::CompletionItemKind::VALUE,
        CompletionKind::Variable => lsp::CompletionItemKind::VARIABLE,
    };
    let change = Edit::new(completion.span, completion.name.clone());
    lsp::CompletionItem {
        label: completion.name.clone(),
        kind: Some(kind),
        detail: (!completion.detail.is_empty()).then(|| completion.detail.clone()),
        sort_text: Some(format!("{order:05}")),
        text_edit: Some(lsp::CompletionTextEdit::Edit(edit(text, &change))),
        ..lsp::CompletionItem::default()
    }
}
