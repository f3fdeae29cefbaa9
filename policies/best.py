"""The strongest network that comes with the package, for the table one sits at."""

from functools import lru_cache
from pathlib import Path

from catan_env.game.view import SeatView
from catan_env.policies.network import Network

WEIGHTS = Path(__file__).parent / "weights"
NETWORKS = ("duel", "two", "four", "four_no_trade")


class Best:
    """Two seats play by `duel.npz`, or by `two.npz` where they trade; more by `four.npz`.

    Where three or four do not trade, they play by `four_no_trade.npz`.

    It draws nothing, so the seed changes nothing. The cards beside the weights say how they play,
    with NumPy alone.

    >>> from catan_env import Game
    >>> Best().act(Game(seed=7).view(0)) in range(52, 106)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, view: SeatView) -> int:
        """The legal action that the network puts first."""
        return network_for(view).act(view)


def network_for(view: SeatView) -> Network:
    """The shipped network for a table like that of the view."""
    trading, silent = ("two", "duel") if view.seats == 2 else ("four", "four_no_trade")
    return _network(trading if view.rules.player_trade else silent)


def load_networks() -> None:
    """Read the shipped networks before anybody's time is taken."""
    for name in NETWORKS:
        _network(name)


@lru_cache(maxsize=len(NETWORKS))
def _network(name: str) -> Network:
    return Network(WEIGHTS / f"{name}.npz")
