"""Servers of version 1.1, StacSettlers' among them: their messages as version 2.7 has them.

`>` marks what a seat sends.

| version 2.7 | version 1.1 |
|---|---|
| Turn (1026) with its state | GameState (1025), then OlderTurn (1026), if the seat changes |
| > PutPiece (1009) | > BuildRequest (1043); Element (1024); GameState of a paid piece; > PutPiece |
| Robbery (1102), Discarded (1033), BankTraded (1040) | Element (1024) for each kind of card |
| PickCards (1052), SimpleAction (1090) | likewise; the state gives the meaning |
| AcceptOffer (1039), ClearOffer (1038) | Element (1024), ClearOffer, AcceptOffer |
| CardAction (1046), PlayCard (1049): 9 a knight, 0 hidden | 0 a knight, 9 hidden |
| DeclinedAction (1104) | CancelBuild (1044) with piece -2 |

Where players trade by chat (`chat`), so does this seat, and it says what they wait for.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from catan_env.protocols.jsettlers import chat, lobby, states
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.cards import TOOK
from catan_env.protocols.jsettlers.places import UNKNOWN
from catan_env.protocols.jsettlers.robbery import RESOURCE
from catan_env.protocols.jsettlers.speech import KINDS

ROLLED = 21
"""A state that precedes the cards of a roll, and MAIN."""
NEXT_ROUND = {6: 10, 11: states.ROLL}
"""The state after a road of the set-up in which the same seat continues."""
HELD = frozenset((5, 10, states.ROLL))
"""States that a message about the seat on turn follows."""
ROBBING = frozenset((states.ROBBER, states.VICTIM))
REFUSED_CARD = -2
"""The piece of a `CancelBuild` that refuses a development card."""
_SWAPPED = {0: 9, 9: 0}


class Interpreter:
    """Translates the messages of all games on one connection."""

    def __init__(self) -> None:
        self._games: dict[str, OlderGame] = {}

    def hear(self, message: Any) -> list[Any]:
        """Return a message of the server in the words of version 2.7."""
        if isinstance(message, lobby.AskedToJoin):
            self._games[message.game] = OlderGame(message.game, message.seat)
        game = self._games.get(getattr(message, "game", ""))
        if isinstance(message, lobby.DeleteGame):
            self._games.pop(message.game, None)
        return [message] if game is None else list(game.hear(message))

    def say(self, message: Any) -> list[Any]:
        """Return a message of the agent in the words of version 1.1."""
        game = self._games.get(getattr(message, "game", ""))
        if isinstance(message, lobby.LeaveGame):
            self._games.pop(message.game, None)
        return [message] if game is None else game.say(message)

    def owed(self) -> list[Any]:
        """Return, once, what is to be sent without a decision of the agent."""
        owed = [message for game in self._games.values() for message in game.owed]
        for game in self._games.values():
            game.owed.clear()
        return owed


class OlderGame:
    """One game, of which `seat` is ours; `owed` is to be sent without a decision of the agent."""

    def __init__(self, name: str, seat: int) -> None:
        self.owed: list[Any] = []
        self._game = name
        self._seat = seat
        self._names: dict[str, int] = {}
        self._state = 0
        self._turn_seat = -1
        self._held: int | None = None
        """A state whose seat is still to be announced."""
        self._moved: list[m.Element] = []
        """Cards that changed hands, until it is clear why."""
        self._is_robbing = False
        self._traded: list[m.Element] = []
        """The cards of a trade between seats, until its message."""
        self._cleared: list[m.ClearOffer] = []
        """Offers that such a trade has ended."""
        self._piece: m.PutPiece | None = None
        """A piece of ours that is being paid for."""
        self._chats = False
        """True if the players trade by chat."""
        self._is_ready = False
        """True if this turn's `chat.READY` has been said."""
        self._maker: int | None = None
        """The last seat to make us an offer."""
        self._asked: int | None = None
        """The seat that our offer names."""

    def hear(self, message: Any) -> Iterator[Any]:
        """Yield the messages of version 2.7 that `message` completes."""
        if _is_move(message):
            self._moved.append(message)
            return
        moved, self._moved = self._moved, []
        if moved:
            yield from self._explained(moved)
        heard = _HEARD.get(type(message))
        if heard is None:
            yield message
        else:
            yield from heard(self, message)

    def say(self, message: Any) -> list[Any]:
        """Return a message of the agent in the words of version 1.1."""
        said = _SAID.get(type(message))
        return [message] if said is None else said(self, message)

    def _turn(self, message: m.OlderTurn) -> Iterator[Any]:
        self._turn_seat, self._is_ready = message.seat, False
        state, self._held = self._state, None
        yield m.Turn(self._game, message.seat, state)

    def _set_turn(self, message: m.SetTurn) -> Iterator[Any]:
        if self._state in states.ASKED and message.seat not in (-1, self._turn_seat):
            self._turn_seat = message.seat
            yield m.Turn(self._game, message.seat, states.OVER)

    def _prompt(self, message: m.RollPrompt) -> Iterator[Any]:
        if self._held == states.ROLL:
            self._held = None
            yield m.GameState(self._game, states.ROLL)
        yield message

    def _hear_state(self, message: m.GameState) -> Iterator[Any]:
        state, before = message.state, self._state
        if state == ROLLED:
            return
        self._state = state
        self._is_robbing = self._is_robbing and state in ROBBING
        if NEXT_ROUND.get(before) == state:
            yield m.Turn(self._game, self._turn_seat, state)
        elif state in HELD:
            self._held = state
        elif state in states.PAID:
            self._put()
        else:
            yield message
            self._say_ready()

    def _put(self) -> None:
        """Put the piece that has been paid for."""
        if self._piece is not None:
            self.owed.append(self._piece)
        self._piece = None

    def _cancelled(self, message: m.CancelBuild) -> Iterator[Any]:
        """A refusal; what was paid for a piece is asked back."""
        self._piece = None
        if message.piece == REFUSED_CARD:
            yield m.DeclinedAction(self._game, self._state, ())
            return
        if self._state in states.PAID and self._turn_seat == self._seat:
            self.owed.append(message)
        yield message

    def _card(self, message: m.CardAction) -> Iterator[Any]:
        yield replace(message, cards=tuple(_SWAPPED.get(card, card) for card in message.cards))

    def _robber(self, message: m.MoveRobber) -> Iterator[Any]:
        self._is_robbing = True
        yield message

    def _explained(self, moved: list[m.Element]) -> Iterator[Any]:
        """Yield what the cards changed hands for; nothing if another message says it."""
        if self._is_robbing:
            yield from self._robbery(moved)
        elif self._state == states.DISCARDS:
            yield from self._discards(moved)
        elif self._state == states.PLENTY:
            yield m.PickCards(self._game, tuple(_counts(moved, self._turn_seat, m.GAIN)))
        elif self._state == states.MONOPOLY:
            yield from self._monopoly(moved)
        elif self._state == states.MAIN:
            yield from self._trade(moved)

    def _discards(self, moved: list[m.Element]) -> Iterator[Any]:
        """Other seats' cards are hidden, also where the server shows them to all."""
        for seat in sorted({move.seat for move in moved}):
            lost = _counts(moved, seat, m.LOSE, UNKNOWN)
            if seat != self._seat:
                lost = [0] * KINDS + [sum(lost)]
            yield m.Discarded(self._game, f"p{seat}", tuple(lost))

    def _robbery(self, moved: list[m.Element]) -> Iterator[Any]:
        self._is_robbing = False
        thieves = [move.seat for move in moved if move.action == m.GAIN]
        lost = [move for move in moved if move.action == m.LOSE]
        if thieves and lost:
            victim, kind = lost[0].seat, lost[0].what
            yield m.Robbery(self._game, thieves[0], victim, RESOURCE, kind, 1)

    def _monopoly(self, moved: list[m.Element]) -> Iterator[Any]:
        yield from (move for move in moved if move.action == m.LOSE)
        for move in moved:
            if move.action == m.GAIN:
                values = (move.count, move.what)
                yield m.SimpleAction(self._game, move.seat, TOOK, values)

    def _trade(self, moved: list[m.Element]) -> Iterator[Any]:
        """A trade with the bank, or with another seat: then its message follows."""
        if len({move.seat for move in moved}) > 1:
            self._traded = moved
        elif len({move.action for move in moved}) > 1:
            seat = moved[0].seat
            counts = _counts(moved, seat, m.LOSE) + _counts(moved, seat, m.GAIN)
            yield m.BankTraded(self._game, (*counts, seat))

    def _accept(self, message: m.AcceptOffer) -> Iterator[Any]:
        moved, self._traded = self._traded, []
        cleared, self._cleared = self._cleared, []
        self._asked = None
        counts = _counts(moved, message.maker, m.LOSE) + _counts(moved, message.maker, m.GAIN)
        yield replace(message, counts=tuple(counts))
        yield from cleared

    def _clear(self, message: m.ClearOffer) -> Iterator[Any]:
        if self._traded:
            self._cleared.append(message)
        elif self._held is None:  # else the turn has ended
            yield message

    def _text(self, message: m.GameText) -> Iterator[Any]:
        """Take part in trades by chat; what others claim to say in a player's name is ignored."""
        seat = self._names.get(message.name)
        if seat is None or (seat == self._seat and not self._chats):
            return
        if message.text == chat.TAKES_PART and not self._chats:
            self._chats = True
            self._chat(chat.TAKES_PART)
        meant = chat.from_text(self._game, message.text) if self._chats else None
        if meant is None or meant.seat != seat:
            return
        if isinstance(meant, m.MakeOffer):
            yield from self._offer(meant)
        elif meant.to == self._seat:
            yield from self._answer(meant)

    def _offer(self, offer: m.MakeOffer) -> Iterator[Any]:
        named = (offer.to_0, offer.to_1, offer.to_2, offer.to_3)
        if named[self._seat]:
            self._maker = offer.seat
        elif offer.seat != self._seat:
            self._chat(chat.answer(self._seat, offer.seat, chat.NO_ANSWER))
        yield offer

    def _answer(self, answer: chat.Answer) -> Iterator[Any]:
        """An answer to our offer: a trade is made once we accept its acceptance."""
        if answer.word != chat.ACCEPTED:
            yield m.RejectOffer(self._game, answer.seat)
        elif answer.seat == self._asked:
            self._chat(chat.answer(self._seat, answer.seat, chat.ACCEPTED))

    def _say_ready(self) -> None:
        if self._chats and self._state == states.MAIN and not self._is_ready:
            self._is_ready = True
            self._chat(chat.READY)

    def _chat(self, text: str) -> None:
        self.owed.append(self._text_of(text))

    def _text_of(self, text: str) -> m.GameText:
        return m.GameText(self._game, "-", text)

    def _sat(self, message: lobby.SitDown) -> Iterator[Any]:
        self._names = {name: seat for name, seat in self._names.items() if seat != message.seat}
        self._names[message.name] = message.seat
        yield message

    def _say_piece(self, message: m.PutPiece) -> list[Any]:
        if self._state != states.MAIN:
            return [message]
        self._piece = message
        return [m.BuildRequest(self._game, message.piece)]

    def _say_card(self, message: m.PlayCard) -> list[Any]:
        return [replace(message, card=_SWAPPED.get(message.card, message.card))]

    def _say_offer(self, message: m.MakeOffer) -> list[Any]:
        if not self._chats:
            return [message]
        named = (message.to_0, message.to_1, message.to_2, message.to_3)
        self._asked = named.index(True)
        return [self._text_of(chat.to_text(message))]

    def _say_clear(self, message: m.ClearOffer) -> list[Any]:
        self._asked = None
        return [message]

    def _say_acceptance(self, message: m.AcceptOffer) -> list[Any]:
        if not self._chats:
            return [message]
        return [self._text_of(chat.answer(self._seat, message.maker, chat.ACCEPTED))]

    def _say_refusal(self, message: m.RejectOffer) -> list[Any]:
        if not self._chats or self._maker is None:
            return [message]
        return [self._text_of(chat.answer(self._seat, self._maker, chat.REFUSED))]


