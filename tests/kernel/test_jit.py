"""Compiling the engine: once, with a message, cached in the user's cache and nowhere else.

Each test runs the package in separate processes that share a cache folder.
"""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import catan_env
from catan_env import policies
from catan_env.kernel import jit
from catan_env.policies.network.native.compiled import ensure_forward

PACKAGE = Path(catan_env.__file__).parent
SAID = "compiling the network engine"
PLAY = """
from catan_env import Action, Game
game = Game(seats=2, seed=3)
game.play(Action.settlement(20))
print(len(game.legal_actions), len(game.events))
"""
EVALUATE = """
import numpy as np
from catan_env.game.observation import OBSERVATION_SIZE
from catan_env.policies.network.shipped import WEIGHTS
from catan_env.policies.network.native.compiled import ensure_forward
from catan_env.policies.network.network import read_pointer
ensure_forward()
nothing = np.zeros((1, OBSERVATION_SIZE), np.int8)
print(*read_pointer(WEIGHTS / "duel.npz").forward().outputs(nothing).shape)
"""
"""The smallest engine: a sixth of the time that the rules take."""
pytestmark = pytest.mark.skipif(
    find_spec("numba") is None or jit.MODE == jit.NATIVE,
    reason="there is no Numba to compile with, or machine code is used instead",
)


def start(
    code: str, install: Path, cache: Path, stdin: int | None = None, **variables: str
) -> subprocess.Popen[str]:
    """Run Python code with the package in `install`."""
    environment = os.environ | {
        "PYTHONPATH": str(install),
        "PYTHONDONTWRITEBYTECODE": "1",
        "CATAN_ENV_CACHE": str(cache),
        **variables,
    }
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=install,
        env=environment,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(process: subprocess.Popen[str]) -> tuple[list[str], str]:
    """The standard output and error of a process, which must have succeeded."""
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.split(), err


def install_into(folder: Path) -> Path:
    """A copy of the package as a wheel installs it."""
    for source, name in ((PACKAGE, ""), (Path(policies.__file__).parent, "policies")):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, folder / "catan_env" / name, ignore=ignore)
    return folder


