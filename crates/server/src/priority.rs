//! Thinking stands back where replies have to leave.

/// How much less of a crowded processor thinking gets than everything else: about a third.
#[cfg(unix)]
const NICENESS: i32 = 5;
/// The least priority there is.
#[cfg(unix)]
const LEAST: i32 = 19;

/// Runs something in a thread of lower priority, which all threads inherit that it starts. Replies then
/// leave in time even if every core is thinking. A thread cannot take this back, hence one of its own.
pub(crate) fn behind<T: Send>(work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
    std::thread::scope(|scope| {
        let run = || {
            // Where it is not allowed, all have the same priority, which is no fault.
            #[cfg(unix)]
            if let Ok(ours) = rustix::process::getpriority_process(None) {
                let _ = rustix::process::setpriority_process(None, (ours + NICENESS).min(LEAST));
            }
            work()
        };
        scope.spawn(run).join()
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
