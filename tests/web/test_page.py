"""People play in headless Chromium, by clicks and by the keyboard."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from catan_env.game.action import ActionKind
from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.geometry import EDGE_VERTICES as EDGES
from catan_env.game.rules import Rules
from catan_env.notation import loads, to_sgn
from catan_env.policy import load_judge, load_policy
from catan_env.render.judged import judged
from catan_env.render.replay import Source, replay_html
from catan_env.web.table import Adviser, LiveTable
from tests.notation.random_games import random_game
from tests.render.browser import opened, opened_browser
from tests.web.browser import Person, leave_pages, served
from tests.web.tables import live_table
from tests.web.test_serve import get

PATIENCE = 240
SHORT = replace(Rules.base(), points_to_win=4)


@pytest.fixture(scope="module")
def chromium() -> Iterator[webdriver.Chrome]:
    yield from opened_browser()


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """With one empty tab and nothing in its console's log."""
    yield chromium
    leave_pages(chromium)


def severe(browser: webdriver.Chrome) -> list[str]:
    """What the console complains of."""
    return [e["message"] for e in browser.get_log("browser") if e["level"] == "SEVERE"]


def wait(browser: webdriver.Chrome, expression: str, seconds: float = 90) -> Any:
    script = f"return {expression}"
    return WebDriverWait(browser, seconds).until(lambda _: browser.execute_script(script))


def table_of(game: Game, policies: tuple[str, ...] = ("greedy", "greedy"), **more: Any) -> Any:
    seats = {2 + k: load_policy(name, k) for k, name in enumerate(policies)}
    names = ["Ann", "Ben", *(f"{name} {k}" for k, name in enumerate(policies))]
    return LiveTable(game, names, seats, **more)


