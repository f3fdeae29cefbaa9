"""No frame of a live page shows a missing value, and a dead end says what to do."""

import threading
from dataclasses import replace

import pytest
from selenium import webdriver

from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.policy import load_policy
from catan_env.web.late import LatePolicy
from catan_env.web.page import table_page
from catan_env.web.room import TableRoom
from catan_env.web.seating import Expected, Seating
from catan_env.web.shelf import Shelf
from catan_env.web.table import LiveTable
from tests.web.browser import served, served_room
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait

WIDTHS = (
    (390, 844),
    *(pytest.param(*size, marks=pytest.mark.nightly) for size in ((1366, 900), (820, 1180))),
)
SECRETS = {"watch": None}
EVERY_FRAME = """
window.wrong = [];
window.frames_seen = 0;
const look = () => {
  window.frames_seen++;
  const drawn = [...document.querySelectorAll("svg *")];
  const texts = [document.body.innerText,
    ...drawn.flatMap((node) => [...node.attributes].map((a) => a.value))];
  for (const text of texts) {
    const found = /.{0,30}\\b(undefined|NaN|null)\\b/.exec(text);
    if (found) window.wrong.push(found[0]);
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def table_of_policies(game: Game, name: str) -> LiveTable:
    """A table at which one policy decides for every seat."""
    return LiveTable(
        game, ["Ann", "Ben", "Cleo", "Dan"], dict.fromkeys(range(4), load_policy(name, 1))
    )


@pytest.mark.parametrize("width, height", WIDTHS)
def test_no_frame_of_a_fast_game_shows_a_missing_value(
    browser: webdriver.Chrome, width: int, height: int
) -> None:
    """A spectator of four fast policies; steps arrive while the curves are still being drawn."""
    table = table_of_policies(Game(4, seed=width), "random")
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    with served(table, SECRETS, pace=0.02) as address:
        browser.get(f"{address}#watch")
        wait(browser, "window.replay")
        browser.execute_script(EVERY_FRAME)
        wait(browser, "window.frames_seen > 40 && replay.last > 60", 120)
        assert browser.execute_script("return window.wrong.slice(0, 5)") == []


def test_after_the_replay_the_way_back_leads_to_the_links_again(browser: webdriver.Chrome) -> None:
    rules = replace(Rules.base(), points_to_win=3)
    with served(table_of_policies(Game(4, seed=1, rules=rules), "greedy"), SECRETS) as address:
        browser.get(f"{address}#watch")
        links = "document.querySelectorAll('#ask a').length === 2 && !$('choices').hidden"
        wait(browser, links)
        browser.find_element("link text", "Replay").click()
        wait(browser, "window.replay && location.pathname !== '/'")
        browser.back()
        wait(browser, "location.pathname === '/' && window.replay")
        wait(browser, links, 20)


@pytest.mark.parametrize("link", ["#nobody", ""])
def test_a_link_without_a_seat_shows_a_page_with_instructions(
    browser: webdriver.Chrome, link: str
) -> None:
    with served(table_of(rich())) as address:
        browser.get(f"{address}{link}")
        wait(browser, "document.getElementById('turned-away')")
        text = browser.find_element("id", "turned-away").text
        assert "catan-env table" in text and "link" in text
        table = "[...document.querySelectorAll('main, header, footer')]"
        assert not browser.execute_script(f"return {table}.some((node) => node.offsetParent)")
        assert severe(browser) == []


def tapped(browser: webdriver.Chrome, selector: str) -> None:
    """Tap a place with a finger."""
    browser.execute_script(
        "document.querySelector(arguments[0]).dispatchEvent("
        "new PointerEvent('click', { pointerType: 'touch', bubbles: true }))",
        selector,
    )


def test_a_tap_on_the_board_is_confirmed_before_anything_is_built(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich())
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.querySelectorAll('.choice').length > 1")
        places = "document.querySelectorAll('.choice').length"
        before = browser.execute_script(f"return {places}")
        tapped(browser, '.choice[data-kind="ROAD"]')
        question = browser.find_element("id", "ask").text
        assert question.startswith("Build a road ") and question.endswith("?")
        assert not table.game.events
        acts = "document.querySelectorAll('#acts button')"
        browser.execute_script(f"{acts}[1].click()")
        assert browser.execute_script(f"return {places}") == before and not table.game.events
        tapped(browser, '.choice[data-kind="CITY"]')
        browser.execute_script(f"{acts}[0].click()")
        wait(browser, "replay.last > 0")
        assert [str(event.action.kind.name) for event in table.game.events] == ["CITY"]


def test_every_target_on_a_phone_is_24_pixels_wide_and_high(browser: webdriver.Chrome) -> None:
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    with served(table_of(rich())) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.querySelectorAll('.choice').length > 1")
        small = browser.execute_script(
            "return [...document.querySelectorAll('.choice, #choices button, #choices select')]"
            ".filter((node) => node.getClientRects().length).map((node) => {"
            "  const { width, height } = node.getBoundingClientRect();"
            "  return [node.ariaLabel || node.textContent, width, height];"
            "}).filter(([, width, height]) => Math.min(width, height) < 24)"
        )
        assert small == []
        held = browser.find_elements("css selector", "#offer-give .stepper small")
        assert [node.text for node in held] == ["of 4", "of 4", "of 4", "of 4", "of 3"]


def test_the_page_opens_before_its_table_and_shows_progress(browser: webdriver.Chrome) -> None:
    ready = threading.Event()

    def prepare() -> Seating:
        ready.wait(60)
        table = LiveTable(Game(2, seed=1), ["Ann", "slow"], {1: LatePolicy("random", 1)})
        seating = Shelf({}).seating(table, {"ann": 0})
        _, load = seating.to_load[0]
        seating.to_load[0] = "slow", lambda: loaded.wait(60) and load()
        return seating

    loaded = threading.Event()
    room = TableRoom()
    room.prepare(Expected(["ann"], ["the game"]), prepare)
    with served_room(room, {"/": table_page()}) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.getElementById('waited')?.textContent.includes('second')")
        assert "the game" in browser.find_element("id", "waiting").text
        assert not browser.find_element("id", "board").is_displayed()
        ready.set()
        wait(browser, "window.replay && !document.getElementById('waiting')")
        assert "slow" in browser.find_element("id", "preparing").text
        wait(browser, "document.querySelectorAll('.choice').length === 54")
        loaded.set()
        wait(browser, "document.getElementById('preparing').hidden")
        assert severe(browser) == []


def test_a_page_that_waits_for_its_table_reconnects_to_the_next_server(
    browser: webdriver.Chrome,
) -> None:
    pages = {"/": table_page()}
    room = TableRoom()
    room.waiting.expect(Expected(["ann"], ["1 more person"]))
    with served_room(room, pages) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.getElementById('waiting')")
    wait(browser, "$('refused').textContent.includes('reconnecting')")
    port = int(address.rstrip("/").rpartition(":")[2])
    again = TableRoom([Seating(table_of(rich()), {"ann": 0})])
    with served_room(again, pages, port=port):
        wait(browser, "window.replay && !document.getElementById('waiting')")
