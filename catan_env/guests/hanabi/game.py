"""One game of Hanabi: the rules, in plain Python.

Rule cases are those of docs/hanabi.md.
"""

import secrets
from collections.abc import Sequence
from copy import copy

from catan_env.guests.hanabi.action import Action, ActionKind, all_actions
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.errors import GameOverError, IllegalActionError
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.knowledge import Knowledge
from catan_env.guests.hanabi.observation import encode
from catan_env.guests.hanabi.position import HanabiPosition, Vector, number_of
from catan_env.guests.hanabi.rules import Rules, rules_of
from catan_env.guests.hanabi.view import SeatView
from catan_env.kernel.numbers import action_index, whole_seed
from catan_env.kernel.shown import shown

LIMIT = 1 << 64
LAST_ACTIONS = 10  # legal actions that an error message lists


class Game(HanabiPosition):
    """A game from the first hint to the last turn.

    `deck` is the order in which cards are dealt, seat by seat, and then drawn; without it, `seed`
    shuffles the deck. Without a `seed` a random one is used.

    >>> game = Game(players=3, seed=5)
    >>> event = game.play(Action.hint_number(1, 1))
    >>> game.tokens, game.seat, len(game.events)
    (7, 1, 1)
    """

    def __init__(
        self,
        players: int = 2,
        seed: int | None = None,
        rules: Rules | str = "official",
        deck: Sequence[Card] | None = None,
    ) -> None:
        self.rules = rules_of(rules)
        self.players = self.rules.check_players(players)
        self.seat, self.mistakes, self.turns_left = 0, 0, None
        self.tokens = self.rules.max_information_tokens
        self.tops = [0] * self.rules.suits
        self.discards, self.events = [], []
        self.is_over = False
        self._deck = shuffled(self.rules, seed) if deck is None else _checked(self.rules, deck)
        self._deck.reverse()
        size = self.rules.cards_in_hand(self.players)
        self.hands = [[self._deck.pop() for _ in range(size)] for _ in range(self.players)]
        self.dealt = [hand.copy() for hand in self.hands]
        self.deck_size = len(self._deck)
        self.knowledge = [[Knowledge.fresh(self.rules)] * size for _ in range(self.players)]
        self._end_if_nobody_moves()

    @property
    def deck(self) -> list[Card]:
        """The cards left to draw, next one first."""
        return self._deck[::-1]

    def play(self, action: Action | int) -> Event:
        """Play an action, or the action with that number; raises IllegalActionError."""
        if not isinstance(action, Action):
            action = self._numbered(action)
        self._check(action)
        return self._carry_out(action)

    def observe(self, seat: int) -> Vector:
        """The observation of `seat` as the canonical vector: int8, a fresh array."""
        return encode(self, self._seat(seat))

    def view(self, seat: int) -> SeatView:
        """The view of `seat`: without its own cards and the deck."""
        seat = self._seat(seat)
        view = SeatView.__new__(SeatView)
        view.__dict__.update(self._copied())
        del view.__dict__["_deck"]
        view.viewer = seat
        view.hands[seat] = [None] * len(view.hands[seat])
        view.dealt = [*view.dealt[:seat], [None] * len(view.dealt[seat]), *view.dealt[seat + 1 :]]
        view.events = [event.redacted(seat) for event in self.events]
        return view

    def copy(self) -> "Game":
        """A game with the same past and the same deck."""
        game = Game.__new__(Game)
        game.__dict__.update(self._copied())
        return game

    def number_of(self, action: Action) -> int | None:
        """The action's number; None if it has none."""
        return number_of(self, action)

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, Game) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"<Game of {self.players} players after {len(self.events)} actions, "
            f"score {self.score}{', over' if self.is_over else ''}>"
        )

    def _copied(self) -> dict[str, object]:
        """The game's memory, with lists copied two levels deep."""
        kept = {
            name: copy(value) if isinstance(value, list) else value
            for name, value in vars(self).items()
        }
        kept["hands"] = [hand.copy() for hand in self.hands]
        kept["knowledge"] = [known.copy() for known in self.knowledge]
        return kept

    def _carry_out(self, action: Action) -> Event:
        """Play a legal action."""
        event = self._hint(action) if action.is_hint else self._use_card(action)
        self.events.append(event)
        self._pass_turn(event)
        return event

    def _numbered(self, number: int) -> Action:
        actions = all_actions(self.rules, self.players)
        number = action_index(number)
        if not 0 <= number < len(actions):
            raise IllegalActionError(
                f"no action {shown(number)}; allowed are 0..{len(actions) - 1}"
            )
        return actions[number]

    def _check(self, action: Action) -> None:
        refusal = self.refusal(action)
        if refusal is None:
            return
        if self.is_over:
            raise GameOverError(f"{action}: the game is over with a score of {self.score}")
        legal = [str(action) for action in self.legal_actions]
        if len(legal) > LAST_ACTIONS:
            legal[LAST_ACTIONS:] = ["..."]
        allowed = "; ".join(legal)
        raise IllegalActionError(f"seat {self.seat}: {action}: {refusal}; allowed are: {allowed}")

    def _hint(self, action: Action) -> Event:
        """Give a hint: it costs a token and updates the knowledge of every card (H010, H011)."""
        touched = self.touched(action)
        self.tokens -= 1
        seat = (self.seat + action.target) % self.players
        self.knowledge[seat] = [
            known.after_number(action.value, place in touched)
            if action.kind == ActionKind.HINT_NUMBER
            else known.after_colour(self.rules, action.value, place in touched)
            for place, known in enumerate(self.knowledge[seat])
        ]
        return Event(self.seat, action, touched=touched)

    def _use_card(self, action: Action) -> Event:
        """Discard or play a card, then draw another (H020, H030, H045)."""
        card = self.hands[self.seat].pop(action.value)
        assert card is not None
        del self.knowledge[self.seat][action.value]
        is_placed = action.kind == ActionKind.PLAY and self.can_place(card)
        gained = False
        if is_placed:
            self.tops[card.colour] = card.number
            gained = card.number == self.rules.ranks and self._gain_token()
        else:
            self.discards.append(card)
            if action.kind == ActionKind.PLAY:
                self.mistakes += 1
            else:
                self._gain_token()
        has_drawn = self.deck_size > 0
        drawn = self._draw() if has_drawn else None
        return Event(self.seat, action, card, is_placed, gained, (), has_drawn, drawn)

    def _gain_token(self) -> bool:
        """Regain a token, unless all are available (H020, H032)."""
        has_room = self.tokens < self.rules.max_information_tokens
        self.tokens += has_room
        return has_room

    def _draw(self) -> Card:
        """Add the drawn card to the hand as its newest, with no knowledge (H015, H033)."""
        card = self._deck.pop()
        self.hands[self.seat].append(card)
        self.knowledge[self.seat].append(Knowledge.fresh(self.rules))
        self.deck_size -= 1
        return card

    def _pass_turn(self, event: Event) -> None:
        """Pass to the next seat, or end the game (H040-H043)."""
        if self.turns_left is not None:
            self.turns_left -= 1
        elif event.has_drawn and self.deck_size == 0:
            self.turns_left = self.players
        is_complete = self.points == self.rules.max_score and self.rules.end_at_25
        self.is_over = self.has_exploded or is_complete or self.turns_left == 0
        self.seat = (self.seat + 1) % self.players

    def _end_if_nobody_moves(self) -> None:
        """Give every seat one turn if the deal has emptied the deck."""
        if self.deck_size == 0:
            self.turns_left = self.players


def shuffled(rules: Rules, seed: int | None) -> list[Card]:
    """The box shuffled by `seed`, or a random one: card k is drawn from those not yet drawn."""
    seed = secrets.randbits(63) if seed is None else whole_seed(seed)
    cards = list(rules.box)
    for k in range(len(cards) - 1):
        j = k + ((random_word(seed, k) >> 32) * (len(cards) - k) >> 32)
        cards[k], cards[j] = cards[j], cards[k]
    return cards


def random_word(seed: int, n: int) -> int:
    """`catan_env.kernel.rng.word_at` in Python's integers, so that no compilation is needed."""
    x = (seed + n * 0x9E3779B97F4A7C15) % LIMIT
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % LIMIT
    x = (x ^ x >> 27) * 0x94D049BB133111EB % LIMIT
    return x ^ x >> 31


def _checked(rules: Rules, deck: Sequence[Card]) -> list[Card]:
    if sorted(deck) != list(rules.box):
        raise ValueError(f"a deck of {len(deck)} cards that are not the box's {len(rules.box)}")
    return list(deck)
