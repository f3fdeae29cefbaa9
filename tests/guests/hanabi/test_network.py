"""Networks as policies: colour symmetry, and refusals of weights for other tables."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.batch import ENDED, STAY, Batch
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.policies import colours, load_policy
from catan_env.guests.hanabi.policies.network import LEARNT, Network
from catan_env.guests.hanabi.rules import OFFICIAL, Rules

Array = np.ndarray[Any, Any]


def weights(players: int, seed: int = 0) -> dict[str, Array]:
    draw = np.random.default_rng(seed)
    shapes = colours.shapes(OFFICIAL, players, local=8, hidden=16)
    return {name: draw.normal(0, 0.3, shape) for name, shape in shapes.items()}


def written(folder: Path, players: int = 2) -> Path:
    colours.save(folder / "net.npz", weights(players), OFFICIAL, players)
    return folder / "net.npz"


@pytest.mark.parametrize("players", [2, 5])
def test_relabelled_colours_give_relabelled_outputs(players: int, tmp_path: Path) -> None:
    network = Network(written(tmp_path, players))
    new = [3, 0, 4, 1, 2]  # the new label of each colour
    batch = Batch(16, players=players, seed=2)
    other = Batch(16, players=players, seed=2)
    decks = [[Card(new[card.colour], card.number) for card in batch.deck(i)] for i in range(16)]
    other.deal(decks)
    named = 2 * OFFICIAL.cards_in_hand(players)
    relabel = np.arange(batch.num_actions)
    for target in range(players - 1):
        for colour in range(5):
            relabel[named + 5 * target + colour] = named + 5 * target + new[colour]
    for _ in range(8):
        here = network.outputs(batch.observations, OFFICIAL, players)
        there = network.outputs(other.observations, OFFICIAL, players)
        np.testing.assert_allclose(there[:, relabel], here, atol=1e-4)
        actions = batch.sample_legal()
        batch.step(actions)
        other.step(relabel[actions])
        if batch.done.any():
            break


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_column_is_used_once(players: int) -> None:
    order = colours.tables(OFFICIAL, players)["order"]
    assert sorted(order.tolist()) == list(range(len(order)))
    assert len(order) == Batch(1, players=players).observation_size


@pytest.mark.torch
def test_torch_and_numpy_give_the_same_outputs(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    networks = pytest.importorskip("catan_env.training.networks")
    batch = Batch(32, players=3, seed=1)
    learned = networks.network_called(colours.__name__)(batch, local=16, hidden=32)
    for _ in range(9):
        batch.step(batch.sample_legal())
    learned.save(tmp_path / "net.npz")
    with torch.no_grad():
        expected, _ = learned(learned.features(torch.from_numpy(batch.observations)))
    found = Network(tmp_path / "net.npz").outputs(batch.observations, OFFICIAL, 3)
    np.testing.assert_allclose(found, expected.numpy(), atol=5e-3)
    again = networks.network_called(colours.__name__)(batch, local=16, hidden=32)
    again.load(tmp_path / "net.npz")
    for name, array in again.arrays().items():
        np.testing.assert_allclose(array, learned.arrays()[name], atol=1e-3)


@pytest.mark.torch
def test_a_file_and_its_card_state_the_game(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    cards = pytest.importorskip("catan_env.training.cards")
    shown = cards.card(written(tmp_path), {}, [])
    assert "for `hanabi`; observation layout 1 of size 658" in shown


def test_a_network_is_refused_at_another_table(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="observations of 658 bits; those of this table have 956"):
        Network(written(tmp_path)).act(Game(3).view(0))
    with pytest.raises(ValueError, match="wild cards"):
        colours.columns(Rules(multicolour="wild"), 2)


def test_a_file_that_is_not_a_weights_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.npz"
    path.write_bytes(b"PK")
    with pytest.raises(ValueError, match="broken"):
        load_policy(str(path))
    np.savez(path, kind=np.array("transformer"))
    with pytest.raises(ValueError, match="allowed are layers, colours"):
        load_policy(str(path))
    np.savez(path, kind=np.array("colours"))
    with pytest.raises(ValueError, match="not a weights file"):
        load_policy(str(path))
    spoilt = {name: array for name, array in weights(2).items() if name != "query"}
    colours.save(path, spoilt, OFFICIAL, 2)
    with pytest.raises(ValueError, match="'query'"):
        load_policy(str(path)).act(Game(2).view(0))
    with pytest.raises(ValueError, match="not finite"):
        colours.save(path, {"value": np.array([np.inf])}, OFFICIAL, 2)


def scores(network: Network, games: int) -> Array:
    """The network's scores in self-play of two."""
    batch = Batch(games, players=2, seed=77, autoreset=False)
    result = np.full(games, -1)
    while (result < 0).any():
        outputs = network.outputs(batch.observations, OFFICIAL, 2)
        actions = np.where(batch.action_masks != 0, outputs, -np.inf).argmax(axis=1)
        batch.step(np.where(result < 0, actions, STAY))
        over = (result < 0) & (batch.done == ENDED)
        result[over] = batch.score[over]
    return result


def test_the_shipped_network_scores_what_its_card_says() -> None:
    found = scores(Network(LEARNT), 200)
    assert found.mean() > 17.5 and (found == 0).mean() < 0.05
