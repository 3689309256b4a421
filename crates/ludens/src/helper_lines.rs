//! Lines between players and helpers on a NATS server, in binaries with the feature `cluster`.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cluster::{HelperLine, PlayerLine, Server, Switchboard};
use engine::team::{HelperId, Helpers, Line, Order, Report};
use machine::Machine;
use parking_lot::Mutex;
use player::team::{Post, Posted};

use crate::cluster_jobs::{build, warn};
use crate::elsewhere::RemoteTeam;

/// How long a helper counts that is not heard of any more.
const LATELY: Duration = Duration::from_secs(10);

/// When each helper was heard of last, in all matches.
#[derive(Default)]
struct Heard(Mutex<HashMap<HelperId, Instant>>);

impl Heard {
    fn note(&self, helper: &HelperId) {
        let mut heard = self.0.lock();
        heard.retain(|_, last| last.elapsed() < LATELY);
        heard.insert(helper.clone(), Instant::now());
    }

    fn count(&self) -> usize {
        self.0.lock().values().filter(|last| last.elapsed() < LATELY).count()
    }
}

/// Helpers that listen to a server.
pub(crate) struct RemoteHelpers {
    board: Arc<Switchboard>,
    heard: Arc<Heard>,
}

impl RemoteHelpers {
    /// Connects to the server.
    pub(crate) fn connect(address: &str, certificates: Option<PathBuf>) -> anyhow::Result<RemoteTeam> {
        let server = Server { address: address.to_owned(), certificates };
        let heard = Arc::new(Heard::default());
        let count = {
            let heard = Arc::clone(&heard);
            move || heard.count()
        };
        let helpers = Self { heard, board: Switchboard::connect(&server, build()?, warn)? };
        Ok((Arc::new(helpers), Arc::new(count)))
    }
}

impl Helpers for RemoteHelpers {
    fn line(&self, rules: &str, _: &Machine) -> Box<dyn Line> {
        let (line, heard) = (self.board.line(), Arc::clone(&self.heard));
        Box::new(RemoteLine { line, heard, rules: rules.to_owned() })
    }
}

/// The line of one match.
struct RemoteLine {
    line: PlayerLine,
    heard: Arc<Heard>,
    rules: String,
}

impl Line for RemoteLine {
    fn tell(&self, to: Option<&HelperId>, mut order: Order) {
        if let Order::Think(assignment) = &mut order {
            assignment.rules.clone_from(&self.rules);
        }
        // All that is said can be written.
        if let Ok(body) = serde_json::to_string(&order) {
            self.line.tell(to.map(|id| id.0.as_str()), body);
        }
    }

    fn hear(&self, patience: Duration) -> Option<Report> {
        // What cannot be read is somebody else's.
        let report: Report = serde_json::from_slice(&self.line.hear(patience)?).ok()?;
        self.heard.note(&report.helper);
        Some(report)
    }

    fn expected(&self) -> usize {
        0
    }
}

/// A helper's end.
pub(crate) struct RemotePost {
    line: HelperLine,
    /// Who was told something last.
    last: String,
}

impl RemotePost {
    pub(crate) fn new(line: HelperLine) -> Self {
        Self { line, last: String::new() }
    }
}

impl Post for RemotePost {
    /// The subject that a player listens to.
    type From = String;

    fn next(&mut self, patience: Duration) -> Posted<String> {
        match self.line.next(patience) {
            Ok(Some((from, body))) => match serde_json::from_slice(&body) {
                Ok(order) => Posted::Order(from, order),
                Err(_) => Posted::Nothing,
            },
            Ok(None) => Posted::Nothing,
            Err(_) => Posted::Closed,
        }
    }

    fn say(&mut self, to: &String, report: Report) {
        if self.last != *to {
            crate::failure::tell("note", "helping in another match");
            self.last.clone_from(to);
        }
        if let Ok(body) = serde_json::to_string(&report) {
            self.line.say(to, body);
        }
    }
}
