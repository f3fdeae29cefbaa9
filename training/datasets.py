"""`python -m catan_env.training.datasets NAME NAME ... --out FOLDER`: games of policies as arrays.

The entrants meet on the same boards in every rotation of the seats that differs; equal ones have a
new board in every game. Every `--at-once` games go into one compressed file, `games_0.npz`, ...,
with one row per decision with a choice, game after game in the order in which they were made:

    python -m catan_env.training.datasets greedy greedy --rules duel --games 1000 --out data/duel
    python -m catan_env.training.datasets best greedy builder random --games 500 --out data/four
    python -m catan_env.training.datasets greedy greedy --rules duel --minari catan/duel-greedy-v0
    python -m catan_env.training.datasets --records games --out data/games

`--records` reads saved games (`.sgn.json`) instead of playing: those of people, or of other
programs (`catan-env import`). `--minari` writes a Minari dataset instead of files
(`pip install '.[minari]'`): a seat's decisions in a game are an episode, and the reward of the last
step is the game's.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from catan_env.adapters.contest import play_games
from catan_env.adapters.policies import result_of
from catan_env.arena.schedule import entrant_at, games_per_board
from catan_env.batch import NOBODY, Batch
from catan_env.envs.options import Options
from catan_env.extras import ends_in_one_line, missing, reason
from catan_env.game.observation import OBSERVATION_VERSION
from catan_env.game.rules import PRESETS
from catan_env.notation import read
from catan_env.notation.files import files_of
from catan_env.notation.whole_files import replacing
from catan_env.policies.players import player
from catan_env.policy import BatchedPolicy
from catan_env.training.evaluate import Bout
from catan_env.training.folder import write_json
from catan_env.training.ranges import check_counts
from catan_env.training.recorded import recorded

Array = np.ndarray[Any, Any]
Columns = dict[str, Array]
"""A row for each decision:

- `observations` (n, 913) int8 and `masks` (n, 106) uint8, of the seat that decided: `np.unpackbits(
  masks, axis=1)` are the 848 legal actions as 0 and 1
- `actions` (n,) int16, `seats` and `entrants` (n,) int8, `games` (n,) int32 the game's number
- `results` (n,) float32: 1 for a win, -1/(seats - 1) for a loss, 0 where the game was cut off
- `last` (n,) bool: the seat decided nothing later in this game
"""
OF_PLAYED_GAMES = {
    "games": "--games",
    "rules": "--rules",
    "trade": "--no-trade",
    "seed": "--seed",
    "max_turns": "--max-turns",
}
"""The options that say which games are played, by their attribute."""


def record(bout: Bout, numbers: Array, forced: bool = False) -> Columns:
    """Play the games of those numbers; decisions with one legal action only if `forced`."""
    seats = len(bout.names)
    batch = bout.batch(len(numbers))
    batch.reset(bout.seeds(numbers))
    entrant_of = entrant_at(np.arange(seats)[None, :], numbers[:, None], seats)
    rows: list[Columns] = []
    players = [Recorded(player(name, e), e, forced, rows) for e, name in enumerate(bout.names)]
    play_games(batch, players, entrant_of)
    winner = batch.states["winner"][:, None]
    results = np.where(winner == np.arange(seats), 1, -1 / (seats - 1)).astype(np.float32)
    results[winner[:, 0] == NOBODY] = 0
    return _in_order(rows, numbers, results)


class Recorded:
    """An entrant whose decisions are added to `recorded`, those with no choice if `forced`."""

    reads_arrays = True

    def __init__(
        self, policy: BatchedPolicy, entrant: int, forced: bool, recorded: list[Columns]
    ) -> None:
        self._policy, self._entrant, self._forced = policy, entrant, forced
        self._recorded = recorded

    def choose(self, batch: Batch, rows: Array) -> Array:
        """The entrant's actions."""
        assert batch.observations is not None and batch.action_masks is not None
        actions = result_of(self._policy, self._policy.choose, batch, rows)
        counts = self._forced | (batch.action_masks[rows].sum(axis=1) > 1)
        at = rows[counts]
        self._recorded.append(
            {
                "observations": batch.observations[at],
                "masks": np.packbits(batch.action_masks[at], axis=1),
                "actions": actions[counts].astype(np.int16),
                "seats": batch.seat[at],
                "entrants": np.full(len(at), self._entrant, np.int8),
                "games": at.astype(np.int32),
            }
        )
        return actions


