"""Live tables behind a real socket, and a person who plays at them in Chromium."""

import asyncio
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from catan_env.net.serve import listen
from catan_env.web.page import table_page
from catan_env.web.room import TableRoom
from catan_env.web.serve import serve_tables
from catan_env.web.shelf import Shelf
from catan_env.web.table import LiveTable
from tests.web.tables import SECRETS


@contextmanager
def served(table: LiveTable, secrets: Any = None, pace: float = 0.0) -> Iterator[str]:
    """The address at which the table is served, while the block lasts."""
    pages = {"/": table_page()}
    shelf = Shelf(pages)
    room = TableRoom([shelf.seating(table, secrets or SECRETS)], pace, shelf.reopen)
    loop = asyncio.new_event_loop()
    with listen("127.0.0.1", 0) as listener:
        task: Any = None

        async def main() -> None:
            nonlocal task
            task = asyncio.current_task()
            await serve_tables(room, pages, listener)

        def run() -> None:
            try:
                loop.run_until_complete(main())
            except asyncio.CancelledError:
                pass

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            loop.call_soon_threadsafe(lambda: task.cancel())
            thread.join()
            loop.close()


def leave_pages(browser: webdriver.Chrome) -> None:
    """Close the tabs but one: a page whose table is gone would go on trying to reach it."""
    first, *others = browser.window_handles
    for tab in others:
        browser.switch_to.window(tab)
        browser.close()
    browser.switch_to.window(first)
    browser.get("about:blank")
    browser.get_log("browser")


CONTROLS = {
    **{
        kind: f'.choice[data-kind="{kind}"]'
        for kind in ("SETTLEMENT", "CITY", "ROAD", "MOVE_ROBBER")
    },
    "OFFER": "#offer:not([hidden])",
    "BANK_TRADE": "#bank-trade:not([hidden])",
}
"""Where kinds of choices are made that are no buttons."""


class Person:
    """Chooses at random among what a tab shows, by clicks or by the keyboard."""

    def __init__(self, browser: webdriver.Chrome, tab: str, seed: int) -> None:
        self.browser = browser
        self.tab = tab
        self.chance = random.Random(seed)
        self.used: set[str] = set()

    def look(self) -> list[Any]:
        """The places and buttons that can be chosen now in this tab, and forms."""
        self.browser.switch_to.window(self.tab)
        places = self.browser.find_elements(By.CSS_SELECTOR, "#places .choice")
        acts = self.browser.find_elements(By.CSS_SELECTOR, "#acts button:enabled")
        forms = self.browser.find_elements(By.CSS_SELECTOR, ".trade:not([hidden])")
        return [*places, *acts, *forms]

    def choose(self, advised: int | None = None) -> bool:
        """Choose once, if there is anything to choose: mostly what is advised, if it is shown."""
        try:
            found = self.look()
            if not found:
                return False
            own = f'[data-index="{advised}"]'
            if advised is not None and self.chance.random() < 0.8:
                likely = self.browser.find_elements(By.CSS_SELECTOR, own)
                found = likely or found
            chosen = self.chance.choice(found)
            if chosen.tag_name == "form":
                self._trade(chosen)
            elif self.chance.random() < 0.3:
                self.used.add("keyboard")
                self.browser.execute_script("arguments[0].focus()", chosen)
                chosen.send_keys(Keys.ENTER)
            else:
                self._click(chosen)
        except WebDriverException:
            return False  # the table has moved on between looking and choosing
        return True

    def choose_kind(self, kind: str) -> None:
        """Choose something of that kind, and wait until the table has moved on."""
        self.browser.switch_to.window(self.tab)
        patience = WebDriverWait(self.browser, 90)
        selector = CONTROLS.get(kind, f'#acts button[data-kind="{kind}"]')
        patience.until(lambda _: self.browser.find_elements(By.CSS_SELECTOR, selector))
        step = self.browser.execute_script("return replay.last")
        node = self.browser.find_elements(By.CSS_SELECTOR, selector)[-1]
        if kind == "OFFER":
            for side, resource in (("offer-give", "brick"), ("offer-get", "grain")):
                more = f'#{side} [data-resource="{resource}"] button:last-child'
                node.find_element(By.CSS_SELECTOR, more).click()
        if kind in ("OFFER", "BANK_TRADE"):
            node.find_element(By.CSS_SELECTOR, "button:not([type])").click()
        else:
            self._click(node)
        for victim in self.browser.find_elements(By.CSS_SELECTOR, "#acts .victim")[:1]:
            victim.click()
        patience.until(lambda _: self.browser.execute_script("return replay.last") > step)

    def _click(self, node: Any) -> None:
        self.used.add(node.get_attribute("data-kind") or node.text.split(" ")[0])
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", node)
        node.click()

    def _trade(self, form: Any) -> None:
        self.used.add(form.get_attribute("id"))
        if form.get_attribute("id") == "offer":
            for side in ("offer-give", "offer-get"):
                more = form.find_elements(By.CSS_SELECTOR, f"#{side} button:last-child")
                self.chance.choice(more).click()
        form.find_element(By.CSS_SELECTOR, "button:not([type])").click()
