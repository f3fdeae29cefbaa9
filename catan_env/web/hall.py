"""Tables that people open on a start page, with policies and with others whom they invite."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import TypeVar

from catan_env.core.constants import Layout
from catan_env.game.board import Board
from catan_env.game.chance import new_secret
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.game.start import board_for, check_table, most_seats, rules_of
from catan_env.kernel.numbers import wrapped_seed
from catan_env.net.room import Effect
from catan_env.notation.files import read
from catan_env.notation.record import different_names
from catan_env.web.advisers import Advisers
from catan_env.web.journal import removed_on_failure
from catan_env.web.late import LatePolicy
from catan_env.web.messages import (
    AtStart,
    Enter,
    Join,
    ListedGame,
    ListedResult,
    Lobby,
    OfferedPolicy,
    OfferedRules,
    Open,
    Seated,
    Show,
)
from catan_env.web.page import table_file
from catan_env.web.people import People, PlayedGame
from catan_env.web.room import MOST_TABLES, StartAnswer, TableRoom
from catan_env.web.seating import Expected, Seating
from catan_env.web.secret import new_link
from catan_env.web.shelf import Shelf
from catan_env.web.shown_table import Sight
from catan_env.web.table import STAND_IN, LiveTable
from catan_env.web.turn_clock import check_timeout

ABOUT = {
    "best": "The strongest without a search. Rarely wastes a card.",
    "greedy": "Tries every move and plays what looks best, without looking ahead.",
    "builder": "Builds what it can and trades little. Good for a first game.",
    "random": "Plays any legal move. Good for learning the page.",
    "search": "Looks ahead in worlds that it cannot rule out. Thinks longest.",
}
RATINGS = json.loads(table_file("ratings.json"))
"""The ratings of docs/ladder.md by policy: `python -m benchmarks.ladder` writes both."""
POLICIES = tuple(OfferedPolicy(name, about, RATINGS.get(name)) for name, about in ABOUT.items())
"""The policies of the start page."""
RULES = tuple(
    OfferedRules(name, about, most_seats(Rules.named(name)))
    for name, about in (
        ("base", "base game"),
        ("tournament", "tournament"),
        ("duel", "duel, no trade"),
        ("colonist", "Colonist"),
        ("colonist_1v1", "Colonist, 1 v 1"),
        ("small", "small map, 2 or 3 seats"),
    )
)
"""The rules of the start page."""
Part = TypeVar("Part")
LONGEST_NAME = 24
MOST_GATHERING = 32
"""The maximum number of tables that wait for people."""
LONG_AGO = 3600
"""Seconds after which a waiting table makes room for another one if everyone has left it."""
MOST_SEED = (1 << 62) - 1
"""The largest seed of a table that is opened here."""
SLOWEST = 10.0
"""Seconds that a policy may take for a move."""


@dataclass
class Gathering:
    """A table on its way: seats that people still have to take."""

    opened: Open
    names: list[str]
    """By seat; empty where a person is missing."""
    people: list[int | None]
    """The people's numbers by seat."""
    secrets: dict[str, Sight]
    path: str
    board: Board | str
    rules: Rules
    expected: Expected = field(init=False)
    is_full: bool = False
    """True from when the table is being laid, once."""
    begun: int = field(default_factory=lambda: int(time.time()))
    """When it was opened, in seconds since 1970."""

    @property
    def is_left(self) -> bool:
        """True if it was opened long ago and no page waits for it."""
        return self.begun + LONG_AGO <= time.time() and not self.expected.lines

    @property
    def free(self) -> list[int]:
        """The seats that wait for a person."""
        return [seat for seat, name in enumerate(self.names) if not name]

    def seat_for(self, person: int | None) -> int:
        """The person's seat; the first free one if they have none."""
        return self.people.index(person) if person in self.people else self.free[0]

    def secret_of(self, sight: Sight) -> str:
        """The secret of a perspective."""
        return next(secret for secret, at in self.secrets.items() if at == sight)

    def listed_for(self, person: int) -> ListedGame:
        """The table in the list of a person who is there, with the secret of their seat."""
        names = [name or "a free seat" for name in self.names]
        secret = self.secret_of(self.people.index(person))
        return ListedGame(self.path, names, None, None, self.begun, secret)


