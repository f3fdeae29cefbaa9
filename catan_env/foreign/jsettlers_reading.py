"""A game that is played from a log: the messages that JSettlers and StacSettlers share.

The server's messages are played under the rules of JSettlers' table, with its unlimited bank. What
the log repeats must agree with our game: the seat on turn, states, hands and the final scores.
Each program's log is a subclass, with the messages that only it has and its table of all of them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.foreign.boards import checked_board
from catan_env.foreign.errors import ForeignError
from catan_env.foreign.jsettlers_lines import KINDS, Message, message_in
from catan_env.foreign.steps import Steps
from catan_env.game.action import Action
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers import places, states
from catan_env.protocols.jsettlers.speech import CITY, ROAD, SETTLEMENT, bank_trades

SILENT = frozenset(
    f"SOC{name}"
    for name in (
        "Version", "NewGame", "JoinGame", "JoinGameAuth", "LeaveGame", "GameMembers", "ChangeFace",
        "SetSeatLock", "PotentialSettlements", "StartGame", "RollDice", "RollDicePrompt",
        "ClearOffer", "ClearTradeMsg", "RejectOffer", "MakeOffer", "GameServerText", "GameTextMsg",
        "EndTurn", "PlayerStats", "DiscardRequest", "ChoosePlayerRequest", "ChoosePlayer",
        "BuildRequest", "BotJoinGameRequest", "RobotDismiss", "DeclinePlayerRequest",
        "SpeakingQueueChanged", "ClearGameHistory", "PlayerStartsTrading", "SetTurn", "TimingPing",
        "BuyDevCardRequest", "BuyCardRequest", "PlayDevCardRequest", "SetPlayedDevCard",
        "DevCardCount", "LongestRoad", "LargestArmy", "FirstPlayer", "LastSettlement",
    )
)  # fmt: skip
"""Messages that move nothing by themselves, or that announce a consequence."""

AFTERWARDS = {
    **dict.fromkeys(("SOCDiceResult", "SOCPutPiece", "SOCAcceptOffer", "SOCBankTrade"), True),
    **dict.fromkeys(("SOCMoveRobber", "SOCRobberyResult", "SOCPlayerElement"), False),
    **dict.fromkeys(("SOCPlayerElements", "SOCGameState", "SOCResourceCount"), False),
    **dict.fromkeys(("SOCTurn", "SOCDevCardAction", "SOCGameElements"), False),
}
"""Messages after the end, and whether they contradict it.

