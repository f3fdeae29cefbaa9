"""Compilation shows its progress: one line per door, with its seconds."""

import io
from types import SimpleNamespace

import pytest

from catan_env.kernel.compiled import DoorsShown
from catan_env.kernel.jit import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def event(name: str) -> SimpleNamespace:
    """A compilation event as Numba announces it."""
    return SimpleNamespace(
        data={"dispatcher": SimpleNamespace(py_func=SimpleNamespace(__name__=name))}
    )


def test_a_door_is_shown_with_its_seconds_but_not_its_callees() -> None:
    out, times = io.StringIO(), iter([0.0, 1.0, 3.0, 12.34, 20.0, 21.0])
    shown = DoorsShown(out, lambda: next(times))
    shown.on_start(event("play"))
    shown.on_start(event("roll"))
    shown.on_end(event("roll"))
    assert out.getvalue() == ""
    shown.on_end(event("play"))
    shown.on_start(event("observe"))
    shown.on_end(event("observe"))
    assert out.getvalue() == "  play: 12.3 s\n  observe: 1.0 s\n"


def test_numba_announces_a_function_that_it_compiles() -> None:
    from numba import njit
    from numba.core.event import install_listener

    out = io.StringIO()
    with install_listener("numba:compile", DoorsShown(out)):
        njit(lambda number: number + 1)(1)
    assert out.getvalue().startswith("  <lambda>: ")
