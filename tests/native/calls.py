"""The calls that warm up every entry point of the machine code, recorded with their arguments."""

import importlib
from collections.abc import Callable
from typing import Any

from catan_env.kernel import jit
from native.front import SETS

Call = tuple[Callable[..., Any], tuple[Any, ...]]


class Recorder:
    """A replacement for the extension that records the first call of each of its functions."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self.calls: dict[str, Call] = {}

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._library, name)

        def call(*given: Any) -> Any:
            copies = tuple(arg.copy() if hasattr(arg, "copy") else arg for arg in given)
            self.calls.setdefault(name, (function, copies))
            return function(*given)

        return call


def recorded() -> dict[str, Call]:
    """For each entry point, the function and arguments that it accepts.

    Call it before any module with entry points has been imported.
    """
    recorder = Recorder(jit.LIBRARY)
    jit.LIBRARY = recorder
    for module, names in SETS.items():
        for name in names:
            getattr(importlib.import_module(module), name)()
    return recorder.calls