def _in_order(rows: list[Columns], numbers: Array, results: Array) -> Columns:
    """All rows, game after game, with the results."""
    columns = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    order = np.argsort(columns["games"], kind="stable")
    columns = {name: column[order] for name, column in columns.items()}
    games, seats = columns["games"], columns["seats"]
    streams = games.astype(np.int64) * results.shape[1] + seats
    last = np.zeros(len(games), np.bool_)
    last[len(games) - 1 - np.unique(streams[::-1], return_index=True)[1]] = True
    given = {"games": numbers[games].astype(np.int32), "results": results[games, seats]}
    return columns | given | {"last": last}


def episodes(columns: Columns) -> Iterator[Columns]:
    """The decisions of each seat in each game, one episode each."""
    streams = columns["games"].astype(np.int64) * 8 + columns["seats"]
    order = np.argsort(streams, kind="stable")
    edges = np.flatnonzero(np.diff(streams[order])) + 1
    for rows in np.split(order, edges) if len(order) else ():
        yield {name: column[rows] for name, column in columns.items()}


def saved(files: Sequence[Path], at_once: int, forced: bool) -> Iterator[Columns]:
    """The games in records, `at_once` at a time; a file's number is its game's.

    ValueError, with the file's name, for one that has no game with the cards of all seats.
    """
    for first in tqdm(range(0, len(files), at_once), unit="file", disable=None):
        some = enumerate(files[first : first + at_once], first)
        games = [_saved(file, number, forced) for number, file in some]
        yield {name: np.concatenate([game[name] for game in games]) for name in games[0]}


def _saved(file: Path, number: int, forced: bool) -> Columns:
    try:
        return recorded(read(file), number, forced)
    except OSError as error:
        raise ValueError(reason(error)) from None
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def shards(bout: Bout, at_once: int, forced: bool) -> Iterator[Columns]:
    """The games of a bout, `at_once` at a time."""
    numbers = np.arange(bout.games)
    for first in tqdm(range(0, bout.games, at_once), unit="file", disable=None):
        yield record(bout, numbers[first : first + at_once], forced)


def write(parts: Iterator[Columns], metadata: dict[str, Any], folder: Path) -> int:
    """Write a file for each part, and `facts.json`; returns the number of decisions.

    ValueError if the folder has games already: fewer new files would leave older ones among them.
    No file is left if a part raises ValueError.
    """
    before = sorted(path.name for path in folder.glob("games_*.npz"))
    if before:
        raise ValueError(f"{folder} has {before[0]} already: name another folder, or empty it")
    folder.mkdir(parents=True, exist_ok=True)
    decisions = 0
    try:
        for k, columns in enumerate(parts):
            with replacing(folder / f"games_{k}.npz") as file:
                np.savez_compressed(file, **columns)  # type: ignore[arg-type]
            decisions += len(columns["actions"])
    except ValueError:
        for file in folder.glob("games_*.npz"):
            file.unlink()
        raise
    write_json(folder / "facts.json", metadata | {"decisions": decisions})
    return decisions


def write_minari(parts: Iterator[Columns], metadata: dict[str, Any], name: str) -> int:
    """Make the Minari dataset `name`; returns the number of decisions."""
    try:
        import minari
        from minari.data_collector.episode_buffer import EpisodeBuffer
    except ImportError as error:
        raise missing("--minari", "minari", error) from None
    buffers: list[Any] = []
    decisions = 0
    for columns in parts:
        for episode in episodes(columns):
            steps = len(episode["actions"])
            decisions += steps
            buffers.append(EpisodeBuffer(id=len(buffers), **_minari_episode(episode)))
    if not buffers:
        raise ValueError("the games have no decision to write")
    options = Options()
    minari.create_dataset_from_buffers(
        name, buffers, observation_space=options.observation_space(),
        action_space=options.action_space(), algorithm_name=" ".join(metadata["names"]),
        description=json.dumps(metadata),
    )  # fmt: skip
    return decisions


