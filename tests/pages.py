"""The code of the pages: the site's, the README's and CONTRIBUTING's.

A fenced block says by its language how it is tested:

- `pycon`: an interpreter session; tests/test_doctests.py runs it
- `python`: run in one namespace per page
- any language whose first line is a comment `file: NAME`: written to that file, for what follows
- `sh`: every line is run, with less to learn, fewer games and shorter ones
- `console`: commands that wait for people, or take long; their arguments are read
- `text`, `mermaid` or none: output
"""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests import forking

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?:#|//|/\*) file: (\S+)")
RUN = {"python", "sh"}
OUTPUT = {"", "text", "mermaid", "pycon", "console", "c", "toml", "json"}
TRAINING = "--num-envs 8 --num-steps 8 --total-timesteps 128 --checkpoint-every 1".split()
IMITATION = "--rounds 1 --update-epochs 0.5 --hidden 32 --local 4".split()
COMMANDS = ("catan-env", "python", "cc", "make", "pip", "tensorboard", "torchrun", ".")


class Block(NamedTuple):
    """A fenced block."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The name of the file that it is written to."""
        match = FILE.match(self.text)
        return match.group(1) if match else None


def pages() -> list[Path]:
    """Every written page of the site, and the two at the top of the repository."""
    made = {ROOT / "docs" / "generate", ROOT / "docs" / "reference" / "command_line.md"}
    found = (ROOT / "docs").rglob("*.md")
    written = [page for page in found if made.isdisjoint({page, *page.parents})]
    return sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *written])


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, first to last."""
    text = page.read_text(encoding="utf-8")
    return [Block(language.strip(), body) for language, body in BLOCK.findall(text)]


def is_run(page: Path) -> bool:
    """True if the page has more to run than interpreter sessions."""
    return any(block.language in RUN for block in blocks(page))


def needs(page: Path) -> list[str]:
    """The optional libraries that the page's code imports."""
    code = "\n".join(block.text for block in blocks(page) if block.language in RUN)
    names = {"catan_env.training": "torch", "import torch": "torch", "sb3": "sb3_contrib"}
    names["from catanatron"] = "catanatron"
    found = {library for sign, library in names.items() if sign in code}
    if "torch" in found:
        found |= {"tensorboard"}
    if "league" in code or ("#" in code and "cup" in code):
        found |= {"sqlalchemy"}
    return sorted(found)


def run_page(page: Path, folder: Path) -> None:
    """Run the blocks of a page in a folder that has the repository's examples and settings."""
    for name in ("examples", "training"):
        (folder / name).symlink_to(ROOT / name)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python" and not block.text.startswith(">>>"):
            exec(compile(less(block.text), str(page), "exec"), names)
        elif block.language == "sh":
            for line in lines_of(block.text):
                run(line, folder)


def less(code: str) -> str:
    """The code with fewer games to learn from, for one rollout."""
    code = re.sub(r"CatanVecEnv\(64", "CatanVecEnv(8", code)
    code = re.sub(r"n_steps=(?:64|128)", "n_steps=16", code)
    code = re.sub(r"batch_size=512", "batch_size=128", code)
    return re.sub(r"\.learn\([\d_]+\)", ".learn(1)", code)


def lines_of(text: str) -> Iterator[str]:
    """Commands, one per line; a backslash joins a line to the next."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def run(line: str, folder: Path) -> None:
    """Run a command of a page in `folder`; AssertionError with its output if it fails."""
    done = forking.run(arguments(line), folder, environment(folder))
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def arguments(line: str) -> list[str]:
    """The words of a command, with the programs of this environment and less to do."""
    line = re.sub(r"(catan-env (?:play|match) (?!.*--json).*--games) \d+", r"\1 1", line)
    line = re.sub(r"(catan-env (?:play|match)) ", r"\1 --max-turns 40 ", line)
    line = re.sub(r"(league run .*--games) \d+", r"\1 4", line)
    line = re.sub(r"(training\.evaluate .*--games) \d+", r"\1 4", line)
    line = re.sub(r"(tests\.foreign\.write .*--games) \d+", r"\1 12", line)
    words = shlex.split(line)
    if words[0] == "catan-env":
        words[:1] = [sys.executable, "-m", "catan_env"]
    elif words[0] == "python":
        words[0] = sys.executable
    if "catan_env.training.self_play" in words:
        words += TRAINING
    if "catan_env.training.imitation" in words:
        words += IMITATION
    return words


def environment(folder: Path) -> dict[str, str]:
    """The variables of a command: this package, its programs, and one thread."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": path, "PATH": programs}
