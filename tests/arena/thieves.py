"""Agents that try to get more than their seat: thieves.py TRICK MARKER HOST PORT, as an agent."""

import os
import socket
import sys
import threading
import time
from pathlib import Path

MOST_SURPLUS = 16
REFUSED = "refused"


def connect(where):
    return socket.create_connection(where, 5)


def sits_four_times(where):
    """Connect repeatedly, and record the number of connections that received a MSG_BEGIN."""
    wires = [connect(where) for _ in range(4)]
    begun = 0
    for wire in wires:
        wire.settimeout(60)
        try:
            begun += wire.recv(1) == b"\x00"
        except OSError:
            pass
    print("seats", begun, flush=True)
    time.sleep(3600)


def stays_in_the_backlog(where):
    """A child keeps connecting during the game."""
    wire = connect(where)
    if os.fork() == 0:
        while True:
            try:
                connect(where)
            except OSError:
                time.sleep(0.01)
    while wire.recv(65536):
        pass


def connects_too_often(where):
    """Record that the last connection was refused, by which the seat is lost."""
    wires = [connect(where) for _ in range(MOST_SURPLUS + 1)]
    try:
        wires[-1].recv(1)
    except ConnectionResetError:
        pass
    print(REFUSED, flush=True)
    time.sleep(3600)


def runs_six_threads_at_last(where):
    """Connect once another agent has recorded that in the file of the marker."""
    record = Path(sys.argv[2])
    while not (record.exists() and REFUSED in record.read_text()):
        time.sleep(0.01)
    wire = connect(where)
    threading.stack_size(1 << 18)
    for _ in range(5):
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    while wire.recv(65536):
        pass


def sends_itself_a_connection(where):
    """Take a seat, and connect once more; no process holds that connection while it is judged."""
    own = connect(where)
    time.sleep(0.3)
    here, there = socket.socketpair()
    other = connect(where)
    socket.send_fds(here, [b"x"], [other.fileno()])
    other.close()
    time.sleep(1)
    (file,) = socket.recv_fds(there, 1, 1)[1]
    keeps_both(own, socket.socket(fileno=file))


def connects_over_ipv6(where):
    """Take a seat, and connect once more from a socket of the other family."""
    own = connect(where)
    time.sleep(0.3)
    keeps_both(own, connect((f"::ffff:{where[0]}", where[1])))


def keeps_both(own, other):
    """Record whether the second connection receives a MSG_BEGIN, or its end."""
    other.settimeout(600)
    try:
        print("begun" if other.recv(1) else "refused", flush=True)
    except OSError:
        print("refused", flush=True)
    while own.recv(65536):
        pass


if __name__ == "__main__":
    globals()[sys.argv[1]]((sys.argv[-2], int(sys.argv[-1])))
