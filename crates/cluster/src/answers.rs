//! Answers as they are kept: each job has one, and a fault makes way for whatever comes of the job later.

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::Stream;

use crate::JobId;
use crate::job::Answer;
use crate::queue::{Queue, answer_subject};

/// An answer that is kept.
pub(crate) struct Kept {
    /// Its place among all answers: later ones have higher places, whatever clocks say.
    pub(crate) place: u64,
    pub(crate) answer: Answer,
}

impl Kept {
    /// Whether it is good for somebody who knows of a fault at some place and has the job done once more. What was
    /// done is done; a fault may have been one of that worker, or of that hour.
    pub(crate) fn holds_after(&self, fault: u64) -> bool {
        matches!(self.answer, Answer::Done(_)) || self.place > fault
    }
}

/// The kept answer to a job; none as well where the server does not say.
pub(crate) async fn kept(answers: &Stream, id: &JobId) -> Option<Kept> {
    let message = answers.direct_get_last_for_subject(answer_subject(id)).await.ok()?;
    Some(Kept { place: message.sequence, answer: Answer::read(&message.payload) })
}

/// Keeps an answer. A fault takes the place of that other fault alone, if there is one. Whether the job has an answer
/// now, this one or one that came meanwhile.
pub(crate) async fn keep(queue: &Queue, id: &JobId, answer: &Answer, former: Option<&Kept>) -> bool {
    let Ok(text) = serde_json::to_vec(answer) else { return false };
    let mut message = PublishMessage::build().payload(text.into());
    if matches!(answer, Answer::Fault(_)) {
        message = message.expected_last_subject_sequence(former.map_or(0, |kept| kept.place));
    }
    match queue.context.send_publish(answer_subject(id), message).await {
        Ok(acknowledged) => match acknowledged.await {
            Ok(_) => true,
            Err(error) => error.kind() == PublishErrorKind::WrongLastSequence,
        },
        Err(_) => false,
    }
}
