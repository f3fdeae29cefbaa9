"""`python -m native.wasm`: build Catan as WebAssembly, for pages that play without a server.

The module is put into `catan_env/alone/`, where `catan-env page` finds it. It imports nothing
and exports its memory and the entry points of Catan. Needs Numba (the extra `native`) and LLVM's
linker `wasm-ld` (Debian: lld). What an earlier build lowered is used if no source has changed.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from native import back
from native.__main__ import ROOT, lowered, packages_in

MODULE = ROOT / "catan_env" / "alone" / "catan.wasm"
LEFT_OUT = (
    "catan_hanabi_",
    "catan_renaissance_",
    "catan_core_batch_observe_seats",
    "catan_core_batch_pick_others",
    "catan_core_batch_play_others",
    "catan_core_batch_reset_finished",
    "catan_rerank_doors_write_siblings",
    "catan_search_playouts_deal",
    "catan_search_reranked_",
    "catan_value_doors_play_out",
    "catan_value_doors_play_runs",
    "catan_value_win_probability_",
)
"""The beginnings of the entry points that no page needs."""
STACK = 1 << 16
"""Bytes of the stack, which lies below everything else: an overflow is an error, not damage."""


def linker() -> str:
    """The path of wasm-ld, also under a name with a version; "" if there is none."""
    names = ["wasm-ld", *(f"wasm-ld-{version}" for version in range(30, 10, -1))]
    return next((path for name in names if (path := shutil.which(name))), "")


def missing() -> str:
    """The reason why nothing can be built on this machine, in one line; "" if it can."""
    if not linker():
        return "WebAssembly needs LLVM's linker wasm-ld, which is missing: apt-get install lld"
    return ""


def build(folder: Path, out: Path = MODULE) -> Path:
    """Build the module by way of `folder`; returns where it is."""
    from catan_env.alone.module import SOURCES
    from catan_env.kernel.sources import engine_hashes

    folder.mkdir(parents=True, exist_ok=True)
    text, described = lowered(folder)
    entries = [e for e in described["entries"] if not e["symbol"].startswith(LEFT_OUT)]
    code, _ = back.compile_for(back.WASM, text, [entry["symbol"] for entry in entries])
    (folder / "wasm.o").write_bytes(code)
    exports = [f"--export=wasm_{entry['symbol']}" for entry in entries]
    linked = folder / "catan.wasm"
    command = [
        linker(), "--no-entry", "--strip-all", "--gc-sections", "--stack-first",
        "-z", f"stack-size={STACK}", "--export=__heap_base", *exports,
        str(folder / "wasm.o"), "-o", str(linked),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    hashes = engine_hashes(packages_in(entries))
    with linked.open("ab") as file:
        file.write(custom_section(SOURCES, json.dumps(hashes, sort_keys=True).encode()))
    out.parent.mkdir(parents=True, exist_ok=True)
    replacement = out.with_suffix(".new")
    shutil.copy(linked, replacement)
    replacement.replace(out)
    return out


def custom_section(name: bytes, payload: bytes) -> bytes:
    """A section that WebAssembly engines ignore, with the payload at its end."""
    content = leb128(len(name)) + name + payload
    return b"\0" + leb128(len(content)) + content


def leb128(number: int) -> bytes:
    """A number in WebAssembly's variable-length form."""
    low, rest = number & 0x7F, number >> 7
    return bytes([low]) if not rest else bytes([low | 0x80]) + leb128(rest)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m native.wasm", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "native")
    parser.add_argument("--out", type=Path, default=MODULE, metavar="FILE")
    parser.add_argument("--check", action="store_true", help="only tell what is missing")
    chosen = parser.parse_args()
    if reason := missing():
        sys.exit(reason)
    if not chosen.check:
        print(build(chosen.folder, chosen.out))


if __name__ == "__main__":
    main()
