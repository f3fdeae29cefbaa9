"""A page after its player took a choice back: nothing of the other position stays."""

from pathlib import Path

from selenium import webdriver

from catan_env.policy import load_judge
from catan_env.web.advisers import Adviser
from catan_env.web.messages import Act, Ask, Choices, Undo
from tests.web.browser import served
from tests.web.house import House, new_table
from tests.web.positions import rich, table_of
from tests.web.tables import later
from tests.web.test_page import severe, wait

OFFERED = "[...document.querySelectorAll('#offer-give small')].map((node) => node.textContent)"


def press(browser: webdriver.Chrome, text: str) -> None:
    """Press a button of the choices once it is there."""
    found = (
        f"[...document.querySelectorAll('#acts button')].find((b) => b.textContent === '{text}')"
    )
    wait(browser, f"window.replay && !$('choices').inert && {found}")
    browser.execute_script(f"{found}.click()")


def place(browser: webdriver.Chrome, kind: str) -> None:
    """Build that at the first place that is lit."""
    found = f"document.querySelector('#places [data-kind={kind}]')"
    wait(browser, f"window.replay && !$('choices').inert && {found}")
    browser.execute_script(f"{found}.dispatchEvent(new MouseEvent('click'))")


def test_advice_about_a_position_that_was_taken_back_is_dropped(tmp_path: Path) -> None:
    house = House(tmp_path)
    waiting = later(house, "start_advice")
    house.sit(1, house.ask(new_table("", "random", ask="greedy")).secret)
    first = next(m for m in house.heard[1] if isinstance(m, Choices))
    house.say(1, Act(first.actions[0].index, first.step))
    house.say(1, Ask(first.step + 1))
    ((job, then),) = waiting
    advised = job()
    house.say(1, Undo(first.step + 1))
    house.say(1, Act(first.actions[-1].index, first.step))
    heard = len(house.heard[1])
    house.take(then(advised, house.now))
    assert house.heard[1][heard:] == []


def test_the_form_of_an_offer_has_the_hand_again(browser: webdriver.Chrome) -> None:
    hands = {0: (0, 0, 0, 0, 0), 1: (2, 2, 2, 2, 2)}
    with served(table_of(rich(hands=hands, cards={0: (0, 0, 1, 0, 0)}))) as address:
        browser.get(f"{address}#ann")
        press(browser, "Take 2 ore")
        wait(browser, f"!$('offer').hidden && {OFFERED}[3] === 'of 2'")
        press(browser, "Undo")
        wait(browser, "replay.last === 0")
        press(browser, "Take 2 grain")
        wait(browser, "replay.live.hands[0][1] === 2 && !$('choices').inert")
        assert browser.execute_script(f"return {OFFERED}") == ["of 0", "of 2", *["of 0"] * 3]


def test_the_odds_of_a_position_that_was_taken_back_are_left_out(
    browser: webdriver.Chrome,
) -> None:
    with served(table_of(rich(), adviser=Adviser(load_judge("greedy")))) as address:
        browser.get(f"{address}#ann")
        place(browser, "CITY")
        wait(browser, "replay.last === 1")
        press(browser, "What would you play?")
        wait(browser, "replay.data.odds?.length === 2")
        press(browser, "Undo")
        wait(browser, "replay.last === 0 && replay.data.odds.length === 1")
        assert severe(browser) == []
