"""The public table: the properties shared by a game and a seat's view."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from catan_env.guests.hanabi.action import Action, ActionKind, all_actions, numbers_of_actions
from catan_env.guests.hanabi.cards import LETTERS, Card
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.knowledge import Knowledge
from catan_env.guests.hanabi.rules import Rules
from catan_env.kernel.numbers import index_of, whole

Vector = np.ndarray[Any, np.dtype[np.int8]]
Hand = list[Card | None]


class HanabiPosition:
    """The readable state of a game. Seats count from the first mover, to the left."""

    rules: Rules
    """The rules of the table."""
    players: int
    """The number of players."""
    seat: int
    """The seat to move; once the game is over, the seat after the last action's."""
    tokens: int
    """Hint tokens available (H003)."""
    mistakes: int
    """Failed plays so far (H031)."""
    tops: list[int]
    """The highest number placed of each colour, 0 if none."""
    discards: list[Card]
    """Discarded cards and failed plays, oldest first."""
    deck_size: int
    """The number of cards left to draw."""
    turns_left: int | None
    """Turns until the end once the last card is drawn (H042), else None."""
    hands: list[Hand]
    """Each seat's cards, oldest first (H033); None is a card unknown to the viewer."""
    knowledge: list[list[Knowledge]]
    """The knowledge of each of these cards."""
    dealt: list[Hand]
    """The hands as they were dealt."""
    events: list[Event]
    """All actions so far."""
    is_over: bool
    """True if the game has ended."""

    @property
    def lives(self) -> int:
        """Lives left (H003)."""
        return max(0, self.rules.max_life_tokens - self.mistakes)

    @property
    def points(self) -> int:
        """The sum of the tops (H046), however the game ended."""
        return sum(self.tops)

    @property
    def has_exploded(self) -> bool:
        """True if the last error allowed was made (H040)."""
        return self.mistakes == self.rules.errors

    @property
    def score(self) -> int:
        """The current score (H040, H046)."""
        if self.has_exploded and self.rules.score_after_explosion == "zero":
            return 0
        return self.points

    def hand_size(self, seat: int) -> int:
        """The number of cards in a seat's hand."""
        return len(self.hands[seat])

    def can_place(self, card: Card) -> bool:
        """True if this is the next card of its colour (H030)."""
        return self.tops[card.colour] == card.number - 1

    def touched(self, action: Action) -> tuple[int, ...]:
        """The places of the cards touched by a hint of the player to move (H011)."""
        hand = self.hands[(self.seat + action.target) % self.players]
        return tuple(
            place
            for place, card in enumerate(hand)
            if card is not None and hint_touches(self.rules, action, card)
        )

    @property
    def legal_actions(self) -> "LegalActions":
        """The legal actions of the player to move."""
        return LegalActions(self)

    @property
    def action_mask(self) -> Vector:
        """1 at the number of each legal action under the official rules: int8, a fresh array."""
        mask = np.zeros(len(all_actions(self.rules, self.players)), np.int8)
        mask[self._legal_numbers()] = 1
        return mask

    def refusal(self, action: Action) -> str | None:
        """The reason why `action` is illegal now, or None if it is legal."""
        if self.is_over:
            return "the game is over"
        if action.kind == ActionKind.PLAY:
            return self._refusal_of_place(action.value)
        if action.kind == ActionKind.DISCARD:
            if self.tokens == self.rules.max_information_tokens and not self.rules.discard_at_max:
                return f"all {self.tokens} hint tokens are available (H021)"
            return self._refusal_of_place(action.value)
        return self._refusal_of_hint(action)

    def _legal_numbers(self) -> list[int]:
        """The numbers of the actions that the official rules allow."""
        if self.is_over:
            return []
        hand, size = self.rules.cards_in_hand(self.players), self.hand_size(self.seat)
        numbers = [*range(hand, hand + size)]
        if self.tokens < self.rules.max_information_tokens:
            numbers += range(size)
        if self.tokens > 0:
            numbers += self._matching_hints(2 * hand)
        return numbers

    def _matching_hints(self, first: int) -> set[int]:
        """The numbers of the hints that touch a card (H013); those of colours start at `first`."""
        rules, players = self.rules, self.players
        numbers: set[int] = set()
        after_colours = first + rules.named_colours * (players - 1)
        for target in range(1, players):
            colours = first + rules.named_colours * (target - 1)
            ranks = after_colours + rules.ranks * (target - 1) - 1
            for card in self.hands[(self.seat + target) % players]:
                if card is not None:
                    numbers.update(colours + colour for colour in rules.colours_touching(card))
                    numbers.add(ranks + card.number)
        return numbers

    def _refusal_of_place(self, place: int) -> str | None:
        size = self.hand_size(self.seat)
        if 0 <= place < size:
            return None
        return f"no card at place {place}; allowed are 0..{size - 1} (H030)"

    def _refusal_of_hint(self, action: Action) -> str | None:
        if self.tokens == 0:
            return "no hint token is left (H010)"
        if not 1 <= action.target < self.players:
            return f"target is {action.target}; allowed are 1..{self.players - 1} (H011, H012)"
        least, most = (
            (1, self.rules.ranks)
            if action.kind == ActionKind.HINT_NUMBER
            else (0, self.rules.named_colours - 1)
        )
        if not least <= action.value <= most:
            return f"a hint of {action.value}; allowed are {least}..{most} (H011)"
        if not self.touched(action) and not self.rules.empty_hints:
            return "the hint matches no card (H013)"
        return None

    def _seat(self, seat: int) -> int:
        return whole("seat", seat, 0, self.players - 1)

    def __str__(self) -> str:
        return "\n".join(picture(self))


