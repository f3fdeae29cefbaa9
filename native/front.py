"""From Python to LLVM IR: Numba types and lowers the entry points, its passes and compiler off.

`python -m native.front FOLDER` writes two files there. `catan.ll` is one module in which every
entry point is a function of plain pointers and numbers. `entries.json` describes their parameters
(see `native.entries`) and the records that they take.

This file and `catan_env/kernel/parts.py` use Numba's internals, here those of the version that
pyproject.toml pins in the extra `native`; `make test-newest-numba` builds with the newest one.
"""

import ctypes
import importlib
import inspect
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.kernel.sources import symbol_of

SETS = {
    "catan_env.core.compiled": ("open_rules", "open_batch"),
    "catan_env.policies.value.compiled": (
        "open_value",
        "open_play_out",
        "open_runs",
        "open_features",
    ),
    "catan_env.policies.set_up.set_up": ("open_set_up",),
    "catan_env.policies.search.search": ("open_search",),
    "catan_env.policies.judge.judge": ("open_judge",),
    "catan_env.policies.rerank.reranker": ("open_reranker",),
    "catan_env.policies.network.native.compiled": ("open_forward",),
    "catan_env.guests.hanabi.native.warm": ("open_doors",),
    "catan_env.guests.hanabi.blueprint.warm": ("open_doors",),
    "catan_env.guests.renaissance.native.compiled": ("open_doors",),
}
"""The functions that call each entry point once, and thereby name the types of its arguments."""

OBJECTS = r"numba\.dynamic\.globals\."
"""The start of a name of Numba's for one of Python's objects; its address follows."""


def hold_back() -> None:
    """Keep Numba from optimizing and from making machine code; calls return -1."""
    from numba.core import codegen

    answer = ctypes.PYFUNCTYPE(ctypes.py_object, *[ctypes.c_void_p] * 3)(lambda *_: -1)
    hold_back.answer = answer  # type: ignore[attr-defined]  # not to be collected
    address = ctypes.cast(answer, ctypes.c_void_p).value
    codegen.CPUCodeLibrary._optimize_functions = lambda self, module: None
    codegen.CPUCodeLibrary._optimize_final_module = lambda self: None
    codegen.JITCPUCodegen._add_module = lambda self, module: None
    codegen.JITCPUCodegen.set_env = lambda self, name, env: None
    codegen.JITCodeLibrary.get_pointer_to_function = lambda self, name: address


