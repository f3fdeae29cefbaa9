"""Damaged copies of files that other programs wrote: none may be read as a game that differs.

    python -m tests.foreign.damage saved --copies 500

reads every file of a folder, then damaged copies of those that are read to the end, and prints how
many were refused. A damaged copy that is read must give the original game, except for parts that a
file has only once (`WRITTEN_ONCE`): the copy then describes the game that is read.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from catan_env import ActionKind, Event
from catan_env.cli.importing import files_of
from catan_env.foreign import ForeignError, ForeignGame, read_foreign

CATANATRON_PARTS = (
    "tiles", "nodes", "edges", "player_state", "colors", "winning_color", "robber_coordinate",
)  # fmt: skip
WRITTEN_ONCE = {"MOVE_ROBBER", "ROLL", "DISCARD"}
"""Steps with a part that some format has only once: the robber's tile; in catanatron's up to 3.2
also dice and discards; in JSettlers' a roll that yields no cards."""


def damaged_json(record: Any, chance: Random) -> Any:
    """A copy of catanatron's record with one value changed, removed or swapped with another."""
    copy = deepcopy(record)
    steps = "action_records" if "action_records" in copy else "actions"
    place: Any = copy
    key: Any = chance.choice((*CATANATRON_PARTS, *[steps] * 6))
    while isinstance(place[key], dict | list) and place[key] and chance.random() < 0.9:
        place = place[key]
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
    value, how = place[key], chance.choice(("change", "change", "remove", "exchange"))
    if how == "remove":
        del place[key]
    elif how == "exchange" and isinstance(place, list):
        other = chance.randrange(len(place))
        place[key], place[other] = place[other], value
    elif isinstance(value, int):
        place[key] = not value if isinstance(value, bool) else value + chance.choice((-1, 1))
    else:
        place[key] = chance.choice(("RED", "WOOD", "ROLL", "KNIGHT", "x", None, 3, [], {}))
    return copy


def damaged_replay(replay: Any, chance: Random) -> Any:
    """A copy of Colonist's replay: a value of an event, the map or the end changed or removed."""
    copy = deepcopy(replay)
    history = copy["data"]["eventHistory"]
    place: Any = chance.choice(
        [
            history["initialState"]["mapState"],
            history["endGameState"]["players"],
            *[chance.choice(history["events"])["stateChange"] for _ in range(6)],
        ]
    )
    if not place:
        return damaged_replay(replay, chance)
    key = chance.choice(list(place))
    while isinstance(place[key], dict | list) and place[key] and chance.random() < 0.95:
        place = place[key]
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
    value = place[key]
    if chance.random() < 0.2:
        del place[key]
    elif isinstance(value, bool):
        place[key] = not value
    elif isinstance(value, int):
        place[key] = value + chance.choice((-1, 1, 7))
    else:
        place[key] = chance.choice((None, 3, "x", [], {}))
    return copy


def damaged_log(text: str, chance: Random) -> str:
    """The text with a number changed, or a line removed, repeated or cut."""
    lines = text.removesuffix("\n").split("\n")
    k = chance.randrange(len(lines))
    how = chance.choice(("number", "number", "number", "remove", "cut", "repeat"))
    spans = list(re.finditer(r"(?<==)-?[0-9a-f]+\b", lines[k]))
    if how == "number" and spans:
        at = chance.choice(spans)
        new = chance.choice(("0", "1", "2", "3", "4", "5", "-1", "77", "99"))
        lines[k] = lines[k][: at.start()] + new + lines[k][at.end() :]
    elif how == "cut":
        lines[k] = lines[k][: chance.randrange(len(lines[k]) + 1)]
    elif how == "repeat":
        lines.insert(k, lines[k])
    else:
        del lines[k]
    return "\n".join(lines)


def damaged(text: str, chance: Random) -> str:
    """A damaged copy of a file's text."""
    if not text.startswith("{"):
        return damaged_log(text, chance)
    record = json.loads(text)
    is_replay = "eventHistory" in record.get("data", ())
    return json.dumps((damaged_replay if is_replay else damaged_json)(record, chance))


def as_told(events: Sequence[Event], has_dice: bool) -> list[Event]:
    """The events as far as a file tells them: a seat's discards have no order.

    JSettlers' own logs have only the sum of the dice.
    """
    found: list[Event] = []
    for event in events:
        if event.action.kind == ActionKind.ROLL and not has_dice:
            event = replace(event, outcome=sum(event.outcome))
        found.append(event)
        k = len(found) - 1
        while event.action.kind == ActionKind.DISCARD and k and _same(found[k - 1], found[k]):
            found[k - 1], found[k] = sorted(found[k - 1 : k + 1], key=lambda e: e.action.args)
            k -= 1
    return found


def _same(one: Event, other: Event) -> bool:
    """True if both are cards that a seat gives up."""
    return one.seat == other.seat and one.action.kind == other.action.kind


def differing(original: ForeignGame, found: ForeignGame, has_dice: bool = True) -> set[str]:
    """The differences between two games: kinds of actions, "players", "end" or "length"."""
    ours, theirs = (as_told(game.events, has_dice) for game, _ in (original, found))
    kinds = {a.action.kind.name for a, b in zip(ours, theirs, strict=False) if a != b}
    if original.players != found.players:
        kinds.add("players")
    if original.game.winner != found.game.winner or original.game.board != found.game.board:
        kinds.add("end")
    return kinds | ({"length"} if len(ours) != len(theirs) else set())


def outcome_of(original: ForeignGame, file: Path, has_dice: bool) -> str:
    """The result of reading a damaged copy, as text."""
    try:
        found = read_foreign(file)
    except ForeignError as error:
        if "\n" in str(error) or len(str(error)) > 600:
            return "refused in more than a line"
        return "refused at a step" if error.step is not None else "refused as a whole"
    kinds = differing(original, found, has_dice)
    if not kinds:
        return "the same game"
    return "a part that is written once" if kinds <= WRITTEN_ONCE else "ANOTHER GAME"


def check(files: Sequence[Path], copies: int, seed: int, say: Callable[[str], Any]) -> Counter[str]:
    """Read damaged copies of files in turn; how many had which outcome."""
    games: dict[Path, ForeignGame] = {}
    for file in files:
        try:
            games[file] = read_foreign(file)
        except ForeignError as error:
            say(f"{file}: {error}")
    say(f"{len(files)} files: {len(games)} read")
    chance, known, outcomes = Random(seed), sorted(games), Counter[str]()
    with TemporaryDirectory() as folder:
        for k in range(copies if known else 0):
            file = known[k % len(known)]
            copy = Path(folder) / file.name
            copy.write_text(damaged(file.read_text(), chance))
            outcome = outcome_of(games[file], copy, file.suffix == ".json")
            outcomes[outcome] += 1
            if outcome == "ANOTHER GAME":
                say(f"copy {k} of {file}: {differing(games[file], read_foreign(copy))}")
    return outcomes


def main() -> None:
    """Check a folder, and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.foreign.damage", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--copies", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    outcomes = check(files_of(wanted.folder), wanted.copies, wanted.seed, print)
    for outcome, count in outcomes.most_common():
        print(f"{count:6}  {outcome}")
    if outcomes["ANOTHER GAME"] or outcomes["refused in more than a line"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
