"""The process that a connection comes from, found in Linux's own tables."""

import os
import socket
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ESTABLISHED = 1
"""A connection's state in linux/tcp.h."""
TABLES = {
    socket.AF_INET: (("tcp", ""), ("tcp6", "::ffff:")),
    socket.AF_INET6: (("tcp6", ""),),
}
"""By the family of our end: the tables with the other end, and a prefix of addresses there."""


def is_open(sock: socket.socket) -> bool:
    """True if the other end has not closed a connection yet; quick, for floods of connections."""
    if not hasattr(socket, "TCP_INFO"):  # not Linux: reading detects it
        return True
    state = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state == ESTABLISHED


class OtherEnd(NamedTuple):
    """The connected peer socket, in this machine's tables."""

    inode: int
    user: int


def keeper_of(sock: socket.socket, keepers: Collection[int]) -> int | None:
    """The one of these processes whose descendants hold the other end of a connection."""
    if not keepers:  # as on systems where no agents are started, which lack the tables
        return None
    # needs Linux
    from catan_env.arena.keeper import descendants

    end = other_end(sock)
    if end is None:
        return None
    held = name_of(end)
    return next((k for k in keepers if any(held in files_of(p) for p in descendants(k))), None)


def is_from_elsewhere(sock: socket.socket, keepers: Collection[int]) -> bool:
    """True if the other end of a connection belongs to no process below one of these keepers.

    A process can send itself the descriptor of a socket, which no process holds meanwhile. So a
    socket of our own user must be held by a visible process. Those of other machines, network
    namespaces and users, whose processes may be hidden, belong to no agent.
    """
    if not keepers:
        return True
    end = other_end(sock)
    if end is None or end.user != os.geteuid():
        return True
    return any(is_outside(process, keepers) for process in holders(end))


def other_end(sock: socket.socket) -> OtherEnd | None:
    """The connected peer socket; None if it is not on this machine."""
    here, there = sock.getsockname(), sock.getpeername()
    for table, prefix in TABLES[sock.family]:
        wanted = [_spelled(prefix + there[0], there[1]), _spelled(prefix + here[0], here[1])]
        for fields in _connections(table):
            if fields[1:3] == wanted and fields[9] != "0":
                return OtherEnd(int(fields[9]), int(fields[7]))
    return None


def _connections(table: str) -> Iterable[list[str]]:
    """The fields of each connection in a table; none if the kernel lacks its family."""
    path = Path("/proc/net", table)
    return map(str.split, path.read_text().splitlines()[1:]) if path.exists() else ()


def _spelled(host: str, port: int) -> str:
    """An address in the form of /proc/net/tcp: words of 32 bits in this machine's byte order."""
    packed = socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
    words = (packed[k : k + 4] for k in range(0, len(packed), 4))
    numbers = (int.from_bytes(word, sys.byteorder) for word in words)
    return "".join(f"{number:08X}" for number in numbers) + f":{port:04X}"


def holders(end: OtherEnd) -> Iterator[int]:
    """The visible processes that hold a socket, the newest first."""
    held = name_of(end)
    for process in sorted(map(int, filter(str.isdigit, os.listdir("/proc"))), reverse=True):
        if held in files_of(process):
            yield process


def is_outside(process: int, keepers: Collection[int]) -> bool:
    """True if a process runs, and none of its ancestors is one of these keepers."""
    try:
        while process:
            if process in keepers:
                return False
            process = parent_of(process)
    except OSError:  # it, or an ancestor, ended meanwhile
        return False
    return True


def parent_of(process: int) -> int:
    """The parent of a process, 0 if it is not visible; OSError if the process is gone."""
    status = Path(f"/proc/{process}/stat").read_text(errors="replace")
    return int(status.rpartition(")")[2].split()[1])


def name_of(end: OtherEnd) -> str:
    """The name of a socket among the files of the process that holds it."""
    return f"socket:[{end.inode}]"


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
