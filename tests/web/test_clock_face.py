"""The clock of a turn on the page: its text, and its mark when little time is left."""

from collections.abc import Iterator
from contextlib import contextmanager

from selenium import webdriver

from catan_env.web.page import table_page
from catan_env.web.room import TableRoom
from catan_env.web.shelf import Shelf
from catan_env.web.turn_clock import TurnClock
from tests.web.browser import served_room
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait

FROZEN = "window.passed = 0; performance.now = () => 1000 * window.passed"
"""The page's own time is that of the test, in seconds."""


@contextmanager
def frozen(browser: webdriver.Chrome) -> Iterator[None]:
    """Pages that are opened during the block have a time that stands still."""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FROZEN})
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_the_clock_shows_minutes_and_seconds_and_marks_the_last_ten(
    browser: webdriver.Chrome,
) -> None:
    pages = {"/": table_page()}
    seating = Shelf(pages).seating(table_of(rich()), {"ann": 0})
    seating.clock = TurnClock(605.0)
    with served_room(TableRoom([seating]), pages) as address, frozen(browser):
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('clock').hidden")
        shown = "[$('clock').innerText, $('clock').classList.contains('few')].join()"
        for passed, face in (
            (0, "10:05,false"), (540, "1:05,false"), (594, "0:11,false"), (595, "0:10,true"),
            (600, "0:05,true"), (605, "0:00,true"),
        ):  # fmt: skip
            browser.execute_script("window.passed = arguments[0]", passed)
            wait(browser, f"{shown} === '{face}'")
        assert severe(browser) == []
