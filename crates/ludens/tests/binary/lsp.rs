//! `ludens lsp`, spoken to as an editor does.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::support::command;

/// An editor with the program at its side.
struct Editor {
    child: Child,
    answers: BufReader<ChildStdout>,
    last: i64,
}

const ADDRESS: &str = "file:///game.kif";

impl Editor {
    fn start(arguments: &[&str], capabilities: Value) -> Self {
        let mut child = command(&[&["lsp"], arguments].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        let mut editor = Self { child, answers, last: 0 };
        let said = editor
            .ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
        assert_eq!(said["serverInfo"]["name"], "ludens");
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.child.stdin.as_mut().expect("piped");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("written");
        input.flush().expect("written");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line).expect("a line");
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.answers.read_exact(&mut bytes).expect("the message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    fn response(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": parameters }));
        loop {
            let message = self.receive();
            if message["id"] == self.last {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let response = self.response(method, parameters);
        assert!(response["error"].is_null(), "{response}");
        response["result"].clone()
    }

    fn open(&mut self, address: &str, text: &str) -> Value {
        let document = json!({ "uri": address, "languageId": "gdl", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.findings(1)
    }

    /// The findings of a version of a text.
    fn findings(&mut self, version: i64) -> Value {
        loop {
            let message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == version
            {
                return message["params"]["diagnostics"].clone();
            }
        }
    }

    fn at(&mut self, method: &str, line: u64, column: u64) -> Value {
        let place = json!({ "line": line, "character": column });
        let context = json!({ "includeDeclaration": true });
        self.ask(method, json!({ "textDocument": { "uri": ADDRESS }, "position": place, "context": context }))
    }

    fn leave(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.child.wait().expect("it ends").success());
    }
}

const TEXT: &str = "(role weiß) (role schwarz)\n\
                    (succ 1 2)\n\
                    (init (at 1))\n\
                    (<= (legal ?r go) (role ?r))\n\
                    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))\n\
                    (<= terminal (and (true (at 2)) (suc 1 2)))\n\
                    (<= (goal ?r 100) (role ?r))\n";

fn codes(findings: &Value) -> Vec<&str> {
    findings.as_array().expect("a list").iter().filter_map(|finding| finding["code"].as_str()).collect()
}

#[test]
fn an_editor_gets_what_it_asks_for() {
    let mut editor = Editor::start(&[], json!({}));
    let findings = editor.open(ADDRESS, TEXT);
    assert_eq!(codes(&findings), ["gdl::nested_and", "gdl::undefined_relation"]);
    assert_eq!(findings[1]["range"]["start"], json!({ "line": 5, "character": 33 }));
    assert!(findings[1]["message"].as_str().expect("text").contains("did you mean `succ`?"));

    let hover = editor.at("textDocument/hover", 4, 36);
    assert!(
        hover["contents"]["value"].as_str().expect("text").starts_with("**relation** `succ` of 2 arguments"),
        "{hover}"
    );
    // The letter ß is one unit of 16 bits and two bytes.
    let role = editor.at("textDocument/definition", 0, 22);
    assert_eq!(role[0]["range"]["start"], json!({ "line": 0, "character": 18 }));
    let definition = editor.at("textDocument/definition", 4, 26);
    let lines: Vec<_> =
        definition.as_array().expect("a list").iter().map(|one| &one["range"]["start"]["line"]).collect();
    assert_eq!(lines, [2, 4]);
    assert_eq!(editor.at("textDocument/references", 4, 26).as_array().expect("a list").len(), 4);
    assert_eq!(editor.at("textDocument/documentHighlight", 4, 31).as_array().expect("a list").len(), 2);
    let outline = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": ADDRESS } }));
    assert_eq!(
        (&outline[0]["name"], outline[0]["children"].as_array().map(Vec::len)),
        (&"role".into(), Some(2))
    );

    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let fixes = editor.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": ADDRESS }, "range": everything, "context": { "diagnostics": [] } }),
    );
    let titles: Vec<_> = fixes.as_array().expect("a list").iter().map(|fix| &fix["title"]).collect();
    assert_eq!(titles, ["write the conditions side by side", "write `succ`"]);
    let edits = &fixes[1]["edit"]["changes"][ADDRESS];
    assert_eq!(
        (&edits[0]["newText"], &edits[0]["range"]["start"]["character"]),
        (&"succ".into(), &33.into())
    );

    let renamed = json!({ "textDocument": { "uri": ADDRESS }, "position": { "line": 1, "character": 2 }, "newName": "after" });
    let renamed = editor.ask("textDocument/rename", renamed);
    assert_eq!(renamed["changes"][ADDRESS].as_array().expect("a list").len(), 2);
    let refused = json!({ "textDocument": { "uri": ADDRESS }, "position": { "line": 1, "character": 2 }, "newName": "true" });
    let refused = editor.response("textDocument/rename", refused);
    assert!(
        refused["error"]["message"].as_str().expect("text").contains("stands for something else"),
        "{refused}"
    );

    // The fix of the second finding, as a change of a part of the text.
    let change = json!({ "range": edits[0]["range"], "text": edits[0]["newText"] });
    let version = json!({ "uri": ADDRESS, "version": 2 });
    editor.tell("textDocument/didChange", json!({ "textDocument": version, "contentChanges": [change] }));
    assert_eq!(codes(&editor.findings(2)), ["gdl::nested_and"]);
    let completions = editor.at("textDocument/completion", 4, 25);
    assert!(completions.as_array().expect("a list").iter().any(|one| one["label"] == "at"), "{completions}");
    let unknown = editor.response("textDocument/foldingRange", json!({ "textDocument": { "uri": ADDRESS } }));
    assert_eq!(unknown["error"]["code"], -32601);
    editor.leave();
}

