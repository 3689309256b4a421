//! Who speaks, and of which matches they may.

use std::net::IpAddr;

use crate::neighbourhood::Neighbourhood;

/// Who sends a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Somebody in this process.
    Here,
    /// Somebody on the network, at an address.
    At(IpAddr),
    /// Somebody at an address who knows the token, and may speak of the matches of all.
    Trusted(IpAddr),
}

impl Caller {
    /// Whose matches are begun by this caller: each address has its own, and so has this process.
    pub(super) fn owner(self) -> Owner {
        match self {
            Caller::Here => Owner(None),
            Caller::At(address) | Caller::Trusted(address) => Owner(Some(address.to_canonical())),
        }
    }

    /// Whether somebody else's match may be spoken of.
    pub(super) fn may_speak_of(self, owner: Owner) -> bool {
        matches!(self, Caller::Trusted(_)) || self.owner() == owner
    }
}

/// Whose a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Owner(Option<IpAddr>);

impl Owner {
    /// With whom a share of the matches is shared; none in this process, where nobody has to share.
    pub(super) fn sharers(self) -> Option<Neighbourhood> {
        self.0.map(Neighbourhood::of)
    }
}

/// Whether a token is the right one. How long it takes tells nothing of how much of it was right.
pub(crate) fn is_same_token(given: &[u8], right: &[u8]) -> bool {
    let differences = given.iter().zip(right).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == right.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_owner_however_it_is_written() {
        let plain = Caller::At("1.2.3.4".parse().expect("an address"));
        let mapped = Caller::At("::ffff:1.2.3.4".parse().expect("an address"));
        assert_eq!(plain.owner(), mapped.owner());
        assert_ne!(plain.owner(), Caller::Here.owner());
        assert!(!plain.may_speak_of(Caller::Here.owner()));
    }

    #[test]
    fn tokens() {
        assert!(is_same_token(b"abc", b"abc"));
        for wrong in [&b"abd"[..], b"ab", b"abcd", b""] {
            assert!(!is_same_token(wrong, b"abc"));
        }
    }
}
