"""A game whose players each see the colours under a permutation of their own ("other-play").

Hu et al. (2020), "Other-play for zero-shot coordination": a policy that trains with partners who
see other colours cannot agree with them on the meaning of a particular colour.
"""

import secrets
from collections.abc import Sequence
from random import Random

from catan_env.guests.hanabi.action import Action, ActionKind
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.position import LegalActions, Vector
from catan_env.guests.hanabi.record import deck_of
from catan_env.guests.hanabi.rules import Rules
from catan_env.guests.hanabi.view import SeatView
from catan_env.kernel.numbers import whole_seed

Permutation = tuple[int, ...]
"""The colour shown for each colour."""
STREAM = 0x0C010425  # sets the draw of permutations apart from that of the deck


class PermutedGame(Game):
    """A game with permuted views; its hands, events and deck have the true colours.

    Observations, views and masks are in a seat's own colours, and so are actions: those of the seat
    to move.

    >>> game = PermutedGame(players=2, seed=5)
    >>> game.play(game.legal_actions[6]).seat, game.view(0).events == game.events
    (0, False)
    """

    def __init__(
        self,
        players: int = 2,
        seed: int | None = None,
        rules: Rules | str = "official",
        deck: Sequence[Card] | None = None,
        permutations: Sequence[Permutation] | None = None,
    ) -> None:
        seed = secrets.randbits(63) if seed is None else whole_seed(seed)
        super().__init__(players, seed, rules, deck)
        if permutations is None:
            permutations = drawn(self.rules, players, seed)
        self.permutations = [tuple(permutation) for permutation in permutations]
        """By seat, the colour shown for each colour."""
        cards = deck_of(self)
        self._shown = [
            Game(players, 0, self.rules, [_recoloured(card, shown) for card in cards])
            for shown in self.permutations
        ]

    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions of the player to move, in its colours."""
        return self._shown[self.seat].legal_actions

    @property
    def action_mask(self) -> Vector:
        """1 at the number of each legal action, in the colours of the player to move."""
        return self._shown[self.seat].action_mask

    def refusal(self, action: Action) -> str | None:
        """The reason why an action, in the colours of the player to move, is illegal now."""
        return self._shown[self.seat].refusal(action)

    def play(self, action: Action | int) -> Event:
        """Play an action in the colours of the player to move."""
        mover = self._shown[self.seat]
        if not isinstance(action, Action):
            action = mover._numbered(action)
        mover._check(action)
        true = _in_colours(action, inverse(self.permutations[self.seat]))
        for game, shown in zip(self._shown, self.permutations, strict=True):
            game.play(_in_colours(true, shown))
        return self._carry_out(true)

    def observe(self, seat: int) -> Vector:
        """The observation of `seat` in its colours."""
        return self._shown[self._seat(seat)].observe(seat)

    def view(self, seat: int) -> SeatView:
        """The view of `seat` in its colours."""
        return self._shown[self._seat(seat)].view(seat)

    def copy(self) -> "PermutedGame":
        """A game with the same past, deck and permutations."""
        game = PermutedGame.__new__(PermutedGame)
        game.__dict__.update(self._copied())
        game._shown = [shown.copy() for shown in self._shown]
        return game


def drawn(rules: Rules, players: int, seed: int) -> list[Permutation]:
    """A permutation of the ordinary colours for each seat."""
    chance, result = Random(f"{STREAM} {seed}"), []
    for _ in range(players):
        colours = list(range(rules.colors))
        chance.shuffle(colours)
        result.append((*colours, *range(rules.colors, rules.suits)))
    return result


def inverse(permutation: Permutation) -> Permutation:
    """The permutation that undoes this one.

    >>> inverse((2, 0, 1))
    (1, 2, 0)
    """
    return tuple(permutation.index(colour) for colour in range(len(permutation)))


def _recoloured(card: Card, shown: Permutation) -> Card:
    return Card(shown[card.colour], card.number)


def _in_colours(action: Action, shown: Permutation) -> Action:
    if action.kind != ActionKind.HINT_COLOUR:
        return action
    return action._replace(value=shown[action.value])
