"""The command that plays our policies against catanatron's bots."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("catanatron")

from catanatron import Game, RandomPlayer  # type: ignore[import-not-found]
from catanatron.models.enums import ActionType  # type: ignore[import-not-found]

from benchmarks.catanatron_luck import luck_of
from benchmarks.catanatron_match import COLORS, Pairing, Result, play
from benchmarks.versus_catanatron import Broken, _play, main, rate, summary, text
from catan_env.extras import BadInput
from tests.catanatron.patient import Patient

ROOT = Path(__file__).resolve().parents[2]


def result(seat: int, won: bool | None) -> Result:
    none: Counter[str] = Counter()
    return Result(1, seat, won, [10, 5], 60, 20, 0.1, none, none, Counter({"longest road": 1}))


def test_a_game_without_a_winner_is_not_won() -> None:
    rated = rate([result(0, True), result(1, False), result(0, None)])
    assert (rated["wins"], rated["games"]) == (1, 3)
    low, high = rated["interval"]
    assert low == pytest.approx(0.0615, abs=1e-4) and high == pytest.approx(0.7923, abs=1e-4)


def test_the_summary_counts_seat_by_seat() -> None:
    pairing = Pairing("builder", "random", 2)
    whole = summary(pairing, [result(0, True), result(1, False), result(0, True), result(1, None)])
    assert [one["wins"] for one in whole["by_seat"]] == [2, 0]
    assert whole["unfinished"] == 1 and whole["corrections"] == {"longest road": 4}
    assert whole["milliseconds_per_decision"] == pytest.approx(5.0)
    assert "won 2 of 4: 50.0 %" in text(pairing, whole)


class Lost(RandomPlayer):  # type: ignore[misc]
    """A bot that builds its first road at an invalid place, where catanatron fails."""

    def decide(self, game: Any, playable_actions: Any) -> Any:
        """The first action, or that road."""
        action = next(iter(playable_actions))
        is_road = action.action_type == ActionType.BUILD_ROAD
        return action._replace(value=None) if is_road else action


class LostOnOddMaps(Lost):
    """A bot at which catanatron fails in half of the games."""

    def decide(self, game: Any, playable_actions: Any) -> Any:
        """A random action, or that road."""
        bot = super() if game.seed % 2 else RandomPlayer(self.color)
        return bot.decide(game, playable_actions)


class Faulty(RandomPlayer):  # type: ignore[misc]
    """A bot that itself fails."""

    def decide(self, game: Any, playable_actions: Any) -> Any:
        """Raise instead of deciding."""
        raise TypeError("a fault outside catanatron")


def test_a_game_that_catanatron_breaks_off_is_counted_as_broken() -> None:
    broken = _play(Pairing("random", f"{__name__}:Lost", 2), (1, 1))
    assert isinstance(broken, Broken)
    assert (broken.seed, broken.place) == (1, 1)
    assert "BUILD_ROAD" in broken.error


FAULTS = (TypeError, ValueError, KeyError, IndexError, AttributeError, ZeroDivisionError,
          AssertionError)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("module", ["catanatron.models.board", "catanatron", "policies.builder"])
def test_every_kind_of_fault_counts_where_catanatron_raised_it(
    fault: type[Exception], module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """catanatron's board once took None as the index of a list, which ended a whole run."""
    names = {"__name__": module, "fault": fault}
    exec("def play(*_):\n    raise fault('of an index')", names)
    monkeypatch.setattr("benchmarks.versus_catanatron.play", names["play"])
    if module.startswith("catanatron"):
        broken = _play(Pairing("random", "random", 2), (3, 1))
        assert isinstance(broken, Broken) and (broken.seed, broken.place) == (3, 1)
        assert broken.error.startswith(f"{fault.__name__}: ")
    else:
        with pytest.raises(fault, match="of an index"):
            _play(Pairing("random", "random", 2), (3, 1))


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, OSError])
def test_an_error_of_the_machine_ends_the_run(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"__name__": "catanatron.game", "error": error}
    exec("def play(*_):\n    raise error", names)
    monkeypatch.setattr("benchmarks.versus_catanatron.play", names["play"])
    with pytest.raises(error):
        _play(Pairing("random", "random", 2), (1, 1))


def test_a_fault_outside_catanatron_ends_the_run() -> None:
    with pytest.raises(TypeError, match="outside catanatron"):
        _play(Pairing("random", f"{__name__}:Faulty", 2), (1, 1))


