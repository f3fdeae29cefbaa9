"""A policy is measured on the same games, in whatever process they are played."""

import json
import sys
from importlib import import_module
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

pytest.importorskip("torch")

from catan_env.arena.rating import elo, pairwise_wins
from catan_env.arena.schedule import entrants_by_seat
from catan_env.batch import Batch, game_seeds
from catan_env.core.actions import OFFER_START
from catan_env.policies.players import Drawn, player
from catan_env.training import cards, curves
from catan_env.training.evaluate import (
    Bout,
    evaluate,
    main,
    merge,
    merge_files,
    play,
    pool_tables,
    ratings,
)
from catan_env.training.value_function.rerank import mean

ROOT = Path(__file__).resolve().parents[2]
DUEL = Bout(("greedy", "random"), games=12, seed=4, rules="duel")


def played(table):
    return {name: table["raw"][name] for name in ("numbers", "winners", "points", "turns")}


def test_the_better_one_wins_from_either_seat():
    table = evaluate(DUEL)
    assert table["entrants"][0]["wins"] == 12
    assert table["entrants"][0]["interval"][0] > 0.7
    assert all(points[0] >= 10 for points in table["raw"]["points"])


def test_slices_merge_into_the_table_that_is_played_at_once():
    slices = [evaluate(DUEL, (i, 3)) for i in (1, 2, 3)]
    whole = evaluate(DUEL)
    assert played(merge(slices)) == played(whole)
    assert merge(slices)["entrants"][0]["win_rate"] == whole["entrants"][0]["win_rate"]
    with pytest.raises(ValueError, match="given twice"):
        merge([slices[0], slices[0]])
    unfinished = evaluate(Bout(("random", "random"), games=2, max_turns=3))
    assert unfinished["raw"]["winners"] == [None, None]
    won = {**unfinished, "raw": unfinished["raw"] | {"winners": [0, 1]}}
    with pytest.raises(ValueError, match="given twice"):
        merge([unfinished, won])
    with pytest.raises(ValueError, match="2 different tables"):
        merge([slices[0], evaluate(Bout(("random", "random"), games=2))])
    with pytest.raises(ValueError, match="slice 4/3"):
        evaluate(DUEL, (4, 3))


def test_processes_play_the_same_games():
    bout = Bout(("random", "random"), games=8, seed=1, rules="duel", max_turns=40)
    assert played(evaluate(bout, workers=2)) == played(evaluate(bout))


@pytest.mark.nightly
def test_rays_actors_play_the_same_games():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        bout = Bout(("random", "random"), games=8, seed=1, rules="duel", max_turns=40)
        assert played(evaluate(bout, workers=2, ray=True)) == played(evaluate(bout))
    finally:
        ray.shutdown()


def test_a_pair_of_games_is_on_the_same_board_with_the_seats_swapped():
    bout = Bout(("random", "builder"), games=4, seed=1, rules="duel", max_turns=30)
    seeds = bout.seeds(bout.numbers())
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3]


@pytest.mark.parametrize(
    ("names", "boards"),
    [
        (("greedy", "greedy"), [0, 1, 2, 3]),
        (("greedy", "random"), [0, 0, 1, 1]),
        (("greedy", "random", "greedy", "random"), [0, 0, 1, 1]),
        (("greedy", "greedy", "random", "random"), [0, 0, 0, 0]),
    ],
)
def test_a_board_is_played_once_in_every_rotation_that_differs(names, boards):
    bout = Bout(names, 4, seed=3)
    dealt = game_seeds(3, 4)
    assert bout.seeds(np.arange(4)).tolist() == dealt[boards].tolist()
    assert bout.seeds(np.array([3])).tolist() == [dealt[boards[3]]]


def test_entrants_in_turns_round_the_table_play_no_game_twice():
    bout = Bout(("builder", "greedy", "builder", "greedy"), 8)
    seats = [tuple(bout.names[e] for e in entrants_by_seat(k, 4)) for k in range(8)]
    assert len(set(zip(bout.seeds(bout.numbers()).tolist(), seats, strict=True))) == 8


