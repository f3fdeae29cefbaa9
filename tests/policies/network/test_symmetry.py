"""A position is as good in a mirror, and a symmetric network knows it."""

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

SIX = range(6)


def moved(view, facts: np.ndarray) -> np.ndarray:
    """All facts of `pointer` as they are on the board as the view shows it."""
    table, places = np.split(facts, [pointer.TABLE_FACTS], axis=1)
    result = np.empty_like(facts)
    result[:, view.of_table()] = table
    vertices = np.empty((len(facts), 54, pointer.VERTEX_FACTS), facts.dtype)
    vertices[:, view.vertices] = places.reshape(vertices.shape)
    result[:, pointer.TABLE_FACTS :] = vertices.reshape(len(facts), -1)
    return result


def agent_of(batch: Batch, **more: object) -> Agent:
    args = Args(network="symmetric", network_options={"hidden": 24, "local": 4}, **more)  # type: ignore[arg-type]
    agent = Agent(args, batch, "cpu")
    agent.network.working_type = torch.float32
    return agent


def shaken(agent: Agent) -> None:
    """Weights of any kind, so that all of them matter."""
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for array in agent.network.weights.values():
            array.normal_(0, 0.2, generator=generator)


def test_a_board_lies_upon_itself_in_six_ways_the_first_of_which_moves_nothing():
    assert len(views()) == 6
    assert all((images == np.arange(len(images))).all() for images in views()[0])
    assert len({view.vertices.tobytes() for view in views()}) == 6


@pytest.mark.parametrize("number", SIX)
def test_what_touched_still_touches_and_harbours_come_to_lie_upon_harbours(number):
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
    assert sorted(view.of_table()) == list(range(pointer.TABLE_FACTS))


def test_from_view_to_view_is_a_view():
    turns = between_views()
    for i in SIX:
        for j in SIX:
            there = views()[turns[i, j]].tiles[views()[j].tiles]
            assert (there == views()[i].tiles).all()


def seen_by(view, board: Board) -> Board:
    """The board with every tile where the view shows it, and every harbour."""
    tiles, harbours = list(board.tiles), list(board.harbours)
    for tile, image in enumerate(view.tiles):
        tiles[image] = board.tiles[tile]
    for harbour, image in enumerate(view.harbours):
        harbours[image] = board.harbours[harbour]._replace(vertices=board.harbours[image].vertices)
    return Board(tuple(tiles), tuple(harbours))


def facts_of(batch: Batch) -> np.ndarray:
    return pointer.facts(batch.observations.astype(np.float32), pointer.tables(), np.concatenate)


@pytest.mark.parametrize("number", SIX)
def test_a_mirrored_game_goes_as_the_game_itself_to_its_end(number):
    view, board = views()[number], Game(seed=number).board
    games = Batch(12, board=board, seed=9, max_turns=80, autoreset=False)
    mirrored = Batch(12, board=seen_by(view, board), seed=9, max_turns=80, autoreset=False)
    images = view.of_actions()
    while (games.done == GOES_ON).any():
        chosen = games.sample_legal()  # STAY in games that are over
        games.step(chosen)
        mirrored.step(np.where(chosen == STAY, STAY, images[chosen]))
        goes_on = games.done == GOES_ON
        assert (mirrored.done == games.done).all()
        assert (mirrored.action_masks[goes_on][:, images] == games.action_masks[goes_on]).all()
        assert (facts_of(mirrored)[goes_on] == moved(view, facts_of(games))[goes_on]).all()
    assert (mirrored.rewards == games.rewards).all()


@pytest.mark.parametrize("trade", [False, True])
def test_a_symmetric_network_decides_alike_however_the_board_lies(trade):
    batch = catan(64, seats=4, trade=trade, seed=5)
    agent = agent_of(batch)
    shaken(agent)
    for _ in range(200):
        batch.step(batch.sample_legal())
    facts = facts_of(batch)
    with torch.no_grad():
        outputs, values = agent.network(torch.from_numpy(facts))
        for view in views():
            shown, worth = agent.network(torch.from_numpy(moved(view, facts)))
            images = view.of_actions()[: outputs.shape[1]]
            torch.testing.assert_close(shown[:, images], outputs, atol=1e-4, rtol=1e-4)
            torch.testing.assert_close(worth, values, atol=1e-4, rtol=1e-4)
    assert outputs.std() > 0.1


def test_it_learns_between_two_times_of_deciding():
    """What it decides with is kept while nothing is learned, and no longer."""
    batch = catan(64, seats=2, rules="duel", seed=5)
    agent = agent_of(batch)
    masks = np.packbits(batch.action_masks, axis=1)
    before = agent.logits(batch.observations, masks)
    features = agent.network.features(torch.from_numpy(batch.observations))
    agent.network(features)[1].sum().backward()
    torch.optim.SGD(agent.network.parameters(), lr=1e-2).step()
    assert (agent.logits(batch.observations, masks) != before).any()


def test_it_is_gone_on_with_from_a_weights_file(tmp_path):
    batch = catan(64, seats=2, rules="duel", seed=5)
    agent = agent_of(batch)
    shaken(agent)
    agent.network.save(tmp_path / "net.npz")
    again = agent_of(batch, initial_weights=str(tmp_path / "net.npz"), seed=2)
    again.network.save(tmp_path / "again.npz")
    first, second = read(tmp_path / "net.npz"), read(tmp_path / "again.npz")
    for name, array in first.items():
        if array.ndim:  # else it is no weights, but says what they are for
            np.testing.assert_allclose(second[name], array, atol=2e-3)


def test_what_was_learned_with_trade_is_gone_on_with_where_nobody_trades(tmp_path):
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


def test_weights_that_are_not_alike_in_all_views_are_refused(tmp_path):
    batch = catan(64, seats=2, rules="duel", seed=5)
    plain = Agent(Args(network_options={"hidden": 24, "local": 4}), batch, "cpu").network
    plain.save(tmp_path / "plain.npz")
    with pytest.raises(ValueError, match="differs between the views of a board"):
        agent_of(batch, initial_weights=str(tmp_path / "plain.npz"))
    with pytest.raises(ValueError, match="hidden 25 is not a multiple of 6"):
        Agent(Args(network="symmetric", network_options={"hidden": 25}), batch, "cpu")


def test_a_mirrored_file_answers_the_mean_of_all_views_and_so_the_same_in_each(tmp_path):
    batch = catan(40, seats=2, rules="duel", seed=5)
    for _ in range(200):
        batch.step(batch.sample_legal())
    network = Agent(
        Args(network="mirrored", network_options={"hidden": 16, "local": 4}), batch, "cpu"
    )
    shaken(network)
    network.network.save(tmp_path / "net.npz")
    weights = {name: array for name, array in read(tmp_path / "net.npz").items() if array.ndim}
    save_pointer(tmp_path / "plain.npz", weights)
    mirrored, plain = Network(tmp_path / "net.npz"), Network(tmp_path / "plain.npz")
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
    images = view.of_table()[: observations.shape[1]]
    seen = np.empty_like(observations)
    seen[:, images] = observations
    return seen
