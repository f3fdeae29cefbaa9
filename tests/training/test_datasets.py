"""Games of policies written as arrays: what was decided, by whom, and what came of it."""

import json
from errno import ENOSPC
from os import strerror

import gymnasium
import numpy as np
import pytest

pytest.importorskip("tqdm")

from catan_env import Game
from catan_env.batch import Batch
from catan_env.cli import main as command
from catan_env.notation import read_games, write_game
from catan_env.training.datasets import episodes, main, record
from catan_env.training.evaluate import Bout, play

BOUT = Bout(("builder", "random", "random"), 6, seed=3, max_turns=300)


def test_every_action_is_one_that_its_mask_allows():
    columns = record(BOUT, np.arange(6))
    masks = np.unpackbits(columns["masks"], axis=1)
    assert masks.shape[1] == 848
    assert (masks[np.arange(len(masks)), columns["actions"]] == 1).all()
    assert (masks.sum(axis=1) > 1).all()


def test_with_the_forced_ones_the_games_can_be_played_again():
    columns = record(BOUT, np.arange(6), forced=True)
    for number in range(6):
        rows = np.flatnonzero(columns["games"] == number)
        batch = Batch(1, seats=3, max_turns=300, autoreset=False)
        batch.reset(BOUT.seeds(np.array([number])))
        for row in rows:
            assert batch.seat[0] == columns["seats"][row]
            assert (batch.observations[0] == columns["observations"][row]).all()
            batch.step(columns["actions"][row : row + 1].astype(np.int64))
        assert batch.done[0] != 0
        assert (columns["results"][rows] == batch.rewards[0, columns["seats"][rows]]).all()


def test_entrants_win_what_they_win_in_an_evaluation():
    columns, table = record(BOUT, np.arange(6)), play(BOUT, np.arange(6))
    for number, winner in enumerate(table["winners"]):
        rows = columns["games"] == number
        won = set(columns["entrants"][rows & (columns["results"] == 1)].tolist())
        assert won == ({winner} if winner is not None else set())


def test_no_game_of_equal_entrants_is_another_one_again():
    columns = record(Bout(("greedy", "greedy"), 4, rules="duel"), np.arange(4), forced=True)
    games = {columns["observations"][columns["games"] == k].tobytes() for k in range(4)}
    assert len(games) == 4


def test_an_episode_is_what_a_seat_decided_in_a_game():
    columns = record(BOUT, np.arange(6))
    found = list(episodes(columns))
    assert len(found) == 18
    assert sum(len(one["actions"]) for one in found) == len(columns["actions"])
    for one in found:
        assert len(set(one["games"])) == len(set(one["seats"])) == len(set(one["results"])) == 1
        assert one["last"].tolist() == [False] * (len(one["last"]) - 1) + [True]


def test_files_of_so_many_games_and_what_they_are(tmp_path, capsys):
    names = ["builder", "random"]
    main([*names, "--rules", "duel", "--games", "5", "--at-once", "2", "--out", str(tmp_path)])
    files = [np.load(tmp_path / f"games_{k}.npz") for k in range(3)]
    assert [np.unique(file["games"]).tolist() for file in files] == [[0, 1], [2, 3], [4]]
    facts = json.loads((tmp_path / "facts.json").read_text())
    assert facts["names"] == names and facts["games_per_board"] == 2
    assert facts["decisions"] == sum(len(file["actions"]) for file in files)
    assert "5 games" in capsys.readouterr().out


def test_a_file_that_could_not_be_written_is_not_left_half_written(tmp_path, monkeypatch):
    def full(path, **columns):
        np.savez(path, **columns)
        raise OSError(ENOSPC, strerror(ENOSPC))

    monkeypatch.setattr("catan_env.training.datasets.np.savez_compressed", full)
    with pytest.raises(SystemExit, match="No space left on device"):
        main(["random", "random", "--rules", "duel", "--games", "1", "--out", str(tmp_path)])
    assert not list(tmp_path.iterdir())


