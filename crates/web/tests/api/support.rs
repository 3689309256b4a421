//! A server of its own on a free port, and a plain client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::net::TcpListener;
use web::{Options, Site};

/// A server that ends when it is dropped.
pub(crate) struct Server {
    pub(crate) place: SocketAddr,
    runtime: Option<tokio::runtime::Runtime>,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }
}

/// The time since the first call.
fn wall() -> Duration {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

impl Server {
    pub(crate) fn start(database: &Path) -> Self {
        Self::with(|options| options.database = database.to_owned())
    }

    pub(crate) fn with(change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options {
            database: "unused".into(),
            token: None,
            loopback: true,
            matches: 8,
            memory: 64 << 20,
            threads: 1,
            clock: wall,
        };
        change(&mut options);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_stack_size(64 << 20)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let place = listener.local_addr().expect("a place");
        let begin = Instant::now();
        let site = loop {
            match runtime.block_on(async { Site::new(&options) }) {
                Ok(site) => break site,
                // Matches of the server before end in threads of their own.
                Err(error) => assert!(begin.elapsed() < Duration::from_secs(60), "no site: {error}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        runtime.spawn(web::listen(listener, Arc::clone(&site)));
        Self { place, runtime: Some(runtime) }
    }

    /// One request on a connection of its own.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let mut stream = self.open(method, path, headers, body);
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// The head of an answer in lower case, and its body as it came.
    pub(crate) fn bytes(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> (String, Vec<u8>) {
        let mut bytes = Vec::new();
        self.open(method, path, headers, None).read_to_end(&mut bytes).expect("an answer");
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
        let body = bytes.split_off(end + 4);
        (String::from_utf8(bytes).expect("UTF-8").to_lowercase(), body)
    }

    fn open(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&str>) -> TcpStream {
        let mut stream = TcpStream::connect(self.place).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text += &format!("Host: {}\r\n", self.place);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = body {
            text += &format!("Content-Length: {}\r\n", body.len());
            if !headers.iter().any(|(name, _)| *name == "Content-Type") {
                text += "Content-Type: application/json\r\n";
            }
        }
        text += "\r\n";
        text += body.unwrap_or_default();
        stream.write_all(text.as_bytes()).expect("sent");
        stream
    }

    pub(crate) fn get(&self, path: &str, keys: &str) -> Answer {
        self.send("GET", path, &[("X-Ludens-Keys", keys)], None)
    }

    pub(crate) fn post(&self, path: &str, keys: &str, body: &Value) -> Answer {
        self.send("POST", path, &[("X-Ludens-Keys", keys)], Some(&body.to_string()))
    }

    /// Looks at a tournament until all was played.
    pub(crate) fn until_done(&self, id: &str) -> Value {
        let begin = Instant::now();
        loop {
            let view = self.get(&format!("/api/tournaments/{id}"), "").expect(200).json();
            if view["summary"]["status"] == "done" {
                return view;
            }
            assert!(begin.elapsed() < Duration::from_secs(120), "it does not end: {view}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Events of a match, line by line.
    pub(crate) fn events(&self, id: &str) -> impl Iterator<Item = String> + use<> {
        self.lines(&format!("/api/matches/{id}/events"))
    }

    /// Events of a path, line by line.
    pub(crate) fn lines(&self, path: &str) -> impl Iterator<Item = String> + use<> {
        let stream = self.open("GET", path, &[], None);
        BufReader::new(stream).lines().map_while(Result::ok)
    }

    /// Looks at a match until it is as wanted.
    pub(crate) fn until(&self, id: &str, keys: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let view = self.get(&format!("/api/matches/{id}"), keys).expect(200).json();
            if wanted(&view) {
                return view;
            }
            assert!(begin.elapsed() < Duration::from_secs(120), "this never comes: {view}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
    }
}

/// The keys of an answer that made a match: the owner's, then those of roles.
pub(crate) fn keys(made: &Value) -> (String, Vec<String>) {
    let keys = made["keys"].as_array().expect("keys").iter();
    let keys = keys.map(|key| key["key"].as_str().expect("a key").to_owned()).collect();
    (made["owner"].as_str().expect("an owner").to_owned(), keys)
}
