"""JSettlers' game event logs (`.soclog`, since 2.5), as a game of ours.

Besides what both programs' logs have, the sizes of hands and of the deck and the awards must agree
with our game. Trades are played as offers of the seat on turn; other offers are left out.
JSettlers announces the sum of the dice only: a game has two dice of that sum.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from catan_env.core.constants import DevelopmentCard
from catan_env.foreign.errors import ForeignError
from catan_env.foreign.jsettlers_lines import HEADER, Message, check_header, lines_of
from catan_env.foreign.jsettlers_reading import Reading, by_resource, numbers_in
from catan_env.game.action import Action
from catan_env.game.event import dice_of
from catan_env.game.game import Game
from catan_env.protocols.jsettlers import places
from catan_env.protocols.jsettlers.messages import Production
from catan_env.protocols.jsettlers.opening import CLASSIC, Agreement
from catan_env.protocols.jsettlers.places import UNKNOWN
from catan_env.protocols.jsettlers.speech import listed

ARMY, LONGEST_ROAD = "e5", "e6"
BOUGHT, MONOPOLIZED = 1, 3
"""Simple actions."""
PLENTY_REASON = 2


def read(data: bytes, points_to_win: int) -> tuple[Game, tuple[str, ...]]:
    """The game in a log of JSettlers, and the players' names by seat.

    `points_to_win` counts unless the log has them among its options. ForeignError if it breaks.
    """
    header, *rest = lines_of(data.decode("utf-8", "replace"))
    try:
        check_header(header)
    except ValueError as error:
        raise ForeignError(str(error)) from None
    return Recorded(points_to_win).read(["", *rest], stac=False)


def is_one(text: Any) -> bool:
    """True if a file's text looks like a log of JSettlers."""
    return isinstance(text, str) and text.startswith(HEADER)


