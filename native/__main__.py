"""`python -m native`: build the engine as machine code, for Python and for C.

The extension is put into `catan_env/kernel/`, where the package finds it. `--library FOLDER` also
writes `catan.h`, `libcatan.a` and `libcatan.so`. Needs Numba (the extra `native`) and a C compiler.
Objects that an earlier build left are used if nothing that they are made from has changed.
"""

import argparse
import hashlib
import json
import os
import platform
import shlex
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
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {
        "CATAN_ENV_ENGINE": "jit", "PYTHONPATH": path, "PYTHONHASHSEED": "0"
    }  # fmt: skip
    command = [sys.executable, "-m", "native.front", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)
    return (folder / "catan.ll").read_text(), json.loads((folder / "entries.json").read_text())


def compile_bodies(folder: Path, text: str, described: dict[str, Any]) -> None:
    """Write the object files of each processor; marks the parameters that are written to."""
    by_symbol = {entry["symbol"]: entry for entry in described["entries"]}
    for target, symbols in back.entries_of(this_machine(), by_symbol).items():
        code, read_only = back.compile_for(target, text, symbols)
        (folder / target.object).write_bytes(code)
        for symbol in symbols:
            mark_written(by_symbol[symbol], read_only[symbol])


def lowered(folder: Path) -> tuple[str, dict[str, Any]]:
    """The result of `front`, made again only if a source has changed since it was made there."""
    described = kept(folder, "lowered")
    if described is not None:
        return (folder / "catan.ll").read_text(), described
    for stamp in ("lowered", "stamp"):  # the description of objects is replaced, too
        (folder / stamp).unlink(missing_ok=True)
    text, described = front(folder)
    (folder / "lowered").write_text(stamp_of(described, LOWERED_BY))
    return text, described


def stamp_of(described: dict[str, Any], sources: list[Path]) -> str:
    """A name for what a build is made from: the rules, Numba, and these sources of this folder."""
    import numba

    from catan_env.kernel.sources import engine_hashes

    digest = hashlib.sha256(numba.__version__.encode())
    digest.update(json.dumps(engine_hashes(packages_in(described["entries"]))).encode())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


LOWERED_BY = [HERE / "front.py"]
MADE_BY = [*LOWERED_BY, HERE / "back.py", *sorted(back.INTRINSICS.glob("*.ll"))]


def kept(folder: Path, stamp: str = "stamp") -> dict[str, Any] | None:
    """The description of the entry points, if what `stamp` marks in the folder is current."""
    marked, entries = folder / stamp, folder / "entries.json"
    if not marked.exists() or not entries.exists():
        return None
    described: dict[str, Any] = json.loads(entries.read_text())
    sources = LOWERED_BY if stamp == "lowered" else MADE_BY
    return described if marked.read_text() == stamp_of(described, sources) else None


def objects(folder: Path) -> dict[str, Any]:
    """Make the object files in the folder, or keep those there; returns the entry points."""
    described = kept(folder)
    if described is None:
        (folder / "stamp").unlink(missing_ok=True)
        text, described = lowered(folder)
        made_from = stamp_of(described, MADE_BY)  # a source may be edited while it compiles
        compile_bodies(folder, text, described)
        (folder / "entries.json").write_text(json.dumps(described, indent=1) + "\n")
        (folder / "stamp").write_text(made_from)
    return described


def this_machine() -> tuple[back.Target, ...]:
    """The parts of the bodies for this machine's processors."""
    return back.BY_MACHINE[platform.machine()]


def mark_written(entry: dict[str, Any], read_only: list[bool]) -> None:
    """Note which arrays the machine code writes to, in any body."""
    place = 0
    for parameter in entry["parameters"]:
        written = not read_only[place]
        parameter["written"] = parameter.get("written", False) or written
        place += 1 + parameter.get("ndim", 0)


def write_sources(folder: Path, described: dict[str, Any]) -> None:
    """Write the C sources of the extension and the header."""
    from catan_env.kernel.sources import engine_hashes

    entries, records = described["entries"], described["records"]
    bodies = back.bodies_of(this_machine(), [entry["symbol"] for entry in entries])
    hashes = json.dumps(engine_hashes(packages_in(entries)), sort_keys=True)
    (folder / "catan.h").write_text(header(entries, records))
    (folder / "bodies.h").write_text(extension.bodies(entries, bodies))
    (folder / "library.c").write_text(extension.library(entries))
    source = extension.source(entries, records, hashes)
    (folder / "native.c").write_text(source)
    for name in ("arguments.c", "arguments.h", "choice.h", "module.h"):
        shutil.copy(HERE / name, folder)


def packages_in(entries: list[dict[str, Any]]) -> list[str]:
    """The packages whose sources are in the machine code of these entry points."""
    from native.sources import packages_of

    return packages_of(entry["entry"] for entry in entries)


def link_extension(folder: Path, out: Path) -> None:
    """Compile and link what Python imports."""
    include = sysconfig.get_paths()["include"]
    objects = [str(folder / target.object) for target in this_machine()]
    sources = [str(folder / name) for name in ("native.c", "arguments.c")]
    flags = ["-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror", "-s"]
    command = [*compiler(), *flags, f"-I{include}", *sources, *objects, "-lm", "-o", str(out)]
    subprocess.run(command, check=True)


def link_library(folder: Path, out: Path) -> None:
    """Write `catan.h`, `libcatan.a` and `libcatan.so` to `out`."""
    out.mkdir(parents=True, exist_ok=True)
    objects = [str(folder / target.object) for target in this_machine()]
    library = folder / "library.o"
    flags = ["-O2", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    source = str(folder / "library.c")
    subprocess.run([*compiler(), *flags, "-c", source, "-o", str(library)], check=True)
    shutil.copy(folder / "catan.h", out)
    archive, shared = out / "libcatan.a", out / "libcatan.so"
    archive.unlink(missing_ok=True)
    subprocess.run(["ar", "rcsD", str(archive), str(library), *objects], check=True)
    linked = [*compiler(), "-shared", "-s", str(library), *objects, "-lm", "-o", str(shared)]
    subprocess.run(linked, check=True)


def compiler() -> list[str]:
    """The words that call the C compiler: those of $CC, or cc."""
    return shlex.split(os.environ.get("CC", "cc"))


def build(folder: Path, library: Path | None = None, out: Path = EXTENSION.parent) -> Path:
    """Build everything by way of `folder`; returns where the extension is, in the folder `out`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_sources(folder, objects(folder))
    staged, built = folder / "linked.so", out / EXTENSION.name
    link_extension(folder, staged)
    if library is not None:
        link_library(folder, library)
    out.mkdir(parents=True, exist_ok=True)
    replacement = built.with_suffix(".new")
    shutil.copy(staged, replacement)
    replacement.replace(built)  # a process that plays by the old one keeps it
    return built


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m native", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "native")
    parser.add_argument("--library", type=Path, metavar="FOLDER", help="also write catan.h there")
    parser.add_argument("--out", type=Path, default=EXTENSION.parent, metavar="FOLDER")
    chosen = parser.parse_args()
    print(build(chosen.folder, chosen.library, chosen.out))


if __name__ == "__main__":
    main()
