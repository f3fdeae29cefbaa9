"""Benchmarks with fewer games."""

import pytest


@pytest.fixture
def fewer_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 games at a time in the rows of both guests."""
    from benchmarks import hanabi_rows, renaissance_rows

    assert hanabi_rows.GAMES == renaissance_rows.GAMES == 1024
    for module in (hanabi_rows, renaissance_rows):
        monkeypatch.setattr(module, "GAMES", 64)
