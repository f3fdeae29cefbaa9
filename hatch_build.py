"""The build hook of the wheel.

It puts `policies/` and `training/` into the wheel, as parts of catan_env, and the engine as machine
code where that can be built: on Linux, with a C compiler, for CPython, on a processor that
`native/back.py` knows. Such a wheel needs no Numba; any other one does, and so does an editable
install, whose rules may be edited.

`CATAN_ENV_BUILD=pure` never builds machine code, `CATAN_ENV_BUILD=native` fails where it cannot be
built. `CATAN_ENV_BUILD_FOLDER` is a folder in which machine code is looked for and kept.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EXTENSION = "catan_env/kernel/_native.abi3.so"
WEB_MODULE = "catan_env/alone/catan.wasm"
MACHINES = ("x86_64", "aarch64")
NEWEST_PYTHON = (3, 15)
"""The newest Python for which the pinned Numba can be installed."""
MODES = ("", "native", "pure")


class WheelHook(BuildHookInterface):
    """Decides what a wheel contains."""

    def dependencies(self) -> list[str]:
        """The packages that the build needs: those that generate machine code, if it can be."""
        return [] if reason_for_pure() else self._generators()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders and the machine code to a wheel that is not an editable install's."""
        if version == "editable":
            return
        build_data["force_include"] |= {
            folder: f"catan_env/{folder}" for folder in ("policies", "training")
        }
        reason = reason_for_pure() or self._missing_generator()
        if not reason:
            self._include_machine_code(build_data)
        elif os.environ.get("CATAN_ENV_BUILD") == "native":
            raise RuntimeError(f"CATAN_ENV_BUILD is native, and {reason}")
        else:
            self.app.display_info(f"a wheel without machine code: {reason}")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder of the build."""
        if hasattr(self, "_temporary"):
            self._temporary.cleanup()

    def _include_machine_code(self, build_data: dict[str, Any]) -> None:
        kept = os.environ.get("CATAN_ENV_BUILD_FOLDER")
        if kept is None:
            self._temporary = tempfile.TemporaryDirectory()
            kept = self._temporary.name
        command = [sys.executable, "-m", "native", "--folder", kept, "--out", kept]
        subprocess.run(command, check=True, cwd=self.root)
        extension = Path(kept, Path(EXTENSION).name)
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{platform_tag(extension.read_bytes())}"
        build_data["force_include"][str(extension)] = EXTENSION
        self._include_web_module(build_data, kept)
        needed = self.metadata.core.dependencies  # the list that is written into the wheel
        needed[:] = [line for line in needed if not line.startswith("numba")]

    def _include_web_module(self, build_data: dict[str, Any], kept: str) -> None:
        """Add the engine as WebAssembly, for pages without a server, where wasm-ld is installed."""
        built = Path(kept, Path(WEB_MODULE).name)
        command = [sys.executable, "-m", "native.wasm", "--folder", kept, "--out", str(built)]
        if subprocess.run([*command, "--check"], cwd=self.root).returncode:
            return  # it has said what is missing
        subprocess.run(command, check=True, cwd=self.root)
        build_data["force_include"][str(built)] = WEB_MODULE

    def _generators(self) -> list[str]:
        """The requirements of `python -m native`."""
        named: dict[str, list[str]] = self.metadata.core.optional_dependencies
        base = [line for line in self.metadata.core.dependencies if not line.startswith("numba")]
        return [*named["native"], *base]

    def _missing_generator(self) -> str:
        """A requirement that a build without isolation does not find, as a reason."""
        for line in self._generators():
            name, _, pin = line.partition("==")
            try:
                found = version(re.split("[<>=]", name)[0])
            except PackageNotFoundError:
                return f"{line} is not installed"
            if pin and found != pin:
                return f"{line} is needed, and {found} installed"
        return ""


def reason_for_pure() -> str:
    """The reason why no machine code is built here; empty if it is."""
    wanted = os.environ.get("CATAN_ENV_BUILD", "")
    compiler = os.environ.get("CC", "cc").split()[0]
    if wanted not in MODES:
        raise ValueError(f"CATAN_ENV_BUILD is {wanted}, not native or pure")
    if wanted == "pure":
        return "CATAN_ENV_BUILD is pure"
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        return f"none is built on {sys.platform} for {platform.machine()}"
    if sys.implementation.name != "cpython" or sys.version_info[:2] > NEWEST_PYTHON:
        return f"none is built by {sys.implementation.name} {platform.python_version()}"
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        return "Python.h is missing"
    return ""


def platform_tag(library: bytes) -> str:
    """The systems that an extension runs on: those with the newest glibc it names, or later."""
    minors = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", library)]
    if not minors:
        return f"linux_{platform.machine()}"
    return f"manylinux_2_{max(*minors, 17)}_{platform.machine()}"
