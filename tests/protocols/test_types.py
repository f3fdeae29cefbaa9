"""Every field of every message of Catan's protocols has the type that its class declares."""

from typing import Any

import numpy as np
import pytest

from catan_env.protocols.catan_binary.messages import BinaryCodec, Trade, TradeSide
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import Cards, said_by_clients
from catan_env.protocols.jsettlers import messages as jsettlers
from catan_env.protocols.jsettlers.framing import FrameCodec
from tests.protocols import games as binary_games
from tests.protocols.german import games as german_games
from tests.protocols.jsettlers.test_games import played
from tests.wire_types import checked, faults

SCALARS = [np.int64(1), np.int8(1), np.bool_(True)]


def test_messages_in_games_of_the_binary_protocol_have_plain_types() -> None:
    with checked(BinaryCodec) as seen:
        for number in range(3):
            binary_games.play(number)
            if len(seen) == 15:
                break
    assert len(seen) == 15, "all that the protocol has"


def test_messages_in_games_of_the_german_protocol_have_plain_types() -> None:
    with checked(GermanCodec) as seen:
        for number in range(4):
            german_games.play(number)
    assert len(seen) > 15


def test_messages_in_games_of_jsettlers_have_plain_types() -> None:
    with checked(FrameCodec) as seen:
        for seed in range(2):
            played(seed)
    assert len(seen) > 15


@pytest.mark.parametrize("scalar", SCALARS)
def test_a_planted_scalar_is_found_in_the_binary_protocol(scalar: Any) -> None:
    trade = Trade(0, scalar, TradeSide(1, 1), TradeSide(2, 1))
    with checked(BinaryCodec), pytest.raises(AssertionError, match="not int"):
        BinaryCodec().encode(trade)


@pytest.mark.parametrize("scalar", SCALARS)
def test_a_planted_scalar_is_found_in_the_german_protocol(scalar: Any) -> None:
    assert list(faults(Cards(lumber=scalar), Cards)) and not list(faults(Cards(lumber=1), Cards))
    with checked(GermanCodec), pytest.raises(AssertionError, match="lumber"):
        GermanCodec(said_by_clients("0.1")).encode(Cards(lumber=scalar))  # type: ignore[arg-type]


@pytest.mark.parametrize("scalar", SCALARS)
def test_a_planted_scalar_is_found_in_jsettlers(scalar: Any) -> None:
    """It would be written as `True`, where the server reads `true`."""
    with checked(FrameCodec), pytest.raises(AssertionError, match="seat"):
        FrameCodec(jsettlers.FROM_SERVER).encode(jsettlers.Turn("t", scalar, 15))
