"""The page without a server where it cannot start, or cannot play a stored game on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from catan_env.alone import alone_html
from tests.alone.pages import module
from tests.alone.test_browser import SHORT, wait
from tests.render.browser import leave_pages
from tests.web.test_no_storage import BLOCKED


@pytest.fixture
def browser(request: pytest.FixtureRequest) -> Iterator[webdriver.Chrome]:
    module()
    chromium = request.getfixturevalue("chromium")
    yield chromium
    leave_pages(chromium)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return page_of(3, tmp_path)


def page_of(seats: int, folder: Path) -> Path:
    module()
    page = folder / f"play-{seats}.html"
    page.write_text(alone_html("greedy", seats, SHORT, name="Ann", pace=0), encoding="utf-8")
    return page


def place(browser: webdriver.Chrome) -> int:
    """Click the first place once the page has opened; returns the step before that."""
    wait(browser, "window.replay && document.querySelector('.choice')")
    before: int = browser.execute_script("return replay.last")
    click = "document.querySelector('.choice').dispatchEvent(new MouseEvent('click'))"
    browser.execute_script(click)
    wait(browser, f"replay.last > {before}")
    return before


@pytest.mark.parametrize("missing", ["WebAssembly", "DecompressionStream"])
def test_a_page_that_cannot_start_shows_the_reason(
    browser: webdriver.Chrome, page: Path, missing: str
) -> None:
    text = page.read_text("utf-8")
    begin = r'"worker":"\"use strict\";'
    assert begin in text
    page.write_text(text.replace(begin, f"{begin} delete globalThis.{missing};"), "utf-8")
    browser.get(f"{page.as_uri()}#7.0")
    wait(browser, "document.querySelector('[role=alert]:not(:empty)')")
    said = browser.find_element("css selector", "[role=alert]:not(:empty)")
    assert said.is_displayed()
    assert said.text.startswith("The table has failed:") and missing in said.text


def assert_played_on_after_a_reload(browser: webdriver.Chrome) -> None:
    before = place(browser)
    browser.refresh()
    wait(browser, f"window.replay && replay.last > {before}")


STORED = "`catan-moves-${ALONE.id}-7.0`"


@pytest.mark.parametrize("journal", ["{", '[{"type": "offer", "to": 1, "step": 1}]'])
def test_a_game_begins_where_the_stored_one_cannot_be_played(
    browser: webdriver.Chrome, page: Path, journal: str
) -> None:
    browser.get(page.as_uri())
    browser.execute_script(f"sessionStorage.setItem({STORED}, arguments[0])", journal)
    browser.get(f"{page.as_uri()}#7.0")
    assert_played_on_after_a_reload(browser)


def test_a_game_begins_where_a_part_of_the_stored_one_cannot_be_played(
    browser: webdriver.Chrome, page: Path
) -> None:
    browser.get(f"{page.as_uri()}#7.0")
    place(browser)
    after = browser.execute_script("return replay.last")
    browser.execute_script(
        f"const stored = JSON.parse(sessionStorage.getItem({STORED}));"
        f"stored.push({{ type: 'act', index: 0, step: {after + 1} }});"
        f"sessionStorage.setItem({STORED}, JSON.stringify(stored));"
    )
    browser.refresh()
    assert place(browser) < after, "a new game has begun"
    wait(browser, f"JSON.parse(sessionStorage.getItem({STORED})).length === 1")
    assert_played_on_after_a_reload(browser)


def test_pages_of_other_tables_with_the_same_link_store_their_own_games(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    three, four = (page_of(seats, tmp_path) for seats in (3, 4))
    browser.get(f"{three.as_uri()}#7.0")
    place(browser)
    steps = browser.execute_script("return replay.last")
    browser.get(f"{four.as_uri()}#7.0")
    wait(browser, "window.replay && document.querySelector('.choice')")
    assert browser.execute_script("return replay.live.settlements[0].length") == 0
    browser.get(f"{three.as_uri()}#7.0")
    wait(browser, f"window.replay && replay.last >= {steps}")


def test_a_page_plays_where_nothing_is_stored(browser: webdriver.Chrome, page: Path) -> None:
    add, remove = (f"Page.{kind}ScriptToEvaluateOnNewDocument" for kind in ("add", "remove"))
    script = browser.execute_cdp_cmd(add, {"source": BLOCKED})
    browser.get(f"{page.as_uri()}#7.0")
    place(browser)
    browser.execute_cdp_cmd(remove, script)
