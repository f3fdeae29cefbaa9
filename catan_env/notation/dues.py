"""Dues: the statements that must, or may, still follow the choices played so far.

Rule 1. A statement says what the rules computed. It is due from its choice on, in any order.
Rule 2. Cards (the RP of a roll, TR, MO, YP), turns (TE, TS) and phases (PE, PS) are due before the
        next choice; awards (LR, LA) before the next turn starts or the phase ends.
Rule 3. Rounds (RE, RS) and the robber (RA, RD) may be left out, and so may the RP of the set-up,
        which may come until the first roll, LR where no seat holds the card, and the game's end.
Rule 4. A statement that repeats the present state (LR, LA, RP without cards) is read over.
Rule 5. The admin, the seat concerned and the player on turn may make a statement, but only the
        admin or the seat itself the start and end of its turn, its awards and its victory.
"""

from collections.abc import Iterator

from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation.epilogue import Epilogue
from catan_env.notation.messages import is_literal, is_same
from catan_env.notation.narrator import say
from catan_env.notation.production import Production
from catan_env.notation.values import (
    ADMIN,
    BANK,
    Message,
    field,
    shares_of,
)

STATEMENTS = frozenset(
    ("GO", "LA", "LR", "MO", "PE", "PS", "RA", "RD", "RE", "RP", "RR", "RS", "TR", "TS", "YP")
)
"""The events of statements; TE is one as well where no seat chooses to end its turn."""
AWARDS = ("LA", "LR")
LASTING_TO_ROBBER = (*AWARDS, "RA")
OPTIONAL = frozenset(("RA", "RD", "RE", "RS"))
OPTIONAL_IN_TURN = OPTIONAL.union(AWARDS)
_ENDS_TURN = frozenset(("GO", "PE", "PS", "TS"))
_OF_ITS_SEAT = frozenset(("GO", "TE", "TS", *AWARDS))
DEPLOYMENT_ROUNDS = 2


