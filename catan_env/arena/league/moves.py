"""A game's record as a league keeps it: what the seats chose, compressed.

Chance follows from the game's seed, so the choices lead back to every position, and to the digest
of the last. 16-bit words, little-endian, by zlib: a flat index each, or one of the codes below
with what belongs to it.
"""

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from catan_env.core.actions import NUM_ACTIONS
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import Event
from catan_env.game.game import Game

Array = np.ndarray[Any, Any]

LEAVE = 1024
"""And the seat: it leaves the table."""
TIME_OUT = 1028
OFFER = 1029
"""To whom, five cards to give and five to get: an offer that the flat index cannot say."""
BANK_TRADE = 1030
"""Give, get and the rate, likewise."""
QUICK = 1
"""zlib's level: a game's choices are a few hundred bytes."""


class MovesError(ValueError):
    """What is kept of a game leads nowhere."""


class UnplayableError(MovesError):
    """It can be read, and not be played in this engine."""


def squeezed(words: Array) -> bytes:
    """Words, (n,) of any integers, as they are kept.

    >>> np.frombuffer(zlib.decompress(squeezed(np.array([52, 847]))), "<u2").tolist()
    [52, 847]
    """
    return zlib.compress(words.astype("<u2").tobytes(), QUICK)


def pack(game: Game, begun: Game) -> bytes:
    """What the seats chose in a game that began as `begun`, which is played to the game's end.

    MovesError where it does not lead there.
    """
    packed = Packer(begun).pack(game)
    if begun.state_bytes() != game.state_bytes():
        raise MovesError("the game's choices lead to another position")
    return packed


class Packer:
    """Packs a game that goes on; `begun` is it before its first choice, and is played along."""

    def __init__(self, begun: Game) -> None:
        self._game = begun
        self._words: list[int] = []

    def pack(self, game: Game) -> bytes:
        """What the seats have chosen so far."""
        events = game.events
        while len(self._game.events) < len(events):
            event = events[len(self._game.events)]
            self._words += _words_of(event)
            _play(self._game, event.action, event.seat)
        return squeezed(np.array(self._words, np.uint16))


def unpack(moves: bytes, begun: Game) -> Game:
    """Play what is kept in a game before its first choice; MovesError where that cannot be."""
    return Unpacker(begun).follow(moves)


class Unpacker:
    """Plays `game` on as more of it is known; it stands before its first choice."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._words: list[int] = []

    def follow(self, moves: bytes) -> Game:
        """Play what is new in it; MovesError where it is damaged, or not the same game."""
        done = len(self._words)
        try:
            words = np.frombuffer(zlib.decompress(moves), "<u2").tolist()
            actions = list(_actions_of(iter(words[done:])))
        except (zlib.error, ValueError) as error:
            raise MovesError(f"its record is damaged: {error}") from None
        if words[:done] != self._words:
            raise MovesError("it began otherwise")
        try:
            for action, seat in actions:
                _play(self.game, action, self.game.seat if seat is None else seat)
        except ValueError as error:
            raise UnplayableError(f"its record cannot be played: {error}") from None
        self._words = words
        return self.game


def _play(game: Game, action: Action, seat: int) -> None:
    if action.kind == ActionKind.LEAVE:
        game.leave(seat)
    elif action.kind == ActionKind.TIME_OUT:
        game.time_out()
    else:
        game.play(action)


def _words_of(event: Event) -> list[int]:
    action = event.action
    if action.index is not None:
        return [action.index]
    if action.kind == ActionKind.LEAVE:
        return [LEAVE + event.seat]
    if action.kind == ActionKind.TIME_OUT:
        return [TIME_OUT]
    if action.kind == ActionKind.OFFER:
        to, give, get = action.args
        return [OFFER, to, *give, *get]
    return [BANK_TRADE, *map(int, action.args)]


def _actions_of(words: Iterator[int]) -> Iterator[tuple[Action, int | None]]:
    """Actions, and the seat of one that leaves."""
    for word in words:
        if word < NUM_ACTIONS:
            yield Action.from_index(word), None
        elif LEAVE <= word < TIME_OUT:
            yield Action.leave(), word - LEAVE
        elif word == TIME_OUT:
            yield Action.time_out(), None
        elif word == OFFER:
            to, *cards = (_next(words) for _ in range(11))
            yield Action.offer(to, cards[:5], cards[5:]), None
        elif word == BANK_TRADE:
            yield Action.bank_trade(*(_next(words) for _ in range(3))), None
        else:
            raise MovesError(f"{word} is no choice")


def _next(words: Iterator[int]) -> int:
    word = next(words, None)
    if word is None:
        raise MovesError("it ends within a choice")
    return word
