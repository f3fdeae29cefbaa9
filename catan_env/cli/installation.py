"""The facts about the installation that a bug report needs: versions, machine, engine."""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import catan_env
from catan_env import machine

PACKAGES = (
    "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "msgspec", "websockets", "torch",
    "stable-baselines3", "sb3-contrib", "sqlalchemy", "psycopg", "openskill", "ray",
)  # fmt: skip
VARIABLES = ("CATAN_ENV_", "NUMBA_", "OMP_NUM_THREADS")


def report() -> str:
    """One fact per line."""
    return "\n".join(f"{name}: {fact}" for name, fact in facts())


def facts() -> Iterator[tuple[str, str]]:
    """Each fact's name and value."""
    yield "catan-env", catan_env.__version__
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()})"
    yield "system", platform.platform()
    usable = len(machine.usable_processors())
    yield "processor", f"{machine.processor_name()}, {usable} of {os.cpu_count()} usable"
    yield "engine", engine()
    yield "not on this system", ", ".join(machine.missing()) or "nothing"
    for name in PACKAGES:
        yield name, installed(name)
    for name, text in sorted(os.environ.items()):
        if name.startswith(VARIABLES):
            yield name, text


def engine() -> str:
    """The mode in which the rules run, and their compilation state."""
    from catan_env.core.compiled import CORE
    from catan_env.kernel.jit import JIT, MODE, cache_folder, marker

    if not JIT:
        return MODE
    cached = cache_folder(CORE)
    is_compiled = cached is not None and marker(cached, "rules").exists()
    return f"{MODE}, {'compiled' if is_compiled else 'not compiled yet'}"


def installed(package: str) -> str:
    """The version of a package, without importing it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
