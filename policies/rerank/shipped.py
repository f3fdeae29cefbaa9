"""The networks that ship with the package, by table."""

from functools import cache
from pathlib import Path

from catan_env.policies.rerank.network import RerankNetwork

WEIGHTS = Path(__file__).resolve().parents[1] / "weights"
FILES = {
    (3, False): "rerank_three_no_trade",
    (3, True): "rerank_three",
    (4, False): "rerank_four_no_trade",
    (4, True): "rerank_four",
}
"""The weights file for a number of seats that do not trade with each other, or do."""


@cache
def shipped_network(seats: int, player_trade: bool) -> RerankNetwork | None:
    """The network for such a table; None if there is none."""
    name = FILES.get((seats, player_trade))
    return None if name is None else RerankNetwork(WEIGHTS / f"{name}.npz")