def _minari_episode(episode: Columns) -> dict[str, Any]:
    """Minari needs an observation after the last action: the last one is repeated."""
    seen = np.append(np.arange(len(episode["actions"])), len(episode["actions"]) - 1)
    masks = np.unpackbits(episode["masks"], axis=1).view(np.int8)
    rewards = np.where(episode["last"], episode["results"], np.float32(0))
    over = episode["last"] & (episode["results"] != 0)
    return {
        "observations": {
            "observation": episode["observations"][seen],
            "action_mask": masks[seen],
        },
        "actions": episode["actions"].astype(np.int64),
        "rewards": rewards,
        "terminations": over,
        "truncations": episode["last"] & ~over,
    }


def main(given: list[str] | None = None) -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.datasets",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", help="policies or weights files, one per seat")
    parser.add_argument("--records", type=Path, metavar="DIR", help="saved games instead")
    parser.add_argument(
        "--games", type=int, default=1000, help="games to play (default: %(default)s)"
    )
    parser.add_argument("--rules", default="base", help=f"{', '.join(PRESETS)} (default: base)")
    parser.add_argument(
        "--no-trade", dest="trade", action="store_false", help="seats trade only with the bank"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the games (default: %(default)s)"
    )
    parser.add_argument(
        "--max-turns", type=int, default=1000,
        help="turns per game, 0: no limit (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--forced", action="store_true", help="include decisions without a choice")
    parser.add_argument(
        "--at-once", type=int, default=250, help="games in a file (default: %(default)s)"
    )
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--out", type=Path, help="the folder")
    place.add_argument("--minari", metavar="NAME", help="a Minari dataset instead of files")
    wanted = parser.parse_args(given)
    if bool(wanted.names) == bool(wanted.records):
        parser.error("expected either names of policies or --records")
    for name, option in OF_PLAYED_GAMES.items():
        if wanted.records and getattr(wanted, name) != parser.get_default(name):
            parser.error(f"--records reads games as they were played, without {option}")
    with ends_in_one_line(parser.prog):
        check_counts(wanted, "games", "at_once")
        parts, metadata = of_records(wanted) if wanted.records else of_games(wanted)
        if wanted.minari:
            decisions, place_name = write_minari(parts, metadata, wanted.minari), wanted.minari
        else:
            decisions, place_name = write(parts, metadata, wanted.out), str(wanted.out)
        print(f"{metadata['games']} games, {decisions:,} decisions: {place_name}")


def of_games(wanted: argparse.Namespace) -> tuple[Iterator[Columns], dict[str, Any]]:
    """Games that are played for the arrays, and their description."""
    bout = Bout(
        tuple(wanted.names), wanted.games, wanted.seed, wanted.rules,
        max_turns=wanted.max_turns, trade=wanted.trade,
    )  # fmt: skip
    metadata = {
        "names": list(bout.names), "games": bout.games, "seed": bout.seed, "rules": bout.rules,
        "trade": bout.trade, "max_turns": bout.max_turns, "forced": wanted.forced,
        "games_per_board": games_per_board(bout.names), "observation_version": OBSERVATION_VERSION,
    }  # fmt: skip
    return shards(bout, wanted.at_once, wanted.forced), metadata


def of_records(wanted: argparse.Namespace) -> tuple[Iterator[Columns], dict[str, Any]]:
    """Saved games, and their description."""
    files = files_of(wanted.records)
    if not files:
        raise ValueError(f"{wanted.records}: the folder has no records (.sgn.json)")
    metadata = {
        "names": ["records"], "games": len(files), "files": [file.name for file in files],
        "forced": wanted.forced, "observation_version": OBSERVATION_VERSION,
    }  # fmt: skip
    return saved(files, wanted.at_once, wanted.forced), metadata


if __name__ == "__main__":
    main()
