//! Who may hold memory and threads: as many matches as were allowed, those that are ending included.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// How often it is looked whether a match that waits has ended meanwhile.
const MOMENT: Duration = Duration::from_millis(20);

/// Room for so many matches. A match that was ended has its seat until its threads are gone.
#[derive(Debug)]
pub(super) struct Seats {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Seats {
    pub(super) fn new(count: usize) -> Self {
        Self { free: Mutex::new(count), freed: Condvar::new() }
    }

    /// Waits for a seat; `None` once the flag is set.
    pub(super) fn take_unless(self: &Arc<Self>, stop: &AtomicBool) -> Option<Seat> {
        let mut free = self.free.lock();
        while *free == 0 {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            self.freed.wait_for(&mut free, MOMENT);
        }
        *free -= 1;
        Some(Seat(Arc::clone(self)))
    }

    /// How many are free.
    pub(super) fn free(&self) -> usize {
        *self.free.lock()
    }
}

/// A seat, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Seat(Arc<Seats>);

impl Drop for Seat {
    fn drop(&mut self) {
        *self.0.free.lock() += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_free_when_it_was_given_back() {
        let seats = Arc::new(Seats::new(1));
        let seat = seats.take_unless(&AtomicBool::new(false)).expect("it is free");
        assert!(seats.take_unless(&AtomicBool::new(true)).is_none());
        let waiting = std::thread::spawn({
            let seats = Arc::clone(&seats);
            move || seats.take_unless(&AtomicBool::new(false)).is_some()
        });
        drop(seat);
        assert!(waiting.join().expect("no panic"));
        assert_eq!(seats.free(), 1);
    }
}
