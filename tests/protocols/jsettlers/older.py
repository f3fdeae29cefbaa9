"""A connection to a server of version 1.1: what a server of version 2.7 says, as 1.1 says it."""

from collections.abc import Iterator, Sequence
from typing import Any

from catan_env.game.event import Event
from catan_env.net import Connection
from catan_env.protocols.jsettlers import chat, lobby, places
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.agent import Agent
from catan_env.protocols.jsettlers.framing import FrameCodec
from tests.protocols.jsettlers.line import Line
from tests.protocols.jsettlers.server import Server

VERSION = lobby.Version(1113, "1.1.13", "build")
GAIN, LOSE = 101, 102
PRICES = ((1, 0, 0, 0, 1), (1, 0, 1, 1, 1), (0, 3, 0, 2, 0))
"""Of a road, a settlement and a city, in the order of the codes."""
SERVER = "Server"


class OlderLine(Line):
    """The agent's connection; `chats` is True if the players trade by chat."""

    def __init__(self, agent: Agent, chats: bool = False) -> None:
        super().__init__(agent)
        self._in = Connection(FrameCodec(m.OLDER_FROM_CLIENT))
        self.chats = chats
        self.texts: list[str] = []
        """The agent's texts."""
        self._seat = -1
        self._state = self._turn_seat = -1
        self._maker = -1
        self._is_cleared = False
        self._names: dict[int, str] = {}

    def begin(self) -> list[Any]:
        """Return the agent's first messages."""
        return super().begin() + super().say(VERSION)

    def say(self, *messages: Any) -> list[Any]:
        """Return the agent's answers, as version 2.7 has them."""
        return [
            answer
            for message in messages
            for older in self._older(message)
            for answer in self._newer(super(OlderLine, self).say(older))
        ]

    def wait(self, seconds: float) -> list[Any]:
        """Return the agent's messages after that many seconds of silence."""
        return list(self._newer(super().wait(seconds)))

    # The server's messages.

    def _older(self, message: Any) -> Iterator[Any]:
        said = getattr(self, f"_{type(message).__name__.lower()}", None)
        if said is None:
            yield message
        else:
            yield from said(message)

    def _askedtojoin(self, message: lobby.AskedToJoin) -> Iterator[Any]:
        self._seat = message.seat
        yield message

    def _sitdown(self, message: lobby.SitDown) -> Iterator[Any]:
        self._names[message.seat] = message.name
        yield message

    def _startgame(self, message: lobby.StartGame) -> Iterator[Any]:
        yield message
        for seat, name in self._names.items():
            if self.chats and seat != self._seat:
                yield m.GameText(message.game, name, chat.TAKES_PART)

    def _turn(self, message: m.Turn) -> Iterator[Any]:
        before, self._state = self._state, message.state
        is_same = self._turn_seat == message.seat and (before, message.state) in ((6, 10), (11, 15))
        self._turn_seat = message.seat
        if message.state == 1000:
            yield m.SetTurn(message.game, message.seat)
        yield m.GameState(message.game, message.state)
        if not is_same and message.state != 1000:
            yield m.OlderTurn(message.game, message.seat)

    def _gamestate(self, message: m.GameState) -> Iterator[Any]:
        self._state = message.state
        yield message

    def _gameelements(self, message: m.GameElements) -> Iterator[Any]:
        if message.pairs[0] == 4:
            yield m.SetTurn(message.game, message.pairs[1])

    def _diceresult(self, message: m.DiceResult) -> Iterator[Any]:
        yield message
        if message.total != 7:
            yield m.GameState(message.game, 21)

    def _production(self, message: m.Production) -> Iterator[Any]:
        for seat, size, cards in message.gains():
            yield from (m.Element(message.game, seat, GAIN, kind, n) for kind, n in cards.items())
            yield m.HandSize(message.game, seat, size)

    def _elements(self, message: m.Elements) -> Iterator[Any]:
        for what, n in zip(message.pairs[::2], message.pairs[1::2], strict=True):
            yield m.Element(message.game, message.seat, message.action, what, n)

    def _cardaction(self, message: m.CardAction) -> Iterator[Any]:
        cards = tuple({0: 9, 9: 0}.get(card, card) for card in message.cards)
        yield m.CardAction(message.game, message.seat, message.action, cards)

    def _robbery(self, message: m.Robbery) -> Iterator[Any]:
        yield m.Element(message.game, message.thief, GAIN, message.kind, 1)
        yield m.Element(message.game, message.victim, LOSE, message.kind, 1)
        yield m.GameText(message.game, SERVER, "1 stole a resource from 2")

    def _discarded(self, message: m.Discarded) -> Iterator[Any]:
        yield from moves(message.game, int(message.seat[1:]), LOSE, message.cards)
        yield m.GameText(message.game, SERVER, "1 discarded 4 resources.")

    def _banktraded(self, message: m.BankTraded) -> Iterator[Any]:
        yield from moves(message.game, message.counts[10], LOSE, message.counts[:5])
        yield from moves(message.game, message.counts[10], GAIN, message.counts[5:10])
        yield m.GameText(message.game, SERVER, "1 traded 4 ore for 1 clay from the bank.")

    def _pickcards(self, message: m.PickCards) -> Iterator[Any]:
        yield from moves(message.game, message.counts[5], GAIN, message.counts[:5])
        yield m.GameText(message.game, SERVER, "1 received 2 ore from the bank.")

    def _simpleaction(self, message: m.SimpleAction) -> Iterator[Any]:
        yield m.GameText(message.game, SERVER, "There are 5 cards left.")

    def _makeoffer(self, message: m.MakeOffer) -> Iterator[Any]:
        self._maker = message.seat
        yield self._text(message.seat, chat.to_text(message)) if self.chats else message

    def _rejectoffer(self, message: m.RejectOffer) -> Iterator[Any]:
        if self.chats and message.seat == self._seat:
            return
        text = chat.answer(message.seat, self._maker, chat.REFUSED)
        yield self._text(message.seat, text) if self.chats else message

    def _acceptoffer(self, message: m.AcceptOffer) -> Iterator[Any]:
        """A trade: one that the agent offered by chat is made once it confirms."""
        game, taker, maker = message.game, message.taker, message.maker
        if self.chats and maker == self._seat:
            text = chat.answer(taker, maker, chat.ACCEPTED)
            (said,) = super().say(self._text(taker, text))
            assert chat.from_text(game, said.text) == chat.Answer(maker, taker, chat.ACCEPTED)
        for action, cards in ((LOSE, message.counts[:5]), (GAIN, message.counts[5:])):
            yield from moves(game, maker, action, cards)
            yield from moves(game, taker, GAIN + LOSE - action, cards)
        yield m.GameText(game, SERVER, "1 traded 1 ore for 1 clay from 2.")
        yield from (m.ClearOffer(game, seat) for seat in (maker, taker))
        yield m.AcceptOffer(game, taker, maker)
        self._is_cleared = True

    def _clearoffer(self, message: m.ClearOffer) -> Iterator[Any]:
        if not self._is_cleared:
            yield message
        self._is_cleared = False

    def _text(self, seat: int, text: str) -> m.GameText:
        return m.GameText("table", self._names[seat], text)

    # The agent's messages.

    def _newer(self, said: Sequence[Any]) -> Iterator[Any]:
        for message in said:
            if isinstance(message, m.BuildRequest):
                yield from self._sell(message)
            elif isinstance(message, m.PlayCard):
                yield m.PlayCard(message.game, 9 if message.card == 0 else message.card)
            elif isinstance(message, m.GameText):
                yield from self._meant(message)
            else:
                yield message

    def _sell(self, message: m.BuildRequest) -> list[Any]:
        """Return the agent's answer to a piece that has been paid for."""
        paid = [*moves(message.game, self._turn_seat, LOSE, PRICES[message.piece])]
        return super().say(*paid, m.GameState(message.game, 30 + message.piece))

    def _meant(self, message: m.GameText) -> Iterator[Any]:
        self.texts.append(message.text)
        meant = chat.from_text(message.game, message.text)
        if isinstance(meant, m.MakeOffer):
            yield meant
        elif meant is not None and meant.word == chat.ACCEPTED:
            yield m.AcceptOffer(message.game, meant.seat, meant.to)
        elif meant is not None and meant.word == chat.REFUSED:
            yield m.RejectOffer(message.game, meant.seat)


class OlderServer(Server):
    """A server whose messages about a monopoly are those of version 1.1."""

    def tell(self, event: Event, before: Any) -> None:
        """Announce an event."""
        if event.action.kind.name != "PLAY_MONOPOLY":
            super().tell(event, before)
            return
        kind = places.to_code(event.action.args[0])
        for seat, n in enumerate(event.outcome):
            self.say(m.Element(self.name, seat, LOSE, kind, n))
        self.say(m.Element(self.name, event.seat, GAIN, kind, sum(event.outcome)))
        self.say(m.GameText(self.name, SERVER, "1 monopolized ore."))
        self.go_on()


def moves(game: str, seat: int, action: int, cards: Sequence[int]) -> Iterator[m.Element]:
    """Yield one message for each kind of card."""
    for kind, n in enumerate(cards, 1):
        if n:
            yield m.Element(game, seat, action, kind, n)
