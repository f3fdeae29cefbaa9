"""Learning to reorder moves: labels, what is learned, and runs that continue."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from catan_env import Rules  # noqa: E402
from catan_env.batch import STAY, Batch  # noqa: E402
from catan_env.core.state import doorway, new_states  # noqa: E402
from catan_env.extras import BadInput  # noqa: E402
from catan_env.policies.rerank import Reranker, RerankNetwork, doors, save  # noqa: E402
from catan_env.policies.search import playouts  # noqa: E402
from catan_env.policies.search.reranked import try_reranked  # noqa: E402
from catan_env.policies.value.scratch import Scratch, row  # noqa: E402
from catan_env.policies.value.weights import weights_for  # noqa: E402
from catan_env.policies.value.win_network import WinNetwork  # noqa: E402
from catan_env.training.cards import card  # noqa: E402
from catan_env.training.value_function.rerank import mean  # noqa: E402
from catan_env.training.value_function.rerank.__main__ import (  # noqa: E402
    arguments,
    main,
    parts_of,
)
from catan_env.training.value_function.rerank.decisions import (  # noqa: E402
    CANDIDATES,
    FEATURES,
    Decisions,
    Labels,
    asked,
    choices_of,
    decisions,
    learns,
    rank,
    redact,
)
from catan_env.training.value_function.rerank.net import (  # noqa: E402
    MARGINS,
    Net,
    chances_of,
    gain,
    learn,
)
from catan_env.training.value_function.win_probability import choices  # noqa: E402

SILENT = replace(Rules.base(), player_trade=False)


@pytest.fixture(scope="module")
def known():
    batch = Batch(32, seats=4, rules=SILENT, seed=3, max_turns=400, observations=False)
    return decisions(Labels(4, 4, 1), batch, choices, 600, np.random.default_rng(3))


def test_the_moves_of_a_decision_are_greedys_best_the_most_valuable_first(known):
    sizes = (~np.isnan(known.wins)).sum(axis=1)
    assert sizes.min() >= 2 and sizes.max() == CANDIDATES
    wins, odds = ([row[:k] for row, k in zip(of, sizes, strict=True)] for of in known[:0:-1])
    assert all(((0 <= of) & (of <= 1)).all() for of in wins)
    assert all((np.diff(of) <= 0).all() for of in odds)
    assert not any(row[k:].any() for row, k in zip(known.inputs, sizes, strict=True))


def play_to_a_choice_of(moves, batch):
    """Play on until the first game's acting seat has that many moves."""
    draw = np.random.default_rng(1)
    for _ in range(60):
        batch.play(choices(batch, draw))
    while rank(batch, moves)[0][0, -1] == STAY:
        batch.play(choices(batch, draw))


def test_a_label_is_the_mean_of_playouts_in_worlds_of_the_view():
    batch = Batch(1, seats=4, rules=SILENT, seed=9, max_turns=400, observations=False)
    play_to_a_choice_of(3, batch)
    moves = rank(batch, 3)[0]
    _, wins = Labels(4, 5, 2).label(batch.states, moves[0], np.zeros(3), 77)
    sums, scratch = np.zeros(3), Scratch()
    seen = batch.states.copy()
    redact(doorway(seen), 0, int(seen["seat"][0]))
    memory = *WinNetwork(4).memory, row(weights_for(4)), *scratch.memory
    worlds = doorway(new_states(2))
    playouts.try_candidates(doorway(seen), worlds, moves[0], 3, sums, 77, 0, 5, 8, *memory)
    assert wins == pytest.approx(sums / 5)


def test_with_own_playouts_the_network_plays_the_acting_seat_and_greedy_the_others(something):
    """A network that adds nothing plays as `greedy` does, and one that adds something does not."""
    batch = Batch(1, seats=4, rules=SILENT, seed=9, max_turns=400, observations=False)
    play_to_a_choice_of(3, batch)
    moves, odds = rank(batch, 3)[0][0], np.zeros(3)
    adds = RerankNetwork(something)
    adds_nothing = RerankNetwork(something)
    adds_nothing.shares = np.zeros_like(adds.shares)
    labels = [Labels(4, 20, 2, network) for network in (None, adds_nothing, adds)]
    greedys, same, other = (each.label(batch.states, moves, odds, 77)[1] for each in labels)
    assert (same == greedys).all() and (other != greedys).all()
    sums = np.zeros(3)
    seen = batch.states.copy()
    redact(doorway(seen), 0, int(seen["seat"][0]))
    memory = *WinNetwork(4).memory, row(weights_for(4)), *Scratch().memory
    of_worlds = moves, 3, sums, 77, 0, 20, 8
    try_reranked(doorway(seen), doorway(new_states(2)), *of_worlds, *adds.memory(), *memory)
    assert other == pytest.approx(sums / 20)


