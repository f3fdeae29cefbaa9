"""The players as announced by the server: ids, and their seats."""

from msgspec.structs import asdict, replace

from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.messages import Player

LEAST, MOST = 2, 4
"""Numbers of players that our game has."""
MOST_KNOWN = 1000
"""Players that are remembered, of those that a lobby has seen."""
NOT_PLAYING = (None, words.CHOOSING, words.READY, words.GONE)
"""Statuses that no player of a game in progress has."""


class Seats:
    """Seat k is the k-th that is asked for a settlement, or places one unasked.

    Some servers announce a player in the lobby to that player alone, or not that it has started, or
    not that it has left. So the number of players is an estimate until all have placed: it grows
    with each further one. It is counted again when the first is asked for its second settlement,
    which comes after all others in most orders of a set-up, and when the first is asked to roll.

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
        self._has_second_round = False
        """True once a player has been asked for its second settlement."""
        self._have_all_placed = False
        """True once a player has been asked to roll."""

    @property
    def ids(self) -> tuple[int, ...]:
        """By seat; -1 for a seat that has not placed yet."""
        return (*self._order, *[-1] * (self.number - len(self._order)))

    @property
    def own(self) -> int | None:
        """The client's own seat, once it is known."""
        return self._order.index(self.me) if self.me in self._order else None

    @property
    def shown(self) -> list[tuple[int, Player]]:
        """The seats with the players' last Statusupdates, in the order of seats."""
        return [(seat, self.players.get(id, Player(id))) for seat, id in enumerate(self._order)]

    def __contains__(self, player: int) -> bool:
        return player in self._order

    def hear(self, said: Player) -> str | None:
        """Store a Statusupdate, which may leave fields out; return the player's previous status.

        One of a further player than MOST_KNOWN, other than the client's own, is ignored.
        """
        is_known = said.id in self.players or said.id == self.me
        if not is_known and len(self.players) >= MOST_KNOWN:
            return None
        before = self.players.get(said.id, Player(said.id))
        given = {name: value for name, value in asdict(said).items() if value is not None}
        self.players[said.id] = replace(before, **given)
        if self.number and said.status != before.status:
            self._count(said)
        return before.status

    def _count(self, said: Player) -> None:
        """Count the players again after a new Status."""
        is_asked = said.status == words.PLACE_SETTLEMENT
        is_first_roll = said.status == words.ROLL and not self._have_all_placed
        is_second_round = is_asked and said.id in self and not self._has_second_round
        self._have_all_placed |= is_first_roll
        if is_asked:
            self.of(said.id)
        if is_first_roll or (is_second_round and len(self._order) >= LEAST):
            self.number = self._playing
        elif not (self._has_second_round or self._have_all_placed):
            self.number = max(self.number, self._playing)
        self._has_second_round |= is_second_round

    @property
    def _playing(self) -> int:
        """The number of players that have placed, or have the Status of a game in progress."""
        shown = [id for id, p in self.players.items() if p.status not in NOT_PLAYING]
        return max(LEAST, len(self._order), min(MOST, len(shown)))

    def begin(self) -> None:
        """Start with the known players, or those who wait; ValueError if they are too many."""
        known = {id for id, p in self.players.items() if p.status != words.GONE} | {self.me}
        waiting = {id for id in known if id == self.me or self._waits(id)}
        number = len(known if len(known) <= MOST or len(waiting) < LEAST else waiting)
        if number > MOST:
            raise ValueError(f"{number} players; a game of ours has 2, 3 or 4")
        self.number = max(LEAST, number)
        for id, player in self.players.items():
            if player.status == words.PLACE_SETTLEMENT:
                self.of(id)

    def _waits(self, player: int | None) -> bool:
        return player in self.players and self.players[player].status == words.READY

    def of(self, player: int) -> int:
        """The seat of a player; the next one, if it has none. ValueError if none is left."""
        if player not in self._order:
            may_be_more = self.number and not self._have_all_placed
            if len(self._order) >= (MOST if may_be_more else self.number):
                raise ValueError(f"Spieler {player} does not play")
            self._order.append(player)
            self.number = max(self.number, len(self._order))
        return self._order.index(player)
