"""The bridge that seats a policy at a server: bytes in, policy asked, bytes out."""

from collections.abc import Callable, Iterator
from typing import Any, TextIO

from catan_env.game.action import Action, ActionKind
from catan_env.game.view import SeatView
from catan_env.net.framing import Connection
from catan_env.protocols.catan_binary.announcements import side
from catan_env.protocols.catan_binary.follow import Follower
from catan_env.protocols.catan_binary.messages import (
    NOTHING,
    BinaryCodec,
    Build,
    Buildable,
    DevCard,
    Message,
    Pass,
    Play,
    Rob,
    Roll,
    Trade,
    TradeAccept,
    TradeReject,
)
from catan_env.protocols.catan_binary.places import EDGE_POS, TILE_POS, VERT_POS

Decide = Callable[[SeatView], int]
"""A policy's `act`: the flat index of a legal action."""


class Agent:
    """One seat of a game; `decide` is asked whenever it is this seat's decision.

    `receive` takes bytes of any length and gives the bytes to send. `announced` says whether the
    server announces what a seat cannot compute; None finds out. What is heard is written to `log`.
    """

    def __init__(
        self, decide: Decide, announced: bool | None = None, log: TextIO | None = None
    ) -> None:
        self._decide = decide
        self._follower = Follower(announced)
        self._log = log
        self._connection: Connection[Message] = Connection(BinaryCodec(order=None))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._follower.is_over

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        return self._follower.winner

    @property
    def awaits_announcement(self) -> bool:
        """Whether `hear_nothing` is due when nothing comes for a while."""
        return self._follower.awaits_announcement

    @property
    def follower(self) -> Follower:
        """What the agent knows."""
        return self._follower

    def receive(self, data: bytes) -> Iterator[bytes]:
        """Hear what the server sent; what to send, a piece for each decision.

        Raises RemoteProtocolError.
        """
        for message in self._connection.receive(data):
            if self._log is not None:
                print(message, file=self._log, flush=True)
            self._follower.hear(message)
            yield from self._play()

    def hear_nothing(self) -> Iterator[bytes]:
        """Go on as `receive` does when an awaited announcement does not come."""
        self._follower.hear_nothing()
        yield from self._play()

    def _play(self) -> Iterator[bytes]:
        """Decide as long as it is this seat's decision."""
        while self._follower.is_asked:
            view = self._follower.view
            action = Action.from_index(int(self._decide(view)))
            messages = to_messages(view, action)
            self._follower.say(action, messages)
            yield b"".join(map(self._connection.send, messages))


def to_messages(view: SeatView, action: Action) -> list[Message]:
    """How the viewer says a legal `action`."""
    return _SAID[action.kind](view, view.viewer, *action.args)


def _plenty(_: SeatView, seat: int, a: int, b: int) -> list[Message]:
    asks = [side(a, 2)] if a == b else [side(a, 1), side(b, 1)]
    played = Play(seat, DevCard.YEAR_OF_PLENTY)
    return [played, *(Trade(seat, seat, NOTHING, ask) for ask in asks)]


def _bank_trade(view: SeatView, seat: int, give: int, get: int, rate: int | None) -> list[Message]:
    rate = view.trade_rates(seat)[give] if rate is None else rate
    return [Trade(seat, seat, side(give, rate), side(get, 1))]


def _offer(view: SeatView, seat: int, to: int, give: Any, get: Any) -> list[Message]:
    """The wire knows one resource a side."""
    ((gives, n),) = ((r, n) for r, n in enumerate(give) if n)
    ((gets, m),) = ((r, n) for r, n in enumerate(get) if n)
    return [Trade(seat, (seat + to) % view.seats, side(gives, n), side(gets, m))]


def _robber(view: SeatView, seat: int, tile: int, victim: int | None) -> list[Message]:
    return [Rob(TILE_POS[tile], (seat + (victim or 0)) % view.seats)]


_SAID: dict[ActionKind, Callable[..., list[Message]]] = {
    ActionKind.ROLL: lambda view, seat: [Roll()],
    ActionKind.END_TURN: lambda view, seat: [Pass()],
    ActionKind.BUY_DEVELOPMENT_CARD: lambda view, seat: [Build(seat, Buildable.DEVELOPMENT_CARD)],
    ActionKind.PLAY_KNIGHT: lambda view, seat: [Play(seat, DevCard.KNIGHT)],
    ActionKind.PLAY_ROAD_BUILDING: lambda view, seat: [Play(seat, DevCard.ROAD_BUILDING)],
    ActionKind.PLAY_YEAR_OF_PLENTY: _plenty,
    ActionKind.PLAY_MONOPOLY: lambda view, seat, resource: [
        Play(seat, DevCard.MONOPOLY),
        Trade(seat, seat, NOTHING, side(resource, 0)),
    ],
    ActionKind.ACCEPT: lambda view, seat: [TradeAccept(seat, view.turn_seat)],
    ActionKind.REJECT: lambda view, seat: [TradeReject(seat, view.turn_seat)],
    ActionKind.BANK_TRADE: _bank_trade,
    ActionKind.SETTLEMENT: lambda view, seat, vertex: [
        Build(seat, Buildable.SETTLEMENT, vertpos=VERT_POS[vertex])
    ],
    ActionKind.CITY: lambda view, seat, vertex: [
        Build(seat, Buildable.CITY, vertpos=VERT_POS[vertex])
    ],
    ActionKind.ROAD: lambda view, seat, edge: [Build(seat, Buildable.ROAD, edgepos=EDGE_POS[edge])],
    ActionKind.MOVE_ROBBER: _robber,
    ActionKind.OFFER: _offer,
}
