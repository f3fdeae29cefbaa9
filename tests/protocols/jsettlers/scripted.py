"""A game announced message by message, by a test that knows its course."""

from collections.abc import Callable, Sequence
from typing import Any

from catan_env import Action, Board, Resource, SeatView
from catan_env.core.constants import Phase
from catan_env.game.event import Event
from catan_env.protocols.jsettlers import lobby, places
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.agent import Agent, DecideWithin
from catan_env.protocols.jsettlers.player import Player
from tests.protocols.jsettlers.board import board_message
from tests.protocols.jsettlers.line import Line

GAME = "t"
WOOL, ORE, BRICK = Resource.WOOL, Resource.ORE, Resource.BRICK
ONE_FOR_ONE = (0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
"""A sheep for an ore."""
PLACES = ((9, 6), (20, 32), (31, 49), (36, 55), (46, 67), (22, 12), (13, 2), (50, 57))
"""Vertices of the set-up in the order of placing, from seat 0, and an edge at each of them."""

Policy = Callable[[SeatView], int]


class Told:
    """An agent at seat 0 of a table; `policy` may be replaced during the game."""

    def __init__(self, policy: Policy | None = None, options: tuple[str, ...] = ()) -> None:
        self.policy: Policy = policy or first_legal
        self.line = Line(Agent(unhurried(lambda view: self.policy(view)), "ours", cookie="key"))
        self.line.begin()
        self.options = options

    @property
    def player(self) -> Player:
        """The game's player."""
        player: Player = self.line.agent.players[GAME]
        return player

    @property
    def view(self) -> SeatView:
        """The agent's view."""
        assert self.player.follower is not None
        return self.player.follower.view

    def say(self, *messages: Any) -> list[Any]:
        """Return the agent's answers."""
        return self.line.say(*messages)

    def sit_down(self) -> "Told":
        """Run up to the first settlement, which is seat 0's."""
        self.say(lobby.AskedToJoin(GAME, 0, self.options), lobby.Joined(GAME))
        self.say(lobby.Members(GAME, ("ours",)))
        for seat in range(4):
            self.say(lobby.SitDown(GAME, "ours" if seat == 0 else f"robot {seat}", seat, True))
        board = Board.beginner()
        self.say(board_message(GAME, board, board.robber_start), lobby.StartGame(GAME))
        return self

    def place(self) -> "Told":
        """Run the set-up: all seats place where the test decides."""
        self.sit_down()
        self.place_pieces((0, 1, 2, 3), first=5)
        self.place_pieces((3, 2, 1, 0), first=10)
        return self

    def place_pieces(self, seats: Sequence[int], first: int) -> None:
        """Let these seats place, in state `first` a settlement and in the next one a road."""
        for seat in seats:
            vertex, edge = PLACES[7 - seat if first == 10 else seat]
            self.policy = playing(Action.settlement(vertex), Action.road(edge))
            self.say(m.Turn(GAME, seat, first))
            self.say(m.PutPiece(GAME, seat, 1, places.VERTICES[vertex]))
            self.say(m.GameState(GAME, first + 1))
            self.say(m.PutPiece(GAME, seat, 0, places.EDGES[edge]))
        self.policy = first_legal

    def begin_turn(self, seat: int) -> list[Any]:
        """Run the turn of a seat up to its roll."""
        return self.say(m.Turn(GAME, seat, 15), m.RollPrompt(GAME, seat))

    def roll(self, total: int = 2) -> list[Any]:
        """Announce the dice; the turn continues."""
        return self.say(m.DiceResult(GAME, total), m.GameState(GAME, 20))

    def give(self, **cards: int) -> None:
        """Announce the agent's own hand."""
        hand = [cards.get(resource.name.lower(), 0) for resource in Resource]
        pairs = [n for r in Resource for n in (places.to_code(r), hand[r])]
        self.say(m.Elements(GAME, 0, 100, tuple(pairs)))

    def own_turn(self, **cards: int) -> "Told":
        """Run up to a turn of seat 0 after its roll, with these cards."""
        self.place().begin_turn(0)
        self.give(**cards)
        return self

    def turn_of(self, seat: int) -> "Told":
        """Run up to a turn of another seat after its roll."""
        self.place().begin_turn(0)
        for k in range(seat + 1):
            if k:
                self.begin_turn(k)
            self.roll()
        return self


def first_legal(view: SeatView) -> int:
    """End the turn if possible; otherwise take the first legal action."""
    safe = {Phase.MAIN: Action.end_turn(), Phase.ANSWER: Action.reject()}.get(view.phase)
    index = None if safe is None else safe.index
    return int(view.legal_actions.indices[0]) if index is None else index


def unhurried(policy: Policy) -> DecideWithin:
    """Adapt a policy that ignores the clock."""
    return lambda view, within: policy(view)


def playing(*actions: Action) -> Policy:
    """Play these actions in order; then `first_legal`."""
    rest = list(actions)

    def act(view: SeatView) -> int:
        index = rest[0].index if rest else None
        if index is not None and view.in_mask(index):
            rest.pop(0)
            return index
        return first_legal(view)

    return act


def kinds(told: Told) -> list[str]:
    """Return the kinds of the view's events."""
    follower = told.player.follower
    assert follower is not None
    return [event.action.kind.name for event in follower.tracked.happened]


def last(told: Told) -> Event:
    follower = told.player.follower
    assert follower is not None
    return follower.tracked.happened[-1]


def differences(told: Told) -> dict[str, int]:
    follower = told.player.follower
    assert follower is not None
    return dict(follower.tracked.differences)


def state(number: int) -> m.GameState:
    return m.GameState(GAME, number)


def offer(maker: int, *to: int) -> m.MakeOffer:
    return m.MakeOffer(GAME, maker, *(seat in to for seat in range(4)), ONE_FOR_ONE)


def buy(told: Told, seat: int, card: int) -> None:
    told.say(
        m.Elements(GAME, seat, 102, (2, 1, 3, 1, 4, 1)),
        m.CardAction(GAME, seat, 0, (card,)),
        m.SimpleAction(GAME, seat, 1, (24, 0)),
    )


def with_card(card: int, **cards: int) -> Told:
    """Run up to seat 0's turn with a card that it bought in its first turn."""
    told = Told().own_turn(ore=1, wool=1, grain=1)
    told.roll()
    buy(told, 0, card)
    for seat in (1, 2, 3):
        told.begin_turn(seat)
        told.roll()
    told.say(m.Turn(GAME, 0, 15))
    told.give(**cards)
    return told


def rich(told: Told, **sizes: int) -> None:
    """Announce hands of these sizes, by seats "s1" to "s3"."""
    for name, size in sizes.items():
        told.say(m.HandSize(GAME, int(name[1]), size))