def test_a_game_that_is_cut_off_has_as_many_turns_as_the_limit():
    bout = Bout(("random", "random"), games=4, rules="duel", max_turns=5)
    assert play(bout, bout.numbers())["turns"] == [5] * 4


def test_without_trade_nobody_makes_an_offer(monkeypatch, tmp_path, capsys):
    offers = []

    class Noted(Batch):
        def play(self, actions):
            offers.append(self.action_masks[:, OFFER_START:].any())
            super().play(actions)

    monkeypatch.setattr("catan_env.training.games.Batch", Noted)
    common = [*["random"] * 4, "--games", "4", "--max-turns", "30", "--json", str(tmp_path / "r")]
    main(common)
    assert any(offers)
    offers.clear()
    main([*common, "--no-trade"])
    assert offers and not any(offers)
    assert "4 games, rules base, no trade, seed 0" in capsys.readouterr().out
    slices = [json.loads((tmp_path / "r").read_text()), evaluate(Bout(("random",) * 4, games=4))]
    with pytest.raises(ValueError, match="different tables"):
        merge(slices)


def test_a_draw_is_legal_and_depends_on_its_game_alone():
    batch, alone = Batch(40, seats=3, seed=2), Batch(1, seats=3, seed=2)
    alone.reset(batch.seeds[7:8].copy())
    many, one = Drawn(1), Drawn(1)
    for _ in range(60):
        actions = many.choose(batch, np.arange(40))
        assert (batch.action_masks[np.arange(40), actions] == 1).all()
        assert actions[7] == one.choose(alone, np.array([0]))[0]
        batch.step(actions)
        alone.step(actions[7:8])


def test_any_policy_plays_also_one_that_sees_one_view_at_a_time():
    table = evaluate(Bout(("builder", "random"), games=2, rules="duel"))
    assert table["entrants"][0]["wins"] == 2
    with pytest.raises(ValueError, match="unknown policy 'grady'"):
        player("grady")


def test_who_wins_is_rated_higher():
    wins = pairwise_wins(["a", "b", "c"], [(["a", "b"], [0, 0, 1]), (["b", "c"], [0, 0, 0, 0])])
    assert wins == [[0, 2, 0], [1, 0, 4], [0, 0, 0]]
    a, b, c = elo(wins)
    assert a > b > c
    assert a + b + c == pytest.approx(3000)


def test_a_pools_tables_seat_every_two():
    assert pool_tables(["a", "b", "c"], 4) == [tuple("abab"), tuple("acac"), tuple("bcbc")]


def test_slices_of_a_pool_are_merged_table_by_table(tmp_path, capsys):
    common = [
        "greedy",
        "random",
        "best",
        "--pool",
        "--seats",
        "2",
        "--games",
        "4",
        "--rules",
        "duel",
    ]
    files = [str(tmp_path / name) for name in ("1.json", "2.json", "merged.json", "whole.json")]
    main([*common, "--slice", "1/2", "--json", files[0]])
    main([*common, "--slice", "2/2", "--json", files[1]])
    main(["--merge", *files[:2], "--json", files[2]])
    main([*common, "--json", files[3]])
    merged, whole = (json.loads(Path(name).read_text()) for name in files[2:])
    assert merged["elo"] == whole["elo"]
    for one, other in zip(merged["tables"], whole["tables"], strict=True):
        assert one["raw"]["winners"] == other["raw"]["winners"]
    with pytest.raises(ValueError, match="slices of one can be merged"):
        merge_files([json.loads(Path(files[0]).read_text()), evaluate(DUEL)])


def test_a_slice_without_games_is_refused():
    with pytest.raises(ValueError, match="slice 3/4 of 2 games has none"):
        evaluate(Bout(("random", "random"), games=2, rules="duel"), (3, 4))


