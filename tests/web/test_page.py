"""People play in headless Chromium, by mouse and keyboard."""

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from catan_env.game.action import Action, ActionKind
from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.notation import loads, to_sgn
from catan_env.policy import Policy, decide, load_judge, load_policy
from catan_env.render.judged import judged
from catan_env.render.replay import Source, replay_html
from catan_env.web.advisers import Adviser
from catan_env.web.table import LiveTable
from tests.notation.random_games import random_game
from tests.render.browser import opened
from tests.web.browser import Person, served
from tests.web.positions import rich, table_of
from tests.web.tables import live_table
from tests.web.test_serve import get

AWAY = float(os.environ.get("AWAY", "0"))
"""Seconds for which a tab stays closed."""
PATIENCE = 600
MADE_ANYWAY = (ActionKind.ROLL, ActionKind.END_TURN)


def severe(browser: webdriver.Chrome) -> list[str]:
    """The errors in the console, except those of a closed page that has lost its line."""
    messages = [e["message"] for e in browser.get_log("browser") if e["level"] == "SEVERE"]
    return [message for message in messages if "Page entered Back-Forward Cache" not in message]


def wait(browser: webdriver.Chrome, expression: str, seconds: float = 90) -> Any:
    script = f"return {expression}"
    return WebDriverWait(browser, seconds, 0.05).until(lambda _: browser.execute_script(script))


def next_choice(game: Game, made: set[ActionKind], guide: Policy) -> Action:
    """A choice of a kind that no person has made yet, otherwise the guide's choice."""
    other = 1 if game.seat == 0 else 3  # the other person, counted clockwise
    for action in game.legal_actions:
        is_for_policy = action.kind is ActionKind.OFFER and action.args[0] != other
        if action.kind not in made and action.kind not in MADE_ANYWAY and not is_for_policy:
            return action
    return Action.from_index(decide(guide, game.view(game.seat)))


@pytest.mark.nightly
def test_two_people_and_two_policies_play_a_game_with_every_kind_of_decision_in_it(
    browser: webdriver.Chrome,
) -> None:
    """In game 196 the two draw every development card before they reach five points."""
    table = table_of(Game(4, seed=196, rules=replace(Rules.base(), points_to_win=5)))
    guide = load_policy("greedy")
    made: set[ActionKind] = set()
    with served(table) as address:
        people = []
        for secret in ("ann", "ben"):
            browser.switch_to.new_window("tab")
            browser.get(f"{address}#{secret}")
            people.append(Person(browser, browser.current_window_handle))
        choices = 0
        while not table.game.is_over:
            game = wait_for_people(table)
            if game.is_over:
                break
            person = people[game.seat]
            interrupt(choices, browser, people, address)
            choice = next_choice(game, made, guide)
            person.choose(choice)
            if choices == 0:
                person.undo()
                assert table.game == Game(4, seed=196, rules=game.rules)
                person.choose(choice)
            made.add(choice.kind)
            choices += 1
        assert made == set(ActionKind) - {ActionKind.TIME_OUT, ActionKind.LEAVE}
        for person in people:
            browser.switch_to.window(person.tab)
            wait(browser, f"replay.last + 1 === {table.step}")
            wait(browser, "document.querySelectorAll('#ask a').length === 2")
        link = browser.find_element("link text", "Record").get_attribute("href")
        assert link is not None
        status, text = get(address, link.removeprefix(address.rstrip("/")))
        assert status == 200
        record = loads(text)
        assert isinstance(record.position, Game) and record.game == table.game
        assert severe(browser) == []
        play_on_from_the_replay(browser, table)


def wait_for_people(table: LiveTable) -> Game:
    """Play until a person decides, or the game is over."""
    until = time.monotonic() + PATIENCE
    while table.waits_for_policy:
        assert time.monotonic() < until
        time.sleep(0.005)
    return table.game


