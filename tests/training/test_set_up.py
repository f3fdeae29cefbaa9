"""Learning where to settle: labels, what is learned, and runs that continue."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from catan_env import Rules  # noqa: E402
from catan_env.batch import Batch  # noqa: E402
from catan_env.core.constants import PLACE_SETTLEMENT  # noqa: E402
from catan_env.core.doors import redact  # noqa: E402
from catan_env.core.state import doorway, new_states  # noqa: E402
from catan_env.policies.greedy import rank  # noqa: E402
from catan_env.policies.search import playouts  # noqa: E402
from catan_env.policies.set_up import SetUp, SetUpNetwork  # noqa: E402
from catan_env.policies.set_up.set_up import CANDIDATES  # noqa: E402
from catan_env.policies.value.scratch import Scratch, row  # noqa: E402
from catan_env.policies.value.weights import weights_for  # noqa: E402
from catan_env.policies.value.win_network import WinNetwork, num_features  # noqa: E402
from catan_env.training.value_function.rerank.decisions import Decisions  # noqa: E402
from catan_env.training.value_function.rerank.net import Net, learn  # noqa: E402
from catan_env.training.value_function.set_up import placements as in_set_up  # noqa: E402
from catan_env.training.value_function.set_up.__main__ import (  # noqa: E402
    arguments,
    main,
    network_of,
    parts_of,
)
from catan_env.training.value_function.set_up.parts import write  # noqa: E402
from catan_env.training.value_function.set_up.placements import Labels, placements  # noqa: E402


def batch_of(seats, games=4, seed=3):
    return Batch(games, seats=seats, seed=seed, observations=False)


@pytest.fixture(scope="module")
def known():
    return placements(Labels(4, 2, 1), batch_of(4), 50, np.random.default_rng(3))


def test_each_settlement_has_its_candidates_and_a_win_probability_for_each(known):
    assert known.inputs.shape == (50, CANDIDATES, num_features(4))
    there = ~np.isnan(known.wins)
    assert there[:, :2].all() and ((known.wins[there] >= 0) & (known.wins[there] <= 1)).all()
    assert not known.inputs[~there].any() and np.ptp(known.wins[there]) > 0.1


def test_the_inputs_are_of_positions_after_the_set_up(known):
    """A seat then has three settlements left of five and thirteen roads of fifteen, in turn 1."""
    there = known.inputs[~np.isnan(known.wins)]
    pieces, turn = there[:, 6:8], there[:, -2]
    assert (pieces == [13, 3]).all() and (turn == 1).all()


def test_a_label_is_the_mean_of_playouts_with_the_same_dice_for_all_candidates():
    batch = batch_of(3, games=1)
    moves = rank(batch, 5)[0][0]
    _, wins = Labels(3, 7, 2).label(batch.states, moves, 77)
    seen, sums = batch.states.copy(), np.zeros(5)
    redact(doorway(seen), 0, int(seen["seat"][0]))
    memory = *WinNetwork(3).memory, row(weights_for(3)), *Scratch().memory
    worlds = doorway(new_states(playouts.WORLDS))
    playouts.try_candidates(doorway(seen), worlds, moves, 5, sums, 77, 0, 7, 6, *memory)
    assert wins == pytest.approx(sums / 7)


def test_the_inputs_are_what_the_policy_rates(tmp_path):
    draw = np.random.default_rng(2)
    np.save(tmp_path / "net.npy", draw.normal(size=(num_features(4) + 2, 5)) / 10)
    network, batch = SetUpNetwork(tmp_path / "net.npy", 4), batch_of(4, games=1)
    moves, wins = SetUp(network, 1).rated(batch.view(0, int(batch.seat[0])))
    inputs, _ = Labels(4, 1, 1).label(batch.states, moves, 1)
    units = np.maximum(inputs @ network.weights[:-2] + network.weights[-2], 0)
    assert wins == pytest.approx(1 / (1 + np.exp(-units @ network.weights[-1])))


def test_the_written_network_is_the_one_that_learned():
    draw = np.random.default_rng(5)
    shape = 4000, CANDIDATES
    inputs = draw.normal(size=(*shape, num_features(2))).astype(np.float16)
    wins = (1 / (1 + np.exp(-inputs[..., 3].astype(np.float32)))).astype(np.float32)
    learned = learn(Decisions(inputs, np.zeros_like(wins), wins), seed=1, units=8)
    assert learned.gain > 0.1  # it has begun to learn
    weights, some = network_of(learned.net), inputs[:50].astype(np.float32)
    odds = np.maximum(some @ weights[:-2] + weights[-2], 0) @ weights[-1]
    with torch.no_grad():
        chances = learned.net(torch.from_numpy(some), torch.zeros(50, CANDIDATES)).numpy()
    assert 1 / (1 + np.exp(-odds)) == pytest.approx(chances, abs=1e-5)


def test_a_net_that_has_not_learned_rates_all_places_alike():
    zeros, ones = (np.full(num_features(2), value, np.float32) for value in (0, 1))
    weights = network_of(Net(zeros, ones, 4))
    assert weights.shape == (num_features(2) + 2, 5) and not weights[-1].any()


def test_set_ups_are_played_in_new_games_until_there_are_enough():
    batch, draw = batch_of(2, games=2), np.random.default_rng(1)
    seeds = set()
    reset = batch.reset
    batch.reset = lambda seed: (seeds.add(seed), reset(seed))[1]
    found = placements(Labels(2, 1, 1), batch, 20, draw)
    assert len(seeds) == 3 and not np.isnan(found.wins[:, 0]).any()  # 4 settlements a game
    assert (batch.states["phase"] == PLACE_SETTLEMENT).any()


@pytest.mark.parametrize("strong", [0, 1])
def test_a_strong_seat_settles_where_it_wins_most_often_another_one_as_greedy(strong, monkeypatch):
    monkeypatch.setattr(in_set_up, "STRONG", strong)
    monkeypatch.setattr(in_set_up, "STRAYS", 0)
    batch, settled = batch_of(3, games=1), []
    play = batch.play

    def watched(chosen):
        if batch.states["phase"][0] == PLACE_SETTLEMENT:
            settled.append(rank(batch, CANDIDATES)[0][0].tolist().index(chosen[0]))
        play(chosen)

    batch.play = watched
    wins = placements(Labels(3, 2, 1), batch, 7, np.random.default_rng(1)).wins
    best = np.nanargmax(wins, axis=1)
    assert settled == (best if strong else np.zeros(7)).tolist() and best.any()


@pytest.mark.parametrize(("options", "trade"), [([], True), (["--no-trade"], False)])
def test_seats_trade_with_each_other_unless_the_run_says_otherwise(options, trade, tmp_path):
    small = "--seats", "4", "--settlements", "20", "--worlds", "1", "--ahead", "2"
    (part,) = parts_of(arguments([str(tmp_path), *small, *options]))
    write(part)
    found, expected = np.load(part.path)["wins"], {}
    for trades in (True, False):
        rules = replace(Rules.base(), player_trade=trades)
        batch = Batch(64, seats=4, rules=rules, seed=1, observations=False)
        draw = np.random.default_rng(part.seed)
        expected[trades] = placements(Labels(4, 1, 2), batch, 20, draw).wins
    np.testing.assert_array_equal(found, expected[trade])
    assert (expected[True] != expected[False]).any()


def test_a_run_continues_after_its_last_file_and_ends_the_same(tmp_path, capsys):
    options = ["--seats", "2", "--no-trade", "--settlements", "40", "--ahead", "1", "--units", "4"]
    main([str(tmp_path / "a"), *options])
    assert "40 settlements; gains" in capsys.readouterr().out
    whole = (tmp_path / "a" / "set_up.npy").read_bytes()
    (tmp_path / "a" / "set_up.npy").unlink()
    kept = (tmp_path / "a" / "000.npz").stat().st_mtime_ns
    main([str(tmp_path / "a"), *options])
    assert (tmp_path / "a" / "set_up.npy").read_bytes() == whole
    assert (tmp_path / "a" / "000.npz").stat().st_mtime_ns == kept
    program = [sys.executable, "-m", "catan_env.training.value_function.set_up"]
    subprocess.run([*program, str(tmp_path / "b"), *options, "--workers", "2"], check=True)
    assert (tmp_path / "b" / "set_up.npy").read_bytes() == whole
    SetUpNetwork(tmp_path / "b" / "set_up.npy", 2)
    with pytest.raises(SystemExit):
        main([str(tmp_path / "b"), *options, "--seed", "2"])
    assert "was begun with seed = 1, which is now 2" in capsys.readouterr().err


def test_a_file_is_no_folder_of_a_run(tmp_path, capsys):
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit):
        main([str(tmp_path / "file"), "--device", "cpu"])
    (line,) = capsys.readouterr().err.splitlines()
    assert f"training.value_function.set_up: {tmp_path / 'file'}: " in line


@pytest.mark.parametrize(
    ("option", "least"),
    [("--worlds", 1), ("--ahead", 1), ("--units", 1), ("--workers", 1), ("--settlements", 20)],
)
def test_counts_below_their_least_are_refused_in_one_line(option, least, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path), option, "0"])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"set_up: {option} is 0; allowed are {least} or more")
