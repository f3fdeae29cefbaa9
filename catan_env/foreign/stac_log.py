"""StacSettlers' logs (the STAC corpus' `.soclog` files), as a game of ours.

StacSettlers is a version of JSettlers 1.1. Its log has what clients send and what the server
answers, without saying which is which: a piece counts if the server's text announces it, the
robber if it is written twice, and choices, trades, thefts and discards as the server moves the
cards. The server's text also has both dice, and says that a trade is done or a settlement taken
back.
"""

import re
from typing import Any, ClassVar

from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.foreign.jsettlers_lines import Message, is_stac, lines_of
from catan_env.foreign.jsettlers_reading import Reading, by_resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.game import Game
from catan_env.protocols.jsettlers import places
from catan_env.protocols.jsettlers.cards import DRAWN, PLAYED
from catan_env.protocols.jsettlers.messages import GAIN, LOSE, SET
from catan_env.protocols.jsettlers.places import UNKNOWN
from catan_env.protocols.jsettlers.speech import SETTLEMENT, listed

HIDDEN_CARD = 9
CARDS = {
    0: DevelopmentCard.KNIGHT,
    1: DevelopmentCard.ROAD_BUILDING,
    2: DevelopmentCard.YEAR_OF_PLENTY,
    3: DevelopmentCard.MONOPOLY,
    **dict.fromkeys(range(4, 9), DevelopmentCard.VICTORY_POINT),
}
_ROLLED = re.compile(r" rolled a ([1-6]) and a ([1-6])\.?$")


def is_one(text: Any) -> bool:
    """True if a file's text looks like a log of StacSettlers."""
    return isinstance(text, str) and is_stac(text)


def read(data: bytes, points_to_win: int) -> tuple[Game, tuple[str, ...]]:
    """The game in a log of StacSettlers, and the players' names by seat; ForeignError."""
    return Stac(points_to_win).read(lines_of(data.decode("utf-8", "replace")), stac=True)


