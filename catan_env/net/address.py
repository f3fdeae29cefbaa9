"""Addresses: those of peers, those that a server listens on, and those of databases."""

import re
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from socket import AF_INET, AF_INET6, SOCK_DGRAM, getaddrinfo, socket
from typing import Any

UNSPECIFIED = ("", "0.0.0.0", "::")
"""Hosts that mean every address of this machine."""
AUTHORITY = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\[\]:/@\s]+)(?::([0-9]{0,5}))?")
"""A Host header: a name, an IPv4 address or an IPv6 address in brackets, with or without a port."""
HTTP_PORT = 80


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


def without_password(url: str) -> str:
    """A database's URL to be shown, without its password and its query, which may hold one.

    >>> without_password("postgresql://ann:secret@host/league?sslmode=require")
    'postgresql://ann:***@host/league'
    >>> without_password("mine")
    'mine'
    """
    if "://" not in url:
        return url
    return re.sub(r"(?<=://)([^:@/]*):[^@]*@", r"\1:***@", url).partition("?")[0]


def reachable(host: str) -> str:
    """The address for links to a server that listens on `host`.

    The unspecified address becomes the one by which other machines of the network reach this one,
    and is returned unchanged if there is no network. Nothing is sent.

    >>> reachable("192.168.1.7")
    '192.168.1.7'
    """
    if host not in UNSPECIFIED:
        return host
    family, elsewhere = (AF_INET6, "2001:db8::1") if host == "::" else (AF_INET, "192.0.2.1")
    with socket(family, SOCK_DGRAM) as probe:
        try:
            probe.connect((elsewhere, 9))
        except OSError:
            return host
        return str(probe.getsockname()[0])


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


def is_here(host: str, port: int, is_public: bool) -> bool:
    """True if a Host header names this server, not a name that another site's owner resolves.

    >>> is_here("127.0.0.1:8000", 8000, False), is_here("evil.example:8000", 8000, False)
    (True, False)
    >>> is_here("LOCALHOST", 80, False), is_here("[::1]", 80, False), is_here("[::1]", 8000, False)
    (True, True, False)
    >>> is_here("192.168.1.7:80", 80, False), is_here("192.168.1.7:80", 80, True)
    (False, True)
    """
    found = AUTHORITY.fullmatch(host)
    if found is None or int(found[2] or HTTP_PORT) != port:
        return False
    name = found[1].strip("[]")
    return is_loopback(name) or (is_public and literal(name) is not None)


def is_own_page(headers: Mapping[str, str], port: int, is_public: bool) -> bool:
    """True if a request names this server as its host, and no page of another web site sent it."""
    host, origin = headers.get("Host", ""), headers.get("Origin")
    is_own = origin is None or origin.lower() == f"http://{host.lower()}"
    return is_own and is_here(host, port, is_public)
