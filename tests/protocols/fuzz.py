"""Invalid input for a server: `python -m tests.protocols.fuzz 10000000` for ten million.

Bytes are drawn at random, cut out of real conversations and changed, or built from the grammar
of the messages; they go to decoders of both byte orders and to rooms with games under way. What
may cause is a ProtocolError, a kick, or no effect.
"""

import sys
import time
from random import Random
from resource import RUSAGE_SELF, getrusage

from catan_env import Game, Rules
from catan_env.net import Connection, RemoteProtocolError
from catan_env.protocols.catan_binary.messages import BinaryCodec, MsgType
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom
from catan_env.protocols.catan_binary.states import State

LENGTHS = {10: 1, 11: 0, 13: 2, 14: 5, 16: 6, 17: 2, 18: 2, 19: 0, 20: 3, 21: 3}
SEND = tuple(LENGTHS)
SMALL = (0, 1, 2, 3, 4, 5, 6, 255)
EDGES = tuple(n.to_bytes(4) for n in (0, 1, 2, 19, 255, 256, 65535, 2**31, 2**32 - 1))
AS_SMALL = bytes(SMALL) * 32
"""A table for `bytes.translate` that maps any byte to a small one."""


def random_bytes(chance: Random) -> bytes:
    """Anything."""
    return chance.randbytes(chance.randrange(1, 12))


def small_bytes(chance: Random, count: int) -> bytes:
    """Return `count` small numbers."""
    return chance.randbytes(count).translate(AS_SMALL)


def likely_message(chance: Random) -> bytes:
    """Return a message's type and about as many small numbers as it takes."""
    kind = chance.choice(SEND)
    length = LENGTHS[kind] + (chance.randrange(-1, 2) if chance.random() < 0.1 else 0)
    return bytes([kind]) + small_bytes(chance, max(0, length))


def opening(chance: Random) -> bytes:
    """Return a MSG_BEGIN with extreme numbers, and part of a MSG_SETUP."""
    begin = b"".join(chance.choices(EDGES, k=3))
    counts = b"".join(chance.choices(EDGES[:5], k=3))
    tail = small_bytes(chance, chance.randrange(60))
    return b"\0" + begin + bytes([2, 0]) + counts + b"\x01" + tail


def legal_message(room: CatanRoom, chance: Random) -> bytes:
    """Return a legal message of the awaited seat, often with one byte changed."""
    from catan_env import Action
    from catan_env.protocols.catan_binary.speech import to_messages

    game = room.game
    legal = game.legal_actions.indices
    view = game.view(game.seat)
    codec = BinaryCodec()
    index = int(legal[chance.randrange(len(legal))])
    said = b"".join(map(codec.encode, to_messages(view, Action.from_index(index))))
    if chance.random() < 0.05:
        changed = bytearray(said)
        changed[chance.randrange(len(changed))] = chance.choice(SMALL)
        said = bytes(changed)
    return said


class Fuzzed:
    """A room that receives inputs, and is replaced when its game is over."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._games = seed
        self.games = 0
        self._sit_down()

    def _sit_down(self) -> None:
        self.games += 1
        self._games += 1
        seats = 2 + self._games % 3
        game = Game(seats=seats, seed=self._games, rules=Rules.tournament())
        announced = self._games % 2 == 0
        self.room = CatanRoom(game, Settings(announced=announced, max_turns=60))
        self.ends = [Connection(BinaryCodec()) for _ in range(seats)]
        self.now = 0.0
        for seat in range(seats):
            if self._chance.random() < 0.97:
                self.room.opened(seat, self.now)
            else:
                self.room.leave(seat, "never connected", self.now)

    def step(self) -> None:
        """Send one input from some seat, or let time pass."""
        chance, room = self._chance, self.room
        if room.is_over:
            self._sit_down()
            return
        draw = chance.random()
        seat = room.awaited
        if draw < 0.7:
            said = legal_message(room, chance)
        elif draw < 0.8:
            seat = chance.randrange(room.game.seats)
            said = likely_message(chance) if chance.random() < 0.2 else b"\x11\x00\x00"
        elif draw < 0.97:
            said = likely_message(chance) if chance.random() < 0.05 else legal_message(room, chance)
        elif draw < 0.99:
            self.now += chance.random() * 4
            amid = [k for k, end in enumerate(self.ends) if end.is_amid_message]
            room.time(self.now, amid)
            return
        else:
            if chance.random() < 0.02:
                room.closed(seat, "gone", self.now)
            return
        try:
            for message in self.ends[seat].receive(said):
                room.received(seat, message, self.now)
        except RemoteProtocolError as error:
            self.ends[seat] = Connection(BinaryCodec())
            room.closed(seat, str(error), self.now)
        assert room.state in (State.TURN, State.DEINIT)


def decode_some(chance: Random) -> None:
    """Pass bytes to a decoder, in two pieces."""
    made = (random_bytes, likely_message, opening)[chance.randrange(3)](chance)
    connection = Connection(BinaryCodec((None, "big", "little")[chance.randrange(3)]))
    cut = chance.randrange(len(made) + 1)
    try:
        for piece in (made[:cut], made[cut:]):
            for message in connection.receive(piece):
                assert MsgType(made[0]) is not None and message is not None
    except RemoteProtocolError:
        pass


def run(inputs: int, seed: int = 0) -> int:
    """Run that many inputs, four of five on decoders; return the number of games begun."""
    chance = Random(seed)
    fuzzed = Fuzzed(seed)
    for k in range(inputs):
        if k % 5:
            decode_some(chance)
        else:
            fuzzed.step()
    return fuzzed.games


def main() -> None:
    """Run the number given on the command line, and print a summary."""
    inputs, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    begun = time.process_time()
    games = run(inputs, seed)
    took = time.process_time() - begun
    print(
        f"{inputs} inputs, {took:.0f} s of CPU time, {games} games begun; "
        f"no exception but ProtocolError; {getrusage(RUSAGE_SELF).ru_maxrss >> 10} MiB at most"
    )


if __name__ == "__main__":
    main()
