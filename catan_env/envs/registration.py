"""The environments' entries in Gymnasium's and PettingZoo's registries.

Neither library is imported for it: an entry is made immediately if the library is already loaded,
otherwise when it is first imported.
"""

import sys

TYPE_CHECKING = False  # without importing typing: Ctrl-C is not caught while this is loaded
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import NoReturn

GYMNASIUM = {
    "Catan-v0": ("catan_env.envs.single:CatanEnv", "catan_env.envs.vector:CatanVectorEnv"),
    "Hanabi-v0": (
        "catan_env.guests.hanabi.single:HanabiEnv",
        "catan_env.guests.hanabi.vector:HanabiVectorEnv",
    ),
    "Renaissance-v0": (
        "catan_env.guests.renaissance.single:RenaissanceEnv",
        "catan_env.guests.renaissance.vector:RenaissanceVectorEnv",
    ),
}
PETTINGZOO_ID = "catan/Catan-v0"


def register() -> None:
    """Make both entries, now or when the library is imported."""
    for library, enter in (("gymnasium", _enter_gymnasium), ("pettingzoo", _enter_pettingzoo)):
        if sys.modules.get(library) is not None:
            enter()
        else:
            sys.meta_path.insert(0, WhenLoaded(library, enter))


class WhenLoaded:
    """An import hook that calls `enter` after the other finders have imported the library."""

    def __init__(self, library: str, enter: "Callable[[], None]") -> None:
        self._library, self._enter = library, enter

    def find_spec(
        self, fullname: str, path: "Sequence[str] | None", target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """The library's spec with a loader that calls `enter`; None for all other modules."""
        if fullname != self._library:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None and spec.loader is not None:
                self._enter_after(spec)
                return spec
        return None

    def _enter_after(self, spec: "ModuleSpec") -> None:
        loader = spec.loader
        assert loader is not None
        load = loader.exec_module

        def exec_module(module: "ModuleType") -> None:
            load(module)
            self._enter()

        loader.exec_module = exec_module  # type: ignore[method-assign]


def _enter_gymnasium() -> None:
    from gymnasium.envs.registration import register, registry

    for name, (one, many) in GYMNASIUM.items():
        if name not in registry and is_there(one):
            register(id=name, entry_point=one, vector_entry_point=many)


def is_there(entry_point: str) -> bool:
    """True if the folder exists to which an entry refers; a guest's may have been deleted."""
    from importlib.util import find_spec

    folder = find_spec(entry_point.partition(":")[0].rpartition(".")[0])
    return folder is not None and folder.origin is not None


def _enter_pettingzoo() -> None:
    from pettingzoo.env_registry.registration import aec_registry, parallel_registry, register

    if PETTINGZOO_ID not in aec_registry:
        register("aec", PETTINGZOO_ID, entry_point="catan_env.envs.aec:env")
    if PETTINGZOO_ID not in parallel_registry:
        register("parallel", PETTINGZOO_ID, entry_point=_refuse_parallel)


def _refuse_parallel(**options: object) -> "NoReturn":
    raise ValueError(
        "Catan has no parallel environment: its seats choose one after the other; "
        f'allowed is pettingzoo.make("aec", "{PETTINGZOO_ID}")'
    )
