"""An agent's own discard if the server asks for the robber first, and a view without an end."""

import msgspec
import pytest

from catan_env.core.constants import Phase, Resource
from catan_env.game import correction
from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.protocols.catan_german.messages import Discard
from catan_env.protocols.catan_german.places import Places
from tests.protocols.german.in_memory import LineAgent
from tests.protocols.german.test_agent import line_of, said, status
from tests.protocols.german.test_late import withheld

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
