"""A policy without trades otherwise plays as before."""

import numpy as np
import pytest

from catan_env.batch import Batch
from catan_env.policies.players import TRADES, player


@pytest.mark.parametrize("name", ["greedy", "best", "random", "builder"])
def test_a_silent_player_neither_offers_nor_accepts(name: str) -> None:
    batch = Batch(8, seats=4, seed=3)
    silent, loud = player(f"silent:{name}"), player("random")
    rows = np.arange(8)
    might_trade = 0
    for _ in range(400):
        before = batch.action_masks.copy(), batch.masks.copy()
        actions = silent.choose(batch, rows[::2])
        assert not np.isin(actions, TRADES).any()
        assert (before[0][rows[::2], actions] == 1).all()
        assert (batch.action_masks == before[0]).all() and (batch.masks == before[1]).all()
        might_trade += int(before[0][::2][:, TRADES].any(axis=1).sum())
        played = loud.choose(batch, rows)
        played[::2] = actions
        batch.step(played)
    assert might_trade > 50


def test_without_legal_trades_it_plays_as_before() -> None:
    batch = Batch(16, seats=2, rules="duel", seed=3)
    silent, greedy = player("silent:greedy"), player("greedy")
    for _ in range(100):
        actions = greedy.choose(batch, np.arange(16))
        assert (silent.choose(batch, np.arange(16)) == actions).all()
        batch.step(actions)
