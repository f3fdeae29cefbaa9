"""The namespaces of an agent: which files, processes and variables it sees, by bubblewrap."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
HIDDEN = ("/tmp", "/var/tmp", "/run", "/home", "/root", "/mnt", "/media", "/srv")
"""Folders that an agent sees empty, but for what it needs to run."""
MOST_FILES = 64 << 20
"""Bytes that an agent may keep in the folders it can write to, each; they are memory."""
PASSED = "PATH HOME LANG TZ TERM USER LD_LIBRARY_PATH VIRTUAL_ENV XDG_CACHE_HOME".split()
PREFIXES = tuple("LC_ PYTHON PYENV_ CONDA_ CATAN_ENV_ NUMBA_ OMP_ OPENBLAS_ MKL_".split())
"""Variables that an agent is given; the others may hold a host's secrets."""


@cache
def why_not() -> str:
    """Why bubblewrap cannot be used on this machine; '' where it can."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (Debian and Ubuntu: apt install bubblewrap)"
    try:
        done = subprocess.run(
            [*_namespaces(), "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"],
            capture_output=True,
            text=True,
            timeout=10,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run: {error}"
    if done.returncode:
        return f"bubblewrap does not run: {done.stderr.strip() or done.returncode}"
    return ""


def wrapped(command: Sequence[str], folder: Path, private: Sequence[Path] = ()) -> list[str]:
    """The command in namespaces of its own, in `folder`: processes, mounts, users.

    It reads the system and what it needs to run, though nothing below the `private` folders, and
    writes to /tmp and /dev/shm of its own.
    """
    line = [*_namespaces(), "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    hidden = [Path(name) for name in HIDDEN if os.path.isdir(name) and not os.path.islink(name)]
    for path in (Path("/dev/shm"), *hidden):
        line += ["--size", str(MOST_FILES), "--tmpfs", str(path)]
    for path in shown(command, folder, hidden):
        line += ["--ro-bind", str(path), str(path)]
    for path in map(Path.resolve, private):
        if os.path.exists(path) and not folder.is_relative_to(path):
            line += ["--tmpfs", str(path)]
    return [*line, "--chdir", str(folder), "--", *command]


def shown(command: Sequence[str], folder: Path, hidden: Sequence[Path]) -> list[Path]:
    """What below hidden folders the command needs to run."""
    needed = {folder, PACKAGE, Path(sys.prefix), Path(sys.base_prefix), _cache_folder()}
    needed.update(Path(entry).absolute() for entry in sys.path if entry)
    needed.update(path for word in command for path in _with_neighbours(word, folder, hidden))
    for entry in os.environ.get("PATH", "").split(os.pathsep):
        if entry:
            needed.add(_installation(Path(entry).absolute(), hidden))
    paths = set(filter(os.path.exists, needed | {path.resolve() for path in needed}))
    below = {path for path in paths if any(path.is_relative_to(top) for top in hidden)}
    return sorted(path for path in below if below.isdisjoint(path.parents))


def _with_neighbours(word: str, folder: Path, hidden: Sequence[Path]) -> Iterable[Path]:
    """The file that a word of the command names, with the folder it lies in."""
    found = shutil.which(word) or word
    path = folder / found
    if not os.path.exists(path):
        return
    for file in (path, path.resolve()):
        yield file
        if file.parent not in hidden and file.parent != Path.home():
            yield file.parent


def _installation(programs: Path, hidden: Sequence[Path]) -> Path:
    """What a folder of PATH belongs to: ~/.pyenv for ~/.pyenv/shims."""
    home = Path.home()
    if programs != home and programs.is_relative_to(home):
        return home / programs.relative_to(home).parts[0]
    above = programs.parent
    return programs if above in hidden or above == Path("/") else above


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Those variables that an agent is given.

    >>> environment({"PATH": "/bin", "LC_ALL": "C", "API_TOKEN": "secret"})
    {'PATH': '/bin', 'LC_ALL': 'C'}
    """
    return {
        name: text
        for name, text in variables.items()
        if name in PASSED or name.startswith(PREFIXES)
    }


def _cache_folder() -> Path:
    """Where the compiled engine lies."""
    base = os.environ.get("CATAN_ENV_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "catan_env"


def _namespaces() -> list[str]:
    kinds = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts")
    return ["bwrap", *kinds, "--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent"]
