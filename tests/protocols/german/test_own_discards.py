"""An agent's own discard if the server asks for the robber first, and a view without an end."""

from typing import Any

import msgspec
import pytest

from catan_env.core.constants import Phase, Resource
from catan_env.game import correction
from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.net import Connection
from catan_env.net.room import Garbled
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import Discard, said_by_clients
from catan_env.protocols.catan_german.places import Places
from catan_env.protocols.catan_german.words import RESOURCES
from tests.protocols.german.in_memory import LineAgent, room_of
from tests.protocols.german.test_agent import line_of, said, status
from tests.protocols.german.test_late import Late, withheld

ME, OTHER = 1, 2
"""Players."""


def discarding() -> tuple[LineAgent, SeatView]:
    """An agent that has rolled a seven and sent five wool; then it is asked for the robber."""
    table = withheld(Discard, seed=2, seats=3)
    agent = table.agents[0]
    view = agent.follower.view
    assert view is not None and view.hand(view.viewer) == (1, 0, 2, 0, 7)
    assert agent.follower.said == (Action.discard(Resource.WOOL),) * 5
    assert agent.receive(status(ME, "Räuber versetzen", Rohstoffe=None), 1.0) == b""
    assert view.phase == Phase.ROBBER, "it goes by the server, and waits for its own cards"
    return agent, view


@pytest.mark.parametrize("cards", [{"Wolle": 5}, {"Unbekannt": 5}])
def test_it_discards_before_it_moves_the_robber(cards: dict[str, int]) -> None:
    agent, view = discarding()
    assert said(agent.receive(line_of("Kosten", Spieler=ME, Rohstoffe=cards), 1.0)) == [
        "Räuber versetzen"
    ]
    assert view.hand(view.viewer) == (1, 0, 2, 0, 2) and view.hand_size(view.viewer) == 5


@pytest.mark.parametrize(
    "name, player, count", [("Kosten", ME, 4), ("Kosten", OTHER, 5), ("Ertrag", ME, 5)]
)
def test_other_cards_are_not_its_discard(name: str, player: int, count: int) -> None:
    agent, _ = discarding()
    line = line_of(name, Spieler=player, Rohstoffe={"Unbekannt": count})
    assert agent.receive(line, 1.0) == b""
    assert len(agent.follower.said) == 5, "it still waits for its own"


def test_a_discard_in_its_own_phase_is_one_card_after_another() -> None:
    table = withheld(Discard, seed=2, seats=3)
    agent = table.agents[0]
    view = agent.follower.view
    assert view is not None
    agent.receive(line_of("Kosten", Spieler=ME, Rohstoffe={"Wolle": 5}), 1.0)
    assert view.hand(view.viewer) == (1, 0, 2, 0, 2) and view.owes(view.viewer) == 0
    assert view.phase == Phase.ROBBER and not agent.follower.is_in_doubt


# A roller that may move the robber first, and a server that repeats its Statusupdates.

DISCARD = "Karten wegen Räuber abgeben"


def asked_while_another_rolls(hand: dict[str, int]) -> LineAgent:
    """An agent that owes half of `hand` to another seat's seven, and has sent it."""
    table = Late(room_of("1.0", 3, 1, max_turns=0), 1)
    for line in range(3):
        table.send(table.room.opened(line, 0.0))
    agent = table.agents[0]
    while (view := agent.follower.view) is None or (view.phase, view.turn_seat) != (Phase.ROLL, 1):
        assert table.step()
    ids = agent.follower.speech.ids
    agent.receive(status(ids[0], "Warten", Rohstoffe=hand), 1.0)
    agent.receive(line_of("Würfelwurf", Spieler=ids[1], Wurf=[3, 4]), 1.0)
    assert said(agent.receive(status(ids[0], DISCARD, Rohstoffe=hand), 1.0)) == ["Karten abgeben"]
    return agent


def robbed_of(agent: LineAgent, kind: str) -> None:
    """The roller steals from the agent before its discard arrives."""
    ids, view = agent.follower.speech.ids, agent.follower.view
    assert view is not None
    tile = next(tile for tile in range(19) if tile != view.robber)
    field = msgspec.to_builtins(Places("1.0").field(tile))
    agent.receive(line_of("Räuber versetzt", Spieler=ids[1], Ort=field, Ziel=ids[0]), 1.0)
    agent.receive(line_of("Kosten", Spieler=ids[0], Rohstoffe={kind: 1}), 1.0)
    agent.receive(line_of("Ertrag", Spieler=ids[1], Rohstoffe={kind: 1}), 1.0)


HAND = {"Holz": 4, "Lehm": 4, "Wolle": 4, "Getreide": 4, "Erz": 4}


@pytest.mark.parametrize("is_robbed", [False, True])
@pytest.mark.parametrize("is_repeated", [False, True])
def test_it_discards_once_however_long_the_roller_thinks(
    is_robbed: bool, is_repeated: bool
) -> None:
    agent = asked_while_another_rolls(HAND)
    me, view = agent.follower.speech.ids[0], agent.follower.view
    asked = agent.follower.said
    kinds = [action.args[0] for action in asked]
    assert view is not None and len(kinds) == 10
    cards = {RESOURCES[kind]: kinds.count(kind) for kind in Resource}
    stolen = next(kind for kind in Resource if kinds.count(kind) < 4)
    if is_robbed:
        robbed_of(agent, RESOURCES[stolen])
    left = {name: n - cards[name] for name, n in HAND.items()}
    left[RESOURCES[stolen]] -= is_robbed
    assert agent.receive(line_of("Kosten", Spieler=me, Rohstoffe=cards), 1.0) == b""
    if is_repeated:
        assert agent.receive(status(me, DISCARD, Rohstoffe=left), 1.0) == b""
    for seconds in range(2, 30):
        assert agent.wait(float(seconds)) == b""
    assert view.hand(view.viewer) == tuple(left[RESOURCES[kind]] for kind in Resource)


