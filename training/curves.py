"""`python -m catan_env.training.curves CONFIG FOLDER`: the strength of a run over its decisions.

Every checkpoint of `training.self_play` or `training.sb3.train` plays the same games against each
fixed policy, in all other seats, at tables like the run's. Win rates have 95 % intervals (Wilson).
Only Catan is played: `catan_env.adapters.evaluation.returns` plays networks of other games.
"""

import argparse
import json
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from catan_env.extras import ends_in_one_line
from catan_env.notation.whole_files import check_not_read
from catan_env.policies.network import read
from catan_env.training.evaluate import Bout, Measured, evaluate
from catan_env.training.folder import make_folder_of, write_json
from catan_env.training.pictures import check_picture
from catan_env.training.ranges import check_counts

LOGGED = {
    "train/value_loss": ("value loss", 1),
    "train/entropy_loss": ("entropy, nats", -1),
    "losses/value_loss": ("value loss", 1),
    "losses/entropy": ("entropy, nats", 1),
}
"""TensorBoard tags, the titles of their curves, and their sign there."""
CATAN = "catan"
Checkpoint = tuple[int, Path]
"""The steps that a run had made, and its weights then."""


class Settings(NamedTuple):
    """The part of a run's configuration that its checkpoints are evaluated with."""

    seats: int = 4
    rules: str = "base"
    trade: bool = True
    board: str = "spiral"
    max_turns: int = Bout.max_turns
    seed: int = 1

    def __str__(self) -> str:
        trade = "" if self.trade else ", no trade between seats"
        return (
            f"{self.seats} seats, rules {self.rules}, board {self.board}, "
            f"up to {self.max_turns:,} turns{trade}"
        )


def settings_of(config: str | Path, folder: Path) -> Settings:
    """The settings that a run was begun with; before its state is written, its configuration's.

    A run may have been given other options on the command line.
    """
    with open(config, "rb") as file:
        given = tomllib.load(file) | begun_with(folder)
    found = given | given.get("options", {}) | given.get("env_options", {})
    return Settings(**{name: found[name] for name in Settings._fields if name in found})


def begun_with(folder: Path) -> dict[str, Any]:
    """The options in the state of a run of `self_play` or `sb3.train`, none without one."""
    options: dict[str, Any] = {}
    if (folder / "state.json").exists():
        options = json.loads((folder / "state.json").read_text())["args"]
    elif (folder / "state.pt").exists():
        # needs torch
        from catan_env.training.run_state import load_state

        options = load_state(folder)["args"]
    return options


def checkpoints(folder: Path, every: int = 1) -> list[Checkpoint]:
    """Every N-th checkpoint of a run, in order; ValueError if there is none."""
    found = sorted(
        (int(path.stem.removeprefix("past_")), path) for path in folder.glob("past_*.npz")
    )
    if not found:
        raise ValueError(f"no past_*.npz in {str(folder)!r}; has the run begun?")
    if every > len(found):
        raise ValueError(f"--every is {every}; the run has {len(found)} checkpoints")
    return found[every - 1 :: every]


def check_game_of(weights: Path) -> None:
    """Raise ValueError if a checkpoint was trained to play another game than Catan."""
    trained = str(read(weights).get("game", CATAN))
    if trained != CATAN:
        raise ValueError(
            f"{str(weights)!r}: trained to play {trained!r}, and curves plays {CATAN!r} only; "
            "catan_env.adapters.evaluation.returns plays networks of other games"
        )


def strength(
    run: list[Checkpoint], settings: Settings, against: str, games: int, workers: int = 1
) -> list[Measured]:
    """One row per checkpoint: its steps, games, win rate and interval against one policy."""
    rows = []
    for steps, path in tqdm(run, desc=against, disable=None):
        names = (str(path), *[against] * (settings.seats - 1))
        bout = Bout(
            names, games, seed=10**6 + settings.seed, rules=settings.rules, board=settings.board,
            max_turns=settings.max_turns, trade=settings.trade,
        )  # fmt: skip
        first = evaluate(bout, workers=workers)["entrants"][0]
        won = {name: first[name] for name in ("wins", "win_rate", "interval")}
        rows.append({"steps": steps, "against": against, "games": games, **won})
    return rows


