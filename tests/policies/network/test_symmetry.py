"""Symmetric positions are equivalent, and a symmetric network treats them equally."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from catan_env.batch import GOES_ON, STAY, Batch
from catan_env.core.actions import NUM_ACTIONS
from catan_env.game import geometry
from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.policies.network import Network, pointer, read, save_pointer
from catan_env.policies.network.symmetry import between_views, views
from catan_env.training.agent import Agent
from catan_env.training.games import catan
from catan_env.training.self_play import Args

pytestmark = pytest.mark.torch
SIX = range(6)
tables = cache(pointer.tables)


def moved(view, inputs: np.ndarray) -> np.ndarray:
    """All inputs of `pointer` on the board as the view shows it."""
    table, places = np.split(inputs, [pointer.TRUNK_INPUTS], axis=1)
    result = np.empty_like(inputs)
    result[:, view.of_trunk()] = table
    vertices = np.empty((len(inputs), 54, pointer.VERTEX_INPUTS), inputs.dtype)
    vertices[:, view.vertices] = places.reshape(vertices.shape)
    result[:, pointer.TRUNK_INPUTS :] = vertices.reshape(len(inputs), -1)
    return result


def agent_of(batch: Batch, **more: object) -> Agent:
    args = Args(network="symmetric", network_options={"hidden": 24, "local": 4}, **more)  # type: ignore[arg-type]
    agent = Agent(args, batch, "cpu")
    agent.network.working_type = torch.float32
    return agent


def shaken(agent: Agent) -> None:
    """Random weights, so that all of them matter."""
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for array in agent.network.weights.values():
            array.normal_(0, 0.2, generator=generator)


def test_the_board_has_six_symmetries_of_which_the_first_moves_nothing():
    assert len(views()) == 6
    assert all((images == np.arange(len(images))).all() for images in views()[0])
    assert len({view.vertices.tobytes() for view in views()}) == 6


@pytest.mark.parametrize("number", SIX)
def test_symmetries_preserve_adjacency_and_harbours(number):
    view = views()[number]
    for tile, corners in enumerate(geometry.TILE_VERTICES):
        image = geometry.TILE_VERTICES[view.tiles[tile]]
        assert {view.vertices[v] for v in corners} == set(image)
    for edge, ends in enumerate(geometry.EDGE_VERTICES):
        assert {view.vertices[v] for v in ends} == set(geometry.EDGE_VERTICES[view.edges[edge]])
    for harbour, edge in enumerate(geometry.STANDARD_HARBOUR_EDGES):
        image = geometry.STANDARD_HARBOUR_EDGES[view.harbours[harbour]]
        assert view.edges[edge] == image


@pytest.mark.parametrize("number", SIX)
def test_a_turned_view_is_a_reordering(number):
    view = views()[number]
    assert sorted(view.of_actions()) == list(range(NUM_ACTIONS))
    assert sorted(view.of_trunk()) == list(range(pointer.TRUNK_INPUTS))


def test_from_view_to_view_is_a_view():
    turns = between_views()
    for i in SIX:
        for j in SIX:
            there = views()[turns[i, j]].tiles[views()[j].tiles]
            assert (there == views()[i].tiles).all()


def seen_by(view, board: Board) -> Board:
    """The board with every tile and harbour where the view shows it."""
    tiles, harbours = list(board.tiles), list(board.harbours)
    for tile, image in enumerate(view.tiles):
        tiles[image] = board.tiles[tile]
    for harbour, image in enumerate(view.harbours):
        harbours[image] = board.harbours[harbour]._replace(vertices=board.harbours[image].vertices)
    return Board(tuple(tiles), tuple(harbours))


def inputs_of(batch: Batch) -> np.ndarray:
    return pointer.inputs(batch.observations.astype(np.float32), tables(), np.concatenate)


OFTEN = (1, 3, 5)
"""A turn and two mirrors; the tests above show that these lead to all six."""


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=() if n in OFTEN else pytest.mark.nightly) for n in SIX]
)
def test_a_mirrored_game_goes_as_the_game_itself_to_its_end(number):
    view, board = views()[number], Game(seed=number).board
    games = Batch(6, board=board, seed=9, max_turns=80, autoreset=False)
    mirrored = Batch(6, board=seen_by(view, board), seed=9, max_turns=80, autoreset=False)
    images = view.of_actions()
    while (games.done == GOES_ON).any():
        chosen = games.sample_legal()  # STAY in games that are over
        games.step(chosen)
        mirrored.step(np.where(chosen == STAY, STAY, images[chosen]))
        goes_on = games.done == GOES_ON
        assert (mirrored.done == games.done).all()
        assert (mirrored.action_masks[goes_on][:, images] == games.action_masks[goes_on]).all()
        assert (inputs_of(mirrored)[goes_on] == moved(view, inputs_of(games))[goes_on]).all()
    assert (mirrored.rewards == games.rewards).all()


@pytest.mark.parametrize("trade", [False, True])
def test_a_symmetric_network_decides_equally_in_every_orientation(trade):
    batch = catan(64, seats=4, trade=trade, seed=5)
    agent = agent_of(batch)
    shaken(agent)
    for _ in range(200):
        batch.step(batch.sample_legal())
    inputs = inputs_of(batch)
    with torch.no_grad():
        outputs, values = agent.network(torch.from_numpy(inputs))
        for view in views():
            shown, moved_values = agent.network(torch.from_numpy(moved(view, inputs)))
            images = view.of_actions()[: outputs.shape[1]]
            # PyTorch's assert_close would import 40 MB.
            np.testing.assert_allclose(shown[:, images], outputs, atol=1e-4, rtol=1e-4)
            np.testing.assert_allclose(moved_values, values, atol=1e-4, rtol=1e-4)
    assert outputs.std() > 0.1


def test_it_trains_between_two_decisions():
    """Derived weights are cached until the next training step."""
    batch = catan(64, seats=2, rules="duel", seed=5)
    agent = agent_of(batch)
    masks = np.packbits(batch.action_masks, axis=1)
    before = agent.logits(batch.observations, masks)
    features = agent.network.features(torch.from_numpy(batch.observations))
    agent.network(features)[1].sum().backward()
    torch.optim.SGD(agent.network.parameters(), lr=1e-2).step()
    assert (agent.logits(batch.observations, masks) != before).any()


def test_training_continues_from_a_weights_file(tmp_path):
    batch = catan(64, seats=2, rules="duel", seed=5)
    agent = agent_of(batch)
    shaken(agent)
    agent.network.save(tmp_path / "net.npz")
    again = agent_of(batch, initial_weights=str(tmp_path / "net.npz"), seed=2)
    again.network.save(tmp_path / "again.npz")
    first, second = read(tmp_path / "net.npz"), read(tmp_path / "again.npz")
    for name, array in first.items():
        if array.ndim:  # otherwise it is metadata, not weights
            np.testing.assert_allclose(second[name], array, atol=2e-3)


def test_training_with_trade_continues_without_trade(tmp_path):
    traders = agent_of(catan(8, seats=4, seed=5))
    shaken(traders)
    traders.network.save(tmp_path / "net.npz")
    table = catan(64, seats=4, trade=False, seed=5)
    for _ in range(200):
        table.step(table.sample_legal())
    silent = agent_of(table, initial_weights=str(tmp_path / "net.npz"))
    shown = table.observations, np.packbits(table.action_masks, axis=1)
    logits = silent.logits(*shown)
    assert logits.shape[1] < traders.logits(*shown).shape[1]
    np.testing.assert_allclose(logits, traders.logits(*shown)[:, : logits.shape[1]], atol=0.02)


def test_weights_that_differ_between_views_are_refused(tmp_path):
    batch = catan(64, seats=2, rules="duel", seed=5)
    plain = Agent(Args(network_options={"hidden": 24, "local": 4}), batch, "cpu").network
    plain.save(tmp_path / "plain.npz")
    with pytest.raises(ValueError, match="differs between the views of a board"):
        agent_of(batch, initial_weights=str(tmp_path / "plain.npz"))
    with pytest.raises(ValueError, match="hidden 25 is not a multiple of 6"):
        Agent(Args(network="symmetric", network_options={"hidden": 25}), batch, "cpu")


def test_weights_loaded_between_decisions_decide_from_then_on():
    batch = catan(8, seats=2, rules="duel", seed=5)
    agent, other = agent_of(batch), agent_of(batch)
    shaken(other)
    shown = batch.observations, np.packbits(batch.action_masks, axis=1)
    before = agent.logits(*shown)
    agent.network.load_state_dict(other.network.state_dict())
    assert not np.array_equal(agent.logits(*shown), before)
    assert np.array_equal(agent.logits(*shown), other.logits(*shown))


def after_many_actions(seats: int, rules: str) -> Batch:
    """Games that have been played at random."""
    batch = catan(40, seats=seats, rules=rules, seed=5)
    for _ in range(200):
        batch.step(batch.sample_legal())
    return batch


def mirrored_and_plain(batch: Batch, folder: Path) -> tuple[Network, Network]:
    """A mirrored network with random weights, and the same weights without their mirror images."""
    agent = Agent(
        Args(network="mirrored", network_options={"hidden": 16, "local": 4}), batch, "cpu"
    )
    shaken(agent)
    agent.network.save(folder / "net.npz")
    weights = {name: array for name, array in read(folder / "net.npz").items() if array.ndim}
    save_pointer(folder / "plain.npz", weights)
    return Network(folder / "net.npz"), Network(folder / "plain.npz")


def test_a_mirrored_file_returns_the_mean_of_all_views_and_is_symmetric(tmp_path):
    batch = after_many_actions(seats=2, rules="duel")
    mirrored, plain = mirrored_and_plain(batch, tmp_path)
    observations, played = batch.observations, slice(pointer.PLAIN_ACTIONS)
    answers = mirrored.outputs(observations)
    assert not np.allclose(answers[:, played], plain.outputs(observations)[:, played], atol=0.01)
    sum_of_views = np.zeros_like(answers[:, played])
    for view in views():
        seen = seen_in(view, observations)
        images = view.of_actions()[played]
        np.testing.assert_allclose(
            mirrored.outputs(seen)[:, images], answers[:, played], rtol=1e-3, atol=1e-3
        )
        sum_of_views += plain.outputs(seen)[:, images]
    np.testing.assert_allclose(answers[:, played], sum_of_views / 6, rtol=1e-3, atol=1e-3)
    for row in (0, 17):
        alone = mirrored.outputs(observations[row : row + 1])[:, played]
        np.testing.assert_allclose(alone[0], answers[row, played], rtol=1e-3, atol=1e-3)


def seen_in(view, observations: np.ndarray) -> np.ndarray:
    """Observations of the same positions on the board as the view shows it."""
    images = view.of_trunk()[: observations.shape[1]]
    seen = np.empty_like(observations)
    seen[:, images] = observations
    return seen


def test_a_mirrored_network_that_trades_has_an_output_for_every_action(tmp_path):
    batch = after_many_actions(seats=3, rules="base")
    mirrored, plain = mirrored_and_plain(batch, tmp_path)
    mean = np.zeros((len(batch.observations), NUM_ACTIONS))
    for view in views():
        mean += plain.outputs(seen_in(view, batch.observations))[:, view.of_actions()] / 6
    np.testing.assert_allclose(mirrored.outputs(batch.observations), mean, rtol=1e-3, atol=1e-3)
