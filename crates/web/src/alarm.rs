//! A flag that is raised after a time: rules of strangers may take for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Raises a flag after a time, unless it is dropped before.
pub(crate) struct Alarm {
    _cancel: Sender<()>,
}

impl Alarm {
    pub(crate) fn set(after: Duration, flag: &Arc<AtomicBool>) -> Self {
        let (cancel, cancelled) = channel();
        let flag = Arc::clone(flag);
        let wait = move || {
            // Hanging up wakes the thread.
            if cancelled.recv_timeout(after) == Err(RecvTimeoutError::Timeout) {
                flag.store(true, Ordering::Relaxed);
            }
        };
        // Without a thread there is no alarm, and the work is done all the same.
        if let Err(error) =
            std::thread::Builder::new().name("alarm".to_owned()).stack_size(64 << 10).spawn(wait)
        {
            tracing::warn!(%error, "no alarm");
        }
        Self { _cancel: cancel }
    }
}
