"""Numba's compiler for doors, and for the functions that only compiled functions call: their parts.

Numba optimizes each function with all that it calls, makes machine code of it and wraps it for
Python, before it links it into its callers, where all this is done once more. A part is optimized
unless it is inlined, and no more: the machine code is its callers'. That compiles the engines in
two thirds of the time.
"""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, ClassVar

from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.registry import CPUDispatcher

OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}
UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class ForAllIntegers(CPUDispatcher):  # type: ignore[misc]
    """A function that is compiled once for all integers, not again for each constant."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The compiled function for arguments of these types."""
        plain = {name: types.unliteral(given) for name, given in kws.items()}
        return super().get_call_template(tuple(map(types.unliteral, args)), plain)


class Door(ForAllIntegers):
    """A function with machine code that Python calls."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, targetoptions=OPTIONS)


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part, for linking only."""

    inlined = False
    """True if its callers are to be optimized instead."""

    def _optimize_final_module(self) -> None:
        if not self.inlined:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: there is no machine code."""
        return 0

    @property
    def codegen(self) -> "PartLibrary":
        """Itself, for `set_env`."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing: a door has Python's objects."""


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's passes with a `PartLibrary`."""

    def define_pipelines(self) -> list[Any]:
        """The passes of `njit`."""
        state = self.state
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.inlined = bool(state.flags.forceinline)
        return [DefaultPassBuilder.define_nopython_pipeline(state)]


class PartDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A part's compiler."""

    options: ClassVar = {**OPTIONS, **UNWRAPPED}

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, targetoptions=self.options, pipeline_class=PartCompiler)

    def add_overload(self, made: Any) -> None:
        """Note what was compiled for some types."""
        self.overloads[tuple(made.signature.args)] = made


class InlinedDispatcher(PartDispatcher):
    """The compiler of a part that is compiled into each of its callers."""

    options: ClassVar = {**OPTIONS, **UNWRAPPED, "forceinline": True}


class IntegerDispatcher(PartDispatcher, ForAllIntegers):
    """The compiler of a part that is compiled once and called."""


class Inlined:
    """A part that is compiled into each of its callers, for the constants that they pass.

    Its dispatcher is made when a caller is compiled: a process that only loads machine code makes
    none, which saves 0.2 ms for each of 200 parts.
    """

    dispatcher_class: ClassVar[type[PartDispatcher]] = InlinedDispatcher

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function

    @cached_property
    def dispatcher(self) -> PartDispatcher:
        """The compiler of this part."""
        return self.dispatcher_class(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """The type by which Numba finds the dispatcher."""
        return self.dispatcher._numba_type_

    @property
    def overloads(self) -> Any:
        """The compiled forms, by the types of the arguments."""
        return self.dispatcher.overloads

    def __call__(self, *given: Any, **by_name: Any) -> Any:
        """Call it from Python, for which it is compiled separately."""
        return self.for_python(*given, **by_name)

    @cached_property
    def for_python(self) -> Door:
        """The same function with machine code of its own."""
        return Door(self.py_func)


class Part(Inlined):
    """A part that is compiled once and called."""

    dispatcher_class = IntegerDispatcher
