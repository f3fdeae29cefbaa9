"""A client's knowledge of the game: a view from messages, equal to the environment's.

Every response shows the whole table, so each view is read from one response; only the age of the
cards, whose order a server does not preserve (H033), and the past are carried over. Whatever a
seat may not know is dropped here: the deck except for its size, ids, and its own cards.
"""

from typing import Any

from catan_env.guests.hanabi.action import Action
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.knowledge import Knowledge
from catan_env.guests.hanabi.rules import OFFICIAL
from catan_env.guests.hanabi.view import SeatView
from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire.speech import card_of

COLOUR_BITS = NUMBER_BITS = 0b11111
CANNOT_FOLLOW = (ValueError, IndexError, KeyError, OverflowError)
"""Errors of a response that contradicts those before it, or itself."""


class Follower:
    """One player's mirror of a game; `view` is None before its start."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.view: SeatView | None = None
        self.ages: list[list[int]] = []
        """The ids of each seat's cards, oldest first."""
        self.names: list[str] = []
        """Names by seat, the first mover's first."""
        self.fault = ""
        """The reason why a table could not be read."""
        self._state: m.GameState | None = None
        """The table in the last response."""

    @property
    def is_asked(self) -> bool:
        """True if it is this player's turn."""
        return self.view is not None and not self.view.is_over and self.view.seat == self.seat

    @property
    def seat(self) -> int:
        """This player's seat."""
        return self.names.index(self.name)

    def hear(self, response: Any) -> bool:
        """Handle a response; False if it is the last one again, or its table contradicts itself."""
        if isinstance(response, m.GameOverResponse) and self.view is not None:
            self.view.is_over = True
        state = getattr(response, "game_state", None)
        if state is None or (self.view is None and not isinstance(response, m.GameStartResponse)):
            return True
        if state == self._state:
            return False
        names, ages = self.names, [seat.copy() for seat in self.ages]
        try:
            self._hear(response)
        except CANNOT_FOLLOW as error:
            self.names, self.ages = names, ages
            self.fault = f"its table contradicts itself ({error!r})"
            return False
        self._state = state
        return True

    def _hear(self, response: Any) -> None:
        if isinstance(response, m.GameStartResponse):
            self._begin(response.game_state)
            return
        try:
            self._follow(response)
        except CANNOT_FOLLOW:
            self._read_again(response.game_state)

    def _begin(self, state: m.GameState) -> None:
        """Set the names by seat: from the first mover, in the order of joining."""
        joined = [player.name for player in state.players]
        first = joined.index(state.next_player)
        self.names = joined[first:] + joined[:first]
        players = {player.name: player for player in state.players}
        self.ages = [[held.card.id for held in players[name].cards] for name in self.names]
        self._begin_with(state, None)

    def _begin_with(self, state: m.GameState, turns_left: int | None) -> None:
        """Read a table as if its hands had just been dealt."""
        self.view = self._read(state, [], turns_left)
        self.view.dealt = [hand.copy() for hand in self.view.hands]

    def _read_again(self, state: m.GameState) -> None:
        """Read the whole table, as responses are missing; the past is then unknown."""
        players = {player.name: player for player in state.players}
        ages = []
        for name, known in zip(self.names, self.ages, strict=True):
            there = [held.card.id for held in players[name].cards]
            kept = [number for number in known if number in there]
            ages.append(kept + [number for number in there if number not in kept])
        self.ages = ages
        turns_left = state.turns_left
        if turns_left is None and not state.deck:
            turns_left = len(self.names)
        self._begin_with(state, turns_left)

    def _follow(self, response: Any) -> None:
        view, state = self.view, response.game_state
        assert view is not None
        event = self._event(response, view)
        if event.seat != view.seat:
            raise ValueError(f"seat {event.seat} acts, and seat {view.seat} is to move")
        if not event.action.is_hint:
            ages = self.ages[event.seat]
            del ages[event.action.value]
            if response.drawn_card is not None:
                ages.append(response.drawn_card.id)
        self.view = self._read(state, [*view.events, event], self._turns_left(view, state, event))
        self.view.dealt = view.dealt

    def _event(self, response: Any, before: SeatView) -> Event:
        """The event of a response, with places in the hand as it was before."""
        state = response.game_state
        match response:
            case m.HintColorResponse(hinting, target, word):
                return self._hint(hinting, target, word, state)
            case m.HintNumberResponse(hinting, target, word):
                return self._hint(hinting, target, word, state)
            case m.DiscardCardResponse(
                discarding_player=player, discarded_card=gone, drawn_card=drawn
            ):
                seat = self.names.index(player)
                action, success = Action.discard(self.ages[seat].index(gone.id)), False
            case m.PlayCardResponse(
                playing_player=player, played_card=gone, drawn_card=drawn, success=success
            ):
                seat = self.names.index(player)
                action = Action.play(self.ages[seat].index(gone.id))
        card = card_of(gone)
        gained = success and card.number == OFFICIAL.ranks and state.hint_tokens > before.tokens
        seen = None if drawn is None or player == self.name else card_of(drawn)
        return Event(seat, action, card, success, gained, (), drawn is not None, seen)

    def _hint(self, hinting: str, target: str, word: str, state: m.GameState) -> Event:
        seat, to = self.names.index(hinting), self.names.index(target)
        step = (to - seat) % len(self.names)
        shown = {held.card.id: held for p in state.players if p.name == target for held in p.cards}
        if word in m.COLOURS:
            action = Action.hint_colour(step, m.colour_of(word))
        else:
            action = Action.hint_number(step, m.number_of(word))
        touched = tuple(
            place
            for place, number in enumerate(self.ages[to])
            if word in (shown[number].card.color, shown[number].card.number)
        )
        return Event(seat, action, touched=touched)

    def _turns_left(self, before: SeatView, state: m.GameState, event: Event) -> int | None:
        """The turns left by the rules: not every server sends them."""
        if before.turns_left is not None:
            return before.turns_left - 1
        return len(self.names) if event.has_drawn and not state.deck else None

    def _read(self, state: m.GameState, events: list[Event], turns_left: int | None) -> SeatView:
        """The view of a state."""
        view = SeatView.__new__(SeatView)
        view.rules, view.players, view.viewer = OFFICIAL, len(self.names), self.seat
        view.seat = self.names.index(state.next_player)
        view.tokens = state.hint_tokens
        view.mistakes = OFFICIAL.max_life_tokens - state.err_tokens
        tops = [state.played_cards.get(word) for word in m.COLOURS]
        view.tops = [0 if top is None else m.number_of(top) for top in tops]
        view.discards = [card_of(card) for card in state.discarded_cards]
        view.deck_size, view.turns_left = len(state.deck), turns_left
        view.events, view.is_over = events, False
        hands = {player.name: player.cards for player in state.players}
        view.hands, view.knowledge = [], []
        for name, ages in zip(self.names, self.ages, strict=True):
            held = {one.card.id: one for one in hands[name]}
            cards = [held[number] for number in ages]
            view.hands.append([None if name == self.name else card_of(c.card) for c in cards])
            view.knowledge.append([knowledge_of(one) for one in cards])
        return view


def knowledge_of(held: m.HeldCard) -> Knowledge:
    """The knowledge of a card; a "not" alongside a known colour or number is ignored."""
    said, card = held.knowledge, held.card
    colours, numbers, named_colours, named_number = COLOUR_BITS, NUMBER_BITS, 0, 0
    if said.knows_color and card.color is not None:
        colours = named_colours = 1 << m.colour_of(card.color)
    else:
        for word in said.knows_color_not or ():
            colours &= ~(1 << m.colour_of(word))
    if said.knows_number and card.number is not None:
        numbers = named_number = 1 << m.number_of(card.number) - 1
    else:
        for word in said.knows_number_not or ():
            numbers &= ~(1 << m.number_of(word) - 1)
    return Knowledge(colours, numbers, named_colours, named_number)
