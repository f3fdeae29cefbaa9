"""The messages of JSettlers 2.7 that an agent sends or understands, by number.

Those of a game are dataclasses here, those for joining its table in `lobby`.

Seats are the server's (`pn`), places its coordinates (see `places`), cards its codes: clay 1, ore
2, sheep 3, wheat 4, wood 5, unknown 6. A message whose client form is shorter than the server's has
two dataclasses.
"""

from dataclasses import dataclass

from catan_env.protocols.jsettlers import lobby

Table = dict[int, type]
"""Dataclasses by a message's leading number."""

BARRED = {1083, 1084, 1086, 1092, 1096}
"""Numbers whose fields are separated by bars."""
SPOKEN = {1010}
"""Numbers whose fields are separated by NUL: texts may have commas."""
SET, GAIN, LOSE = 100, 101, 102
"""Actions of `Elements` and `Element`."""


@dataclass(frozen=True)
class BoardLayout:
    """1014: 37 kinds, 37 numbers, the robber's hex."""

    game: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class BoardLayout2:
    """1084: parts such as HL, 37 and the kinds; NL, 37 and the numbers; RH and the robber's hex."""

    game: str
    encoding: int
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Turn:
    game: str
    seat: int
    state: int


@dataclass(frozen=True)
class GameState:
    game: str
    state: int


@dataclass(frozen=True)
class RollPrompt:
    game: str
    seat: int


@dataclass(frozen=True)
class RollDice:
    game: str


@dataclass(frozen=True)
class EndTurn:
    game: str


@dataclass(frozen=True)
class BuyCard:
    game: str


@dataclass(frozen=True)
class DiceResult:
    game: str
    total: int


@dataclass(frozen=True)
class Production:
    """1092: the cards each seat gets; see `gains`."""

    game: str
    numbers: tuple[int, ...]

    def gains(self) -> list[tuple[int, int, dict[int, int]]]:
        """Return seat, new hand size, and cards by kind, for each seat that gets any.

        >>> Production("t", (2, 0, 5, 2, 4, 0, 3, 4, 1, 1, 1, 5)).gains()
        [(0, 5, {4: 2}), (3, 4, {1: 1, 5: 1})]
        >>> Production("t", (2, 0, 5, 2, 4, 0, 3)).gains(), Production("t", (1, 0, 5, 2)).gains()
        ([(0, 5, {4: 2})], [(0, 5, {})])
        """
        rest, gains = list(self.numbers[1:]), []
        while len(rest) >= 2:
            seat, size, rest = rest[0], rest[1], rest[2:]
            cards: dict[int, int] = {}
            while len(rest) >= 2 and rest[0]:
                cards[rest[1]], rest = rest[0], rest[2:]
            gains.append((seat, size, cards))
            rest = rest[1:]
        return gains


@dataclass(frozen=True)
class Elements:
    """1086: `SET`, `GAIN` or `LOSE` as action, and pairs of kind and count."""

    game: str
    seat: int
    action: int
    pairs: tuple[int, ...]


@dataclass(frozen=True)
class Element:
    """1024: like `Elements`, for a single kind; 15 knights played, 19 a card played this turn."""

    game: str
    seat: int
    action: int
    what: int
    count: int


@dataclass(frozen=True)
class HandSize:
    game: str
    seat: int
    count: int


@dataclass(frozen=True)
class PutPiece:
    game: str
    seat: int
    piece: int
    place: int


@dataclass(frozen=True)
class CancelBuild:
    """1044: no (further) free road; from the server, a refusal, a card taken back, or (piece 1 in
    the set-up) the settlement placed last taken off the board.
    """

    game: str
    piece: int


@dataclass(frozen=True)
class MoveRobber:
    game: str
    seat: int
    tile: int


@dataclass(frozen=True)
class ChooseVictim:
    """1036: the flags of the four seats that can be robbed."""

    game: str
    can: tuple[bool, ...]


@dataclass(frozen=True)
class Victim:
    game: str
    seat: int


@dataclass(frozen=True)
class Robbery:
    """1102: `R`, the kind (6: hidden), the count, `T`."""

    game: str
    thief: int
    victim: int
    what: str
    kind: int
    count: int


@dataclass(frozen=True)
class DiscardRequest:
    game: str
    count: int


@dataclass(frozen=True)
class Discard:
    """The cards given up by kind, and those of unknown kind."""

    game: str
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Discarded:
    """1033 from the server: `p` and a seat, then the cards by kind."""

    game: str
    seat: str
    cards: tuple[int, ...]


@dataclass(frozen=True)
class BankTrade:
    """Five counts given, five got."""

    game: str
    counts: tuple[int, ...]


@dataclass(frozen=True)
class BankTraded:
    """1040 from the server: five counts given, five got, and the trader's seat."""

    game: str
    counts: tuple[int, ...]


