"""Every field of every message has the type that its class declares, also in set-ups."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.judge import start
from catan_env.guests.renaissance.policies import Greedy, Random
from catan_env.net.spelling import JsonSpelling
from tests.guests.renaissance.conversation import begun
from tests.guests.renaissance.in_memory import TO_CLIENT, TO_SERVER, House
from tests.guests.renaissance.test_sockets import mutated
from tests.wire_types import checked, faults


def test_all_messages_in_games_have_plain_types(games: int) -> None:
    with checked(JsonSpelling) as seen:
        for seed in range(max(games // 1000, 8)):
            house, seats = House(seed), 1 + seed % 4
            for k in range(seats):
                policy = (Random, Greedy)[(seed + k) % 2](seed=k)
                house.connect(Agent(f"p{k}", policy, seats))
            house.run()
    told = {kind.__name__ for kind in (*m.EVENTS, *m.COMMANDS)}
    assert told - set(seen) <= {"UpdatePlayerStatus", "UpdateFaithTrack"}


SETUP = [
    m.ReqChooseLeaders([99]),
    m.ReqChooseLeaders([]),
    m.ReqEndTurn(),
    m.ReqTakeFromMarket(True, 0),
    m.ReqLeaderAction(1, True),
]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_refusals_in_the_set_up_of_every_seat_have_plain_types(seats: int) -> None:
    with checked(JsonSpelling) as seen:
        talk = begun(seats)
        for seat in range(seats):
            line, ids = talk.line_of(seat), talk.table.ids
            dealt = talk.table.game.state["dealt"][seat].tolist()
            asked: list[Any] = [*SETUP, *(m.ReqChooseLeaders(dealt[:1] * n) for n in (1, 2, 3))]
            shelves = [*ids.shelves[seat], ids.strongbox[seat], 9999]
            asked += [
                m.ReqChooseResources({shelf: {name: count}})
                for shelf in shelves
                for name in ("Coin", "Faith", "Zero", "Gold")
                for count in (-1, 3, 9)
            ]
            for message in asked:
                for answer in talk.say(line, message):
                    TO_CLIENT.encode(answer)
    assert {"ErrReplacedTransRecipe", "ErrObjectNotOwned"} <= set(seen) or seats == 1


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_mutated_lines_in_the_set_up_of_every_seat_give_documented_errors(seats: int) -> None:
    """Each is answered, at most by an error, and closes nothing."""
    draw = np.random.default_rng(seats)
    talk = begun(seats)
    for seat in range(seats):
        line, ids = talk.line_of(seat), talk.table.ids
        dealt = talk.table.game.state["dealt"][seat].tolist()
        good = [
            TO_SERVER.encode(message)
            for message in (
                m.ReqChooseLeaders(dealt[:2]),
                m.ReqChooseResources({ids.shelves[seat][1]: {"Coin": 1}}),
                m.ReqChooseResources({ids.shelves[seat][2]: {"Coin": 1, "Stone": 1}}),
            )
        ]
        with checked(JsonSpelling):
            for _ in range(300):
                data = bytearray(mutated(good[int(draw.integers(len(good)))], draw))
                if b"\n" not in data or b"ReqQuit" in data or b"Goodbye" in data:
                    continue
                decoded = TO_SERVER.decode(data)
                assert decoded is not None
                for answer in talk.say(line, decoded[0]):
                    TO_CLIENT.encode(answer)
                assert talk.closed == []


@pytest.mark.parametrize("scalar", [np.int64(1), np.int8(1), np.bool_(True), np.float64(1)])
def test_a_planted_scalar_is_found(scalar: Any) -> None:
    """As before: a number of the rules, sent unchanged."""
    talk = begun(2)
    talk.table.ids.shelves[1][0] = scalar
    with checked(JsonSpelling), pytest.raises(AssertionError, match="not int"):
        TO_CLIENT.encode(talk.table._snapshot(1)[0].message)
    error = m.ErrReplacedTransRecipe(False, "", scalar, 2, False)
    assert list(faults(error, type(error)))
    box = m.UpdateResourceContainer(m.Container(id=1, content={"Coin": scalar}, size=2))
    assert list(faults(box, type(box)))


def test_the_faults_of_a_field_name_its_place() -> None:
    @dataclass
    class Piece:
        place: int | None
        names: tuple[str, ...]

    found = list(faults([Piece(np.int32(3), ("a", np.str_("b")))], list[Piece]))  # type: ignore[arg-type]
    assert [one.partition(":")[0] for one in found] == ["[0].place", "[0].names[1]"]
    assert memoryview(start.START_GOODS).format in "bhilq", "answered as it was"
