"""catanatron's bots that look only at the actions, as policies.

Each legal action is translated for the bot, and its choice is translated back. The bots make no
offers, so offers are left out. They draw from Python's global generator; each has its own random
stream here, and the caller's remains as it was.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from catan_env.catanatron.needed import needed_for

with needed_for("catanatron's bots"):
    from catanatron import Action, Color
    from catanatron.models.enums import ActionType
    from catanatron.models.player import RandomPlayer
    from catanatron.players.weighted_random import (
        WeightedRandomPlayer,
    )

from catan_env.catanatron.log import HAS_RECORDS
from catan_env.game.action import ActionKind
from catan_env.game.view import SeatView

WORDS = {
    ActionKind.ROLL: "ROLL",
    ActionKind.END_TURN: "END_TURN",
    ActionKind.BUY_DEVELOPMENT_CARD: "BUY_DEVELOPMENT_CARD",
    ActionKind.PLAY_KNIGHT: "PLAY_KNIGHT_CARD",
    ActionKind.PLAY_ROAD_BUILDING: "PLAY_ROAD_BUILDING",
    ActionKind.ACCEPT: "ACCEPT_TRADE",
    ActionKind.REJECT: "REJECT_TRADE",
    ActionKind.PLAY_YEAR_OF_PLENTY: "PLAY_YEAR_OF_PLENTY",
    ActionKind.PLAY_MONOPOLY: "PLAY_MONOPOLY",
    ActionKind.DISCARD: "DISCARD_RESOURCE" if HAS_RECORDS else "DISCARD",
    ActionKind.BANK_TRADE: "MARITIME_TRADE",
    ActionKind.SETTLEMENT: "BUILD_SETTLEMENT",
    ActionKind.CITY: "BUILD_CITY",
    ActionKind.ROAD: "BUILD_ROAD",
    ActionKind.MOVE_ROBBER: "MOVE_ROBBER",
}
"""The names of catanatron's action types; up to 3.2 it has none for trades between seats."""


class Chance:
    """A bot's own random stream, in Python's global generator while the bot decides."""

    def __init__(self, seed: int) -> None:
        self._state = random.Random(seed).getstate()

    @contextmanager
    def drawn(self) -> Iterator[None]:
        """Continue the stream, and restore the caller's afterwards."""
        outer = random.getstate()
        random.setstate(self._state)
        try:
            yield
        finally:
            self._state = random.getstate()
            random.setstate(outer)


class Bot:
    """One of catanatron's bots that look only at the actions, as a policy."""

    made_of: Any = RandomPlayer

    def __init__(self, seed: int = 0) -> None:
        self._chance = Chance(seed)
        self._bot = self.made_of(Color.RED)

    def act(self, view: SeatView) -> int:
        """The bot's choice; each action carries its flat index as payload."""
        actions = [
            Action(Color.RED, TYPES[action.kind], action.index)
            for action in view.legal_actions
            if action.kind != ActionKind.OFFER
        ]
        with self._chance.drawn():
            chosen: int = self._bot.decide(None, actions).value
        return chosen


TYPES = {kind: getattr(ActionType, word, word) for kind, word in WORDS.items()}
"""catanatron's action types by ours."""


class Uniform(Bot):
    """RandomPlayer: any action."""


class Weighted(Bot):
    """WeightedRandomPlayer: prefers cities to settlements to cards."""

    made_of = WeightedRandomPlayer
