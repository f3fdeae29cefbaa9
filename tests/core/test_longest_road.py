"""The engine's search for the longest trail, compared with exhaustive search."""

import numpy as np

from catan_env.core.state import new_states
from catan_env.kernel.jit import JIT
from tests.core import faults, networks
from tests.core.keep import for_loops
from tests.core.recompute import PIECES_ON_BOARD, TRAIL, scratch


def test_the_longest_trail_of_any_network_is_found_from_each_of_its_roads(games: int) -> None:
    """C161-C168."""
    most = games if JIT else 20
    report, longest = np.zeros(2, np.int64), np.zeros(16, np.int64)
    networks.watch_networks(
        for_loops(new_states(1)), scratch(PIECES_ON_BOARD), scratch(TRAIL), most, longest, report
    )
    assert report[1] == faults.NONE, f"network {report[0]}"
    assert longest.sum() == most
    assert np.count_nonzero(longest) > 7, "networks of many lengths"