def test_two_people_and_two_policies_play_a_game_and_keep_its_record(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(Game(4, seed=2, rules=SHORT))
    guide = load_policy("greedy")
    with served(table) as address:
        people = []
        for seat, secret in enumerate(("ann", "ben")):
            browser.switch_to.new_window("tab")
            browser.get(f"{address}#{secret}")
            people.append(Person(browser, browser.current_window_handle, seat))
        until = time.monotonic() + PATIENCE
        absences = {1: "reload", 2: "close"}  # by turn
        while not table.game.is_over and time.monotonic() < until:
            seat = table.game.seat
            if seat < len(people):
                view = table.game.view(seat)
                people[seat].choose(guide.act(view))
            match absences.pop(table.game.turn, None):
                case "reload":
                    browser.refresh()
                case "close":
                    close_and_come_again(browser, people[1], f"{address}#ben")
        assert table.game.is_over and not absences
        for person in people:
            browser.switch_to.window(person.tab)
            wait(browser, f"replay.last + 1 === {table.step}")
        link = browser.find_element("link text", "Record").get_attribute("href")
        assert link is not None
        status, text = get(address, link.removeprefix(address.rstrip("/")))
        assert status == 200
        record = loads(text)
        assert isinstance(record.position, Game) and record.game == table.game
        assert severe(browser) == []
        play_on_from_the_replay(browser, table)


def close_and_come_again(browser: webdriver.Chrome, person: Person, link: str) -> None:
    """The seat waits for a closed tab: policies play no move for it."""
    browser.switch_to.new_window("tab")
    new = browser.current_window_handle
    browser.switch_to.window(person.tab)
    browser.close()
    browser.switch_to.window(new)
    browser.get(link)
    person.tab = new


def play_on_from_the_replay(browser: webdriver.Chrome, table: LiveTable) -> None:
    """From a step of the replay that the server keeps, a table is laid and one sits down."""
    browser.find_element("link text", "Replay").click()
    wait(browser, "window.replay && replay.last > 0")
    browser.execute_script("replay.go(20)")
    browser.find_element("id", "play-on").click()
    browser.execute_script(
        "document.getElementById('play-as').value = replay.frame.seat;"
        "document.getElementById('sit-down').click()"
    )
    wait(browser, "document.body.classList.contains('live') && replay.last === 20")
    assert wait(browser, "document.querySelectorAll('.choice, #acts button').length") > 0
    frame = browser.execute_script("return replay.frame")
    pieces = [list(places) for places in map(tuple, frame["settlements"])]
    again = Game.from_sgn(to_sgn(table.game))
    assert sum(map(len, pieces)) == 8 and again == table.game
    assert severe(browser) == []


RICH: dict[str, Any] = {
    "board": Board.beginner(),
    "settlements": {0: [10, 25], 1: [40, 46], 2: [], 3: []},
    "roads": {0: [], 1: []},
    "hands": {0: (4, 4, 4, 4, 3), 1: (2, 2, 2, 2, 2)},
    "seats": 4,
}


def rich(**more: Any) -> Game:
    """A position in which seat 0 has much to choose from; roads lie at its settlements."""
    roads = {0: [], 1: []}
    for seat in (0, 1):
        for vertex in RICH["settlements"][seat]:
            roads[seat].append(next(e for e, ends in enumerate(EDGES) if vertex in ends))
    return Game.from_position(**{**RICH, "roads": roads, **more})


def in_hand(kind: int) -> dict[int, tuple[int, ...]]:
    return {0: tuple(int(k == kind) for k in range(5))}


def test_every_kind_of_decision_is_made_by_hand(browser: webdriver.Chrome) -> None:
    kinds = ActionKind
    scenes: list[tuple[Game, list[tuple[int, Any]]]] = [
        (Game(4, seed=3), [(0, kinds.SETTLEMENT), (0, kinds.ROAD)]),
        (rich(phase="roll", roll=0), [(0, kinds.ROLL)]),
        (
            rich(),
            [
                (0, kinds.CITY),
                (0, kinds.ROAD),
                (0, kinds.OFFER),
                (1, kinds.ACCEPT),
                (0, kinds.OFFER),
                (1, kinds.REJECT),
                (0, kinds.BUY_DEVELOPMENT_CARD),
                (0, kinds.END_TURN),
            ],
        ),
        (rich(), [(0, kinds.BANK_TRADE)]),
        (rich(cards=in_hand(0)), [(0, kinds.PLAY_KNIGHT), (0, kinds.MOVE_ROBBER)]),
        (rich(cards=in_hand(1)), [(0, kinds.PLAY_ROAD_BUILDING), (0, kinds.ROAD)]),
        (rich(cards=in_hand(2)), [(0, kinds.PLAY_YEAR_OF_PLENTY)]),
        (rich(cards=in_hand(3)), [(0, kinds.PLAY_MONOPOLY)]),
        (rich(phase="discard", roll=7), [(0, kinds.DISCARD)]),
    ]
    made = set()
    for game, wanted in scenes:
        table = table_of(game)
        with served(table) as address:
            people = []
            for secret in ("ann", "ben")[: 1 + max(seat for seat, _ in wanted)]:
                browser.switch_to.new_window("tab")
                browser.get(f"{address}#{secret}")
                people.append(Person(browser, browser.current_window_handle, len(made)))
            for seat, kind in wanted:
                happened = len(table.game.events)
                people[seat].choose_kind(kind.name)
                event = table.game.events[happened]
                assert (event.seat, event.action.kind) == (seat, kind)
                made.add(kind)
            for person in people:
                browser.switch_to.window(person.tab)
                browser.close()
            browser.switch_to.window(browser.window_handles[0])
    assert made == set(kinds) - {kinds.TIME_OUT, kinds.LEAVE}
    assert severe(browser) == []


def test_a_policy_that_is_asked_says_what_it_would_play_and_the_odds(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich(), adviser=Adviser(load_judge("best")))
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.querySelectorAll('#acts button').length > 1")
        browser.execute_script(
            "[...document.querySelectorAll('#acts button')]"
            ".find((node) => node.textContent === 'What would you play?').click()"
        )
        wait(browser, "document.querySelectorAll('#advice li').length > 1")
        odds = browser.execute_script(
            "return [...document.querySelectorAll('#advice b')].map((n) => parseInt(n.textContent))"
        )
        assert odds == sorted(odds, reverse=True)
        advice = browser.find_element("id", "advice").text
        assert "best plays this" in advice and "Ann" in advice
        wait(browser, "document.querySelector('[data-curve=odds]')")
        assert severe(browser) == []


def test_who_watches_sees_the_game_and_may_choose_nothing(browser: webdriver.Chrome) -> None:
    table = live_table(4, policies=("greedy",))
    with served(table) as address:
        browser.get(f"{address}#watch")
        wait(browser, "window.replay")
        assert browser.find_elements("css selector", ".choice, #acts button") == []
        assert browser.execute_script("return replay.frame.hands") == [None] * 3
        browser.get("about:blank")
        browser.get(f"{address}#nobody")
        wait(browser, "document.getElementById('refused').textContent.includes('secret')")


def facts(game: Game) -> list[Any]:
    """A position, but for the offers made in the turn, which `from_position` does not know."""
    known = [game.phase, game.seat, game.turn, game.roll, game.robber, game.bank, game.deck()]
    for seat in range(game.seats):
        known += [game.hand(seat), game.known(seat), game.cards(seat), game.played(seat)]
        known += [game.roads(seat), game.settlements(seat), game.cities(seat), game.points(seat)]
    return [*known, game.longest_road_seat, game.largest_army_seat, game.winner]


def test_a_judged_replay_teaches_and_gives_its_positions_away(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    game = random_game(6, 3, "base", 150)
    record = loads(to_sgn(game, players=["Ann", "Ben", "Cleo"]))
    judgement = judged(record, load_judge("greedy"))
    file = tmp_path / "game.html"
    file.write_text(replay_html(record, "T", judgement, Source("my game.sgn.json")), "utf-8")
    page = opened(browser, file)
    lesson = judgement.lessons[0]
    page.browser.find_element("css selector", ".lessons button").click()
    assert page.step == lesson.step
    assert f"{round(100 * lesson.better_odds)} %" in page.text("#lesson")
    assert page.tell("document.querySelectorAll('.lesson-dot').length") == len(judgement.lessons)
    page.wait(f"location.hash === '#step={lesson.step}'")
    page.click("play-on")
    assert f"--step {lesson.step}" in page.text("#command")
    page.tell("document.getElementById('from-here').close()")
    for step, (_, table) in enumerate(record.replay()):
        if step % 17 == 3 or step == len(game.events):
            page.go(step)
            made = eval(page.tell("replay.position()"), {"Game": Game, "Board": Board})
            assert isinstance(table, Game)
            assert facts(made) == facts(table), step
    assert page.tell("document.querySelectorAll('#log .fold').length") > 0
    page.tell("document.getElementById('words').open = true")
    page.wait("document.querySelectorAll('#in-words p').length === 4")
    assert severe(browser) == []
