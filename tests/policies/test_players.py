"""A policy without trades otherwise plays as before."""

import numpy as np
import pytest

from catan_env.batch import Batch
from catan_env.core.actions import ACCEPT_ACTION, OFFER_WORD, SIMPLE_WORD
from catan_env.failure import PolicyError
from catan_env.kernel.rng import word_at
from catan_env.policies.players import TRADES, Silent, first_words, player


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


def test_after_an_error_of_its_player_the_masks_of_a_silent_one_are_as_before() -> None:
    class Broken:
        reads_arrays = True

        def choose(self, batch: Batch, rows: np.ndarray) -> np.ndarray:
            raise ValueError("no weights")

    batch = Batch(8, seats=4, seed=3)
    for _ in range(60):
        batch.step(batch.sample_legal())
    before = batch.action_masks.copy(), batch.masks.copy()
    with pytest.raises(PolicyError, match="no weights"):
        Silent(Broken()).choose(batch, np.arange(8))
    assert before[0][:, TRADES].any()
    assert (batch.action_masks == before[0]).all() and (batch.masks == before[1]).all()


class Watched:
    """A random player that notes which trades were legal in the packed masks."""

    reads_arrays = True

    def __init__(self) -> None:
        self.drawn, self.legal = player("random"), 0

    def choose(self, batch: Batch, rows: np.ndarray) -> np.ndarray:
        """Any legal action."""
        self.legal += trades_in(batch, rows)
        return self.drawn.choose(batch, rows)


def trades_in(batch: Batch, rows: np.ndarray) -> int:
    """The number of trades in the packed masks that the native policies read."""
    accepted = batch.masks[rows, SIMPLE_WORD] >> ACCEPT_ACTION & 1
    return int(accepted.sum() + (batch.masks[rows, OFFER_WORD:] != 0).sum())


def test_a_silent_player_has_no_trades_in_its_packed_masks() -> None:
    batch, rows = Batch(8, seats=4, seed=3), np.arange(8)
    watched, loud = Watched(), player("random")
    accepts = 0
    for _ in range(400):
        accepts += int((batch.masks[:, SIMPLE_WORD] >> ACCEPT_ACTION & 1).sum())
        Silent(watched).choose(batch, rows)
        batch.step(loud.choose(batch, rows))
    assert accepts > 50 and watched.legal == 0


def test_without_legal_trades_it_plays_as_before() -> None:
    batch = Batch(16, seats=2, rules="duel", seed=3)
    silent, greedy = player("silent:greedy"), player("greedy")
    for _ in range(100):
        actions = greedy.choose(batch, np.arange(16))
        assert (silent.choose(batch, np.arange(16)) == actions).all()
        batch.step(actions)


def drawn_with(seed: int) -> list[int]:
    """The random player's first choices in 64 games."""
    return player("random", seed).choose(Batch(64, seats=2, seed=1), np.arange(64)).tolist()


def test_a_random_player_takes_every_seed() -> None:
    seeds = [0, 1, 2**31, 2**32 - 1, 2**32, 2**40 + 1, 2**62 - 1, 2**63 + 5, 2**64 - 1]
    drawn = [drawn_with(seed) for seed in seeds]
    assert len({tuple(actions) for actions in drawn}) == len(seeds)


def test_the_words_of_many_seeds_are_those_of_the_engine() -> None:
    seeds = np.array([0, 1, 2**63 - 1], np.uint64)
    assert first_words(seeds).tolist() == [int(word_at(int(seed), 1)) for seed in seeds]