def _is_move(message: Any) -> bool:
    """True if cards change hands."""
    is_change = isinstance(message, m.Element) and message.action in (m.GAIN, m.LOSE)
    return is_change and 1 <= message.what <= UNKNOWN


def _counts(moved: list[m.Element], seat: int, action: int, last: int = KINDS) -> list[int]:
    """Return the cards that a seat gains or loses, by code from 1 to `last`."""
    counts = [0] * last
    for move in moved:
        if (move.seat, move.action) == (seat, action) and move.what <= last:
            counts[move.what - 1] += move.count
    return counts


_HEARD: dict[type, Callable[[OlderGame, Any], Iterator[Any]]] = {
    m.OlderTurn: OlderGame._turn,
    m.SetTurn: OlderGame._set_turn,
    m.RollPrompt: OlderGame._prompt,
    m.GameState: OlderGame._hear_state,
    m.CancelBuild: OlderGame._cancelled,
    m.CardAction: OlderGame._card,
    m.MoveRobber: OlderGame._robber,
    m.AcceptOffer: OlderGame._accept,
    m.ClearOffer: OlderGame._clear,
    m.GameText: OlderGame._text,
    lobby.SitDown: OlderGame._sat,
}
_SAID: dict[type, Callable[[OlderGame, Any], list[Any]]] = {
    m.PutPiece: OlderGame._say_piece,
    m.PlayCard: OlderGame._say_card,
    m.MakeOffer: OlderGame._say_offer,
    m.ClearOffer: OlderGame._say_clear,
    m.AcceptOffer: OlderGame._say_acceptance,
    m.RejectOffer: OlderGame._say_refusal,
}
