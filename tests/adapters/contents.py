"""All that can be reached from an object, to compare two of them or one before and after."""

from typing import Any

import numpy as np


def contents(found: Any) -> Any:
    """Nested tuples: equal for two objects of equal content, whatever is cached where."""
    if isinstance(found, np.ndarray):
        return found.dtype.str, found.shape, found.tobytes()
    if isinstance(found, dict):
        return tuple(sorted((repr(name), contents(value)) for name, value in found.items()))
    if isinstance(found, set | frozenset):
        return tuple(sorted(map(repr, found)))
    if isinstance(found, list | tuple):
        return tuple(map(contents, found))
    if found is None or callable(found) or isinstance(found, int | float | str | bytes):
        return found
    return _reduced(found)


def _reduced(found: Any) -> Any:
    """The contents of an object as a pickle of it would have them."""
    parts = found.__reduce_ex__(4)
    if isinstance(parts, str):
        return parts
    made, given, *rest = parts
    items = [list(more) if hasattr(more, "__next__") else more for more in rest]
    return getattr(made, "__qualname__", str(made)), contents(given), contents(items)
