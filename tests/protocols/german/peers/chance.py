"""Random events: the map, the dice, stolen and bought cards."""

from collections import Counter
from random import Random

from tests.protocols.german.peers.board import Board


class Chance:
    """Drawn from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def board(self) -> Board:
        """A map."""
        return Board.shuffled(self._random)

    def dice(self) -> tuple[int, int]:
        """Two dice."""
        return self._random.randint(1, 6), self._random.randint(1, 6)

    def stolen(self, hand: Counter[str]) -> str:
        """A card of a hand that is not empty."""
        return self._random.choice(sorted(hand.elements()))

    def bought(self, pile: Counter[str]) -> str:
        """A card of the deck."""
        return self._random.choice(sorted(pile.elements()))
