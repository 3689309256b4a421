//! Players that connect to the host: the lobby and its guests over real sockets.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use server::{Address, Attendance, Lobby, Opponent, Refused, Sessions};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::support::{options, runtime, start};

const TOKEN: &str = "a-word-of-adas";

/// A host that lets players in.
struct Host {
    runtime: Runtime,
    lobby: Arc<Lobby>,
    address: SocketAddr,
    door: JoinHandle<()>,
}

fn lobby() -> Arc<Lobby> {
    Arc::new(Lobby::new([("Ada".to_owned(), TOKEN.to_owned())]))
}

fn open(runtime: &Runtime, address: &str, lobby: &Arc<Lobby>) -> (SocketAddr, JoinHandle<()>) {
    let listener = runtime.block_on(TcpListener::bind(address)).expect("the network works");
    let address = listener.local_addr().expect("an address");
    (address, runtime.spawn(server::welcome(listener, Arc::clone(lobby))))
}

fn host() -> Host {
    let (runtime, lobby) = (runtime(), lobby());
    let (address, door) = open(&runtime, "127.0.0.1:0", &lobby);
    Host { runtime, lobby, address, door }
}

impl Host {
    /// Asks the player as a referee does.
    fn ask(&self, message: &str, limit: Duration) -> Result<String, String> {
        let way = Opponent::Connected(self.lobby.guest("Ada").expect("Ada is expected"));
        self.runtime.block_on(way.ask(message.to_owned(), limit)).map_err(|error| error.to_string())
    }

    /// Nobody is let in any more, and whoever is in is thrown out.
    fn shut(&mut self) {
        self.door.abort();
        let _ = self.runtime.block_on(&mut self.door);
    }

    /// Lets players in at the same address again, as the same host or as one that was started anew.
    fn reopen(&mut self, anew: bool) {
        if anew {
            self.lobby = lobby();
        }
        self.door = open(&self.runtime, &self.address.to_string(), &self.lobby).1;
    }

    fn player(&self, token: &str) -> Player {
        self.player_as("random", token)
    }

    fn player_as(&self, agent: &str, token: &str) -> Player {
        self.player_by(self.address, agent, token)
    }

    /// A player that comes to an address which leads here.
    fn player_by(&self, way: SocketAddr, agent: &str, token: &str) -> Player {
        let runtime = runtime();
        let address: Address = way.to_string().parse().expect("an address");
        let sessions = Arc::new(Sessions::new(options(agent)));
        let (told, news) = std::sync::mpsc::channel();
        let attending = server::attend(
            address.with_token(Some(token.to_owned())),
            "Ada".to_owned(),
            sessions,
            move |attendance| drop(told.send(attendance)),
        );
        let attending = runtime.spawn(async move {
            let Err(refused) = attending.await;
            refused
        });
        Player { runtime, attending, news }
    }

    /// The status of a message that is posted by hand.
    fn post(&self, path: &str, token: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.address).expect("the network works");
        let length = body.len();
        let head = format!("POST {path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n");
        let request = format!("{head}Content-Length: {length}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).expect("the network works");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }
}

struct Player {
    runtime: Runtime,
    attending: JoinHandle<Refused>,
    news: std::sync::mpsc::Receiver<Attendance>,
}

impl Player {
    #[track_caller]
    fn expect(&self, wanted: impl Fn(&Attendance) -> bool) {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(60) {
            match self.news.recv_timeout(Duration::from_secs(60)) {
                Ok(news) if wanted(&news) => return,
                _ => {}
            }
        }
        panic!("it was never told");
    }
}

/// Somebody in between, who answers the first message to each path with a status and passes on all others.
struct Between {
    address: SocketAddr,
    /// The paths of all messages, as they came.
    heard: Arc<Mutex<Vec<String>>>,
}

impl Between {
    fn start(host: SocketAddr, status: &'static str) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("the network works");
        let address = listener.local_addr().expect("an address");
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let between = Self { address, heard: Arc::clone(&heard) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let heard = Arc::clone(&heard);
                std::thread::spawn(move || drop(pass_on(stream, host, status, &heard)));
            }
        });
        between
    }

    fn times(&self, path: &str) -> usize {
        self.heard.lock().expect("no panic").iter().filter(|known| *known == path).count()
    }
}

