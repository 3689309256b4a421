//! The loop: texts are kept as the editor tells them, and read again when nothing else is waiting.

use std::collections::HashMap;
use std::process::ExitCode;

use anyhow::Context;
use gdl::{Mode, SourceFile};
use language::{Document, Encoding, Lines};
use lsp_server::{Connection, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _, PublishDiagnostics,
};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    PublishDiagnosticsParams, TextDocumentContentChangeEvent, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{answers, convert};
use crate::failure::FAULTY;

/// A text that is open in the editor.
pub(super) struct Text {
    pub(super) uri: Uri,
    pub(super) document: Document,
    pub(super) lines: Lines,
    version: i32,
}

struct Server<'a> {
    connection: &'a Connection,
    mode: Mode,
    encoding: Encoding,
    /// By address.
    texts: HashMap<String, Text>,
    /// Addresses of texts that have changed since their findings were told.
    changed: Vec<String>,
}

/// Serves one editor until it leaves.
pub(super) fn serve(connection: &Connection, mode: Mode) -> anyhow::Result<ExitCode> {
    let Ok((id, parameters)) = connection.initialize_start() else {
        anyhow::bail!("the editor left before it said what it can do");
    };
    // The rest of what an editor says of itself makes no difference here.
    let encodings = parameters.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let has_bytes = encodings.is_some_and(|known| known.iter().any(|name| name == "utf-8"));
    let encoding = if has_bytes { Encoding::Utf8 } else { Encoding::Utf16 };
    let information = json!({
        "capabilities": answers::capabilities(encoding),
        "serverInfo": { "name": "ludens", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, information).context("the editor left")?;
    let mut server = Server { connection, mode, encoding, texts: HashMap::new(), changed: Vec::new() };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                // Some editors say that they leave, and do not wait to say goodbye.
                if connection.handle_shutdown(&request).unwrap_or(true) {
                    return Ok(ExitCode::SUCCESS);
                }
                let response = server.answer(request);
                server.send(Message::Response(response))?;
            }
            Message::Notification(notification) => server.hear(notification)?,
            Message::Response(_) => {}
        }
        // While more keystrokes are waiting nobody looks at findings.
        if connection.receiver.is_empty() {
            server.publish()?;
        }
    }
    // It left without a word.
    Ok(ExitCode::from(FAULTY))
}

impl Server<'_> {
    fn send(&self, message: Message) -> anyhow::Result<()> {
        self.connection.sender.send(message).context("the editor left")
    }

    fn hear(&mut self, notification: Notification) -> anyhow::Result<()> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(DidOpenTextDocumentParams { text_document: text }) = read(notification.params) {
                    self.put(text.uri, text.text, text.version);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(change) = read::<DidChangeTextDocumentParams>(notification.params) {
                    self.change(change);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(DidCloseTextDocumentParams { text_document: text }) = read(notification.params) {
                    self.texts.remove(text.uri.as_str());
                    // What was told of it is no longer to be seen.
                    self.tell(PublishDiagnosticsParams {
                        uri: text.uri,
                        diagnostics: Vec::new(),
                        version: None,
                    })?;
                }
            }
            // Saving, settings, cancelled requests: nothing follows from them.
            _ => {}
        }
        Ok(())
    }

    fn put(&mut self, uri: Uri, text: String, version: i32) {
        let address = uri.as_str().to_owned();
        let document = Document::in_mode(SourceFile::new(address.clone(), text), self.mode);
        let lines = document.lines(self.encoding);
        self.texts.insert(address.clone(), Text { uri, document, lines, version });
        if !self.changed.contains(&address) {
            self.changed.push(address);
        }
    }

    fn change(&mut self, change: DidChangeTextDocumentParams) {
        let uri = change.text_document.uri;
        let Some(known) = self.texts.get(uri.as_str()) else { return };
        let mut text = known.document.source().text().to_owned();
        for TextDocumentContentChangeEvent { range, text: new, .. } in change.content_changes {
            match range {
                None => text = new,
                Some(range) => {
                    // The places are those of the text after the changes before.
                    let lines = Lines::new(&text, self.encoding);
                    let start = lines.offset(&text, convert::position(range.start)) as usize;
                    let end = lines.offset(&text, convert::position(range.end)) as usize;
                    text.replace_range(start..end.max(start), &new);
                }
            }
        }
        self.put(uri, text, change.text_document.version);
    }

    fn publish(&mut self) -> anyhow::Result<()> {
        for address in std::mem::take(&mut self.changed) {
            if let Some(text) = self.texts.get(&address) {
                let diagnostics =
                    text.document.findings().iter().map(|found| convert::finding(text, found)).collect();
                let version = Some(text.version);
                self.tell(PublishDiagnosticsParams { uri: text.uri.clone(), diagnostics, version })?;
            }
        }
        Ok(())
    }

    fn tell(&self, findings: PublishDiagnosticsParams) -> anyhow::Result<()> {
        let notification = Notification::new(PublishDiagnostics::METHOD.to_owned(), findings);
        self.send(Message::Notification(notification))
    }

    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let address = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default();
        match answers::find(&method) {
            None => {
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                Response::new_err(id, code, format!("`{method}` is not offered"))
            }
            // An editor may ask about a text that it has closed.
            Some(answer) => match self.texts.get(address).map(|text| answer(text, params)) {
                None => Response::new_ok(id, Value::Null),
                Some(Ok(value)) => Response::new_ok(id, value),
                Some(Err(error)) => {
                    let code = lsp_server::ErrorCode::InvalidParams as i32;
                    Response::new_err(id, code, format!("{error:#}"))
                }
            },
        }
    }
}

/// What an editor said, if it can be understood.
pub(super) fn read<T: DeserializeOwned>(parameters: Value) -> Option<T> {
    serde_json::from_value(parameters).ok()
}

/// An answer as it is sent.
pub(super) fn written<T: Serialize>(answer: T) -> anyhow::Result<Value> {
    Ok(serde_json::to_value(answer)?)
}
