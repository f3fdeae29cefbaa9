"""System calls denied to an agent, by libseccomp: UDP, Unix sockets, listening, shared memory.

Nothing but the standard library, and no other file of this package: `arena.keeper` runs it alone.
The numbers are those of seccomp.h, linux/socket.h and linux/sched.h.
"""

import ctypes
import errno
import os
from collections.abc import Iterator

LIBRARY = "libseccomp.so.2"
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
"""The kernel's action: it allows the call, or returns the error that is added."""
OTHER, EQUAL, GREATER, MASKED = 1, 4, 6, 7
"""The comparison of an argument; `MASKED`: its bits under a mask, with a value."""

UNIX, INET, INET6 = 1, 2, 10
MOST_FAMILIES = 64
KIND, STREAM, PACKETS, KINDS = 0xF, 1, 5, 16
TCP = 6
FAST_OPEN = 0x20000000
"""A flag of sending that also connects, which Landlock does not check."""
NAMESPACES = (0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
"""The flags of clone(2) that create one."""
FORBIDDEN = (
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "sched_setaffinity",
    "io_uring_setup", "bpf", "perf_event_open", "userfaultfd", "unshare", "setns", "mount",
    "add_key", "request_key", "keyctl",
)  # fmt: skip
LISTENING = ("listen", "accept", "accept4")
"""Landlock checks the port of bind(2); without one, listen(2) has the kernel choose it."""
MEMORY = (
    "memfd_create", "memfd_secret", "shmget", "shmat", "shmctl", "msgget", "msgsnd", "msgrcv",
    "msgctl", "semget", "semop", "semtimedop", "semctl", "ipc",
)  # fmt: skip
"""Memory outside an address space, which no limit counts: files without a folder, System V."""

Test = tuple[int, int, int, int]
"""The number of an argument, its comparison, and the numbers to compare with."""


class Comparison(ctypes.Structure):
    """`struct scmp_arg_cmp`."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("one", ctypes.c_uint64),
        ("other", ctypes.c_uint64),
    )


def is_there() -> bool:
    """True if this machine has the library."""
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        return False
    return True


def confine() -> None:
    """Deny the calls of `refusals` to this process and all that it starts, from now on."""
    with_filter("seccomp_load")


def program() -> int:
    """The same in the form for bubblewrap: the number of an open file, which it reads."""
    file = os.memfd_create("seccomp", 0)
    with_filter("seccomp_export_bpf", file)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def refusals() -> Iterator[tuple[str, int, tuple[Test, ...]]]:
    """The system calls that are denied, with the error, and the arguments concerned."""
    for call in (*FORBIDDEN, *LISTENING, *MEMORY):
        yield call, errno.EPERM, ()
    for flag in NAMESPACES:
        yield "clone", errno.EPERM, ((0, MASKED, flag, flag),)
    yield "clone3", errno.ENOSYS, ()  # its flags cannot be read; C libraries fall back to clone
    for family in set(range(MOST_FAMILIES)) - {INET, INET6}:
        yield "socket", errno.EACCES, ((0, EQUAL, family, 0),)
    yield "socket", errno.EACCES, ((0, GREATER, MOST_FAMILIES - 1, 0),)
    for family in (INET, INET6):
        for kind in set(range(KINDS)) - {STREAM}:
            yield "socket", errno.EACCES, ((0, EQUAL, family, 0), (1, MASKED, KIND, kind))
        yield "socket", errno.EACCES, ((0, EQUAL, family, 0), (2, GREATER, TCP, 0))
    yield "socketpair", errno.EACCES, ((0, OTHER, UNIX, 0),)
    for kind in set(range(KINDS)) - {STREAM, PACKETS}:  # datagrams can go anywhere
        yield "socketpair", errno.EACCES, ((1, MASKED, KIND, kind),)
    for call, flags in (("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)):
        yield call, errno.EACCES, ((flags, MASKED, FAST_OPEN, FAST_OPEN),)


def with_filter(name: str, *arguments: int) -> None:
    """Call a function of the library with the filter; OSError if the library refuses."""
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    made = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(ALLOW)))
    try:
        for call, error, tests in refusals():
            _refuse(library, made, call, error, tests)
        _check(getattr(library, name)(made, *arguments))
    finally:
        library.seccomp_release(made)


def _refuse(
    library: ctypes.CDLL, made: ctypes.c_void_p, call: str, error: int, tests: tuple[Test, ...]
) -> None:
    number = library.seccomp_syscall_resolve_name(call.encode())
    if number < 0:  # unknown to this version, or to this architecture
        return
    compared = (Comparison * len(tests))(*(Comparison(*test) for test in tests))
    action = ctypes.c_uint32(REFUSE | error)
    _check(library.seccomp_rule_add_array(made, action, number, len(tests), compared))


def _check(answer: int) -> None:
    if answer < 0:
        raise OSError(-answer, os.strerror(-answer), "seccomp")
