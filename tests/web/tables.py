"""Live tables in memory, with lines that play automatically."""

import random
from typing import Any

from catan_env.game.game import Game
from catan_env.net.room import Close, Effect, Send
from catan_env.policy import load_policy
from catan_env.web.messages import Act, Choices, Offer, Over, Sit, Undo
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.table import LiveTable

SECRETS = {"ann": 0, "ben": 1, "watch": None}
"""Two people, and a spectator."""


def live_table(seed: int, rules: Any = "base", policies: tuple[str, ...] = ("random",) * 2) -> Any:
    """Two people and two policies (or fewer), seated at random by a seed."""
    seats = 2 + len(policies)
    game = Game(seats, seed=seed, rules=rules)
    names = ["Ann", "Ben", *(f"{name} {k}" for k, name in enumerate(policies))]
    return LiveTable(
        game, names, {2 + k: load_policy(name, seed + k) for k, name in enumerate(policies)}
    )


class Tables:
    """A room and the messages sent to its lines; people choose at random."""

    def __init__(self, table: LiveTable, seed: int = 0) -> None:
        self.table = table
        self.room = TableRoom([Seating(table, SECRETS, lambda _: Over("/r.html", "/r.json"))])
        self.chance = random.Random(seed)
        self.heard: dict[int, list[Any]] = {}
        self.closed: list[int] = []
        self.now = 0.0

    def open(self, line: int, secret: str | None = None) -> None:
        self.heard[line] = []
        self.take(self.room.opened(line, self.now))
        if secret is not None:
            self.say(line, Sit(secret))

    def say(self, line: int, message: Any) -> None:
        self.take(self.room.received(line, message, self.now))

    def take(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self.heard[effect.line].append(effect.message)
            elif isinstance(effect, Close):
                self.closed.append(effect.line)

    def wait(self) -> None:
        """Advance the clock to the next deadline."""
        assert self.room.deadline is not None
        self.now = self.room.deadline
        self.take(self.room.time(self.now))

    def choices(self, line: int) -> Choices | None:
        """The choices of the line."""
        last = next((m for m in reversed(self.heard[line]) if isinstance(m, Choices)), None)
        return last if last is not None and last.step == self.table.step else None

    def play_on(self, lines: dict[int, int], limit: int = 20_000) -> None:
        """Play to the end; `lines` are those that choose, by seat."""
        for _ in range(limit):
            if self.table.game.is_over:
                return
            if self.table.waits_for_policy:
                self.wait()
            else:
                self.choose(lines[self.table.game.seat])

    def choose(self, line: int) -> None:
        choices = self.choices(line)
        assert choices is not None
        if choices.may_offer and self.chance.random() < 0.05:
            self.say(line, self.random_offer(choices))
        elif choices.may_undo and self.chance.random() < 0.1:
            self.say(line, Undo(choices.step))
        else:
            self.say(line, Act(self.chance.choice(choices.actions).index, choices.step))

    def random_offer(self, choices: Choices) -> Offer:
        game = self.table.game
        give = [0] * 5
        held = [k for k, n in enumerate(game.hand(game.seat)) if n]
        give[self.chance.choice(held)] = 1
        get = [0 if n else self.chance.randrange(3) for n in give]
        return Offer(1, tuple(give), tuple(get), choices.step)  # type: ignore[arg-type]


def later(tables: Tables, kind: str = "start") -> list[Any]:
    """Jobs of that kind are queued here with their callbacks."""
    waiting: list[Any] = []

    def start(job: Any, then: Any) -> list[Any]:
        waiting.append((job, then))
        return []

    setattr(tables.room.jobs, kind, start)
    return waiting
