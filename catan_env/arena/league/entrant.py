"""Who plays in a league, and the files that belong to it."""

import io
import shlex
import sys
import zipfile
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

MOST_FILES = 64 << 20
"""Bytes that an entrant's files may have, unpacked."""
POLICY, COMMAND = "policy", "command"


@dataclass(frozen=True)
class Entrant:
    """One version of somebody; one that was removed plays no more, and its games stay.

    >>> Entrant(1, "mine", "policy", "greedy", version="2").title
    'mine 2'
    """

    id: int
    name: str
    kind: str
    """"policy" or "command"."""
    words: str
    """A policy's name, module:Class or its weights file; or a command's line."""
    version: str = ""
    author: str = ""
    digest: str | None = None
    """Of its files."""
    is_active: bool = True
    pardoned_at: int = 0
    """The game after which its faults count."""
    files: bytes | None = field(default=None, repr=False, compare=False)
    """Its folder as a zip archive; None where it has none, or they were not asked for."""

    @property
    def title(self) -> str:
        """Its name, with its version where it has one."""
        return f"{self.name} {self.version}".strip()


def packed_files(path: Path) -> bytes:
    """A file, or everything below a folder, as a zip archive; the same files give the same bytes.

    ValueError for more than 64 MiB, and for what is not a plain file or folder.
    """
    root = path if path.is_dir() else path.parent
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    out, size = io.BytesIO(), 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in found:
            if file.is_symlink() or not (file.is_file() or file.is_dir()):
                raise ValueError(f"{file}: neither a file nor a folder")
            if file.is_file():
                size += file.stat().st_size
                if size > MOST_FILES:
                    raise ValueError(f"{path}: more than {MOST_FILES >> 20} MiB")
                entry = zipfile.ZipInfo(str(file.relative_to(root)))
                entry.external_attr = (file.stat().st_mode & 0o777) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, file.read_bytes())
    return out.getvalue()


class Workshop:
    """Where entrants' files lie unpacked, each once: in a folder of its own, or in one given."""

    def __init__(self, folder: Path | None = None) -> None:
        self._own = TemporaryDirectory(prefix="catan-env-league-") if folder is None else None
        self._folder = Path(self._own.name) if self._own else Path(folder or "")

    def folder_of(self, entrant: Entrant) -> Path | None:
        """The entrant's folder; None where it has no files."""
        if entrant.files is None:
            return None
        digest = sha256(entrant.files).hexdigest()
        folder = self._folder / digest
        if not folder.exists():
            beside = Path(mkdtemp(dir=self._folder))
            unpack(entrant.files, beside / "files")
            with suppress(OSError):  # another process has put the same there meanwhile
                (beside / "files").rename(folder)
        return folder

    def policy_of(self, entrant: Entrant) -> str:
        """The entrant's policy as `load_policy` takes it."""
        folder = self.folder_of(entrant)
        return entrant.words if folder is None else str(folder / entrant.words)

    def command_of(self, entrant: Entrant, protocol: str, seed: int = 0) -> str:
        """The line that starts the entrant as an agent; a policy that draws does so by `seed`."""
        if entrant.kind == COMMAND:
            return entrant.words
        line = [sys.executable, "-m", "catan_env", "agent", "--policy", self.policy_of(entrant)]
        line += ["--seed", str(seed)]
        line += ["--protocol", protocol] if protocol == "german" else []
        return shlex.join(line)

    def close(self) -> None:
        """Take everything away, where it is its own."""
        if self._own is not None:
            self._own.cleanup()


def unpack(files: bytes, folder: Path) -> None:
    """Write what `packed_files` made; nothing lands outside the folder."""
    with zipfile.ZipFile(io.BytesIO(files)) as archive:
        for entry in archive.infolist():
            path = Path(archive.extract(entry, folder))
            if not entry.is_dir():
                path.chmod((entry.external_attr >> 16) & 0o777 or 0o644)
