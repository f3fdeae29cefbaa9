"""An agent that breaks the rules: hostile.py BEHAVIOUR MARKER HOST PORT."""

import os
import random
import socket
import sys
import threading
import time

TURN, BEGIN_SIZE = 10, 27


def connect(host, port):
    return socket.create_connection((host, int(port)))


def own_seat(wire):
    """Wait for MSG_BEGIN; return the seat that it assigns."""
    begin = b""
    while len(begin) < BEGIN_SIZE:
        begin += wire.recv(BEGIN_SIZE - len(begin))
    return begin[14]


def wait_for_own_turn(wire):
    """Wait for a MSG_TURN of its own seat, well enough for a test."""
    seat = own_seat(wire)
    while not wire.recv(65536).endswith(bytes([TURN, seat])):
        pass
    return seat


def garbage(wire):
    wire.sendall(random.Random(1).randbytes(100_000))
    time.sleep(3600)


def half(wire):
    seat = wait_for_own_turn(wire)
    wire.sendall(bytes([16, seat]))
    time.sleep(3600)


def flood(wire):
    while True:
        wire.sendall(b"\x0b" * 65536)


def flood_of_answers(wire):
    seat = own_seat(wire)
    while True:
        wire.sendall(bytes([17, seat, seat]) * 20_000)


def another_seat(wire):
    seat = wait_for_own_turn(wire)
    wire.sendall(bytes([13, (seat + 1) % 2, 0]))
    time.sleep(3600)


def silent(wire):
    time.sleep(3600)


def says_goodbye(wire):
    """Follow the game to its end, and send a message a moment later."""
    while wire.recv(65536):
        pass
    time.sleep(1.2)
    print("the game is over")


def exits(wire):
    sys.exit(3)


def hangs_up(wire):
    wire.close()
    time.sleep(3600)


def forks(wire):
    os.fork()
    time.sleep(3600)


def leaves_a_daemon(wire):
    if not os.fork():
        os.setsid()
        if not os.fork():
            time.sleep(3600)
        os._exit(0)
    os.wait()
    time.sleep(3600)


def bomb(wire):
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


def allocates(wire):
    held = bytearray(4 << 30)
    time.sleep(3600)
    return held


def allocates_in_children(wire):
    for _ in range(8):
        if not os.fork():
            held = bytearray(100 << 20)
            time.sleep(3600)
            os._exit(len(held) == 0)
    time.sleep(3600)


def threads(wire):
    for _ in range(50):
        threading.Thread(target=time.sleep, args=(3600,)).start()
    time.sleep(3600)


def writes(wire):
    while True:
        os.write(1, b"x" * (1 << 20))


def main():
    behaviour, _marker, host, port = sys.argv[1:]
    if behaviour == "dies_early":
        sys.exit(4)
    if behaviour == "never_comes":
        time.sleep(3600)
    globals()[behaviour](connect(host, port))


main()
