"""Our server reads clients that write some things differently than ours."""

import json
from typing import Any

import pytest

from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.policies import Random
from tests.guests.renaissance.altered import play_out
from tests.guests.renaissance.in_memory import TO_SERVER, House, seat_checked


class WithoutEmptyMaps(House):
    """A house whose agents write null for every empty map."""

    nulls = 0

    def say(self, line: int, messages: list[Any]) -> None:
        for message in messages:
            said = self.without_empty_maps(json.loads(TO_SERVER.encode(message)))
            self.queue.append((line, json.dumps(said).encode() + b"\n"))

    def without_empty_maps(self, value: Any) -> Any:
        if isinstance(value, dict):
            self.nulls += not value
            return {key: self.without_empty_maps(one) for key, one in value.items()} or None
        return [self.without_empty_maps(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("seats", "policy"), [(1, Random), (2, Greedy), (4, Random)])
def test_a_client_may_write_null_for_an_empty_map(seats: int, policy: Any) -> None:
    """The text's client writes nulls, and leaves a map out of a production."""
    house = WithoutEmptyMaps(seats)
    agents = seat_checked(house, seats, seats, policy)
    play_out(house, agents)
    assert house.nulls > 10 and not any(agent.refusals for agent in agents)
