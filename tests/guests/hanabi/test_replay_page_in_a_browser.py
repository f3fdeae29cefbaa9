"""The page of a recorded game follows its link, and leaves the browser's shortcuts alone."""

from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from catan_env.guests.hanabi.replay_page import page_of
from catan_env.guests.hanabi.rules import OFFICIAL
from tests.guests.hanabi.test_hanab_live import played


@pytest.fixture
def page(tmp_path: Path) -> str:
    """The address of a page of more than nine actions."""
    file = tmp_path / "game.html"
    file.write_text(page_of(played(3, 2, OFFICIAL)), encoding="utf-8")
    return file.as_uri()


def position(browser: Any) -> int:
    count = browser.find_element("id", "count").text
    return int(count.split()[0])


@pytest.mark.parametrize(
    ("link", "at"), [("", 0), ("#5", 5), ("#-5", 0), ("#1.5", 0), ("#1e9", 0), ("#x", 0)]
)
def test_a_link_opens_its_position(browser: Any, page: str, link: str, at: int) -> None:
    browser.get("about:blank")
    browser.get(f"{page}{link}")
    assert position(browser) == at
    assert browser.find_element("id", "said").text


def test_another_link_in_the_address_is_followed(browser: Any, page: str) -> None:
    browser.get("about:blank")
    browser.get(f"{page}#5")
    for link, at in (("#9", 9), ("#-5", 9), ("#0", 0)):
        browser.execute_async_script(
            "const [link, done] = arguments; addEventListener('hashchange', () => done());"
            "location.hash = link",
            link,
        )
        assert position(browser) == at


def test_the_address_follows_fast_steps_by_few_changes(browser: Any, page: str) -> None:
    """Browsers refuse more than some changes of a page's address a minute."""
    browser.get("about:blank")
    browser.get(page)
    browser.execute_script(
        "window.changes = 0; const replace = history.replaceState;"
        "history.replaceState = function (...to) { changes += 1; replace.apply(this, to); };"
        "const key = () => new KeyboardEvent('keydown', { key: 'ArrowRight' });"
        "for (let k = 0; k < 5; k++) document.dispatchEvent(key());"
    )
    script = "return location.hash === '#5' && changes"
    assert WebDriverWait(browser, 90, 0.05).until(lambda _: browser.execute_script(script)) == 1


def test_a_shortcut_of_the_browser_is_left_to_it(browser: Any, page: str) -> None:
    browser.get("about:blank")
    browser.get(f"{page}#5")
    press = """
    const event = new KeyboardEvent("keydown", {
      key: "ArrowLeft", [arguments[0]]: true, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    return event.defaultPrevented;
    """
    for key in ("altKey", "ctrlKey", "metaKey"):
        assert not browser.execute_script(press, key) and position(browser) == 5
    assert browser.execute_script(press, "shiftKey") and position(browser) == 4
