//! Roll calls: whoever takes part in a cluster is asked who it is. Those of another build than the caller's say that they
//! leave its work alone, and the caller says so if there are no others.

use std::time::Duration;

use async_nats::Client;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout_at};

use crate::queue::Queue;
use crate::{HelperStatus, WorkError, WorkerStatus};

/// Where all are asked who they are.
const SUBJECT: &str = "ludens.workers.roll_call";
/// How long they have to answer.
const ANSWER: Duration = Duration::from_millis(700);
/// How often it is looked whether those who are there are of another build.
const LOOK: Duration = Duration::from_secs(10);

/// Who asks.
#[derive(Debug, Serialize, Deserialize)]
struct Call {
    /// Whose work there is; none if somebody only looks.
    build: Option<String>,
}

/// Somebody who takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Member {
    Worker(WorkerStatus),
    Helper(HelperStatus),
}

/// What is wanted of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Worker,
    Helper,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Worker => "worker",
            Kind::Helper => "helper",
        }
    }
}

impl Member {
    fn kind(&self) -> Kind {
        match self {
            Member::Worker(_) => Kind::Worker,
            Member::Helper(_) => Kind::Helper,
        }
    }

    fn build(&self) -> &str {
        match self {
            Member::Worker(worker) => &worker.build,
            Member::Helper(helper) => &helper.build,
        }
    }
}

/// Asks all who they are.
pub(crate) async fn call(queue: &Queue, build: Option<&str>) -> Result<Vec<Member>, WorkError> {
    let fault = |error: &dyn std::fmt::Display| queue.server.fault(error);
    let inbox = queue.client.new_inbox();
    let mut heard = queue.client.subscribe(inbox.clone()).await.map_err(|error| fault(&error))?;
    let call = Call { build: build.map(str::to_owned) };
    let body = serde_json::to_vec(&call).map_err(|error| fault(&error))?;
    let called = queue.client.publish_with_reply(SUBJECT, inbox, body.into()).await;
    called.map_err(|error| fault(&error))?;
    let until = Instant::now() + ANSWER;
    let mut members = Vec::new();
    while let Ok(Some(message)) = timeout_at(until, heard.next()).await {
        // What is no answer is somebody else's.
        members.extend(serde_json::from_slice::<Member>(&message.payload));
    }
    Ok(members)
}

/// Tells whoever asks who is here, until the connection is closed.
pub(crate) async fn answer(client: Client, who: impl Fn() -> Member) {
    let Ok(mut calls) = client.subscribe(SUBJECT).await else { return };
    let mut last_stranger = None;
    while let Some(heard) = calls.next().await {
        let here = who();
        let call: Option<Call> = serde_json::from_slice(&heard.payload).ok();
        let stranger = call.and_then(|call| call.build).filter(|build| *build != here.build());
        if let Some(stranger) = stranger.filter(|stranger| last_stranger.as_ref() != Some(stranger)) {
            let (kind, build) = (here.kind().name(), here.build());
            tracing::warn!(
                "there is work of the build {stranger}; this {kind} is of the build {build} and leaves it to others"
            );
            last_stranger = Some(stranger);
        }
        if let (Some(reply), Ok(text)) = (heard.reply, serde_json::to_vec(&here)) {
            let _ = client.publish(reply, text.into()).await;
        }
    }
}

/// Looks now and then whether members are there, but of other builds alone, and tells so: once, until that changes.
pub(crate) async fn look_for_strangers(queue: Queue, build: String, kind: Kind, tell: impl Fn(&str)) {
    let mut told = String::new();
    loop {
        // While the server is away there is nobody.
        if let Ok(mut members) = call(&queue, Some(&build)).await {
            members.retain(|member| member.kind() == kind);
            let complaint = complaint(&members, &build, kind);
            if !complaint.is_empty() && complaint != told {
                tell(&complaint);
            }
            told = complaint;
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// What is to be said of those who are there; nothing if one of them can do the work, or nobody is there.
fn complaint(members: &[Member], build: &str, kind: Kind) -> String {
    if members.is_empty() || members.iter().any(|member| member.build() == build) {
        return String::new();
    }
    let mut builds: Vec<&str> = members.iter().map(Member::build).collect();
    builds.sort_unstable();
    builds.dedup();
    let kind = kind.name();
    format!(
        "there are {kind}s of other builds alone ({}), which leave this work alone; start a {kind} of the same file as \
         this one, which is of the build {build}",
        builds.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_alone_are_complained_of() {
        let worker = |build: &str| {
            let (name, build) = ("a".to_owned(), build.to_owned());
            Member::Worker(WorkerStatus { name, build, places: 1, running: 0, done: 0, faults: 0 })
        };
        assert_eq!(complaint(&[], "one", Kind::Worker), "");
        assert_eq!(complaint(&[worker("two"), worker("one")], "one", Kind::Worker), "");
        let told = complaint(&[worker("two"), worker("three"), worker("two")], "one", Kind::Worker);
        assert!(told.contains("(three, two)") && told.contains("the build one"), "{told}");
    }
}
