"""The namespaces of an agent: which files, processes and variables it sees, by bubblewrap."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from glob import glob
from pathlib import Path
from tempfile import gettempdir

PACKAGE = Path(__file__).resolve().parents[1]
HIDDEN = ("/tmp", "/var/tmp", "/run", "/home", "/root", "/mnt", "/media", "/srv")
"""Folders that appear empty to an agent, except for what it needs to run."""
WRITABLE = frozenset(map(Path, HIDDEN))
STORES = ("/dev/shm", *HIDDEN)
"""Folders that an agent can write to, where they exist."""
ESSENTIAL = tuple(
    map(Path, "/usr/bin /usr/lib /usr/local /bin /lib /lib64 /etc /dev /proc /sys".split())
)
"""Folders that every program needs: one that contains any of them is not hidden."""
SCRIPTS = (".py", ".sh", ".jar", ".js", ".rb", ".pl")
LAYOUTS = {
    "pyvenv.cfg": "",
    "conda-meta": "",
    "shims": "",  # of pyenv, rbenv and others
    "lib/jvm.cfg": "",
    "lib/py*/os.py": "lib",
    "lib/node_modules": "lib/node_modules",
}
"""A path beside a folder of programs that shows their kind, and the part there that they need."""
MOST_STORED = 64 << 20
"""Bytes that an agent may store in each folder it can write to; they take memory."""
PASSED = "PATH HOME LANG TZ TERM USER LD_LIBRARY_PATH VIRTUAL_ENV XDG_CACHE_HOME".split()
PREFIXES = tuple("LC_ PYTHON PYENV_ CONDA_ CATAN_ENV_ NUMBA_ OMP_ OPENBLAS_ MKL_".split())
"""Variables passed to an agent; the others may contain a host's secrets."""


@cache
def why_not() -> str:
    """The reason that bubblewrap cannot be used on this machine; '' if it can."""
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


