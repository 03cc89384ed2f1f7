//! From which address a request comes: the peer's, or what proxies that are trusted say of it.
//!
//! Every proxy adds the address that it was asked from at the end of the header. Only the last `n` entries were written by `n`
//! trusted proxies; what stands before them the client may have made up. So the one that counts is the n-th from the end.
//! Only the header that was configured is read: a proxy that writes the one passes the other on as the client wrote it.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use actix_web::http::header::{self, HeaderMap, HeaderName};

use crate::config::ProxyHeader;

/// The proxies before this server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    /// How many there are, one behind the other; with none no header is believed.
    pub count: u8,
    /// Which header they write.
    pub header: ProxyHeader,
}

/// An address, or the network that one client has: of IPv6 its 64-bit network, as anybody has 2^64 addresses in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin(Option<IpAddr>);

impl Origin {
    /// Where the request comes from. What cannot be told is one origin.
    pub fn of(headers: &HeaderMap, peer: Option<SocketAddr>, proxies: Proxies) -> Self {
        let told = if proxies.count > 0 { told(headers, proxies) } else { None };
        Self(told.or(peer.map(|peer| peer.ip())).map(network))
    }
}

fn told(headers: &HeaderMap, proxies: Proxies) -> Option<IpAddr> {
    let name: HeaderName = match proxies.header {
        ProxyHeader::XForwardedFor => header::X_FORWARDED_FOR,
        ProxyHeader::Forwarded => header::FORWARDED,
    };
    // What is no text counts like any other entry: were it passed over, one that the client made up would take its place.
    let lines = headers.get_all(name).map(header::HeaderValue::as_bytes);
    let entries: Vec<&[u8]> = lines.flat_map(|line| line.split(|byte| *byte == b',')).collect();
    // Who asks an inner proxy directly has fewer entries: then the first was written by a trusted one, too.
    let at = entries.len().saturating_sub(usize::from(proxies.count));
    let entry = entries.get(at).and_then(|entry| std::str::from_utf8(entry).ok())?.trim();
    match proxies.header {
        ProxyHeader::XForwardedFor => parse(entry),
        ProxyHeader::Forwarded => {
            let mut pairs = entry.split(';').filter_map(|pair| pair.trim().split_once('='));
            let (_, node) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
            parse(node.trim_matches('"'))
        }
    }
}

/// With or without a port, an IPv6 address with or without brackets.
fn parse(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    fn origin(lines: &[impl AsRef<[u8]>], count: u8, header: ProxyHeader) -> String {
        let mut headers = HeaderMap::new();
        let name = match header {
            ProxyHeader::XForwardedFor => header::X_FORWARDED_FOR,
            ProxyHeader::Forwarded => header::FORWARDED,
        };
        for line in lines {
            headers.append(name.clone(), HeaderValue::from_bytes(line.as_ref()).unwrap());
        }
        let peer = "10.0.0.9:4711".parse().ok();
        Origin::of(&headers, peer, Proxies { count, header }).0.unwrap().to_string()
    }

    #[test]
    fn only_what_trusted_proxies_wrote_counts() {
        use ProxyHeader::{Forwarded, XForwardedFor};
        let made_up = "6.6.6.6, 1.2.3.4";
        for (lines, count, header, expected) in [
            (vec![], 0, XForwardedFor, "10.0.0.9"),
            (vec![made_up], 0, XForwardedFor, "10.0.0.9"),
            (vec![made_up], 1, XForwardedFor, "1.2.3.4"),
            (vec![made_up, "10.0.0.2"], 2, XForwardedFor, "1.2.3.4"),
            (vec!["1.2.3.4"], 2, XForwardedFor, "1.2.3.4"),
            (vec![], 2, XForwardedFor, "10.0.0.9"),
            (vec!["not an address"], 1, XForwardedFor, "10.0.0.9"),
            (vec!["1.2.3.4:80"], 1, XForwardedFor, "1.2.3.4"),
            (vec!["2001:db8:1:2:3:4:5:6"], 1, XForwardedFor, "2001:db8:1:2::"),
            (vec!["[2001:db8:1:2:3:4:5:6]:80"], 1, XForwardedFor, "2001:db8:1:2::"),
            (vec!["::ffff:1.2.3.4"], 1, XForwardedFor, "1.2.3.4"),
            (vec!["for=6.6.6.6, for=1.2.3.4;proto=https"], 1, Forwarded, "1.2.3.4"),
            (vec!["proto=http;For=\"[2001:db8:1:2::7]:80\""], 1, Forwarded, "2001:db8:1:2::"),
            (vec!["for=_hidden"], 1, Forwarded, "10.0.0.9"),
        ] {
            assert_eq!(origin(&lines, count, header), expected, "{lines:?} {count}");
        }
    }

    #[test]
    fn what_is_no_text_is_not_passed_over() {
        for header in [ProxyHeader::XForwardedFor, ProxyHeader::Forwarded] {
            for last in [b"\xff".as_slice(), "é".as_bytes(), b"1.2.3.4, \xff", b"for=1.2.3.4\xff"] {
                for made_up in [b"6.6.6.6".as_slice(), b"for=6.6.6.6"] {
                    assert_eq!(origin(&[made_up, last], 1, header), "10.0.0.9", "{last:?}");
                }
            }
            assert_eq!(origin(&[b"6.6.6.6, \xff, 1.2.3.4".as_slice()], 1, ProxyHeader::XForwardedFor), "1.2.3.4");
        }
    }
}
