"""A game's record in a league: the seats' choices, compressed.

16-bit words, little-endian, by zlib: one flat index per choice, or one of the codes below with its
arguments. If chance comes from the game's seed, the choices alone lead back to every
position, and to the digest of the last. If it comes from a secret, each choice is followed by the
outcome of chance: the record of a game in progress does not contain future outcomes.
"""

import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from catan_env.core.actions import NUM_ACTIONS
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import Event, from_code, to_code
from catan_env.game.game import Game

Array = np.ndarray[Any, Any]

LEAVE = 1024
"""Followed by the seat, which leaves the table."""
TIME_OUT = 1028
OFFER = 1029
"""Followed by the addressees, five cards to give and five to get: an offer without a flat index."""
BANK_TRADE = 1030
"""Followed by the cards to give, to get, and the rate."""
DREW = 2048
"""Followed by the engine's code of the outcome of the last choice: dice, card stolen or bought."""
MOST_OUTCOME = 36
BY_CHANCE = (ActionKind.ROLL, ActionKind.MOVE_ROBBER, ActionKind.BUY_DEVELOPMENT_CARD)
QUICK = 1
"""zlib's level: a game's choices are a few hundred bytes."""


class MovesError(ValueError):
    """The stored moves do not replay to a valid game."""


class UnplayableError(MovesError):
    """The record is readable but not playable with this engine version."""


def squeezed(words: Array) -> bytes:
    """Words, (n,) of any integers, in their stored form.

    >>> np.frombuffer(zlib.decompress(squeezed(np.array([52, 847]))), "<u2").tolist()
    [52, 847]
    """
    return zlib.compress(words.astype("<u2").tobytes(), QUICK)


def pack(game: Game, begun: Game) -> bytes:
    """The seats' choices in a game that began as `begun`, replayed to the game's end.

    MovesError if the replay does not lead there.
    """
    packed = Packer(begun).pack(game)
    if begun.state_bytes() != game.state_bytes():
        raise MovesError("the game's choices lead to another position")
    return packed


class Packer:
    """Packs a game in progress; `begun` is its start, and is advanced with it."""

    def __init__(self, begun: Game) -> None:
        self._game = begun
        self._words: list[int] = []

    def pack(self, game: Game) -> bytes:
        """The seats' choices so far."""
        events = game.events
        while len(self._game.events) < len(events):
            event = events[len(self._game.events)]
            self._words += _words_of(event)
            choice = Choice(event.action, event.seat)
            if game.secret is not None:
                self._words += _outcome_of(event, game.seats)
                choice = choice._replace(outcome=event.outcome)
            _play(self._game, choice)
        return squeezed(np.array(self._words, np.uint16))


class Choice(NamedTuple):
    """A choice in the form of a record."""

    action: Action
    seat: int | None = None
    """The seat that leaves; None: the seat to decide."""
    outcome: Any = None
    """The outcome of chance, if the record has it."""


def unpack(moves: bytes, begun: Game) -> Game:
    """Replay a record from the game before its first choice; MovesError if that is impossible."""
    return Unpacker(begun).follow(moves)


class Unpacker:
    """Advances `game`, which is before its first choice, as more of its record is known."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._words: list[int] = []

    def follow(self, moves: bytes) -> Game:
        """Play the new part of it; MovesError if it is damaged, or not the same game."""
        done = len(self._words)
        try:
            words = np.frombuffer(zlib.decompress(moves), "<u2").tolist()
            choices = list(_choices_of(words[done:], self.game.seats))
        except (zlib.error, ValueError) as error:
            raise MovesError(f"its record is damaged: {error}") from None
        if words[:done] != self._words:
            raise MovesError("it began differently")
        try:
            for choice in choices:
                _play(self.game, choice)
        except ValueError as error:
            raise UnplayableError(f"its record cannot be played: {error}") from None
        self._words = words
        return self.game


def _play(game: Game, choice: Choice) -> None:
    action = choice.action
    if action.kind == ActionKind.LEAVE:
        game.leave(game.seat if choice.seat is None else choice.seat)
    elif action.kind == ActionKind.TIME_OUT:
        game.time_out()
    else:
        game.play(action, choice.outcome if action.kind in BY_CHANCE else None)


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


def _outcome_of(event: Event, seats: int) -> list[int]:
    if event.action.kind not in BY_CHANCE or event.outcome is None:
        return []
    return [DREW + to_code(event.action, event.outcome, seats)]


def _choices_of(words: Sequence[int], seats: int) -> Iterator[Choice]:
    ahead = deque(words)
    while ahead:
        choice = _choice_of(ahead)
        if ahead and DREW <= ahead[0] < DREW + MOST_OUTCOME:
            kind, code = choice.action.kind, ahead.popleft() - DREW
            if kind not in BY_CHANCE:
                raise MovesError(f"chance has no part in '{choice.action}'")
            choice = choice._replace(outcome=from_code(kind, code, seats))
        yield choice


def _choice_of(words: deque[int]) -> Choice:
    word = words.popleft()
    if word < NUM_ACTIONS:
        return Choice(Action.from_index(word))
    if LEAVE <= word < TIME_OUT:
        return Choice(Action.leave(), word - LEAVE)
    if word == TIME_OUT:
        return Choice(Action.time_out())
    if word == OFFER:
        to, *cards = _next(words, 11)
        return Choice(Action.offer(to, cards[:5], cards[5:]))
    if word == BANK_TRADE:
        return Choice(Action.bank_trade(*_next(words, 3)))
    raise MovesError(f"{word} is not a choice")


def _next(words: deque[int], count: int) -> list[int]:
    if len(words) < count:
        raise MovesError("it ends within a choice")
    return [words.popleft() for _ in range(count)]
