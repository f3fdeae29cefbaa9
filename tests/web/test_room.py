"""A live table in memory: whole games, with nothing on a line that its seat may not know."""

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from catan_env.game.action import ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.room import Garbled
from catan_env.net.spelling import JsonSpelling
from catan_env.render.steps import COPIED
from catan_env.web.late import LatePolicy
from catan_env.web.messages import (
    Act,
    Heard,
    Offer,
    Over,
    Refused,
    Resume,
    Seated,
    Sit,
    Step,
    Undo,
    Welcome,
)
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.shelf import Shelf
from catan_env.web.shown_table import ShownTable
from catan_env.web.turn_clock import TurnClock
from catan_env.web.waiting import SITTING
from tests.web.positions import rich, table_of
from tests.web.tables import SECRETS, Tables, later, live_table

ANN, BEN, WATCH = 1, 2, 3
WRITE = msgspec.json.Encoder()
SHORT = replace(Rules.base(), points_to_win=4)


def seated(seed: int, **options: Any) -> Tables:
    tables = Tables(live_table(seed, **options), seed)
    for line, secret in ((ANN, "ann"), (BEN, "ben"), (WATCH, "watch")):
        tables.open(line, secret)
    return tables


def frames_of(heard: list[Any]) -> list[dict[str, Any]]:
    """The positions that a page has assembled from its line's messages."""
    steps: list[dict[str, Any]] = []
    for message in heard:
        if isinstance(message, Welcome):
            steps = list(message.data["steps"])
        elif isinstance(message, Step):
            del steps[message.number :]
            steps.append(message.step)
    frames: list[dict[str, Any]] = []
    for step in steps:
        frames.append({**(frames[-1] if frames else {}), **step})
    return frames


def assert_knows_no_more(frame: dict[str, Any], game: Game, seat: int | None) -> None:
    """A page's position equals its seat's view."""
    if game.is_over:
        return
    view = game if seat is None else game.view(seat)
    for other in range(game.seats):
        if other == seat:
            assert tuple(frame["hands"][other]) == game.hand(other)
            assert tuple(frame["cards"][other]) == game.cards(other)
        else:
            assert frame["hands"][other] is None and frame["cards"][other] is None
        assert tuple(frame["known"][other]) == view.known(other)
        assert frame["points"][other] == game.points(other, hidden=False)
        assert frame["sizes"][other] == game.hand_size(other)


