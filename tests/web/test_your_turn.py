"""A page calls its player: by its title and icon, and if wanted by a tone and a notification."""

from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver

from catan_env.game.action import Action
from catan_env.web.table import LiveTable
from tests.render.browser import leave_pages
from tests.web.browser import Person, served
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait

ORANGE, BLUE = "cf7b4f", "0068b0"
RECORD_CALLS = """
window.calls = [];
window.Notification = class {
  static permission = "granted";
  static requestPermission() { return Promise.resolve("granted"); }
  constructor(title, { body }) { window.calls.push(["notification", title, body]); }
};
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.calls.push(["tone"]);
  return start.apply(this, when);
};
Object.defineProperty(document, "hidden", { get: () => true });
"""
"""Notes what the page asks of the browser; the tab counts as one in the background."""


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    yield chromium
    chromium.execute_script("localStorage.clear()")
    leave_pages(chromium)


def sit(browser: webdriver.Chrome, address: str, *wishes: str) -> None:
    """Sit down as Ann, with these switches on."""
    browser.get(f"{address}#ann")
    wait(browser, "window.replay")
    browser.execute_script(RECORD_CALLS)
    for wish in wishes:
        browser.execute_script("$(arguments[0]).click()", wish)


def test_a_browser_that_refuses_notifications_shows_the_choices(browser: webdriver.Chrome) -> None:
    with served(two_people()) as address:
        sit(browser, address, "alerts")
        ann = browser.current_window_handle
        refuse = "window.Notification = class { static permission = 'granted';"
        refuse += " constructor() { throw new TypeError('Illegal constructor'); } }"
        browser.execute_script(refuse)
        person_in_new_tab(browser, f"{address}#ben").choose(Action.end_turn())
        browser.switch_to.window(ann)
        wait(browser, "[...$('acts').children].some((b) => b.textContent.includes('Roll'))")


def icon(browser: webdriver.Chrome) -> str:
    link: str = browser.execute_script("return document.querySelector('link[rel=icon]').href")
    return link


def person_in_new_tab(browser: webdriver.Chrome, link: str) -> Person:
    browser.switch_to.new_window("tab")
    browser.get(link)
    return Person(browser, browser.current_window_handle)


def two_people(**more: Any) -> LiveTable:
    """Ben has rolled, and Ann is next; she will roll 8."""
    settlements = {0: [10, 25], 1: [40, 46]}
    table: LiveTable = table_of(rich(seats=2, settlements=settlements, turn_seat=1, **more), ())
    return table


def test_the_title_and_the_icon_show_whose_turn_it_is(browser: webdriver.Chrome) -> None:
    with served(two_people()) as address:
        sit(browser, address)
        ann = browser.current_window_handle
        assert browser.title == "Catan: Ann, Ben" and ORANGE in icon(browser)
        person_in_new_tab(browser, f"{address}#ben").choose(Action.end_turn())
        wait(browser, "document.title === 'Catan: Ann, Ben'")
        browser.switch_to.window(ann)
        wait(browser, "document.title === 'Your turn – Catan: Ann, Ben'")
        assert BLUE in icon(browser) and ORANGE not in icon(browser)
        assert browser.execute_script("return window.calls") == []
        assert severe(browser) == []


def test_a_turn_is_called_once_by_a_tone_and_a_notification(browser: webdriver.Chrome) -> None:
    with served(two_people()) as address:
        sit(browser, address, "sounds", "alerts")
        ann = browser.current_window_handle
        assert browser.execute_script("return window.calls.splice(0)") == [["tone"]]
        person_in_new_tab(browser, f"{address}#ben").choose(Action.end_turn())
        browser.switch_to.window(ann)
        called = ["notification", "Catan: your turn", "Roll the dice, or play a card first."]
        wait(browser, "window.calls.length > 1")
        assert browser.execute_script("return window.calls.splice(0)") == [["tone"], called]
        Person(browser, ann).choose(Action.roll())
        wait(browser, "[...document.querySelectorAll('#acts button')].some("
                      "(node) => node.textContent === 'End the turn')")  # fmt: skip
        assert browser.title.startswith("Your turn")
        Person(browser, ann).choose(Action.city(10))
        wait(browser, "!$('choices').inert && !$('choices').hidden")
        assert browser.execute_script("return window.calls") == []


@pytest.mark.parametrize("wish", ["sounds", "alerts", "declines"])
def test_a_wish_is_set_by_keyboard(browser: webdriver.Chrome, wish: str) -> None:
    with served(two_people()) as address:
        sit(browser, address)
        is_set = f"return $('{wish}').checked"
        before = browser.execute_script(is_set)
        browser.find_element("id", wish).send_keys(" ")
        assert browser.execute_script(is_set) is not before
        assert not browser.execute_script("return replay.isPlaying")


def test_an_offer_that_is_declined_for_the_player_does_not_call_them(
    browser: webdriver.Chrome,
) -> None:
    hands = {0: (0, 4, 4, 4, 3), 1: (2, 2, 2, 2, 2)}
    with served(two_people(hands=hands)) as address:
        sit(browser, address, "sounds", "alerts")
        ann = browser.current_window_handle
        browser.execute_script("window.calls.splice(0)")
        ben = person_in_new_tab(browser, f"{address}#ben")
        ben.choose(Action.offer(1, (0, 1, 0, 0, 0), (1, 0, 0, 0, 0)))
        browser.switch_to.window(ann)
        wait(browser, "$('noted').textContent.includes('you lack 1 brick')")
        assert browser.execute_script("return window.calls") == []
        assert browser.title == "Catan: Ann, Ben"


def test_a_second_tab_at_the_seat_shows_no_refusal_on_its_next_turn(
    browser: webdriver.Chrome,
) -> None:
    """Both tabs decline an offer that the seat cannot pay; the table has moved on for one."""
    hands = {0: (0, 4, 4, 4, 3), 1: (2, 2, 2, 2, 2)}
    with served(two_people(hands=hands)) as address:
        sit(browser, address)
        tabs = [browser.current_window_handle]
        tabs.append(person_in_new_tab(browser, f"{address}#ann").tab)
        wait(browser, "window.replay")
        ben = person_in_new_tab(browser, f"{address}#ben")
        ben.choose(Action.offer(1, (0, 1, 0, 0, 0), (1, 0, 0, 0, 0)))
        ben.choose(Action.end_turn())
        for tab in tabs:
            browser.switch_to.window(tab)
            wait(browser, "[...$('acts').children].some((b) => b.textContent.includes('Roll'))")
            assert browser.find_element("id", "refused").text == ""


@pytest.mark.parametrize("answer", ["denied", "default"])
def test_a_browser_that_allows_no_notifications_says_so(
    browser: webdriver.Chrome, answer: str
) -> None:
    with served(two_people()) as address:
        sit(browser, address)
        asked = f"window.Notification.requestPermission = async () => '{answer}'"
        browser.execute_script(asked)
        browser.find_element("id", "alerts").click()
        wait(browser, "!$('alerts').checked")
        assert "notifications" in browser.find_element("id", "noted").text
        assert browser.execute_script("return localStorage.getItem('catan-alerts')") == "no"
