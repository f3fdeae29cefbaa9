"""Pages without a server, and node to run their scripts."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from catan_env.alone import alone_html, built_module
from catan_env.game.rules import Rules

HERE = Path(__file__).parent


def needs(program: str) -> str:
    """The path of a program; the test is skipped without it, or fails with CATAN_ENV_WASM."""
    found = shutil.which(program)
    if found is None:
        leave_out(f"this needs {program}")
    return str(found)


def module() -> bytes:
    """The engine for web pages; the test is skipped if there is none, or fails (see `needs`)."""
    try:
        return built_module()
    except ValueError as reason:
        leave_out(str(reason))
        raise


def leave_out(reason: str) -> None:
    pytest.fail(reason) if os.environ.get("CATAN_ENV_WASM") else pytest.skip(reason)


def parts_of(html: str) -> dict[str, str]:
    """The parts of a page for its worker."""
    line = next(line for line in html.splitlines() if line.startswith("const ALONE = "))
    parts: dict[str, str] = json.loads(line.removeprefix("const ALONE = ").removesuffix(";"))
    return parts


class Worker:
    """The worker of a page, run by node: scripts of this folder operate it."""

    def __init__(
        self, folder: Path, policy: str, seats: int, rules: str = "base", board: str = "spiral"
    ) -> None:
        module()
        self._node = needs("node")
        self.html = alone_html(policy, seats, Rules.named(rules), board)
        parts = parts_of(self.html)
        self._file = folder / "page.json"
        self._file.write_text(json.dumps({"worker": parts["worker"], "parts": parts}))

    def run(self, script: str, *arguments: object) -> list[Any]:
        """The lines of JSON that a script prints."""
        command = [self._node, str(HERE / script), str(self._file), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]
