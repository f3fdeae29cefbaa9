"""Files of games that only grow: one JSON object per line, each line its own gzip member.

A process that is killed leaves at most one unfinished member at the end, which is cut off.
"""

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
GZIP = 31
"""zlib's window bits for a gzip member."""


def append(path: Path, entry: Entry) -> None:
    """Add an entry; when this returns, it is on the disk."""
    line = json.dumps(entry, separators=(",", ":")) + "\n"
    with open(path, "ab") as file:
        file.write(gzip.compress(line.encode(), mtime=0))
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> list[Entry]:
    """All complete entries, in their order; none if there is no such file."""
    return [entry for entry, _ in _members(path.read_bytes())] if path.exists() else []


def repair(path: Path) -> int:
    """Cut an unfinished entry off the end of the file; return the number of bytes cut."""
    if not path.exists():
        return 0
    whole = path.read_bytes()
    ends = [end for _, end in _members(whole)]
    cut = len(whole) - (ends[-1] if ends else 0)
    if cut:
        os.truncate(path, len(whole) - cut)
    return cut


def _members(data: bytes) -> Iterator[tuple[Entry, int]]:
    """Each complete entry, and where it ends in the file."""
    at = 0
    while at < len(data):
        unpack = zlib.decompressobj(GZIP)
        text = unpack.decompress(data[at:])
        if not unpack.eof:
            return
        at = len(data) - len(unpack.unused_data)
        yield json.loads(text), at
