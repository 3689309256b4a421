//! Jobs over a real NATS server, which is killed like everybody else. Without a server (`nats-server` on the path, or
//! named in LUDENS_NATS_SERVER) the tests say that they skip.
#![cfg(feature = "nats")]

use std::collections::HashMap;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cluster::{Asker, Job, Server, WorkError, WorkerOptions, Workshop};

const VERSION: &str = "test.1";

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
            eprintln!("skipped: there is no nats-server; LUDENS_NATS_SERVER may name one");
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
        let this = std::env::current_exe().expect("this test");
        let child = Command::new(this)
            .args(["--exact", "worker_process", "--ignored", "--nocapture"])
            .env("LUDENS_TEST_NATS", self.server().address)
            .env("LUDENS_TEST_DONE", self.folder.path().join("done"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Process(child.expect("it starts"))
    }

    fn asker(&self) -> Asker {
        Asker::connect(&self.server(), VERSION).expect("the server is there")
    }

    /// How often each job was begun by a worker.
    fn begun(&self) -> HashMap<String, usize> {
        let text = std::fs::read_to_string(self.folder.path().join("done")).unwrap_or_default();
        let mut counts = HashMap::new();
        text.lines().for_each(|line| *counts.entry(line.to_owned()).or_default() += 1);
        counts
    }
}

/// Takes its time, and notes down that it was begun.
fn square(body: &str) -> Result<String, String> {
    use std::io::Write;
    if let Some(path) = std::env::var_os("LUDENS_TEST_DONE") {
        let file = std::fs::File::options().create(true).append(true).open(Path::new(&path));
        let _ = writeln!(file.map_err(|error| error.to_string())?, "{body}");
    }
    std::thread::sleep(Duration::from_millis(30));
    let number: u64 = body.parse().map_err(|_| format!("{body} is no number"))?;
    Ok((number * number).to_string())
}

#[test]
#[ignore = "a worker for the other tests"]
fn worker_process() {
    let Ok(address) = std::env::var("LUDENS_TEST_NATS") else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let options = WorkerOptions { name: "tester".to_owned(), jobs: 2, version: VERSION.to_owned() };
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
                    let perform = |number: &u64| asker.perform(&Job::new(number.to_string()));
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
    let fault = asker.perform(&Job::new("four".to_owned()));
    assert_eq!(fault, Err(WorkError::Fault("four is no number".to_owned())));
    // Whoever asks again is told the same, and nobody works twice.
    assert_eq!(answers(&nats.asker(), 0..40), squares(0..40));
    assert!(nats.begun().values().all(|&times| times == 1), "{:?}", nats.begun());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let status = runtime.block_on(cluster::status(&nats.server())).expect("a status");
    assert_eq!((status.jobs, status.answers, status.workers.len()), (0, 41, 2), "{status:?}");
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
    let Err(error) = Asker::connect(&server, VERSION) else { panic!("nobody is there") };
    assert!(
        error.to_string().contains("nats-server -js") && !error.to_string().contains("secret"),
        "{error}"
    );
}
