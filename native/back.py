"""From LLVM IR to an object file for one processor; needs llvmlite alone."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

INTRINSICS = Path(__file__).parent / "intrinsics"
"""LLVM IR of what `native.front` leaves to each processor."""

ALLOWED = frozenset({"exp", "memcpy", "memmove", "memset", "pow"})
"""The functions that machine code may call: the C library's memory and mathematics."""
NONE: frozenset[str] = frozenset()


INLINED = 'inlinehint "function-inline-threshold"="1000"'
"""Numba's functions are inlined after they have been simplified, from the innermost outwards.

As `alwaysinline` they would be inlined before: four times the code, and six times the time to
build, for the same speed.
"""


@dataclass(frozen=True)
class Target:
    """A processor to compile for."""

    name: str
    """A prefix of the object's symbols."""
    triple: str
    cpu: str = ""
    features: str = ""
    intrinsics: tuple[str, ...] = ("count_off.ll", "spread_bits.ll")
    relocation: str = "pic"
    is_small: bool = False
    """True if a small file matters more than the last bit of speed."""
    allowed: frozenset[str] = ALLOWED
    """The functions that it may call and that are defined elsewhere."""


X86 = "x86_64-unknown-linux-gnu"
BY_MACHINE = {
    "x86_64": (
        Target("v2", X86, "x86-64-v2"),
        Target("v3", X86, "x86-64-v3", intrinsics=("deposit.ll", "vector_bits.ll")),
    ),
    "aarch64": (Target("v8", "aarch64-unknown-linux-gnu", "generic"),),
}
"""The bodies of an engine for one machine, the plainest first."""

WASM = Target(
    "wasm",
    "wasm32-unknown-unknown",
    "generic",
    "+simd128,+bulk-memory",
    intrinsics=("count_off.ll", "spread_bits.ll", "exp.ll"),
    relocation="static",
    is_small=True,
    allowed=NONE,
)


def compile_for(
    target: Target, text: str, left_out: tuple[str, ...] = ()
) -> tuple[bytes, dict[str, list[bool]]]:
    """An object file, and for each entry point which of its parameters it only reads.

    Entry points whose symbols begin with one of `left_out` are removed.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=3,
        reloc=target.relocation,
        codemodel="default" if target is WASM else "small",
    )
    module = llvm.parse_assembly(_addressed(text, target, machine))
    for name in target.intrinsics:
        part = _addressed((INTRINSICS / name).read_text(), target, machine)
        module.link_in(llvm.parse_assembly(part))
    _hide_all_but(module, f"{target.name}_", tuple(f"{target.name}_{name}" for name in left_out))
    _optimise(module, machine, target.is_small)
    module.verify()
    _check_calls(module, target.allowed)
    return machine.emit_object(module), _read_only(module, f"{target.name}_")


def _addressed(text: str, target: Target, machine: Any) -> str:
    """The text of a module for a target, whose name is put before the entry points' symbols."""
    lines = f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n'
    text = re.sub(r"^target (triple|datalayout) = .*\n", "", text, flags=re.M)
    text = re.sub(r"^(attributes #\d+ = \{.*)\balwaysinline\b", rf"\1{INLINED}", text, flags=re.M)
    return lines + re.sub(r"@catan_", f"@{target.name}_catan_", text)


def _hide_all_but(module: Any, prefix: str, left_out: tuple[str, ...]) -> None:
    """Give everything but the entry points internal linkage, so that it can be inlined away."""
    for function in module.functions:
        is_entry = function.name.startswith(prefix) and not function.name.startswith(left_out)
        if not function.is_declaration and not is_entry and function.name not in ALLOWED:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"


def _optimise(module: Any, machine: Any, is_small: bool) -> None:
    """Simplify each function, then run clang's -O3 over everything, or -Os for a small file."""
    speed, size = (2, 1) if is_small else (3, 0)
    tuning = llvm.create_pipeline_tuning_options(speed_level=speed)
    tuning.size_level = size
    tuning.loop_vectorization = tuning.slp_vectorization = True
    tuning.loop_unrolling = not is_small
    builder = llvm.create_pass_builder(machine, tuning)
    unused = llvm.create_new_module_pass_manager()
    unused.add_global_dead_code_eliminate_pass()
    unused.run(module, builder)
    simplification = builder.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            simplification.run(function, builder)
    builder.getModulePassManager().run(module, builder)


def _check_calls(module: Any, allowed: frozenset[str]) -> None:
    """Refuse a module that calls anything besides `allowed`: an allocation, or Python."""
    called = {f.name for f in module.functions if f.is_declaration}
    stray = {name for name in called if not name.startswith("llvm.")} - allowed
    if stray:
        raise ValueError(f"the engine calls {', '.join(sorted(stray))}")


def _read_only(module: Any, prefix: str) -> dict[str, list[bool]]:
    """Which parameters of each entry point are pointers that it never writes through."""
    found = {}
    for function in module.functions:
        if function.name.startswith(prefix):
            marks = [b" ".join(argument.attributes) for argument in function.arguments]
            found[function.name.removeprefix(prefix)] = [
                any(word in mark for word in (b"readonly", b"readnone")) for mark in marks
            ]
    return found
