//! Jobs over a real NATS server, which is killed like everybody else. Without a server (`nats-server` on the path, or
//! named in LUDENS_NATS_SERVER) the tests say that they skip.
#![cfg(feature = "nats")]

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cluster::{Asker, Job, Server, WorkError, WorkerOptions, Workshop};

/// The build of everybody, where a test does not say otherwise.
const BUILD: &str = "test.1";

/// A process that ends with this value.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server that keeps its streams in a folder.
struct Nats {
    folder: tempfile::TempDir,
    port: u16,
    process: Option<Process>,
}

fn binary() -> String {
    std::env::var("LUDENS_NATS_SERVER").unwrap_or_else(|_| "nats-server".to_owned())
}

impl Nats {
    /// None where there is no server.
    fn start() -> Option<Self> {
        let there =
            Command::new(binary()).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !there.is_ok_and(|status| status.success()) {
            // Not by a macro: what tests say that way is shown only if they fail.
            let _ = writeln!(
                std::io::stderr(),
                "skipped: there is no nats-server; LUDENS_NATS_SERVER may name one"
            );
            return None;
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let folder = tempfile::tempdir().expect("a folder");
        let mut nats = Self { folder, port, process: None };
        nats.revive();
        Some(nats)
    }

    fn revive(&mut self) {
        let process = Command::new(binary())
            .args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-js", "-sd"])
            .arg(self.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.process = Some(Process(process.expect("it starts")));
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(60), "the server does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn kill(&mut self) {
        self.process = None;
    }

    fn server(&self) -> Server {
        Server { address: format!("nats://127.0.0.1:{}", self.port), certificates: None }
    }

    /// A worker in a process of its own: this test binary again.
    fn worker(&self) -> Process {
        self.worker_of(BUILD)
    }

    fn worker_of(&self, build: &str) -> Process {
        let this = std::env::current_exe().expect("this test");
        let child = Command::new(this)
            .args(["--exact", "worker_process", "--ignored", "--nocapture"])
            .env("LUDENS_TEST_NATS", self.server().address)
            .env("LUDENS_TEST_BUILD", build)
            .env("LUDENS_TEST_DONE", self.folder.path().join("done"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Process(child.expect("it starts"))
    }

    fn asker(&self) -> Asker {
        self.asker_of(BUILD, |_| {})
    }

    fn asker_of(&self, build: &str, tell: impl Fn(&str) + Send + 'static) -> Asker {
        Asker::connect(&self.server(), build, tell).expect("the server is there")
    }

    /// Says something to the server as any client may.
    fn publish(&self, subject: &str, body: &str) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server is there");
        let size = body.len();
        let talk = format!("CONNECT {{\"verbose\":false}}\r\nPUB {subject} {size}\r\n{body}\r\nPING\r\n");
        stream.write_all(talk.as_bytes()).expect("it listens");
        let mut heard = String::new();
        let mut part = [0; 4096];
        while !heard.contains("PONG") {
            let read = stream.read(&mut part).expect("it answers");
            assert!(read > 0 && !heard.contains("-ERR"), "{heard}");
            heard.push_str(&String::from_utf8_lossy(&part[..read]));
        }
    }

    /// Waits until nothing is in the queue.
    fn wait_until_done(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let begin = Instant::now();
        while runtime.block_on(cluster::status(&self.server())).expect("a status").jobs > 0 {
            assert!(begin.elapsed() < Duration::from_secs(60), "jobs are left");
        }
    }

    /// How often each job was begun by a worker.
    fn begun(&self) -> HashMap<String, usize> {
        let text = std::fs::read_to_string(self.folder.path().join("done")).unwrap_or_default();
        let mut counts = HashMap::new();
        text.lines().for_each(|line| *counts.entry(line.to_owned()).or_default() += 1);
        counts
    }
}

/// Takes its time, and notes down that it was begun. What begins with `flaky` is done the second time.
fn square(body: &str) -> Result<String, String> {
    if let Some(path) = std::env::var_os("LUDENS_TEST_DONE") {
        let file = std::fs::File::options().create(true).append(true).open(Path::new(&path));
        let _ = writeln!(file.map_err(|error| error.to_string())?, "{body}");
    }
    std::thread::sleep(Duration::from_millis(30));
    if body.starts_with("flaky") {
        std::thread::sleep(Duration::from_secs(1));
        let path = std::env::var_os("LUDENS_TEST_DONE").ok_or("nothing is noted down")?;
        let noted = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let times = noted.lines().filter(|line| *line == body).count();
        return if times > 1 { Ok("done".to_owned()) } else { Err("not today".to_owned()) };
    }
    let number: u64 = body.parse().map_err(|_| format!("{body} is no number"))?;
    Ok((number * number).to_string())
}

#[test]
#[ignore = "a worker for the other tests"]
fn worker_process() {
    let Ok(address) = std::env::var("LUDENS_TEST_NATS") else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let build = std::env::var("LUDENS_TEST_BUILD").expect("the other tests say it");
    let options = WorkerOptions { name: "tester".to_owned(), jobs: 2, build };
    let server = Server { address, certificates: None };
    let ended = runtime.block_on(cluster::work(&server, options, square));
    panic!("{ended:?}");
}

/// The answers to many jobs, asked for by several threads.
fn answers(asker: &Asker, jobs: std::ops::Range<u64>) -> Vec<Result<String, WorkError>> {
    let all: Vec<u64> = jobs.collect();
    let mut answers = Vec::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = all
            .chunks(all.len().div_ceil(8))
            .map(|part| {
                scope.spawn(move || {
                    let perform = |number: &u64| asker.perform(&Job::new(BUILD, number.to_string()));
                    part.iter().map(perform).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| answers.extend(thread.join().expect("no panic")));
    });
    answers
}

fn squares(jobs: std::ops::Range<u64>) -> Vec<Result<String, WorkError>> {
    jobs.map(|number| Ok((number * number).to_string())).collect()
}

#[test]
fn workers_do_what_is_asked_and_faults_come_back() {
    let Some(nats) = Nats::start() else { return };
    let _workers = [nats.worker(), nats.worker()];
    let asker = nats.asker();
    assert_eq!(answers(&asker, 0..40), squares(0..40));
    let fault = asker.perform(&Job::new(BUILD, "four".to_owned()));
    assert_eq!(fault, Err(WorkError::Fault("four is no number".to_owned())));
    // Whoever asks again is told the same, and nobody works twice.
    assert_eq!(answers(&nats.asker(), 0..40), squares(0..40));
    assert!(nats.begun().values().all(|&times| times == 1), "{:?}", nats.begun());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let status = runtime.block_on(cluster::status(&nats.server())).expect("a status");
    assert_eq!((status.jobs, status.answers, status.workers.len()), (0, 41, 2), "{status:?}");
}

#[test]
fn copies_of_a_job_are_not_begun() {
    let Some(nats) = Nats::start() else { return };
    let asker = nats.asker();
    let _worker = nats.worker();
    assert_eq!(asker.perform(&Job::new(BUILD, "7".to_owned())), Ok("49".to_owned()));
    // The server does not know that these are the same.
    nats.publish("ludens.jobs.test_1", "7");
    nats.publish("ludens.jobs.test_1", "7");
    nats.wait_until_done();
    assert_eq!(nats.begun()["7"], 1);
}

#[test]
fn a_fault_is_tried_again_by_whoever_asks_later() {
    let Some(nats) = Nats::start() else { return };
    let _worker = nats.worker();
    let job = Job::new(BUILD, "flaky".to_owned());
    let fault = Err(WorkError::Fault("not today".to_owned()));
    let first = nats.asker();
    assert_eq!(first.perform(&job), fault);
    // Whoever was there when it came takes it for the answer, and no copy of the job is begun for it.
    assert_eq!(first.perform(&job), fault);
    nats.publish("ludens.jobs.test_1", "flaky");
    nats.wait_until_done();
    assert_eq!(nats.begun()["flaky"], 1);
    assert_eq!(nats.asker().perform(&job), Ok("done".to_owned()));
    assert_eq!(nats.asker().perform(&job), Ok("done".to_owned()));
    assert_eq!(first.perform(&job), Ok("done".to_owned()));
    assert_eq!(nats.begun()["flaky"], 2);
}

#[test]
fn a_fault_takes_no_answers_place() {
    let Some(nats) = Nats::start() else { return };
    let asker = nats.asker();
    let job = Job::new(BUILD, "flaky too".to_owned());
    let _worker = nats.worker();
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| asker.perform(&job));
        let begin = Instant::now();
        while nats.begun().is_empty() {
            assert!(begin.elapsed() < Duration::from_secs(60), "nobody began");
            std::thread::sleep(Duration::from_millis(20));
        }
        // Somebody else comes to an end with it while a worker is at it that will fail.
        nats.publish(&format!("ludens.answers.{}", job.id().text()), "{\"done\":\"by another\"}");
        assert_eq!(asking.join().expect("no panic"), Ok("by another".to_owned()));
    });
    nats.wait_until_done();
    assert_eq!(nats.asker().perform(&job), Ok("by another".to_owned()));
    assert_eq!(nats.begun()["flaky too"], 1);
}

#[test]
fn another_build_neither_does_the_work_nor_answers_for_it() {
    let Some(nats) = Nats::start() else { return };
    let former = nats.worker();
    assert_eq!(nats.asker().perform(&Job::new(BUILD, "3".to_owned())), Ok("9".to_owned()));
    // The same job of another build: what is kept is no answer to it, and who is there leaves it alone.
    let (told, heard) = std::sync::mpsc::channel();
    let asker = nats.asker_of("test.2", move |text| drop(told.send(text.to_owned())));
    let asking = std::thread::spawn(move || asker.perform(&Job::new("test.2", "3".to_owned())));
    let complaint = heard.recv_timeout(Duration::from_secs(60)).expect("it is told");
    assert!(complaint.contains("(test.1)") && complaint.contains("the build test.2"), "{complaint}");
    assert!(!asking.is_finished() && nats.begun()["3"] == 1);
    let _worker = nats.worker_of("test.2");
    assert_eq!((asking.join().expect("no panic"), nats.begun()["3"]), (Ok("9".to_owned()), 2));
    drop(former);
}

#[test]
fn helpers_are_counted() {
    let Some(nats) = Nats::start() else { return };
    let line = cluster::HelperLine::connect(&nats.server(), BUILD, "Ada").expect("the server is there");
    let board = cluster::Switchboard::connect(&nats.server(), BUILD, |_| {}).expect("the server is there");
    let player = board.line();
    let begin = Instant::now();
    let from = loop {
        player.tell(None, "an order".to_owned());
        if let Some((from, _)) = line.next(Duration::from_millis(200)).expect("a line") {
            break from;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing was heard");
    };
    line.say(&from, "a report".to_owned());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let status = runtime.block_on(cluster::status(&nats.server())).expect("a status");
    let helpers: Vec<_> = status.helpers.iter().map(|one| (&one.name[..], one.orders, one.reports)).collect();
    assert_eq!((status.workers.len(), &helpers[..]), (0, &[("Ada", 1, 1)][..]), "{status:?}");
}

#[test]
fn kills_lose_nothing() {
    let Some(mut nats) = Nats::start() else { return };
    let asker = nats.asker();
    let mut workers = vec![nats.worker(), nats.worker()];
    let found = std::thread::scope(|scope| {
        let asking = scope.spawn(|| answers(&asker, 0..120));
        for kill in 0..4 {
            std::thread::sleep(Duration::from_millis(700));
            if kill % 2 == 1 {
                nats.kill();
                std::thread::sleep(Duration::from_millis(300));
                nats.revive();
            }
            workers.remove(0);
            workers.push(nats.worker());
        }
        asking.join().expect("no panic")
    });
    assert_eq!(found, squares(0..120));
}

#[test]
fn a_server_that_is_not_there_is_told() {
    let server = Server { address: "nats://user:secret@127.0.0.1:9".to_owned(), certificates: None };
    let Err(error) = Asker::connect(&server, BUILD, |_| {}) else { panic!("nobody is there") };
    assert!(
        error.to_string().contains("nats-server -js") && !error.to_string().contains("secret"),
        "{error}"
    );
}
