"""The benchmark's table, ratios, file and plot.

`python -m benchmarks.report benchmarks/results/engine.json` prints the tables of that run.
"""

import argparse
import json
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.ours import ENVIRONMENT, LOCKSTEP, ONE_GAME, WHOLE_GAMES, WITH_OBSERVATIONS
from benchmarks.rows import Row, Work
from catan_env.machine import processor_name

PACKAGES = (
    "catan-env",
    "numba",
    "numpy",
    "fastcatan",
    "catanatron",
    "catanatron-gym",
    "open-spiel",
    "pettingzoo",
)

# ours: (form, games, trade); theirs: (engine, form, games); figure; at least; aim
BARS = (
    ((LOCKSTEP, 1024, True), ("fastCatan", LOCKSTEP, 1024), "decisions_per_second", 2.0, 3.0),
    (
        (WITH_OBSERVATIONS, 1024, True),
        ("fastCatan", LOCKSTEP, 1024),
        "decisions_per_second",
        0.8,
        1.4,
    ),
    ((WHOLE_GAMES, 1, False), ("catanatron", WHOLE_GAMES, 1), "games_per_second", 300, 450),
    ((WHOLE_GAMES, 1, True), ("fastCatan", LOCKSTEP, 1024), "games_per_second", 2.0, 3.0),
    ((ONE_GAME, 1, True), ("catanatron gym", ENVIRONMENT, 1), "decisions_per_second", 20, 20),
    ((ENVIRONMENT, 1, True), ("catanatron gym", ENVIRONMENT, 1), "decisions_per_second", 10, 10),
)

# for the guest Hanabi, likewise
HANABI_STATE = "one state: legal actions, pick, apply"
HANABI = (
    (
        (LOCKSTEP, 1024, False),
        ("OpenSpiel hanabi", HANABI_STATE, 1),
        "decisions_per_second",
        70,
        70,
    ),
    (
        (WITH_OBSERVATIONS, 1024, False),
        ("PettingZoo hanabi_v5", ENVIRONMENT, 1),
        "decisions_per_second",
        1000,
        1000,
    ),
)


def table(rows: list[Row]) -> str:
    """All rows as Markdown, medians over the repeats; the seconds are per turn."""
    lines = [
        "| engine | form | games | seat trade | observed | decisions/s | games/s "
        "| processor s | wall s | forced |",
        "|---|---|--:|---|---|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        forced = row.median("forced_share")
        lines.append(
            f"| {row.engine} | {row.form} | {row.games} | {'yes' if row.trade else 'no'} "
            f"| {'yes' if row.observed else 'no'} | {row.median('decisions_per_second'):,.0f} "
            f"| {row.median('games_per_second'):,.1f} | {row.median('cpu_seconds'):.2f} "
            f"| {row.median('wall_seconds'):.2f} | {f'{forced:.0%}' if forced else ''} |"
        )
    return "\n".join(lines)


def ratios(rows: list[Row]) -> str:
    """Our speed relative to others, where both were measured, as Markdown."""
    lines = ["| ours | against | figure | ratio | at least | aim |", "|---|---|---|--:|--:|--:|"]
    bars = [("catan_env", *bar) for bar in BARS] + [("catan_env hanabi", *bar) for bar in HANABI]
    for engine, ours, theirs, figure, least, aim in bars:
        mine = find(rows, engine, *ours)
        other = find(rows, *theirs, None)
        if mine is not None and other is not None:
            ratio = mine.median(figure) / other.median(figure)
            lines.append(
                f"| {mine.form}, {mine.games} | {other.engine}: {other.form}, {other.games} "
                f"| {figure.replace('_', ' ')} | {ratio:.2f} | {least} | {aim} |"
            )
    return "\n".join(lines)


def find(rows: list[Row], engine: str, form: str, games: int, trade: bool | None) -> Row | None:
    """The row of that engine, form and number of games."""
    for row in rows:
        same = (row.engine, row.form, row.games) == (engine, form, games)
        if same and trade in (None, row.trade):
            return row
    return None


def machine() -> str:
    """The processor, the Python and the packages that were measured."""
    packages = ", ".join(versions(PACKAGES))
    return f"{processor_name()}, Python {platform.python_version()}, one core; {packages}"


def versions(packages: tuple[str, ...]) -> list[str]:
    """The installed packages with their versions."""
    installed = []
    for package in packages:
        try:
            installed.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return installed


def text(machine: str, rows: list[Row], start_up: dict[str, float]) -> str:
    """The measurements as Markdown: every row, the ratios and the start-up costs."""
    costs = [f"| {name} | {figure:.2f} |" for name, figure in start_up.items()]
    head = (
        f"{machine}; medians of {len(rows[0].samples)}\n"
        "decisions and games per second of processor time"
    )
    return "\n\n".join(
        [head, table(rows), ratios(rows), "\n".join(["| start-up | |", "|---|--:|", *costs])]
    )


def write_json(path: Path, rows: list[Row], start_up: dict[str, float]) -> None:
    """Save every sample."""
    document: dict[str, Any] = {
        "command": " ".join(["python -m benchmarks", *sys.argv[1:]]),
        "machine": machine(),
        "start_up": start_up,
        "rows": [{key: value for key, value in vars(row).items() if key != "run"} for row in rows],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n")


def read_json(path: Path) -> tuple[str, list[Row], dict[str, float]]:
    """The machine, rows (which cannot run again) and start-up from a file of `write_json`."""
    document = json.loads(path.read_text())
    rows = [Row(run=_not_again, **row) for row in document["rows"]]
    return document["machine"], rows, document["start_up"]


def _not_again(seconds: float) -> Work:
    raise ValueError("a row read from a file cannot be measured again")


def plot(path: Path, rows: list[Row]) -> None:
    """Decisions per second against the number of games in lockstep, as SVG or PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    for engine, form, label in (
        ("catan_env", LOCKSTEP, "catan_env"),
        ("catan_env", WITH_OBSERVATIONS, "catan_env, with observation and byte mask"),
        ("fastCatan", LOCKSTEP, "fastCatan (no observation)"),
    ):
        points = [
            (row.games, row.median("decisions_per_second") / 1e6)
            for row in rows
            if (row.engine, row.form, row.trade) == (engine, form, True)
        ]
        if points:
            axes.plot(*zip(*sorted(points), strict=True), marker="o", label=label)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("games in lockstep, seat trade on")
    axes.set_ylabel("million decisions per second, one core")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    """Print the tables of a saved run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=main.__doc__)
    parser.add_argument("file", type=Path)
    print(text(*read_json(parser.parse_args().file)))


if __name__ == "__main__":
    main()
