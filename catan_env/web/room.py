"""The room behind the page: lines that sit down by a secret, and the tables that they sit at.

Rule 1. A line is nobody until it has said the secret of a seat, or of watching; it has SITTING
        seconds for that. One seat may have several lines: a second tab, or a page loaded anew.
Rule 2. Every line hears the steps as its seat sees them. What may be chosen now is said to the
        seat that decides alone.
Rule 3. What cannot be read closes the line; what cannot be done is refused and nothing happens.
Rule 4. A policy acts when `pace` seconds have passed since the last step. A person has all the
        time in the world, also one whose lines are all gone.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.net.room import Close, Effect, Garbled, Send
from catan_env.render.svg import empty_board_svg
from catan_env.web.messages import (
    Act,
    Advice,
    Ask,
    Choice,
    Choices,
    Offer,
    Over,
    Refused,
    Rewind,
    Sit,
    Step,
    Undo,
    Welcome,
)
from catan_env.web.table import LiveTable, Sight

SITTING = 10.0
"""Seconds in which a line must say its secret."""


@dataclass
class Seating:
    """A table, who sits at it by which secret, and its lines."""

    table: LiveTable
    secrets: Mapping[str, Sight]
    keep: Callable[[LiveTable], Over] | None = None
    """Keeps the game when it has ended, and says where."""
    lines: dict[int, Sight] = field(default_factory=dict)
    due: float | None = None
    """When a policy acts."""
    over: Over | None = None


class TableRoom:
    """A `net.room.Room` of live tables; `pace` is the seconds that a policy takes."""

    def __init__(self, seatings: Collection[Seating], pace: float = 0.0) -> None:
        self.is_over = False
        self._pace = pace
        self._seatings = list(seatings)
        self._by_secret = {secret: seating for seating in seatings for secret in seating.secrets}
        self._at: dict[int, Seating] = {}
        self._standing: dict[int, float] = {}

    @property
    def deadline(self) -> float | None:
        """When a policy acts, or a line that has not sat down is closed."""
        due = [seating.due for seating in self._seatings if seating.due is not None]
        return min((*due, *self._standing.values()), default=None)

    def hears(self, line: int) -> bool:
        """All lines are read from."""
        return True

    def opened(self, line: int, now: float) -> list[Effect]:
        """A line that is nobody yet."""
        self._standing[line] = now + SITTING
        return []

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """A line is gone; its seat stays, and waits."""
        self._forget(line)
        return []

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Policies act, and lines that do not sit down are closed."""
        effects: list[Effect] = []
        for seating in self._seatings:
            if seating.due is not None and seating.due <= now:
                effects += self._let_policy_act(seating, now)
        for line in [line for line, due in self._standing.items() if due <= now]:
            del self._standing[line]
            effects += [Send(line, Refused("no secret was said")), Close(line)]
        return effects

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """A page has spoken."""
        if isinstance(message, Garbled):
            return self._turn_away(line, message.reason)
        if isinstance(message, Sit):
            return self._sit(line, message.secret, now)
        seating = self._at.get(line)
        if seating is None:
            return self._turn_away(line, "the first message says a secret")
        seat = seating.lines[line]
        try:
            if seat is None:
                raise IllegalActionError("who watches does not play")
            return self._play(seating, seat, line, message, now)
        except (IllegalActionError, ValueError) as refusal:
            return [Send(line, Refused(str(refusal)))]

    # Lines

    def _sit(self, line: int, secret: str, now: float) -> list[Effect]:
        seating = self._by_secret.get(secret)
        if seating is None:
            return self._turn_away(line, "nobody sits here by this secret")
        self._forget(line)
        self._at[line] = seating
        sight = seating.lines[line] = seating.secrets[secret]
        self._set_due(seating, now)
        table = seating.table
        board = empty_board_svg(table.game.board)
        welcome = Send(line, Welcome(sight, board, table.data(sight)))
        return [welcome, *self._invitation(seating, line, sight)]

    def _turn_away(self, line: int, reason: str) -> list[Effect]:
        self._forget(line)
        return [Send(line, Refused(reason)), Close(line)]

    def _forget(self, line: int) -> None:
        self._standing.pop(line, None)
        seating = self._at.pop(line, None)
        if seating is not None:
            del seating.lines[line]

    # Choices

    def _play(
        self, seating: Seating, seat: int, line: int, message: Any, now: float
    ) -> list[Effect]:
        table = seating.table
        if message.step != table.step:
            raise IllegalActionError("the table has moved on")
        if isinstance(message, Ask):
            name, action = table.advise(seat)
            return [Send(line, Advice(table.step, name, choice_of(action)))]
        if isinstance(message, Undo):
            table.undo(seat)
            return self._rewound(seating)
        count = table.step
        table.act(seat, _action_of(message))
        return self._moved_on(seating, count, now)

    def _let_policy_act(self, seating: Seating, now: float) -> list[Effect]:
        count = seating.table.step
        try:
            seating.table.let_policy_act()
        except IllegalActionError as refusal:
            seating.due = None
            return [Send(line, Refused(f"the game stops: {refusal}")) for line in seating.lines]
        return self._moved_on(seating, count, now)

    def _moved_on(self, seating: Seating, count: int, now: float) -> list[Effect]:
        """What everybody at the table hears of the steps after the first `count`."""
        effects: list[Effect] = []
        table = seating.table
        for line, sight in seating.lines.items():
            written = table.sights[sight].written[count:]
            effects += [Send(line, Step(count + k, step)) for k, step in enumerate(written)]
        if table.game.is_over and seating.keep is not None and seating.over is None:
            seating.over = seating.keep(table)
        self._set_due(seating, now)
        return effects + self._invitations(seating)

    def _rewound(self, seating: Seating) -> list[Effect]:
        back = [Send(line, Rewind(seating.table.step)) for line in seating.lines]
        return [*back, *self._invitations(seating)]

    def _invitations(self, seating: Seating) -> list[Effect]:
        return [
            effect
            for line, sight in seating.lines.items()
            for effect in self._invitation(seating, line, sight)
        ]

    def _invitation(self, seating: Seating, line: int, sight: Sight) -> Iterator[Effect]:
        """What the line may choose now, if its seat decides; how the game was kept, at its end."""
        table = seating.table
        if table.game.is_over:
            if seating.over is not None:
                yield Send(line, seating.over)
        elif sight == table.game.seat:
            yield Send(line, choices_of(table))

    def _set_due(self, seating: Seating, now: float) -> None:
        if not seating.table.waits_for_policy:
            seating.due = None
        elif seating.due is None or seating.due <= now:
            seating.due = now + self._pace


def choices_of(table: LiveTable) -> Choices:
    """What the seat that decides may do: single actions, and offers as a whole."""
    game = table.game
    actions = [choice_of(a) for a in game.legal_actions if a.kind != ActionKind.OFFER]
    return Choices(
        table.step,
        actions,
        game.trade_rates(game.seat),
        table.may_offer,
        table.may_undo,
        table.adviser is not None,
    )


def choice_of(action: Action) -> Choice:
    """An action as the page has it."""
    index = action.index
    assert index is not None
    return Choice(index, action.kind.name, action.args, str(action))


def _action_of(message: Act | Offer) -> Action | int:
    if isinstance(message, Act):
        return message.index
    return Action.offer(message.to, message.give, message.get)
