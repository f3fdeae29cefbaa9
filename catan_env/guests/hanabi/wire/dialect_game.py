"""The server's state of a game: hands by players in the order of joining, as on the wire.

A drawn card takes the place of the one it replaces. Refused is raised before anything changes if
the dialect refuses a request.
"""

from dataclasses import dataclass, field

from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.dialect import Dialect
from catan_env.guests.hanabi.wire.messages import (
    COLOURS,
    NUMBERS,
    GameState,
    HeldCard,
    WireCard,
    WireKnowledge,
    WirePlayer,
)

TOKENS, LIVES, FULL = 8, 3, 25
NO_TOKEN = "Hint token count is zero, a hint cannot be played."
NO_CARD = "The given Card cannot be found on the Player's hand."
NO_TARGET = "The given Player could not be found."
HUNG = "Tried to make a turn pass when no turns are left."
NO_CARDS = "The deck has nor more cards."
SELF_HINT = "A Player cannot give a hint to themselves."
EMPTY_HINT = "The hint does not match any card of the Player's hand."
FULL_TOKENS = "All hint tokens are there, a card cannot be discarded."


class Refused(Exception):
    """A request that cannot be carried out, with the explanation."""


@dataclass
class Held:
    """A card in a hand, with the hints it has received."""

    number: int
    """The card's id of 2015."""
    knows_color: bool = False
    knows_number: bool = False
    color_not: set[str] = field(default_factory=set)
    number_not: set[str] = field(default_factory=set)

    def hear(self, word: str) -> bool:
        """Apply a hint of that colour or number; True if it touches the card."""
        card = places.card_of(self.number)
        if word in COLOURS:
            touched = places.colour_word(card) == word
            self.knows_color |= touched
            excluded = self.color_not
        else:
            touched = places.number_word(card) == word
            self.knows_number |= touched
            excluded = self.number_not
        if touched:
            excluded.clear()
        else:
            excluded.add(word)
        return touched


