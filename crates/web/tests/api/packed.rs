//! Pages and pictures are packed for those who read that.

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::json;

use crate::support::Server;

#[test]
fn what_everybody_may_see_is_packed_and_keys_are_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let packed = [("Accept-Encoding", "gzip, br")];
    for path in ["/assets/style.css", "/assets/main.js", "/api/games/chess/picture.svg"] {
        let plain = server.bytes("GET", path, &[]);
        let (head, bytes) = server.bytes("GET", path, &packed);
        assert!(!plain.0.contains("content-encoding"), "{}", plain.0);
        assert!(head.contains("content-encoding: gzip") && head.contains("vary: accept-encoding"), "{head}");
        assert!(head.contains(&format!("content-length: {}", bytes.len())), "{head}");
        assert!(2 * bytes.len() < plain.1.len(), "{path}: {} of {}", bytes.len(), plain.1.len());
        let mut text = Vec::new();
        GzDecoder::new(bytes.as_slice()).read_to_end(&mut text).expect("packed");
        assert!(text == plain.1, "{path} is the same");
    }
    let wish = json!({ "game": "chess", "seats": [{ "kind": "person" }, { "kind": "person" }] }).to_string();
    let made = server.send("POST", "/api/matches", &packed, Some(&wish)).expect(201);
    assert!(!made.head.contains("content-encoding"), "{}", made.head);
}