JSettlers lets a knight that wins move the robber, and may begin the winner's turn, before the end.
"""


class Reading:
    """A game that is played from a log: the messages that both programs' logs share."""

    handlers: ClassVar[dict[str, Callable[[Any, Message], None]]]
    """By the name of a message."""

    def __init__(self, points_to_win: int) -> None:
        self._rules = replace(Rules.jsettlers(), points_to_win=points_to_win)
        self._names: dict[int, str] = {}
        self._board: Any = None
        self._order: tuple[int, ...] = ()
        """The server's seats in the order of play; empty before the first turn."""
        self._steps: Steps | None = None
        self._total = 0
        """The sum of the dice that have been thrown, until the roll is played."""
        self._card: DevelopmentCard | None = None
        """A card that was played, and whose choice is still to come."""

    @property
    def game(self) -> Game:
        """The game so far; ValueError before the first turn."""
        return self.steps.game

    @property
    def steps(self) -> Steps:
        """The game's steps; ValueError before the first turn."""
        if self._steps is None:
            raise ValueError("the game has not begun yet")
        return self._steps

    def read(self, lines: Iterable[str], stac: bool) -> tuple[Game, tuple[str, ...]]:
        """Play every line; ForeignError names the first one that breaks, by its number."""
        number = 0
        for number, line in enumerate(lines, 1):
            try:
                message = message_in(line, stac)
                if message is not None:
                    self._hear(message)
            except (ValueError, LookupError, TypeError, RemoteProtocolError) as error:
                raise self._broken(number, str(error)) from None
        if self._steps is None:
            raise ForeignError("the log has no game: no seat has placed a settlement")
        if self._is_within_step():
            raise self._broken(number, "the log ends within a step")
        return self.game, self._players()

    def _is_within_step(self) -> bool:
        """True if what the log has begun is still to be completed."""
        return bool(self._total) or self._card is not None or self.steps.is_within_one

    def _broken(self, number: int, reason: str) -> ForeignError:
        kept = None if self._steps is None else (self._steps.game, self._players())
        return ForeignError(reason, number, kept)

    def _players(self) -> tuple[str, ...]:
        return tuple(self._names[seat] for seat in self._order)

    def _hear(self, message: Message) -> None:
        heard = self.handlers.get(message.name)
        if self._steps is not None and self.game.is_over and message.name in AFTERWARDS:
            if AFTERWARDS[message.name]:
                raise ValueError(f"seat {self.game.winner} has won, but the game is played on")
        elif heard is not None:
            heard(self, message)
        elif message.name not in SILENT:
            raise ValueError(f"{message.name} is not part of a classic game that can be read")

    def _seat(self, number: int) -> int:
        if number not in self._order:
            raise ValueError(f"seat {number} of the server does not play")
        return self._order.index(number)

    def _act(self, seat: int, action: Action, outcome: Any = None) -> Any:
        if self._card is not None:
            raise ValueError(f"the choice for a {self._card.name.lower()} is missing before it")
        return self.steps.act(seat, action, outcome).outcome

    def sit(self, message: Message) -> None:
        """Note a player's name; after the start another one may take over, or watch from a seat."""
        number, name = message.number("playerNumber"), message.fields.get("nickname", "").strip()
        if name not in ("", "dummy") and not self._order:
            self._names[number] = name

    def leave(self, message: Message) -> None:
        """Forget a player who leaves before the game."""
        if not self._order:
            gone = message.fields.get("nickname")
            self._names = {k: name for k, name in self._names.items() if name != gone}

    def pass_by(self, message: Message) -> None:
        """Ignore a client's request: what counts is what the server does."""

    def lay(self, message: Message) -> None:
        """Store the map, of a classic board."""
        kinds = numbers_in(message, "hexLayout")
        tokens = [places.token_of(n) for n in numbers_in(message, "numberLayout")]
        self._lay(kinds, tokens, message.number("robberHex", 16))

    def _lay(self, kinds: Sequence[int], tokens: Sequence[int], robber: int) -> None:
        if self._order:
            raise ValueError("the map changes during the game")
        board = places.to_board(kinds, tokens)
        self._board = checked_board(board.tiles, board.harbours)
        if places.tile_at(robber) != board.robber_start:
            raise ValueError("the robber does not start in the desert")

    def turn(self, message: Message) -> None:
        """Begin the game, or end a turn: the seat on turn is the one that the server names."""
        number = message.number("playerNumber")
        if not self._order:
            self._begin(number)
        game, seat = self.game, self._seat(number)
        self.steps.settle()
        if game.turn > 0 and not game.is_over and game.phase != Phase.ROLL:
            self._act(game.turn_seat, Action.end_turn())
        if not game.is_over and game.seat != seat:
            raise ValueError(
                f"seat {number} of the server is on turn, {self._order[game.seat]} here"
            )

    def _begin(self, first: int) -> None:
        if self._board is None:
            raise ValueError("the game begins before its map is known")
        if first not in self._names:
            raise ValueError(f"seat {first} of the server begins, but has no player")
        seats = sorted(self._names)
        k = seats.index(first)
        order = (*seats[k:], *seats[:k])
        self._steps = Steps(Game(len(order), seed=0, rules=self._rules, board=self._board))
        self._order = order

    def put(self, message: Message) -> None:
        """Place a piece."""
        seat, piece = self._seat(message.number("playerNumber")), message.number("pieceType")
        at = message.number("coord", 16)
        if piece == ROAD:
            self._act(seat, Action.road(places.edge_at(at)))
        elif piece == SETTLEMENT:
            self._act(seat, Action.settlement(places.vertex_at(at)))
        elif piece == CITY:
            self._act(seat, Action.city(places.vertex_at(at)))
        else:
            raise ValueError(f"pieceType is {piece}, which is not part of a classic game")

    def cancel(self, message: Message) -> None:
        """Take back a settlement in the set-up; a piece that was paid for comes back by itself."""
        if self.game.phase == Phase.FREE_ROAD:
            raise ValueError("a free road is given up, which our rules do not allow")
        if self.game.turn == 0:
            self.take_back(message.number("pieceType"))

    def take_back(self, piece: int) -> None:
        """Take back the settlement that was just placed in the set-up."""
        game = self.game
        if game.phase != Phase.PLACE_ROAD or piece != SETTLEMENT:
            raise ValueError("only a settlement is taken back in the set-up")
        events = game.events[:-1]
        again = Game(game.seats, seed=0, rules=self._rules, board=self._board)
        for event in events:
            again.play(event.action, event.outcome)
        self._steps = Steps(again)

    def state(self, message: Message) -> None:
        """Complete what a state completes, and compare it with our phase."""
        if self._steps is None:
            return
        state = message.number("state")
        if state not in (states.ROBBER, states.VICTIM):
            self.steps.settle()
        wanted = {
            states.MAIN: Phase.MAIN, states.ROBBER: Phase.ROBBER, states.DISCARDS: Phase.DISCARD,
            states.OVER: Phase.OVER,
        }.get(state)  # fmt: skip
        if wanted is not None and self.game.phase != wanted:
            raise ValueError(f"the state is {state}, here the phase is {self.game.phase.name}")

    def play_card(self, number: int, card: DevelopmentCard) -> None:
        """Play a development card, or note it until its choice is known."""
        seat = self._seat(number)
        if card == DevelopmentCard.KNIGHT:
            self._act(seat, Action.play_knight())
        elif card == DevelopmentCard.ROAD_BUILDING:
            self._act(seat, Action.play_road_building())
        elif card == DevelopmentCard.VICTORY_POINT:
            raise ValueError("a victory point is played")
        else:
            self.steps.settle()
            if self._card is not None or seat != self.game.seat:
                raise ValueError(f"seat {number} of the server cannot play a card now")
            self._card = card

    def choose(self, card: DevelopmentCard, action: Action) -> Any:
        """Play a card with its choice."""
        if self._card != card:
            raise ValueError(f"no {card.name.lower()} was played before it")
        self._card = None
        return self._act(self.game.seat, action)

    def bank_trade(self, seat: int, give: Sequence[int], get: Sequence[int]) -> None:
        """Trade with the bank, one or more times."""
        trades = bank_trades(self.game, seat, by_resource(give), by_resource(get))
        if not trades:
            raise ValueError("a trade with the bank that our rules do not allow")
        for trade in trades:
            self._act(seat, trade)

    def check_cards(self, seat: int, kind: int, count: int) -> None:
        """Raise ValueError if a seat has another number of cards of a kind."""
        card = places.to_resource(kind)
        here = self.steps.hand(seat)[card]
        if here != count:
            raise ValueError(
                f"seat {self._order[seat]} of the server has {count} {KINDS[kind - 1]}, {here} here"
            )

    def scores(self, message: Message) -> None:
        """Compare the points at the end."""
        found = [int(word) for word in message.bare[:4]]
        for number, points in enumerate(found):
            if number in self._order:
                here = self.game.points(self._seat(number))
                if points != here:
                    raise ValueError(
                        f"seat {number} of the server has {points} points, {here} here"
                    )


def by_resource(counts: Sequence[int]) -> tuple[int, ...]:
    """Six counts of a message as five by Resource; ValueError if some cards are hidden."""
    if counts[places.UNKNOWN - 1]:
        raise ValueError("some cards are hidden")
    return places.from_counts(counts)


def numbers_in(message: Message, name: str) -> list[int]:
    """The numbers of a list in braces."""
    words = message.fields.get(name, "").split()
    if words[:1] != ["{"] or words[-1:] != ["}"]:
        raise ValueError(f"{message.name} has no list {name}")
    return [int(word) for word in words[1:-1]]