class DialectGame:
    """One game from its deck to its end; `order` are the fifty ids, first dealt first."""

    def __init__(self, dialect: Dialect, order: list[int], shown_ids: list[int]) -> None:
        self.dialect = dialect
        self.names: list[str] = []
        self.hands: list[list[Held]] = []
        self.deck = list(order)
        self.mover = -1
        self.tokens, self.errors = TOKENS, 0
        self.tops = dict.fromkeys(COLOURS, 0)
        self.discards: list[int] = []
        self.turns_left: int | None = None
        self.is_over = False
        self._shown_ids = shown_ids

    def join(self, name: str) -> None:
        """Deal a hand to a new player, who becomes the one to move; Refused if cards run out."""
        size = 5 if len(self.names) < 3 else 4
        if len(self.deck) + 3 * (len(self.names) == 3) < size:
            raise Refused(NO_CARDS)
        if len(self.names) == 3:
            self.deck.extend(hand.pop().number for hand in self.hands if hand)
        self.names.append(name)
        self.hands.append([Held(number) for number in self.deck[:size]])
        del self.deck[:size]
        self.mover = len(self.names) - 1

    @property
    def next_player(self) -> str:
        """The player to move."""
        return self.names[self.mover]

    @property
    def points(self) -> int:
        """The sum of the tops."""
        return sum(self.tops.values())

    @property
    def score(self) -> int:
        """The score that GAME_OVER announces."""
        has_exploded = self.errors >= self.dialect.errors
        return 0 if has_exploded and self.dialect.explosion_is_zero else self.points

    def hint(self, target: str, word: str) -> None:
        """Hint all cards of a colour or number."""
        self._check_not_hung()
        try:
            self._check_hint(target, word)
        except Refused:
            if self.dialect.refused_hints_cost and not self.deck:
                self._spend_turn()
            raise
        for held in self.hands[self.names.index(target)]:
            held.hear(word)
        self.tokens -= 1
        self._pass_turn()

    def discard(self, shown: int) -> tuple[int, int | None]:
        """Discard a card; return its id of 2015, and the drawn card's."""
        place = self._place(shown)
        if self.tokens == TOKENS and not self.dialect.discard_at_max:
            raise Refused(FULL_TOKENS)
        number = self.hands[self.mover][place].number
        self.discards.append(number)
        self.tokens = min(TOKENS, self.tokens + 1)
        return number, self._replace(place)

    def play(self, shown: int) -> tuple[int, int | None, bool]:
        """Play a card; return its id of 2015, the drawn card's, and True if it was placed."""
        place = self._place(shown)
        number = self.hands[self.mover][place].number
        card = places.card_of(number)
        colour = places.colour_word(card)
        success = self.tops[colour] == card.number - 1
        if success:
            self.tops[colour] = card.number
            if card.number == len(NUMBERS):
                self.tokens = min(TOKENS, self.tokens + 1)
        else:
            self.discards.append(number)
            self.errors += 1
        return number, self._replace(place), success

    def state(self, viewer: str | None = None) -> GameState:
        """Everything on the table; hidden cards are null for a viewer in a dialect that hides."""
        hides = self.dialect.hides
        return GameState(
            self.tokens,
            TOKENS,
            max(0, LIVES - self.errors),
            {word: NUMBERS[top - 1] for word, top in self.tops.items() if top},
            [
                WirePlayer(name, [self._held(held, hides and name == viewer) for held in hand])
                for name, hand in zip(self.names, self.hands, strict=True)
            ],
            [self.card(number, is_hidden=hides) for number in self.deck],
            [self.card(number) for number in self.discards],
            self.next_player,
            self.turns_left,
        )

    def card(self, number: int, is_hidden: bool = False) -> WireCard:
        """A card as shown on the wire."""
        if is_hidden:
            return WireCard(self._shown(number), None, None)
        card: Card = places.card_of(number)
        colour, word = places.colour_word(card), places.number_word(card)
        return WireCard(self._shown(number), colour, word)

    def _held(self, held: Held, is_own: bool) -> HeldCard:
        card = self.card(held.number)
        if is_own:
            colour = card.color if held.knows_color else None
            card = WireCard(card.id, colour, card.number if held.knows_number else None)
        knowledge = WireKnowledge(
            held.knows_color,
            held.knows_number,
            [word for word in COLOURS if word in held.color_not],
            [word for word in NUMBERS if word in held.number_not],
        )
        return HeldCard(card, knowledge)

    def _shown(self, number: int) -> int:
        return self._shown_ids[number - 1]

    def _check_not_hung(self) -> None:
        if self.turns_left == 0:
            raise Refused(HUNG)

    def _check_hint(self, target: str, word: str) -> None:
        if target not in self.names:
            raise Refused(NO_TARGET)
        if self.tokens == 0:
            raise Refused(NO_TOKEN)
        if target == self.next_player and not self.dialect.self_hints:
            raise Refused(SELF_HINT)
        if not self.dialect.empty_hints:
            hand = self.hands[self.names.index(target)]
            cards = [places.card_of(held.number) for held in hand]
            if not any(word in (places.colour_word(c), places.number_word(c)) for c in cards):
                raise Refused(EMPTY_HINT)

    def _place(self, shown: int) -> int:
        """The place of the card with that id in the mover's hand."""
        for place, held in enumerate(self.hands[self.mover]):
            if self._shown(held.number) == shown:
                self._check_not_hung()
                return place
        raise Refused(NO_CARD)

    def _replace(self, place: int) -> int | None:
        """Draw a card to that place, or close the gap; then pass the turn."""
        hand = self.hands[self.mover]
        had_cards = bool(self.deck)
        drawn = self.deck.pop() if had_cards else None
        hand[place : place + 1] = [] if drawn is None else [Held(drawn)]
        self._pass_turn(was_last=had_cards and not self.deck)
        return drawn

    def _pass_turn(self, was_last: bool = False) -> None:
        if was_last:
            self.turns_left = len(self.names) if self.dialect.announces_last_round else None
        elif not self.deck:
            self._spend_turn()
        is_complete = self.points == FULL and self.dialect.ends_complete
        has_exploded = self.errors >= self.dialect.errors
        self.is_over = has_exploded or is_complete or self.turns_left == 0
        self.mover = (self.mover + 1) % len(self.names)

    def _spend_turn(self) -> None:
        left = len(self.names) if self.turns_left is None else self.turns_left
        self.turns_left = left - 1
