"""A catanatron game once more, for its state after each entry of its log."""

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from catanatron.models.player import Player
from catanatron.state import State

from catan_env.catanatron.entry import Entry
from catan_env.catanatron.log import HAS_RECORDS, entry_of, logged_in

RULES = import_module("catanatron.apply_action" if HAS_RECORDS else "catanatron.state")
"""The module with catanatron's `apply_action`."""


class Replica:
    """The same table from its beginning on, played with the outcomes that the game's log names."""

    def __init__(self, state: Any) -> None:
        self.state = begun(state)
        self._played: list[Any] = []

    def is_of(self, state: Any) -> bool:
        """True if this is the game of `state`, as far as it was played here."""
        is_same_table = state.board.map is self.state.board.map
        is_same_table &= state.colors == self.state.colors
        return is_same_table and logged_in(state)[: len(self._played)] == self._played

    def play(self, state: Any) -> Iterator[Entry]:
        """Play the rest of the log of `state`, and yield each entry once it is played."""
        for logged in logged_in(state)[len(self._played) :]:
            if HAS_RECORDS:
                RULES.apply_action(self.state, logged.action, logged)
            else:
                RULES.apply_action(self.state, logged)
            self._played.append(logged)
            yield entry_of(logged)


def begun(state: Any) -> Any:
    """The state before the first action of a game; Python's global generator stays as it was."""
    colors = state.colors
    chance = random.getstate()
    begun = State([Player(c) for c in colors], state.board.map, discard_limit=state.discard_limit)
    random.setstate(chance)
    begun.players.sort(key=lambda player: colors.index(player.color))
    begun.colors, begun.color_to_index = colors, {c: k for k, c in enumerate(colors)}
    return begun
