//! Ctrl-C: what was found so far is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use crate::failure::tell;

/// Exit code: it was ended by Ctrl-C, and told what it had.
pub(crate) const INTERRUPTED: u8 = 130;

/// A flag that Ctrl-C raises. When it is pressed once more the program ends at once.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Where signals cannot be caught they end the program, as they would anyhow. They are handled in this
        // order: the flag that ends the program is looked at before it is raised.
        let _ = register_conditional_shutdown(signal, i32::from(INTERRUPTED), Arc::clone(&raised));
        let _ = register(signal, Arc::clone(&raised));
    }
    raised
}

/// Does some work. When the flag is raised meanwhile, it is told what happens now.
pub(crate) fn told<T>(
    flag: &AtomicBool,
    bar: &indicatif::ProgressBar,
    what: &str,
    work: impl FnOnce() -> T,
) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _raised_at_the_end = Raised(&done);
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if flag.load(Ordering::Relaxed) {
                    return bar.suspend(|| tell("note", what));
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        work()
    })
}

/// Raises a flag when it is dropped, also by a panic.
pub(crate) struct Raised<'a>(pub(crate) &'a AtomicBool);

impl Drop for Raised<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
