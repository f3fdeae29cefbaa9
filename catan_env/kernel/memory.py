"""Blocks of named memory for interpreted rules: attributes over memoryviews of plain ints.

Compiled rules take an array of a structured dtype and the index of one game; `states[i].field`
reads and writes it. Interpreted, the same source runs on the objects that `doorway` returns.
"""

from typing import Any

import numpy as np

from catan_env.kernel import jit
from catan_env.kernel.jit import MACHINE_CODE

CACHE_LINE = 64


class Memory:
    """One block, field by field; `memory_class` makes a subclass for each dtype."""

    def __init__(self, block: np.ndarray[Any, Any]) -> None:
        self.block = block


class View:
    """An attribute over one field, made when it is first read."""

    def __init__(self, field: str, attribute: str) -> None:
        self._field, self._attribute = field, attribute

    def __get__(self, memory: Memory, owner: type[Memory]) -> memoryview:
        view = memory.__dict__[self._attribute] = memoryview(memory.block[self._field])
        return view


def _scalar(view: str) -> property:
    def get(memory: Memory) -> int:
        return getattr(memory, view)[()]

    def put(memory: Memory, value: int) -> None:
        getattr(memory, view)[()] = value

    return property(get, put)


_classes: dict[np.dtype[Any], type[Memory]] = {}


def memory_class(dtype: np.dtype[Any]) -> type[Memory]:
    """The class whose attributes are the fields of `dtype`."""
    if dtype not in _classes:
        fields: dict[str, Any] = {}
        for name in dtype.names or ():
            if dtype[name].shape:
                fields[name] = View(name, name)
            else:
                fields[f"_{name}"] = View(name, f"_{name}")
                fields[name] = _scalar(f"_{name}")
        _classes[dtype] = type("Block", (Memory,), fields)
    return _classes[dtype]


def memory_of(array: np.ndarray[Any, Any]) -> Memory:
    """The one block of `array`, field by field."""
    return memory_class(array.dtype)(array.reshape(()))


class InterpretedStates:
    """N blocks for interpreted rules: `states[i]` is the `Memory` of block i."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array
        self._memories: dict[int, Memory] = {}

    def __len__(self) -> int:
        return len(self.array)

    def __reduce__(self) -> Any:
        return InterpretedStates, (self.array,)

    def __getitem__(self, i: int) -> Memory:
        if i not in self._memories:
            self._memories[i] = memory_of(self.array[i : i + 1])
        return self._memories[i]

    def __setitem__(self, i: int, memory: Memory) -> None:
        self.array[i : i + 1] = memory.block


if jit.MODE == jit.NATIVE:
    jit.BY_FIELD.append(InterpretedStates)


def doorway(array: np.ndarray[Any, Any]) -> Any:
    """An array of blocks in the form that doors take."""
    return array if MACHINE_CODE else InterpretedStates(array)


def new_blocks(n: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """N blocks of zeros: (n,) `dtype`, the first at the start of a cache line."""
    raw = np.zeros(n * dtype.itemsize + CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % CACHE_LINE
    return np.ndarray(n, dtype, raw, start)


def copy_of(blocks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy of contiguous blocks, aligned likewise; NumPy's own copies them field by field."""
    fresh = new_blocks(len(blocks), blocks.dtype)
    fresh.view(np.uint8)[:] = blocks.view(np.uint8)
    return fresh