def test_broken_games_are_counted_separately() -> None:
    pairing = Pairing("builder", "random", 2)
    whole = summary(pairing, [result(0, True)], [Broken(1, 1, "TypeError: no index")] * 2)
    assert (whole["games"], whole["wins"]) == (1, 1)
    assert "broken off by errors in catanatron: typeerror: no index 2" in text(pairing, whole)
    assert summary(pairing, [], [Broken(1, 1, "TypeError: no index")])["turns"] == 0


def command(*options: str) -> Any:
    line = [sys.executable, "-m", "benchmarks.versus_catanatron", *options]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)


# catanatron orders sets that contain None, whose hash is an address before Python 3.12.
@pytest.mark.skipif(sys.version_info < (3, 12), reason="the hash of None varies by process")
def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    runs = []
    for workers in ("1", "2"):
        file = tmp_path / f"{workers}.json"
        options = ("--against", "weighted", "--games", "4", "--seed", "3", "--workers", workers)
        done = command("--policy", "random", *options, "--json", str(file))
        assert done.returncode == 0, done.stderr
        runs.append(json.loads(file.read_text())["games"])
        for game in runs[-1]:
            del game["seconds"]
    assert runs[0] == runs[1]
    assert [(game["seed"], game["seat"]) for game in runs[0]] == [(3, 0), (3, 1), (4, 0), (4, 1)]


def test_a_run_plays_the_other_games_after_a_broken_one(tmp_path: Path) -> None:
    file = tmp_path / "new_folder" / "games.json"
    options = ("--against", f"{__name__}:LostOnOddMaps", "--games", "4", "--workers", "1")
    done = command("--policy", "random", *options, "--json", str(file))
    assert done.returncode == 0, done.stderr
    stored = json.loads(file.read_text())
    assert sorted((game["seed"], game["place"]) for game in stored["broken"]) == [(1, 0), (1, 1)]
    assert [game["seed"] for game in stored["games"]] == [2, 2]
    assert stored["summary"]["games"] == 2
    assert sum(stored["summary"]["broken"].values()) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--games", "3"), "multiples of 2"),
        (("--seed", "0"), "allowed are 1 or more"),
        (("--policy", "missing"), "unknown policy 'missing'"),
        (("--against", "missing:Missing"), "allowed are random, weighted"),
        (("--json", "/"), "/: Is a directory"),
    ],
)
def test_invalid_arguments_are_named(
    options: tuple[str, ...],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["versus_catanatron", *options])
    with pytest.raises((SystemExit, BadInput)) as ended:
        main()
    assert said in capsys.readouterr().err + str(ended.value)


@pytest.mark.parametrize("maps", [20, pytest.param(60, marks=pytest.mark.nightly)])
def test_the_luck_of_games_has_the_mean_0_and_narrows_the_interval(maps: int) -> None:
    """The two games of a map have dice in common, so a map counts once."""
    pairing = Pairing("greedy", "weighted", 2, luck=True)
    played = [play(pairing, seed, place) for seed in range(1, maps + 1) for place in (0, 1)]
    lucks = np.array([result.luck for result in played], float).reshape(-1, 2).mean(axis=1)
    assert abs(lucks.mean()) < 3 * lucks.std() / len(lucks) ** 0.5 and lucks.std() > 0
    outcome = summary(pairing, played)
    assert "saved" in outcome and "without luck" in text(pairing, outcome)


def test_luck_is_counted_up_to_the_first_step_that_our_rules_refuse() -> None:
    game = Game([Patient(color) for color in COLORS[:2]], seed=1)
    game.play()
    whole = luck_of(game)
    game.vps_to_win = 4
    part = luck_of(game)
    assert np.isfinite([whole, part]).all() and abs(part).max() > 0
    assert not np.allclose(whole, part)


def test_a_win_rate_without_luck_subtracts_it() -> None:
    wins = np.random.default_rng(1).permutation(np.arange(200) < 100).tolist()
    games = [
        replace(result(k % 2, won), seed=k // 2, luck=0.4 if won else -0.4)
        for k, won in enumerate(wins)
    ]
    outcome = summary(Pairing("builder", "random", 2), games)
    assert outcome["rate"] == pytest.approx(0.5) and outcome["fair_rate"] == pytest.approx(
        0.5, abs=0.02
    )
    assert outcome["saved"] > 0.9
    low, high = outcome["fair_interval"]
    assert high - low < 0.05
