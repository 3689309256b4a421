//! The connections that are open: when there are too many, those that are slow to ask make way.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::task::AbortHandle;

use crate::neighbourhood::Neighbourhood;

/// All connections.
#[derive(Debug)]
pub(crate) struct Crowd {
    most: usize,
    guests: Mutex<Guests>,
}

#[derive(Debug, Default)]
struct Guests {
    next: u64,
    /// By the order in which they came.
    present: BTreeMap<u64, Guest>,
}

#[derive(Debug)]
struct Guest {
    from: Neighbourhood,
    /// Whether its request is still on its way.
    is_asking: bool,
    task: Option<AbortHandle>,
}

impl Crowd {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most: most.max(1), guests: Mutex::default() })
    }

    /// Lets a connection in. If there are too many, the neighbourhood with the most of them loses the oldest whose
    /// request is still on its way: a host asks in one breath. `None` if all were asked something and wait
    /// for the answer.
    pub(crate) fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Ticket> {
        let mut guests = self.guests.lock();
        if guests.present.len() >= self.most {
            let number = guests.slowest()?;
            if let Some(task) = guests.present.remove(&number).and_then(|guest| guest.task) {
                task.abort();
            }
        }
        let number = guests.next;
        guests.next += 1;
        guests
            .present
            .insert(number, Guest { from: Neighbourhood::of(address), is_asking: true, task: None });
        Some(Ticket { crowd: Arc::clone(self), number })
    }

    /// What ends a connection if it has to make way.
    pub(crate) fn ended_by(&self, number: u64, task: AbortHandle) {
        if let Some(guest) = self.guests.lock().present.get_mut(&number) {
            guest.task = Some(task);
        }
    }
}

impl Guests {
    fn slowest(&self) -> Option<u64> {
        let mut counts: HashMap<Neighbourhood, usize> = HashMap::new();
        self.present.values().for_each(|guest| *counts.entry(guest.from).or_default() += 1);
        let asking = self.present.iter().filter(|(_, guest)| guest.is_asking);
        // The first of those with the most, which is the oldest.
        let most = asking.max_by_key(|(number, guest)| (counts[&guest.from], std::cmp::Reverse(**number)));
        most.map(|(&number, _)| number)
    }
}

/// A place among the connections, free again when it is dropped.
#[derive(Debug)]
pub(crate) struct Ticket {
    crowd: Arc<Crowd>,
    number: u64,
}

impl Ticket {
    /// The number of the connection.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The whole request is there.
    pub(crate) fn has_asked(&self) {
        if let Some(guest) = self.crowd.guests.lock().present.get_mut(&self.number) {
            guest.is_asking = false;
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.crowd.guests.lock().present.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn present(crowd: &Crowd) -> Vec<u64> {
        crowd.guests.lock().present.keys().copied().collect()
    }

    #[test]
    fn the_oldest_of_the_most_makes_way() {
        let [one, two] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let crowd = Crowd::new(4);
        let tickets: Vec<Ticket> =
            [one, two, two, two].into_iter().map(|from| crowd.enter(from).expect("room")).collect();
        tickets[1].has_asked();
        let next = crowd.enter(one).expect("number 2 makes way");
        assert_eq!(present(&crowd), [0, 1, 3, 4]);
        [&tickets[0], &tickets[3], &next].into_iter().for_each(Ticket::has_asked);
        assert!(crowd.enter(one).is_none(), "all wait for an answer");
        drop(tickets);
        assert_eq!(present(&crowd), [4]);
    }

    #[test]
    fn many_addresses_of_one_network_are_one() {
        let address = |text: &str| text.parse().expect("an address");
        let crowd = Crowd::new(4);
        let many = ["2001:db8::1", "2001:db8:1::1", "2001:db8:1::2", "2001:db8:1::3", "2001:db8:2::1"];
        let _tickets: Vec<_> = many.into_iter().map(|from| crowd.enter(address(from))).collect();
        assert_eq!(present(&crowd), [0, 2, 3, 4]);
    }
}
