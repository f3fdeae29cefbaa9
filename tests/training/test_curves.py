"""The strength of a run's checkpoints: which of them play, which games, and the logged curves."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from torch.utils.tensorboard import SummaryWriter

from catan_env.training import curves
from catan_env.training.curves import Settings, checkpoints, logged, strength
from catan_env.training.evaluate import Bout, Measured


def test_every_second_checkpoint_is_measured_from_the_second_one_on(tmp_path: Path) -> None:
    for steps in (500, 1000, 100, 300, 200):
        (tmp_path / f"past_{steps}.npz").touch()
    assert [steps for steps, _ in checkpoints(tmp_path)] == [100, 200, 300, 500, 1000]
    assert checkpoints(tmp_path, 2) == [(n, tmp_path / f"past_{n}.npz") for n in (200, 500)]


def test_more_than_the_number_of_checkpoints_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("past_1.npz", "past_2.npz", "empty.toml"):
        (tmp_path / name).touch()
    with pytest.raises(SystemExit) as ended:
        curves.main([str(tmp_path / "empty.toml"), str(tmp_path), "--every", "3"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("--every is 3; the run has 2 checkpoints\n")


def test_a_run_of_another_game_is_refused_before_a_table_is_described(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dice.toml").touch()
    np.savez(tmp_path / "past_1.npz", game="dice")
    with pytest.raises(SystemExit) as ended:
        curves.main([str(tmp_path / "dice.toml"), str(tmp_path)])
    assert ended.value.code == 2
    output, error = capsys.readouterr()
    assert not output and "trained to play 'dice', and curves plays 'catan' only; catan_" in error


def test_the_checkpoint_plays_from_the_first_place_at_tables_like_the_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bouts = []

    def evaluate(bout: Bout, workers: int) -> Measured:
        bouts.append((bout, workers))
        entrants: list[dict[str, Any]] = [
            {"wins": 3, "win_rate": 0.75, "interval": (0.3, 0.95)},
            {"wins": 1, "win_rate": 0.25, "interval": (0.05, 0.7)},
        ]
        return {"entrants": entrants}

    monkeypatch.setattr(curves, "evaluate", evaluate)
    settings = Settings(3, "duel", False, "random_tokens", 50, 7)
    (row,) = strength([(128, Path("past_128.npz"))], settings, "random", 4, workers=2)
    names = ("past_128.npz", "random", "random")
    table = Bout(names, 4, 1_000_007, "duel", "random_tokens", max_turns=50, trade=False)
    assert bouts == [(table, 2)]
    assert (row["steps"], row["wins"], row["win_rate"]) == (128, 3, 0.75)


@pytest.mark.parametrize(
    ("tags", "entropy"),
    [
        (("train/value_loss", "train/entropy_loss"), -1.5),  # of Stable-Baselines3: to minimize
        (("losses/value_loss", "losses/entropy"), 1.5),
    ],
)
def test_the_entropy_is_positive_whichever_program_has_logged_it(
    tags: tuple[str, str], entropy: float, tmp_path: Path
) -> None:
    with SummaryWriter(tmp_path) as writer:
        for tag, number in zip(tags, (0.25, entropy), strict=True):
            writer.add_scalar(tag, number, 64)
    assert logged(tmp_path) == {"value loss": [(64, 0.25)], "entropy, nats": [(64, 1.5)]}
