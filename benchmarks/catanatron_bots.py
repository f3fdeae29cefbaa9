"""catanatron's bots as policies for leagues and agents.

    catan-env league add PLACE benchmarks.catanatron_bots:Value --name value

Each legal action is translated for catanatron's bot, and its choice is translated back. `Uniform`
and `Weighted` look at the actions alone. `Points`, `Value` and `AlphaBeta` try them on copies of a
catanatron game built from the view, with the seat's hidden information drawn at random
(`benchmarks.catanatron_table.mirror`); they need catanatron 3.3, and play duels.

catanatron's bots make no offers, so offers are left out. They use Python's global generator, which
is seeded here.
"""

import random
from importlib import import_module
from typing import Any

from catanatron import Action, Color  # type: ignore[import-not-found]
from catanatron.models.enums import ActionType  # type: ignore[import-not-found]
from catanatron.models.player import RandomPlayer  # type: ignore[import-not-found]
from catanatron.players.weighted_random import (  # type: ignore[import-not-found]
    WeightedRandomPlayer,
)

from benchmarks.catanatron_table.log import entry_of
from benchmarks.catanatron_table.mirror import Mirror
from benchmarks.catanatron_table.speech import Speech
from catan_env import ActionKind, SeatView

DISCARD = next(kind for kind in ActionType if kind.name.startswith("DISCARD"))
"""The name changed between versions."""
WORDS = {
    ActionKind.ROLL: ActionType.ROLL,
    ActionKind.END_TURN: ActionType.END_TURN,
    ActionKind.BUY_DEVELOPMENT_CARD: ActionType.BUY_DEVELOPMENT_CARD,
    ActionKind.PLAY_KNIGHT: ActionType.PLAY_KNIGHT_CARD,
    ActionKind.PLAY_ROAD_BUILDING: ActionType.PLAY_ROAD_BUILDING,
    ActionKind.ACCEPT: ActionType.ACCEPT_TRADE,
    ActionKind.REJECT: ActionType.REJECT_TRADE,
    ActionKind.PLAY_YEAR_OF_PLENTY: ActionType.PLAY_YEAR_OF_PLENTY,
    ActionKind.PLAY_MONOPOLY: ActionType.PLAY_MONOPOLY,
    ActionKind.DISCARD: DISCARD,
    ActionKind.BANK_TRADE: ActionType.MARITIME_TRADE,
    ActionKind.SETTLEMENT: ActionType.BUILD_SETTLEMENT,
    ActionKind.CITY: ActionType.BUILD_CITY,
    ActionKind.ROAD: ActionType.BUILD_ROAD,
    ActionKind.MOVE_ROBBER: ActionType.MOVE_ROBBER,
}


class Bot:
    """One of catanatron's bots, as a policy."""

    made_of: Any = RandomPlayer

    def __init__(self, seed: int = 0) -> None:
        random.seed(seed)
        self._bot = self.made_of(Color.RED)

    def act(self, view: SeatView) -> int:
        """The bot's choice; each action carries its flat index as payload."""
        actions = [
            Action(Color.RED, WORDS[action.kind], action.index)
            for action in view.legal_actions
            if action.kind != ActionKind.OFFER
        ]
        chosen: int = self._bot.decide(None, actions).value
        return chosen


class Uniform(Bot):
    """RandomPlayer: any action."""


class Weighted(Bot):
    """WeightedRandomPlayer: prefers cities to settlements to cards."""

    made_of = WeightedRandomPlayer


class Trying:
    """A bot of catanatron that tries actions on copies of a game."""

    bot = ""

    def __init__(self, seed: int = 0) -> None:
        random.seed(seed)
        self._seed = seed
        self._mirror: Mirror | None = None

    def act(self, view: SeatView) -> int:
        """The bot's choice; it is only asked if there are several actions."""
        if len(view.legal_actions) == 1:
            return int(view.legal_actions.indices[0])
        if self._mirror is None:
            self._mirror = Mirror(view.board, self._seed)
        game = self._mirror.game(view)
        speech = Speech(self._mirror.places, game.state.colors)
        ours = {}
        for theirs in game.playable_actions:
            for action in speech.choices(entry_of(theirs), view):
                if action in view.legal_actions and theirs not in ours:
                    ours[theirs] = action.index
        game.playable_actions = list(ours)
        chosen: int = ours[self._bot(game.state.current_color()).decide(game, list(ours))]
        return chosen

    def _bot(self, color: Any) -> Any:
        module, _, name = self.bot.partition(":")
        return getattr(import_module(f"catanatron.players.{module}"), name)(color)


class Points(Trying):
    """VictoryPointPlayer: an action that gives points immediately, otherwise any."""

    bot = "search:VictoryPointPlayer"


class Value(Trying):
    """ValueFunctionPlayer: the best position after one action."""

    bot = "value:ValueFunctionPlayer"


class AlphaBeta(Trying):
    """AlphaBetaPlayer: searches two actions deep."""

    bot = "minimax:AlphaBetaPlayer"
