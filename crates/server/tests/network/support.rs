//! A player on a port of its own, and bare sockets to talk to it.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use server::{Limits, SessionOptions, Sessions};
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;

/// A player that serves as long as it lives.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) runtime: Runtime,
}

/// Where hosts are: this computer has many addresses, and each may be another computer's.
pub(crate) const HOST: Ipv4Addr = Ipv4Addr::LOCALHOST;
/// Where somebody else is.
pub(crate) const STRANGER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

pub(crate) fn runtime() -> Runtime {
    runtime_of(2)
}

fn runtime_of(threads: usize) -> Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .expect("the network works")
}

pub(crate) fn options(agent: &str) -> SessionOptions {
    SessionOptions {
        name: "tester".to_owned(),
        agent: agent.parse().expect("an agent"),
        machines: server::shared_machines(),
        matches: 4,
        matches_per_address: 3,
        token: None,
        memory: 256 << 20,
        threads: 1,
        ponder: false,
        thinking: None,
        simulations: None,
        margin: Duration::from_millis(100),
        longest_clock: Duration::from_secs(600),
        longest_silence: Duration::from_secs(660),
        seed: 1,
    }
}

pub(crate) fn serve_with(options: SessionOptions, limits: Limits) -> Served {
    serve_on(runtime(), options, limits)
}

/// A player whose network has one thread: what holds it up holds up everything.
pub(crate) fn serve_on_one_thread(options: SessionOptions, limits: Limits) -> Served {
    serve_on(runtime_of(1), options, limits)
}

fn serve_on(runtime: Runtime, options: SessionOptions, limits: Limits) -> Served {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("the network works");
    let address = listener.local_addr().expect("the network works");
    let sessions = Arc::new(Sessions::new(options));
    runtime.spawn(server::listen(listener, Arc::clone(&sessions), limits));
    Served { address, sessions, runtime }
}

pub(crate) fn serve(agent: &str) -> Served {
    serve_with(options(agent), Limits::default())
}

impl Served {
    /// A connection from an address.
    pub(crate) fn connect(&self, from: Ipv4Addr) -> TcpStream {
        let connecting = async {
            let socket = TcpSocket::new_v4()?;
            socket.bind((from, 0).into())?;
            socket.connect(self.address).await?.into_std()
        };
        let stream = self.runtime.block_on(connecting).expect("the network works");
        stream.set_nonblocking(false).expect("the network works");
        stream
    }

    /// Sends bytes, and gives all that comes back until the connection closes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> String {
        self.raw_from(HOST, bytes)
    }

    /// The same from an address.
    pub(crate) fn raw_from(&self, from: Ipv4Addr, bytes: &[u8]) -> String {
        let mut stream = self.connect(from);
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("the network works");
        // It may refuse before everything is sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Posts a message as the reference host does, and gives status line and body.
    pub(crate) fn post(&self, message: &str) -> (String, String) {
        parts(&self.raw(posted(message).as_bytes()))
    }

    /// The body of the answer to a message from an address.
    pub(crate) fn say_from(&self, from: Ipv4Addr, message: &str) -> String {
        parts(&self.raw_from(from, posted(message).as_bytes())).1
    }

    /// The body of the answer to a message.
    pub(crate) fn say(&self, message: &str) -> String {
        self.post(message).1
    }

    /// A counter.
    pub(crate) fn counter(&self, name: &str) -> u64 {
        let counters = self.sessions.status().counters;
        counters.iter().find(|(known, _)| *known == name).map(|&(_, value)| value).expect("a counter")
    }

    /// Waits until all threads of matches are gone.
    #[track_caller]
    pub(crate) fn expect_no_workers(&self) {
        let begin = Instant::now();
        while !self.sessions.metrics().contains("\nludens_workers 0\n") {
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "threads are left:\n{}",
                self.sessions.metrics()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A message as the reference host sends it.
pub(crate) fn posted(message: &str) -> String {
    let length = message.chars().count();
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\n\
         Receiver: tester\r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{message}"
    )
}

pub(crate) fn parts(answer: &str) -> (String, String) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    (head.to_owned(), body.to_owned())
}

pub(crate) fn rules(game: &str) -> &'static str {
    bundled::find(game).expect("bundled").rules
}

pub(crate) fn start(id: &str, role: &str, game: &str, start_clock: u64, play_clock: u64) -> String {
    format!("(START {id} {role} ({}) {start_clock} {play_clock})", rules(game))
}
