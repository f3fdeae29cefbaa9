"""A robber that moves before its knight is named: it waits for the knight, and moves once."""

import pytest

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.tracked import TrackedView
from catan_env.game.view import SeatView
from catan_env.protocols.catan_german.agent import CARDS_PATIENCE
from catan_env.protocols.catan_german.messages import MoveRobber, PlayKnight
from catan_env.protocols.catan_german.pending import Unnamed
from catan_env.protocols.catan_german.places import Places
from tests.protocols.german.in_memory import LineAgent, room_of
from tests.protocols.german.test_agent import line_of, said, status
from tests.protocols.german.test_late import PATIENCE, Late, withheld

THIEF, VICTIM = 1, 2
"""Seats; the agent below has seat 0 and watches."""


class Watched:
    """An agent that watches the thief's turn; both others have five cards."""

    def __init__(self, cards: int = 1) -> None:
        table = Late(room_of("1.0", 3, 1, max_turns=0), 1)
        for line in range(3):
            table.send(table.room.opened(line, 0.0))
        self.agent: LineAgent = table.agents[0]
        while not self._is_thiefs_turn():
            assert table.step()
        self.ids = self.agent.follower.speech.ids
        for seat in (THIEF, VICTIM):
            TrackedView(self.view).believe_hand(seat, 5)
        TrackedView(self.view).believe_cards(THIEF, cards)
        self.tiles = [tile for tile in range(19) if tile != self.view.robber]
        self.knights = self.view.knights(THIEF)

    def _is_thiefs_turn(self) -> bool:
        view = self.agent.follower.view
        return view is not None and (view.phase, view.turn_seat) == (Phase.MAIN, THIEF)

    @property
    def view(self) -> SeatView:
        view = self.agent.follower.view
        assert view is not None and view.viewer == 0
        return view

    def hear(self, name: str, tile: int, thief: int = THIEF, victim: int | None = VICTIM) -> None:
        """A robber or a knight, by tile and seats."""
        field = Places("1.0").field(tile)
        where = {"x": field.x, "y": field.y}  # type: ignore[union-attr]
        whom = {} if victim is None else {"Ziel": self.ids[victim]}
        line = line_of(name, Spieler=self.ids[thief], Ort=where, **whom)
        assert self.agent.receive(line) == b""

    def hear_cards(self) -> None:
        """The stolen card, unknown to others."""
        card = {"Unbekannt": 1}
        self.agent.receive(line_of("Kosten", Spieler=self.ids[VICTIM], Rohstoffe=card))
        self.agent.receive(line_of("Ertrag", Spieler=self.ids[THIEF], Rohstoffe=card))

    def pass_turn(self) -> None:
        """The next seat is asked to roll."""
        self.agent.receive(status(self.ids[VICTIM], "Würfeln", Rohstoffe=None))

    @property
    def sizes(self) -> tuple[int, int]:
        """The cards in the thief's and the victim's hands."""
        return self.view.hand_size(THIEF), self.view.hand_size(VICTIM)


ROBBER, KNIGHT = "Räuber versetzt", "Ritter ausspielen"


def test_a_robber_on_a_turn_with_cards_is_held_until_something_else_is_done() -> None:
    table = Watched()
    was, tile = table.view.robber, table.tiles[3]
    table.hear(ROBBER, tile)
    assert (table.view.robber, table.sizes) == (was, (5, 5))
    assert table.agent.follower._transfers.pending == Unnamed(THIEF, tile, VICTIM)
    table.pass_turn()
    assert (table.view.robber, table.sizes) == (tile, (6, 4))
    assert table.view.card_count(THIEF) == 1 and table.view.knights(THIEF) == table.knights


@pytest.mark.parametrize("cards_come", ["first", "between", "last", "never"])
def test_its_knight_is_played_once_and_robs_once(cards_come: str) -> None:
    table = Watched()
    tile = table.tiles[5]
    if cards_come == "first":
        table.hear_cards()
    table.hear(ROBBER, tile)
    if cards_come == "between":
        table.hear_cards()
    table.hear(KNIGHT, tile)
    if cards_come == "last":
        table.hear_cards()
    assert (table.view.robber, table.sizes) == (tile, (6, 4))
    assert table.view.card_count(THIEF) == 0 and table.view.knights(THIEF) == table.knights + 1
    table.pass_turn()
    assert (table.view.robber, table.sizes) == (tile, (6, 4))
    assert not table.agent.follower.is_in_doubt, "all of it is by the rules"