def test_differences_between_the_moves_of_a_decision_are_learned():
    """A planted rule: the move with more of one input wins more, whatever its odds by value."""
    draw = np.random.default_rng(5)
    shape = 4000, CANDIDATES
    inputs = draw.normal(size=(*shape, FEATURES)).astype(np.float16)
    odds = -np.sort(draw.random(shape), axis=1).astype(np.float32) / 10
    wins = 1 / (1 + np.exp(-odds - inputs[..., 3].astype(np.float32) / 2))
    wins[::3, 3:] = np.nan
    gained = learn(Decisions(inputs, odds, wins), seed=1).gain
    most = float((np.nanmax(wins, axis=1) - wins[:, 0]).mean())
    assert gained > 0.8 * most


def test_a_network_that_adds_nothing_gains_nothing(known):
    zeros, ones = (np.full(FEATURES, value, np.float32) for value in (0, 1))
    assert gain(chances_of(Net(zeros, ones, 8), known), known, margin=0) == 0


def test_the_margin_is_the_one_that_gains_most_in_unseen_decisions(known):
    learned, every = learn(known, seed=2, units=12), np.arange(600) % 10 == 0
    unseen = Decisions(*(array[every] for array in known))
    chances = chances_of(learned.net, unseen)
    gains = [gain(chances, unseen, margin) for margin in MARGINS]
    assert learned.gain == max(gains) == gains[MARGINS.index(learned.margin)]
    assert len(set(gains)) > 1


@pytest.fixture(scope="module")
def something(tmp_path_factory):
    """A network of random weights, which often disagrees with `greedy`."""
    path = tmp_path_factory.mktemp("rerank") / "something.npz"
    draw = np.random.default_rng(3)
    units, shares = draw.normal(size=(FEATURES + 1, 8)), draw.normal(size=9)
    save(path, units / 10, shares, 0, 4, False)
    return path


def test_the_network_plays_for_all_seats_or_for_one_against_greedy(something, monkeypatch):
    monkeypatch.setattr("catan_env.training.value_function.rerank.decisions.STRAYS", 0)
    policy, draw = Reranker(something).batched(), np.random.default_rng(1)
    batch = Batch(16, seats=4, rules=SILENT, seed=3, max_turns=400, observations=False)
    alone = np.zeros(4, int)
    for _ in range(200):
        chosen, learning = choices_of(policy)(batch, draw), learns(batch)
        assert learning[::2].all()
        network, greedy = policy.choose(batch, np.arange(16)), rank(batch, 1)[0][:, 0]
        assert (chosen == np.where(learning, network, greedy)).all()
        alone += np.bincount(batch.states["seat"][1::2][learning[1::2]], minlength=4)
        batch.play(chosen)
    assert alone.min() > 0.5 * alone.mean(), "each seat learns in as many games"


def test_decisions_of_seats_that_learn_are_asked():
    draw = np.random.default_rng(1)
    batch = Batch(16, seats=4, rules=SILENT, seed=3, max_turns=400, observations=False)
    count = 0
    for _ in range(400):
        games = asked(batch, *rank(batch, CANDIDATES), draw)
        assert learns(batch)[games].all()
        count += len(games)
        batch.play(choices(batch, draw))
    assert count > 20


def test_the_saved_network_computes_what_was_learned(known, tmp_path):
    net = learn(known, seed=2, units=12).net
    save(tmp_path / "net.npz", *net.arrays(), 0, 4, False)
    inputs, odds = known.inputs[:20, :2].reshape(40, -1), known.odds[:20, :2].ravel()
    saved = added(RerankNetwork(tmp_path / "net.npz"), inputs.astype(np.float64))
    with torch.no_grad():
        wins = net(torch.from_numpy(inputs), torch.from_numpy(odds)).numpy()
    assert 1 / (1 + np.exp(-odds - saved)) == pytest.approx(wins, abs=1e-4)


