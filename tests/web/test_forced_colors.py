"""The table in a high-contrast mode: what color alone shows keeps its color."""

from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.render.browser import leave_pages
from tests.web.browser import served
from tests.web.tables import live_table
from tests.web.test_page import severe, wait

SHOWN = """
const of = (selector, name) =>
  [...document.querySelectorAll(selector)].map((node) => getComputedStyle(node)[name]);
return {
  legend: of("[data-curve=points] .legend i", "backgroundColor"),
  bars: of(".bar i", "backgroundColor"),
  stripes: of(".player", "borderLeftColor"), players: of(".player", "backgroundColor"),
  now: of(".badge.now", "backgroundColor"), track: of(".bar", "backgroundColor"),
};
"""


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """A browser in a high-contrast mode."""
    emulate = "Emulation.setEmulatedMedia"
    forced = [{"name": "forced-colors", "value": "active"}]
    chromium.execute_cdp_cmd(emulate, {"features": forced})
    yield chromium
    chromium.execute_cdp_cmd(emulate, {"media": "", "features": []})
    leave_pages(chromium)


def test_seats_points_and_the_deciding_seat_can_be_told_apart(browser: webdriver.Chrome) -> None:
    with served(live_table(1)) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && document.querySelector('.badge.now, .legend i')")
        shown = browser.execute_script(SHOWN)
        assert len(set(shown["legend"])) == len(set(shown["stripes"])) == 4
        assert not {*shown["bars"]} & {*shown["track"]}
        assert shown["now"] and not {*shown["now"]} & {*shown["players"]}
        assert severe(browser) == []
