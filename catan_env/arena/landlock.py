"""Landlock: Linux lets a process restrict itself and its descendants, without any privilege.

Nothing but the standard library, and no other file of this package: `arena.keeper` runs it alone.
The numbers are those of linux/landlock.h; each is given with the version that introduced it.
"""

import ctypes
import os
import struct

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""System calls, with the same numbers on every architecture."""
VERSION_FLAG = 1
PATH_BENEATH, NET_PORT = 1, 2
PR_SET_NO_NEW_PRIVS = 38

WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
MAKE_AND_REMOVE = sum(1 << bit for bit in range(4, 13))
BIND_TCP, CONNECT_TCP = 1 << 0, 1 << 1
ABSTRACT_SOCKETS, SIGNALS = 1 << 0, 1 << 1
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")


def version() -> int:
    """The version of the interface in this kernel; 0 if it has none."""
    return max(0, _libc().syscall(CREATE_RULESET, None, 0, VERSION_FLAG))


def confine(folder: str | None, port: int) -> None:
    """Restrict this process to TCP connections to one port, and to signals to its descendants.

    With a `folder` it can also write to files only below that. Restrictions that the kernel's
    version lacks are left out. OSError if the kernel refuses.
    """
    has = version()
    if not has:
        return
    handled = _writing(has) if folder is not None else 0
    net = BIND_TCP | CONNECT_TCP if has >= 4 else 0
    scoped = SIGNALS | ABSTRACT_SOCKETS if has >= 6 else 0
    if not (handled or net or scoped):
        return
    size = 8 if has < 4 else 16 if has < 6 else 24
    attributes = struct.pack("=QQQ", handled, net, scoped)[:size]
    ruleset = _call(CREATE_RULESET, attributes, len(attributes), 0)
    if folder is not None:
        _allow(ruleset, folder, handled)
        for device in DEVICES:
            if os.path.exists(device):
                _allow(ruleset, device, handled & (WRITE_FILE | TRUNCATE))
    if net:
        _call(ADD_RULE, ruleset, NET_PORT, struct.pack("=QQ", CONNECT_TCP, port), 0)
    _libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _writing(has: int) -> int:
    """All rights to change files that this version defines."""
    return WRITE_FILE | MAKE_AND_REMOVE | (TRUNCATE if has >= 3 else 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    _call(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, beneath), 0)
    os.close(beneath)


def _call(number: int, *arguments: int | bytes) -> int:
    answer: int = _libc().syscall(number, *arguments)
    if answer < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), "landlock")
    return answer


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
