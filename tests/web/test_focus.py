"""The focus and the pointer on a live table's page, when what they are at is replaced."""

from typing import Any

from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.geometry import EDGE_VERTICES, TILE_VERTICES
from catan_env.policy import load_judge
from catan_env.web.advisers import Adviser
from tests.web.browser import served
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait
from tests.web.test_taken_back import press

TILE = 9


def robbing_one_of_two() -> Any:
    """Ann has rolled 7; two seats have a settlement and cards at a tile."""
    corners = TILE_VERTICES[TILE]
    settlements = {0: [50, 53], 1: [corners[0]], 2: [corners[3]], 3: []}
    roads = {
        seat: [next(edge for edge, ends in enumerate(EDGE_VERTICES) if vertex in ends)
               for vertex in vertices]
        for seat, vertices in settlements.items()
    }  # fmt: skip
    hands = {0: (1, 0, 0, 0, 0), 1: (2, 2, 2, 2, 2), 2: (1, 1, 0, 0, 0)}
    return Game.from_position(
        board=Board.beginner(), seats=4, settlements=settlements, roads=roads, robber=0,
        hands=hands, phase="robber", roll=7,
    )  # fmt: skip


def test_the_focus_stays_at_the_choices_when_another_tile_is_chosen(
    browser: webdriver.Chrome,
) -> None:
    with served(table_of(robbing_one_of_two())) as address:
        browser.get(f"{address}#ann")
        tile = f"document.querySelector('#places [data-place=\"{TILE}\"]')"
        wait(browser, f"window.replay && {tile}")
        browser.execute_script(f"{tile}.focus()")
        browser.switch_to.active_element.send_keys(Keys.ENTER)
        wait(browser, "$('ask').textContent === 'Whom do you rob?'")
        another = "[...$('acts').children].find((node) => node.textContent === 'Another tile')"
        browser.execute_script(f"{another}.focus()")
        browser.switch_to.active_element.send_keys(Keys.ENTER)
        wait(browser, "$('ask').textContent.startsWith('Move the robber')")
        assert browser.execute_script("return $('choices').contains(document.activeElement)")


def test_an_advised_move_is_played_by_a_click_without_an_error(browser: webdriver.Chrome) -> None:
    with served(table_of(rich(), adviser=Adviser(load_judge("greedy")))) as address:
        browser.get(f"{address}#ann")
        press(browser, "What would you play?")
        wait(browser, "document.querySelector('#advice ol button')")
        row = browser.find_element("css selector", "#advice ol button")
        browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", row)
        row.click()
        wait(browser, "replay.last > 0 && !document.querySelector('#advice ol button')")
        assert severe(browser) == []
