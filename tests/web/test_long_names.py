"""A table whose players have the longest names."""

import pytest
from selenium import webdriver

from catan_env.web.page import table_page
from catan_env.web.room import TableRoom
from catan_env.web.shelf import Shelf
from catan_env.web.table import LiveTable
from tests.web.browser import served_room
from tests.web.positions import rich
from tests.web.test_looks import resize
from tests.web.test_page import severe, wait

NAMES = {"wide": "W" * 24, "Chinese": "\u6f22" * 24, "of a policy": f"module:{'Lookahead' * 5}"}

ROOM = """
const [form, list] = ["offer", "offer-to"].map((id) => $(id).getBoundingClientRect());
return form.right - list.right;
"""
"""The pixels to the right of the list of players."""


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_phone_shows_the_whole_table_on_the_turn_of_its_player(
    browser: webdriver.Chrome, name: str
) -> None:
    table = LiveTable(rich(), [f"{name[:-1]}{seat}" for seat in range(4)], {})
    pages = {"/": table_page()}
    room = TableRoom([Shelf(pages).seating(table, {"ann": 0})])
    with served_room(room, pages) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('offer').hidden")
        for width in (320, 390, 820, 1280):
            resize(browser, width, 844)
            page = browser.execute_script("return document.documentElement.scrollWidth")
            assert page <= width
            assert browser.execute_script(ROOM) >= 0
        assert severe(browser) == []
