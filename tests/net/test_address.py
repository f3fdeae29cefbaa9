"""The address in the links of a server that listens everywhere."""

from typing import Any

import pytest

from catan_env.net import address


class Probe:
    """A socket of a machine with one address in its network, or without a network."""

    own: str | None

    def __init__(self, family: int, kind: int) -> None:
        pass

    def __enter__(self) -> "Probe":
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def connect(self, elsewhere: Any) -> None:
        if self.own is None:
            raise OSError("Network is unreachable")

    def getsockname(self) -> tuple[str | None, int]:
        return self.own, 40000


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::"])
def test_the_unspecified_address_becomes_that_of_the_network(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "socket", Probe)
    monkeypatch.setattr(Probe, "own", "198.51.100.7", raising=False)
    assert address.reachable(host) == "198.51.100.7"
    monkeypatch.setattr(Probe, "own", None)
    assert address.reachable(host) == host


def test_other_addresses_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "socket", Probe)
    assert address.reachable("127.0.0.1") == "127.0.0.1"