class TableHall:
    """Opens tables in a room; the shelf stores their records, and people are in their own file.

    `ask` is the policy that the server's host has chosen to give advice.
    """

    def __init__(
        self,
        room: TableRoom,
        shelf: Shelf,
        people: People,
        advisers: Advisers,
        ask: str | None = None,
    ) -> None:
        self._room, self._shelf, self._people = room, shelf, people
        self._advisers = advisers
        self._ask = ask or ""
        self._gathering: dict[str, Gathering] = {}
        """By invitation."""
        self._full: dict[str, Gathering] = {}
        """The last tables whose people are all there, by invitation: it leads them back."""
        self._lock = Lock()

    def answer(self, message: AtStart) -> StartAnswer:
        """Answer a start page; ValueError with the reason if it is refused."""
        match message:
            case Enter():
                return StartAnswer(self._lobby(message))
            case Open():
                return self._open(message)
            case Join():
                return self._join(message)
            case Show():
                record = self._people.record(message.key, message.path)
                if record is None:
                    raise ValueError("this game is not in your list")
                return StartAnswer(self._shelf.shown(read(record), message.path))

    def rematch(self, seating: Seating) -> dict[Sight, str]:
        """Open a table with the same players, each one seat on."""
        table = seating.table
        assert isinstance(table, LiveTable)
        game = table.game
        seats = game.seats

        policies = [p if s in table.policies else "" for s, p in enumerate(seating.policies)]
        opened = Open(
            "", "", _turned(policies), game.rules.name,
            game.layout.name.lower(),
            0.6 if seating.pace is None else seating.pace,
            timeout=None if seating.clock is None else seating.clock.seconds,
            ask="" if table.adviser is None else table.adviser.name,
        )  # fmt: skip
        names = _turned(table.names)
        sights: list[Sight] = [None, *((seat + 1) % seats for seat in table.people)]
        secrets = {new_link(): sight for sight in sights}
        gathering = Gathering(
            opened,
            names,
            [],
            secrets,
            f"/{new_link()}",
            game.board if game.layout == Layout.GIVEN else opened.board,
            game.rules,
        )
        gathering.expected = Expected(list(secrets), ["the game"])
        self._room.prepare(gathering.expected, partial(self._lay_again, gathering, seating.path))
        by_sight = {sight: secret for secret, sight in secrets.items()}
        return {
            None if sight is None else (sight - 1) % seats: secret
            for sight, secret in by_sight.items()
        }

    def _lobby(self, message: Enter) -> Lobby:
        people = self._people
        key = message.key if people.number(message.key) is not None else ""
        games = [*self._waiting(key), *(self._listed(game) for game in people.games(key))]
        results = [ListedResult(*result) for result in people.results(key)]
        invited = None
        if message.invitation:
            invited = self._gathering_of(message.invitation, people.number(key)).names.copy()
        policies, rules, name = list(POLICIES), list(RULES), people.name(key)
        return Lobby(key, name, policies, rules, games, results, invited, self._ask)

    def _waiting(self, key: str) -> list[ListedGame]:
        """The person's tables that wait for others."""
        person = self._people.number(key)
        if person is None:
            return []
        waiting = [one for one in self._gathering.copy().values() if person in one.people]
        return [one.listed_for(person) for one in waiting]

    def _listed(self, game: PlayedGame) -> ListedGame:
        """A game of a person's list; one in progress has the secret of their seat."""
        if game.turns is None:
            secret = self._room.secret_of(game.path, game.seat)
            return ListedGame(game.path, game.names, None, None, game.begun, secret)
        is_won = game.winner == game.seat
        return ListedGame(game.path, game.names, is_won, game.turns, game.begun)

    def _open(self, message: Open) -> StartAnswer:
        _check(message, self._ask)
        self._check_place(message.seats.count("") > 1)
        key = self._people.enter(message.key, _named(message.name))
        policies = message.seats
        names = list(policies)
        person = policies.index("")
        names[person] = _named(message.name)
        people: list[int | None] = [None] * len(policies)
        people[person] = self._people.number(key)
        seats: list[Sight] = [seat for seat, policy in enumerate(policies) if not policy]
        secrets = {new_link(): sight for sight in (*seats, None)}
        path = f"/{new_link()}"
        rules = rules_of(message.rules)
        gathering = Gathering(message, names, people, secrets, path, message.board, rules)
        invitation = f"join={new_link()}"
        gathering.expected = Expected(list(secrets), [], invitation)
        change = partial(self._gather, gathering, invitation)
        return StartAnswer(Seated(gathering.secret_of(person), key), change)

    def _join(self, message: Join) -> StartAnswer:
        name = _named(message.name)
        with self._lock:
            known = self._people.number(message.key)
            gathering = self._gathering_of(message.invitation, known)
            key = self._people.enter(message.key, name)
            person = self._people.number(key)
            seat = gathering.seat_for(person)
            gathering.names[seat] = name
            gathering.people[seat] = person
        change = partial(self._gather, gathering, message.invitation)
        return StartAnswer(Seated(gathering.secret_of(seat), key), change)

    def _gather(self, gathering: Gathering, invitation: str) -> list[Effect]:
        """Lay the table if everyone is there, or wait for the others; in the server's thread.

        ValueError if the table is new and has no place.
        """
        if gathering.is_full:  # someone follows the invitation back
            return []
        expected, missing = gathering.expected, len(gathering.free)
        is_new = invitation not in self._gathering
        effects = self._make_place(missing > 0) if is_new else []
        if missing:
            expected.parts = [f"{missing} more {'person' if missing == 1 else 'people'}"]
            self._gathering[invitation] = gathering
            self._room.waiting.expect(expected)
        else:
            gathering.is_full = True
            if self._gathering.pop(invitation, None):
                self._full[invitation] = gathering
            expected.parts, expected.invitation = ["the game"], ""
            self._room.prepare(expected, partial(self._lay, gathering))
        while len(self._full) > MOST_TABLES:
            del self._full[next(iter(self._full))]
        return effects + self._room.waiting.announce(expected)

    def _check_place(self, is_waiting: bool) -> None:
        """Raise ValueError if a new table, which may wait for people, has no place."""
        if is_waiting and len(self._gathering) >= MOST_GATHERING and self._left() is None:
            raise ValueError("too many tables are waiting for people")
        if not self._room.has_place:
            raise ValueError("all tables of this server are in use")

    def _make_place(self, is_waiting: bool) -> list[Effect]:
        """Make room for a new table; ValueError if that is impossible."""
        self._check_place(is_waiting)
        self._room.make_place()
        invitation = self._left()
        if not is_waiting or len(self._gathering) < MOST_GATHERING or invitation is None:
            return []
        dropped = self._gathering.pop(invitation)
        return self._room.give_up(dropped.expected, "too many tables are waiting for people")

    def _left(self) -> str | None:
        """The invitation of the waiting table that everyone has left, of the oldest."""
        return next((key for key, one in self._gathering.copy().items() if one.is_left), None)

    def _gathering_of(self, invitation: str, person: int | None) -> Gathering:
        """The table where the person sits, or may sit down."""
        gathering = self._gathering.get(invitation) or self._full.get(invitation)
        is_theirs = gathering is not None and person is not None and person in gathering.people
        if gathering is None or not (gathering.free or is_theirs):
            raise ValueError("this table has no free seat left")
        return gathering

    def _lay_again(self, gathering: Gathering, path: str) -> Seating:
        """The table of a rematch of the game with that path."""
        people = self._people.at_table(path) or list[int | None]([None] * len(gathering.names))
        gathering.people = _turned(people)
        return self._lay(gathering)

    def _lay(self, gathering: Gathering) -> Seating:
        """The table, when all its people are known."""
        opened = gathering.opened
        secret = new_secret() if opened.seed is None else None
        seats = len(opened.seats)
        game = Game(seats, opened.seed, gathering.rules, gathering.board, secret=secret)
        policies = {
            seat: LatePolicy(name, wrapped_seed(game.seed + seat))
            for seat, name in enumerate(opened.seats)
            if name
        }
        names = different_names(gathering.names)
        table = LiveTable(game, names, policies, self._advisers.named(opened.ask))
        known = [name or STAND_IN for name in opened.seats]
        seating = self._shelf.seating(
            table, gathering.secrets, known, gathering.path, opened.pace, opened.timeout
        )
        assert table.journal is not None
        against = [name or None for name in opened.seats]
        record, people = table.journal.path, gathering.people
        with removed_on_failure(table.journal):
            self._people.begin(gathering.path, record, opened.rules, names, against, people)
        return seating