class LegalActions(Sequence[Action]):
    """The legal actions of a position, by number.

    `in` also takes a number, and actions that only looser rules allow.
    """

    def __init__(self, position: HanabiPosition) -> None:
        self._position = position

    @property
    def indices(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Their numbers, ascending: (n,) int64."""
        return np.flatnonzero(self._position.action_mask)

    def __iter__(self) -> Iterator[Action]:
        actions = all_actions(self._position.rules, self._position.players)
        return (actions[number] for number in self.indices.tolist())

    def __len__(self) -> int:
        return int(self._position.action_mask.sum())

    def __getitem__(self, i: Any) -> Any:
        return list(self)[i]

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Action):
            return self._position.refusal(action) is None
        try:
            return index_of(action) in self._position._legal_numbers()
        except TypeError:
            return False

    def __repr__(self) -> str:
        return f"<{len(self)} legal actions: {'; '.join(map(str, self))}>"


def hint_touches(rules: Rules, action: Action, card: Card) -> bool:
    """True if a hint touches `card` (H011)."""
    if action.kind == ActionKind.HINT_NUMBER:
        return card.number == action.value
    return rules.touches(action.value, card)


def number_of(position: HanabiPosition, action: Action) -> int | None:
    """The action's number at this table; None if it has none."""
    return numbers_of_actions(position.rules, position.players).get(action)


def picture(position: HanabiPosition) -> Iterator[str]:
    """A position as lines of text."""
    tops = " ".join(f"{LETTERS[colour]}{top}" for colour, top in enumerate(position.tops))
    yield f"placed {tops}   score {position.score}"
    left = "" if position.turns_left is None else f"   turns left {position.turns_left}"
    yield f"hints {position.tokens}   lives {position.lives}   deck {position.deck_size}{left}"
    for seat, (hand, known) in enumerate(zip(position.hands, position.knowledge, strict=True)):
        cards = "  ".join(
            f"{card or '??'}[{said_of(position.rules, knowledge)}]"
            for card, knowledge in zip(hand, known, strict=True)
        )
        mark = ">" if seat == position.seat and not position.is_over else " "
        yield f"{mark}{seat}: {cards}"
    yield f"discarded {' '.join(map(str, position.discards)) or 'nothing'}"


def said_of(rules: Rules, known: Knowledge) -> str:
    """The identities left by hints: letters and numbers, a dash if all are possible."""
    colours = "".join(LETTERS[c] for c in range(rules.suits) if known.colours >> c & 1)
    numbers = "".join(str(n + 1) for n in range(rules.ranks) if known.numbers >> n & 1)
    said = ("" if len(colours) == rules.suits else colours) + (
        "" if len(numbers) == rules.ranks else numbers
    )
    return said or "-"
