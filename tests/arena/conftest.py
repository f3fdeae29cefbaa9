"""Where agents' processes start, and the attacks of an agent."""

from pathlib import Path

import pytest

from catan_env.arena.sandbox import Limits, Sandbox
from tests.arena.attacked import Attack

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents start where the package can be imported."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def attack(tmp_path):
    begun = []

    def begin(
        level: str, *words: object, threads: int = 1, memory: int = 256, grace: float = 1.0
    ) -> Attack:
        sandbox = Sandbox(level, (tmp_path,), grace=grace)
        begun.append(Attack(sandbox, tmp_path, *words, limits=Limits(threads, memory)))
        return begun[-1]

    yield begin
    for each in begun:
        each.agent.close()
