"""Where agents' processes start."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents start where the package can be imported."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
