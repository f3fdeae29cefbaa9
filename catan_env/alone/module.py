"""The engine as WebAssembly, which `python -m native.wasm` builds into this folder."""

import json
from importlib import resources

from catan_env.kernel.sources import engine_hashes

MODULE = "catan.wasm"
SOURCES = b"catan_env.sources"
"""The name of the module's last section: the hashes of the sources that it was built from."""
NOT_BUILT = (
    "the engine for web pages is not in this installation: `make wasm` builds it in a checkout, "
    "and `pip install .` where LLVM's linker is installed (Debian: apt-get install lld)"
)


def built_module() -> bytes:
    """The module; ValueError if it is missing, or if it was built from other sources."""
    file = resources.files("catan_env.alone").joinpath(MODULE)
    if not file.is_file():
        raise ValueError(NOT_BUILT)
    code = file.read_bytes()
    built_from = json.loads(code.rpartition(SOURCES)[2])
    here = engine_hashes(built_from)
    if changed := [package for package in here if here[package] != built_from[package]]:
        names = ", ".join(changed)
        raise ValueError(f"{names} changed since the engine for web pages was built: make wasm")
    return code
