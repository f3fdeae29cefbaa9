"""Pages at the sizes of phones, tablets and desks: nothing overlaps, is cut off or broken."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.policy import decide, load_judge, load_policy
from catan_env.render.replay import file
from catan_env.web.advisers import Adviser
from catan_env.web.page import start_page, table_file, table_page
from catan_env.web.room import TableRoom
from catan_env.web.shelf import Shelf
from catan_env.web.table import LiveTable
from tests.web.browser import served_room
from tests.web.house import House
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait

SIZES = ((1280, 800), (1920, 1080), (390, 844), (844, 390), (820, 1180))
HELD = {0: (2, 1, 1, 1, 2)}
"""Development cards of every kind."""
FAULTS = """
const faults = [], controls = [...document.querySelectorAll("button, select, input, summary")]
  .filter((node) => node.checkVisibility()).map((node) => [node, node.getBoundingClientRect()]);
const overlap = (a, b) => Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left),
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
const scrolls = (node) => node.closest("#log, #side, #curves, .lessons");
if (document.documentElement.scrollWidth > innerWidth)
  faults.push(`wider than the window: ${document.documentElement.scrollWidth}`);
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode, parent = text.parentElement, words = text.data.trim();
  if (!words || !parent.checkVisibility() || parent.closest("option, script, style, svg")) continue;
  const range = document.createRange();
  range.selectNodeContents(text);
  const rects = [...range.getClientRects()];
  const isShort = !/\\s|-/.test(words) && words.length < 16;
  if (isShort && rects.length > 1) faults.push(`broken: ${words}`);
  for (const [node, box] of controls) {
    if (node.contains(text) || scrolls(node) !== scrolls(parent)) continue;
    if (rects.some((rect) => overlap(rect, box) > 1)) faults.push(`covered: ${words}`);
  }
}
const nameOf = (node) => node.ariaLabel || node.textContent.trim() || node.id;
const names = controls.map(([node, box]) => [nameOf(node), box]);
names.forEach(([name, box], k) => {
  if (scrolls(controls[k][0])) return;
  for (const [other, second] of names.slice(k + 1))
    if (overlap(box, second) > 1) faults.push(`${name} overlaps ${other}`);
});
for (const node of document.querySelectorAll("#curves text, .league svg text")) {
  const { width, height } = node.getBoundingClientRect(), letters = node.textContent.length;
  if (!letters || !node.checkVisibility({ contentVisibilityAuto: true })) continue;
  if (height < 10 || height > 20) faults.push(`${node.textContent}: letters of ${height} px`);
  if (width < 4 * letters || width > 12 * letters) faults.push(`${node.textContent}: stretched`);
}
return faults;
"""


def resize(browser: webdriver.Chrome, width: int, height: int) -> None:
    """Give the window that size, and wait until the charts have theirs."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


def assert_tidy(browser: webdriver.Chrome, scene: str) -> None:
    """Check the current page at every size."""
    found: dict[Any, Any] = {}
    for width, height in SIZES:
        resize(browser, width, height)
        if faults := browser.execute_script(FAULTS):
            found[scene, width] = faults
    assert found == {}
    assert severe(browser) == []


def asked() -> Game:
    """Ann is offered a trade."""
    return rich(
        turn_seat=1, cards=HELD, phase="answer", offer=(3, (1, 0, 0, 0, 0), (0, 0, 0, 0, 1))
    )


@pytest.mark.parametrize(
    ("scene", "make"),
    [
        pytest.param("set-up", lambda: Game(4, seed=3), marks=pytest.mark.nightly),
        ("middle", lambda: rich(cards=HELD)),
        pytest.param(
            "robber",
            lambda: rich(phase="robber", roll=7, cards=HELD),
            marks=pytest.mark.nightly,
        ),
        ("discard", lambda: rich(phase="discard", roll=7, cards=HELD)),
        ("trade", asked),
    ],
)
def test_a_table_is_tidy_at_every_size(browser: webdriver.Chrome, scene: str, make: Any) -> None:
    pages = {"/": table_page()}
    table = table_of(make(), adviser=Adviser(load_judge("greedy")))
    room = TableRoom([Shelf(pages).seating(table, {"ann": 0})], 1000.0)
    with served_room(room, pages) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('choices').hidden")
        assert_tidy(browser, scene)
        if scene == "discard":
            assert browser.find_element("id", "ask").text == "Discard 9 cards."


LOG_SIDE = """
const [log, players] = ["log", "players"].map((id) => $(id).getBoundingClientRect());
return log.left < players.left ? "left" : log.top < players.bottom ? "under it" : "right";
"""


