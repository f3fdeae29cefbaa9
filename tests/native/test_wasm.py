"""The parts of the build for WebAssembly that need no build."""

import ctypes
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

llvm = pytest.importorskip("llvmlite.binding")

from native import back, wasm  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def test_without_the_linker_one_line_names_what_is_missing() -> None:
    environment = os.environ | {"PATH": "/nowhere", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "native.wasm"],
        cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "apt-get install lld" in done.stderr


@pytest.mark.parametrize(("number", "written"), [(0, "00"), (127, "7f"), (624485, "e58e26")])
def test_lengths_have_the_variable_form_of_the_specification(number: int, written: str) -> None:
    assert wasm.leb128(number).hex() == written


def test_a_section_has_its_name_and_ends_with_its_payload() -> None:
    assert wasm.custom_section(b"name", b"payload") == b"\x00\x0c\x04namepayload"


def test_the_exponential_is_that_of_the_c_library_to_two_units_in_the_last_place() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly((back.INTRINSICS / "exp.ll").read_text().replace("@exp", "@own"))
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    exp = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(engine.get_function_address("own"))
    for k in range(-30_000, 30_001):
        x = k / 997
        assert abs(exp(x) - math.exp(x)) <= 2 * math.ulp(math.exp(x)), x
