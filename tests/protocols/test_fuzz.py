"""No input does more than a ProtocolError or a kick."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_env.net import Connection, RemoteProtocolError
from catan_env.protocols.catan_binary.messages import BinaryCodec
from tests.protocols import fuzz_agent
from tests.protocols.fuzz import run

SEEDS = range(4, 16)
MESSAGES = [10_000, pytest.param(40_000, marks=pytest.mark.nightly)]


@pytest.mark.parametrize("messages", MESSAGES)
def test_changed_and_invented_messages_are_at_most_refused(messages):
    assert run(messages) > 3


@pytest.mark.parametrize("messages", MESSAGES)
def test_an_agent_leaves_a_faulty_server(messages):
    assert fuzz_agent.run(messages // 2) > 3


@pytest.mark.parametrize("seed", [3, *(pytest.param(k, marks=pytest.mark.nightly) for k in SEEDS)])
def test_an_agent_leaves_other_faulty_servers(seed):
    assert fuzz_agent.run(3_000, seed) > 0


@given(st.lists(st.binary(max_size=40), max_size=4), st.sampled_from([None, "big", "little"]))
def test_any_bytes_in_any_pieces_are_messages_or_an_error(pieces, order):
    whole, parts = Connection(BinaryCodec(order)), Connection(BinaryCodec(order))
    assert outcome(whole, [b"".join(pieces)]) == outcome(parts, pieces)


def outcome(connection, pieces):
    messages = []
    try:
        for piece in pieces:
            messages += connection.receive(piece)
    except RemoteProtocolError as error:
        return str(error)
    return messages
