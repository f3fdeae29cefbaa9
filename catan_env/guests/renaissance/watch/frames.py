"""The frames of a game as the page shows it: the position after each command.

A frame lists only what differs from the previous one; the page combines them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from catan_env.guests.renaissance.game import ASK_AT, AWAY_AT, BACK_AT, Game
from catan_env.guests.renaissance.native.cards import COLOURS, KINDS, RESOURCES
from catan_env.guests.renaissance.native.state import ACTIVE, EMPTY, IN_HAND, NOBODY, SHELVES
from catan_env.guests.renaissance.native.track import GOLD, POPE_SPACE, SECTION_START, TILE_POINTS
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.watch.words import said

Frame = dict[str, Any]
UNKNOWN = -1
"""The id of a leader that is not shown."""


def fixed(game: Game, names: Sequence[str]) -> Frame:
    """The part that stays the same: names, cards and the track."""
    state = game.state
    return {
        "names": list(names),
        "goods": [name.lower() for name in RESOURCES],
        "colours": [name.lower() for name in COLOURS],
        "kinds": list(KINDS),
        "cards": state["dev"].tolist(),
        "leaders": state["leaders"].tolist(),
        "gold": [list(one) for one in GOLD],
        "popes": [int(space) for space in POPE_SPACE],
        "sections": [int(space) for space in SECTION_START],
        "tiles": [int(points) for points in TILE_POINTS],
    }


class Film:
    """A game played again from its marks, and its frames so far.

    Without `is_full` leaders in hand are unknown, and the choices of the set-up until all have
    chosen.

    >>> game = Game(seats=2, seed=7)
    >>> film = Film(game, ["ann", "bob"])
    >>> game.play(0)
    >>> film.follow(game.record()["marks"])
    >>> len(film.frames), film.frames[1]["text"]
    (2, 'ann keeps two leaders.')
    """

    def __init__(self, game: Game, names: Sequence[str], is_full: bool = True) -> None:
        self.names, self.is_full = list(names), is_full
        self.game = Game(game.seats, game.seed, game.cards)
        self.fixed = fixed(self.game, names)
        self._marks = 0
        self._before = self.game.copy()
        self._last = self._whole("The game begins.")
        self.frames: list[Frame] = [self._last]
        """The first frame has everything, the others what has changed."""

    def follow(self, marks: Sequence[int]) -> None:
        """Play the marks that are new."""
        for mark in marks[self._marks :]:
            self._take(int(mark))
        self._marks = len(marks)

    def _take(self, mark: int) -> None:
        game = self.game
        known = len(game.events)
        game.replay([mark])
        if len(game.events) > known:
            self._add(said(game.events[-1], self._before, game, self.names))
        elif AWAY_AT <= mark < BACK_AT:
            self._add(f"{self.names[mark - AWAY_AT]} leaves.")
        elif BACK_AT <= mark < ASK_AT:
            self._add(f"{self.names[mark - BACK_AT]} returns.")
        if not game.sequence:
            self._before = game.copy()

    def _add(self, text: str) -> None:
        whole = self._whole(text)
        changed = {key: value for key, value in whole.items() if self._last[key] != value}
        self.frames.append({"text": text, **changed})
        self._last = whole

    def _whole(self, text: str) -> Frame:
        return {"text": text, **facts(self.game, self.is_full)}


def lines_of(game: Game, names: Sequence[str]) -> Iterator[str]:
    """The game as text: its commands by round, and its last position."""
    film = Film(game, names)
    film.follow(game.record()["marks"])
    shown = 0
    for frame in film.frames:
        yield f"  {frame['text']}"
        if frame.get("round", shown) != shown:
            shown = frame["round"]
            yield f"round {shown}"
    yield str(game)


def facts(game: Game, is_full: bool) -> Frame:
    """The whole position, as plain numbers by name."""
    state, seats = game.state, range(game.seats)
    is_shown = is_full or game.is_playing
    return {
        "round": game.round,
        "on": game.turn_seat if game.is_playing else UNKNOWN,
        "last_round": int(state["last_round"]),
        "market": state["market"].tolist(),
        "top": state["top"].tolist(),
        "left": state["left"].tolist(),
        "cross": int(state["cross"]),
        "token": int(state["last_token"]),
        "faith": state["faith"][: game.seats].tolist(),
        "points": game.scores() if game.is_over else [game.points(seat) for seat in seats],
        "tiles": state["tile"][: game.seats].tolist(),
        "shelves": [_shelves(state, seat, is_shown) for seat in seats],
        "depots": state["depot"][: game.seats].tolist(),
        "strongbox": state["strongbox"][: game.seats].tolist(),
        "slots": [_slots(state, seat) for seat in seats],
        "leaders": [_leaders(state, seat, is_full) for seat in seats],
        "away": state["away"][: game.seats].tolist(),
        "winner": _winner(game),
    }


def _shelves(state: Any, seat: int, is_shown: bool) -> list[list[int]]:
    if not is_shown:
        return [[EMPTY, 0]] * SHELVES
    goods, counts = state["shelf_good"][seat].tolist(), state["shelf_count"][seat].tolist()
    return [[good, count] for good, count in zip(goods, counts, strict=True)]


def _slots(state: Any, seat: int) -> list[list[int]]:
    heights: Array = state["height"][seat]
    return [state["slot"][seat, k][:height].tolist() for k, height in enumerate(heights.tolist())]


def _leaders(state: Any, seat: int, is_full: bool) -> list[list[int]]:
    """Each leader and its state; those dealt while none is kept."""
    if not state["has_kept"][seat] or not (is_full or state["is_playing"]):
        dealt = state["dealt"][seat].tolist()
        return [[leader if is_full else UNKNOWN, IN_HAND] for leader in dealt]
    kept = zip(state["leader"][seat].tolist(), state["leader_state"][seat].tolist(), strict=True)
    return [[leader if is_full or how == ACTIVE else UNKNOWN, how] for leader, how in kept]


def _winner(game: Game) -> int | None:
    """The winner's seat, LORENZO, or None."""
    return game.winner if game.is_over and game.winner != NOBODY else None
