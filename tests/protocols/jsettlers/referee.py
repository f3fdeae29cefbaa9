"""Requests of clients to a server: carried out and announced, or refused."""

from collections.abc import Callable
from typing import Any

from catan_env import Action, Game
from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game.geometry import TILE_VERTICES
from catan_env.protocols.jsettlers import lobby, places, speech
from catan_env.protocols.jsettlers import messages as m
from tests.protocols.jsettlers.announcer import SEATS, Announcer
from tests.protocols.jsettlers.line import Line

CANNOT_TRADE = 1
"""The reason of 1037 that refuses an acceptance."""


class Referee(Announcer):
    """Handles the seats' requests by the rules; `refusals` are the agent's."""

    def __init__(self, line: Line, name: str, game: Game, seat: int) -> None:
        super().__init__(line, name, game, seat)
        self.refusals: list[str] = []
        self.choosing: DevelopmentCard | None = None
        self.tile: int | None = None
        self.discards: dict[int, tuple[int, ...]] = {}
        self.offer: tuple[int, int, Any, Any] | None = None
        self.is_answered = False
        """True if the seat that the agent's offer names has answered it."""

    def hear(self, seat: int, message: Any) -> None:
        """Handle a client's message: carry it out and announce it, or refuse it."""
        if message is None or isinstance(message, lobby.LeaveGame | lobby.Ping):
            return
        _HEARD[type(message)](self, seat, message)

    def _hear_only(self, *kinds: type) -> None:
        while self._queue and isinstance(self._queue[0], kinds):
            self.hear(self.seat, self._queue.pop(0))

    def refuse(self, seat: int, message: Any) -> None:
        assert seat == self.seat, f"a robot's {message} in state {self.state}"
        self.refusals.append(f"{message} in state {self.state}, {self.game.phase.name}")
        self.say(m.DeclinedAction(self.name, self.state, ("0", "no")))
        self.say(m.GameState(self.name, self.state))

    def _is_on_turn(self, seat: int) -> bool:
        """True if the seat may act; a card's choice comes before anything else."""
        return seat == self.game.turn_seat and self.choosing is None and not self.game.is_over

    def _set_offer_aside(self, seat: int) -> None:
        """A seat may act while its offer is open, and another seat may still accept it."""
        if self._is_on_turn(seat) and self.game.phase == Phase.ANSWER:
            self.game.play(Action.reject())

    def _act(self, seat: int, message: Any) -> None:
        """Handle a message that is one action of the seat on turn."""
        self._set_offer_aside(seat)
        (action,) = speech.to_actions(self.game, [message])
        if not self._is_on_turn(seat) or self.game.refusal(action) is not None:
            self.refuse(seat, message)
            return
        if isinstance(message, m.EndTurn):
            self.offer = None
        before = self.standing()
        event = self.game.play(action)
        self.tell(event, before)

    def _play_card(self, seat: int, message: m.PlayCard) -> None:
        self._set_offer_aside(seat)
        card = places.CARDS[message.card]
        choices = [a for a in self.game.legal_actions if a.kind.name == f"PLAY_{card.name}"]
        if not self._is_on_turn(seat) or not choices:
            self.refusals.append(f"{message} in state {self.state}")
            self.say(m.CardAction(self.name, -1, 4, (message.card,)))
            return
        if len(choices) == 1:
            before = self.standing()
            event = self.game.play(choices[0])
            self.show_card(seat, message.card)
            self.tell(event, before)
            return
        self.choosing = card
        self.show_card(seat, message.card)
        self.go_to(52 if card == DevelopmentCard.YEAR_OF_PLENTY else 53)

    def show_card(self, seat: int, card: int) -> None:
        self.say(m.CardAction(self.name, seat, 1, (card,)), m.Element(self.name, seat, 100, 19, 1))

    def _choose(self, seat: int, message: Any) -> None:
        card = self.choosing
        wanted = m.PickMonopoly if card == DevelopmentCard.MONOPOLY else m.PickCards
        if card is None or seat != self.game.turn_seat or not isinstance(message, wanted):
            self.refuse(seat, message)
            return
        code = speech.CARD_CODES[card]
        (action,) = speech.to_actions(self.game, [m.PlayCard(self.name, code), message])
        if self.game.refusal(action) is not None:
            self.refuse(seat, message)
            return
        self.choosing = None
        before = self.standing()
        event = self.game.play(action)
        self.tell(event, before)

    def _move_robber(self, seat: int, message: m.MoveRobber) -> None:
        tile = places.tile_at(message.tile)
        if seat != self.game.turn_seat or self.state != 33 or tile == self.game.robber:
            self.refuse(seat, message)
            return
        self.say(m.MoveRobber(self.name, seat, message.tile))
        if self.game.is_over:
            self.end()
            return
        can = self._victims(seat, tile)
        self.tile = tile
        if len(can) > 1:
            self.go_to(51)
            if seat == self.seat:
                self.say(m.ChooseVictim(self.name, tuple(s in can for s in range(SEATS))))
            return
        builders = self._builders(seat, tile)
        self._rob(seat, can[0] if can else builders[0] if builders else None)

    def _builders(self, seat: int, tile: int | None) -> list[int]:
        corners = {*TILE_VERTICES[tile]}  # type: ignore[index]
        others = [(seat + step) % SEATS for step in range(1, SEATS)]
        game = self.game
        return [o for o in others if corners & {*game.settlements(o), *game.cities(o)}]

    def _victims(self, seat: int, tile: int | None) -> list[int]:
        return [o for o in self._builders(seat, tile) if self.game.hand_size(o)]

    def _victim(self, seat: int, message: m.Victim) -> None:
        may = seat == self.game.turn_seat and self.state == 51
        if not may or message.seat not in self._victims(seat, self.tile):
            self.refuse(seat, message)
            return
        self._rob(seat, message.seat)

    def _rob(self, seat: int, victim: int | None) -> None:
        step = None if victim is None else (victim - seat) % SEATS
        event = self.game.play(Action.move_robber(self.tile or 0, step))
        if event.outcome is not None and victim is not None:
            sees = self.seat in (seat, victim)
            kind = places.to_code(event.outcome) if sees else 6
            self.say(m.Robbery(self.name, seat, victim, "R", kind, 1))
        self.go_on()

    def _discard(self, seat: int, message: m.Discard) -> None:
        cards = places.from_counts(message.cards[:5])
        fits = all(n <= held for n, held in zip(cards, self.game.hand(seat), strict=True))
        if (
            self.state != 50
            or seat in self.discards
            or not fits
            or sum(cards) != self.game.owes(seat)
        ):
            self.refuse(seat, message)
            return
        self.discards[seat] = cards
        unknown = (0, 0, 0, 0, 0, sum(cards))
        told = (*message.cards[:5], 0) if seat == self.seat else unknown
        self.say(m.Discarded(self.name, f"p{seat}", told))
        self.go_on_discarding()

    def go_on_discarding(self) -> None:
        game = self.game
        if any(game.owes(s) and s not in self.discards for s in range(SEATS)):
            self.say(m.GameState(self.name, 50))
            return
        while game.phase == Phase.DISCARD:
            for card in speech.listed(self.discards[game.seat]):
                game.play(Action.discard(card))
        self.discards.clear()
        self.go_to(33)

    def _trade_with_bank(self, seat: int, message: m.BankTrade) -> None:
        self._set_offer_aside(seat)
        actions = speech.to_actions(self.game, [message])
        for action in actions:
            if not self._is_on_turn(seat) or self.game.refusal(action) is not None:
                self.refuse(seat, message)
                return
            self.game.play(action)
        self.say(m.BankTraded(self.name, (*message.counts, seat)))
        self.end_if_over()

    def _make_offer(self, seat: int, message: m.MakeOffer) -> None:
        give, get = speech.cards_of(message.counts)
        named = speech.offer_to(self.game, message)
        self._set_offer_aside(seat)
        if not self._is_on_turn(seat) or self.state != 20:
            self.refuse(seat, message)
            return
        assert seat == message.seat
        if seat == self.seat:
            (action,) = speech.to_actions(self.game, [message])
            if self.game.refusal(action) is not None:
                self.refuse(seat, message)
                return
            self.game.play(action)
        self.offer, self.is_answered = (seat, named[0], give, get), False
        self.say(message)

    def _accept(self, seat: int, message: m.AcceptOffer) -> None:
        if not self._can_accept(seat, message):
            self.refusals.append(f"{message} in state {self.state}")
            self.say(m.RejectOffer(self.name, seat, (CANNOT_TRADE,)))
            return
        assert self.offer is not None
        (maker, to, give, get), self.offer = self.offer, None
        self._ask(self.game, maker, to, give, get)
        self.game.play(Action.accept())
        counts = places.to_counts(give) + places.to_counts(get)
        self.say(m.AcceptOffer(self.name, to, maker, counts), m.ClearOffer(self.name, -1))

    def _can_accept(self, seat: int, message: m.AcceptOffer) -> bool:
        """True if an offer of that maker to the seat is open, and both have its cards."""
        if self.offer is None or (message.maker, seat) != self.offer[:2]:
            return False
        trial = self.game.copy()
        return self._ask(trial, *self.offer) and trial.refusal(Action.accept()) is None

    def _ask(self, game: Game, maker: int, to: int, give: Any, get: Any) -> bool:
        """Make the offer in the game, unless it is being answered; False if it is not allowed."""
        if game.phase == Phase.ANSWER:
            return True
        action = Action.offer((to - maker) % SEATS, give, get)
        if game.refusal(action) is not None:
            return False
        game.play(action)
        return True

    def _reject(self, seat: int, message: m.RejectOffer) -> None:
        self.say(message)
        if self.offer is not None and self.offer[1] == seat and self.offer[0] != self.seat:
            self.offer = None
        elif self.offer is not None and seat != self.seat:
            self.is_answered = True
            self._hear_only(m.ClearOffer)

    def _clear(self, seat: int, message: m.ClearOffer) -> None:
        if self.offer is not None and self.offer[0] == seat:
            self.offer = None
            self._set_offer_aside(seat)
        self.say(message)

    def force_end(self) -> None:
        """End the turn of a seat that has waited too long, in any state."""
        if self.choosing is not None:
            self._take_card_back(self.choosing)
        self.choosing = self.offer = None
        if self.game.phase == Phase.ROBBER and self.state == 33 and self.game.card_played:
            return
        self.game.time_out()
        self.say(m.ClearOffer(self.name, -1))
        self.begin_turn()

    def _take_card_back(self, card: DevelopmentCard) -> None:
        code = speech.CARD_CODES[card]
        self.say(m.CardAction(self.name, self.game.turn_seat, 3, (code,)))


_HEARD: dict[type, Callable[[Referee, int, Any], None]] = {
    m.RollDice: Referee._act,
    m.EndTurn: Referee._act,
    m.BuyCard: Referee._act,
    m.PutPiece: Referee._act,
    m.PlayCard: Referee._play_card,
    m.PickCards: Referee._choose,
    m.PickMonopoly: Referee._choose,
    m.MoveRobber: Referee._move_robber,
    m.Victim: Referee._victim,
    m.Discard: Referee._discard,
    m.BankTrade: Referee._trade_with_bank,
    m.MakeOffer: Referee._make_offer,
    m.AcceptOffer: Referee._accept,
    m.RejectOffer: Referee._reject,
    m.ClearOffer: Referee._clear,
}
