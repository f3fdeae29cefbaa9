"""A live table: one game between people and policies, and the steps that each onlooker sees."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from catan_env.core.constants import Phase
from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import HIDDEN, Event
from catan_env.game.game import Game
from catan_env.policy import Policy, decide
from catan_env.render.steps import Steps, fixed

Sight = int | None
"""Who looks on: a seat, or None for those who only watch."""
CHANCE = frozenset(
    (
        ActionKind.ROLL,
        ActionKind.BUY_DEVELOPMENT_CARD,
        ActionKind.MOVE_ROBBER,
        ActionKind.PLAY_MONOPOLY,
    )
)
"""After these something is known that was not: they are not taken back."""


class LiveTable:
    """A game in progress; `policies` decide for their seats, people for the others."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        policies: Mapping[int, Policy],
        adviser: tuple[str, Policy] | None = None,
    ) -> None:
        self.game = game
        self.names = tuple(names)
        self.policies = policies
        self.adviser = adviser
        people = [seat for seat in range(game.seats) if seat not in policies]
        self.sights: dict[Sight, Steps] = {sight: Steps(names) for sight in (None, *people)}
        self._before: list[Game] = []
        self._write(game.events)

    @property
    def people(self) -> list[int]:
        """The seats that people decide for."""
        return [sight for sight in self.sights if sight is not None]

    @property
    def step(self) -> int:
        """How many steps there are."""
        return len(self.sights[None])

    @property
    def waits_for_policy(self) -> bool:
        """Whether it is a policy's turn to decide."""
        return not self.game.is_over and self.game.seat in self.policies

    @property
    def may_undo(self) -> bool:
        """Whether the seat to decide may take its last choice back."""
        return bool(self._before) and self._before[-1].seat == self.game.seat

    def data(self, sight: Sight) -> dict[str, Any]:
        """What a page needs to begin with: the table, and every step so far."""
        made = fixed(self.game, self.names, sight)
        return {**made, "steps": self.sights[sight].written}

    def act(self, seat: int, action: Action | int) -> None:
        """Play a choice; IllegalActionError says why not, and nothing has happened then."""
        game = self.game
        if game.is_over:
            raise IllegalActionError("the game is over")
        if seat != game.seat:
            raise IllegalActionError(f"{self.names[game.seat]} decides now")
        before = game.copy()
        count = len(game.events)
        event = game.play(action)
        if event.action.kind in CHANCE or seat in self.policies:
            self._before.clear()
        else:
            self._before.append(before)
        self._write(game.events[count:])

    def let_policy_act(self) -> None:
        """Play what the policy whose decision it is answers; IllegalActionError if it cannot be."""
        seat = self.game.seat
        self.act(seat, decide(self.policies[seat], self.game.view(seat)))

    def advise(self, seat: int) -> tuple[str, Action]:
        """The adviser's name, and what it would play for a seat, knowing what the seat knows."""
        if self.adviser is None or seat != self.game.seat or self.game.is_over:
            raise IllegalActionError("nobody can be asked now")
        name, policy = self.adviser
        return name, Action.from_index(decide(policy, self.game.view(seat)))

    def undo(self, seat: int) -> None:
        """Take the seat's last choice back; raises IllegalActionError if it has none."""
        if not self._before or seat != self._before[-1].seat:
            raise IllegalActionError("chance or another seat has spoken since")
        self.game = self._before.pop()
        count = self.step - 1
        for steps in self.sights.values():
            steps.rewind(count)

    @property
    def may_offer(self) -> bool:
        """Whether the seat to decide may make an offer."""
        game = self.game
        is_time = game.phase == Phase.MAIN and game.rules.player_trade
        return is_time and any(game.hand(game.seat))

    def _write(self, events: tuple[Event, ...]) -> None:
        for sight, steps in self.sights.items():
            seen = tuple(_as_seen(event, sight, self.game.seats) for event in events)
            if self.game.is_over:
                steps.add(events, self.game)  # everything is laid open
            elif sight is None:
                steps.add(seen, self.game, shown=())
            else:
                steps.add(seen, self.game.view(sight))


def _as_seen(event: Event, sight: Sight, seats: int) -> Event:
    if sight is not None:
        return event.redacted(sight, seats)
    kinds = ActionKind.MOVE_ROBBER, ActionKind.BUY_DEVELOPMENT_CARD
    is_hidden = event.action.kind in kinds and event.outcome is not None
    return replace(event, outcome=HIDDEN) if is_hidden else event