@pytest.mark.parametrize(
    ("make", "side"), [(lambda: Game(4, seed=3), "left"), (lambda: rich(cards=HELD), "right")]
)
def test_the_log_takes_the_free_side_of_an_upright_tablet(
    browser: webdriver.Chrome, make: Any, side: str
) -> None:
    pages = {"/": table_page()}
    room = TableRoom([Shelf(pages).seating(table_of(make()), {"ann": 0})], 1000.0)
    with served_room(room, pages) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('choices').hidden")
        resize(browser, 820, 1180)
        assert browser.execute_script(LOG_SIDE) == side
        tops = [
            browser.execute_script("return $(arguments[0]).getBoundingClientRect().top", part)
            for part in ("choices", "controls", "curves")
        ]
        assert tops == sorted(tops)


def test_a_page_before_its_first_event_says_once_what_it_waits_for(
    browser: webdriver.Chrome,
) -> None:
    pages = {"/": table_page()}
    room = TableRoom([Shelf(pages).seating(table_of(Game(4, seed=3)), {"ann": 0})], 1000.0)
    with served_room(room, pages) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay")
        resize(browser, 1280, 800)
        assert browser.find_element("id", "headline").text == "Ann to place a settlement"
        assert browser.find_element("id", "turn").text == "Set-up"


def test_a_link_that_opens_no_table_has_readable_sentences(browser: webdriver.Chrome) -> None:
    pages = {"/": table_page()}
    with served_room(TableRoom(), pages) as address:
        browser.get(f"{address}#wrong")
        wait(browser, "document.getElementById('turned-away')")
        commands = browser.find_elements("css selector", "#turned-away code")
        assert [node.value_of_css_property("display") for node in commands] == ["inline"] * 2
        assert_tidy(browser, "turned away")


STRIPES = """
const light = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).reduce((a, b) => a + b / 3, 0);
return [...document.querySelectorAll(".player, #log li:not(.head), .summary tbody th")]
  .filter((node) => {
    const { borderLeftColor, boxShadow } = getComputedStyle(node);
    const card = getComputedStyle(node.closest("figure, #log") ?? node).backgroundColor;
    const seen = boxShadow.replaceAll("rgba(0, 0, 0, 0)", "");
    return Math.abs(light(borderLeftColor) - light(card)) < 32
      && !/rgba?\\([^)]*\\) 1px 0px 0px 0px inset/.test(seen);
  }).map((node) => node.textContent.slice(0, 40));
"""


def test_the_end_of_a_judged_game_is_tidy_at_every_size(browser: webdriver.Chrome) -> None:
    guide = load_policy("greedy", 1)
    game = Game(4, seed=5, rules=replace(Rules.base(), points_to_win=4))
    table = LiveTable(game, ["Ann", "greedy", "greedy 2", "best"], dict.fromkeys((1, 2, 3), guide))
    while not game.is_over:
        table.act(game.seat, decide(guide, game.view(game.seat)))
    pages = {"/": table_page()}
    shelf = Shelf(pages, judge=Adviser(load_judge("greedy")))
    with served_room(TableRoom([shelf.seating(table, {"ann": 0})]), pages) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.querySelector('.summary table.wide')")
        assert_tidy(browser, "end")
        gains = browser.execute_script("return document.querySelectorAll('[data-gain]').length")
        assert gains == 0, "cards that are revealed are not gained"
        for theme in ("light", "dark"):
            feature = {"name": "prefers-color-scheme", "value": theme}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
            assert browser.execute_script(STRIPES) == []
        assert not browser.find_element("id", "wishes").is_displayed()
        acts = browser.find_elements("css selector", "#acts button")
        browser.execute_script("scrollTo(0, 0)")
        acts[0].click()
        seen = "document.querySelector('.summary').getBoundingClientRect().top < innerHeight - 100"
        wait(browser, seen)


def test_the_start_page_takes_no_style_of_a_tables_parts() -> None:
    """Both have one style sheet: a part of the start page with a table's id would look like it."""
    ids = set(re.findall(r'id="([\w-]+)"', table_file("start.html")))
    assert ids & set(re.findall(r"#([\w-]+)", file("page.css"))) == set()


def test_the_start_page_is_tidy_at_every_size(browser: webdriver.Chrome, tmp_path: Path) -> None:
    house = House(tmp_path)
    key = house.people.enter("", "Ann")
    people: list[int | None] = [house.people.number(key), None]
    names, policies = ["Ann", "best"], [None, "best"]
    house.people.begin("/g", tmp_path / "g.sgn.json", "base", names, policies, people)
    house.people.end("/g", 0, 70)
    with served_room(house.room, {"/start": start_page()}) as address:
        browser.get(f"{address}start#me={key}")
        wait(browser, "$('games').children.length")
        assert_tidy(browser, "start")


def test_a_long_name_is_broken_on_the_start_page_of_a_phone(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    key, widest = house.people.enter("", "Ann"), 24 * "W"
    people: list[int | None] = [house.people.number(key), None]
    house.people.begin(
        "/g", tmp_path / "g.sgn.json", "base", ["Ann", widest], [None, "best"], people
    )
    with served_room(house.room, {"/start": start_page()}) as address:
        browser.get(f"{address}start#me={key}")
        wait(browser, "$('games').children.length")
        resize(browser, 320, 640)
        assert widest in browser.find_element("id", "games").text
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 320
