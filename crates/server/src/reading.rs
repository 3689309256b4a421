//! Messages that are long: how many bytes of them there may be at once, and that nobody waits while they are
//! read.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use std::sync::{Arc, Weak};

use hyper::body::Buf;
use parking_lot::Mutex;
use protocol::{ProtocolError, Request};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::neighbourhood::Neighbourhood;
use crate::priority::step_back;

/// Messages up to this length are read at once where they arrive: it takes less than a millisecond.
pub(crate) const SHORT_BYTES: usize = 64 << 10;
/// Long messages that may be read at once: one processor is always left to the others.
const READ_AT_ONCE: usize = 1;
/// Long messages of one neighbourhood that may be on their way.
const LONG_OF_ONE: usize = 2;
/// What bytes are counted in.
const UNIT: usize = 1 << 10;
/// Nothing here recurses; the stack is small so that threads are cheap.
const STACK_BYTES: usize = 1 << 20;

/// The bytes of long messages that may be held at once, of all connections together.
#[derive(Debug)]
pub(crate) struct Allowance {
    bytes: Arc<Semaphore>,
    most: usize,
    neighbourhoods: Mutex<HashMap<Neighbourhood, Weak<Semaphore>>>,
}

/// Room for a message, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Allowed {
    _bytes: OwnedSemaphorePermit,
    _own: OwnedSemaphorePermit,
}

impl Allowance {
    pub(crate) fn new(bytes: usize) -> Self {
        let most = (bytes / UNIT).clamp(1, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        Self { bytes: Arc::new(Semaphore::new(most)), most, neighbourhoods: Mutex::default() }
    }

    /// Waits for room for a long message. No neighbourhood gets more than its share, so that it keeps nobody out.
    pub(crate) async fn room(&self, address: IpAddr, bytes: usize) -> Option<Allowed> {
        let own = self.own(Neighbourhood::of(address)).acquire_owned().await.ok()?;
        let units = bytes.div_ceil(UNIT).clamp(1, self.most);
        let bytes = Arc::clone(&self.bytes).acquire_many_owned(u32::try_from(units).ok()?).await.ok()?;
        Some(Allowed { _bytes: bytes, _own: own })
    }

    fn own(&self, from: Neighbourhood) -> Arc<Semaphore> {
        let mut known = self.neighbourhoods.lock();
        known.retain(|_, own| own.strong_count() > 0);
        if let Some(known) = known.get(&from).and_then(Weak::upgrade) {
            return known;
        }
        let new = Arc::new(Semaphore::new(LONG_OF_ONE));
        known.insert(from, Arc::downgrade(&new));
        new
    }
}

/// A message that is here, and that nobody has looked into.
pub(crate) struct Letter {
    bytes: usize,
    open: Box<dyn FnOnce() -> String + Send>,
}

impl Letter {
    /// What came in parts; that they are put together and are text is seen to where it is read.
    pub(crate) fn of(mut parts: impl Buf + Send + 'static) -> Self {
        let bytes = parts.remaining();
        let open = move || String::from_utf8_lossy(&parts.copy_to_bytes(bytes)).into_owned();
        Self { bytes, open: Box::new(open) }
    }
}

impl From<String> for Letter {
    fn from(text: String) -> Self {
        Self { bytes: text.len(), open: Box::new(move || text) }
    }
}

/// A request that was read, and the fingerprint of the rules in it.
pub(crate) struct Received {
    pub(crate) request: Request,
    pub(crate) rules: u64,
}

impl Received {
    fn read(text: &str) -> Result<Self, ProtocolError> {
        let request = Request::parse(text)?;
        let rules = match &request {
            Request::Start(start) => fingerprint(&start.rules),
            _ => 0,
        };
        Ok(Self { request, rules })
    }
}

/// A number by which a text is known again.
pub(crate) fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
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
    pub(crate) async fn read(&self, letter: Letter) -> Result<Received, ProtocolError> {
        if letter.bytes <= SHORT_BYTES {
            return Received::read(&(letter.open)());
        }
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let (sender, receiver) = oneshot::channel();
        let read = move || {
            step_back();
            let received = Received::read(&(letter.open)());
            drop(turn);
            // Nobody is there if the host has hung up.
            let _ = sender.send(received);
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
