"""A replay on a table's server: its visitors sit down at a table that continues the game."""

from pathlib import Path

from selenium import webdriver

from catan_env.web.messages import Enter, Show
from tests.render.browser import leave_pages
from tests.web.browser import served_room
from tests.web.house import House, new_table
from tests.web.test_page import severe, wait


def test_a_second_click_lays_no_second_table(browser: webdriver.Chrome, tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.play_table(1)
    (game,) = house.ask(Enter(ann.key)).games
    replay = house.ask(Show(ann.key, game.path)).replay
    tables = len(house.room._seatings)
    with served_room(house.room, house.pages) as address:
        browser.get(address.rstrip("/") + replay)
        wait(browser, "window.replay && replay.last > 20")
        browser.execute_script("replay.go(20)")
        browser.find_element("id", "play-on").click()
        browser.execute_script("for (const _ of [1, 2]) $('sit-down').click()")
        wait(browser, "document.body.classList.contains('live')")
        assert len(house.room._seatings) == tables + 1
        browser.back()
        wait(browser, "window.replay && !document.body.classList.contains('live')")
        browser.execute_script("$('from-here').close()")
        browser.find_element("id", "play-on").click()
        browser.find_element("id", "sit-down").click()
        wait(browser, "document.body.classList.contains('live')")
        assert len(house.room._seatings) == tables + 2
        assert severe(browser) == []
        leave_pages(browser)
