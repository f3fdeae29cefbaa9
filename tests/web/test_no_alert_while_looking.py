"""A player who looks at the table is not notified of the turn."""

from collections.abc import Iterator

import pytest
from selenium import webdriver

from catan_env.game.action import Action
from tests.render.browser import leave_pages
from tests.web.browser import served
from tests.web.test_page import wait
from tests.web.test_your_turn import RECORD_CALLS, person_in_new_tab, two_people

IN_FOREGROUND = RECORD_CALLS.replace("get: () => true", "get: () => false")


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    yield chromium
    chromium.execute_script("localStorage.clear()")
    leave_pages(chromium)


def test_a_page_in_the_foreground_notifies_nothing(browser: webdriver.Chrome) -> None:
    assert IN_FOREGROUND != RECORD_CALLS
    with served(two_people()) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay")
        browser.execute_script(IN_FOREGROUND)
        browser.execute_script("$('alerts').click()")
        ann = browser.current_window_handle
        person_in_new_tab(browser, f"{address}#ben").choose(Action.end_turn())
        browser.switch_to.window(ann)
        wait(browser, "document.title.startsWith('Your turn') && !$('choices').hidden")
        assert browser.find_element("id", "alerts").is_selected()
        assert browser.execute_script("return window.calls") == []
