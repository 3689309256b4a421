//! Thinking stands back where replies have to leave.

/// How much less of a crowded processor thinking gets than everything else: about a third.
#[cfg(unix)]
const NICENESS: i32 = 5;
/// The least priority there is.
#[cfg(unix)]
const LEAST: i32 = 19;

/// Lowers the priority of this thread and of all threads that it starts. Replies then leave in time even if
/// every core is thinking. A thread cannot take this back.
pub(crate) fn step_back() {
    // Where it is not allowed, all have the same priority, which is no fault.
    #[cfg(unix)]
    if let Ok(ours) = rustix::process::getpriority_process(None) {
        let _ = rustix::process::setpriority_process(None, (ours + NICENESS).min(LEAST));
    }
}

/// Stack of such a thread: hostile terms are nested deep. Only what is used of it is taken.
const STACK_BYTES: usize = 256 << 20;

/// Runs something in a thread of lower priority, which all threads inherit that it starts.
pub(crate) fn behind<T: Send>(work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
    let run = || {
        step_back();
        work()
    };
    std::thread::scope(|scope| {
        match std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run) {
            Ok(thread) => thread.join(),
            Err(error) => Err(Box::new(error) as Box<dyn std::any::Any + Send>),
        }
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn priority() -> i32 {
        rustix::process::getpriority_process(None).expect("known")
    }

    #[test]
    fn threads_inherit_and_we_do_not() {
        let before = priority();
        let inside = behind(|| std::thread::spawn(priority).join().expect("it ends")).expect("it ends");
        assert_eq!(inside, (before + NICENESS).min(LEAST));
        assert_eq!(priority(), before);
    }
}
