"""The process that a connection comes from, found in Linux's own tables."""

import os
import socket
import sys
from collections.abc import Iterable
from pathlib import Path

ESTABLISHED = 1
"""A connection's state in linux/tcp.h."""


def is_open(sock: socket.socket) -> bool:
    """True if the other end has not closed a connection yet; quick, for floods of connections."""
    if not hasattr(socket, "TCP_INFO"):  # not Linux: reading detects it
        return True
    state = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state == ESTABLISHED


def keeper_of(sock: socket.socket, keepers: Iterable[int]) -> int | None:
    """The one of these processes whose descendants hold the other end of a connection."""
    from catan_env.arena.keeper import descendants  # a program for Linux alone

    inode = inode_of_other_end(sock)
    if not inode:
        return None
    held = f"socket:[{inode}]"
    return next((k for k in keepers if any(held in files_of(p) for p in descendants(k))), None)


def inode_of_other_end(sock: socket.socket) -> int:
    """The inode of the connected peer socket; 0 if it is not on this machine."""
    table = Path("/proc/net/tcp6" if sock.family == socket.AF_INET6 else "/proc/net/tcp")
    here, there = _spelled(sock, sock.getsockname()), _spelled(sock, sock.getpeername())
    for line in table.read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1:3] == [there, here]:
            return int(fields[9])
    return 0


def _spelled(sock: socket.socket, address: tuple[str, int]) -> str:
    """An address in the form of /proc/net/tcp: words of 32 bits in this machine's byte order."""
    packed = socket.inet_pton(sock.family, address[0])
    words = (packed[k : k + 4] for k in range(0, len(packed), 4))
    numbers = (int.from_bytes(word, sys.byteorder) for word in words)
    return "".join(f"{number:08X}" for number in numbers) + f":{address[1]:04X}"


def files_of(process: int) -> list[str]:
    """The targets of a process's open files; none if it is gone or not ours."""
    folder = f"/proc/{process}/fd"
    found: list[str] = []
    try:
        names = os.listdir(folder)
    except OSError:
        return found
    for name in names:
        try:
            found.append(os.readlink(f"{folder}/{name}"))
        except OSError:  # closed meanwhile
            continue
    return found
