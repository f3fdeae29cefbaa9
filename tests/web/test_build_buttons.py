"""The buttons that build, under a player's own cards: why they wait, and their focus."""

from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from tests.web.browser import served
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait

BUTTONS = "[...document.querySelectorAll('#builds button')]"


def test_before_the_roll_the_buttons_say_so_and_mark_the_cards_that_are_lacking(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich(phase="roll", hands={0: (1, 0, 0, 2, 0)}))
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('choices').hidden")
        reasons, lacking = browser.execute_script(
            f"return [{BUTTONS}.map((node) => node.querySelector('small').textContent),"
            f" {BUTTONS}.map((node) => [...node.querySelectorAll('.price > *')]"
            ".map((icon) => icon.classList.contains('lacking')))]"
        )
        assert reasons == ["roll first"] * 4
        assert lacking == [
            [False, True],  # brick, lumber
            [False, True, True, True],  # brick, grain, lumber, wool
            [True, True, False, False, True],  # two grain, three ore
            [True, False, True],  # grain, ore, wool
        ]
        assert severe(browser) == []


def test_a_button_that_is_pressed_by_keyboard_keeps_the_focus(browser: webdriver.Chrome) -> None:
    with served(table_of(rich())) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('choices').hidden")
        browser.find_element("css selector", "[data-build=CITY]").send_keys(Keys.ENTER)
        said = browser.find_element("id", "ask").text
        assert said == "Where? 2 places for a city are lit on the board."
        focused = browser.switch_to.active_element
        assert focused.get_attribute("data-build") == "CITY"
        assert focused.get_attribute("aria-pressed") == "true"
        focused.send_keys(Keys.ENTER)
        again = browser.switch_to.active_element
        assert again.get_attribute("data-build") == "CITY"
        assert again.get_attribute("aria-pressed") == "false"
        assert severe(browser) == []
