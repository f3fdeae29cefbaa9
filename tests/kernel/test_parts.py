"""Parts of doors are compiled for linking only."""

from importlib.util import find_spec

import pytest

from catan_env.kernel.jit import JIT

if not JIT or find_spec("numba") is None:
    pytest.skip("Numba does not compile the sources here", allow_module_level=True)

from catan_env.kernel.parts import Door, Inlined, Part, PartLibrary


@Inlined
def squared(n):  # type: ignore[no-untyped-def]
    return n * n


@Part
def summed(n):  # type: ignore[no-untyped-def]
    total = 0
    for k in range(n):
        total += squared(k)
    return total


@Door
def doubled(n):  # type: ignore[no-untyped-def]
    return 2 * summed(n)


def test_a_door_has_machine_code_and_its_parts_have_none() -> None:
    assert doubled(5) == 2 * (0 + 1 + 4 + 9 + 16)
    for part in (squared, summed):
        (made,) = part.overloads.values()
        assert isinstance(made.library, PartLibrary)
        assert not made.library.get_pointer_to_function(made.fndesc.llvm_cpython_wrapper_name)
    (door,) = doubled.overloads.values()
    assert door.library.get_pointer_to_function(door.fndesc.llvm_cpython_wrapper_name)


def test_a_part_called_from_python_is_compiled_for_it() -> None:
    assert doubled(4) == 28  # its code as a part of a door is not called
    assert summed(4) == 14
    assert squared(n=7) == 49
