"""An agent finishes its game at servers that send what the text allows and ours never does."""

import json
from functools import partial
from typing import Any

import pytest

from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.wire.dialect import DIALECTS
from catan_env.guests.hanabi.wire.messages import ServerSpelling
from catan_env.guests.hanabi.wire.room import HanabiRoom
from tests.covering import covering
from tests.guests.hanabi.conversation import play


def without_nulls(value: Any) -> Any:
    """The same JSON without the fields that are null."""
    if isinstance(value, dict):
        return {key: without_nulls(one) for key, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("players", "name"), covering([2, 3, 4, 5], DIALECTS))
def test_a_field_that_is_null_may_be_absent(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text includes turns_left "only when it is known", drawn_card "only if" one is drawn."""
    spell = ServerSpelling.encode

    def spell_without_nulls(self: ServerSpelling, message: Any) -> bytes:
        return json.dumps(without_nulls(json.loads(spell(self, message)))).encode()

    room = HanabiRoom(DIALECTS[name], seed=players, games=1)
    policies = [load_policy("piers", seed=seat) for seat in range(players)]
    monkeypatch.setattr(ServerSpelling, "encode", spell_without_nulls)
    agents: list[Any] = []
    for agents in play(room, [partial(decide, policy) for policy in policies]):  # noqa: B007
        pass
    assert room.is_over and {agent.score for agent in agents} != {None}
    assert len({agent.score for agent in agents}) == 1
