"""Games of our policies as files of other programs, by writers that share no code with the readers.

    python -m tests.foreign.write foreign --games 400

writes duels of `greedy` in the formats of Colonist, JSettlers and StacSettlers in turn.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from catan_env import Rules
from tests.foreign.colonist_writer import Writer
from tests.foreign.games import played
from tests.foreign.soclog_writer import Recorded, Stac

COLONIST = replace(Rules.colonist_1v1(), balanced_dice=False, points_to_win=10)
SETTLERS = Rules.jsettlers()


def written(number: int, seed: int) -> tuple[str, str]:
    """The name and the text of a file with a game of that number."""
    form = ("colonist", "jsettlers", "stac")[number % 3]
    game = played(seed, COLONIST if form == "colonist" else SETTLERS, 2, ("greedy",) * 4)
    if form == "colonist":
        return f"{form}-{number}.json", json.dumps(Writer(game, seed).replay())
    return f"{form}-{number}.soclog", (Recorded if form == "jsettlers" else Stac)(game).write()


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(prog="python -m tests.foreign.write", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for number in range(wanted.games):
        name, text = written(number, wanted.seed + number)
        (wanted.folder / name).write_text(text)
    print(f"{wanted.folder}: {wanted.games} games")


if __name__ == "__main__":
    main()
