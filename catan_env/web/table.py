"""A live table: one game, and its steps as each person or spectator sees them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from threading import Lock
from typing import Any, NamedTuple

from catan_env.core.constants import Phase
from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import HIDDEN, Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation import Record
from catan_env.policy import Judge, Policy, decide
from catan_env.render.steps import Look, Steps, fixed

Sight = int | None
"""A perspective: a seat, or None for spectators."""
CHANCE = frozenset(
    (
        ActionKind.ROLL,
        ActionKind.BUY_DEVELOPMENT_CARD,
        ActionKind.MOVE_ROBBER,
        ActionKind.PLAY_MONOPOLY,
    )
)
"""Actions that reveal something: they cannot be taken back."""


class ShownTable:
    """A game in progress, step by step, from each perspective."""

    is_full = False
    """True if spectators see every card."""

    def __init__(self, game: Game, names: Sequence[str], people: Iterable[int]) -> None:
        self.game = game
        self.names = tuple(names)
        self.people = list(people)
        """The seats of people."""
        self.sights: dict[Sight, Steps] = {sight: Steps(names) for sight in (None, *self.people)}
        self._write(game.events)

    @property
    def step(self) -> int:
        """The number of steps."""
        return len(self.sights[None])

    def data(self, sight: Sight) -> dict[str, Any]:
        """The data with which a page begins: the table, and every step so far."""
        made = fixed(self.game, self.names, sight)
        shows_all = sight is None and self.is_full
        return {**made, "live": "full" if shows_all else True, "steps": self.sights[sight].written}

    def _write(self, events: tuple[Event, ...]) -> None:
        game, look = self.game, Look.at(self.game)
        everybody = range(game.seats)
        for sight, steps in self.sights.items():
            if game.is_over or (sight is None and self.is_full):
                steps.add(events, game, everybody, look)  # everything is revealed
            else:
                seen = tuple(_as_seen(event, sight, game.seats) for event in events)
                steps.add(seen, game, () if sight is None else (sight,), look)


class LiveTable(ShownTable):
    """A game with people; `policies` decide for their seats, people for the others."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        policies: Mapping[int, Policy],
        adviser: "Adviser | None" = None,
    ) -> None:
        super().__init__(game, names, (s for s in range(game.seats) if s not in policies))
        self.policies = policies
        self.adviser = adviser
        self._before: list[Game] = []

    @classmethod
    def resumed(
        cls,
        record: Record,
        step: int,
        policies: Mapping[int, Policy],
        adviser: "Adviser | None" = None,
    ) -> "LiveTable":
        """The table of a record, at a step of its replay page.

        Chance continues from the game's own seed: the same moves meet the same dice. ValueError
        if the record is redacted, or the game is over there.
        """
        moments = record.replay()
        placed, game = next(moments)
        if not isinstance(game, Game):
            raise ValueError("the record tells only what one seat saw")
        table = cls(game, record.players, policies, adviser)
        for events, _ in islice(moments, max(step - len(placed), 0)):
            table._write(events)
        if game.is_over:
            raise ValueError(f"the game is over at step {step}")
        return table

    @property
    def waits_for_policy(self) -> bool:
        """True if a policy is to act."""
        return not self.game.is_over and self.game.seat in self.policies

    @property
    def may_undo(self) -> bool:
        """True if the acting seat may take its last choice back."""
        has_chosen = bool(self._before) and self._before[-1].seat == self.game.seat
        return has_chosen and not self.game.is_over

    @property
    def may_offer(self) -> bool:
        """True if the acting seat may make an offer."""
        game = self.game
        is_time = game.phase == Phase.MAIN and game.rules.player_trade
        return is_time and any(game.hand(game.seat))

    def act(self, seat: int, action: Action | int) -> None:
        """Play a choice; an IllegalActionError has the reason, and changes nothing."""
        game = self.game
        if game.is_over:
            raise IllegalActionError("the game is over")
        if seat != game.seat:
            raise IllegalActionError(f"{self.names[game.seat]} decides now")
        is_person = seat not in self.policies
        before = game.copy() if is_person else None
        count = len(game.events)
        event = game.play(action)
        if event.action.kind in CHANCE or before is None:
            self._before.clear()
        else:
            self._before.append(before)
        self._write(game.events[count:])

    def question(self) -> Callable[[], int]:
        """A function that asks the acting policy, and may be called in another thread."""
        seat = self.game.seat
        return partial(decide, self.policies[seat], self.game.view(seat))

    def let_policy_act(self) -> None:
        """Play the acting policy's answer; IllegalActionError if it is illegal."""
        self.act(self.game.seat, self.question()())

    def request(self, seat: int) -> Callable[[], "Advised"]:
        """A function that asks the adviser about the seat's view, in any thread."""
        if self.adviser is None or seat != self.game.seat or self.game.is_over:
            raise IllegalActionError("no adviser can be asked now")
        return partial(self.adviser.advise, self.game.view(seat))

    def undo(self, seat: int) -> None:
        """Take the seat's last choice back; IllegalActionError if it has none.

        At the end all cards are revealed and the game is stored: nothing is taken back then.
        """
        if self.game.is_over:
            raise IllegalActionError("the game is over")
        if not self._before or seat != self._before[-1].seat:
            raise IllegalActionError("chance or another seat has spoken since")
        self.game = self._before.pop()
        count = self.step - 1
        for steps in self.sights.values():
            steps.rewind(count)


class Advised(NamedTuple):
    """An adviser's opinion of a position."""

    choice: int
    moves: list[tuple[int, float]]
    """Flat indices and odds of winning, the best first."""
    outlook: tuple[float, ...]
    """Each seat's odds of winning."""


class Adviser:
    """A judge for several tables, used by one at a time."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.lock = Lock()
        """Held while the judge is in use: its memory is for one caller at a time."""

    @property
    def name(self) -> str:
        """The policy's name."""
        return self.judge.name

    def advise(self, view: SeatView) -> Advised:
        """The policy's move, the odds after it and after others, and every seat's odds."""
        with self.lock:
            likely = self.judge.likely(view)
            return Advised(likely[0], self.judge.weigh(view, likely), self.judge.outlook(view))


def _as_seen(event: Event, sight: Sight, seats: int) -> Event:
    if sight is not None:
        return event.redacted(sight, seats)
    kinds = ActionKind.MOVE_ROBBER, ActionKind.BUY_DEVELOPMENT_CARD
    is_hidden = event.action.kind in kinds and event.outcome is not None
    return replace(event, outcome=HIDDEN) if is_hidden else event
