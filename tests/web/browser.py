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

from catan_env.net.serve import listen
from catan_env.web.page import keeper, table_page
from catan_env.web.room import Seating, TableRoom
from catan_env.web.serve import serve_tables
from catan_env.web.table import LiveTable
from tests.web.tables import SECRETS


@contextmanager
def served(table: LiveTable, secrets: Any = None, pace: float = 0.0) -> Iterator[str]:
    """The address at which the table is served, while the block lasts."""
    pages = {"/": table_page()}
    room = TableRoom([Seating(table, secrets or SECRETS, keeper(pages, "/kept"))], pace)
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

    def choose(self) -> bool:
        """Choose once, if there is anything to choose."""
        try:
            found = self.look()
            if not found:
                return False
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