class Stac(Reading):
    """A game that is played from a log of StacSettlers."""

    def __init__(self, points_to_win: int) -> None:
        super().__init__(points_to_win)
        self._is_announced = False
        """True if the server has announced a piece that it is about to place."""
        self._moved: tuple[int, int] | None = None
        """A robber's move that a client has asked for."""
        self._gained: tuple[int, int] | None = None
        """A seat and the kind of a card that it steals."""
        self._sides: dict[tuple[int, int], list[int]] = {}
        """Cards that have just been moved, by seat and direction."""
        self._choice: Action | None = None
        self._given_up: dict[int, list[int]] = {}
        """Discards by seat, until their number completes them."""

    def _is_within_step(self) -> bool:
        return super()._is_within_step() or bool(self._given_up)

    def _hear(self, message: Message) -> None:
        if message.name not in ("SOCPlayerElement", "SOCGameTextMsg"):
            self._sides = {}
        super()._hear(message)

    def text(self, message: Message) -> None:
        """Read the server's text: pieces, dice, trades, refusals."""
        if "|nickname=Server|" not in message.text:
            return
        sides, self._sides = self._sides, {}
        self._is_announced = " built a " in message.text
        dice = _ROLLED.search(message.text)
        if dice is not None and self._total:
            pair = (int(dice[1]), int(dice[2]))
            if sum(pair) != self._total:
                raise ValueError(f"the dice are {pair}, their sum is {self._total}")
            self._total = 0
            self._act(self.game.seat, Action.roll(), pair)
        elif " traded " in message.text and sides:
            self._trade(sides)
        elif "|text=You can't" in message.text:
            self._choice = None
        elif " cancelled this settlement placement" in message.text:
            self.take_back(SETTLEMENT)

    def dice(self, message: Message) -> None:
        """Note the sum of the dice; the server's text has both."""
        if self._total:
            raise ValueError("the text with the dice is missing before it")
        self._total = message.number("param")

    def put_announced(self, message: Message) -> None:
        """Place a piece that the server has announced."""
        if self._is_announced:
            self._is_announced = False
            self.put(message)

    def cancel(self, message: Message) -> None:
        """Pass by in the set-up, where the server's text takes a settlement back."""
        if self.game.turn > 0:
            super().cancel(message)

    def robber(self, message: Message) -> None:
        """Move the robber when the server repeats the client's message."""
        move = (message.number("playerNumber"), message.number("coord", 16))
        if self._moved != move:
            self._moved = move
            return
        self._moved = None
        self.steps.move_robber(self._seat(move[0]), places.tile_at(move[1]))

    def element(self, message: Message) -> None:
        """Follow cards: choices, thefts, discards and trades are what the server does with them."""
        if self._steps is None:
            return
        what, kind = message.number("actionType"), message.number("elementType")
        number, count = message.number("playerNum"), message.number("value")
        if kind > UNKNOWN or number not in self._order:
            return
        seat = self._seat(number)
        self._confirm()
        if what == SET and kind < UNKNOWN:
            self.check_cards(seat, kind, count)
        elif self.steps.is_robbing and kind < UNKNOWN:
            self._rob(seat, what, kind, count)
        elif self.game.phase == Phase.DISCARD and what == LOSE:
            self._discard(seat, kind, count)
        elif kind < UNKNOWN:
            side = self._sides.setdefault((seat, what), [0] * UNKNOWN)
            side[kind - 1] += count

    def _confirm(self) -> None:
        """Play a choice that the server carries out."""
        if self._choice is not None:
            action, self._choice = self._choice, None
            card = DevelopmentCard.MONOPOLY
            if action.kind == ActionKind.PLAY_YEAR_OF_PLENTY:
                card = DevelopmentCard.YEAR_OF_PLENTY
            self.choose(card, action)

    def _rob(self, seat: int, what: int, kind: int, count: int) -> None:
        if count != 1:
            raise ValueError(f"{count} cards are stolen")
        if what == GAIN:
            self._gained = (seat, kind)
        elif self._gained is not None and self._gained[1] == kind:
            (thief, _), self._gained = self._gained, None
            self.steps.rob(thief, seat, places.to_resource(kind))
        else:
            raise ValueError("a card is lost to the robber that no seat has gained")

    def _discard(self, seat: int, kind: int, count: int) -> None:
        """Collect a discard by kinds; its number, as cards of unknown kind, completes it."""
        cards = self._given_up.setdefault(seat, [0] * UNKNOWN)
        if kind < UNKNOWN:
            cards[kind - 1] += count
            return
        if sum(cards) != count:
            raise ValueError(f"{count} cards are discarded, of which {sum(cards)} are named")
        self.steps.discard(seat, listed(by_resource(self._given_up.pop(seat))))

    def _trade(self, sides: dict[tuple[int, int], list[int]]) -> None:
        """Trade what the server has just moved: between two seats, or with the bank."""
        seats = sorted({seat for seat, _ in sides}, key=lambda seat: seat != self.game.turn_seat)
        nothing = [0] * UNKNOWN
        give, get = (sides.get((seats[0], what), nothing) for what in (LOSE, GAIN))
        if len(seats) == 1:
            self.bank_trade(seats[0], give, get)
            return
        other = seats[1]
        mirrored = [sides.get((other, what), nothing) for what in (GAIN, LOSE)]
        if len(seats) > 2 or mirrored != [give, get]:
            raise ValueError("the sides of a trade get other cards than are given")
        self.steps.trade(seats[0], other, by_resource(give), by_resource(get))

    def plenty(self, message: Message) -> None:
        """Note two cards until the server gives them."""
        cards = listed(by_resource(message.six("resources")))
        if len(cards) != 2:
            raise ValueError(f"{len(cards)} cards are taken; the rules take two")
        self._choice = Action.play_year_of_plenty(*cards)

    def monopoly(self, message: Message) -> None:
        """Note a monopoly until the server moves the cards."""
        self._choice = Action.play_monopoly(places.to_resource(message.number("resource")))

    def card(self, message: Message) -> None:
        """Buy or play a development card."""
        what, code = message.number("actionType"), message.number("cardType")
        if what == DRAWN and code == HIDDEN_CARD:
            return
        if what not in (DRAWN, PLAYED) or code not in CARDS:
            raise ValueError(f"SOCDevCard has actionType {what} and cardType {code}")
        number = message.number("playerNum")
        if what == DRAWN:
            self._act(self._seat(number), Action.buy_development_card(), CARDS[code])
        else:
            self.play_card(number, CARDS[code])

    def count(self, message: Message) -> None:
        """Compare the size of a hand."""
        number, size = message.number("playerNumber"), message.number("count")
        if self._steps is not None and number in self._order:
            here = sum(self.steps.hand(self._seat(number)))
            if here != size:
                raise ValueError(f"seat {number} of the server has {size} cards, {here} here")

    handlers: ClassVar = {
        "SOCSitDown": Reading.sit,
        "SOCLeaveGame": Reading.leave,
        "SOCBoardLayout": Reading.lay,
        "SOCTurn": Reading.turn,
        "SOCGameTextMsg": text,
        "SOCPutPiece": put_announced,
        "SOCCancelBuildRequest": cancel,
        "SOCGameState": Reading.state,
        "SOCDiceResult": dice,
        "SOCPlayerElement": element,
        "SOCResourceCount": count,
        "SOCMoveRobber": robber,
        "SOCDiscard": Reading.pass_by,
        "SOCAcceptOffer": Reading.pass_by,
        "SOCBankTrade": Reading.pass_by,
        "SOCDevCard": card,
        "SOCDiscoveryPick": plenty,
        "SOCMonopolyPick": monopoly,
        "SOCGameStats": Reading.scores,
    }
