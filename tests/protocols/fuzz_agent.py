"""Faulty servers: `python -m tests.protocols.fuzz_agent 1000000` for a million messages.

The messages that a server sent to an agent in real games are replayed to a fresh agent: omitted,
repeated, swapped, changed in a field, or mixed with those of another game. The agent may raise
RemoteProtocolError and no other error, and everything it sends meanwhile is a message.
"""

import sys
import time
from dataclasses import fields, replace
from enum import IntEnum
from random import Random

from catan_env.net import LocalProtocolError, RemoteProtocolError
from catan_env.net.visit import Visit
from catan_env.protocols.catan_binary.agent import Agent, client_end
from catan_env.protocols.catan_binary.messages import BinaryCodec
from tests.protocols.in_memory import Played, builder_policy, odd_board, random_policy, tournament

EDGES = (-128, -3, -1, 0, 1, 2, 3, 4, 5, 19, 54, 127, 255)


def conversations(count: int) -> list[list]:
    """Return the messages received by seat 0 in that many games."""
    heard = []
    for seed in range(count):
        board = odd_board(seed) if seed % 2 else "spiral"
        room = tournament(2 + seed % 3, seed, board, announced=seed % 4 < 2, max_turns=60)
        policies = [(builder_policy if k else random_policy)(k) for k in range(room.game.seats)]
        played = Played(room, policies).play()
        heard.append([message for seat, message in played.heard if seat == 0])
    return heard


def changed(message, chance: Random):
    """Return the message with one field, perhaps a nested one, changed."""
    names = [field.name for field in fields(message) if getattr(message, field.name) is not None]
    if not names:
        return message
    name = chance.choice(names)
    value = getattr(message, name)
    if isinstance(value, IntEnum):
        return replace(message, **{name: chance.choice(list(type(value)))})
    if isinstance(value, int):
        return replace(message, **{name: chance.choice(EDGES)})
    if isinstance(value, tuple):
        if not value:
            return message
        at = chance.randrange(len(value))
        one = value[at]
        other = chance.choice(value) if isinstance(one, int) else changed(one, chance)
        return replace(message, **{name: (*value[:at], other, *value[at + 1 :])})
    return replace(message, **{name: changed(value, chance)})


def spoilt(messages: list, others: list, chance: Random) -> list:
    """Return a conversation with a few faults."""
    said = list(messages)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(2 if chance.random() < 0.9 else 0, len(said))
        fault = chance.randrange(6)
        if fault == 0:
            del said[at]
        elif fault == 1:
            said.insert(at, said[at])
        elif fault == 2:
            said.insert(at, said[chance.randrange(len(said))])
        elif fault == 3:
            said.insert(at, chance.choice(others))
        else:
            said[at] = changed(said[at], chance)
    return said


def hear(messages: list, chance: Random) -> int:
    """Replay them to a fresh agent; return how many it received before it left, if it did."""
    policy = random_policy(chance.randrange(1 << 30))
    agent = Agent(policy, chance.choice((None, True, False)))
    visit = Visit(client_end(), agent)
    server, reads = BinaryCodec(), BinaryCodec()
    for number, message in enumerate(messages):
        try:
            replies = list(visit.receive(server.encode(message), 0.0))
            if agent.deadline is not None and chance.random() < 0.3:
                replies += visit.time(agent.deadline)
        except RemoteProtocolError:
            return number
        for reply in map(bytearray, replies):
            while reply:
                _, size = reads.decode(reply)
                del reply[:size]
    return len(messages)


def run(inputs: int, seed: int = 0, games: int = 12) -> int:
    """Replay that many messages; return the number of agents that received all of theirs."""
    chance, heard = Random(seed), conversations(games)
    whole = 0
    while inputs > 0:
        messages = chance.choice(heard)
        cut = messages[: chance.randrange(10, len(messages))]
        said = [m for m in spoilt(cut, chance.choice(heard), chance) if is_sayable(m)]
        count = hear(said, chance)
        whole += count == len(said)
        inputs -= count + 1
    return whole


def is_sayable(message) -> bool:
    """True if bytes can represent it: a field may have been changed to a value out of range."""
    try:
        return bool(BinaryCodec().encode(message))
    except LocalProtocolError:
        return False


if __name__ == "__main__":
    begun = time.process_time()
    ended = run(int(sys.argv[1]))
    print(f"{sys.argv[1]} messages, {time.process_time() - begun:.0f} s; {ended} heard to the end")
