"""From LLVM IR to an object file for one processor; needs llvmlite alone."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

INTRINSICS = Path(__file__).parent / "intrinsics"
"""LLVM IR of what `native.front` leaves to each processor."""

ALLOWED = frozenset({"exp", "memcpy", "memmove", "memset", "pow"})
"""The functions that machine code may call: the C library's memory and mathematics."""
NONE: frozenset[str] = frozenset()


AT_ONCE = "alwaysinline"
"""Numba's mark of functions that are inlined before anything has been simplified."""
INLINED = 'inlinehint "function-inline-threshold"="1000"'
"""Our mark: they are inlined after they have been simplified, from the innermost outwards.

Inlined at once they make four times the code, and take six times the time to build. Only whole
random games gain speed by it, a twentieth.
"""
WHOLE_GAMES = ("catan_core_batch_play_out",)
LOCKSTEP = (
    "catan_core_batch_reset_finished",
    "catan_core_batch_reset_games",
    "catan_core_batch_sample_legal",
    "catan_core_batch_step_games",
)
"""The entry points that gain speed by AVX-512. Others lose: narrow stores, then wide loads.

They are faster in an object of their own: what writes observations is inlined, and what starts a
game is not, since it has more than one caller.
"""


@dataclass(frozen=True)
class Target:
    """A processor to compile for."""

    name: str
    """That of the body that its object is a part of, and a prefix of the object's symbols."""
    triple: str
    cpu: str = ""
    features: str = ""
    only: tuple[str, ...] = ()
    """The entry points in the object; all that no other target of the body has, if empty."""
    inlined: str = INLINED
    intrinsics: tuple[str, ...] = ("count_off.ll", "spread_bits.ll")
    relocation: str = "pic"
    is_small: bool = False
    """True if a small file matters more than the last bit of speed."""
    allowed: frozenset[str] = ALLOWED
    """The functions that it may call and that are defined elsewhere."""

    @property
    def object(self) -> str:
        """The name of its object file."""
        part = self.only[0].removeprefix("catan") if self.only else ""
        return f"{self.name}{part}.o"


X86 = "x86_64-unknown-linux-gnu"
VECTORS = ("deposit.ll", "vector_bits.ll")
AVX512 = "+avx512vpopcntdq,+prefer-128-bit"
BY_MACHINE = {
    "x86_64": (
        Target("v2", X86, "x86-64-v2"),
        Target("v3", X86, "x86-64-v3", intrinsics=VECTORS),
        Target("v3", X86, "x86-64-v3", intrinsics=VECTORS, only=WHOLE_GAMES, inlined=AT_ONCE),
        Target("v3", X86, "x86-64-v3", intrinsics=VECTORS, only=LOCKSTEP),
        Target("v4", X86, "x86-64-v4", AVX512, only=LOCKSTEP, intrinsics=VECTORS),
    ),
    "aarch64": (Target("v8", "aarch64-unknown-linux-gnu", "generic"),),
}
"""The parts of the bodies of an engine for one machine, the plainest body first.

A body has the entry points of its own targets, and all others from the body before.
"""

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


def entries_of(targets: Sequence[Target], symbols: Collection[str]) -> dict[Target, list[str]]:
    """For each target, those of the entry points that are in its object."""
    found = {}
    for target in targets:
        others = {one for other in targets if other.name == target.name for one in other.only}
        own = set(target.only) if target.only else set(symbols) - others
        found[target] = [symbol for symbol in symbols if symbol in own]
    return found


def bodies_of(targets: Sequence[Target], symbols: Collection[str]) -> dict[str, dict[str, str]]:
    """For each body, the plainest first, and each entry point the body that it is compiled for."""
    bodies: dict[str, dict[str, str]] = {}
    before: dict[str, str] = {}
    for target, own in entries_of(targets, symbols).items():
        before = bodies[target.name] = before | dict.fromkeys(own, target.name)
    return bodies


def compile_for(
    target: Target, text: str, symbols: Collection[str]
) -> tuple[bytes, dict[str, list[bool]]]:
    """An object file with these entry points, and which of its parameters each only reads."""
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
    _hide_all_but(module, {f"{target.name}_{symbol}" for symbol in symbols})
    _optimize(module, machine, target.is_small)
    module.verify()
    _check_calls(module, target.allowed)
    return machine.emit_object(module), _read_only(module, f"{target.name}_")


def _addressed(text: str, target: Target, machine: Any) -> str:
    """The text of a module for a target, whose name is put before the entry points' symbols."""
    lines = f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n'
    text = re.sub(r"^target (triple|datalayout) = .*\n", "", text, flags=re.M)
    marks = rf"^(attributes #\d+ = \{{.*)\b{AT_ONCE}\b"
    text = re.sub(marks, rf"\1{target.inlined}", text, flags=re.M)
    return lines + re.sub(r"@catan_", f"@{target.name}_catan_", text)


def _hide_all_but(module: Any, entries: set[str]) -> None:
    """Give everything but the entry points internal linkage, so that it can be inlined away."""
    for function in module.functions:
        if not function.is_declaration and function.name not in ALLOWED | entries:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"


def _optimize(module: Any, machine: Any, is_small: bool) -> None:
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
    """Refuse a module that calls anything besides `allowed` or refers to an object of Python."""
    called = {f.name for f in module.functions if f.is_declaration}
    stray = {name for name in called if not name.startswith("llvm.")} - allowed
    if stray:
        raise ValueError(f"the engine calls {', '.join(sorted(stray))}")
    if any(variable.name.startswith("numba.dynamic.") for variable in module.global_variables):
        raise ValueError("the engine refers to an object of Python")


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