class Dues:
    """The statements that are due; `on_turn` is the player whose turn started last."""

    def __init__(self, table: Game | SeatView, players: tuple[str, ...]) -> None:
        self.table = table
        self.players = players
        self.on_turn: str | None = None
        self._due: list[Message] = []
        self._production = Production()
        self._rounds_added: int | None = None
        """Added to the rounds of Play: 2 if their numbers continue Deployment's; None if open."""
        self._last_deployed: Message | None = None
        self._is_play = False
        self._epilogue: Epilogue | None = None

    def begin(self, statements: list[Message]) -> None:
        """Make the statements due that begin a record, before any choice."""
        self._due += statements

    def add(self, choice: Message, statements: list[Message]) -> None:
        """Make the statements due that follow from a choice."""
        if self._rounds_added:
            _add_to_rounds(statements, self._rounds_added)
        if choice["event"] == "BS" and not self._is_play:
            self._production.add_first(statements)
            return
        if not self._is_play and any(due["value"] == {"phase": "Play"} for due in statements):
            self._is_play = True
            self._last_deployed = next(due for due in statements if due["event"] == "RE")
        self._due += statements
        if statements and statements[-1]["event"] == "PE":  # the phase End has ended
            self._epilogue = Epilogue(self.table, self.players, choice, self.on_turn)
            self._begin_last_turn()

    def _begin_last_turn(self) -> None:
        """Let the turn be started that its seat wins before it rolls, and its round."""
        table, first = self.table, self.table.first_seat
        if table.winner is None or self.on_turn in (None, self.players[table.winner]):
            return
        before = self.players.index(self.on_turn)
        if (table.winner - first) % table.seats <= (before - first) % table.seats:
            (last,) = (due["value"]["round"] for due in self._due if due["event"] == "RE")
            self._due += [say(ADMIN, "RS", round=last + 1), say(ADMIN, "RE", round=last + 1)]
        self._due.append(say(self.players[table.winner], "TS"))

    def close(self, choice: Message) -> Message | None:
        """Drop what a choice leaves behind; return the statement that has to come before it."""
        event = choice["event"]
        if (missing := self._missing(event)) is not None:
            return missing
        if self._due:
            lasting = LASTING_TO_ROBBER if event == "CR" else AWARDS
            self._due = [due for due in self._due if due["event"] in lasting]
        if event == "DR":
            self._production.roll()
        return None

    def _missing(self, event: str) -> Message | None:
        if self._production.is_missing_before(event):
            return self._production.expected()
        optional = OPTIONAL if event in _ENDS_TURN else OPTIONAL_IN_TURN
        return next((due for due in self._due if due["event"] not in optional), None)

    def expected(self, message: Message) -> Message | None:
        """Return the due statement that comes closest to a message that is none."""
        event = message["event"]
        same = (due for due in self._due if due["event"] == event)
        late = next(self._awards_missing(), None) if event in _ENDS_TURN else None
        cards = self._production.expected() if event == "RP" else None
        return late or next(same, None) or cards or self._missing(event)

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self._epilogue is not None

    def is_statement(self, message: Message) -> bool:
        """True if the message is none of a seat's choices at this point."""
        event = message["event"]
        if event in STATEMENTS:
            return True
        if self._epilogue is not None:
            return event in ("PD", "RM", "TE")
        return event == "TE" and any(due["event"] == "TE" for due in self._due)

    def tick(self, message: Message) -> bool:
        """Tick a statement off; False if it is not due and does not repeat the present state."""
        event = message["event"]
        if self._due and is_literal(message, self._due[0]):
            self._tick(0)
            return True
        if event == "RP":
            return self._tick_cards(message)
        if event in _ENDS_TURN and any(self._awards_missing()):
            return False
        for k, due in enumerate(self._due):
            if due["event"] == event and self._agrees(message, due):
                self._tick(k)
                return True
        if event in AWARDS:
            return self._tick_award(message)
        return self._epilogue is not None and self._epilogue.takes(message)

    def _tick(self, k: int) -> None:
        due = self._due.pop(k)
        event = due["event"]
        if event == "TS":
            self.on_turn = due["player"]
            self._due = [due for due in self._due if due["event"] not in AWARDS]
        elif event in ("RE", "RS") and self._rounds_added is None and self._is_of_play(due):
            self._rounds_added = 0
        elif self._epilogue is not None and event in ("PE", "PS"):
            self._epilogue.close()

    def _agrees(self, message: Message, due: Message) -> bool:
        if not self._may_state(message, due):
            return False
        if is_same(message, due):
            return True
        if due["event"] not in ("RE", "RS") or self._rounds_added is not None:
            return False
        if not self._is_of_play(due):
            return False
        if field(message, "round") != due["value"]["round"] + DEPLOYMENT_ROUNDS:
            return False
        self._rounds_added = DEPLOYMENT_ROUNDS
        _add_to_rounds(list(filter(self._is_of_play, self._due)), DEPLOYMENT_ROUNDS)
        return True

    def _is_of_play(self, due: Message) -> bool:
        return self._is_play and due is not self._last_deployed

    def _may_state(self, message: Message, due: Message) -> bool:
        player = message["player"]
        if player in (ADMIN, due["player"]):
            return True
        if due["event"] == "TR":
            return player == self.on_turn or player in field(due, "resources")
        return player == self.on_turn and due["event"] not in _OF_ITS_SEAT

    def _awards_missing(self) -> Iterator[Message]:
        """Yield the awards of seats that were not stated."""
        return (due for due in self._due if due["event"] in AWARDS and due["player"] != ADMIN)

    def _tick_award(self, message: Message) -> bool:
        """True if the message states the present holder of an award, whatever came before."""
        table = self.table
        if message["event"] == "LR":
            holder, count, key = table.longest_road_seat, table.road_length, "length"
        else:
            holder, count, key = table.largest_army_seat, table.knights, "strength"
        if holder is None or message["player"] not in (ADMIN, self.players[holder]):
            return False
        if field(message, key) != count(holder):
            return False
        self._due = [due for due in self._due if due["event"] != message["event"]]
        return True

    def _tick_cards(self, message: Message) -> bool:
        """True if a production, whole or in part, is due; also if it names no card."""
        players = {share.player for share in shares_of(message)} - {BANK}
        speaks_for_itself = players == {message["player"]}
        if not speaks_for_itself and message["player"] not in (ADMIN, self.on_turn):
            return False
        due = [due for due in self._due if due["event"] == "RP"]
        if not players.issubset(self.players) or not self._production.tick(message, due):
            return False
        self._due = [due for due in self._due if due["event"] != "RP"]
        return True


def _add_to_rounds(statements: list[Message], more: int) -> None:
    for due in statements:
        if due["event"] in ("RE", "RS"):
            due["value"]["round"] += more
