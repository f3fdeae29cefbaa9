"""The leak test: a twin at the same table, for which all hidden cards are different ones.

The twin follows the same public history. In everything that it gets from catanatron, the cards that
its seat cannot see are exchanged: other seats' hands, development cards in hand and in the deck,
the cards that others stole from each other or bought. Its views must be the player's byte for byte,
and its decisions the same.
"""

from collections.abc import Sequence
from copy import copy
from random import Random
from typing import Any

from catanatron.models.enums import (  # type: ignore[import-not-found]
    DEVELOPMENT_CARDS,
    RESOURCES,
)

from catan_env.catanatron.log import Entry
from catan_env.catanatron.player import PolicyPlayer
from catan_env.policy import Policy


class Disguise:
    """Exchanges what seat `viewer` of a catanatron game cannot see."""

    def __init__(self, viewer: int, seed: int) -> None:
        self.viewer, self._chance = viewer, Random(seed)

    def state(self, state: Any) -> Any:
        """A copy of the state with other hidden cards; all numbers of cards stay the same."""
        other = copy(state)
        other.player_state = dict(state.player_state)
        other.development_listdeck = list(state.development_listdeck)
        seats = [seat for seat in range(len(state.colors)) if seat != self.viewer]
        self._deal(other, seats, RESOURCES, [])
        self._deal(other, seats, DEVELOPMENT_CARDS, other.development_listdeck)
        return other

    def _deal(self, state: Any, seats: Sequence[int], kinds: Any, deck: list[Any]) -> None:
        """Shuffle the cards of these kinds in these seats' hands and the deck."""
        cards, stated = list(deck), state.player_state
        for seat in seats:
            cards += [kind for kind in kinds for _ in range(stated[f"P{seat}_{kind}_IN_HAND"])]
        self._chance.shuffle(cards)
        for seat in seats:
            size = sum(stated[f"P{seat}_{kind}_IN_HAND"] for kind in kinds)
            held = [cards.pop() for _ in range(size)]
            stated.update({f"P{seat}_{kind}_IN_HAND": held.count(kind) for kind in kinds})
        deck[:] = cards

    def entry(self, entry: Entry, colors: Sequence[Any]) -> Entry:
        """The entry with another card, if the viewer cannot see which one it is."""
        own = colors[self.viewer]
        if entry.color == own or entry.result is None:
            return entry
        if entry.kind == "BUY_DEVELOPMENT_CARD":
            return entry._replace(result=self._other(DEVELOPMENT_CARDS, entry.result))
        if entry.kind == "MOVE_ROBBER" and entry.value[1] != own:
            return entry._replace(result=self._other(RESOURCES, entry.result))
        return entry

    def _other(self, kinds: Any, kind: Any) -> Any:
        return self._chance.choice([other for other in kinds if other != kind])


class LeakError(AssertionError):
    """A decision or a view depends on cards that the seat cannot see."""


class WatchedPlayer(PolicyPlayer):
    """A player whose twin checks every decision; `compared` counts them."""

    def __init__(self, color: Any, policy: Policy, twin_policy: Policy, seed: int) -> None:
        super().__init__(color, policy)
        self.twin = PolicyPlayer(color, twin_policy)
        self.compared = 0
        self._seed = seed

    def begin(self, game: Any) -> None:
        """Join a new game, both of them."""
        super().begin(game)
        self.disguise = Disguise(self.follower.seat, self._seed)
        disguised = copy(game)
        disguised.state = self.disguise.state(game.state)
        self.twin.begin(disguised)

    def follow(self, state: Any, entry: Entry) -> None:
        """Apply an entry of the log; the twin's is disguised."""
        super().follow(state, entry)
        disguised = self.disguise.entry(entry, state.colors)
        self.twin.follow(self.disguise.state(state), disguised)

    def decide(self, game: Any, playable_actions: Any) -> Any:
        """The policy's choice.

        Raises LeakError if the twin sees another view or decides otherwise.
        """
        choice = super().decide(game, playable_actions)
        if len(playable_actions) == 1:
            return choice
        disguised = copy(game)
        disguised.state = self.disguise.state(game.state)
        own, twin = self.follower.view([]), self.twin.follower.view([])
        if own.state_bytes() != twin.state_bytes():
            raise LeakError(f"turn {own.turn}: the views of the player and its twin differ")
        other = self.twin.decide(disguised, playable_actions)
        if choice != other:
            raise LeakError(f"turn {own.turn}: the player chose {choice}, its twin {other}")
        self.compared += 1
        return choice


__all__ = ["Disguise", "LeakError", "WatchedPlayer"]
