"""More than sixty faults in all parts of the package, planted one by one.

    python -m tests.properties.planted

Each is put into a copy of the tree, in which its tests must fail with as many games as `make test`
plays; each processor looks for one. A row is added with each property, and a size is only reduced
while all its rows are found.
`FAULTS` begins with those that the random games are there for; `faults.py` has the others.
`--only N` plants one of them; a fault in a compiled function costs a minute of compiling.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from catan_env.machine import usable_processors
from tests.properties.faults import ELSEWHERE, Planted

ROOT = Path(__file__).resolve().parents[2]
EVERY_STEP = "tests/properties/test_every_step.py::test_"
FACTS = EVERY_STEP + "stored_fields_follow_from_pieces_and_cards"
DEALS = EVERY_STEP + "the_same_holds_however_the_cards_are_dealt"
EYES = EVERY_STEP + "a_seat_knows_only_what_it_has_seen"
FUTURES = EVERY_STEP + "the_future_is_in_the_position_and_no_seat_is_special"
BOOK = "tests/properties/test_reference.py"
BYTES = "tests/properties/test_compiled.py"
VIEWS = "tests/properties/test_views.py"
WIRE = "tests/protocols/test_games.py tests/protocols/test_parity.py"
RECORDS = "tests/notation/test_round_trip.py tests/notation/test_redacted.py"
STATEMENTS = "tests/notation/test_statements.py"

FAULTS = (
    Planted(
        FACTS,
        "catan_env/core/longest_road.py",
        "walls = g.built & ~(g.settlements[seat] | g.cities[seat])",
        "walls = g.built & ~g.settlements[seat]",
    ),
    Planted(
        FACTS,
        "catan_env/core/cards.py",
        "if knights <= g.played[holder, KNIGHT]:",
        "if knights < g.played[holder, KNIGHT]:",
    ),
    Planted(
        DEALS,
        "catan_env/core/production.py",
        "if short and receivers > 1:  # C055",
        "if short:",
    ),
    Planted(
        DEALS,
        "catan_env/core/production.py",
        "return least >= MOST_FROM_A_TILE * count_bits(tiles)",
        "return least >= count_bits(tiles)",
    ),
    Planted(
        DEALS,
        "catan_env/core/cards.py",
        "return in_stock(g, a) > 1 or (in_stock(g, a) == 1 and bank_total(g) == 1)",
        "return in_stock(g, a) > 1",
    ),
    Planted(
        EYES,
        "catan_env/core/observation.py",
        "g.new_cards[kind] if g.turn_seat == viewer else 0",
        "g.new_cards[kind]",
    ),
    Planted(
        EYES,
        "catan_env/core/observation.py",
        "out[row, POINTS_AT + step] = g.points[seat]",
        "out[row, POINTS_AT + step] = g.points[seat] + g.cards[seat, VICTORY_POINT]",
    ),
    Planted(
        FUTURES,
        "catan_env/core/robber.py",
        "seat = seat_after(g, g.turn_seat, k)\n        if g.owed[seat] > 0:",
        "seat = k\n        if g.owed[seat] > 0:",
    ),
    Planted(
        BOOK,
        "catan_env/core/robber.py",
        "g.owed[seat] = g.hand_size[seat] // 2",
        "g.owed[seat] = (g.hand_size[seat] + 1) // 2",
    ),
    Planted(
        BOOK,
        "catan_env/core/cards.py",
        "kinds |= (g.cards[seat, kind] > g.new_cards[kind]) << kind",
        "kinds |= (g.cards[seat, kind] > 0) << kind",
    ),
    Planted(
        "tests/rules/test_leaving.py",
        "catan_env/core/turn.py",
        "if left == g.seats:",
        "if g.gone >> g.seat & 1:",
    ),
    Planted(
        "tests/rules/test_endless_bank.py",
        "catan_env/core/cards.py",
        "return endless_stock(g) > 1",
        "return True",
    ),
    Planted(
        BYTES,
        "catan_env/core/observation.py",
        "out[row, TURN_AT] = min(g.turn, 127)",
        "out[row, TURN_AT] = g.turn",
    ),
    Planted(
        VIEWS,
        "catan_env/game/event.py",
        "if kind == ActionKind.MOVE_ROBBER and viewer != self.victim(seats):",
        "if kind == ActionKind.MOVE_ROBBER:",
    ),
    Planted(
        VIEWS,
        "catan_env/core/cards.py",
        "if knights < LARGEST_ARMY_MINIMUM or holder == seat or not g.awards:",
        "if knights < LARGEST_ARMY_MINIMUM or holder == seat or not g.awards or g.viewer == seat:",
    ),
    Planted(
        WIRE,
        "catan_env/protocols/catan_binary/account.py",
        "return message.ask == NOTHING and message.target_id == monopolist",
        "return False",
    ),
    Planted(
        RECORDS,
        "catan_env/notation/narrator.py",
        'if victim is not None and all(share["player"] != viewer for share in shares):',
        "if victim is not None and not shares:",
    ),
    Planted(
        RECORDS,
        "catan_env/notation/narrator.py",
        "if event.outcome is None:\n            nothing",
        "if event.outcome is None and not self.players:\n            nothing",
    ),
    Planted(
        STATEMENTS,
        "catan_env/notation/dues.py",
        "if event in _ENDS_TURN and any(self._awards_missing()):",
        "if event in _ENDS_TURN and not self._due:",
    ),
    Planted(
        STATEMENTS,
        "catan_env/notation/production.py",
        "if any(n < 0 for n in (*left.values(), *gains.values())):",
        "if any(n < 0 for n in gains.values()):",
    ),
    *ELSEWHERE,
)
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.nbi", "*.nbc", "results")


def is_found(fault: Planted, games: int) -> bool:
    """True if the fault's tests fail with it, in a copy of the tree."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        source = copy / fault.file
        text = source.read_text(encoding="utf-8")
        source.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
        own_cache = {"CATAN_ENV_CACHE": folder} if "core" in source.parts else {}
        command = [sys.executable, "-m", "pytest", "-x", "-n", "0", "-p", "no:cacheprovider"]
        done = subprocess.run(
            [*command, "--games", str(games), *fault.tests.split()],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": str(copy)} | own_cache,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stdout)
        return done.returncode == 1


def main() -> int:
    """Plant each fault; 1 if one is not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.planted")
    parser.add_argument("--games", type=int, default=600, help="as for pytest")
    parser.add_argument("--only", type=int, nargs="*", help="the numbers of the faults")
    chosen = parser.parse_args()
    numbers = range(len(FAULTS)) if chosen.only is None else chosen.only
    missed = 0
    with ThreadPoolExecutor(len(usable_processors())) as pool:  # of processes, one per fault
        looked_for = pool.map(partial(is_found, games=chosen.games), (FAULTS[n] for n in numbers))
        for number, found in zip(numbers, looked_for, strict=True):
            missed += not found
            fault = FAULTS[number]
            print(
                f"{number} {'found' if found else 'MISSED'} {fault.file}: {fault.wrong!r}",
                flush=True,
            )
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
