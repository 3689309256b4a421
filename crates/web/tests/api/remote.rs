//! A player on the network takes a seat.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};

use serde_json::json;

use crate::support::{Server, keys};

/// The body of a request.
fn body(stream: &mut TcpStream) -> String {
    let (mut text, mut byte) = (String::new(), [0]);
    while !text.ends_with("\r\n\r\n") {
        stream.read_exact(&mut byte).expect("a head");
        text.push(char::from(byte[0]));
    }
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().expect("a number"))
    });
    let mut bytes = vec![0; length.expect("a length")];
    stream.read_exact(&mut bytes).expect("a body");
    String::from_utf8(bytes).expect("UTF-8")
}

/// A player of `o` in tic-tac-toe that takes the first free cell, and tells what it was asked.
fn player() -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a place").port();
    let (told, heard) = channel();
    std::thread::spawn(move || {
        let (mut seen, mut turn) = (String::new(), 0);
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let asked = body(&mut stream).to_lowercase();
            let mut free = (1..=9).map(|cell| format!("(mark {} {})", (cell + 2) / 3, (cell + 2) % 3 + 1));
            let answer = if asked.starts_with("(start") {
                "ready".to_owned()
            } else if asked.starts_with("(play") {
                seen += &asked;
                turn += 1;
                match turn % 2 {
                    1 => "noop".to_owned(),
                    _ => free.find(|cell| !seen.contains(cell)).expect("a free cell"),
                }
            } else {
                "done".to_owned()
            };
            let length = answer.len();
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n");
            stream.write_all(format!("{head}{answer}").as_bytes()).expect("sent");
            if told.send(asked).is_err() {
                return;
            }
        }
    });
    (port, heard)
}

#[test]
fn a_player_on_the_network_plays_a_whole_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let (port, heard) = player();
    let seats = json!([{ "kind": "person" }, { "kind": "remote", "address": format!("127.0.0.1:{port}") }]);
    let made =
        server.post("/api/matches", "", &json!({ "game": "tic-tac-toe", "seats": seats })).expect(201).json();
    let id = made["id"].as_str().expect("an id");
    let key = &keys(&made).1[0];
    let path = format!("/api/matches/{id}/moves");
    let mut turn = 0;
    loop {
        // A chosen move may still be changed while the player thinks: only a new turn asks for a new one.
        let view = server.until(id, key, |view| {
            let turns = view["turns"].as_array().expect("turns").len();
            view["status"] == "over" || turns >= turn && view["choices"] != json!([])
        });
        if view["status"] == "over" {
            break;
        }
        let choice = view["choices"][0]["moves"].as_array().expect("moves").last().expect("one").clone();
        turn = view["turns"].as_array().expect("turns").len();
        server.post(&path, key, &json!({ "role": 0, "text": choice["text"], "turn": turn })).expect(204);
        turn += 1;
    }
    let record = server.get(&format!("/api/matches/{id}/record"), "").expect(200).json();
    let trouble: Vec<&serde_json::Value> = record["errors"]
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|turn| turn.as_array().expect("a list"))
        .filter(|trouble| *trouble != "")
        .collect();
    assert!(trouble.is_empty(), "{trouble:?}");
    let first = heard.recv().expect("it was asked");
    assert!(first.starts_with("(start ") && first.contains("(role x)"), "{first}");
    let last = heard.iter().find(|asked| asked.starts_with("(stop")).expect("it was told of the end");
    assert!(last.contains("(mark"), "{last}");
}