def _turned(some: Sequence[Part]) -> list[Part]:
    """The parts by seat, when each player sits one seat on."""
    return [some[seat - 1] for seat in range(len(some))]


def _check(message: Open, ask: str) -> None:
    """Raise ValueError if such a table cannot be opened; `ask` is the host's adviser."""
    if "" not in message.seats:
        raise ValueError("one seat must be left for you")
    offered = {policy.name for policy in POLICIES}
    unknown = (set(message.seats) - offered - {""}) | ({message.ask} - offered - {"", ask})
    if unknown:
        raise ValueError(f"there is no policy {min(unknown)!r} here")
    if not 0 <= message.pace <= SLOWEST:
        raise ValueError(f"a policy takes 0 to {SLOWEST:.0f} seconds for a move")
    check_timeout(message.timeout)
    if message.seed is not None and not 0 <= message.seed <= MOST_SEED:
        raise ValueError(f"a seed is a whole number from 0 to {MOST_SEED}")
    rules = rules_of(message.rules)
    board, _ = board_for(message.board, rules)
    check_table(len(message.seats), rules, board)


def _named(name: str) -> str:
    """The name without surrounding spaces; ValueError if it cannot be shown."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise ValueError(f"a name has 1 to {LONGEST_NAME} letters")
    return name
