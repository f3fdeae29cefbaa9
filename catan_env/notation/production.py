"""Cards that the rules have produced, which a record may state (RP) in one piece or in several."""

from collections import Counter

from catan_env.notation.narrator import say
from catan_env.notation.values import ADMIN, BANK, LETTERS, Message, cards_of, field, resources

Cards = Counter[tuple[str, int]]
"""Cards gained, by player and kind."""


class Production:
    """The cards of the set-up, and the rest of those that were stated in part."""

    def __init__(self) -> None:
        self._first: list[Message] = []
        """The statements of the set-up, each of one player, of which none has come."""
        self._rest: Cards = Counter()
        self._has_rolled = False

    def add_first(self, statements: list[Message]) -> None:
        """Add the cards of a second settlement, which may be stated until the first roll."""
        self._first += statements

    def is_missing_before(self, event: str) -> bool:
        """True if a production was stated in part and must be complete before a choice."""
        return bool(self._rest) and (self._has_rolled or event == "DR")

    def roll(self) -> None:
        """The dice are rolled: what was not stated of the set-up's cards is left out."""
        self._has_rolled = True
        self._first.clear()

    def tick(self, message: Message, due: list[Message]) -> bool:
        """Tick cards off; False if they are more than those left and the `due` ones together."""
        gains = _gains_in(message)
        players = {player for player, _ in gains}
        first = [said for said in self._first if players & field(said, "resources").keys()]
        left = self._rest.copy()
        for said in (*due, *first):
            left.update(_gains_in(said))
        left.subtract(gains)
        if any(n < 0 for n in (*left.values(), *gains.values())):
            return False
        self._rest = +left
        self._first = [said for said in self._first if said not in first]
        return True

    def expected(self) -> Message | None:
        """Return the statement of the cards that are left; None if there are none."""
        if not self._rest:
            return next(iter(self._first), None)
        gains = {
            player: [self._rest[player, kind] for kind in range(len(LETTERS))]
            for player, _ in self._rest
        }
        bank = cards_of(map(sum, zip(*gains.values(), strict=True)), -1)
        shares = {player: cards_of(counts) for player, counts in gains.items()}
        return say(ADMIN, "RP", resources=resources({**shares, BANK: bank}))


def _gains_in(message: Message) -> Cards:
    """Return the cards that players, not the bank, gain in a message, without zeros."""
    changes: dict[str, tuple[int, ...]] = field(message, "resources")
    return Counter(
        {
            (player, kind): n
            for player, cards in changes.items()
            if player != BANK
            for kind, n in enumerate(cards)
            if n
        }
    )
