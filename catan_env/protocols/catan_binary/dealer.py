"""The server's response to the awaited seat's messages: the game's moves, and who receives them.

It has no clocks and kicks, which are the room's. It decides nothing about Catan: `game` does. The
numbers are those of docs/protocol.md.
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from catan_env.core.constants import CARDS_PER_RESOURCE, DevelopmentCard, Phase, Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary import announcements
from catan_env.protocols.catan_binary.choices import (
    LEAVES_CHOICE,
    Cards,
    as_pair,
    cards_owed,
    is_choice,
    monopolised,
    most_held,
    scarcest,
    taken_with,
)
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    Build,
    BuildResult,
    Card,
    Message,
    Pass,
    Play,
    Rob,
    RobResult,
    Roll,
    RollResult,
    Trade,
    TradeAccept,
    TradeReject,
    name_of,
)
from catan_env.protocols.catan_binary.pending import Choice
from catan_env.protocols.catan_binary.places import (
    to_card,
    to_dev_card,
    to_development_card,
    to_resource,
)
from catan_env.protocols.catan_binary.seats import Seats
from catan_env.protocols.catan_binary.speech import is_with_bank, to_actions
from catan_env.protocols.catan_binary.states import EXPECTED

MOST_OFFERS = 100
"""Per turn."""

NOT_PLAYABLE = "it may not be played now: one a turn, not on the turn it was bought"


class Dealer:
    """Makes the moves of the awaited seat's messages, and sends them to the `seats`.

    `announced`: card movements that a seat cannot compute are announced (6).
    """

    def __init__(self, game: Game, seats: Seats, announced: bool) -> None:
        self.game = game
        self.choice: Choice | None = None
        """The played card whose choice is still owed (11)."""
        self._seats = seats
        self._announced = announced
        self._offers: Counter[int] = Counter()
        """By turn."""

    @property
    def expected(self) -> tuple[type, ...]:
        """The messages that the awaited seat may send."""
        expected = EXPECTED[self.game.phase]
        if self.choice is not None and Trade not in expected:
            expected += (Trade,)
        if self.game.phase == Phase.ROLL and self.game.free_roads:
            expected += (Build,)
        return expected

    def hear(self, message: Message) -> None:
        """Apply a message of the awaited seat; RemoteProtocolError or ValueError if not allowed."""
        if not is_choice(message):
            self.settle_choice()
        if type(message) not in self.expected:
            names = ", ".join(map(name_of, self.expected))
            raise RemoteProtocolError(f"{name_of(message)}; expected are {names}")
        _HEARD[type(message)](self, message)

    def answer(self, message: TradeAccept | TradeReject, but: Collection[int] = ()) -> None:
        """Handle the answer of an offer's target, or the server's in its stead (14, 19)."""
        accepts = isinstance(message, TradeAccept)
        self.game.play(Action.accept() if accepts else Action.reject())
        self._seats.send_all(message, but)

    def settle_choice(self) -> None:
        """Decide by rule the choices that the seat on turn owes and did not make (11)."""
        seat, game, choice = self.game.turn_seat, self.game, self.choice
        if choice is None:
            return
        if choice.card == DevelopmentCard.MONOPOLY:
            resource = most_held([game.hand(other) for other in range(game.seats)], seat)
            self._announce(announcements.of_monopoly(seat, resource))
            self._monopolise(resource)
        else:
            taken = scarcest(game, game.hand(seat), choice.taken)
            self._announce(announcements.of_plenty(seat, taken[len(choice.taken) :]))
            self._take_plenty(taken)

    def _roll(self, message: Roll) -> None:
        before = len(self.game.events)
        event = self._act(message)
        self._seats.send_all(RollResult(sum(event.outcome)))
        self._announce(announcements.of_discards(self.game.events[before + 1 :]))  # 7

    def _play(self, message: Play) -> None:
        card = to_development_card(message.card)
        if card in LEAVES_CHOICE:
            self._owe_choice(card)
        else:
            self._act(message)
        self._relay(message)

    def _owe_choice(self, card: DevelopmentCard) -> None:
        """Play a card; what it takes comes next (11)."""
        kind = ActionKind[f"PLAY_{card.name}"]
        if all(action.kind != kind for action in self.game.legal_actions):
            raise RemoteProtocolError(f"MSG_PLAY of {card.name}: {NOT_PLAYABLE}")
        self.choice = Choice(card)

    def _build(self, message: Build) -> None:
        event = self._act(message)
        self._relay(message)
        card = None if event.outcome is None else to_dev_card(event.outcome)
        self._seats.send(event.seat, BuildResult(message.type, card))  # 16

    def _rob(self, message: Rob) -> None:
        """Move the robber (8)."""
        seat, target = self.game.seat, message.target_id
        event = self._act(message)
        self._relay(message)
        if target in (seat, NO_SEAT):
            self._seats.send(seat, RobResult(seat, seat, Card.ANY))
        else:
            for concerned in (seat, target):
                self._seats.send(concerned, RobResult(seat, target, to_card(event.outcome)))

    def _trade(self, message: Trade) -> None:
        if is_choice(message) and is_with_bank(message):
            self._choose(message)
        elif is_with_bank(message):
            self._trade_with_bank(message)
        else:  # 14
            self._offer(message)

    def _offer(self, message: Trade) -> None:
        self._offers[self.game.turn] += 1
        if self._offers[self.game.turn] > MOST_OFFERS:
            raise RemoteProtocolError(f"more than {MOST_OFFERS} offers in a turn")
        if message.ask.count > CARDS_PER_RESOURCE:
            self._reject_for_target(message)
        else:
            self._act(message)
            self._relay(message)

    def _reject_for_target(self, offer: Trade) -> None:
        """Reject an offer that no hand can pay, if it would be legal for fewer cards (14).

        The target does not hear of it: its answer would count for the proposer's next offer.
        """
        payable = replace(offer, ask=replace(offer.ask, count=CARDS_PER_RESOURCE))
        (action,) = to_actions(self.game, payable)
        self.game.copy().play(action)
        self._seats.send(offer.player_id, TradeReject(offer.target_id, offer.player_id))

    def _trade_with_bank(self, message: Trade) -> None:
        """Trade at a ratio owned, once or several times (13)."""
        seat, game = message.player_id, self.game
        actions = to_actions(game, message)
        give, get = to_resource(message.offer.resource), to_resource(message.ask.resource)
        if game.hand(seat)[give] < message.offer.count or game.bank[get] < message.ask.count:
            raise RemoteProtocolError(
                f"MSG_TRADE of {message.offer.count} {give.name} for {message.ask.count} "
                f"{get.name} with the bank: the seat has {game.hand(seat)[give]}, "
                f"the bank {game.bank[get]}"
            )
        for action in actions:
            game.play(action)
        self._relay(message)
        self._seats.send_all(TradeAccept(seat, seat))

    def _choose(self, message: Trade) -> None:
        """Choose the cards of a year of plenty, or the resource of a monopoly (11)."""
        choice = self.choice
        if choice is None:
            raise RemoteProtocolError("MSG_TRADE that offers nothing: no choice is owed")
        if choice.card == DevelopmentCard.MONOPOLY:
            resource = monopolised(message)
            self._confirm(message)
            self._monopolise(resource)
        else:
            taken = taken_with(self.game, choice.taken, message.ask)
            self._confirm(message)
            self.choice = Choice(choice.card, taken)
            if len(taken) == cards_owed(self.game):
                self._take_plenty(taken)

    def _confirm(self, message: Trade) -> None:
        """Accept a choice for the bank; in the literal dialect only the chooser receives this."""
        seat = message.player_id
        if self._announced:
            self._relay(message)
            self._seats.send_all(TradeAccept(seat, seat))
        else:
            self._seats.send(seat, TradeAccept(seat, seat))

    def _monopolise(self, resource: Resource) -> None:
        self.choice = None
        event = self.game.play(Action.play_monopoly(resource))
        self._announce(announcements.of_losses(event.seat, resource, event.outcome))

    def _take_plenty(self, taken: Cards) -> None:
        self.choice = None
        self.game.play(Action.play_year_of_plenty(*as_pair(taken)))

    def _answered(self, message: TradeAccept | TradeReject) -> None:
        """Handle an answer; where hands are unknown, one that cannot pay has rejected (14)."""
        refusal = self.game.refusal(Action.accept())
        if isinstance(message, TradeAccept) and refusal is not None and not self._announced:
            self.answer(TradeReject(message.player_id, message.target_id))
        else:
            self.answer(message, but=(message.player_id,))

    def _act(self, message: Message) -> Event:
        """Apply a message that is one action."""
        (action,) = to_actions(self.game, message)
        return self.game.play(action)

    def _announce(self, messages: list[Message]) -> None:
        """Announce to all seats what they could not compute, in the announced dialect (6)."""
        if self._announced:
            for message in messages:
                self._seats.send_all(message)

    def _relay(self, message: Message) -> None:
        """Send a message of the awaited seat's turn to all other agents."""
        self._seats.send_all(message, but=(self.game.turn_seat,))


_HEARD: dict[type, Callable[[Dealer, Any], object]] = {
    Roll: Dealer._roll,
    Play: Dealer._play,
    Build: Dealer._build,
    Trade: Dealer._trade,
    TradeAccept: Dealer._answered,
    TradeReject: Dealer._answered,
    Pass: Dealer._act,
    Rob: Dealer._rob,
}
