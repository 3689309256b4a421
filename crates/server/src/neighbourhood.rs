//! Who shares a share: what is dealt out fairly is dealt out to those who cannot take a second address at will.

use std::net::{IpAddr, Ipv6Addr};

/// Addresses that are one when things are dealt out: a single one of IPv4, and the 2^64 of IPv6 that everybody is given
/// who is given one (RFC 4291, interface identifiers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Neighbourhood(IpAddr);

/// The bits of an address of IPv6 that tell networks from each other.
const NETWORK: u128 = !0 << 64;

impl Neighbourhood {
    /// The one to which an address belongs, however it is written.
    pub(crate) fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => Self(Ipv6Addr::from_bits(address.to_bits() & NETWORK).into()),
            address => Self(address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one() {
        let of = |text: &str| Neighbourhood::of(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:0:1::1"), of("2001:db8:0:1:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("::ffff:10.0.0.1"), of("::ffff:10.0.0.2"));
    }
}
