"""catanatron's bots that try actions on copies of a game, as policies, for catanatron 3.3.

    catan-env play catanatron:value greedy --rules duel

The copies are made from the seat's view, with its hidden information drawn at random
(`catan_env.catanatron.mirror`). The bots make no offers, and reject all: an accepted trade moves no
cards in catanatron before the other seat confirms it.
"""

from importlib import import_module
from typing import Any

from catan_env.catanatron.bots import Chance
from catan_env.catanatron.log import HAS_RECORDS, described, entry_of
from catan_env.catanatron.needed import newer_needed_for
from catan_env.catanatron.speech import Speech
from catan_env.core.actions import REJECT_ACTION
from catan_env.core.constants import Phase
from catan_env.game.view import SeatView

if not HAS_RECORDS:
    raise newer_needed_for("this bot", described())

from catan_env.catanatron.mirror import Mirror


class Trying:
    """A bot of catanatron that tries actions on copies of a game."""

    bot = ""

    def __init__(self, seed: int = 0) -> None:
        self._chance = Chance(seed)
        self._seed = seed
        self._mirror: Mirror | None = None

    def act(self, view: SeatView) -> int:
        """The bot's choice; it is only asked if there are several actions."""
        if len(view.legal_actions) == 1:
            return int(view.legal_actions.indices[0])
        if view.phase == Phase.ANSWER:
            return REJECT_ACTION
        with self._chance.drawn():
            return self._choice(view)

    def _choice(self, view: SeatView) -> int:
        if self._mirror is None or self._mirror.board != view.board:
            self._mirror = Mirror(view.board, self._seed)
        game = self._mirror.game(view)
        speech = Speech(self._mirror.places, game.state.colors)
        ours: dict[Any, int] = {}
        for theirs in game.playable_actions:
            for action in speech.choices(entry_of(theirs), view):
                if action in view.legal_actions and theirs not in ours:
                    assert action.index is not None
                    ours[theirs] = action.index
        game.playable_actions = list(ours)
        return ours[self._bot(game.state.current_color()).decide(game, list(ours))]

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