def wrapped(
    command: Sequence[str],
    start: Path,
    given: Path | None = None,
    private: Iterable[Path] = (),
) -> list[str]:
    """The command in separate namespaces: processes, mounts, users.

    It starts in the folder that it was `given`, or in `start`, the server's working directory,
    which appears empty. It can read the system and what it needs to run, but nothing in `start` or
    in the `private` paths that its command does not name, and can write to a private /tmp and the
    like.
    """
    line = [*_namespaces(), "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    folder = given or start
    hidden = hidden_from_agents(start, private)
    line += ["--size", str(MOST_STORED), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    closed: list[str] = []
    for path, is_shown in rules(hidden, shown(command, folder, given)):
        if is_shown:
            line += ["--ro-bind", str(path), str(path)]
        elif os.path.isdir(path):
            line += ["--size", str(MOST_STORED), "--tmpfs", str(path)]
            closed += [] if path in WRITABLE else ["--remount-ro", str(path)]
        else:
            line += ["--ro-bind", os.devnull, str(path)]
    return [*line, "--dir", str(folder), *closed, "--chdir", str(folder), "--", *command]


def hidden_from_agents(start: Path, private: Iterable[Path] = ()) -> set[Path]:
    """The folders that appear empty to an agent: the usual ones, temporary ones, this server's."""
    named = [*map(Path, HIDDEN), Path(gettempdir()), _state_folder(), start, *private]
    paths = {path.resolve() for path in named if os.path.exists(path)}
    return {path for path in paths if not any(e.is_relative_to(path) for e in ESSENTIAL)}


def rules(hidden: Iterable[Path], shown: Iterable[Path]) -> list[tuple[Path, bool]]:
    """The mounts in order, and whether each is shown; the most specific path decides.

    >>> a, b, c = Path("/a"), Path("/a/b"), Path("/a/b/c")
    >>> [(str(path), is_shown) for path, is_shown in rules([a, b], [a, c])]
    [('/a', False), ('/a/b/c', True)]
    """
    chosen = dict.fromkeys(shown, True) | dict.fromkeys(hidden, False)
    ordered = sorted(chosen, key=lambda path: (len(path.parts), path))
    return [(path, chosen[path]) for path in ordered if chosen[path] != _above(path, chosen)]


def _above(path: Path, chosen: Mapping[Path, bool]) -> bool:
    """True if a path is shown by the rule of the nearest folder above it."""
    return next((chosen[folder] for folder in path.parents if folder in chosen), True)


def shown(command: Sequence[str], folder: Path, given: Path | None = None) -> set[Path]:
    """The paths that the command needs to run."""
    needed = {Path(sys.prefix), Path(sys.base_prefix), _cache_folder(), PACKAGE}
    if not (PACKAGE / "policies").is_dir():  # in a checkout they are next to the package
        needed.update(PACKAGE.parent / name for name in ("policies", "training"))
    needed.update(_imported_from())
    needed.update(path for word in command for path in _named(word, folder))
    needed.update(on_path(os.environ.get("PATH", "")))
    if given is not None:
        needed.add(given)
    return set(filter(os.path.exists, needed | {path.resolve() for path in needed}))


def _imported_from() -> Iterable[Path]:
    """The folders of `sys.path`, except the checkout of this package."""
    for entry in filter(None, sys.path):
        path = Path(entry).absolute()
        if (path / PACKAGE.name).resolve() != PACKAGE or "site-packages" in path.parts:
            yield path


def _named(word: str, folder: Path) -> Iterable[Path]:
    """The files that a word of the command names; for a program, also the folder it is in."""
    parts = re.split("[:=]", word)
    modules = [f"{part.replace('.', '/')}.py" for part in parts if ":" in word]
    for part in (word, *parts, *modules):
        path = folder / (shutil.which(part) or part)
        if not part or not os.path.exists(path):
            continue
        for file in (path, path.resolve()):
            yield file
            if is_program(file) and not Path.home().is_relative_to(file.parent):
                yield file.parent


def is_program(path: Path) -> bool:
    """True if a path is an executable file or a script."""
    return os.path.isfile(path) and (path.suffix in SCRIPTS or os.access(path, os.X_OK))


def on_path(text: str) -> set[Path]:
    """The folders of a PATH, the programs that they link to, and the installations of all these."""
    folders = [Path(entry).absolute() for entry in text.split(os.pathsep) if entry]
    found = {folder for folder in folders if _is_systems(folder)}
    while folders:
        folder = folders.pop()
        if folder not in found:
            targets = {path for link in _links(folder) for path in _hops(link)}
            found |= {folder, *targets, *_installation(folder)}
            folders += {path.parent for path in targets if _installation(path.parent)}
    return found


def _is_systems(folder: Path) -> bool:
    return any(folder.is_relative_to(path) for path in ESSENTIAL)


def _links(folder: Path) -> list[Path]:
    """The symbolic links to programs in a folder; none if it cannot be read."""
    try:
        links = [Path(entry) for entry in os.scandir(folder) if entry.is_symlink()]
    except OSError:
        return []
    return list(filter(is_program, links))


def _hops(link: Path) -> Iterable[Path]:
    """The paths that a chain of symbolic links to a file leads through."""
    path = link
    while path.is_symlink():
        path = Path(os.path.normpath(path.parent.resolve() / path.readlink()))
        yield path
    yield link.resolve()


def _installation(programs: Path) -> set[Path]:
    """The paths beside a folder that its programs need; none beside a mere collection."""
    above = programs.parent
    if Path.home().is_relative_to(above) or _is_systems(programs):
        return set()
    return {above / part for mark, part in LAYOUTS.items() if glob(mark, root_dir=above)}


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables that are passed to an agent.

    >>> environment({"PATH": "/bin", "LC_ALL": "C", "API_TOKEN": "secret"})
    {'PATH': '/bin', 'LC_ALL': 'C'}
    """
    return {
        name: text
        for name, text in variables.items()
        if name in PASSED or name.startswith(PREFIXES)
    }


def _cache_folder() -> Path:
    """The cache folder of the compiled engine."""
    base = os.environ.get("CATAN_ENV_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "catan_env"


def _state_folder() -> Path:
    """The folder of the tables and people of live servers."""
    given = os.environ.get("XDG_STATE_HOME")
    return (Path(given) if given else Path.home() / ".local" / "state") / "catan_env"


def _namespaces() -> list[str]:
    kinds = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts")
    return ["bwrap", *kinds, "--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent"]