SMALL = ["--no-trade", "--decisions", "30", "--worlds", "1", "--ahead", "1", "--units", "16"]


def test_a_run_resumes_after_its_last_complete_file(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("catan_env.training.value_function.rerank.__main__.PART", 16)
    main([str(tmp_path / "a"), *SMALL, "--rounds", "2"])
    main([str(tmp_path / "b"), *SMALL, "--rounds", "1"])
    kept = tmp_path / "b" / "round_0" / "000.npz"
    first = kept.stat().st_mtime_ns
    (tmp_path / "b" / "round_0" / "001.npz").unlink()
    main([str(tmp_path / "b"), *SMALL, "--rounds", "2"])
    assert kept.stat().st_mtime_ns == first
    assert "round 1: 60 decisions" in capsys.readouterr().out
    assert_alike(tmp_path / "a" / "rerank.npz", tmp_path / "b" / "rerank.npz")


def half_written(path, **arrays):
    """Write a file as a process that ends in the middle."""
    np.savez(path, **arrays)
    Path(path).write_bytes(Path(path).read_bytes()[:100])
    raise KeyboardInterrupt


def test_a_run_that_ended_while_it_wrote_its_network_learns_it_again(tmp_path, monkeypatch):
    given = [str(tmp_path), *SMALL, "--rounds", "1"]
    main(given)
    network = tmp_path / "round_0" / "rerank.npz"
    network.unlink()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("catan_env.policies.rerank.network.np.savez_compressed", half_written)
        main(given)
    assert not network.exists()
    main(given)
    RerankNetwork(network)
    assert_alike(network, tmp_path / "rerank.npz")


@pytest.mark.parametrize("other", [["--own"], ["--worlds", "2"], ["--begin", "net.npz"]])
def test_a_run_resumed_with_other_options_is_refused(tmp_path, capsys, something, other):
    given = [str(tmp_path / "run"), *SMALL, "--rounds", "1"]
    main(given)
    (tmp_path / "net.npz").write_bytes(something.read_bytes())
    with pytest.raises(SystemExit):
        main([*given, *(str(tmp_path / word) if "net" in word else word for word in other)])
    name = other[0].strip("-")
    assert f"was begun with {name} = " in capsys.readouterr().err


@pytest.mark.parametrize("place", ["file", "file/run"])
def test_a_run_at_a_place_that_cannot_be_a_folder_ends_in_one_line(tmp_path, place, capsys):
    (tmp_path / "file").touch()
    with pytest.raises(BadInput):
        main([str(tmp_path / place), *SMALL])
    (line,) = capsys.readouterr().err.splitlines()
    assert f"training.value_function.rerank: {tmp_path / place}: " in line


@pytest.mark.parametrize("text", ["{", "[]"])
def test_damaged_options_of_a_run_are_named(tmp_path, text):
    (tmp_path / "options.json").write_text(text)
    with pytest.raises(BadInput, match=r"rerank: .*options\.json: "):
        main([str(tmp_path), *SMALL])


def test_a_run_begins_with_games_of_a_network(tmp_path, something):
    given = [*SMALL, "--rounds", "1"]
    main([str(tmp_path / "a"), *given])
    main([str(tmp_path / "b"), *given, "--begin", str(something)])
    one, other = (np.load(tmp_path / name / "round_0" / "000.npz")["inputs"] for name in "ab")
    assert (one != other).any()


def test_each_round_is_played_by_the_network_of_the_round_before(tmp_path, something):
    given = [str(tmp_path), *SMALL, "--begin", str(something)]
    wanted = arguments(given)
    players = [{part.network for part in parts_of(wanted, k)} for k in range(3)]
    last = [tmp_path / f"round_{k}" / "rerank.npz" for k in (0, 1)]
    assert players == [{something}, {last[0]}, {last[1]}]


def test_own_playouts_change_the_labels_and_not_the_games(tmp_path, something):
    given = [*SMALL, "--rounds", "1", "--begin", str(something)]
    main([str(tmp_path / "a"), *given])
    main([str(tmp_path / "b"), *given, "--own"])
    one, other = (np.load(tmp_path / name / "round_0" / "000.npz") for name in "ab")
    assert (one["inputs"] == other["inputs"]).all()
    there = ~np.isnan(one["wins"])  # NaN is unequal to itself
    assert (one["wins"][there] != other["wins"][there]).any()


@pytest.mark.nightly
def test_the_number_of_workers_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("catan_env.training.value_function.rerank.__main__.PART", 16)
    given = [*SMALL, "--rounds", "1"]
    main([str(tmp_path / "a"), *given])
    main([str(tmp_path / "b"), *given, "--workers", "2"])
    assert_alike(tmp_path / "a" / "rerank.npz", tmp_path / "b" / "rerank.npz")


@pytest.mark.parametrize(
    ("option", "least"),
    [("--rounds", 1), ("--worlds", 1), ("--ahead", 1), ("--units", 1), ("--workers", 1),
     ("--decisions", 20)],
)  # fmt: skip
def test_counts_below_their_least_are_refused_in_one_line(option, least, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path / "run"), *SMALL, option, "0"])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"rerank: {option} is 0; allowed are {least} or more")