class Reader:
    """The network side of a page: assembles positions from the bytes that it receives."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self._heard = 0

    def read(self, heard: list[Any]) -> list[dict[str, Any]]:
        """The messages since the last reading, from their frames."""
        new = [json.loads(WRITE.encode(message)) for message in heard[self._heard :]]
        self._heard = len(heard)
        for message in new:
            if message["type"] == "welcome":
                self.frames.clear()
                for step in message["data"]["steps"]:
                    self._grow(step)
            elif message["type"] == "step":
                del self.frames[message["number"] :]
                self._grow(message["step"])
            elif message["type"] == "rewind":
                del self.frames[message["number"] :]
        return new

    def _grow(self, step: dict[str, Any]) -> None:
        self.frames.append({**(self.frames[-1] if self.frames else {}), **step})


def assert_log_names_no_hidden_card(frame: dict[str, Any], name: str | None) -> None:
    for line in frame["log"]:
        text = line["text"]
        if "buys a development card: " in text:
            assert name is not None and text.startswith(name)
        if " steals 1 " in text:
            assert name is not None and name in text


def test_the_end_of_a_game_is_not_taken_back_and_is_stored_once() -> None:
    game = rich(rules=Rules(name="short", points_to_win=3))
    stored: list[Game] = []

    def keep(ended: ShownTable) -> Over:
        stored.append(ended.game)
        return Over("/r.html", "/r.json")

    tables = Tables(table_of(game))
    tables.room = TableRoom([Seating(tables.table, SECRETS, keep)])
    for line, secret in ((ANN, "ann"), (BEN, "ben"), (WATCH, "watch")):
        tables.open(line, secret)
    choices = tables.choices(ANN)
    assert choices is not None
    city = next(c for c in choices.actions if c.kind == "CITY")
    tables.say(ANN, Act(city.index, choices.step))
    assert tables.table.game.winner == 0 and not tables.table.may_undo
    steps = {line: len(tables.heard[line]) for line in tables.heard}
    tables.say(ANN, Undo(tables.table.step))
    assert tables.heard[ANN][-1] == Refused("the game is over")
    assert tables.table.game.winner == 0 and len(stored) == 1
    assert all(len(tables.heard[line]) == steps[line] for line in (BEN, WATCH))
    with pytest.raises(IllegalActionError, match="the game is over"):
        tables.table.undo(0)


KEYS = {
    "type",
    "step",
    "actions",
    "rates",
    "may_offer",
    "owed",
    "may_undo",
    "may_ask",
    "hints",
    "offers",
}


def test_nothing_hidden_is_in_the_traffic_of_whole_games(games: int) -> None:
    """Two games of the suite's 10,000; `--games 1000000` checks the traffic of 200."""
    for seed in range(max(1, games // 5000)):
        tables = seated(seed, rules=("base", "tournament")[seed % 2])
        table = tables.table
        readers = {line: Reader() for line in (ANN, BEN, WATCH)}
        while not table.game.is_over:
            if table.waits_for_policy:
                tables.wait()
            else:
                tables.choose(ANN if table.game.seat == 0 else BEN)
            for line, seat in ((ANN, 0), (BEN, 1), (WATCH, None)):
                for message in readers[line].read(tables.heard[line]):
                    if message["type"] == "choices":
                        assert set(message) == KEYS and line != WATCH
                frame = readers[line].frames[-1]
                assert_knows_no_more(frame, table.game, seat)
                if not table.game.is_over:
                    assert not COPIED & set(frame)
                    name = None if seat is None else table.names[seat]
                    assert_log_names_no_hidden_card(frame, name)
        assert Game.from_sgn(table.game.to_sgn()) == table.game
        assert all(isinstance(tables.heard[line][-1], Over) for line in (ANN, BEN, WATCH))


def test_a_reloaded_page_has_the_same_steps() -> None:
    tables = seated(3, rules=SHORT)
    for _ in range(60):
        if tables.table.waits_for_policy:
            tables.wait()
        else:
            tables.choose(ANN if tables.table.game.seat == 0 else BEN)
    tables.room.closed(ANN, "it closed its connection", tables.now)
    tables.open(9, "ann")
    assert frames_of(tables.heard[9]) == frames_of(tables.heard[ANN])
    tables.open(10, "ann")  # a second tab
    assert frames_of(tables.heard[10]) == frames_of(tables.heard[9])
    tables.play_on({0: 10, 1: BEN})
    assert frames_of(tables.heard[9]) == frames_of(tables.heard[10])
    assert tables.table.game.is_over


def test_a_seat_waits_a_minute_for_a_person_who_closed_the_page() -> None:
    tables = seated(3, rules=SHORT)
    while tables.table.waits_for_policy:
        tables.wait()
    decides = tables.table.game.seat
    tables.room.closed((ANN, BEN)[decides], "it closed its connection", tables.now)
    before = tables.table.game.copy()
    for _ in range(60):
        tables.now += 1.0
        tables.take(tables.room.time(tables.now))
    assert tables.table.game == before, "no one else decides for the seat"
    tables.open(9, ("ann", "ben")[decides])
    assert tables.choices(9) is not None
    tables.play_on({0: ANN, 1: BEN} | {decides: 9})
    assert tables.table.game.is_over


def test_a_choice_can_be_taken_back_until_a_random_event_or_another_seats_action() -> None:
    tables = seated(1, rules="base")
    before = tables.table.game.copy()
    choices = tables.choices(ANN)
    assert choices is not None and not choices.may_undo
    tables.say(ANN, Act(choices.actions[0].index, 1))
    tables.say(ANN, Undo(2))
    assert tables.table.game == before and tables.table.step == 1
    assert [len(steps) for steps in tables.table.sights.values()] == [1, 1, 1]
    assert frames_of(tables.heard[WATCH])[0]["settlements"] == [()] * 4
    tables.say(ANN, Undo(1))
    assert isinstance(tables.heard[ANN][-1], Refused)
    for line in (ANN, ANN, BEN):
        choices = tables.choices(line)
        assert choices is not None
        tables.say(line, Act(choices.actions[0].index, choices.step))
    tables.say(ANN, Undo(tables.table.step))
    assert isinstance(tables.heard[ANN][-1], Refused)


RANDOM_CHOICES: dict[ActionKind, dict[str, Any]] = {
    ActionKind.ROLL: {"phase": "roll"},
    ActionKind.BUY_DEVELOPMENT_CARD: {},
    ActionKind.MOVE_ROBBER: {"phase": "robber", "roll": 7},
    ActionKind.PLAY_MONOPOLY: {"cards": {0: (0, 0, 0, 1, 0)}},
}


@pytest.mark.parametrize("kind", RANDOM_CHOICES, ids=lambda kind: kind.name.lower())
def test_a_choice_that_reveals_something_is_not_taken_back(kind: ActionKind) -> None:
    table = table_of(rich(**RANDOM_CHOICES[kind]))
    found = [action for action in table.game.legal_actions if action.kind == kind]
    table.act(0, found[-1].index)
    assert not table.may_undo


@pytest.mark.parametrize(
    "message",
    [
        Act(5000, 1), Act(-1, 1), Act(0, 1), Act(67, 99), Undo(1),
        Offer(1, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), 1),
        Offer(9, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), 1),
        Offer(1, (-5, 0, 0, 0, 0), (0, 10**9, 0, 0, 0), 1),
    ],
)  # fmt: skip
def test_an_impossible_request_is_refused_and_the_table_continues(message: Any) -> None:
    tables = seated(2, rules=SHORT)
    before = tables.table.game.copy()
    tables.say(ANN, message)
    assert isinstance(tables.heard[ANN][-1], Refused)
    assert tables.table.game == before and tables.closed == []
    tables.play_on({0: ANN, 1: BEN})
    assert tables.table.game.is_over


