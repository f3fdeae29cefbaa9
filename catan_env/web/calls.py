"""Scripts' calls at a live table: a seat's position as JSON and text, its choices, its history.

A call has the secret of a seat's or the spectators' link. It is answered exactly once: immediately,
or, if it waits, when its seat is to act, the game is over, or its time has passed.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from catan_env.core.constants import DevelopmentCard, Resource
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.net.room import Close, Effect, Send
from catan_env.text.answer import AnswerError, read_answer
from catan_env.text.position import action_text, position_text
from catan_env.web.shown_table import ShownTable, Sight
from catan_env.web.table import LiveTable

LONGEST_WAIT = 60
"""Seconds that a call may wait."""
MOST_WAITING = 8
"""Calls with the same secret that may wait at a time."""
MOST_HISTORY = 1000
NOT_READY = "the table is not ready yet"


@dataclass(frozen=True)
class Look:
    """Ask for the position; wait up to that many seconds for its own turn, or for a new step."""

    wait: int = 0
    after: int | None = None


@dataclass(frozen=True)
class History:
    """Ask for the last events."""

    last: int


@dataclass(frozen=True)
class Act:
    """Play an action, by its number or its text; `step` refuses it if the table has moved on."""

    action: int | str
    step: int | None = None


@dataclass(frozen=True)
class Call:
    """A request with a secret."""

    secret: str
    what: Look | History | Act


@dataclass(frozen=True)
class Reply:
    """The answer: a status of HTTP, and JSON."""

    status: int
    body: dict[str, Any]


@dataclass(frozen=True)
class Waiting:
    """A call that has not been answered yet."""

    seating: Any
    sight: Sight
    secret: str
    after: int | None
    until: float

    @property
    def is_due(self) -> bool:
        """True if what it waits for has happened."""
        table = self.seating.table
        if table.game.is_over:
            return True
        if self.after is not None:
            return bool(table.step > self.after)
        return bool(table.game.seat == self.sight)


class Calls:
    """The calls of scripts in a room; `moved_on` returns the effects of a choice on its table."""

    def __init__(self, moved_on: Callable[[Any, int, float], list[Effect]]) -> None:
        self._moved_on = moved_on
        self._waiting: dict[int, Waiting] = {}
        self._early: dict[int, tuple[str, Look, float]] = {}
        """Looks at tables that are being prepared: the secret, and until when each may wait."""

    @property
    def deadline(self) -> float | None:
        """When the first waiting call must be answered."""
        early = [until for _, _, until in self._early.values()]
        return min((*early, *(one.until for one in self._waiting.values())), default=None)

    def came_early(self, line: int, call: Call, now: float) -> list[Effect]:
        """Let a call wait for its table, if it may; refuse it otherwise."""
        what = call.what
        others = sum(secret == call.secret for secret, _, _ in self._early.values())
        if not isinstance(what, Look) or not what.wait or others >= MOST_WAITING:
            return answer(line, 503, {"error": NOT_READY})
        self._early[line] = (call.secret, what, now + what.wait)
        return []

    def ready(self, secrets: Collection[str], now: float) -> list[tuple[int, Call]]:
        """The calls that waited for a table which is ready, with the time that they have left."""
        found = [line for line, (secret, _, _) in self._early.items() if secret in secrets]
        calls = []
        for line in found:
            secret, look, until = self._early.pop(line)
            calls.append((line, Call(secret, replace(look, wait=max(0, int(until - now))))))
        return calls

    def received(
        self, line: int, call: Call, seating: Any, sight: Sight, now: float
    ) -> list[Effect]:
        """Answer a call at a table, or let it wait."""
        table: ShownTable = seating.table
        seating.seen.add(sight)
        what = call.what
        if isinstance(what, Act):
            return self._act(line, what, seating, sight, now)
        if isinstance(what, History):
            return answer(line, 200, {"events": list(history(table, sight, what.last))})
        waiting = Waiting(seating, sight, call.secret, what.after, now + what.wait)
        if what.wait and not waiting.is_due:
            if sum(one.secret == call.secret for one in self._waiting.values()) >= MOST_WAITING:
                full = f"{MOST_WAITING} calls for this seat are already waiting"
                return answer(line, 429, {"error": full})
            self._waiting[line] = waiting
            return []
        return answer(line, 200, state_of(table, sight))

    def wake(self, seating: Any) -> list[Effect]:
        """Answer the calls that have waited for a change of a table."""
        due = [k for k, one in self._waiting.items() if one.seating is seating and one.is_due]
        return self._answer(due)

    def expire(self, now: float) -> list[Effect]:
        """Answer the calls whose time has passed."""
        effects: list[Effect] = []
        for line in [k for k, (_, _, until) in self._early.items() if until <= now]:
            del self._early[line]
            effects += answer(line, 503, {"error": NOT_READY})
        return effects + self._answer([k for k, one in self._waiting.items() if one.until <= now])

    def forget(self, line: int) -> None:
        """Forget a line that was closed."""
        self._waiting.pop(line, None)
        self._early.pop(line, None)

    def drop(self, seating: Any) -> list[Effect]:
        """Answer the calls at a table that is removed."""
        return self._answer([k for k, one in self._waiting.items() if one.seating is seating])

    def _answer(self, lines: list[int]) -> list[Effect]:
        effects: list[Effect] = []
        for line in lines:
            one = self._waiting.pop(line)
            effects += answer(line, 200, state_of(one.seating.table, one.sight))
        return effects

    def _act(self, line: int, what: Act, seating: Any, sight: Sight, now: float) -> list[Effect]:
        table = seating.table
        refusal = refusal_of(table, sight, what)
        if refusal is not None:
            return answer(line, 409, {"error": refusal, **state_of(table, sight)})
        assert sight is not None
        steps = table.step
        try:
            action = read_answer(table.game.view(sight), str(what.action))
            table.act(sight, action)
        except (AnswerError, IllegalActionError) as error:
            return answer(line, 422, {"error": str(error), **state_of(table, sight)})
        effects = self._moved_on(seating, steps, now)
        return [*effects, *answer(line, 200, state_of(table, sight))]


def answer(line: int, status: int, body: dict[str, Any]) -> list[Effect]:
    """The effects of an answer: a line has one."""
    return [Send(line, Reply(status, body)), Close(line)]


def refusal_of(table: ShownTable, sight: Sight, what: Act) -> str | None:
    """Why a seat cannot choose now, or None."""
    game = table.game
    if sight is None or not isinstance(table, LiveTable):
        return "spectators do not play"
    if game.is_over:
        return "the game is over"
    if game.seat != sight:
        return f"it is not your turn: seat {game.seat}, {table.names[game.seat]}, decides now"
    if what.step is not None and what.step != table.step:
        return f"the table has moved on: it is at step {table.step}"
    return None


def history(table: ShownTable, sight: Sight, last: int) -> Iterator[str]:
    """The last events as a seat or a spectator sees them, as text; at the end all is open."""
    game = table.game
    for event in game.events[-last:] if last else ():
        yield str(event if game.is_over else event.redacted(sight, game.seats))


def state_of(table: ShownTable, sight: Sight) -> dict[str, Any]:
    """The position as a seat or a spectator knows it."""
    game = table.game
    state: dict[str, Any] = {
        "step": table.step,
        "seat": sight,
        "names": list(table.names),
        "to_act": None if game.is_over else game.seat,
        "your_turn": not game.is_over and game.seat == sight,
        "is_over": game.is_over,
        "winner": game.winner,
        "phase": game.phase.name.lower(),
        "turn": game.turn,
        "turn_seat": game.turn_seat,
        "rules": game.rules.name,
        "points_to_win": game.rules.points_to_win,
        "robber": game.robber,
        "seats": [seat_of(game, seat) for seat in range(game.seats)],
        "tiles": [[terrain.name.lower(), token] for terrain, token in game.board.tiles],
        "actions": [],
    }
    if sight is None:
        return state
    view = game.view(sight)
    state["text"] = position_text(view)
    state["hand"] = named(Resource, view.hand(sight))
    state["cards"] = named(DevelopmentCard, view.cards(sight))
    if state["your_turn"]:
        state["actions"] = list(actions_of(view))
    return state


def actions_of(view: SeatView) -> Iterator[dict[str, Any]]:
    """The legal actions with their numbers, as in the text."""
    for number, action in enumerate(view.legal_actions, 1):
        yield {
            "number": number, "index": action.index, "kind": action.kind.name.lower(),
            "text": action_text(view, action),
        }  # fmt: skip


def seat_of(game: Game, seat: int) -> dict[str, Any]:
    """The facts of a seat that everyone sees."""
    return {
        "points": game.points(seat, hidden=game.is_over),
        "resource_cards": game.hand_size(seat),
        "development_cards": game.card_count(seat),
        "knights": game.knights(seat),
        "longest_road": game.longest_road_seat == seat,
        "largest_army": game.largest_army_seat == seat,
        "settlements": list(game.settlements(seat)),
        "cities": list(game.cities(seat)),
        "roads": list(game.roads(seat)),
    }


def named(kinds: Any, counts: Any) -> dict[str, int]:
    """Counts by the names of their kinds."""
    return {kind.name.lower(): counts[kind] for kind in kinds}
