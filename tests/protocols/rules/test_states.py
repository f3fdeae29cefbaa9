"""The room's state machine, and the times that it records."""

from catan_env.protocols.catan_binary.messages import (
    Pass,
    Roll,
)
from catan_env.protocols.catan_binary.states import TRANSITIONS, State
from tests.protocols.rules.table import OFFER, open_turn, trading


def test_the_states_are_those_of_the_server_flow():
    assert [state.name for state in TRANSITIONS] == [
        "INIT", "ACCEPT", "BEGIN", "TURN", "PASS", "KICK", "END", "DEINIT",
    ]  # fmt: skip
    reached = {State.INIT}
    while (more := {after for state in reached for after in TRANSITIONS[state]} - reached) > set():
        reached |= more
    assert reached == set(State)


def test_the_duration_of_decisions_is_recorded():
    table = open_turn()
    table.now += 1.25
    table.say(0, Pass())
    table.now += 0.5
    table.say(1, Roll())
    assert table.room.decision_times == [[1.25], [0.5], [], []]


def test_a_proposers_wait_for_an_answer_is_not_its_own_decision():
    table = trading(timeout_secs=5)
    table.say(0, OFFER)
    table.wait(6)
    table.now += 0.5
    table.say(0, Pass())
    assert table.room.decision_times == [[0.0, 0.5], [], [], []]
