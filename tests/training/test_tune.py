"""Weights are tuned by games on the same boards, from every seat."""

import shlex
import tomllib
from argparse import ArgumentParser
from pathlib import Path

import numpy as np
import pytest

from catan_env.extras import BadInput
from catan_env.policies.value.names import NAMES
from catan_env.policies.value.weights import load, rounded, save, weights_for
from catan_env.training import command_line
from catan_env.training.value_function.calibration import calibration
from catan_env.training.value_function.tune import Args, Strategy, Trial, as_typed, main, tune


def test_equal_weights_win_their_even_share():
    weights = weights_for(2)
    assert Trial(2).share(weights, weights, seed=3, games=20) == 0.5


def test_weights_that_shun_what_is_good_lose():
    weights = weights_for(2)
    assert Trial(2).share(-weights, weights, seed=3, games=20) < 0.1


def test_what_is_tuned_can_be_read_again(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("catan_env.training.value_function.calibration.STEPS", 300)
    start, out = str(tmp_path / "worse.toml"), str(tmp_path / "tuned.toml")
    save(start, np.full(len(weights_for(2)), 0.001), {}, "a test")
    found = tune(Args(generations=2, popsize=6, games=6, sigma=1.0, start=start, out=out))
    shown = capsys.readouterr().out
    assert "a new champion" in shown and shown.endswith(f"{out}: written\n")
    assert load(out).tolist() == rounded(found).tolist()
    odds = tomllib.loads(Path(out).read_text())["odds"]
    assert odds["2"] == pytest.approx(calibration(2, "duel", rounded(found)), rel=1e-3)


def test_weights_that_win_an_even_share_are_no_new_champion(tmp_path):
    """Candidates this near play as the champion does, and win half of the games."""
    out = tmp_path / "tuned.toml"
    args = Args(generations=1, popsize=2, games=4, sigma=1e-9, out=str(out))
    assert tune(args).tolist() == load(args.start).tolist()
    assert not out.exists()


def test_tuning_says_that_it_found_nothing(tmp_path, capsys):
    out = tmp_path / "tuned.toml"
    main(
        ["--generations", "1", "--popsize", "2", "--games", "1", "--sigma", "9", "--out", str(out)]
    )
    assert capsys.readouterr().out.endswith("no better weights were found; nothing was written\n")
    assert not out.exists()


@pytest.mark.parametrize("candidates", [400, 1000])
def test_many_candidates_leave_every_weight_a_number(candidates):
    strategy = Strategy(np.ones(30), candidates, width=0.3, seed=1)
    for _ in range(12):
        drawn = strategy.draw()
        strategy.learn(-np.square(drawn).sum(axis=1) + strategy.generator.normal(size=candidates))
    assert np.isfinite(strategy.mean).all() and (strategy.spread >= 0).all()


def test_a_wrong_number_of_seats_ends_in_one_line(tmp_path):
    with pytest.raises(BadInput, match="seats is 9; allowed are 2"):
        main(["--seats", "9", "--out", str(tmp_path / "tuned.toml")])


FIRST, *REST = NAMES


@pytest.mark.parametrize(("text", "reason"), [
    ("[project]", f"it has no weight '{FIRST}'"),
    ("not a table", "Expected '=' after a key"),
    ("\n".join([f"{FIRST} = 'much'", *(f"{name} = 0" for name in REST)]), "could not convert"),
    ("\n".join([f"{FIRST} = {{}}", *(f"{name} = 0" for name in REST)]), "float"),
    ("\n".join(f"{name} = nan" for name in NAMES), f"the weight '{FIRST}' is not finite"),
])  # fmt: skip
def test_a_file_without_the_weights_ends_in_one_line(text, reason, tmp_path):
    start = tmp_path / "other.toml"
    start.write_text(text)
    with pytest.raises(BadInput, match=rf"tune: .*other\.toml: .*{reason}"):
        main(["--start", str(start), "--out", str(tmp_path / "tuned.toml")])


def test_a_place_that_cannot_be_written_is_refused_before_the_games(tmp_path):
    with pytest.raises(BadInput, match=rf"tune: {tmp_path}: Is a directory"):
        main(["--generations", "1", "--popsize", "2", "--games", "1", "--out", str(tmp_path)])


def test_the_weights_to_start_from_are_not_overwritten(tmp_path):
    start, quick = tmp_path / "start.toml", "--generations 1 --popsize 2 --games 1".split()
    start.write_bytes(Path(Args.start).read_bytes())
    with pytest.raises(BadInput, match=rf"tune: {start} is the file that is read"):
        main([*quick, "--start", str(start), "--out", str(start)])


def test_a_command_with_spaces_can_be_typed_again():
    args = Args(out="my runs/tuned.toml")
    assert shlex.split(as_typed(args))[-2:] == ["--out", "my runs/tuned.toml"]
    typed = command_line.as_typed(ArgumentParser(prog="python -m x"), ["a b", "--seed", "1"])
    assert shlex.split(typed) == ["python", "-m", "x", "a b", "--seed", "1"]