@dataclass(frozen=True)
class MakeOffer:
    """The maker, flags of the four addressed, five counts given and five wanted."""

    game: str
    seat: int
    to_0: bool
    to_1: bool
    to_2: bool
    to_3: bool
    counts: tuple[int, ...]


@dataclass(frozen=True)
class RejectOffer:
    game: str
    seat: int
    reason: tuple[int, ...] = ()


@dataclass(frozen=True)
class AcceptOffer:
    """Taker and maker; the server adds the cards that each of them gets."""

    game: str
    taker: int
    maker: int
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class ClearOffer:
    game: str
    seat: int


@dataclass(frozen=True)
class CardAction:
    """1046: 0 drawn, 1 played, 3 and 2 in hand, 4 refused; the cards' codes."""

    game: str
    seat: int
    action: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class PlayCard:
    game: str
    card: int


@dataclass(frozen=True)
class PickMonopoly:
    game: str
    kind: int


@dataclass(frozen=True)
class PickCards:
    """A year of plenty's cards by kind; the server adds the seat."""

    game: str
    counts: tuple[int, ...]


@dataclass(frozen=True)
class SimpleAction:
    """1090: 1 a card was bought, 3 a monopoly's takings."""

    game: str
    seat: int
    action: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class GameElements:
    """1096: pairs of topic (2 deck, 4 on turn, 5 largest army, 6 longest road) and value."""

    game: str
    pairs: tuple[int, ...]


@dataclass(frozen=True)
class GameStats:
    """1061: the end, four points and four flags; before the end a different form."""

    game: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class DeclinedAction:
    """1104: the state, and the reason for a refusal."""

    game: str
    state: int
    reason: tuple[str, ...]


@dataclass(frozen=True)
class OlderTurn:
    """1026 of version 1.1: the state is announced before it."""

    game: str
    seat: int


@dataclass(frozen=True)
class SetTurn:
    """1055 of version 1.1: the winner, before the state that ends the game."""

    game: str
    seat: int


@dataclass(frozen=True)
class BuildRequest:
    """1043 of version 1.1: a piece is paid for before it is put; 0 road, 1 settlement, 2 city."""

    game: str
    piece: int


@dataclass(frozen=True)
class GameText:
    """1010: what a member, or the server, says to the game."""

    game: str
    name: str
    text: str


BOTH: Table = {
    9998: lobby.Version,
    9999: lobby.Ping,
    1009: PutPiece,
    1011: lobby.LeaveGame,
    1012: lobby.SitDown,
    1034: MoveRobber,
    1037: RejectOffer,
    1038: ClearOffer,
    1039: AcceptOffer,
    1041: MakeOffer,
    1044: CancelBuild,
    1018: lobby.StartGame,
    1052: PickCards,
}
"""Messages with the same form in both directions."""

FROM_CLIENT: Table = {
    **BOTH,
    1013: lobby.JoinGame,
    1022: lobby.ImARobot,
    1031: RollDice,
    1032: EndTurn,
    1033: Discard,
    1035: Victim,
    1040: BankTrade,
    1045: BuyCard,
    1049: PlayCard,
    1053: PickMonopoly,
    1076: lobby.Vote,
    1078: lobby.NewGame,
}

FROM_SERVER: Table = {
    **BOTH,
    1014: BoardLayout,
    1015: lobby.DeleteGame,
    1017: lobby.Members,
    1021: lobby.Joined,
    1023: lobby.AskedToJoin,
    1024: Element,
    1025: GameState,
    1026: Turn,
    1028: DiceResult,
    1029: DiscardRequest,
    1033: Discarded,
    1036: ChooseVictim,
    1040: BankTraded,
    1046: CardAction,
    1056: lobby.StandUp,
    1059: lobby.Refused,
    1061: GameStats,
    1063: HandSize,
    1069: lobby.Status,
    1071: lobby.RobotAccepted,
    1072: RollPrompt,
    1074: lobby.ResetTable,
    1075: lobby.VoteRequest,
    1079: lobby.GameOptions,
    1083: lobby.GameList,
    1084: BoardLayout2,
    1086: Elements,
    1090: SimpleAction,
    1092: Production,
    1096: GameElements,
    1102: Robbery,
    1104: DeclinedAction,
}

OLDER_FROM_CLIENT: Table = {**FROM_CLIENT, 1010: GameText, 1043: BuildRequest}
OLDER_FROM_SERVER: Table = {**FROM_SERVER, 1010: GameText, 1026: OlderTurn, 1055: SetTurn}
"""Messages of version 1.1; see `older`."""

NUMBERS = {
    layout: number
    for table in (OLDER_FROM_CLIENT, OLDER_FROM_SERVER, FROM_CLIENT, FROM_SERVER)
    for number, layout in table.items()
}