def logged(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """(steps, number) of the value loss and the entropy, from the TensorBoard files."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    of_ppo = folder / "ppo_0"
    events = EventAccumulator(str(of_ppo if of_ppo.exists() else folder))
    events.Reload()
    curves: dict[str, list[tuple[int, float]]] = {}
    for tag, (name, sign) in LOGGED.items():
        if tag in events.Tags()["scalars"]:
            found = events.Scalars(tag)
            curves[name] = [(event.step, sign * event.value) for event in found]
    return curves


def plot(curves: dict[str, list[Measured]], folder: Path, path: str | Path) -> None:
    """Win rates over steps, with intervals; next to them the value's loss and the entropy."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4), layout="constrained")
    rates, losses = figure.subplots(1, 2, width_ratios=(3, 2))
    for against, rows in curves.items():
        steps = [row["steps"] / 1e6 for row in rows]
        rates.plot(steps, [row["win_rate"] for row in rows], marker="o", label=f"against {against}")
        low, high = zip(*(row["interval"] for row in rows), strict=True)
        rates.fill_between(steps, low, high, alpha=0.2)
    rates.set_ylabel("win rate")
    rates.set_ylim(0, 1)
    for name, points in logged(folder).items():
        losses.plot([steps / 1e6 for steps, _ in points], [y for _, y in points], label=name)
    losses.set_yscale("log")
    for axes in (rates, losses):
        axes.set_xlabel("million decisions")
        if axes.has_data():
            axes.legend()
    figure.savefig(path)


def _measured(wanted: argparse.Namespace) -> dict[str, list[Measured]]:
    """The curve against each policy; ValueError or OSError if an option or a file is wrong."""
    check_counts(wanted, "every", "games", "workers")
    for out in filter(None, (wanted.json, wanted.plot)):
        check_not_read(out, wanted.config, *wanted.against)
    if wanted.json:
        make_folder_of(wanted.json)
    if wanted.plot:
        check_picture(wanted.plot)
    settings = settings_of(wanted.config, wanted.folder)
    run = checkpoints(wanted.folder, wanted.every)
    check_game_of(run[0][1])
    print(settings)
    return {
        name: strength(run, settings, name, wanted.games, wanted.workers) for name in wanted.against
    }


def main(given: list[str] | None = None) -> None:
    """Play, print, and write what was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.curves", description=__doc__
    )
    parser.add_argument("config", help="TOML file of the run")
    parser.add_argument("folder", type=Path, help="of the run")
    parser.add_argument(
        "--against", nargs="+", default=["random", "greedy"], metavar="POLICY",
        help="policies of all other seats, one at a time (default: random greedy)",
    )  # fmt: skip
    parser.add_argument(
        "--every", type=int, default=1, help="only every N-th checkpoint (default: %(default)s)"
    )
    parser.add_argument("--games", type=int, default=200, help="with each (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default: %(default)s)")
    parser.add_argument("--json", help="write the result there")
    parser.add_argument("--plot", help="write a picture there")
    wanted = parser.parse_args(given)
    with ends_in_one_line(parser.prog):
        curves = _measured(wanted)
    for row in (row for rows in curves.values() for row in rows):
        low, high = row["interval"]
        print(
            f"{row['steps']:10,} decisions  {row['win_rate']:6.1%}  {low:5.1%} - {high:5.1%}"
            f"  of {row['games']} against {row['against']}"
        )
    if wanted.json:
        write_json(wanted.json, curves)
    if wanted.plot:
        plot(curves, wanted.folder, wanted.plot)


if __name__ == "__main__":
    main()
