"""Third-party servers with another set-up than the snake, which 0.1 does not prescribe."""

from typing import Any

from tests.protocols.german.peers.play import Play
from tests.protocols.german.peers.player import Player
from tests.protocols.german.peers.server import Server


class Ordered(Play):
    """`order` has the place in the order of seats of each player that is asked for a village."""

    def begin(self, seats: list[Player]) -> None:
        super().begin(seats)
        self._to_place = [seats[k] for k in self.order(len(seats))]

    def order(self, seats: int) -> list[int]:
        """Each place twice; the first is 0."""
        raise NotImplementedError


class InPairs(Server):
    """Each player places both villages in a row: 1, 1, 2, 2, 3, 3."""

    class Game(Ordered):
        def order(self, seats: int) -> list[int]:
            return sorted([*range(seats)] * 2)

    play_kind = Game


class InRounds(Server):
    """The second round has the order of the first: 1, 2, 3, 1, 2, 3."""

    class Game(Ordered):
        def order(self, seats: int) -> list[int]:
            return [*range(seats)] * 2

    play_kind = Game


class LastTwice(Server):
    """The last player comes when all others have placed: 1, 2, 1, 2, 3, 3."""

    class Game(Ordered):
        def order(self, seats: int) -> list[int]:
            return [*[*range(seats - 1)] * 2, seats - 1, seats - 1]

    play_kind = Game


class Sparing(InPairs):
    """The same in pairs, and no player is announced as waiting for its first turn."""

    def state(self, who: Player, hearer: Player) -> dict[str, Any]:
        state = super().state(who, hearer)
        if state["Status"] == "Warten":
            del state["Status"]
        return state


ORDERS: tuple[type[Server], ...] = (InPairs, InRounds, LastTwice, Sparing)
