"""Old names of a module, which work with a warning for one minor version (CONTRIBUTING.md)."""

import warnings
from collections.abc import Mapping
from importlib import import_module
from typing import Any


def renamed(module: str, names: Mapping[str, str], name: str) -> Any:
    """Return the new meaning of `name`: for `__getattr__` of a module.

    `names` are the new names by old name, in full. AttributeError if `name` is none of those.
    """
    if name not in names:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    home, _, new = names[name].rpartition(".")
    warnings.warn(f"{module}.{name} is now {names[name]}", DeprecationWarning, stacklevel=3)
    return getattr(import_module(home), new)
