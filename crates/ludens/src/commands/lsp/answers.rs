//! One function for each question of the protocol.

use anyhow::Context;
use gdl::Edit;
use language::Encoding;
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest, Formatting,
    GotoDefinition, HoverRequest, PrepareRenameRequest, References, Rename, Request,
};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, DocumentHighlight, Hover, HoverContents, MarkupContent,
    MarkupKind, PositionEncodingKind, PrepareRenameResponse, RenameParams, TextDocumentPositionParams,
    TextDocumentSyncKind,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::convert;
use super::server::{Text, read, written};

type Answer = fn(&Text, Value) -> anyhow::Result<Value>;

/// What is offered, a row each.
const ANSWERS: &[(&str, Answer)] = &[
    (HoverRequest::METHOD, hover),
    (GotoDefinition::METHOD, definition),
    (References::METHOD, references),
    (DocumentHighlightRequest::METHOD, highlight),
    (DocumentSymbolRequest::METHOD, symbols),
    (Formatting::METHOD, formatting),
    (CodeActionRequest::METHOD, actions),
    (PrepareRenameRequest::METHOD, prepare_rename),
    (Rename::METHOD, rename),
    (Completion::METHOD, completion),
];

pub(super) fn find(method: &str) -> Option<Answer> {
    ANSWERS.iter().find(|(name, _)| *name == method).map(|&(_, answer)| answer)
}

/// What the editor may ask. Written as it is sent: the protocol's type has room for everything that any server
/// offers, and takes as much of the program.
pub(super) fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        },
        "textDocumentSync": TextDocumentSyncKind::INCREMENTAL,
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": [CodeActionKind::QUICKFIX] },
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": ["(", "?"] },
    })
}

fn understood<T: DeserializeOwned>(parameters: Value) -> anyhow::Result<T> {
    read(parameters).context("the question has not the form that the protocol gives it")
}

fn part(parameters: &Value, path: &str) -> Value {
    parameters.pointer(path).cloned().unwrap_or_default()
}

/// The byte that a question is about. All questions about a place have it in the same fields.
fn place(text: &Text, parameters: Value) -> anyhow::Result<u32> {
    let parameters: TextDocumentPositionParams = understood(parameters)?;
    Ok(convert::offset(text, parameters.position))
}

fn hover(text: &Text, parameters: Value) -> anyhow::Result<Value> {
    let found = text.document.hover(place(text, parameters)?);
    written(found.map(|found| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: found.text }),
        range: Some(convert::range(text, found.span)),
    }))
}

fn definition(text: &Text, parameters: Value) -> anyhow::Result<Value> {
    let found = text.document.definitions(place(text, parameters)?);
    written(found.into_iter().map(|span| convert::location(text, span)).collect::<Vec<_>>())
}

fn references(text: &Text, parameters: Value) -> anyhow::Result<Value> {
    let with_definitions = parameters.pointer("/context/includeDeclaration") != Some(&Value::Bool(false));
    let at = place(text, parameters)?;
    let definitions = text.document.definitions(at);
    let wanted = |span: &gdl::Span| with_definitions || !definitions.contains(span);
    let found = text.document.references(at).into_iter().filter(wanted);
    written(found.map(|span| convert::location(text, span)).collect::<Vec<_>>())
}

fn highlight(text: &Text, parameters: Value) -> anyhow::Result<Value> {
    let found = text.document.references(place(text, parameters)?).into_iter();
    let highlight = |span| DocumentHighlight { range: convert::range(text, span), kind: None };
    written(found.map(highlight).collect::<Vec<_>>())
}

fn symbols(text: &Text, _: Value) -> anyhow::Result<Value> {
    let outline = text.document.outline();
    written(outline.iter().map(|entry| convert::symbol(text, entry)).collect::<Vec<_>>())
}

fn formatting(text: &Text, _: Value) -> anyhow::Result<Value> {
    let edits: Vec<Edit> = text.document.formatting().into_iter().collect();
    written(edits.iter().map(|edit| convert::edit(text, edit)).collect::<Vec<_>>())
}

fn actions(text: &Text, parameters: Value) -> anyhow::Result<Value> {
    // The findings that come with the question are our own.
    let only: Option<Vec<CodeActionKind>> = understood(part(&parameters, "/context/only"))?;
    let is_wanted = only.is_none_or(|kinds| {
        kinds.iter().any(|kind| kind.as_str().is_empty() || *kind == CodeActionKind::QUICKFIX)
    });
    let span = convert::span(text, understood(part(&parameters, "/range"))?);
    let action = |(finding, fix): (&language::Finding, &gdl::Fix)| {
        CodeActionOrCommand::CodeAction(CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![convert::finding(text, finding)]),
            edit: Some(convert::changes(text, &fix.edits)),
            is_preferred: Some(true),
            ..CodeAction::default()
        })
    };
    written(text.document.fixes(span).filter(|_| is_wanted).map(action).collect::<Vec<_>>())
}

fn prepare_rename(text: &Text, parameters: Value) -> anyhow::Result<Value> {
    let word = text.document.renamable(place(text, parameters)?)?;
    written(PrepareRenameResponse::Range(convert::range(text, word.span)))
}

fn rename(text: &Text, parameters: Value) -> anyhow::Result<Value> {
    let parameters: RenameParams = understood(parameters)?;
    let at = convert::offset(text, parameters.text_document_position.position);
    let edits = text.document.rename(at, &parameters.new_name)?;
    written(convert::changes(text, &edits))
}

fn completion(text: &Text, parameters: Value) -> anyhow::Result<Value> {
    let found = text.document.completions(place(text, parameters)?);
    let items = found.iter().enumerate().map(|(order, found)| convert::completion(text, order, found));
    written(items.collect::<Vec<_>>())
}
