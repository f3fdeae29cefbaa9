"""A page that was without a connection: what ended meanwhile is not shown any more."""

import time

from selenium import webdriver

from catan_env.game.action import Action
from catan_env.web.page import table_page
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.turn_clock import TurnClock
from tests.web.browser import served_room
from tests.web.positions import rich, table_of
from tests.web.test_page import wait

BRICK, ORE = (1, 0, 0, 0, 0), (0, 0, 0, 1, 0)
PAGES = {"/": table_page()}


def end_turn_unheard(room: TableRoom, seating: Seating) -> None:
    """Ann ends her turn, and no page receives it."""
    before = seating.table.step
    seating.table.act(0, Action.end_turn())
    room._play.moved_on(seating, before, time.monotonic())


def test_a_proposal_that_ended_while_the_server_was_away_is_gone(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich())
    table.propose(1, ORE, BRICK)
    seating = Seating(table, {"ann": 0})
    room = TableRoom([seating], 1000.0)
    room._play.moved_on(seating, table.step, 0.0)
    with served_room(room, PAGES) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && $('proposals').children.length === 1")
    wait(browser, "$('refused').textContent.includes('reconnecting')")
    end_turn_unheard(room, seating)
    port = int(address.rstrip("/").rpartition(":")[2])
    with served_room(room, PAGES, port=port):
        wait(browser, f"replay.last === {table.step - 1}")
        assert browser.execute_script("return $('proposals').hidden")


def test_the_time_of_a_turn_that_ended_while_the_machine_slept_is_not_shown(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich())
    seating = Seating(table, {"ann": 0, "ben": 1}, clock=TurnClock(60.0))
    room = TableRoom([seating], 1000.0)
    with served_room(room, PAGES) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('clock').hidden")
        end_turn_unheard(room, seating)
        assert seating.clock is not None and seating.clock.seat is None  # Ben has not sat down
        browser.execute_script("window.dispatchEvent(new Event('online'))")
        wait(browser, f"replay.last === {table.step - 1}")
        assert browser.execute_script("return $('clock').hidden")
