"""The library for other languages: its header, the box of a new game, and the examples.

The tests are skipped if `make native` has not been run; `CI_FULL=1 .ci/run` runs it.
"""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numba")

from catan_env.batch import play_out
from catan_env.batch.start import template_of
from catan_env.core.state import new_states
from catan_env.game.rules import Rules
from native.__main__ import ROOT, front, kept, link_library, this_machine, write_sources
from native.back import compile_for, entries_of
from tests.pages import blocks

BUILT = ROOT / "build" / "native"
EXAMPLES = ROOT / "examples" / "engine"
MORE_GAMES = 10_000
"""The option `--games` from which on the slow half of a test runs."""
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-pedantic"]


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    """The description of the entry points of the last build."""
    found = kept(BUILT)
    if found is None:
        pytest.skip("make native has not been run on these sources")
    return found


@pytest.fixture(scope="module")
def library(described: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `catan.h`, `libcatan.a` and `libcatan.so`, made from the objects of that."""
    folder = tmp_path_factory.mktemp("native")
    for target in this_machine():
        (folder / target.object).symlink_to(BUILT / target.object)
    write_sources(folder, described)
    link_library(folder, folder / "library")
    return folder / "library"


def program(compiler: str, *words: str | Path) -> str:
    """The compiler's name, after it has run; the test is skipped if there is none."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    subprocess.run([compiler, *words], check=True)
    return compiler


@pytest.mark.parametrize(
    ("compiler", "language", "standard"), [("cc", "c", "c11"), ("c++", "c++", "c++17")]
)
def test_the_header_is_c_and_c_plus_plus(
    compiler: str, language: str, standard: str, library: Path
) -> None:
    flags = ["-x", language, f"-std={standard}", "-fsyntax-only", *WARNINGS]
    program(compiler, *flags, library / "catan.h")


def test_the_header_asserts_each_record_and_describes_each_entry_point(
    described: dict[str, Any], library: Path
) -> None:
    text = (library / "catan.h").read_text()
    for title, record in described["records"].items():
        assert f'CATAN_CHECK(sizeof(catan_{title}) == {record["size"]}, "catan_{title}");' in text
    for entry in described["entries"]:
        first = re.escape(entry["doc"].splitlines()[0])
        pattern = rf"/\* {first}(?:(?!\*/).)*\*/\n\w+ {entry['symbol']}\("
        assert re.search(pattern, text, re.DOTALL), entry["symbol"]
    assert max(map(len, text.splitlines())) <= 103


def test_a_box_is_that_of_a_new_game(library: Path) -> None:
    loaded = ctypes.CDLL(str(library / "libcatan.so"))
    for seats in (2, 3, 4):
        box, expected = new_states(1), template_of(seats, Rules.base(), "spiral", 0)
        address = ctypes.c_void_p(box.ctypes.data)
        loaded.catan_fill_box(address, ctypes.c_int64(seats), ctypes.c_uint64(2**63 + 1))
        expected["seed"] = 2**63 + 1
        assert box.tobytes() == expected.tobytes()


def test_the_same_sources_give_the_same_bytes(
    described: dict[str, Any], games: int, tmp_path: Path
) -> None:
    """The optimiser always; Numba's part takes a minute, so only `make test-native` repeats it."""
    text = (BUILT / "catan.ll").read_text()
    if games >= MORE_GAMES:
        assert front(tmp_path)[0] == text
    target = this_machine()[-1]
    symbols = entries_of(this_machine(), [entry["symbol"] for entry in described["entries"]])[
        target
    ]
    assert compile_for(target, text, symbols)[0] == (BUILT / target.object).read_bytes()


def output_of(made: Path) -> list[str]:
    """The lines that a program prints with seed 7."""
    done = subprocess.run([made, "7"], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def test_the_example_in_c_plays_a_batch_to_the_end(library: Path, tmp_path: Path) -> None:
    source, made = EXAMPLES / "play.c", tmp_path / "play"
    flags = ["-O2", "-std=c11", *WARNINGS, f"-I{library}"]
    program("cc", *flags, "-o", made, source, library / "libcatan.a", "-lm")
    first, *seats = output_of(made)
    assert first.startswith("1000 games, ")
    assert sum(int(line.split()[-1]) for line in seats) == 1000 and len(seats) == 4


def test_the_program_of_the_page_plays_to_twelve_points(library: Path, tmp_path: Path) -> None:
    page = ROOT / "docs" / "howto" / "other_languages.md"
    (block,) = (block for block in blocks(page) if block.file)
    source, made = tmp_path / "play.c", tmp_path / "play"
    source.write_text(block.text)
    flags = ["-std=c11", *WARNINGS, f"-I{library}"]
    program("cc", *flags, "-o", made, source, library / "libcatan.a", "-lm")
    assert len(output_of(made)) == 10


def test_the_example_in_c_plus_plus_plays_the_games_of_play_out(
    library: Path, tmp_path: Path
) -> None:
    source, made = EXAMPLES / "play.cpp", tmp_path / "play"
    flags = ["-O2", "-std=c++17", "-pthread", *WARNINGS, f"-I{library}"]
    program("c++", *flags, "-o", made, source, library / "libcatan.a")
    first, *seats = output_of(made)
    games = play_out(1000, seats=3, seed=7)
    assert first == f"1000 games, {games.total_decisions} decisions, {games.total_turns} turns"
    assert [int(line.split()[-1]) for line in seats] == list(games.wins[:3])


def test_the_example_in_rust_plays_by_its_own_policy(library: Path, tmp_path: Path) -> None:
    source, made = EXAMPLES / "play.rs", tmp_path / "play"
    flags = ["--edition", "2021", "-O", "-D", "warnings", "-L", str(library)]
    program("rustc", *flags, "-l", "static=catan", "-l", "m", "-o", made, source)
    lines = output_of(made)
    assert len(lines) == 5
    assert all(re.fullmatch(r"seed \d+: seat [01] wins in turn \d+", line) for line in lines)


def test_the_numbers_of_the_examples_are_those_of_the_package() -> None:
    from catan_env.core import actions, batch, observation

    rust = (EXAMPLES / "play.rs").read_text()
    assert f"const ACTIONS: usize = {actions.NUM_ACTIONS};" in rust
    assert f"const FIRST_OFFER: usize = {actions.OFFER_START};" in rust
    span = f"{actions.SETTLEMENT_START}..{actions.ROAD_START}"
    assert f"const BUILDINGS: Range<usize> = {span};" in rust
    assert f"null_mut(), 0, {observation.OBSERVATION_SIZE}," in rust
    assert f"struct Game([u8; {new_states(1).itemsize}]);" in rust
    assert np.dtype(batch.RESULT).itemsize == 24
