"""The strongest network that comes with the package, for the table one sits at."""

from functools import lru_cache
from pathlib import Path

from catan_env.game.view import SeatView
from catan_env.policies.network import Network

WEIGHTS = Path(__file__).parent / "weights"


class Best:
    """Two seats play by `duel.npz`, or by `two.npz` where they trade, more by `four.npz`.

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
    if view.seats > 2:
        return _network("four")
    return _network("two" if view.rules.player_trade else "duel")


def load_networks() -> None:
    """Read the shipped networks before anybody's time is taken."""
    for name in ("duel", "two", "four"):
        _network(name)


@lru_cache(maxsize=3)
def _network(name: str) -> Network:
    return Network(WEIGHTS / f"{name}.npz")
