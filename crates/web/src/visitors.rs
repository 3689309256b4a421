//! What one visitor may take of the computer. Visitors are told apart by their address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::error::WebError;

/// Matches that one visitor may begin, in this time.
const MATCHES: usize = 60;
const PERIOD: Duration = Duration::from_secs(60);
/// Things to think about that one visitor may have waiting: hints, sheets to check.
const WAITING: usize = 4;

#[derive(Default)]
struct Visitor {
    begun: Vec<Instant>,
    waiting: usize,
}

/// All visitors who did something lately.
#[derive(Default)]
pub(crate) struct Visitors {
    all: Mutex<HashMap<IpAddr, Visitor>>,
}

impl Visitors {
    /// A visitor begins a match.
    pub(crate) fn begin(&self, address: IpAddr, count: usize) -> Result<(), WebError> {
        let mut all = self.all.lock();
        all.retain(|_, visitor| {
            visitor.begun.retain(|begun| begun.elapsed() < PERIOD);
            visitor.waiting > 0 || !visitor.begun.is_empty()
        });
        let visitor = all.entry(address).or_default();
        if visitor.begun.len() + count > MATCHES {
            let told = format!("{MATCHES} matches a minute are enough; wait a moment");
            return Err(WebError::Busy(told));
        }
        visitor.begun.extend((0..count).map(|_| Instant::now()));
        Ok(())
    }

    /// A visitor wants something that takes a while; the place is free again when it is dropped.
    pub(crate) fn wait(self: &Arc<Self>, address: IpAddr) -> Result<Waiting, WebError> {
        let mut all = self.all.lock();
        let visitor = all.entry(address).or_default();
        if visitor.waiting >= WAITING {
            return Err(WebError::Busy("wait for what you have asked for before".to_owned()));
        }
        visitor.waiting += 1;
        Ok(Waiting { visitors: Arc::clone(self), address })
    }
}

/// Something that a visitor waits for.
pub(crate) struct Waiting {
    visitors: Arc<Visitors>,
    address: IpAddr,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(visitor) = self.visitors.all.lock().get_mut(&self.address) {
            visitor.waiting -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_everything() {
        let visitors = Arc::new(Visitors::default());
        let [one, two] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let waiting: Vec<Waiting> = (0..WAITING).map(|_| visitors.wait(one).expect("a place")).collect();
        assert!(visitors.wait(one).is_err() && visitors.wait(two).is_ok());
        drop(waiting);
        assert!(visitors.wait(one).is_ok());
        visitors.begin(one, MATCHES).expect("not too many");
        assert!(visitors.begin(one, 1).is_err());
        assert!(visitors.begin(two, 1).is_ok());
    }
}
