"""`python -m catan_env.training.strength CONFIG FOLDER`: how a run's strength grew.

Every checkpoint of `training.self_play` or `training.ppo` plays the same games against each fixed
policy, in all other seats. Win rates have 95 % intervals (Wilson).
"""

import argparse
import json
import tomllib
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from catan_env.training.evaluate import Bout, Measured, evaluate

LOGGED = {
    "train/value_loss": ("value loss", 1),
    "train/entropy_loss": ("entropy, nats", -1),
    "value/loss": ("value loss", 1),
    "policy/entropy": ("entropy, nats", 1),
}
"""Names of curves in TensorBoard, what they show, and their sign there."""


class Table(NamedTuple):
    """What of a run's configuration says where its checkpoints sit."""

    seats: int = 4
    rules: str = "base"
    trade: bool = True
    seed: int = 1


def table_in(config: str | Path) -> Table:
    """The table of a configuration; `self_play` has it among its `options`."""
    with open(config, "rb") as file:
        given = tomllib.load(file)
    said = given | given.get("options", {})
    return Table(**{name: said[name] for name in Table._fields if name in said})


def checkpoints(folder: Path) -> list[tuple[int, Path]]:
    """The steps learned from, and the weights, of a run's past selves, the first ones first."""
    return sorted(
        (int(path.stem.removeprefix("past_")), path) for path in folder.glob("past_*.npz")
    )


def strength(
    folder: Path, table: Table, against: str, games: int, workers: int = 1, every: int = 1
) -> list[Measured]:
    """A row for each checkpoint: its steps, games, win rate and interval against one policy."""
    rows = []
    for steps, path in tqdm(checkpoints(folder)[every - 1 :: every], desc=against, disable=None):
        names = (str(path), *[against] * (table.seats - 1))
        bout = Bout(names, games, seed=10**6 + table.seed, rules=table.rules, trade=table.trade)
        first = evaluate(bout, workers=workers)["entrants"][0]
        won = {name: first[name] for name in ("wins", "win_rate", "interval")}
        rows.append({"steps": steps, "against": against, "games": games, **won})
    return rows


def logged(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """(steps, number) of the value's loss and the policy's entropy, from what TensorBoard shows."""
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
    """Win rates over steps, with intervals; beside them the value's loss and the entropy."""
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
        axes.legend()
    figure.savefig(path)


def main(given: list[str] | None = None) -> None:
    """Play, print, and write what was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.strength", description=__doc__
    )
    parser.add_argument("config", help="of the run")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--against", nargs="+", default=["random", "greedy"])
    parser.add_argument("--every", type=int, default=1, help="so many-th checkpoint alone")
    parser.add_argument("--games", type=int, default=200, help="with each (default 200)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--json", help="write the result there")
    parser.add_argument("--plot", help="write a picture there")
    wanted = parser.parse_args(given)
    table = table_in(wanted.config)
    if not checkpoints(wanted.folder):
        raise SystemExit(f"no past_*.npz in {str(wanted.folder)!r}; has the run begun?")
    curves = {
        name: strength(wanted.folder, table, name, wanted.games, wanted.workers, wanted.every)
        for name in wanted.against
    }
    for row in (row for rows in curves.values() for row in rows):
        low, high = row["interval"]
        print(
            f"{row['steps']:10,} decisions  {row['win_rate']:6.1%}  {low:5.1%} - {high:5.1%}"
            f"  of {row['games']} against {row['against']}"
        )
    if wanted.json:
        Path(wanted.json).write_text(json.dumps(curves, indent=1))
    if wanted.plot:
        plot(curves, wanted.folder, wanted.plot)


if __name__ == "__main__":
    main()
