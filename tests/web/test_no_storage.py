"""The pages work in a browser that lets them store nothing, as with site data blocked."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from catan_env.game.game import Game
from catan_env.web.puzzles import Puzzle, puzzle_pages
from tests.render.browser import leave_pages
from tests.web.browser import served, served_room
from tests.web.house import House
from tests.web.tables import live_table
from tests.web.test_page import severe, wait

BLOCKED = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", name); } });
"""


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """A browser that throws where a page asks for its storage."""
    add, remove = (f"Page.{kind}ScriptToEvaluateOnNewDocument" for kind in ("add", "remove"))
    script = chromium.execute_cdp_cmd(add, {"source": BLOCKED})
    yield chromium
    chromium.execute_cdp_cmd(remove, script)
    leave_pages(chromium)


def test_a_table_is_played_where_nothing_is_stored(browser: webdriver.Chrome) -> None:
    with served(live_table(1)) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && document.querySelectorAll('.choice').length === 54")
        for wish in ("sounds", "declines"):
            is_set = f"return $('{wish}').checked"
            before = browser.execute_script(is_set)
            browser.find_element("id", wish).click()
            assert browser.execute_script(is_set) is not before
        assert severe(browser) == []


def test_a_table_is_opened_where_nothing_is_stored(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        browser.get(f"{address}start")
        wait(browser, "document.querySelectorAll('#seats select').length === 3")
        browser.find_element("id", "name").send_keys("Ann")
        browser.find_element("css selector", "#new button").click()
        wait(browser, "window.replay")
        assert severe(browser) == []
        leave_pages(browser)


def test_a_puzzle_is_solved_where_nothing_is_stored(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    view = Game(2, seed=4).view(0)
    moves = [(int(index), 0.5 - k / 10) for k, index in enumerate(view.legal_actions.indices[:3])]
    page = tmp_path / "puzzle.html"
    page.write_text(puzzle_pages([Puzzle(view, ("Ann", "Ben"), moves, "greedy")])["index.html"])
    browser.get(page.as_uri())
    wait(browser, "document.querySelectorAll('#advice button').length === 3")
    browser.find_element("css selector", "#advice button").click()
    wait(browser, "$('solved').textContent")
    assert severe(browser) == []