def test_a_discard_that_is_never_announced_is_forgotten_at_the_next_roll() -> None:
    agent = asked_while_another_rolls(HAND)
    me, _, next_one = agent.follower.speech.ids
    agent.receive(status(next_one, "Würfeln", Rohstoffe={}), 1.0)
    agent.receive(line_of("Würfelwurf", Spieler=next_one, Wurf=[1, 1]), 1.0)
    view = agent.follower.view
    assert view is not None and view.phase == Phase.MAIN
    before = view.hand(view.viewer)
    agent.receive(line_of("Kosten", Spieler=me, Rohstoffe={"Unbekannt": 10}), 1.0)
    assert view.hand(view.viewer) == before, "as many cards, lost for a reason yet to come"


def test_counts_below_zero_are_nothing_and_the_turn_is_taken() -> None:
    """A card that was discarded had been stolen: the server gives it both times."""
    agent = asked_while_another_rolls(HAND)
    ids, view = agent.follower.speech.ids, agent.follower.view
    assert view is not None
    left = {"Holz": 4, "Lehm": 2, "Wolle": 0, "Getreide": -1, "Erz": 4}
    agent.receive(status(ids[2], "Warten", Rohstoffe={"Unbekannt": -1}), 1.0)
    agent.receive(status(ids[0], "Warten", Rohstoffe=left, Entwicklungskarten={"Ritter": -1}), 1.0)
    assert said(agent.receive(status(ids[0], "Würfeln", Rohstoffe=left), 1.0)) == ["Würfeln"]
    assert view.hand(view.viewer) == (2, 0, 4, 4, 0) and view.hand_size(2) == 0
    assert view.card_count(view.viewer) == 0


@pytest.mark.parametrize("body", [
    {"Seehandel": {"Angebot": {"Holz": -4}, "Nachfrage": {"Erz": -1}}},
    {"Karten abgeben": {"Abgeben": {"Holz": 6, "Erz": -1}}},
    {"Handel anbieten": {"Angebot": {"Holz": 1}, "Nachfrage": {"Erz": -1}}},
])  # fmt: skip
def test_a_client_may_not_name_less_than_nothing(body: dict[str, Any]) -> None:
    end: Connection[Any] = Connection(GermanCodec(said_by_clients("1.0")))
    (message,) = end.receive(msgspec.json.encode(body) + b"\n")
    assert isinstance(message, Garbled) and ">= 0" in message.reason


def test_the_next_seven_is_another_discard() -> None:
    agent = asked_while_another_rolls(HAND)
    ids = agent.follower.speech.ids
    agent.receive(line_of("Kosten", Spieler=ids[0], Rohstoffe={"Unbekannt": 10}), 1.0)
    agent.receive(status(ids[1], "Warten", Rohstoffe={"Unbekannt": 5}), 2.0)
    agent.receive(status(ids[2], "Würfeln", Rohstoffe={"Unbekannt": 5}), 2.0)
    agent.receive(line_of("Würfelwurf", Spieler=ids[2], Wurf=[1, 6]), 2.0)
    sent = agent.receive(status(ids[0], DISCARD, Rohstoffe=None), 2.0)
    assert said(sent or agent.wait(9.0)) == ["Karten abgeben"]


def test_a_discard_that_the_server_never_announces_is_sent_again() -> None:
    agent = asked_while_another_rolls(HAND)
    assert said(agent.wait(9.0)) == ["Karten abgeben"]


# The view has ended, but not the server.


def taken_for_won() -> LineAgent:
    """An agent whose discard is not announced, and whose view has ended with a win."""
    agent, view = discarding()
    view._array[0]["points"][view.viewer] = 10
    correction.count_bank(view)
    assert view.is_over
    return agent


@pytest.mark.parametrize(
    "word, name",
    [
        ("Handeln oder Bauen", "Zug beenden"),
        ("Würfeln", "Würfeln"),
        ("Karten wegen Räuber abgeben", "Karten abgeben"),
        ("Räuber versetzen", "Räuber versetzen"),
    ],
)
def test_it_does_what_the_server_asks_for(word: str, name: str) -> None:
    agent = taken_for_won()
    assert agent.receive(status(ME, word, Rohstoffe=None), 2.0) == b""
    assert agent.deadline is not None and agent.wait(agent.deadline - 0.1) == b""
    (body,) = msgspec.json.decode(agent.wait(agent.deadline).splitlines()[0]).items()
    assert body[0] == name and sum(body[1].get("Abgeben", {}).values()) in (0, 5)
    assert agent.follower.view is not None and agent.follower.view.is_over


def test_a_refused_field_of_the_robber_is_not_asked_for_again() -> None:
    agent = taken_for_won()
    fields = []
    for _ in range(3):
        assert agent.deadline is not None
        (line,) = agent.wait(agent.deadline).splitlines()
        fields.append(str(msgspec.json.decode(line)["Räuber versetzen"]["Ort"]))
        assert agent.receive(b'{"Serverantwort":"Nein"}\n') == b""
    assert len(set(fields)) == 3 and agent.follower.view is not None
    here = Places("1.0").field(agent.follower.view.robber)
    assert str(msgspec.to_builtins(here)) not in fields