def test_no_line_plays_for_another_seat_and_spectators_do_not_play() -> None:
    tables = seated(2)
    index = tables.choices(ANN).actions[0].index  # type: ignore[union-attr]
    for line in (BEN, WATCH):
        tables.say(line, Act(index, 1))
        assert isinstance(tables.heard[line][-1], Refused)
    assert tables.table.step == 1


def test_a_line_without_the_secret_receives_nothing_of_the_game() -> None:
    tables = seated(2, rules=SHORT)
    tables.open(7, "mallory")
    assert 7 in tables.closed and isinstance(tables.heard[7][-1], Refused)
    tables.open(8)
    tables.say(8, Act(7, 1))
    assert 8 in tables.closed
    tables.open(9)
    tables.now += SITTING
    tables.take(tables.room.time(tables.now))
    assert 9 in tables.closed
    assert all(isinstance(m, Refused) for line in (7, 8, 9) for m in tables.heard[line])
    tables.say(ANN, Garbled("not UTF-8"))
    assert ANN in tables.closed
    tables.open(11, "ann")
    tables.play_on({0: 11, 1: BEN})
    assert tables.table.game.is_over


def test_a_line_has_ten_seconds_to_send_its_secret() -> None:
    tables = seated(2)
    tables.open(9)
    for now, closed in ((9.9, []), (10.0, [9])):
        tables.now = now
        tables.take(tables.room.time(now))
        assert tables.closed == closed
    assert tables.heard[9] == [Refused("no secret was said")]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"null", b'{"type":"sit"}', b'{"type":"sit","secret":7}', b"\xff",
        b'{"type":"act","index":1.5,"step":1}', b'{"type":"act","index":1,"step":1,"seat":2}',
        b'{"type":"offer","to":1,"give":[1],"get":[1,1,1,1,1],"step":1}', b"[" * 4000,
        b'{"type":"cheat"}',
    ],
)  # fmt: skip
def test_frames_of_any_other_shape_are_garbled(data: bytes) -> None:
    assert isinstance(JsonSpelling(Heard, 4096).decode(data), Garbled)
    assert JsonSpelling(Heard, 4096).decode(b'{"type":"sit","secret":"x"}') == Sit("x")


def test_an_answer_to_a_position_that_was_taken_back_is_dropped() -> None:
    tables = Tables(live_table(3, policies=()), 3)
    (seating,) = tables.room._seatings
    seating.clock = TurnClock(60.0)
    tables.open(ANN, "ann")
    first, second = tables.table.game.legal_actions[:2]
    tables.say(ANN, Act(first.index, tables.table.step))
    waiting = later(tables)
    tables.wait()  # Ann's time is over
    ((job, then),) = waiting
    answer = job()
    tables.say(ANN, Undo(tables.table.step))
    tables.say(ANN, Act(second.index, tables.table.step))
    step, position = tables.table.step, tables.table.game.copy()
    tables.take(then(answer, tables.now))
    assert tables.table.step == step and tables.table.game == position
    tables.wait()  # it is asked again
    job, then = waiting[1]
    tables.take(then(job(), tables.now))
    assert tables.table.step == step + 1


