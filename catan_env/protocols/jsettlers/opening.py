"""A table before its first settlement: options, board, seats."""

from collections.abc import Iterable
from dataclasses import replace

from catan_env.core.constants import DESERT, SEATS
from catan_env.game.board import Board
from catan_env.game.rules import Rules
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers.messages import (
    BoardLayout,
    BoardLayout2,
    GameElements,
    GameState,
)
from catan_env.protocols.jsettlers.places import HEXES, SEA, TILES, tile_at, to_board, token_of
from catan_env.protocols.jsettlers.states import DISCARDS

FEWEST_PLAYERS = 2
ON_TURN = 4
"""The topic of `GameElements` (1096) for the seat on turn."""
CLASSIC = 1
"""The encoding of a classic board."""
HARMLESS = frozenset(
    ("PL", "BC", "N7", "N7C", "UBL", "PLP", "PLAY_FO", "PLAY_VPO", "CN", "FO", "LB", "RG")
)
"""Options that do not affect our rules; the last four are StacSettlers'."""
_LAND = [HEXES.index(place) for place in TILES]


class UnplayableError(ValueError):
    """A game with rules that we do not support."""


class Agreement:
    """The options of a game.

    >>> agreed = Agreement(["PL=4", "RD=t", "VP=t12"])
    >>> agreed.rules.points_to_win, agreed.desert_is_barred
    (12, True)
    """

    def __init__(self, options: Iterable[str] = ()) -> None:
        said = dict(_key_and_value(option) for option in options)
        self.rules = Rules.jsettlers()
        self.desert_is_barred = is_on(said.pop("RD", "f"))
        """True if the robber may not return to the desert."""
        if is_on(said.pop("NT", "f")):
            self.rules = replace(self.rules, player_trade=False)
        points = said.pop("VP", "f")
        if is_on(points) and points[1:]:
            self.rules = replace(self.rules, points_to_win=_points(points[1:]))
        if said.get("PL", "4") != "4":
            raise UnplayableError(f"a game for {said['PL']} seats; allowed are {SEATS}")
        for key, value in said.items():
            if key not in HARMLESS and is_on(value):
                raise UnplayableError(f"the option {key}={value} is not part of a classic game")


def is_on(value: str) -> bool:
    """True if an option's value is more than "off"."""
    return not value.startswith("f") and value not in ("", "0")


def _key_and_value(option: str) -> tuple[str, str]:
    key, _, value = option.partition("=")
    return key, value


def _points(text: str) -> int:
    if not text.isdigit() or not 3 <= int(text) <= 22:
        raise UnplayableError(f"a game to {text[:20]} points; allowed are 3..22")
    return int(text)


class Opening:
    """A table before its first settlement: `names` by seat, and the board once it is laid out.

    `names` contains the last name of a vacated seat, `empty` the seats that have no player now.
    """

    def __init__(self, seat: int, agreement: Agreement) -> None:
        if not 0 <= seat < SEATS:
            raise RemoteProtocolError(f"asked to sit at seat {seat} among {SEATS}")
        self.seat = seat
        self.agreement = agreement
        self.names: dict[int, str] = {}
        self.empty = set(range(SEATS))
        self.turn_seat = -1
        """The seat on turn, if the game is in progress."""
        self.state = 0
        """The state of the game, as far as announced."""
        self.board: Board | None = None
        self._robber = -1

    @property
    def is_under_way(self) -> bool:
        """True if the board has been laid out, which is done as a game begins."""
        return self.board is not None

    @property
    def waits_for_us(self) -> bool:
        """True if a game in progress cannot continue until our seat is taken, and left again."""
        return self.turn_seat == self.seat or self.state == DISCARDS

    def sit(self, seat: int, name: str) -> None:
        """Note that a player takes a seat, before or during the game."""
        self.names[seat] = name
        self.empty.discard(seat)

    def leave(self, name: str) -> int | None:
        """Note that a member leaves; return its seat, now empty, or None."""
        seats = [seat for seat in self.names if self.names[seat] == name and seat not in self.empty]
        self.empty.update(seats)
        return seats[0] if seats else None

    def note(self, message: GameState | GameElements) -> None:
        """Store the state that a game in progress is waiting in."""
        if isinstance(message, GameState):
            self.state = message.state
            return
        pairs = dict(zip(message.pairs[::2], message.pairs[1::2], strict=False))
        self.turn_seat = pairs.get(ON_TURN, self.turn_seat)

    def lay(self, message: BoardLayout | BoardLayout2) -> None:
        """Store the board, unless it is all sea; RemoteProtocolError."""
        kinds, tokens, robber = (
            _layout(message) if isinstance(message, BoardLayout) else _layout_2(message)
        )
        if len(kinds) == len(HEXES) and all(kinds[k] == SEA for k in _LAND):
            return
        self.board = to_board(kinds, tokens)
        is_there = robber in TILES
        self._robber = tile_at(robber) if is_there else -1

    def view(self, first_seat: int) -> SeatView:
        """Return the seat's view as `first_seat` is about to place."""
        if self.board is None:
            raise RemoteProtocolError("the game begins and its board is not known")
        if not 0 <= first_seat < SEATS:
            raise RemoteProtocolError(f"seat {first_seat} begins among {SEATS}")
        if SEATS - len(self.empty) < FEWEST_PLAYERS or self.seat in self.empty:
            raise UnplayableError(f"a game of {SEATS - len(self.empty)} players")
        deserts = [k for k, tile in enumerate(self.board.tiles) if tile.terrain == DESERT]
        robber = self._robber if self._robber >= 0 and self._robber not in deserts[:1] else None
        rules = self.agreement.rules
        return SeatView.begin(self.board, self.seat, SEATS, rules, first_seat, robber)


def _layout(message: BoardLayout) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    count = len(HEXES)
    if len(message.numbers) <= 2 * count:
        raise RemoteProtocolError(f"a board of {len(message.numbers)} numbers")
    kinds, numbers = message.numbers[:count], message.numbers[count : 2 * count]
    return kinds, tuple(map(token_of, numbers)), message.numbers[2 * count]


def _layout_2(message: BoardLayout2) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    if message.encoding != CLASSIC:
        raise UnplayableError(f"a board of encoding {message.encoding}; allowed is {CLASSIC}")
    parts = _parts(message.parts)
    try:
        tokens = tuple(max(0, n) for n in parts["NL"])
        return tuple(parts["HL"]), tokens, parts["RH"][0]
    except KeyError as error:
        raise RemoteProtocolError(f"a board without its part {error}") from None


def _parts(words: tuple[str, ...]) -> dict[str, list[int]]:
    """Return the parts by name: a list is preceded by its length, in brackets."""
    parts: dict[str, list[int]] = {}
    rest = list(words)
    try:
        while rest:
            name, first, *rest = rest
            count = 0
            if first.startswith("["):
                count = int(first[1:])
                parts[name], rest = [int(word) for word in rest[:count]], rest[count:]
            else:
                parts[name] = [int(first)]
    except ValueError:
        raise RemoteProtocolError(f"a board whose parts are {words[:6]} ...") from None
    return parts