@pytest.mark.parametrize("given", ["1", "1-2", "a/b", "1/2/3"])
def test_a_slice_that_is_none_is_refused(given, capsys):
    with pytest.raises(SystemExit):
        main(["random", "random", "--slice", given])
    assert f"--slice: {given!r} is not I/N, such as 1/4" in capsys.readouterr().err


@pytest.mark.parametrize("answer", [0, -1, -2, 848])
def test_an_illegal_answer_ends_the_evaluation(monkeypatch, answer):
    class Rolls:
        reads_arrays = False

        def choose(self, batch, rows):
            return np.full(len(rows), answer)

    monkeypatch.setattr("catan_env.training.evaluate.bout.player", lambda name, seed: Rolls())
    with pytest.raises(ValueError, match=f"policy 1, Rolls, answered {answer}, which is illegal"):
        evaluate(Bout(("rolls", "rolls"), games=2, rules="duel"))


def test_the_command_prints_writes_merges_and_draws(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    common = ["greedy", "random", "--games", "6", "--rules", "duel"]
    files = [str(tmp_path / f"{i}.json") for i in (1, 2)]
    for i, file in enumerate(files, 1):
        main([*common, "--slice", f"{i}/2", "--json", file])
    whole = tmp_path / "whole.json"
    main(["--merge", *files, "--json", str(whole), "--plot", str(tmp_path / "rates.png")])
    assert "6 games, rules duel, seed 0" in capsys.readouterr().out
    assert json.loads(whole.read_text())["entrants"][0]["wins"] == 6
    assert (tmp_path / "rates.png").stat().st_size > 1000
    main([*common, "--pool", "--seats", "2", "--json", str(whole)])
    measured = json.loads(whole.read_text())
    assert list(measured["elo"]) == ["greedy", "random"]
    assert measured["elo"] == ratings(measured["tables"])


@pytest.mark.parametrize(
    ("command", "given", "reason"),
    [
        ("evaluate", "grady random --games 2", "unknown policy 'grady'"),
        ("evaluate", "none.npz random --games 2", "'none.npz': No such file or directory"),
        ("evaluate", "random random --rules house --games 2", "unknown rules 'house'"),
        ("evaluate", "--merge none.json", "none.json: No such file or directory"),
        ("evaluate", "random --pool --seats 2", "two or more different names, not random"),
        ("evaluate", "random random --pool --seats 2", "names, not random, random"),
        ("evaluate", "--pool", "names, not none"),
        ("evaluate", "random random --games -4", "--games is -4; allowed are 1 or more"),
        ("evaluate", "random random --workers 0", "--workers is 0; allowed are 1 or more"),
        ("datasets", "random random --games -4 --out {folder}", "--games is -4; allowed are 1"),
        ("datasets", "random random --at-once 0 --out {folder}", "--at-once is 0; allowed are 1"),
        ("datasets", "grady random --games 2 --out {folder}", "unknown policy 'grady'"),
        ("value_function.explained", "best.npz --games 0", "--games is 0; allowed are 1 or more"),
        ("value_function.explained", "best.npz --seats 5", "5 seats; allowed are 2, 3 and 4"),
        ("value_function.explained", "best.npz --rules nope", "unknown rules 'nope'"),
        ("value_function.explained", "best.npz --shaping nope", "'nope' is not a module:name"),
        (
            "value_function.explained",
            "best.npz --games 2 --shaping math:sqrt",
            "--shaping: must be real number, not Batch",
        ),
        ("value_function.explained", "none.npz", "'none.npz': No such file or directory"),
        ("value_function.siblings", "--positions 5000", "--positions is 5000; allowed are 5065"),
        ("value_function.siblings", "--seed -1", "--seed is -1; allowed are 0..2147483647"),
        ("value_function.siblings", "--out file/out", "file: "),
        (
            "value_function.win_probability",
            "--positions 0",
            "--positions is 0; allowed are 4552",
        ),
        ("value_function.win_probability", f"--seed {2**64}", "--seed is 18446744073709551616"),
        ("sb3.export", "none.zip net.npz", "no model at 'none.zip'"),
        ("sb3.export", "none.zip file/net.npz", "file: "),
        ("sb3.export", "none.zip net.npz --evaluation none.json", "none.json: No such file"),
        ("cards", "none.npz", "'none.npz': No such file or directory"),
        (
            "evaluate",
            "random random --games 2 --plot a.nosuch",
            "allowed are names that end in .",
        ),
        ("curves", "file file --plot a.nosuch", "allowed are names that end in ."),
    ],
)
def test_bad_input_ends_a_command_with_one_line(
    command, given, reason, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    run = import_module(f"catan_env.training.{command}").main
    with pytest.raises(SystemExit) as ended:
        run(given.format(folder=tmp_path).split())
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"python -m catan_env.training.{command}: ")
    assert reason in line


@pytest.mark.parametrize(
    ("command", "given", "library"),
    [
        ("evaluate", "random random --games 2 --ray", "ray"),
        ("datasets", "random random --games 2 --max-turns 3 --minari catan/few-v0", "minari"),
        ("self_play", "empty.toml run --num-envs 2 --ray", "ray"),
        ("self_play", "empty.toml run --num-envs 2 --wandb project", "wandb"),
    ],
)
def test_an_option_names_the_library_that_it_needs(
    command, given, library, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, library, None)
    Path("empty.toml").touch()
    with pytest.raises(SystemExit) as ended:
        import_module(f"catan_env.training.{command}").main(given.split())
    assert ended.value.code == 2
    option = next(word for word in given.split() if word.removeprefix("--") == library)
    end = f"{option} needs {library}: pip install '.[{library}]' in a checkout of catan_env"
    assert capsys.readouterr().err.splitlines()[-1].endswith(f".{command}: {end}")


@pytest.mark.parametrize("command", ["evaluate random random --games 2", "curves a.toml run"])
def test_a_picture_names_the_library_that_it_needs(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib.backend_bases", None)
    name, *given = command.split()
    with pytest.raises(SystemExit) as ended:
        import_module(f"catan_env.training.{name}").main([*given, "--plot", "rates.png"])
    assert ended.value.code == 2
    end = "--plot needs matplotlib: pip install '.[train]' in a checkout of catan_env\n"
    assert capsys.readouterr().err == f"python -m catan_env.training.{name}: {end}"


def test_a_policy_whose_engine_is_missing_ends_the_command_with_one_line(
    tmp_path, monkeypatch, capsys
):
    (tmp_path / "needy.py").write_text("raise ImportError('this bot needs an engine')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["needy:Bot", "random", "--games", "2"])
    assert "this bot needs an engine" in f"{ended.value}{capsys.readouterr().err}"


def line_of(command, *given):
    """The line with which a command ends."""
    with pytest.raises(SystemExit) as ended:
        command(list(map(str, given)))
    return str(ended.value)


@pytest.mark.parametrize("option", ["--json", "--plot"])
def test_the_folder_of_a_result_is_made_before_the_games(option, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr("catan_env.training.evaluate.workers.play", None)
    given = "random", "random", "--rules", "duel", "--games", 2, option
    assert "file: " in line_of(main, *given, tmp_path / "file" / "a.png")
    assert "Is a directory" in line_of(main, *given, tmp_path)


def test_games_without_a_limit_of_turns_are_played_to_their_ends():
    table = evaluate(Bout(("greedy", "greedy"), games=4, rules="duel", max_turns=0))
    assert sum(entrant["wins"] for entrant in table["entrants"]) == 4


def test_a_result_is_written_into_a_new_folder(tmp_path):
    path = tmp_path / "new" / "a.json"
    options = ["--rules", "duel", "--games", "2", "--max-turns", "10", "--json", str(path)]
    main(["random", "random", *options])
    assert json.loads(path.read_text())["games"] == 2


@pytest.mark.parametrize("text", ["{}", "[]", "nothing", '{"tables": [{}]}'])
def test_a_file_of_something_else_is_not_merged(text, tmp_path):
    path = tmp_path / "d.json"
    path.write_text(text)
    writer = "python -m catan_env.training.evaluate --json"
    assert f"{path}: it is not a file that {writer} writes" in line_of(main, "--merge", path)


@pytest.mark.parametrize("option", ["--json", "--plot"])
def test_a_file_that_is_read_is_not_written(option, tmp_path):
    weights = Path(copy(ROOT / "policies" / "weights" / "duel.npz", tmp_path / "duel.npz"))
    link, before = tmp_path / "duel.png", weights.read_bytes()
    link.symlink_to(weights)
    line = f"{link} is the file that is read: name another one"
    assert line in line_of(main, weights, "random", option, link)
    assert line in line_of(main, "--merge", "none.json", weights, option, link)
    assert line in line_of(curves.main, weights, tmp_path, option, link)
    assert line in line_of(mean.main, link, weights)
    assert weights.read_bytes() == before


def test_curves_of_a_missing_configuration_end_in_one_line(tmp_path):
    path = tmp_path / "nothing.toml"
    assert f"{path}: No such file or directory" in line_of(curves.main, path, tmp_path)
    path.touch()
    assert "--every is 0; allowed are 1 or more" in line_of(
        curves.main, path, tmp_path, "--every", 0
    )


@pytest.mark.parametrize(
    ("text", "option", "reason"),
    [
        ('{"tables": []}', "--evaluation", "it is not the file of one table that"),
        ('{"entrants": []}', "--evaluation", "it is not the file of one table that"),
        ("[1]", "--evaluation", "it is not a JSON object"),
        ("[1]", "--metadata", "it is not a JSON object"),
        ("no", "--metadata", "Expecting value"),
    ],
)
def test_a_card_names_the_json_that_it_cannot_show(text, option, reason, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(text)
    weights = copy(ROOT / "policies" / "weights" / "duel.npz", tmp_path)
    line = line_of(cards.main, weights, option, path)
    assert f"{path}: {reason}" in line


def test_a_card_shows_an_evaluation_of_its_own_weights_in_all_games(tmp_path):
    weights = Path(copy(ROOT / "policies" / "weights" / "duel.npz", tmp_path))
    rate, metadata, folder = tmp_path / "rate.json", tmp_path / "how.json", tmp_path / "folder"
    metadata.write_text("{}")
    options = "--metadata", metadata, "--evaluation", rate
    table = ["--rules", "duel", "--games", "3", "--max-turns", "2", "--json", str(rate)]
    main(["random", str(weights), *table])
    line = line_of(cards.main, weights, *options)
    assert f"{rate}: it is of random, its first entrant, not of {weights}" in line
    main([str(weights), "random", *table, "--slice", "1/3"])
    line = line_of(cards.main, weights, *options)
    assert f"{rate}: it has 1 of 3 games; merge all slices first" in line
    main([str(weights), "random", *table])
    equal = Path(copy(weights, tmp_path / "equal.npz"))
    cards.main([*map(str, [equal, *options])])
    assert f"| {weights} random | duel | 3 |" in equal.with_suffix(".md").read_text()
    other = copy(ROOT / "policies" / "weights" / "four.npz", tmp_path / "other.npz")
    assert f", not of {other}" in line_of(cards.main, other, *options)
    folder.mkdir()
    moved = weights.rename(folder / "duel.npz")
    cards.main([*map(str, [moved, *options])])
    assert f"| {weights} random | duel | 3 |" in (folder / "duel.md").read_text()


def test_a_card_of_an_invalid_file_names_that_file(tmp_path):
    path = tmp_path / "junk.npz"
    path.write_bytes(b"junk")
    assert f"cards: cannot read the weights in {str(path)!r}" in line_of(cards.main, path)
    np.savez(path, some=np.zeros(1))
    line = line_of(cards.main, path)
    assert line.endswith(f"{str(path)!r} is not a weights file: 'kind' is missing")
