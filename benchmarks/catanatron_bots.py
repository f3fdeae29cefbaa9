"""catanatron's bots that look at the actions alone, as policies for leagues and agents.

    catan-env league add PLACE --name weighted \\
        --command "python -m catan_env agent --policy benchmarks.catanatron_bots:Weighted"

Each legal action is said in catanatron's words and handed to its bot, whose choice is said in ours.
Its bots that search or weigh positions need a game of catanatron's own, which an agent that sees
one seat cannot give them: `benchmarks.versus_catanatron` plays those at catanatron's table.

catanatron's bots make no offers, so offers are left out. They draw from Python's global generator,
which is seeded here.
"""

import random
from typing import Any

from catanatron import Action, Color  # type: ignore[import-not-found]
from catanatron.models.enums import ActionType  # type: ignore[import-not-found]
from catanatron.models.player import RandomPlayer  # type: ignore[import-not-found]
from catanatron.players.weighted_random import (  # type: ignore[import-not-found]
    WeightedRandomPlayer,
)

from catan_env import ActionKind, SeatView

DISCARD = next(kind for kind in ActionType if kind.name.startswith("DISCARD"))
"""Its name changed between versions."""
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
        """The action that the bot chose: what an action is about goes along as its flat index."""
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
    """WeightedRandomPlayer: cities before settlements before cards."""

    made_of = WeightedRandomPlayer
