"""A live table in memory: whole games, and nothing that a seat may not know on its lines."""

from typing import Any

import pytest

from catan_env.game.game import Game
from catan_env.net.room import Garbled
from catan_env.net.spelling import JsonSpelling
from catan_env.web.messages import Act, Heard, Offer, Over, Refused, Sit, Step, Undo, Welcome
from catan_env.web.room import SITTING
from tests.web.tables import Tables, live_table

ANN, BEN, WATCH = 1, 2, 3


def seated(seed: int, **options: Any) -> Tables:
    tables = Tables(live_table(seed, **options), seed)
    for line, secret in ((ANN, "ann"), (BEN, "ben"), (WATCH, "watch")):
        tables.open(line, secret)
    return tables


def frames_of(heard: list[Any]) -> list[dict[str, Any]]:
    """The positions that a page has put together from what its line was sent."""
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
    """What a page has of a position is what its seat's view has, and nothing else."""
    if game.is_over:
        return
    view = game if seat is None else game.view(seat)
    for other in range(game.seats):
        if other == seat:
            assert frame["hands"][other] == game.hand(other)
            assert frame["cards"][other] == game.cards(other)
        else:
            assert frame["hands"][other] is None and frame["cards"][other] is None
        assert frame["known"][other] == view.known(other)
        assert frame["points"][other] == game.points(other, hidden=False)
        assert frame["sizes"][other] == game.hand_size(other)


def test_two_people_and_two_policies_play_whole_games(games: int) -> None:
    for seed in range(games // 2500):
        tables = seated(seed, rules=("base", "tournament")[seed % 2])
        for _ in range(20_000):
            table = tables.table
            if table.game.is_over:
                break
            if table.waits_for_policy:
                tables.wait()
            else:
                tables.choose(ANN if table.game.seat == 0 else BEN)
            for line, seat in ((ANN, 0), (BEN, 1), (WATCH, None)):
                last = tables.heard[line][-1]
                if isinstance(last, Step):
                    frame = {**table.sights[seat]._frames[-1]}
                    assert_knows_no_more(frame, table.game, seat)
        assert tables.table.game.is_over
        assert Game.from_sgn(tables.table.game.to_sgn()) == tables.table.game
        assert all(isinstance(tables.heard[line][-1], Over) for line in (ANN, BEN, WATCH))


def test_no_log_line_names_a_card_that_its_reader_did_not_see() -> None:
    for seed in range(4):
        tables = seated(seed)
        tables.play_on({0: ANN, 1: BEN})
        events = tables.table.game.events
        for line, seat in ((ANN, 0), (BEN, 1), (WATCH, None)):
            said = [log["text"] for f in frames_of(tables.heard[line])[:-1] for log in f["log"]]
            for text in said:
                if ": " in text and "buys a development card" in text:
                    assert seat is not None and text.startswith(("Ann", "Ben")[seat])
                if " steals 1 " in text:
                    name = None if seat is None else ("Ann", "Ben")[seat]
                    assert name is not None and name in text
        assert events


def test_a_page_loaded_anew_has_the_same_steps() -> None:
    tables = seated(3)
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


def test_a_choice_is_taken_back_until_chance_or_another_seat_has_spoken() -> None:
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


@pytest.mark.parametrize(
    "message",
    [
        Act(5000, 1), Act(-1, 1), Act(0, 1), Act(67, 99), Undo(1),
        Offer(1, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), 1),
        Offer(9, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), 1),
        Offer(1, (-5, 0, 0, 0, 0), (0, 10**9, 0, 0, 0), 1),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_and_the_table_plays_on(message: Any) -> None:
    tables = seated(2)
    before = tables.table.game.copy()
    tables.say(ANN, message)
    assert isinstance(tables.heard[ANN][-1], Refused)
    assert tables.table.game == before and tables.closed == []
    tables.play_on({0: ANN, 1: BEN})
    assert tables.table.game.is_over


def test_nobody_plays_for_another_seat_and_who_watches_does_not_play() -> None:
    tables = seated(2)
    index = tables.choices(ANN).actions[0].index  # type: ignore[union-attr]
    for line in (BEN, WATCH):
        tables.say(line, Act(index, 1))
        assert isinstance(tables.heard[line][-1], Refused)
    assert tables.table.step == 1


def test_a_line_without_the_secret_hears_nothing_of_the_game() -> None:
    tables = seated(2)
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
