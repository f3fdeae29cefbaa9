"""axe-core finds no serious fault in the page: AXE_CORE names axe.min.js (`npm pack axe-core`)."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.render.browser import opened_browser
from tests.web.browser import served
from tests.web.tables import Tables, live_table

AXE = os.environ.get("AXE_CORE", "")
RUN = "const done = arguments[arguments.length - 1]; axe.run().then(done)"


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    yield from opened_browser()


@pytest.mark.skipif(not AXE, reason="AXE_CORE does not name axe.min.js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(browser: webdriver.Chrome, scheme: str) -> None:
    features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    for choices in (0, 120):
        table = live_table(5, policies=("greedy",))
        tables = Tables(table)
        for line, secret in ((0, "ann"), (1, "ben")):
            tables.open(line, secret)
        tables.play_on({0: 0, 1: 1}, choices)
        while not table.game.is_over and table.game.seat != 0:
            tables.play_on({0: 0, 1: 1}, 1)
        with served(table) as address:
            browser.get(f"{address}#ann")
            time.sleep(1)
            browser.execute_script(Path(AXE).read_text())
            found = browser.execute_async_script(RUN)["violations"]
            browser.get("about:blank")
        serious = [fault for fault in found if fault["impact"] in ("serious", "critical")]
        assert [(fault["id"], fault["nodes"][0]["target"]) for fault in serious] == []
