"""The trained networks shipped with the package, for each number of seats."""

from functools import lru_cache
from pathlib import Path

from catan_env.game.view import SeatView
from catan_env.policies.network.network import Network

WEIGHTS = Path(__file__).parents[1] / "weights"
NETWORKS = ("duel", "two", "four", "four_no_trade")


class Shipped:
    """Plays `duel.npz` with two seats, `two.npz` if they trade, and `four.npz` with three or four.

    Three or four seats that do not trade play `four_no_trade.npz`.

    It makes no random choices, so the seed has no effect. The cards next to the weights list their
    results, with NumPy alone.

    >>> from catan_env import Game
    >>> Shipped().act(Game(seed=7).view(0)) in range(52, 106)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, view: SeatView) -> int:
        """The legal action with the highest output of the network."""
        return network_for(view).act(view)


def network_for(view: SeatView) -> Network:
    """The shipped network for the number of seats and the trade rules of the view."""
    trading, silent = ("two", "duel") if view.seats == 2 else ("four", "four_no_trade")
    return _network(trading if view.rules.player_trade else silent)


def load_networks() -> None:
    """Load the shipped networks before any time is measured."""
    for name in NETWORKS:
        _network(name)


@lru_cache(maxsize=len(NETWORKS))
def _network(name: str) -> Network:
    return Network(WEIGHTS / f"{name}.npz")
