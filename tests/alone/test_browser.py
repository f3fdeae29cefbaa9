"""A person plays on a page that was opened from a file, in headless Chromium."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from catan_env.alone import alone_html
from catan_env.game.rules import Rules
from catan_env.notation import loads
from tests.alone.pages import module

PATIENCE = 120
SHORT = replace(Rules.base(), points_to_win=4)
CHOICES = "#places .choice, #acts button[data-index]:not([aria-disabled=true])"
READY = (
    "window.replay && (replay.live.phase === 'OVER' || !$('choices').hidden && !$('choices').inert)"
)


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> webdriver.Chrome:
    module()
    found: webdriver.Chrome = request.getfixturevalue("chromium")
    return found


def wait(browser: webdriver.Chrome, expression: str) -> Any:
    script = f"return {expression}"
    return WebDriverWait(browser, PATIENCE, 0.02).until(lambda _: browser.execute_script(script))


def click(browser: webdriver.Chrome, text: str) -> None:
    """Click a button of the choices by its text."""
    browser.execute_script(
        "[...document.querySelectorAll('#acts button')]"
        ".find((node) => node.textContent === arguments[0]).click()",
        text,
    )


def is_over(browser: webdriver.Chrome) -> bool:
    wait(browser, READY)
    phase = browser.execute_script("return replay.live.phase")
    return bool(phase == "OVER")


def choose(browser: webdriver.Chrome, chance: random.Random) -> None:
    """Click one of the places and buttons, and wait until the table has moved on."""
    before = browser.execute_script("return replay.last")
    node = chance.choice(browser.find_elements("css selector", CHOICES))
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", node)
    node.click()
    wait(browser, f"replay.last > {before} || document.querySelector('.victim')")
    if victims := browser.find_elements("css selector", ".victim"):
        victims[0].click()
        wait(browser, f"replay.last > {before}")


def test_a_whole_game_from_a_file_with_advice_a_reload_a_replay_and_a_rematch(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    page = tmp_path / "play.html"
    page.write_text(alone_html("greedy", 3, SHORT, name="Ann", pace=0), encoding="utf-8")
    browser.get(f"{page.as_uri()}#7.0")
    chance, choices = random.Random(3), 0
    while not is_over(browser):
        if choices == 6:
            click(browser, "What would you play?")
            wait(browser, "document.querySelectorAll('#advice li').length > 0")
            frame = browser.execute_script("return replay.live")
            browser.refresh()
            wait(browser, READY)
            assert browser.execute_script("return replay.live") == frame
        choose(browser, chance)
        choices += 1
    assert choices > 10
    wait(browser, "replay.data.judge")  # which replaces the links
    wait(browser, "document.querySelectorAll('#ask a').length === 3")
    replay, record, _ = browser.find_elements("css selector", "#ask a")
    text = browser.execute_async_script(
        "const [link, done] = arguments; fetch(link).then((got) => got.text()).then(done)",
        record.get_attribute("href"),
    )
    game = loads(json.loads(text)).game
    assert game.is_over and game.winner == browser.execute_script("return replay.live.winner")
    steps = browser.execute_script("return replay.last")
    replay.click()
    first, second = browser.window_handles
    browser.switch_to.window(second)
    wait(browser, f"window.replay && replay.last === {steps} && replay.data.viewer === null")
    browser.close()
    browser.switch_to.window(first)
    click(browser, "Rematch with rotated seats")
    wait(browser, "window.replay && replay.data.viewer === 1 && replay.data.players[1] === 'Ann'")
    errors = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert errors == []


@pytest.mark.parametrize("link", ["5.3", "5.9", "5", "x.0"])
def test_a_link_to_a_seat_that_does_not_exist_begins_a_new_game(
    browser: webdriver.Chrome, tmp_path: Path, link: str
) -> None:
    page = tmp_path / "play.html"
    page.write_text(alone_html("greedy", 3, SHORT, name="Ann", pace=0), encoding="utf-8")
    browser.get("about:blank")
    browser.get(f"{page.as_uri()}#{link}")
    wait(browser, "window.replay")
    assert browser.current_url.endswith(".0") and not browser.current_url.endswith(f"#{link}")
    assert browser.execute_script("return replay.data.players[0]") == "Ann"
    errors = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert errors == []
