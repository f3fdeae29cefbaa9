"""Addresses: those that peers connect from, and those that a server listens on."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from socket import getaddrinfo
from typing import Any

UNSPECIFIED = ("", "0.0.0.0", "::")
"""Hosts that mean every address of this machine."""


def origin_of(peer: Any) -> str:
    """The network that a peer's socket address belongs to; limits count it as one party.

    An IPv4 address, or the 64-bit prefix of an IPv6 address, which one subscriber is assigned.

    >>> origin_of(("203.0.113.7", 4000)), origin_of(("2001:db8::1:2", 4000, 0, 0))
    ('203.0.113.7', '2001:db8::/64')
    >>> origin_of(("::ffff:203.0.113.7", 4000, 0, 0))
    '203.0.113.7'
    """
    if not isinstance(peer, tuple) or not peer:  # a local socket, or a closed one
        return ""
    address = ip_address(str(peer[0]).partition("%")[0])
    if isinstance(address, IPv4Address):
        return str(address)
    mapped = address.ipv4_mapped
    return str(IPv6Network((address, 64), strict=False)) if mapped is None else str(mapped)


def in_url(host: str) -> str:
    """The host as written in a URL; the unspecified address becomes loopback.

    >>> in_url("::1"), in_url("0.0.0.0"), in_url("localhost")
    ('[::1]', '127.0.0.1', 'localhost')
    """
    if host in UNSPECIFIED:
        host = "::1" if host == "::" else "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def is_loopback(host: str) -> bool:
    """True if a host name or address (without brackets) is reachable from this machine only.

    >>> is_loopback("LOCALHOST"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("")
    (True, True, True, False)
    """
    address = literal(host)
    return host.lower() == "localhost" if address is None else address.is_loopback


def check_host(host: str) -> None:
    """Raise ValueError if a host name does not resolve."""
    try:
        getaddrinfo(host, None)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"host {host!r}: {getattr(error, 'strerror', None) or error}") from None


def literal(host: str) -> IPv4Address | IPv6Address | None:
    """The IP address that a host is written as, or None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None
