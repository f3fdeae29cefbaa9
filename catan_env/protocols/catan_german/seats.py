"""The players as announced by the server: ids, and their seats (5)."""

from msgspec.structs import asdict, replace

from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.messages import Player

SEATS = (2, 3, 4)


class Seats:
    """Seat k is the k-th that is asked for a settlement, or places one unasked.

    >>> seats = Seats()
    >>> for id in (1, 2):
    ...     _ = seats.hear(Player(id, status=words.READY))
    >>> seats.me = 2
    >>> seats.begin()
    >>> seats.of(2), seats.of(1), seats.ids
    (0, 1, (2, 1))
    """

    def __init__(self) -> None:
        self.me: int | None = None
        """The client's own id."""
        self.players: dict[int, Player] = {}
        """The players as Statusupdates have shown them so far, by id."""
        self.number = 0
        """The number of players; 0 until the game has started."""
        self._order: list[int] = []

    @property
    def ids(self) -> tuple[int, ...]:
        """By seat; -1 for a seat that has not placed yet."""
        return (*self._order, *[-1] * (self.number - len(self._order)))

    @property
    def own(self) -> int | None:
        """The client's own seat, once it is known."""
        return self._order.index(self.me) if self.me in self._order else None

    def __contains__(self, player: int) -> bool:
        return player in self._order

    def hear(self, said: Player) -> str | None:
        """Store a Statusupdate, which may leave fields out; return the player's previous status."""
        before = self.players.get(said.id, Player(said.id))
        given = {name: value for name, value in asdict(said).items() if value is not None}
        self.players[said.id] = replace(before, **given)
        if self.number and said.id not in self and said.status == words.PLACE_SETTLEMENT:
            self.of(said.id)
        return before.status

    def begin(self) -> None:
        """Start with the waiting players; ValueError if they are too many or too few."""
        waiting = [id for id, player in self.players.items() if player.status == words.READY]
        number = len({*waiting, self.me})
        if number not in SEATS:
            raise ValueError(f"{number} players; a game of ours has 2, 3 or 4")
        self.number = number

    def of(self, player: int) -> int:
        """The seat of a player; the next one, if it has none. ValueError if none is left."""
        if player not in self._order:
            if len(self._order) >= self.number:
                raise ValueError(f"Spieler {player} does not play")
            self._order.append(player)
        return self._order.index(player)
