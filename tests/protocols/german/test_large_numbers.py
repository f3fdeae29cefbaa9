"""More cards than our game has: the text of 0.1 limits neither the bank nor an offer."""

import msgspec
import pytest

from catan_env.core.constants import Resource
from tests.covering import covering
from tests.protocols.german.in_memory import LineAgent, policy_of
from tests.protocols.german.test_agent import a_game, line_of, said, status

ME = 3
"""The player whose game is heard."""


def heard_until(word: str, player: int, version: str = "1.0") -> LineAgent:
    """An agent in a game of three, once a player has that Status."""
    agent = LineAgent(policy_of("builder", 1), "Ada")
    for line in a_game(version, 3):
        agent.receive(line)
        shown = msgspec.json.decode(line).get("Statusupdate", {}).get("Spieler", {})
        if (shown.get("id"), shown.get("Status")) == (player, word):
            return agent
    raise AssertionError(word)


def offered(player: int, give: dict[str, int], get: dict[str, int]) -> bytes:
    return line_of("Handelsangebot", Spieler=player, Handel_id=99, Angebot=give, Nachfrage=get)


MANY = pytest.mark.parametrize(
    ("give", "get"), [({"Holz": 1}, {"Lehm": 20}), ({"Holz": 25}, {"Lehm": 1})]
)


@MANY
def test_an_offer_of_more_cards_than_our_bank_has_is_refused(
    give: dict[str, int], get: dict[str, int]
) -> None:
    agent = heard_until("Handeln oder Bauen", 1)
    reply = agent.receive(offered(1, give, get))
    assert msgspec.json.decode(reply) == {"Handel annehmen": {"Handel id": 99, "Annehmen": False}}


@MANY
@pytest.mark.parametrize("is_paid_first", [True, False])
def test_a_trade_of_as_many_between_others_moves_their_cards(
    give: dict[str, int], get: dict[str, int], is_paid_first: bool
) -> None:
    agent = heard_until("Handeln oder Bauen", 1)
    view, seat_of = agent.follower.view, agent.follower.seats.of
    assert view is not None
    agent.receive(status(1, "Handeln oder Bauen", Rohstoffe={"Unbekannt": 40}))
    agent.receive(status(2, "Warten", Rohstoffe={"Unbekannt": 40}))
    agent.receive(offered(1, give, get))
    pays = [
        line_of("Kosten", Spieler=1, Rohstoffe=give),
        line_of("Kosten", Spieler=2, Rohstoffe=get),
    ]
    gets = [
        line_of("Ertrag", Spieler=1, Rohstoffe=get),
        line_of("Ertrag", Spieler=2, Rohstoffe=give),
    ]
    done = [line_of("Handel ausgeführt", Spieler=1, Mitspieler=2)]
    agent.receive(b"".join([*pays, *gets, *done] if is_paid_first else [*done, *pays, *gets]))
    agent.receive(line_of("Statusupdate", Spieler={"id": 1, "Status": "Warten"}))
    agent.receive(line_of("Statusupdate", Spieler={"id": 2, "Status": "Würfeln"}))
    more = sum(get.values()) - sum(give.values())
    assert [view.hand_size(seat_of(n)) for n in (1, 2)] == [40 + more, 40 - more]
    assert said(agent.receive(status(ME, "Würfeln"))) == ["Würfeln"]


def test_a_refused_offer_of_as_many_leaves_no_trace() -> None:
    agent = heard_until("Handeln oder Bauen", 1)
    view = agent.follower.view
    assert view is not None
    before = view.state_bytes()
    agent.receive(offered(1, {"Holz": 1}, {"Lehm": 20}))
    agent.receive(line_of("Handelsangebot abgebrochen", Spieler=1, Handel_id=99))
    assert view.state_bytes() == before and not agent.follower.is_in_doubt


HANDS = (96, 127, 128, 500, 5000)


@pytest.mark.parametrize(("version", "number"), covering(("0.1", "1.0"), HANDS))
@pytest.mark.parametrize("name", ["builder", "greedy", "random"])
def test_a_turn_is_played_however_large_the_hands_are(version: str, number: int, name: str) -> None:
    agent = heard_until("Handeln oder Bauen", 2, version)
    agent._decide = policy_of(name, 1)
    agent.receive(status(1, "Warten", Rohstoffe={"Unbekannt": number}))
    own = {"Holz": number - 3, "Wolle": 2, "Erz": 1}
    agent.receive(status(ME, "Warten", Rohstoffe=own) + status(2, "Warten"))
    assert said(agent.receive(status(ME, "Würfeln", Rohstoffe=own))) == ["Würfeln"]
    wurf = 6 if version == "0.1" else [3, 3]
    agent.receive(line_of("Würfelwurf", Spieler=ME, Wurf=wurf))
    agent.receive(line_of("Ertrag", Spieler=1, Rohstoffe={"Holz": 40}))
    assert said(agent.receive(status(ME, "Handeln oder Bauen", Rohstoffe=own)))
    view = agent.follower.view
    assert view is not None and sum(view.hand(view.viewer)) == view.hand_size(view.viewer) > 90
    assert view.hand(view.viewer)[Resource.ORE] == 1 and view.hand(view.viewer)[Resource.WOOL] == 2


def test_hands_grow_without_an_end() -> None:
    """Nothing is discarded in 0.1, and its text does not limit the bank."""
    agent = heard_until("Würfeln", 1, "0.1")
    for k in range(100):
        for player in (1, 2):
            agent.receive(status(player, "Würfeln", Rohstoffe={"Unbekannt": 7 * k}))
            agent.receive(line_of("Würfelwurf", Spieler=player, Wurf=6))
            for other in (1, 2, ME):
                agent.receive(line_of("Ertrag", Spieler=other, Rohstoffe={"Holz": 7}))
            agent.receive(line_of("Statusupdate", Spieler={"id": player, "Status": "Warten"}))
        reply = agent.receive(status(ME, "Würfeln", Rohstoffe={"Holz": 14 * k}))
        assert said(reply) == ["Würfeln"]
        agent.receive(status(ME, "Warten", Rohstoffe={"Holz": 14 * k}))
    view = agent.follower.view
    assert view is not None
    assert [view.hand_size(agent.follower.seats.of(player)) for player in (1, 2)] == [95, 95]


def test_development_cards_and_knights_may_be_many_too() -> None:
    agent = heard_until("Handeln oder Bauen", 2)
    many = {"Rittermacht": 1000, "Entwicklungskarten": {"Ritter": 1000}}
    agent.receive(status(ME, "Warten", **many) + status(1, "Warten", **many))
    assert said(agent.receive(status(ME, "Würfeln", **many)))
