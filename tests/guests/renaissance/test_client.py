"""The agent's waits before it connects again."""

import pytest

from catan_env.guests.renaissance import client
from catan_env.guests.renaissance.client import STEADY, Pauses


def test_pauses_grow_until_a_connection_has_held(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now, waits = 0.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        waits.append(seconds)
        now += seconds

    monkeypatch.setattr(client.time, "monotonic", lambda: now)
    pause = Pauses("127.0.0.1 51015", sleep)
    for lasted in (0, 0, STEADY - 0.1, 0, 0, 0, 0, 0, STEADY, 0):
        now += lasted
        pause()
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.0, 3.0, 3.0, 3.0, 0.2, 0.4]
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "127.0.0.1 51015: the connection was closed; again in 0.2 s"
