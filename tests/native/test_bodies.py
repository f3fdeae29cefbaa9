"""Which object file each body takes each entry point from, and what no object may contain."""

import pytest

pytest.importorskip("llvmlite")

from native.back import BY_MACHINE, LOCKSTEP, WHOLE_GAMES, bodies_of, compile_for, entries_of
from native.front import without_addresses

OTHERS = ["catan_core_doors_play", "catan_value_doors_rank_actions"]
SYMBOLS = sorted([*OTHERS, *LOCKSTEP, *WHOLE_GAMES])


@pytest.mark.parametrize("machine", BY_MACHINE)
def test_every_entry_point_is_in_one_object_of_each_body_that_has_it(machine: str) -> None:
    found = entries_of(BY_MACHINE[machine], SYMBOLS)
    for name in {target.name for target in found}:
        own = [symbol for target in found if target.name == name for symbol in found[target]]
        assert len(own) == len(set(own))
    assert len({target.object for target in found}) == len(found)


@pytest.mark.parametrize("machine", BY_MACHINE)
def test_every_body_has_every_entry_point(machine: str) -> None:
    for name, made in bodies_of(BY_MACHINE[machine], SYMBOLS).items():
        assert sorted(made) == SYMBOLS
        assert name in made.values()


def test_the_best_body_takes_from_that_before_what_wider_vectors_do_not_help() -> None:
    bodies = bodies_of(BY_MACHINE["x86_64"], SYMBOLS)
    assert list(bodies) == ["v2", "v3", "v4"]
    assert {bodies["v4"][symbol] for symbol in LOCKSTEP} == {"v4"}
    assert {bodies["v4"][symbol] for symbol in (*OTHERS, *WHOLE_GAMES)} == {"v3"}
    assert set(bodies["v3"].values()) == {"v3"} and set(bodies["v2"].values()) == {"v2"}


OBJECT = """
@numba.dynamic.globals.7f71d77a7070 = linkonce global ptr inttoptr (i64 140126923157616 to ptr)
@numba.dynamic.globals.7f71d77a6df0 = linkonce global ptr inttoptr (i64 140126923156976 to ptr)
@numba.dynamic.globals.7f71d77a7070.2 = linkonce global ptr inttoptr (i64 140126923157616 to ptr)

define ptr @catan_any() {
  %unused = load ptr, ptr @numba.dynamic.globals.7f71d77a7070
  %object = load ptr, ptr @numba.dynamic.globals.7f71d77a6df0
  ret ptr RESULT
}
"""


def test_a_module_has_no_addresses_of_this_process() -> None:
    text = without_addresses(OBJECT)
    assert "@numba.dynamic.globals.0 = external global ptr" in text
    assert "@numba.dynamic.globals.1 = external global ptr" in text
    assert "@numba.dynamic.globals.0.2 = external global ptr" in text
    assert "load ptr, ptr @numba.dynamic.globals.1\n" in text and "7f71" not in text
    assert text == without_addresses(OBJECT.replace("7f71", "61aa").replace("140126", "160126"))


def test_machine_code_that_refers_to_an_object_of_python_is_refused() -> None:
    target = BY_MACHINE["x86_64"][0]
    text = without_addresses(OBJECT)
    compile_for(target, text.replace("RESULT", "null"), ["catan_any"])
    with pytest.raises(ValueError, match="refers to an object of Python"):
        compile_for(target, text.replace("RESULT", "%object"), ["catan_any"])