#[test]
fn texts_are_formatted_and_video_games_are_checked() {
    let mut editor =
        Editor::start(&["--lenient", "--stdio"], json!({ "general": { "positionEncodings": ["utf-8"] } }));
    let findings = editor.open(ADDRESS, "(role   a)\n(legal a b)\n");
    assert!(codes(&findings).contains(&"gdl::missing_goal"), "{findings}");
    // What can be played is no error.
    assert!(
        findings.as_array().expect("a list").iter().all(|finding| finding["severity"] != 1),
        "{findings}"
    );
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let edits = editor
        .ask("textDocument/formatting", json!({ "textDocument": { "uri": ADDRESS }, "options": options }));
    assert_eq!(edits[0]["newText"], "(role a)\n");
    let game = "BasicGame\n    SpriteSet\n        wall > Imovable\n";
    assert!(codes(&editor.open("file:///game.vgdl", game)).contains(&"vgdl::unknown_class"));
    editor.leave();
}

#[test]
fn nonsense_is_answered_or_passed_over() {
    let mut editor = Editor::start(&[], json!({}));
    editor.tell("textDocument/didOpen", json!({ "textDocument": 7 }));
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "file:///b", "version": 1 }, "contentChanges": [] }),
    );
    editor.open(ADDRESS, "(((");
    let wrong = editor
        .response("textDocument/hover", json!({ "textDocument": { "uri": ADDRESS }, "position": "here" }));
    assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
    let text = json!({ "uri": ADDRESS });
    for context in [json!("x"), json!([1]), json!({ "only": 3 }), Value::Null] {
        editor.response(
            "textDocument/codeAction",
            json!({ "textDocument": text, "range": 5, "context": context }),
        );
    }
    editor.response("textDocument/rename", json!({ "textDocument": text }));
    let beyond = editor.at("textDocument/hover", 1_000_000, 1_000_000);
    assert!(beyond.is_null());
    for method in ["definition", "references", "documentHighlight", "completion"] {
        for column in 0..5 {
            editor.at(&format!("textDocument/{method}"), 0, column);
        }
    }
    let closed = editor.ask("textDocument/hover", json!({ "textDocument": { "uri": "file:///c" } }));
    assert!(closed.is_null());
    editor.leave();
}

#[test]
fn an_editor_may_close_the_pipe_as_it_leaves() {
    let mut editor = Editor::start(&[], json!({}));
    editor.open(ADDRESS, TEXT);
    let Editor { mut child, answers, .. } = editor;
    // Nobody reads the last answer.
    drop(answers);
    let mut input = child.stdin.take().expect("piped");
    for message in [
        "{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"shutdown\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}",
    ] {
        write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).expect("written");
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}
