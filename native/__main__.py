"""`python -m native`: build the engine as machine code, for Python and for C.

The extension is put into `catan_env/kernel/`, where the package finds it. `--library FOLDER` also
writes `catan.h`, `libcatan.a` and `libcatan.so`. Needs Numba (the extra `native`) and a C compiler.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from native import back, extension
from native.header import header

HERE = Path(__file__).parent
ROOT = HERE.parent
EXTENSION = ROOT / "catan_env" / "kernel" / "_native.abi3.so"


def front(folder: Path) -> tuple[str, dict[str, Any]]:
    """The LLVM module and the description of the entry points, made in a process of its own."""
    environment = os.environ | {"CATAN_ENV_ENGINE": "jit", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "native.front", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)
    return (folder / "catan.ll").read_text(), json.loads((folder / "entries.json").read_text())


def compile_bodies(folder: Path, text: str, described: dict[str, Any]) -> list[str]:
    """Write an object file for each processor; marks the parameters that are written to."""
    targets = back.BY_MACHINE[platform.machine()]
    for target in targets:
        code, read_only = back.compile_for(target, text)
        (folder / f"{target.name}.o").write_bytes(code)
        for entry in described["entries"]:
            mark_written(entry, read_only[entry["symbol"]])
    return [target.name for target in targets]


def mark_written(entry: dict[str, Any], read_only: list[bool]) -> None:
    """Note which arrays the machine code writes to, in any body."""
    place = 0
    for parameter in entry["parameters"]:
        written = not read_only[place]
        parameter["written"] = parameter.get("written", False) or written
        place += 1 + parameter.get("ndim", 0)


def write_sources(folder: Path, described: dict[str, Any], bodies: list[str]) -> None:
    """Write the C sources of the extension and the header."""
    from catan_env.kernel.jit import engine_hashes

    entries, records = described["entries"], described["records"]
    hashes = json.dumps(engine_hashes(folders_of(entries)), sort_keys=True)
    (folder / "catan.h").write_text(header(entries, records))
    (folder / "bodies.h").write_text(extension.bodies(entries, bodies))
    (folder / "library.c").write_text(extension.library(entries))
    source = extension.source(entries, records, bodies, hashes)
    (folder / "native.c").write_text(source)
    for name in ("arguments.c", "arguments.h", "choice.h", "module.h"):
        shutil.copy(HERE / name, folder)


def folders_of(entries: list[dict[str, Any]]) -> list[str]:
    """The packages whose sources are in the machine code: those with entry points, and kernel."""
    return sorted({"catan_env.kernel", *(entry["entry"].rsplit(".", 2)[0] for entry in entries)})


def link_extension(folder: Path, bodies: list[str], out: Path) -> None:
    """Compile and link what Python imports."""
    include = sysconfig.get_paths()["include"]
    objects = [str(folder / f"{name}.o") for name in bodies]
    sources = [str(folder / name) for name in ("native.c", "arguments.c")]
    flags = ["-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror", "-s"]
    command = [compiler(), *flags, f"-I{include}", *sources, *objects, "-lm", "-o", str(out)]
    subprocess.run(command, check=True)


def link_library(folder: Path, bodies: list[str], out: Path) -> None:
    """Write `catan.h`, `libcatan.a` and `libcatan.so` to `out`."""
    out.mkdir(parents=True, exist_ok=True)
    objects = [str(folder / f"{name}.o") for name in bodies]
    library = folder / "library.o"
    flags = ["-O2", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    source = str(folder / "library.c")
    subprocess.run([compiler(), *flags, "-c", source, "-o", str(library)], check=True)
    shutil.copy(folder / "catan.h", out)
    archive, shared = out / "libcatan.a", out / "libcatan.so"
    archive.unlink(missing_ok=True)
    subprocess.run(["ar", "rcsD", str(archive), str(library), *objects], check=True)
    linked = [compiler(), "-shared", "-s", str(library), *objects, "-lm", "-o", str(shared)]
    subprocess.run(linked, check=True)


def compiler() -> str:
    """The C compiler: $CC, or cc."""
    return os.environ.get("CC", "cc")


def build(folder: Path, library: Path | None = None) -> Path:
    """Build everything by way of `folder`; returns where the extension is."""
    folder.mkdir(parents=True, exist_ok=True)
    text, described = front(folder)
    bodies = compile_bodies(folder, text, described)
    write_sources(folder, described, bodies)
    built = folder / EXTENSION.name
    link_extension(folder, bodies, built)
    if library is not None:
        link_library(folder, bodies, library)
    staged = EXTENSION.with_suffix(".new")
    shutil.copy(built, staged)
    staged.replace(EXTENSION)  # a process that plays by the old one keeps it
    return EXTENSION


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m native", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "native")
    parser.add_argument("--library", type=Path, metavar="FOLDER", help="also write catan.h there")
    chosen = parser.parse_args()
    print(build(chosen.folder, chosen.library))


if __name__ == "__main__":
    main()
