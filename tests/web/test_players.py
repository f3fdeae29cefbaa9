"""Players that know only what is on the page: whole games to the replay, and first choices."""

from collections.abc import Iterator

import pytest
from selenium import webdriver

from catan_env.game.action import ActionKind
from catan_env.game.game import Game
from catan_env.policy import load_policy
from catan_env.web.table import LiveTable
from tests.render.browser import leave_pages
from tests.web.browser import served
from tests.web.players import Finger, Keyboard, Listener, Mouse, Player, heading
from tests.web.test_page import severe, wait

DESKTOP, PORTRAIT, LANDSCAPE = (1280, 800), (390, 844), (844, 390)
PLAYED_CARDS = {kind for kind in ActionKind if kind.name.startswith("PLAY_")}
SEVEN_FIRST = 1
"""The seed of a game whose first roll is a seven, so that its first player moves the robber."""


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    yield chromium
    leave_pages(chromium)
    chromium.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


@pytest.mark.parametrize(
    ("player", "size"),
    [
        pytest.param(Mouse, DESKTOP, id="desktop", marks=pytest.mark.nightly),
        pytest.param(Finger, PORTRAIT, id="portrait"),
        pytest.param(Finger, LANDSCAPE, id="landscape", marks=pytest.mark.nightly),
        pytest.param(Keyboard, DESKTOP, id="keyboard", marks=pytest.mark.nightly),
        pytest.param(Listener, DESKTOP, id="accessibility-tree", marks=pytest.mark.nightly),
    ],
)
def test_a_player_who_knows_only_the_page_plays_to_the_end_and_the_replay(
    browser: webdriver.Chrome, player: type[Player], size: tuple[int, int]
) -> None:
    policies = {seat: load_policy("greedy", seat) for seat in (1, 2, 3)}
    table = LiveTable(Game(4, seed=SEVEN_FIRST), ["Ann", "Ben", "Cleo", "Dan"], policies)
    width, height = size
    is_touched = player is Finger
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_touched}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": is_touched})
    motion = {"name": "prefers-reduced-motion", "value": "reduce"}  # test_motion.py has the others
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [motion]})
    with served(table, {"ann": 0}) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay")
        player(browser).play()
        wait(browser, "window.replay && location.pathname.endsWith('.html') && replay.last > 100")
        assert "Ann" in heading(browser)
        assert severe(browser) == []
    assert table.game.is_over
    own = {event.action.kind for event in table.game.events if event.seat == 0}
    assert ActionKind.OFFER in own or ActionKind.ACCEPT in own
    assert ActionKind.BUY_DEVELOPMENT_CARD in own
    assert ActionKind.MOVE_ROBBER in own
    assert own & PLAYED_CARDS and ActionKind.BANK_TRADE in own


@pytest.mark.parametrize("player", [Keyboard, Listener])
def test_a_game_is_begun_by_keyboard_and_by_a_screen_reader(
    browser: webdriver.Chrome, player: type[Player]
) -> None:
    """Until the robber has been moved; the nightly players continue to the replay."""
    policies = {seat: load_policy("greedy", seat) for seat in (1, 2, 3)}
    table = LiveTable(Game(4, seed=SEVEN_FIRST), ["Ann", "Ben", "Cleo", "Dan"], policies)
    with served(table, {"ann": 0}) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay")
        player(browser).play("End the turn")
        assert severe(browser) == []
    own = [event.action.kind for event in table.game.events if event.seat == 0]
    assert own.count(ActionKind.SETTLEMENT) >= 2 and own.count(ActionKind.ROAD) >= 2
    assert {ActionKind.ROLL, ActionKind.MOVE_ROBBER} <= set(own)