@pytest.mark.parametrize("seed", ["-1", str(2**64)])
def test_a_seed_is_checked_before_anything_is_played(seed, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path / "run"), *SMALL, "--seed", seed])
    assert f"--seed is {seed}; allowed are 0..2147483647" in capsys.readouterr().err


@pytest.mark.parametrize("file", ["absent.npz", "three.npz"])
def test_a_network_of_another_table_cannot_begin_a_run(tmp_path, capsys, file):
    units, shares = np.zeros((FEATURES + 1, 3)), np.zeros(4)
    save(tmp_path / "three.npz", units, shares, 0, 3, False)
    with pytest.raises(SystemExit):
        main([str(tmp_path / "run"), *SMALL, "--begin", str(tmp_path / file)])
    (line,) = capsys.readouterr().err.splitlines()
    assert "rerank: --begin: " in line


def assert_alike(*files):
    one, other = map(np.load, files)
    assert all((one[name] == other[name]).all() for name in one)


def test_the_mean_of_networks_computes_the_mean_of_their_log_odds(tmp_path, known):
    draw, files = np.random.default_rng(4), []
    for n, (seats, trade) in ((3, (4, True)), (5, (4, False)), (2, (3, True))):
        files.append(tmp_path / f"{n}.npz")
        units, shares = draw.normal(size=(FEATURES + 1, n)), draw.normal(size=n + 1)
        save(files[-1], units / 10, shares, n / 100, seats, trade)
    mean_of_all = tmp_path / "mean.npz"
    mean.main([str(mean_of_all), *map(str, files)])
    found = RerankNetwork(mean_of_all)
    assert (found.seats, found.player_trade, found.margin) == (4, True, 0.03)
    inputs = known.inputs[:20, 0].astype(np.float64)
    each = [added(RerankNetwork(path), inputs) for path in files]
    assert added(found, inputs) == pytest.approx(np.mean(each, axis=0), abs=1e-4)
    mean.main([str(mean_of_all), *map(str, files), "--margin", "0.01"])
    assert RerankNetwork(mean_of_all).margin == 0.01


def test_the_mean_of_something_else_ends_in_one_line(tmp_path):
    with pytest.raises(BadInput, match=r"rerank\.mean: .*nothing\.npz"):
        mean.main([str(tmp_path / "mean.npz"), str(tmp_path / "nothing.npz")])


def added(network, inputs):
    """The log odds that a network adds, by the engine."""
    _, units, shares, sums, seen, _ = network.memory()
    doors.begin(units, sums, seen)
    return [doors.output(each, units, shares, sums, seen) for each in inputs]


def test_its_card_names_its_tables(tmp_path):
    units, shares = np.zeros((FEATURES + 1, 3)), np.zeros(4)
    save(tmp_path / "net.npz", units, shares, 0, 3, True)
    text = card(tmp_path / "net.npz", {}, [])
    assert "of 3 units for `policies.rerank.Reranker`, tables of 3 seats that trade" in text