def interrupt(choices: int, browser: webdriver.Chrome, people: list[Person], address: str) -> None:
    """Disturb pages during the game; the seats wait, and are restored unchanged."""
    ann, ben = people
    match choices:
        case 12:
            browser.switch_to.window(ann.tab)
            browser.refresh()
        case 20:
            close_and_come_again(browser, ben, f"{address}#ben")
        case 38 | 41:  # while Ben decides three times
            browser.switch_to.window(ann.tab)
            state = {38: "frozen", 41: "active"}[choices]
            browser.execute_cdp_cmd("Page.setWebLifecycleState", {"state": state})
        case 44:
            browser.switch_to.window(ben.tab)
            browser.execute_script("window.dispatchEvent(new Event('online'))")


def close_and_come_again(browser: webdriver.Chrome, person: Person, link: str) -> None:
    browser.switch_to.new_window("tab")
    new = browser.current_window_handle
    browser.switch_to.window(person.tab)
    browser.close()
    time.sleep(AWAY)
    browser.switch_to.window(new)
    browser.get(link)
    person.tab = new


def play_on_from_the_replay(browser: webdriver.Chrome, table: LiveTable) -> None:
    """Start a table from a step of the replay that the server has stored, and take a seat."""
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


def test_a_policy_asked_for_advice_gives_its_move_and_the_odds(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich(), adviser=Adviser(load_judge("best")))
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.querySelectorAll('#acts button').length > 0")
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


def test_a_spectator_sees_the_game_and_cannot_choose(browser: webdriver.Chrome) -> None:
    table = live_table(4, policies=("greedy",))
    with served(table) as address:
        browser.get(f"{address}#watch")
        wait(browser, "window.replay")
        assert browser.find_elements("css selector", ".choice, #acts button") == []
        assert browser.execute_script("return replay.frame.hands") == [None] * 3
        browser.get("about:blank")
        browser.get(f"{address}#nobody")
        wait(browser, "document.getElementById('turned-away')?.textContent.includes('secret')")


def test_a_click_while_the_page_reconnects_is_refused_and_can_be_repeated(
    browser: webdriver.Chrome,
) -> None:
    with served(table_of(rich())) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.querySelectorAll('#acts button').length > 0")
        click = "document.querySelector('#acts [data-kind=END_TURN]').click()"
        refusal = browser.execute_script(
            f"window.dispatchEvent(new Event('online')); {click}; return $('refused').textContent"
        )
        assert "reconnecting" in refusal
        wait(browser, "$('refused').textContent === ''")
        assert browser.execute_script("return replay.last") == 0
        browser.execute_script(click)
        wait(browser, "replay.last > 0")
        assert severe(browser) == []


def test_a_link_without_a_secret_stays_turned_away_after_the_way_back(
    browser: webdriver.Chrome,
) -> None:
    with served(table_of(rich())) as address:
        browser.get(address)
        wait(browser, "document.getElementById('turned-away')")
        errors = browser.execute_script(
            "const errors = [];"
            "window.addEventListener('error', (event) => errors.push(event.message));"
            "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));"
            "return errors"
        )
        assert errors == []


def test_going_back_to_a_cached_page_takes_the_seat_again(
    browser: webdriver.Chrome,
) -> None:
    with served(table_of(rich())) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.querySelectorAll('#acts button').length > 0")
        browser.execute_script("window.isKept = true")
        browser.get(f"{address}?elsewhere#watch")
        wait(browser, "window.replay && !window.isKept")
        browser.back()
        wait(browser, "window.isKept && !$('choices').hidden && !$('choices').inert")
        wait(browser, "$('refused').textContent === ''")
        end = '#acts [data-kind="END_TURN"]'
        browser.find_element("css selector", end).click()
        wait(browser, "replay.last > 0")


def facts(game: Game) -> list[Any]:
    """A position, except for the offers of the turn, which `from_position` cannot set."""
    known = [game.phase, game.seat, game.turn, game.roll, game.robber, game.bank, game.deck()]
    for seat in range(game.seats):
        known += [game.hand(seat), game.known(seat), game.cards(seat), game.played(seat)]
        known += [game.roads(seat), game.settlements(seat), game.cities(seat), game.points(seat)]
    return [*known, game.longest_road_seat, game.largest_army_seat, game.winner]


def test_a_judged_replay_shows_lessons_and_exports_its_positions(
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
    assert f"{round(100 * lesson.better_chance)} %" in page.text("#lesson")
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
