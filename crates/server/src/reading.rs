//! Messages that are long: how many bytes of them there may be at once, and that nobody waits while they are
//! read.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use protocol::{ProtocolError, Request};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::priority::step_back;

/// Messages up to this length are read at once where they arrive: it takes less than a millisecond.
pub(crate) const SHORT_BYTES: usize = 64 << 10;
/// Long messages that may be read at once: one processor is always left to the others.
const READ_AT_ONCE: usize = 1;
/// Long messages of one address that may be on their way.
const LONG_OF_AN_ADDRESS: usize = 2;
/// What bytes are counted in.
const UNIT: usize = 1 << 10;
/// Nothing here recurses; the stack is small so that threads are cheap.
const STACK_BYTES: usize = 1 << 20;

/// The bytes of long messages that may be held at once, of all connections together.
#[derive(Debug)]
pub(crate) struct Allowance {
    bytes: Arc<Semaphore>,
    most: usize,
    addresses: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

/// Room for a message, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Allowed {
    _bytes: OwnedSemaphorePermit,
    _address: OwnedSemaphorePermit,
}

impl Allowance {
    pub(crate) fn new(bytes: usize) -> Self {
        let most = (bytes / UNIT).clamp(1, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        Self { bytes: Arc::new(Semaphore::new(most)), most, addresses: Mutex::default() }
    }

    /// Waits for room for a long message. No address gets more than its share, so that it keeps nobody out.
    pub(crate) async fn room(&self, address: IpAddr, bytes: usize) -> Option<Allowed> {
        let own = self.address(address);
        let of_address = own.acquire_owned().await.ok()?;
        let units = bytes.div_ceil(UNIT).clamp(1, self.most);
        let bytes = Arc::clone(&self.bytes).acquire_many_owned(u32::try_from(units).ok()?).await.ok()?;
        Some(Allowed { _bytes: bytes, _address: of_address })
    }

    fn address(&self, address: IpAddr) -> Arc<Semaphore> {
        let mut addresses = self.addresses.lock();
        addresses.retain(|_, known| known.strong_count() > 0);
        if let Some(known) = addresses.get(&address).and_then(Weak::upgrade) {
            return known;
        }
        let new = Arc::new(Semaphore::new(LONG_OF_AN_ADDRESS));
        addresses.insert(address, Arc::downgrade(&new));
        new
    }
}

/// Reads requests: short ones at once, long ones in a thread of low priority.
#[derive(Debug)]
pub(crate) struct Reader {
    turns: Arc<Semaphore>,
}

impl Default for Reader {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(READ_AT_ONCE)) }
    }
}

impl Reader {
    /// Reads a request. Whoever waits for it holds nobody up.
    pub(crate) async fn read(&self, message: String) -> Result<Request, ProtocolError> {
        if message.len() <= SHORT_BYTES {
            return Request::parse(&message);
        }
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let (sender, receiver) = oneshot::channel();
        let read = move || {
            step_back();
            let request = Request::parse(&message);
            drop((message, turn));
            // Nobody is there if the host has hung up.
            let _ = sender.send(request);
        };
        let thread =
            std::thread::Builder::new().name("reader".to_owned()).stack_size(STACK_BYTES).spawn(read);
        if let Err(error) = thread {
            tracing::warn!(%error, "a long message was not read");
        }
        // It is dropped unread only where there is no thread to be had.
        receiver.await.unwrap_or(Err(ProtocolError::Empty))
    }
}
