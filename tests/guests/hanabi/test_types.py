"""Every field of every message has the type that its class declares."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire.dialect import DIALECTS
from catan_env.guests.hanabi.wire.room import HanabiRoom
from catan_env.net.spelling import JsonSpelling
from tests.covering import covering
from tests.guests.hanabi.conversation import play
from tests.wire_types import checked, faults


@pytest.mark.parametrize(("name", "players"), covering(DIALECTS, [2, 3, 4, 5]))
def test_all_messages_of_server_and_agents_have_plain_types(name: str, players: int) -> None:
    policies = ["random", "piers", "best", "iggi", "random"]
    if players == 2:
        policies = ["learnt", "best"]
    with checked(JsonSpelling, m.ServerSpelling) as seen:
        decides = [partial(decide, load_policy(one, 3)) for one in policies[:players]]
        for _ in play(HanabiRoom(DIALECTS[name], seed=players), decides):
            pass
    assert seen["GameStartResponse"] and seen["GameOverResponse"] and seen["PlayCardRequest"]


@pytest.mark.parametrize("scalar", [np.int64(1), np.uint8(1), np.bool_(True)])
def test_a_planted_scalar_is_found(scalar: Any) -> None:
    room = HanabiRoom(DIALECTS["spec"], seed=1)
    room.table.join("ann")
    room.table.tokens = scalar
    response = m.GameStartResponse(room.table.state())
    assert list(faults(response, type(response)))
    with checked(m.ServerSpelling), pytest.raises(AssertionError, match="hint_tokens"):
        m.ServerSpelling().encode(response)
    request = m.PlayCardRequest(scalar)
    assert list(faults(request, type(request)))
