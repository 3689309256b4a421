//! `ludens web` as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::support::{command, ludens, write};

/// A server, ended when the test is over.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server; its first line says where it is.
fn serve(arguments: &[&str]) -> (Serving, String) {
    let mut child = command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("the binary starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let place = line.trim_end().split("http://").nth(1).expect("an address").to_owned();
    (Serving(child), place)
}

fn get(place: &str, path: &str) -> String {
    let host = place.split('/').next().expect("a host");
    let mut stream = TcpStream::connect(host).expect("a connection");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    text
}

#[test]
fn the_page_is_served_to_this_computer() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("web.db");
    let database = database.to_str().expect("UTF-8");
    let (serving, place) = serve(&["web", "--port", "0", "--db", database]);
    assert!(place.starts_with("127.0.0.1:"), "{place}");
    assert!(get(&place, "/").contains("<title>Ludens</title>"));
    assert!(get(&place, "/api/games").contains("\"tic-tac-toe\""));
    // Another one may not write to the same file, and says so.
    let second = ludens(&["web", "--port", "0", "--db", database]).expect(2);
    assert!(second.err.contains("another process"), "{}", second.err);
    drop(serving);
}

#[test]
fn on_a_network_a_token_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("web.db");
    let database = database.to_str().expect("UTF-8");
    let (_serving, place) = serve(&["web", "--port", "0", "--address", "0.0.0.0", "--db", database]);
    let (host, entry) = place.split_once('/').expect("a path");
    assert!(entry.starts_with("?token="), "{place}");
    assert!(get(host, "/api/games").starts_with("HTTP/1.1 401"));
    assert!(get(host, &format!("/{entry}")).starts_with("HTTP/1.1 303"));
}

#[test]
fn wrong_wishes_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = write(folder.path(), "notes.txt", "no database");
    assert!(ludens(&["web", "--port", "0", "--db", &text]).expect(2).err.contains("no database of matches"));
    ludens(&["web", "--token", "short"]).expect(2);
    ludens(&["web", "--matches", "0"]).expect(2);
}
