"""A replay on a table's server: its visitors sit down at a table that continues the game."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver

from catan_env.web.messages import Enter, Show
from tests.render.browser import leave_pages
from tests.web.browser import served_room
from tests.web.house import House, new_table
from tests.web.test_page import severe, wait


@contextmanager
def opened_replay(browser: webdriver.Chrome, folder: Path) -> Iterator[House]:
    """A house with one finished game, whose replay is open; it is served during the block."""
    house = House(folder)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.play_table(1)
    (game,) = house.ask(Enter(ann.key)).games
    replay = house.ask(Show(ann.key, game.path)).replay
    with served_room(house.room, house.pages) as address:
        browser.get(address.rstrip("/") + replay)
        wait(browser, "window.replay && replay.last > 20")
        yield house


def test_a_second_click_lays_no_second_table(browser: webdriver.Chrome, tmp_path: Path) -> None:
    with opened_replay(browser, tmp_path) as house:
        tables = len(house.room._seatings)
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


def test_the_reason_of_a_refusal_is_gone_when_the_dialog_is_opened_again(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    with opened_replay(browser, tmp_path):
        browser.execute_script("replay.go(5)")
    browser.find_element("id", "play-on").click()
    browser.find_element("id", "sit-down").click()
    wait(browser, "$('why-not').textContent !== ''")
    browser.execute_script("$('from-here').close(); replay.go(20)")
    browser.find_element("id", "play-on").click()
    assert browser.find_element("id", "why-not").text == ""


def test_the_reason_of_a_refusal_is_gone_while_the_server_is_asked_again(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    turning = "document.querySelector('.summary .answers button')"
    below = "document.querySelector('.summary .lost')"
    with opened_replay(browser, tmp_path):
        browser.execute_script("replay.go(5); $('play-on').click()")
    for button, reason in (("$('sit-down')", "$('why-not')"), (turning, below)):
        browser.execute_script(f"{button}.click()")
        wait(browser, f"{reason}.textContent !== ''")
        assert browser.execute_script(f"{button}.click(); return {reason}.textContent") == ""
        wait(browser, f"{reason}.textContent !== ''")