def leave_external() -> None:
    """Replace the intrinsics that depend on the processor by calls of functions defined later."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    from catan_env.kernel import intrinsics

    i64 = ir.IntType(64)

    @intrinsic  # type: ignore[untyped-decorator]
    def nth_bit(typingctx: Any, word: Any, n: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(i64, [i64, i64])
            called = cgutils.get_or_insert_function(builder.module, kind, "native_nth_bit")
            return builder.call(called, args)

        return types.int64(types.int64, types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def store_bits(typingctx: Any, out: Any, row: Any, at: Any, ones: Any, twos: Any) -> Any:
        signature = types.void(out, types.int64, types.int64, types.int64, types.int64)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), i64, i64])
            called = cgutils.get_or_insert_function(builder.module, kind, "native_store_bits")
            place = intrinsics.place_in(context, builder, signature, args)
            builder.call(called, [place, args[3], args[4]])
            return context.get_dummy_value()

        return signature, codegen

    intrinsics.nth_bit, intrinsics.store_bits = nth_bit, store_bits


def collect() -> dict[str, Any]:
    """Every entry point of the package, typed and lowered: dispatchers by "module.name"."""
    from numba.core.caching import NullCache

    from catan_env.kernel import jit

    found = {}
    compiled_by = jit.door

    def door(function: Callable[..., Any]) -> Any:
        dispatcher = compiled_by(function)
        dispatcher._cache = NullCache()
        found[f"{function.__module__}.{function.__name__}"] = dispatcher
        return dispatcher

    jit.door = door
    for module, names in SETS.items():
        opened = importlib.import_module(module)
        for name in names:
            getattr(opened, name)()
    return found


class Module:
    """One LLVM module that the entry points are linked into, behind wrappers of plain pointers."""

    def __init__(self) -> None:
        import llvmlite.binding as llvm
        from llvmlite import ir
        from numba.core.registry import cpu_target

        self.context = cpu_target.target_context
        self.linked = llvm.parse_assembly("")
        self.linked.name = "catan"
        self.linked.triple = llvm.get_process_triple()
        self.linked.data_layout = self.context.codegen()._data_layout
        self.wrappers = ir.Module("wrappers")
        self.wrappers.triple = self.linked.triple
        self.wrappers.data_layout = self.linked.data_layout
        self.records: dict[str, Any] = {}

    def add(self, name: str, dispatcher: Any) -> dict[str, Any]:
        """Link one entry point in; returns its description."""
        from numba.core.compiler_lock import global_compiler_lock

        if not dispatcher.overloads:
            raise TypeError(f"{name} is called by none of the functions in SETS")
        arguments, result = next(iter(dispatcher.overloads.items()))
        with global_compiler_lock:
            result.library._ensure_finalized()
        self.linked.link_in(result.library._final_module, preserve=True)
        symbol = "catan_" + symbol_of(name)
        self._wrap(symbol, arguments, result.fndesc)
        names = inspect.signature(dispatcher.py_func).parameters
        return {
            "entry": name,
            "symbol": symbol,
            "doc": inspect.getdoc(dispatcher.py_func),
            "returns": str(result.fndesc.restype),
            "parameters": [
                self._described(name, kind) for name, kind in zip(names, arguments, strict=True)
            ],
        }

    def _described(self, name: str, kind: Any) -> dict[str, Any]:
        from numba import types

        if not isinstance(kind, types.Array):
            return {"name": name, "type": str(kind)}
        if kind.layout != "C":
            raise TypeError(f"{name} is {kind}, not contiguous")
        if isinstance(kind.dtype, types.Record):
            title = self._record(np_dtype(kind.dtype))
            return {"name": name, "type": title, "ndim": kind.ndim}
        return {"name": name, "type": str(kind.dtype), "ndim": kind.ndim}

    def _record(self, dtype: np.dtype[Any]) -> str:
        """The name of a record, which is described when it is met first."""
        for title, record in self.records.items():
            if record["descr"] == str(dtype.descr):
                return title
        title = record_name(dtype)
        self.records[title] = {
            "size": dtype.itemsize,
            "descr": str(dtype.descr),
            "fields": {
                name: {
                    "type": field.base.name,
                    "shape": list(field.shape),
                    "offset": offset,
                    "size": field.base.itemsize,
                }
                for name, (field, offset, *_) in (dtype.fields or {}).items()
            },
        }
        return title

    def _wrap(self, symbol: str, arguments: Any, description: Any) -> None:
        """A function of pointers, lengths and numbers that calls one with Numba's arrays."""
        from llvmlite import ir
        from numba.core import types

        context, plain = self.context, []
        for kind in arguments:
            plain += self._plain(kind)
        nothing = description.restype == types.none
        returned = ir.VoidType() if nothing else context.get_value_type(description.restype)
        function = ir.Function(self.wrappers, ir.FunctionType(returned, plain), symbol)
        builder = ir.IRBuilder(function.append_basic_block())
        convention = context.call_conv
        called = ir.Function(
            self.wrappers,
            convention.get_function_type(description.restype, description.argtypes),
            description.llvm_func_name,
        )
        given = iter(function.args)
        values = [self._value(builder, kind, given) for kind in arguments]
        _, result = convention.call_function(
            builder, called, description.restype, description.argtypes, values
        )
        builder.ret_void() if nothing else builder.ret(result)

    def _plain(self, kind: Any) -> list[Any]:
        """The parameters that stand for one of Numba's: a pointer and lengths, or a number."""
        from llvmlite import ir
        from numba.core import types

        if isinstance(kind, types.Array):
            return [ir.IntType(8).as_pointer()] + [ir.IntType(64)] * kind.ndim
        return [ir.IntType(8) if kind == types.boolean else self.context.get_value_type(kind)]

    def _value(self, builder: Any, kind: Any, given: Any) -> Any:
        """Numba's value made of the plain parameters."""
        from llvmlite import ir
        from numba.core import types
        from numba.np import arrayobj

        if kind == types.boolean:
            return builder.icmp_signed("!=", next(given), ir.IntType(8)(0))
        if not isinstance(kind, types.Array):
            return next(given)
        i64, context = ir.IntType(64), self.context
        data, shape = next(given), [next(given) for _ in range(kind.ndim)]
        item = context.get_data_type(kind.dtype)
        size = i64(context.get_abi_sizeof(item))
        strides = [size]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        array = arrayobj.make_array(kind)(context, builder)
        arrayobj.populate_array(
            array,
            data=builder.bitcast(data, item.as_pointer()),
            shape=shape,
            strides=strides,
            itemsize=size,
            meminfo=None,
        )
        return array._getvalue()

    def text(self) -> str:
        """The whole module; nothing is allocated, so reference counts have nothing to count."""
        import llvmlite.binding as llvm
        from numba.core import cgutils

        wrappers = llvm.parse_assembly(cgutils.normalize_ir_text(str(self.wrappers)))
        wrappers.verify()
        self.linked.link_in(wrappers, preserve=True)
        for name in ("NRT_incref", "NRT_decref"):
            stub = f"define void @{name}(ptr %p) alwaysinline {{\n  ret void\n}}\n"
            self.linked.link_in(llvm.parse_assembly(stub), preserve=True)
        self.linked.verify()
        return without_addresses(str(self.linked))


def without_addresses(text: str) -> str:
    """A module without the addresses that Python's objects have in this process.

    Each is replaced by a number, and its object is external. Nothing in machine code needs one:
    `native.back` refuses a module that does. Thus the same sources give the same text.
    """
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        return f"{found[1]}{numbers.setdefault(found[2], len(numbers))}"

    text = re.sub(rf"(@{OBJECTS})([0-9a-f]+)", number, text)
    kept = rf"^(@{OBJECTS}\S+) = .*\binttoptr \(i64 \d+ to ptr\)"
    return re.sub(kept, r"\1 = external global ptr", text, flags=re.MULTILINE)


def np_dtype(record: Any) -> np.dtype[Any]:
    """The NumPy dtype of one of Numba's records."""
    from numba.np.numpy_support import as_dtype

    return as_dtype(record)


def record_name(dtype: np.dtype[Any]) -> str:
    """A record's name in C: that of its dtype in a module of the package, and the game's."""
    for module in list(sys.modules.values()):
        if module is not None and (module.__name__ or "").startswith("catan_env."):
            for name, value in vars(module).items():
                if isinstance(value, np.dtype) and value.names and value == dtype:
                    game = symbol_of(module.__name__).split("_")[0]
                    return name.lower() if game == "core" else f"{game}_{name.lower()}"
    raise LookupError(f"no module of catan_env names the record {dtype}")


def main(folder: Path) -> None:
    """Write `catan.ll` and `entries.json` in `folder`."""
    os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    with tempfile.TemporaryDirectory() as cache:
        os.environ["CATAN_ENV_CACHE"] = cache
        hold_back()
        leave_external()
        module = Module()
        entries = [module.add(*item) for item in collect().items()]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "catan.ll").write_text(module.text())
    described = {"entries": entries, "records": module.records}
    (folder / "entries.json").write_text(json.dumps(described, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
