"""Live tables behind a real socket, and a person who plays in Chromium."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from catan_env.game.action import Action, ActionKind
from catan_env.net.address import in_url
from catan_env.net.serve import listen
from catan_env.net.websocket import Page
from catan_env.web.page import table_page
from catan_env.web.room import TableRoom
from catan_env.web.serve import serve_tables
from catan_env.web.shelf import Shelf
from catan_env.web.table import LiveTable
from tests.web.tables import SECRETS


@contextmanager
def served(
    table: LiveTable, secrets: Any = None, pace: float = 0.0, host: str = "127.0.0.1"
) -> Iterator[str]:
    """Serve the table during the block; yields its address."""
    pages = {"/": table_page()}
    shelf = Shelf(pages)
    room = TableRoom([shelf.seating(table, secrets or SECRETS)], pace, shelf.reopen)
    with served_room(room, pages, host) as address:
        yield address


@contextmanager
def served_room(
    room: TableRoom, pages: Mapping[str, Page], host: str = "127.0.0.1", port: int = 0
) -> Iterator[str]:
    """Serve a room and its pages during the block; yields the address."""
    loop = asyncio.new_event_loop()
    with listen(host, port) as listener:
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
            yield f"http://{in_url(host)}:{listener.getsockname()[1]}/"
        finally:
            loop.call_soon_threadsafe(lambda: task.cancel())
            thread.join()
            loop.close()


class Person:
    """Performs given actions in a tab, by clicks and sometimes by the keyboard."""

    def __init__(self, browser: webdriver.Chrome, tab: str) -> None:
        self.browser = browser
        self.tab = tab
        self._choices = 0

    def choose(self, action: Action) -> None:
        """Make that choice where the page offers it, and wait until the table has moved on."""
        self.browser.switch_to.window(self.tab)
        before = self._wait_for_choices()
        if action.kind is ActionKind.OFFER:
            self._offer(action)
        elif action.kind is ActionKind.BANK_TRADE:
            self._trade(action)
        elif action.kind is ActionKind.MOVE_ROBBER:
            self._move_robber(action)
        else:
            own = f'[data-index="{action.index}"]'
            self._press(self._find(f"#choices {own}, #own {own}, #places {own}"))
        self._wait(f"replay.last > {before}")

    def undo(self) -> None:
        """Take back the last choice."""
        self.browser.switch_to.window(self.tab)
        before = self._wait_for_choices()
        acts = self.browser.find_elements(By.CSS_SELECTOR, "#acts button")
        self._press(next(node for node in acts if node.text == "Undo"))
        self._wait(f"replay.last < {before}")

    def _wait_for_choices(self) -> int:
        """The step at which something can be chosen."""
        self._wait("!$('choices').hidden && !$('choices').inert && $('refused').textContent === ''")
        step: int = self.browser.execute_script("return replay.last")
        return step

    def _wait(self, expression: str) -> None:
        script = f"return Boolean(window.replay) && {expression}"
        WebDriverWait(self.browser, 90, 0.05).until(lambda _: self.browser.execute_script(script))

    def _find(self, selector: str) -> Any:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def _press(self, node: Any) -> None:
        self._choices += 1
        if self._choices % 3 == 0:
            self.browser.execute_script("arguments[0].focus()", node)
            node.send_keys(Keys.ENTER)
        else:
            self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", node)
            node.click()

    def _move_robber(self, action: Action) -> None:
        tile = f'.choice[data-kind="MOVE_ROBBER"][data-place="{action.args[0]}"]'
        self._press(self._find(tile))
        own = f'#acts .victim[data-index="{action.index}"]'
        victims = self.browser.find_elements(By.CSS_SELECTOR, own)
        if victims:
            self._press(victims[0])

    def _trade(self, action: Action) -> None:
        Select(self._find("#bank-give")).select_by_value(str(int(action.args[0])))
        Select(self._find("#bank-get")).select_by_value(str(action.index))
        self._press(self._find("#bank-trade button"))

    def _offer(self, action: Action) -> None:
        to, give, get = action.args
        Select(self._find("#offer-to")).select_by_value(str(to))
        for side, counts in (("give", give), ("get", get)):
            own = f"#offer-{side} button[aria-label$=more]"
            more = self.browser.find_elements(By.CSS_SELECTOR, own)
            for button, count in zip(more, counts, strict=True):
                for _ in range(count):
                    button.click()
        self._press(self._find("#offer > button"))