class Recorded(Reading):
    """A game that is played from a log of JSettlers itself."""

    def __init__(self, points_to_win: int) -> None:
        super().__init__(points_to_win)
        self._stolen: tuple[int, int] | None = None
        self._checks: list[Callable[[], None]] = []
        """Comparisons that wait for a monopoly, whose cards move before it is announced."""

    def _hear(self, message: Message) -> None:
        if self._total and message.name not in ("SOCDiceResult", "SOCGameServerText"):
            total, self._total = self._total, 0
            self._act(self.game.seat, Action.roll(), dice_of(total))
        super()._hear(message)

    def options(self, message: Message) -> None:
        """Agree on the rules of the table."""
        points = self._rules.points_to_win
        agreed = Agreement([word for word in message.fields.get("param2", "").split(",") if word])
        has_points = "VP=t" in message.text
        self._rules = agreed.rules if has_points else replace(agreed.rules, points_to_win=points)

    def lay_2(self, message: Message) -> None:
        """Store the map in the encoding of a classic board; others are refused."""
        if message.to != "all":
            return
        if message.number("bef") != CLASSIC:
            raise ValueError("the map is not a classic board of 19 hexes")
        tokens = [max(0, n) for n in numbers_in(message, "NL")]
        self._lay(numbers_in(message, "HL"), tokens, message.number("RH"))

    def dice(self, message: Message) -> None:
        """Note the sum of the dice."""
        total = message.number("param")
        if total != -1:
            if not 2 <= total <= 12:
                raise ValueError(f"the dice show {total}")
            self._total = total

    def production(self, message: Message) -> None:
        """Compare the sizes of hands after a roll."""
        for number, size, _ in Production("", tuple(map(int, message.bare))).gains():
            here = self.game.hand_size(self._seat(number))
            if size != here:
                raise ValueError(f"seat {number} of the server has {size} cards, {here} here")

    def elements(self, message: Message) -> None:
        """Compare cards, where they are set."""
        pairs = {int(key[1:]): int(n) for key, n in message.fields.items() if key[1:].isdigit()}
        self._elements(message, pairs)

    def element(self, message: Message) -> None:
        """Compare the cards of one kind, where they are set."""
        self._elements(message, {message.number("elementType"): message.number("amount")})

    def _elements(self, message: Message, pairs: dict[int, int]) -> None:
        if message.fields.get("actionType") != "SET" or self._steps is None:
            return
        seat = self._seat(message.number("playerNum"))
        for kind, count in pairs.items():
            if 1 <= kind < UNKNOWN:
                self._check(partial(self.check_cards, seat, kind, count))

    def count(self, message: Message) -> None:
        """Compare the size of a hand."""
        number, size = message.number("playerNum"), message.number("count")
        seat = self._seat(number)

        def check() -> None:
            here = sum(self.steps.hand(seat))
            if here != size:
                raise ValueError(f"seat {number} of the server has {size} cards, {here} here")

        self._check(check)

    def _check(self, check: Callable[[], None]) -> None:
        if self._card == DevelopmentCard.MONOPOLY:
            self._checks.append(check)
        else:
            check()

    def robber(self, message: Message) -> None:
        """Move the robber."""
        self._stolen = None
        at = message.number("coord", 16)
        self.steps.move_robber(self._seat(message.number("playerNumber")), places.tile_at(at))

    def robbery(self, message: Message) -> None:
        """Take the card that the thief and the victim see."""
        pair = (self._seat(message.number("perp")), self._seat(message.number("victim")))
        kind, count = message.number("resType"), message.number("amount")
        if count != 1:
            raise ValueError(f"{count} cards are stolen")
        if kind != UNKNOWN and self.steps.is_robbing:
            self.steps.rob(*pair, places.to_resource(kind))
            self._stolen = pair
        elif self._stolen != pair:
            raise ValueError("the stolen card is hidden: the log has no message to the thief")

    def discard(self, message: Message) -> None:
        """Collect a discard, from the message with its cards."""
        cards = message.six("resources")
        if not cards[-1]:
            seat = self._seat(message.number("playerNum"))
            self.steps.discard(seat, listed(by_resource(cards)))

    def trade(self, message: Message) -> None:
        """Trade between seats."""
        self.steps.trade(
            self._seat(message.number("offering")),
            self._seat(message.number("accepting")),
            by_resource(message.six("toAccepting")),
            by_resource(message.six("toOffering")),
        )

    def bank(self, message: Message) -> None:
        """Trade with the bank."""
        seat = self._seat(message.number("pn"))
        self.bank_trade(seat, message.six("give"), message.six("get"))

    def card(self, message: Message) -> None:
        """Buy or play a development card, or show the points at the end."""
        what = message.fields.get("actionType")
        if what in ("ADD_OLD", "CANNOT_PLAY"):
            return
        number, code = message.number("playerNum"), message.number("cardType")
        if what == "DRAW" and code == 0:
            return
        if code not in places.CARDS:
            raise ValueError(f"cardType is {code}, which is unknown")
        if what == "DRAW":
            self._act(self._seat(number), Action.buy_development_card(), places.CARDS[code])
        elif what == "PLAY":
            self.play_card(number, places.CARDS[code])
        else:
            raise ValueError(f"actionType of SOCDevCardAction is {what}, which is unknown")

    def plenty(self, message: Message) -> None:
        """Take two cards from the bank."""
        if message.number("reason") != PLENTY_REASON:
            raise ValueError("cards of a gold hex, which is not part of a classic game")
        cards = listed(by_resource(message.six("resources")))
        if len(cards) != 2:
            raise ValueError(f"{len(cards)} cards are taken; the rules take two")
        self.choose(DevelopmentCard.YEAR_OF_PLENTY, Action.play_year_of_plenty(*cards))

    def simple(self, message: Message) -> None:
        """Compare the deck after a purchase, or play a monopoly."""
        what, first, second = (message.number(name) for name in ("actType", "v1", "v2"))
        if what == BOUGHT:
            if first != self.game.deck_size:
                raise ValueError(f"{first} cards are left, {self.game.deck_size} here")
        elif what == MONOPOLIZED:
            action = Action.play_monopoly(places.to_resource(second))
            taken = sum(self.choose(DevelopmentCard.MONOPOLY, action))
            if taken != first:
                raise ValueError(f"the monopoly takes {first} cards, {taken} here")
            checks, self._checks = self._checks, []
            for check in checks:
                check()
        else:
            raise ValueError(f"actType of SOCSimpleAction is {what}, which is unknown")

    def awards(self, message: Message) -> None:
        """Compare the awards."""
        if message.to != "all" or self._steps is None:
            return
        held = {ARMY: self.game.largest_army_seat, LONGEST_ROAD: self.game.longest_road_seat}
        for key, here in held.items():
            if key in message.fields:
                number = message.number(key)
                if here != (None if number < 0 else self._seat(number)):
                    raise ValueError(f"{key} is {number}, seat {here} here")

    handlers: ClassVar = {
        "SOCNewGameWithOptions": options,
        "SOCSitDown": Reading.sit,
        "SOCLeaveGame": Reading.leave,
        "SOCBoardLayout": Reading.lay,
        "SOCBoardLayout2": lay_2,
        "SOCTurn": Reading.turn,
        "SOCPutPiece": Reading.put,
        "SOCCancelBuildRequest": Reading.cancel,
        "SOCGameState": Reading.state,
        "SOCDiceResult": dice,
        "SOCDiceResultResources": production,
        "SOCPlayerElements": elements,
        "SOCPlayerElement": element,
        "SOCResourceCount": count,
        "SOCMoveRobber": robber,
        "SOCRobberyResult": robbery,
        "SOCDiscard": discard,
        "SOCAcceptOffer": trade,
        "SOCBankTrade": bank,
        "SOCDevCardAction": card,
        "SOCPickResources": plenty,
        "SOCSimpleAction": simple,
        "SOCGameElements": awards,
        "SOCGameStats": Reading.scores,
    }
