"""An entrant of a league, and the files that belong to it."""

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
"""The most bytes of an entrant's files, unpacked."""
POLICY, COMMAND = "policy", "command"


@dataclass(frozen=True)
class Entrant:
    """One version of an entrant. Removed entrants are not scheduled; their games remain.

    >>> Entrant(1, "mine", "policy", "greedy", version="2").title
    'mine 2'
    """

    id: int
    name: str
    kind: str
    """"policy" or "command"."""
    words: str
    """A policy's name, module:Class or weights file; or a command line."""
    version: str = ""
    author: str = ""
    digest: str | None = None
    """The hash of its files."""
    is_active: bool = True
    pardoned_at: int = 0
    """The last game whose faults are forgiven."""
    files: bytes | None = field(default=None, repr=False, compare=False)
    """Its folder as a zip archive; None if it has none, or it was not loaded."""

    @property
    def title(self) -> str:
        """Its name, with its version if it has one."""
        return f"{self.name} {self.version}".strip()


def packed_files(path: Path) -> bytes:
    """A file, or everything below a folder, as a zip archive; equal files give equal bytes.

    ValueError for more than 64 MiB, and for anything but plain files and folders.
    """
    root = path if path.is_dir() else path.parent
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    out, size = io.BytesIO(), 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in found:
            if file.is_symlink() or not (file.is_file() or file.is_dir()):
                raise ValueError(f"{file}: neither a file nor a folder")
            if not _is_utf8(str(file)):
                raise ValueError(f"{str(file)!r}: the name is not UTF-8")
            if file.is_file():
                size += file.stat().st_size
                if size > MOST_FILES:
                    raise ValueError(f"{path}: more than {MOST_FILES >> 20} MiB")
                entry = zipfile.ZipInfo(str(file.relative_to(root)))
                entry.external_attr = (file.stat().st_mode & 0o777) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, file.read_bytes())
    return out.getvalue()


def _is_utf8(name: str) -> bool:
    """False for a name with bytes that are not, as the file system lets it have."""
    return not any("\ud800" <= sign <= "\udfff" for sign in name)


class EntrantFiles:
    """The folder where entrants' files are unpacked, each once: a temporary or a given one."""

    def __init__(self, folder: Path | None = None) -> None:
        self._own = TemporaryDirectory(prefix="catan-env-league-") if folder is None else None
        self._folder = Path(self._own.name) if self._own else Path(folder or "")

    def folder_of(self, entrant: Entrant) -> Path | None:
        """The entrant's folder; None if it has no files."""
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
        """The entrant's policy in the form for `load_policy`."""
        folder = self.folder_of(entrant)
        return entrant.words if folder is None else str(folder / entrant.words)

    def command_of(self, entrant: Entrant, protocol: str, seed: int = 0) -> str:
        """The command line of the entrant as an agent; `seed` is for a policy that draws."""
        if entrant.kind == COMMAND:
            return entrant.words
        line = [sys.executable, "-m", "catan_env", "agent", "--policy", self.policy_of(entrant)]
        line += ["--seed", str(seed)]
        line += ["--protocol", protocol] if protocol == "german" else []
        return shlex.join(line)

    def close(self) -> None:
        """Delete everything, if the folder is temporary."""
        if self._own is not None:
            self._own.cleanup()


def unpack(files: bytes, folder: Path) -> None:
    """Extract the output of `packed_files`; nothing is written outside the folder."""
    with zipfile.ZipFile(io.BytesIO(files)) as archive:
        for entry in archive.infolist():
            path = Path(archive.extract(entry, folder))
            if not entry.is_dir():
                path.chmod((entry.external_attr >> 16) & 0o777 or 0o644)