fn pass_on(
    mut from: TcpStream,
    host: SocketAddr,
    status: &str,
    heard: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let (mut request, mut part) = (String::new(), [0; 4096]);
    loop {
        let read = from.read(&mut part)?;
        request.push_str(&String::from_utf8_lossy(&part[..read]));
        let length = request.to_lowercase().split("content-length: ").nth(1).map(|rest| {
            rest.split("\r\n").next().and_then(|length| length.parse::<usize>().ok()).unwrap_or(0)
        });
        let body = request.split_once("\r\n\r\n").map(|(_, body)| body.len());
        if read == 0 || body.zip(length).is_some_and(|(body, length)| body >= length) {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let is_first = {
        let mut heard = heard.lock().expect("no panic");
        heard.push(path.clone());
        heard.iter().filter(|known| **known == path).count() == 1
    };
    if is_first {
        return write!(from, "HTTP/1.1 {status}\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy");
    }
    let mut to = TcpStream::connect(host)?;
    to.write_all(request.as_bytes())?;
    std::io::copy(&mut to, &mut from).map(drop)
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_player_that_connects_plays_a_match() {
    let host = host();
    let player = host.player(TOKEN);
    player.expect(|news| *news == Attendance::Joined);
    assert!(host.ask("(INFO)", LONG).expect("an answer").contains("available"));
    assert_eq!(host.ask(&start("m", "x", "tic-tac-toe", 30, 30), LONG), Ok("ready".to_owned()));
    assert!(host.ask("(PLAY m NIL)", LONG).expect("a move").starts_with("(mark "));
    assert_eq!(host.ask("(ABORT m)", LONG), Ok("aborted".to_owned()));
}

#[test]
fn a_player_comes_back_and_what_was_asked_waits() {
    let mut host = host();
    let player = host.player(TOKEN);
    player.expect(|news| *news == Attendance::Joined);
    assert_eq!(host.ask(&start("m", "x", "tic-tac-toe", 30, 30), LONG), Ok("ready".to_owned()));
    // The same host: the session stays. Then another one: it is joined anew, and the match goes on.
    for anew in [false, true] {
        host.shut();
        player.expect(|news| matches!(news, Attendance::Lost(_)));
        let way = Opponent::Connected(host.lobby.guest("Ada").expect("Ada is expected"));
        let waiting = host.runtime.spawn(async move { way.ask("(PLAY m NIL)".to_owned(), LONG).await });
        std::thread::sleep(Duration::from_millis(300));
        host.reopen(anew);
        player.expect(|news| *news == Attendance::Joined);
        let answer = match anew {
            // What the former host has asked is gone with it.
            true => host.ask("(PLAY m NIL)", LONG),
            false => host.runtime.block_on(waiting).expect("it runs").map_err(|error| error.to_string()),
        };
        assert!(answer.as_ref().is_ok_and(|answer| answer.starts_with("(mark ")), "{answer:?}");
    }
}

#[test]
fn what_is_no_refusal_is_tried_again() {
    let host = host();
    for status in ["408 Request Timeout", "429 Too Many Requests"] {
        let between = Between::start(host.address, status);
        let player = host.player_by(between.address, "random", TOKEN);
        player.expect(|news| matches!(news, Attendance::Lost(_)));
        player.expect(|news| *news == Attendance::Joined);
        assert!(host.ask("(INFO)", LONG).expect("an answer").contains("available"));
        assert_eq!((between.times("/join"), between.times("/answer")), (2, 2));
        assert!(between.times("/next") >= 2 && !player.attending.is_finished());
    }
    let between = Between::start(host.address, "403 Forbidden");
    let player = host.player_by(between.address, "random", TOKEN);
    let refused = player.runtime.block_on(player.attending).expect("it ends");
    assert!(refused.to_string().contains("403"), "{refused}");
}

#[test]
fn what_is_fetched_late_is_answered_in_time() {
    let mut host = host();
    // It thinks as long as it may.
    let player = host.player_as("mc", TOKEN);
    player.expect(|news| *news == Attendance::Joined);
    let clock = Duration::from_secs(6);
    assert_eq!(host.ask(&start("m", "x", "tic-tac-toe", 30, clock.as_secs()), LONG), Ok("ready".to_owned()));
    host.shut();
    player.expect(|news| matches!(news, Attendance::Lost(_)));
    let (way, begin) =
        (Opponent::Connected(host.lobby.guest("Ada").expect("Ada is expected")), Instant::now());
    let waiting = host.runtime.spawn(async move { way.ask("(PLAY m NIL)".to_owned(), LONG).await });
    std::thread::sleep(Duration::from_millis(2_000));
    host.reopen(false);
    let answer = host.runtime.block_on(waiting).expect("it runs");
    let took = begin.elapsed();
    assert!(answer.as_ref().is_ok_and(|answer| answer.starts_with("(mark ")), "{answer:?}");
    // With the whole clock from when it was fetched it would be eight seconds at least.
    assert!(took > clock / 2 && took < clock + Duration::from_secs(1), "{took:?}");
}

#[test]
fn who_is_not_connected_is_not_reached() {
    let host = host();
    let answer = host.ask("(INFO)", Duration::from_millis(50));
    assert!(answer.as_ref().is_err_and(|error| error.contains("not connected")), "{answer:?}");
}

#[test]
fn strangers_are_refused() {
    let host = host();
    let player = host.player("a-word-of-nobodys");
    let refused = player.runtime.block_on(player.attending).expect("it ends");
    assert!(refused.to_string().contains("401"), "{refused}");
    let join = |name: &str, version: u32| format!("{{\"version\":{version},\"name\":\"{name}\"}}");
    assert!(host.post("/join", TOKEN, &join("Bea", 1)).contains(" 401 "));
    assert!(host.post("/join", TOKEN, &join("Ada", 2)).contains(" 426 "));
    assert!(host.post("/join", TOKEN, "{").contains(" 400 "));
    assert!(host.post("/elsewhere", TOKEN, "").contains(" 404 "));
    assert!(host.post("/next", TOKEN, "{\"name\":\"Ada\",\"session\":\"x\",\"seen\":0}").contains(" 410 "));
    assert!(host.post("/join", TOKEN, &join("Ada", 1)).contains(" 200 "));
    assert!(host.post("/next", TOKEN, "{\"name\":\"Ada\",\"session\":\"x\",\"seen\":0}").contains(" 409 "));
    assert!(!host.post("/join", TOKEN, &"x".repeat(1 << 20)).contains(" 200 "));
}

#[test]
fn the_newer_of_two_players_plays() {
    let host = host();
    let first = host.player(TOKEN);
    first.expect(|news| *news == Attendance::Joined);
    let second = host.player(TOKEN);
    second.expect(|news| *news == Attendance::Joined);
    // The first finds out as soon as it comes again.
    assert!(host.ask("(INFO)", LONG).is_ok());
    let refused = first.runtime.block_on(first.attending).expect("it ends");
    assert!(refused.to_string().contains("409"), "{refused}");
}
