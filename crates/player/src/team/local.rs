//! Helpers that are threads of this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use engine::Clock;
use engine::team::{HelperId, Line, Order, Report};
use machine::Machine;
use parking_lot::Mutex;

use super::{Helper, Post, Posted};

/// Starts some helpers on a machine.
pub fn local_helpers(number: usize, machine: &Machine, clock: &Clock) -> Box<dyn Line> {
    let (say, reports) = channel();
    let stop = Arc::new(AtomicBool::new(false));
    let mut line = LocalLine { orders: Vec::new(), reports: Mutex::new(reports), threads: Vec::new(), stop };
    for place in 1..=number {
        let (orders, take) = channel();
        let id = HelperId(place.to_string());
        let post = LocalPost { orders: take, say: say.clone() };
        // Each has the machine, whatever the text of the rules.
        let machine = machine.stopped_by(&line.stop);
        let find = Box::new(move |_: &str| Some(machine.clone()));
        let helper = Helper::new(id.clone(), find, Arc::clone(clock), Arc::clone(&line.stop));
        let work = move || helper.work(post);
        // Where there is no thread there is one helper less.
        if let Ok(thread) = std::thread::Builder::new().name(format!("helper {place}")).spawn(work) {
            line.orders.push((id, orders));
            line.threads.push(thread);
        }
    }
    Box::new(line)
}

struct LocalLine {
    orders: Vec<(HelperId, Sender<Order>)>,
    reports: Mutex<Receiver<Report>>,
    threads: Vec<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl Line for LocalLine {
    fn tell(&self, to: Option<&HelperId>, order: Order) {
        for (_, orders) in self.orders.iter().filter(|(id, _)| to.is_none_or(|to| to == id)) {
            // One that is gone hears nothing.
            let _ = orders.send(order.clone());
        }
    }

    fn hear(&self, patience: Duration) -> Option<Report> {
        self.reports.lock().recv_timeout(patience).ok()
    }

    fn expected(&self) -> usize {
        self.threads.iter().filter(|thread| !thread.is_finished()).count()
    }
}

impl Drop for LocalLine {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.orders.clear();
        for thread in self.threads.drain(..) {
            // A panic there was reported when it happened.
            let _ = thread.join();
        }
    }
}

struct LocalPost {
    orders: Receiver<Order>,
    say: Sender<Report>,
}

impl Post for LocalPost {
    /// There is but one player.
    type From = ();

    fn next(&mut self, patience: Duration) -> Posted<()> {
        match self.orders.recv_timeout(patience) {
            Ok(order) => Posted::Order((), order),
            Err(RecvTimeoutError::Timeout) => Posted::Nothing,
            Err(RecvTimeoutError::Disconnected) => Posted::Closed,
        }
    }

    fn say(&mut self, (): &(), report: Report) {
        // Nobody listens any more.
        let _ = self.say.send(report);
    }
}
