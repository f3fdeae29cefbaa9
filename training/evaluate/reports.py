"""Reports of results, as text and as a picture."""

from collections.abc import Sequence
from pathlib import Path

from catan_env.arena.fair_rate import say_fair_rate
from catan_env.arena.report import Row
from catan_env.arena.report import table as table_of
from catan_env.training.evaluate.bout import Measured
from catan_env.training.evaluate.pools import ratings


def report(table: Measured) -> str:
    """One line per entrant, then the games, rules and seed."""
    rows = [
        Row(e["name"], table["games"], e["wins"], e["points"], typical=e["microseconds"] / 1e6)
        for e in table["entrants"]
    ]
    played = f"{table['games']} games, rules {rules_of(table)}, seed {table['seed']}"
    fair = [
        f"{entrant['name']} without luck: {say_fair_rate(entrant)}"
        for entrant in table["entrants"]
        if "saved" in entrant
    ]
    return "\n".join([table_of(rows), *fair, played])


def report_ratings(tables: Sequence[Measured]) -> str:
    """One line per entrant with its Elo, the best first."""
    return "\n".join(f"{value:6.0f}  {name}" for name, value in ratings(tables).items())


def rules_of(table: Measured) -> str:
    """The name of the rules, and whether they went without trade between seats."""
    name: str = table["rules"]
    return name if table["trade"] else f"{name}, no trade"


def plot(tables: Sequence[Measured], path: str | Path) -> None:
    """Win rates with their intervals of one table, or the Elo of several, as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    if len(tables) == 1:
        entrants = tables[0]["entrants"]
        rates = [e["win_rate"] for e in entrants]
        reach = [
            [e["win_rate"] - e["interval"][0] for e in entrants],
            [e["interval"][1] - e["win_rate"] for e in entrants],
        ]
        labels = [f"{k + 1} {Path(e['name']).name}" for k, e in enumerate(entrants)]
        axes.bar(labels, rates, yerr=reach, capsize=4)
        axes.set_ylabel(f"win rate of {tables[0]['games']} games")
    else:
        rated = ratings(tables)
        axes.barh([Path(name).name for name in rated], list(rated.values()))
        axes.set_xlabel("Elo")
    figure.savefig(path)