def test_a_knight_at_another_tile_is_another_robbery() -> None:
    table = Watched()
    one, two = table.tiles[3:5]
    table.hear(ROBBER, one)
    table.hear(KNIGHT, two)
    assert (table.view.robber, table.sizes) == (two, (7, 3))
    assert table.view.knights(THIEF) == table.knights + 1


def test_two_robbers_are_two_robberies() -> None:
    table = Watched()
    one, two = table.tiles[3:5]
    table.hear(ROBBER, one)
    table.hear(ROBBER, two)
    assert (table.view.robber, table.sizes) == (one, (6, 4))
    table.pass_turn()
    assert (table.view.robber, table.sizes) == (two, (7, 3))


def test_a_robber_of_a_seat_without_cards_is_not_held() -> None:
    table = Watched(cards=0)
    table.hear(ROBBER, table.tiles[3])
    assert (table.view.robber, table.sizes) == (table.tiles[3], (6, 4))


def test_a_robber_of_a_seat_that_is_not_on_turn_is_not_held() -> None:
    table = Watched()
    TrackedView(table.view).believe_cards(VICTIM, 1)
    table.hear(ROBBER, table.tiles[3], thief=VICTIM, victim=THIEF)
    assert (table.view.robber, table.sizes) == (table.tiles[3], (4, 6))


def test_a_robber_that_stays_in_place_robs_no_player() -> None:
    table = Watched()
    table.hear(ROBBER, table.view.robber)
    table.pass_turn()
    assert table.sizes == (5, 5)


def test_a_robber_that_this_seat_asked_for_is_not_held() -> None:
    """Even if the server has asked for something else since."""
    table = withheld(MoveRobber, seed=1, seats=3)
    agent = table.agents[0]
    view, asked = agent.follower.view, agent.follower.said[0]
    assert view is not None
    TrackedView(view).believe_cards(view.viewer, 1, (1, 0, 0, 0, 0))
    correction.ask(view, Phase.MAIN)
    agent.receive(b"".join(table.held.splitlines(keepends=True)[:2]))
    assert not isinstance(agent.follower._transfers.pending, Unnamed)
    agent.receive(b"".join(table.held.splitlines(keepends=True)[2:4]))
    assert view.robber == asked.args[0]


def own_knight() -> tuple[LineAgent, list[bytes]]:
    """An agent that has sent a knight, and its server's messages about it: cards last."""
    table = withheld(PlayKnight, seed=1, seats=3)
    _, knight, costs, gain = table.held.splitlines(keepends=True)
    robber = knight.replace(KNIGHT.encode(), ROBBER.encode())
    return table.agents[0], [costs, gain, robber, knight]


def test_after_its_own_robber_an_agent_waits_for_the_knight() -> None:
    agent, (costs, gain, robber, knight) = own_knight()
    view = agent.follower.view
    assert view is not None
    size, knights = view.hand_size(view.viewer), view.knights(view.viewer)
    assert agent.receive(costs + gain + robber, 1.0) == b""
    assert len(said(agent.receive(knight, 2.0))) == 1, "it continues"
    assert view.hand_size(view.viewer) == size + 1 and view.knights(view.viewer) == knights + 1


def test_without_its_knight_the_agent_continues_after_three_seconds() -> None:
    agent, (costs, gain, robber, _) = own_knight()
    view = agent.follower.view
    assert view is not None
    size, was = view.hand_size(view.viewer), view.robber
    assert agent.receive(costs + gain + robber, 1.0) == b"" and view.robber == was
    assert agent.deadline == 1.0 + PATIENCE
    assert len(said(agent.wait(1.0 + PATIENCE))) == 1
    assert view.robber != was and view.hand_size(view.viewer) == size + 1


def test_chat_does_not_extend_the_wait_for_the_stolen_card() -> None:
    agent, (_, _, _, knight) = own_knight()
    assert agent.receive(knight, 1.0) == b"" and agent.deadline == 1.0 + CARDS_PATIENCE
    chat = line_of("Chatnachricht", Absender=2, Nachricht="Na?")
    assert agent.receive(chat, 1.5) == b"" and agent.deadline == 1.0 + CARDS_PATIENCE
    assert len(said(agent.wait(1.0 + CARDS_PATIENCE))) == 1, "it continues without the card"
