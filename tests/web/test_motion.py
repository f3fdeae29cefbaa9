"""Dice, cards and the robber move on the page, unless the player prefers reduced motion."""

from collections.abc import Iterator

import pytest
from selenium import webdriver

from catan_env.game.action import Action, ActionKind
from catan_env.game.game import Game
from tests.render.browser import leave_pages
from tests.web.browser import Person, served
from tests.web.positions import RICH, rich, table_of
from tests.web.test_page import severe, wait

ROLLED_SEVEN = {"phase": "robber", "roll": 7}
STEPS_ARE_SLOW = "performance.now() - (window.since ??= performance.now()) > 200"
"""A step that follows another one sooner than that is shown without motion."""


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    yield chromium
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    leave_pages(chromium)


def moved(browser: webdriver.Chrome, game: Game, action: Action) -> list[str]:
    """The kinds of things that move when that choice is made."""
    with served(table_of(game)) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('choices').hidden")
        browser.execute_script(
            "window.moved = new Set();"
            "const animate = Element.prototype.animate;"
            "Element.prototype.animate = function (...how) {"
            "  window.moved.add(this.dataset.robber ? 'robber' : this.closest('#dice') ? 'dice'"
            "    : this.className);"
            "  return animate.apply(this, how);"
            "};"
        )
        wait(browser, STEPS_ARE_SLOW)
        Person(browser, browser.current_window_handle).choose(action)
        wait(browser, "!document.querySelector('.flying')")
        assert severe(browser) == []
        return sorted(browser.execute_script("return [...window.moved]"))


def robber_to(tile: int) -> Action:
    game = rich(**ROLLED_SEVEN)
    moves = [action for action in game.legal_actions if action.kind is ActionKind.MOVE_ROBBER]
    return next(action for action in moves if action.args[0] == tile)


def test_the_dice_tumble(browser: webdriver.Chrome) -> None:
    assert "dice" in moved(browser, rich(phase="roll"), Action.roll())


def test_the_robber_walks(browser: webdriver.Chrome) -> None:
    tile = next(k for k, tile in enumerate(RICH["board"].tiles) if tile.token == 12)
    assert "robber" in moved(browser, rich(**ROLLED_SEVEN), robber_to(tile))


def test_cards_that_are_paid_fly_to_the_bank(browser: webdriver.Chrome) -> None:
    assert moved(browser, rich(), Action.city(10)) == ["flying"]


def test_nothing_moves_for_people_who_prefer_reduced_motion(browser: webdriver.Chrome) -> None:
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    assert moved(browser, rich(), Action.city(10)) == []