def test_a_folder_with_games_is_refused_and_left_as_it_is(tmp_path):
    names = ["builder", "random"]
    main([*names, "--rules", "duel", "--games", "3", "--at-once", "1", "--out", str(tmp_path)])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(before) == {"games_0.npz", "games_1.npz", "games_2.npz", "facts.json"}
    with pytest.raises(SystemExit, match=r"datasets: .* games_0\.npz already: name another folder"):
        main([*names, "--rules", "duel", "--games", "1", "--out", str(tmp_path)])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_game_without_a_decision_has_no_episode():
    columns = record(BOUT, np.arange(2))
    none = {name: column[:0] for name, column in columns.items()}
    assert list(episodes(none)) == [] and len(list(episodes(columns))) == 6


def test_minari_reads_the_episodes_again(tmp_path, monkeypatch):
    minari = pytest.importorskip("minari")
    pytest.importorskip("h5py")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    main(["builder", "random", "--rules", "duel", "--games", "4", "--minari", "catan/few-v0"])
    dataset = minari.load_dataset("catan/few-v0")
    assert dataset.total_episodes == 8
    rewards = sorted(float(episode.rewards.sum()) for episode in dataset.iterate_episodes())
    assert rewards == [-1.0] * 4 + [1.0] * 4
    episode = dataset[0]
    legal = episode.observations["action_mask"][np.arange(len(episode.actions)), episode.actions]
    assert (legal == 1).all()
    env = gymnasium.make("Catan-v0", rules="duel", seats=2)
    assert dataset.observation_space == env.observation_space
    assert dataset.action_space == env.action_space


def test_saved_games_give_the_arrays_of_the_games_themselves(tmp_path):
    names, folder = ["builder", "random"], str(tmp_path / "games")
    assert command(["play", *names, "--rules", "duel", "--games", "3", "--record", folder]) == 0
    main(["--records", folder, "--out", str(tmp_path / "data")])
    data = np.load(tmp_path / "data" / "games_0.npz")
    masks = np.unpackbits(data["masks"], axis=1)
    assert (masks[np.arange(len(masks)), data["actions"]] == 1).all()
    assert (masks.sum(axis=1) > 1).all()
    assert set(data["games"]) == {0, 1, 2} and data["last"].sum() == 6
    assert set(data["results"]) == {1.0, -1.0}
    for number, game in enumerate(read_games(folder)):
        rows = data["games"] == number
        assert set(data["seats"][rows & (data["results"] == 1)]) == {game.winner}
        again = Game(2, game.seed, game.rules)
        for row in np.flatnonzero(rows):
            while again.seat != data["seats"][row] or len(again.legal_actions) == 1:
                event = game.events[len(again.events)]
                again.play(event.action, event.outcome)
            assert (again.observe(again.seat) == data["observations"][row]).all()
            event = game.events[len(again.events)]
            assert event.action.index == data["actions"][row]
            again.play(event.action, event.outcome)


def test_records_and_policies_are_not_both_given(tmp_path, capsys):
    for given in (["random", "random", "--records", str(tmp_path)], []):
        with pytest.raises(SystemExit):
            main([*given, "--out", str(tmp_path)])
        assert "either names of policies or --records" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--records", str(tmp_path), "--out", str(tmp_path / "x")])
    assert "the folder has no records" in capsys.readouterr().err


@pytest.mark.parametrize(
    "given", [["--games", "3"], ["--rules", "duel"], ["--no-trade"], ["--seed", "1"]]
)
def test_options_of_games_that_are_played_are_refused_with_records(given, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["--records", str(tmp_path), "--out", str(tmp_path / "x"), *given])
    said = f"--records reads games as they were played, without {given[0]}"
    assert capsys.readouterr().err.endswith(f"{said}\n")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda file: file.write_text("[{}]"), "uuid is missing"),
        (lambda file: file.write_text("[]"), "the record ends before the map"),
        (lambda file: (file.unlink(), file.mkdir()), "Is a directory"),
    ],
)
def test_a_record_without_a_game_is_named_and_leaves_no_files(damage, said, tmp_path):
    records, data = tmp_path / "games", tmp_path / "data"
    for seed in range(3):
        write_game(records, Game(2, seed, "duel"), ["Ann", "Ben"])
    bad = records / "game-2.sgn.json"
    damage(bad)
    with pytest.raises(SystemExit) as caught:
        main(["--records", str(records), "--out", str(data), "--at-once", "1"])
    assert str(caught.value).startswith(f"python -m catan_env.training.datasets: {bad}: ")
    assert str(caught.value).count(bad.name) == 1
    assert said in str(caught.value) and "\n" not in str(caught.value)
    assert not list(data.iterdir())