def read_only_install(folder: Path) -> Path:
    """A read-only copy of the package."""
    install_into(folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    return folder


def files_under(folder: Path) -> dict[Path, float]:
    return {path: path.stat().st_mtime for path in folder.rglob("*")}


OPEN_ONCE = """
import os, time
from pathlib import Path
from catan_env.kernel.compiled import ensure_compiled
from catan_env.policies.network.native.compiled import HERE
begun = Path(os.environ["BEGUN"])

def open_doors():
    while len(list(begun.glob("begun-*"))) < 2:
        time.sleep(0.01)
    time.sleep(0.5)
    print("opened")

(begun / f"begun-{os.getpid()}").touch()
ensure_compiled("network", open_doors, HERE)
"""


@pytest.mark.skipif(not jit.JIT, reason="nothing is compiled")
def test_of_two_processes_one_opens_the_doors_and_the_other_waits(tmp_path: Path) -> None:
    given = (OPEN_ONCE, PACKAGE.parent, tmp_path / "cache")
    both = [start(*given, BEGUN=str(tmp_path)) for _ in range(2)]
    answers = sorted(map(outcome, both))
    assert [out for out, _ in answers] == [[], ["opened"]]
    assert "waiting for another process" in answers[0][1] and answers[1][1].startswith(SAID)
    assert outcome(start(*given, BEGUN=str(tmp_path))) == ([], "")


@pytest.mark.skipif(not jit.JIT, reason="nothing is compiled")
def test_machine_code_is_loaded_without_what_numba_needs_for_compiling() -> None:
    ensure_forward()
    code = EVALUATE + "import sys; print('numba.cpython.charseq' in sys.modules)"
    root = jit.cache_root()
    assert root is not None
    out, err = outcome(start(code, PACKAGE.parent, root.parent))
    assert (out, err) == (["1", "848", "False"], "")


@pytest.mark.nightly
def test_two_processes_at_once_compile_once_from_a_read_only_install(tmp_path: Path) -> None:
    install, cache = read_only_install(tmp_path / "install"), tmp_path / "cache"
    installed = files_under(install)
    code = EVALUATE + "import sys; print('numba.cpython.charseq' in sys.modules)"
    both = [start(code, install, cache) for _ in range(2)]
    answers = [outcome(process) for process in both]
    assert [out[:2] for out, _ in answers] == [["1", "848"], ["1", "848"]]
    assert sum(err.startswith(SAID) for _, err in answers) == 1
    assert sum("waiting for another process" in err for _, err in answers) == 1
    assert [out[2] == "True" for out, _ in answers] == [err.startswith(SAID) for _, err in answers]

    out, err = outcome(start(code, install, cache))
    assert (out[:2], err) == (["1", "848"], ""), "what is compiled is not compiled again"
    assert out[2] == "False", "machine code is loaded without what Numba needs for compiling"
    assert files_under(install) == installed, "nothing is written into the install"


def test_without_a_cache_folder_a_message_is_printed_and_no_door_is_cached(tmp_path: Path) -> None:
    no_folder = tmp_path / "file"
    no_folder.touch()
    code = (
        "from catan_env.policies.network.native import compiled, forward; "
        "compiled.ensure_forward(); print(type(forward.write_outputs._cache).__name__)"
    )
    out, err = outcome(start(code, PACKAGE.parent, no_folder / "cache"))
    assert out == ["NullCache"]
    assert SAID in err and "no cache folder is writable" in err


@pytest.mark.nightly
def test_without_a_cache_folder_the_engine_compiles_in_memory_with_a_message(
    tmp_path: Path,
) -> None:
    no_folder = tmp_path / "file"
    no_folder.touch()
    out, err = outcome(start(EVALUATE, PACKAGE.parent, no_folder / "cache"))
    assert out == ["1", "848"]
    assert SAID in err and "no cache folder is writable" in err


@pytest.mark.parametrize(
    ("first", "variables"),
    [
        ("", {"CATAN_ENV_ENGINE": "python"}),
        ("", {"NUMBA_DISABLE_JIT": "1"}),
        ("import sys; sys.modules['numba'] = None", {}),
    ],
    ids=["switched off", "switched off in Numba", "not installed"],
)
def test_without_numba_the_same_rules_run_as_plain_python(
    first: str, variables: dict[str, str], tmp_path: Path
) -> None:
    code = f"{first}\nimport sys\n{PLAY}\nprint('llvmlite' in sys.modules)"
    out, err = outcome(start(code, PACKAGE.parent, tmp_path / "cache", **variables))
    assert (out, err) == (["3", "1", "False"], "")
    assert not (tmp_path / "cache").exists()


FOLDERS = (
    "core", "policies/value", "policies/search", "policies/network/native", "guests/hanabi/native",
    "guests/hanabi/blueprint",
)  # fmt: skip
KEPT = f"""
import sys
import catan_env
from pathlib import Path
from catan_env.kernel import jit, sources
home = Path(catan_env.__file__).parent

def show():
    for found in (*vars(sources).values(), jit.cache_folder):
        if hasattr(found, "cache_clear"):
            found.cache_clear()
    print(*(jit.cache_folder(home / folder) for folder in {FOLDERS}), sep=",")

show()
for changed in sys.stdin.read().split():
    source = home / changed
    text = source.read_text()
    source.write_text(text + "# another rule\\n")
    show()
    source.write_text(text)
"""
"""Prints the caches' folders, and those after a change to each of the given sources alone."""
CATAN = {"core", "policies/value", "policies/search", "policies/network/native"}
HANABI = {"guests/hanabi/native", "guests/hanabi/blueprint"}


RENEWED = {
    "kernel/rng.py": CATAN | HANABI,
    "core/trade.py": CATAN,
    "policies/value/evaluation.py": {"policies/value", "policies/search"},
    "guests/hanabi/native/turn.py": HANABI,
    "policies/network/pointer.py": {"policies/network/native"},
    "game/geometry.py": {"policies/network/native"},
    "guests/hanabi/rules.py": HANABI,
    "guests/hanabi/policies/worth.py": {"guests/hanabi/blueprint"},
    "game/game.py": set(),
}
"""By source: the folders whose doors are compiled again when it changes.

The last but one are modules whose constants compiled functions of other folders use.
"""


@pytest.fixture(scope="module")
def caches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """The caches' folders of an installed package, as it is ("") and after each change."""
    install = install_into(tmp_path_factory.mktemp("install"))
    process = start(KEPT, install, tmp_path_factory.mktemp("cache"), stdin=subprocess.PIPE)
    out, err = process.communicate("\n".join(RENEWED))
    assert process.returncode == 0, err
    rows = [[Path(folder) for folder in line.split(",")] for line in out.splitlines()]
    return dict(zip(["", *RENEWED], rows, strict=True))


@pytest.mark.parametrize("changed", RENEWED)
def test_a_changed_rule_has_a_new_cache_and_so_have_all_its_callers(
    changed: str, caches: dict[str, list[Path]]
) -> None:
    before, after = caches[""], caches[changed]
    assert len({folder.parent for folder in before + after}) == 1
    kept = zip(FOLDERS, before, after, strict=True)
    assert {folder for folder, old, new in kept if old != new} == RENEWED[changed]


@pytest.mark.skipif(not jit.JIT, reason="nothing is compiled")
def test_a_read_only_cache_is_used_if_it_is_not_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATAN_ENV_CACHE", str(tmp_path))
    monkeypatch.setattr(jit, "is_writable", lambda folder: False)
    core = PACKAGE / "core"
    where = jit.cache_folder.__wrapped__
    assert where(core) is None
    kept = tmp_path / "catan_env" / f"core-{jit.source_hash(core)}"
    kept.mkdir(parents=True)
    assert where(core) is None
    jit.marker(kept, "rules").touch()
    assert where(core) == kept


@pytest.mark.skipif(not jit.JIT, reason="nothing is compiled")
def test_a_constant_argument_does_not_compile_a_function_again() -> None:
    @jit.compiled
    def double(n: int) -> int:
        return 2 * n

    @jit.compiled
    def sum_of_three(n: int) -> int:
        return double(n) + double(3) + double(n=4)

    assert sum_of_three(5) == 24
    assert len(double.overloads) == 1


@pytest.mark.parametrize(("old", "new"), jit.RENAMED.items())
def test_an_old_name_works_with_a_warning(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new}"):
        assert getattr(jit, old) is getattr(jit, new)


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'rules'"):
        jit.rules  # noqa: B018
