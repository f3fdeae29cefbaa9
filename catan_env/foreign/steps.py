"""A game that is played from another program's steps: discards in any order, a robber in parts."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from catan_env.core.constants import Phase, Resource
from catan_env.game.action import Action
from catan_env.game.event import Event
from catan_env.game.game import Game


class Steps:
    """Plays steps under our rules; ValueError if one of them is not allowed.

    Other programs let seats discard in any order, and write the robber's move before the theft:
    both are kept until the game can play them.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._discards: list[Event] = []
        self._robber: int | None = None

    @property
    def is_robbing(self) -> bool:
        """True if the robber has moved, and its victim is not known yet."""
        return self._robber is not None

    @property
    def is_within_one(self) -> bool:
        """True if a robber's move, or some discards of a seven, wait for what completes them."""
        return self.is_robbing or bool(self._discards)

    def act(self, seat: int, action: Action, outcome: Any = None) -> Event:
        """Play the action of that seat, which must be the one to act."""
        self.settle()
        self._check_seat(seat)
        if self.game.phase == Phase.DISCARD:
            raise ValueError("cards are still to be discarded")
        return self.game.play(action, outcome)

    def discard(self, seat: int, cards: Sequence[Resource]) -> None:
        """Collect all discards of a seven, and play them from the roller onward."""
        game = self.game
        if game.phase != Phase.DISCARD:
            raise ValueError("no seat has to discard")
        self._discards += [Event(seat, Action.discard(card)) for card in cards]
        owed = [game.owes(one) for one in range(game.seats)]
        counts = Counter(event.seat for event in self._discards)
        if counts[seat] > owed[seat]:
            raise ValueError(f"seat {seat} owes {owed[seat]} cards")
        if len(self._discards) == sum(owed):
            discards, self._discards = self._discards, []
            discards.sort(key=lambda event: (event.seat - game.turn_seat) % game.seats)
            for event in discards:
                game.play(event.action)

    def move_robber(self, seat: int, tile: int) -> None:
        """Move the robber; `rob` or the next step tells its victim."""
        self.settle()
        self._check_seat(seat)
        if self.game.phase != Phase.ROBBER:
            raise ValueError("the robber is not to be moved")
        self._robber = tile

    def rob(self, thief: int, victim: int, card: Resource) -> None:
        """Take a card from a neighbour of the robber, which has just moved."""
        if self._robber is None:
            raise ValueError(f"seat {thief} robs seat {victim}, but has not moved the robber")
        self._check_seat(thief)
        tile, self._robber = self._robber, None
        self.game.play(Action.move_robber(tile, (victim - thief) % self.game.seats), card)

    def settle(self) -> None:
        """Complete the robber's move: nothing was stolen."""
        if self._robber is None:
            return
        tile, self._robber = self._robber, None
        seat, seats = self.game.seat, self.game.seats
        victims = [other for other in self.game.seats_at(tile) if other != seat]
        for other in victims:
            if self.game.hand_size(other):
                raise ValueError(f"the robber takes no card from seat {other}, which has some")
        moves = [Action.move_robber(tile, (other - seat) % seats) for other in victims]
        self.game.play(moves[0] if moves else Action.move_robber(tile))

    def trade(self, seat: int, other: int, give: Sequence[int], get: Sequence[int]) -> None:
        """Exchange cards, counted by Resource, as an offer of the seat on turn and its answer."""
        turn = self.game.turn_seat
        if other == turn:
            seat, other, give, get = other, seat, get, give
        self.act(seat, Action.offer((other - seat) % self.game.seats, give, get))
        self.act(other, Action.accept())

    def hand(self, seat: int) -> tuple[int, ...]:
        """The seat's cards by Resource, without those that it has given up already."""
        gone = Counter(event.action.args[0] for event in self._discards if event.seat == seat)
        return tuple(n - gone[card] for card, n in enumerate(self.game.hand(seat)))

    def bank(self) -> tuple[int, ...]:
        """The bank's cards by Resource, with those that seats have given up already."""
        gone = Counter(event.action.args[0] for event in self._discards)
        return tuple(n + gone[card] for card, n in enumerate(self.game.bank))

    def _check_seat(self, seat: int) -> None:
        if self.game.is_over:
            raise ValueError("the game is over")
        if seat != self.game.seat:
            raise ValueError(f"seat {self.game.seat} is to act, not seat {seat}")
