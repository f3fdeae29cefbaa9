"""Players by short lists of rules, the first that applies: random, iggi and piers.

IGGI is from Walton-Rivers et al. (2017), "Evaluating and modelling Hanabi-playing agents"; Piers
won the CIG 2018 competition's mirror track.
"""

import random

from catan_env.guests.hanabi.action import Action
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.policies.counting import (
    candidates,
    chance,
    placeable,
    unseen,
    useless,
)
from catan_env.guests.hanabi.position import number_of
from catan_env.guests.hanabi.view import SeatView


class Random:
    """Every legal action with equal probability."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def act(self, view: SeatView) -> int:
        """Any legal action."""
        return self._random.choice(view.legal_actions.indices.tolist())


class ByRules:
    """The base of the players in this file: the rules that they combine."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def act(self, view: SeatView) -> int:
        """The first rule's action if it is legal, else a random one."""
        self.view = view
        self.can_place, self.dead = placeable(view), useless(view)
        left = unseen(view)
        self.mine = [candidates(known, left) for known in view.my_knowledge]
        action = self.choose()
        legal = view.legal_actions
        number = None if action is None else number_of(view, action)
        if number is None or not view.action_mask[number]:
            return self._random.choice(legal.indices.tolist())
        return number

    def choose(self) -> Action | None:
        """An action, or None for a random one."""
        raise NotImplementedError

    def safe_play(self, least: float = 1.0) -> Action | None:
        """Play the likeliest card, if its probability is at least `least`."""
        chances = [chance(cards, self.can_place) for cards in self.mine]
        best = max(chances)
        return Action.play(chances.index(best)) if best >= least and best > 0 else None

    def certain_discard(self) -> Action | None:
        """Discard a card that can never be placed (Osawa, 2015)."""
        if not self._may_discard():
            return None
        for place, cards in enumerate(self.mine):
            if cards and all(card in self.dead for card in cards):
                return Action.discard(place)
        return None

    def oldest_discard(self) -> Action | None:
        """Discard the oldest card."""
        return Action.discard(0) if self._may_discard() else None

    def useful_hint(self) -> Action | None:
        """Hint a property of a playable card that its holder does not know yet."""
        return self._hint_about(self.can_place)

    def dispensable_hint(self) -> Action | None:
        """Hint a property of a useless card that its holder does not know yet."""
        return self._hint_about(self.dead)

    def any_hint(self) -> Action | None:
        """A random hint."""
        hints = [action for action in self.view.legal_actions if action.is_hint]
        return self._random.choice(hints) if hints else None

    def _may_discard(self) -> bool:
        return self.view.tokens < self.view.rules.max_information_tokens

    def _hint_about(self, wanted: set[Card]) -> Action | None:
        view = self.view
        if view.tokens == 0:
            return None
        for target in range(1, view.players):
            seat = (view.seat + target) % view.players
            for card, known in zip(view.hands[seat], view.knowledge[seat], strict=True):
                if card not in wanted or card is None:
                    continue
                hints = []
                if not known.named_number:
                    hints.append(Action.hint_number(target, card.number))
                if not known.named_colours and card.colour < view.rules.named_colours:
                    hints.append(Action.hint_colour(target, card.colour))
                if hints:
                    return self._random.choice(hints)
        return None


class Iggi(ByRules):
    """Play safe cards, give useful hints, discard useless cards, else the oldest."""

    def choose(self) -> Action | None:
        """IGGI's rules in their order."""
        return (
            self.safe_play()
            or self.useful_hint()
            or self.certain_discard()
            or self.oldest_discard()
            or self.any_hint()
        )


class Piers(ByRules):
    """IGGI with risks taken while lives are left, and hints about useless cards."""

    def choose(self) -> Action | None:
        """Piers' rules in their order."""
        view = self.view
        may_fail = view.lives > 1
        return (
            (self.safe_play(0.0) if may_fail and view.deck_size == 0 else None)
            or self.safe_play()
            or (self.safe_play(0.6) if may_fail else None)
            or self.useful_hint()
            or (self.dispensable_hint() if view.tokens < 4 else None)
            or self.certain_discard()
            or self.oldest_discard()
            or self.any_hint()
        )
