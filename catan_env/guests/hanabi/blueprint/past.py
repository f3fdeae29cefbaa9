"""The other seats' last actions as one seat saw them, with the positions before them."""

from typing import Any, NamedTuple

import numpy as np

from catan_env.guests.hanabi.blueprint import doors
from catan_env.guests.hanabi.blueprint.memory import PICTURE, block_of
from catan_env.guests.hanabi.blueprint.view import game_of
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.native.memory import GAME, PLACES
from catan_env.guests.hanabi.native.sheet import sheet_of
from catan_env.guests.hanabi.observation import card_index
from catan_env.guests.hanabi.policies.conventions import Picture
from catan_env.guests.hanabi.position import number_of
from catan_env.guests.hanabi.view import SeatView
from catan_env.kernel.memory import doorway, new_blocks

Array = np.ndarray[Any, Any]
KEPT = 8  # actions: older ones say little about the cards still in hand


class Before(NamedTuple):
    """The position before an action of another seat."""

    game: Any
    picture: Any
    action: int
    mine: tuple[int, ...]
    """The viewer's cards by their numbers, counted from its first one."""


class Past:
    """One seat's memory of the others' actions between its own turns."""

    def __init__(self) -> None:
        self._start: tuple[SeatView, Any, Any] | None = None
        self._begin(0)

    def follow(self, view: SeatView, picture: Picture) -> None:
        """Add the actions since this seat's last turn; `picture` is that of the position."""
        if self._start is None or not _continues(self._start[0], view):
            self._begin(view.hand_size(view.viewer))
        else:
            self._replay(view)
        self._start = view, game_of(view), block_of(picture)

    def blocks(self) -> tuple[Any, Any, Array, Array]:
        """Games, pictures, hands and actions as `draw_worlds` takes them."""
        n = len(self._kept)
        games, pictures = new_blocks(max(1, n), GAME), new_blocks(max(1, n), PICTURE)
        hands = np.zeros((n, PLACES), np.int64)
        place = {number: k for k, number in enumerate(self._mine)}
        for m, before in enumerate(self._kept):
            games[m], pictures[m] = before.game[0], before.picture[0]
            for k, number in enumerate(before.mine):
                hands[m, k] = place[number] if number in place else -1 - self._known[number]
        actions = np.array([before.action for before in self._kept], np.int64)
        return doorway(games), doorway(pictures), hands, actions

    def _begin(self, cards: int) -> None:
        """Forget everything but the number of cards in hand."""
        self._kept: list[Before] = []
        self._mine = list(range(cards))
        self._known: dict[int, int] = {}
        """By the number of a card that the viewer has used: its kind."""

    def _replay(self, view: SeatView) -> None:
        assert self._start is not None
        then, game, picture = self._start
        sheet = doorway(sheet_of(view.rules, view.players))
        for event in view.events[len(then.events) :]:
            number = number_of(view, event.action)
            assert number is not None
            if event.seat != view.viewer:
                before = Before(game.copy(), picture.copy(), number, tuple(self._mine))
                self._kept = [*self._kept, before][-KEPT:]
            self._give_cards(view, game, event)
            actions = np.array([number], np.int64)
            doors.play_actions(doorway(game), doorway(picture), sheet, actions, 0, 1)

    def _give_cards(self, view: SeatView, game: Any, event: Event) -> None:
        """Write the cards that an event reveals into the game before it."""
        rules = view.rules
        if event.action.is_hint:
            return
        if event.seat == view.viewer:
            assert event.card is not None
            kind = card_index(rules, event.card)
            game["hand"][0, event.seat, event.action.value] = 1 << kind
            self._known[self._mine.pop(event.action.value)] = kind
            if event.has_drawn:
                self._mine.append(max([*self._mine, *self._known], default=-1) + 1)
        if event.has_drawn:
            drawn = 0 if event.drawn is None else card_index(rules, event.drawn)
            game["deck"][0, len(rules.box) - game["left"][0]] = drawn


def _continues(then: SeatView, view: SeatView) -> bool:
    """True if the view is of the same game, later."""
    seen = len(then.events)
    return (
        (then.viewer, then.dealt) == (view.viewer, view.dealt)
        and len(view.events) > seen
        and view.events[:seen] == then.events
    )
