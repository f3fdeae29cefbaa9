"""A game on a page: its steps as each person or spectator sees them."""

from collections.abc import Iterable, Sequence
from typing import Any

from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.prices import PRICES
from catan_env.render.steps import Look, Steps, fixed
from catan_env.render.svg import empty_board_svg

Sight = int | None
"""A perspective: a seat, or None for spectators."""
COSTS = {kind.name: price for kind, price in PRICES.items()}
"""The cards that each purchase costs, by Resource."""


class ShownTable:
    """A game in progress, step by step, from each perspective."""

    is_full = False
    """True if spectators see every card."""

    def __init__(self, game: Game, names: Sequence[str], people: Iterable[int]) -> None:
        self.game = game
        self.names = tuple(names)
        self.board = empty_board_svg(game.board)
        """The picture of the board."""
        self.people = list(people)
        """The seats of people."""
        self.sights: dict[Sight, Steps] = {sight: Steps(names) for sight in (None, *self.people)}
        self._write(game.events)

    @property
    def step(self) -> int:
        """The number of steps."""
        return len(self.sights[None])

    def data(self, sight: Sight) -> dict[str, Any]:
        """The data with which a page begins: the table, and every step so far."""
        made = fixed(self.game, self.names, sight)
        shows_all = sight is None and self.is_full
        return {
            **made,
            "live": "full" if shows_all else True,
            "costs": COSTS,
            "trades": self.game.rules.player_trade,
            "steps": self.sights[sight].written,
        }

    def _write(self, events: tuple[Event, ...]) -> None:
        game, look = self.game, Look.at(self.game)
        everybody = range(game.seats)
        for sight, steps in self.sights.items():
            if game.is_over or (sight is None and self.is_full):
                steps.add(events, game, everybody, look)  # everything is revealed
            else:
                seen = tuple(event.redacted(sight, game.seats) for event in events)
                steps.add(seen, game, () if sight is None else (sight,), look)
