"""People play whole games in headless Chromium, by clicks and by the keyboard."""

import time
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from catan_env.game.game import Game
from catan_env.notation import loads
from tests.render.browser import opened_browser
from tests.web.browser import Person, served
from tests.web.tables import live_table
from tests.web.test_serve import get

PATIENCE = 280


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    yield from opened_browser()


def severe(browser: webdriver.Chrome) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def test_two_people_and_a_policy_play_a_game_and_keep_its_record(
    browser: webdriver.Chrome,
) -> None:
    table = live_table(4, policies=("greedy",))
    with served(table) as address:
        people = []
        for seat, secret in enumerate(("ann", "ben")):
            browser.switch_to.new_window("tab")
            browser.get(f"{address}#{secret}")
            people.append(Person(browser, browser.current_window_handle, seat))
        until = time.monotonic() + PATIENCE
        is_reloaded = False
        while not table.game.is_over and time.monotonic() < until:
            if table.game.seat < len(people):
                people[table.game.seat].choose()
            if table.game.turn >= 3 and not is_reloaded:
                is_reloaded = True
                browser.refresh()
        assert table.game.is_over and is_reloaded
        browser.switch_to.window(people[0].tab)
        WebDriverWait(browser, 20).until(
            lambda _: browser.execute_script("return replay.last + 1") == table.step
        )
        link = browser.find_element("link text", "Record").get_attribute("href")
        assert link is not None
        status, text = get(address, link.removeprefix(address.rstrip("/")))
        assert status == 200
        record = loads(text)
        assert isinstance(record.position, Game) and record.game == table.game
        browser.find_element("link text", "Replay").click()
        assert browser.execute_script("return replay.last") > 0
        assert severe(browser) == []
        used = people[0].used | people[1].used
        assert {"SETTLEMENT", "ROAD", "Roll", "End", "keyboard", "Undo"} <= used


def test_who_watches_sees_the_game_and_may_choose_nothing(browser: webdriver.Chrome) -> None:
    table = live_table(4, policies=("greedy",))
    with served(table) as address:
        browser.get(f"{address}#watch")
        time.sleep(1)
        assert browser.find_elements("css selector", ".choice, #acts button") == []
        assert browser.execute_script("return replay.frame.hands") == [None] * 3
        browser.get("about:blank")
        browser.get(f"{address}#nobody")
        time.sleep(1)
        assert "secret" in browser.find_element("id", "refused").text
