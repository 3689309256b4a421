//! Lines between a player and those who help it think. Nothing is kept: who does not listen misses it, and who comes
//! later is told anew.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use futures_util::StreamExt;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::queue::{Server, part};
use crate::roll_call::{self, Kind, Member, look_for_strangers};
use crate::{HelperStatus, WorkError};

/// The subject of what is said to all helpers of a build.
fn all_helpers(build: &str) -> String {
    format!("ludens.helpers.{}.all", part(build))
}

/// The subject of what is said to one helper.
fn one_helper(build: &str, name: &str) -> String {
    format!("ludens.helpers.{}.one.{}", part(build), part(name))
}

fn runtime(server: &Server) -> Result<Runtime, WorkError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(|error| server.fault(&error))
}

/// Says something, and does not wait. While the server is away nothing is said: it would come too late.
fn say(runtime: &Runtime, client: &Client, subject: String, reply: Option<String>, body: String) {
    if client.connection_state() != State::Connected {
        return;
    }
    let client = client.clone();
    runtime.spawn(async move {
        let said = match reply {
            Some(reply) => client.publish_with_reply(subject, reply, body.into()).await,
            None => client.publish(subject, body.into()).await,
        };
        if let Err(error) = said {
            tracing::warn!(%error, "helpers were not told");
        }
    });
}

/// A connection over which a player has lines to helpers, one for each match.
pub struct Switchboard {
    runtime: Option<Runtime>,
    client: Client,
    build: String,
}

impl Switchboard {
    /// To helpers of a build. If all helpers are of other builds that is told.
    pub fn connect(
        server: &Server,
        build: &str,
        tell: impl Fn(&str) + Send + 'static,
    ) -> Result<Arc<Self>, WorkError> {
        let runtime = runtime(server)?;
        let queue = runtime.block_on(server.connect("ludens player"))?;
        let client = queue.client.clone();
        runtime.spawn(look_for_strangers(queue, build.to_owned(), Kind::Helper, tell));
        Ok(Arc::new(Self { runtime: Some(runtime), client, build: build.to_owned() }))
    }

    /// A line of its own.
    pub fn line(self: &Arc<Self>) -> PlayerLine {
        let (tell, heard) = channel();
        let inbox = self.client.new_inbox();
        let listening = self.runtime.as_ref().map(|runtime| {
            let (client, inbox) = (self.client.clone(), inbox.clone());
            runtime.spawn(async move {
                let Ok(mut reports) = client.subscribe(inbox).await else { return };
                while let Some(report) = reports.next().await {
                    if tell.send(report.payload.to_vec()).is_err() {
                        return;
                    }
                }
            })
        });
        PlayerLine { board: Arc::clone(self), inbox, heard: parking_lot::Mutex::new(heard), listening }
    }
}

impl Drop for Switchboard {
    fn drop(&mut self) {
        // Nothing is waited for: the last one to let go may be a task of another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A player's line to its helpers.
pub struct PlayerLine {
    board: Arc<Switchboard>,
    inbox: String,
    heard: parking_lot::Mutex<Receiver<Vec<u8>>>,
    listening: Option<JoinHandle<()>>,
}

impl PlayerLine {
    /// Says something to all helpers, or to one. It does not wait.
    pub fn tell(&self, to: Option<&str>, body: String) {
        let Some(runtime) = &self.board.runtime else { return };
        let build = &self.board.build;
        let subject = to.map_or_else(|| all_helpers(build), |name| one_helper(build, name));
        say(runtime, &self.board.client, subject, Some(self.inbox.clone()), body);
    }

    /// Waits so long for what a helper says.
    pub fn hear(&self, patience: Duration) -> Option<Vec<u8>> {
        let heard = self.heard.lock().recv_timeout(patience);
        if matches!(heard, Err(RecvTimeoutError::Disconnected)) {
            // Whoever asks again and again does so in peace.
            std::thread::sleep(patience);
        }
        heard.ok()
    }
}

impl Drop for PlayerLine {
    fn drop(&mut self) {
        if let Some(listening) = self.listening.take() {
            listening.abort();
        }
    }
}

/// A helper's line to whoever plays.
pub struct HelperLine {
    runtime: Option<Runtime>,
    client: Client,
    heard: Receiver<(String, Vec<u8>)>,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct Counters {
    orders: AtomicU64,
    reports: AtomicU64,
}

impl HelperLine {
    /// For players of a build, under a name.
    pub fn connect(server: &Server, build: &str, name: &str) -> Result<Self, WorkError> {
        let runtime = runtime(server)?;
        let (tell, heard) = channel();
        let counters = Arc::new(Counters::default());
        let who = {
            let (name, build, counters) = (name.to_owned(), build.to_owned(), Arc::clone(&counters));
            move || {
                let [orders, reports] =
                    [&counters.orders, &counters.reports].map(|counter| counter.load(Ordering::Relaxed));
                Member::Helper(HelperStatus { name: name.clone(), build: build.clone(), orders, reports })
            }
        };
        let client = runtime.block_on(async {
            let client = server.connect(name).await?.client;
            tokio::spawn(roll_call::answer(client.clone(), who));
            for subject in [all_helpers(build), one_helper(build, name)] {
                let orders = client.subscribe(subject).await.map_err(|error| server.fault(&error))?;
                tokio::spawn(listen(orders, tell.clone()));
            }
            client.flush().await.map_err(|error| server.fault(&error))?;
            Ok::<_, WorkError>(client)
        })?;
        Ok(Self { runtime: Some(runtime), client, heard, counters })
    }

    /// Waits so long for an order: who gave it, and what it says.
    pub fn next(&self, patience: Duration) -> Result<Option<(String, Vec<u8>)>, WorkError> {
        match self.heard.recv_timeout(patience) {
            Ok(order) => {
                self.counters.orders.fetch_add(1, Ordering::Relaxed);
                Ok(Some(order))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(WorkError::Fault("the line is closed".to_owned())),
        }
    }

    /// Says something to a player. It does not wait.
    pub fn say(&self, to: &str, body: String) {
        if let Some(runtime) = &self.runtime {
            self.counters.reports.fetch_add(1, Ordering::Relaxed);
            say(runtime, &self.client, to.to_owned(), None, body);
        }
    }
}

impl Drop for HelperLine {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn listen(mut orders: async_nats::Subscriber, tell: Sender<(String, Vec<u8>)>) {
    while let Some(order) = orders.next().await {
        let Some(from) = order.reply else { continue };
        if tell.send((from.to_string(), order.payload.to_vec())).is_err() {
            return;
        }
    }
}
