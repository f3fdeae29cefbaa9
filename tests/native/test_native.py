"""The machine code built by `make native` plays the same games, and survives any argument.

The tests are skipped if it has not been built; `CI_FULL=1 .ci/run` builds it.
"""

import ast
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import catan_env
from catan_env import policies
from catan_env.kernel.sources import symbol_of
from tests.kernel.test_jit import install_into

PACKAGE = Path(catan_env.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
LIBRARY = find_spec("catan_env.kernel._native")
pytestmark = pytest.mark.skipif(LIBRARY is None, reason="make native has not been run")

LOCKSTEP = """
import hashlib
from catan_env.batch import Batch
from catan_env.kernel.jit import MODE
digest = hashlib.sha256()
for seats, rules in ((2, "base"), (3, "base"), (4, "base"), (2, "small"), (3, "small")):
    for shown in (True, False):
        batch = Batch(12, seats=seats, rules=rules, seed=seats, max_turns=60, observations=shown)
        for _ in range(400):
            batch.step(batch.sample_legal())
            digest.update(batch.states.tobytes() + batch.results.tobytes() + batch.done.tobytes())
            if shown:
                digest.update(batch.observations.tobytes() + batch.action_masks.tobytes())
print(MODE, digest.hexdigest())
"""
FIRST_GAME = """
import random, sys
from catan_env import Game
game, dice = Game(seats=4, seed=3), random.Random(1)
while not game.is_over:
    game.play(dice.choice(list(game.legal_actions)))
print(game.winner, len(game.events), sorted({"numba", "llvmlite"} & set(sys.modules)))
"""


def run(code: list[str], root: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    """A Python process with the package of `root`."""
    mine = ("CATAN_ENV_ENGINE", "CATAN_ENV_NATIVE_BODY")
    environment = {k: v for k, v in os.environ.items() if k not in mine}
    environment |= {"PYTHONPATH": str(root), **variables}
    return subprocess.run(
        [sys.executable, *code], cwd=root, env=environment, capture_output=True, text=True
    )


def digests(games: int, **variables: str) -> list[str]:
    """The engine, and one line per game that the process played."""
    done = run(["-m", "tests.properties.digests", str(games)], **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def doors_of(folder: Path) -> list[str]:
    """The functions of a folder's modules that are marked as doors."""
    return [
        f"{path.stem}.{node.name}"
        for path in sorted(folder.glob("*.py"))
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(d, ast.Name) and d.id == "door" for d in node.decorator_list)
    ]


def test_every_door_of_the_package_is_in_the_library() -> None:
    from catan_env.kernel import _native

    tops = (PACKAGE, Path(policies.__file__).parent)
    folders = {path.parent for top in tops for path in top.rglob("*.py")}
    found = 0
    for folder in sorted(folders):
        top = next(top for top in tops if folder.is_relative_to(top))
        package = ("catan_env", *(("policies",) if top != PACKAGE else ()))
        package += folder.relative_to(top).parts
        if "policies" in folder.relative_to(PACKAGE.parent).parts[1:2]:
            continue  # a symbolic link to the folder that is searched anyway
        for door in doors_of(folder):
            found += 1
            assert hasattr(_native, symbol_of(".".join((*package, door))))
    assert found > 40


def bodies() -> list[str]:
    """The bodies of the library that this processor runs."""
    if LIBRARY is None:
        return []
    from catan_env.kernel import _native

    return list(_native.bodies())


@pytest.mark.parametrize("body", bodies())
def test_each_body_and_the_interpreted_rules_give_the_same_bytes(body: str, games: int) -> None:
    most = max(8, games // 400)
    mode, *native = digests(most, CATAN_ENV_ENGINE="native", CATAN_ENV_NATIVE_BODY=body)
    assert mode == "native"
    mode, *interpreted = digests(most, CATAN_ENV_ENGINE="python")
    assert mode == "python"
    assert native == interpreted


def test_lockstep_gives_the_same_bytes_with_and_without_observations() -> None:
    answers = {
        run(["-c", LOCKSTEP], **variables).stdout.split()[1]
        for variables in (
            *({"CATAN_ENV_ENGINE": "native", "CATAN_ENV_NATIVE_BODY": body} for body in bodies()),
            {"CATAN_ENV_ENGINE": "python"},
        )
    }
    assert len(answers) == 1


def test_a_first_game_needs_neither_numba_nor_a_home(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    done = run(["-c", FIRST_GAME], HOME=str(home), CATAN_ENV_ENGINE="native")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(maxsplit=2)[2].strip() == "[]"
    assert not list(home.iterdir())


SHIPPED = """
from catan_env import Game
from catan_env.kernel.jit import MODE
from catan_env.policies.network.shipped import Shipped
played = []
for seats, rules in ((2, "duel"), (3, "base"), (4, "base")):
    game, network = Game(seats=seats, rules=rules, seed=5), Shipped()
    while not game.is_over:
        played.append(network.act(game.view(game.seat)))
        game.play(played[-1])
print(MODE, *played)
"""


def test_the_network_decides_as_with_numpy() -> None:
    mode, *native = run(["-c", SHIPPED], CATAN_ENV_ENGINE="native").stdout.split()
    assert mode == "native" and len(native) > 500
    mode, *expected = run(["-c", SHIPPED], CATAN_ENV_ENGINE="python").stdout.split()
    assert mode == "python" and native == expected


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ("core/trade.py", "catan_env.core"),
        ("policies/network/pointer.py", "catan_env.policies.network"),
        ("game/geometry.py", "catan_env.game"),
        ("guests/hanabi/rules.py", "catan_env.guests.hanabi"),
    ],
)
def test_machine_code_of_other_sources_is_not_used_with_a_message(
    changed: str, named: str, tmp_path: Path
) -> None:
    """The last ones have tables that the entry points of other packages contain."""
    source = install_into(tmp_path) / "catan_env" / changed
    source.write_text(source.read_text() + "\n# changed\n")
    code = "from catan_env.kernel.jit import MODE; print(MODE)"
    done = run(["-c", code], tmp_path, CATAN_ENV_ENGINE="native,python")
    assert done.stdout.strip() == "python"
    assert f": {named} changed since the build" in done.stderr
    done = run(["-c", code], tmp_path, CATAN_ENV_ENGINE="native")
    assert done.returncode != 0 and "which this installation lacks" in done.stderr


@pytest.mark.parametrize("seed", range(3))
def test_no_argument_of_any_entry_point_crashes_the_process(seed: int) -> None:
    done = run(["-m", "tests.native.fuzz", "15000", str(seed)], CATAN_ENV_ENGINE="native")
    assert done.returncode == 0, f"{done.returncode} {done.stderr}"
    assert "15000 calls" in done.stdout


def test_arguments_are_refused_with_the_name_of_the_parameter() -> None:
    code = """
import numpy as np
from catan_env import Game
from catan_env.core import doors
states = Game(seats=2, seed=1)._states
for call in (
    lambda: doors.play(states, 0, 848, -1),
    lambda: doors.play(states, 1, 0, -1),
    lambda: doors.play(states, 0, 0, 36),
    lambda: doors.play(states, 0, "3", -1),
    lambda: doors.observe_game(states, 0, 0, np.zeros((1, 5), np.int8)),
    lambda: doors.observe_game(states, 0, 0, np.zeros((1, 913), np.float32)),
):
    try:
        call()
    except (TypeError, ValueError, IndexError) as error:
        print(type(error).__name__, error)
"""
    done = run(["-c", code], CATAN_ENV_ENGINE="native")
    assert done.stdout.splitlines() == [
        "IndexError core_doors_play: action is 848, not from 0 to 847",
        "ValueError core_doors_play: length 1 of states in dimension 0 does not fit",
        "IndexError core_doors_play: outcome is 36, above 35",
        "TypeError core_doors_play: action has to be an integer",
        "ValueError core_doors_observe_game: length 5 of out in dimension 1 does not fit",
        "TypeError core_doors_observe_game: out has to be an array of int8, not of float32",
    ]


def test_rows_are_refused_whose_values_order_length_or_permission_do_not_fit() -> None:
    """Only the last call keeps to all conditions, with the highest seat."""
    code = """
import numpy as np
from catan_env import Game
from catan_env.core import batch
states, out = Game(seats=4, seed=1)._states, np.zeros((1, 914), np.int8)
seat, fitting = np.zeros(1, np.int8), out[:, :913].copy()
fixed = fitting.copy()
fixed.flags.writeable = False
for seats, observations, start, stop in (
    (seat + 4, fitting, 0, 1),
    (seat - 1, fitting, 0, 1),
    (seat, fitting, 1, 0),
    (seat, out, 0, 1),
    (seat, fixed, 0, 1),
    (seat + 3, fitting, 0, 1),
):
    try:
        print("accepted", batch.observe_seats(states, seats, observations, start, stop))
    except (ValueError, IndexError) as error:
        print(type(error).__name__, error)
"""
    done = run(["-c", code], CATAN_ENV_ENGINE="native")
    name = "core_batch_observe_seats"
    assert done.stdout.splitlines() == [
        f"IndexError {name}: seats[0] is 4, not from 0 to 3",
        f"IndexError {name}: seats[0] is -1, not from 0 to 3",
        f"IndexError {name}: start is above stop",
        f"ValueError {name}: length 914 of observations in dimension 1 does not fit",
        f"ValueError {name}: observations has to be contiguous and writable",
        "accepted None",
    ]


@pytest.mark.parametrize("compiled", [False, True])
def test_an_agent_searches_in_full_with_the_machine_code(compiled: bool) -> None:
    code = f"""
import sys
from catan_env.cli.agent import stay_small
stay_small({compiled})
from catan_env.kernel.jit import MODE
from catan_env.policies.judge.judge import FUTURES, WORLDS
from catan_env.policies.search.search import PLAYOUT
print(MODE, WORLDS, FUTURES, PLAYOUT, "numba" in sys.modules)
"""
    assert run(["-c", code]).stdout.split() == ["native", "64", "32", "0.0", "False"]