def test_a_choice_is_not_taken_back_while_another_seat_decides() -> None:
    tables = Tables(live_table(3, policies=("greedy",)), 3)
    tables.open(ANN, "ann")
    tables.open(BEN, "ben")
    tables.play_on({0: ANN, 1: BEN}, 4)  # Ann and Ben have placed; the policy is next
    position = tables.table.game.copy()
    for line in (ANN, BEN):
        tables.say(line, Undo(tables.table.step))
        assert tables.heard[line][-1] == Refused("greedy 0 decides now")
    assert tables.table.game == position


def test_a_failing_policy_stops_its_game_with_a_reason() -> None:
    tables = Tables(live_table(3, policies=("greedy",)), 3)
    tables.open(ANN, "ann")
    tables.open(BEN, "ben")
    tables.play_on({0: ANN, 1: BEN}, 4)
    waiting = later(tables)
    tables.wait()
    tables.take(waiting[0][1](ZeroDivisionError("by zero"), tables.now))
    refused = tables.heard[ANN][-1]
    assert isinstance(refused, Refused) and "ZeroDivisionError: by zero" in refused.reason
    assert tables.room.deadline is None


class Failing:
    def act(self, view: Any) -> int:
        return [1, 2].index(3)


def test_a_table_plays_on_with_safe_moves_for_a_policy_that_fails(capsys: Any) -> None:
    table = live_table(3)
    table.policies = {2: Failing(), 3: LatePolicy("nosuch:Policy")}
    tables = Tables(table, 3)
    tables.room = TableRoom([Shelf({}).seating(table, {"ann": 0, "ben": 1, "watch": None})])
    tables.open(ANN, "ann")
    tables.open(BEN, "ben")
    tables.open(WATCH, "watch")
    tables.play_on({0: ANN, 1: BEN}, 60)
    assert table.game.turn > 0
    shown = [m.reason for m in tables.heard[WATCH] if isinstance(m, Refused)]
    failed = "the policy of random 0 failed; safe moves are played instead: ValueError: 3 is not in"
    assert sum(reason.startswith(failed) for reason in shown) == 1
    assert sum("random 1 failed" in r and "no module 'nosuch'" in r for r in shown) == 1
    log = capsys.readouterr().err
    assert log.count("Traceback") == 1 and "return [1, 2].index(3)" in log
    assert "random 0, seat 2, turn 0: policy tests.web.test_room:Failing failed" in log


def test_a_saved_game_continues_from_the_requested_step() -> None:
    shelf = Shelf({})
    table = live_table(5, rules="tournament")
    seating = shelf.seating(table, {"ann": 0, "ben": 1})
    room = TableRoom([seating], reopen=shelf.reopen)
    guide = Tables(table, 5)
    guide.room = room
    for line, secret in ((ANN, "ann"), (BEN, "ben")):
        guide.open(line, secret)
    guide.play_on({0: ANN, 1: BEN})
    over = guide.heard[ANN][-1]
    assert isinstance(over, Over)
    path = over.replay.removesuffix(".html")
    placed = 16  # settlements and roads, one step of the page each
    for line, (name, step, seat) in enumerate(
        ((path, placed + 30, 3), (path, 10**9, 0), ("/other", 1, 0), (path, 1, 4), (path, -1, 0)),
        20,
    ):
        guide.open(line)
        guide.say(line, Resume(name, step, seat))
        assert line in guide.closed
    seated, *refused = (guide.heard[line][-1] for line in range(20, 25))
    assert all(isinstance(message, Refused) for message in refused)
    assert isinstance(seated, Seated)
    guide.open(30, seated.secret)
    welcome = guide.heard[30][0]
    assert isinstance(welcome, Welcome) and welcome.seat == 3
    assert len(welcome.data["steps"]) == 31
    laid = room._by_secret[seated.secret].table
    assert laid.game.events == table.game.events[: len(laid.game.events)]
