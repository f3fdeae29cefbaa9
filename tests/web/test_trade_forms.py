"""The forms and buttons of trades in a browser: offers, proposals, counter-offers, declines."""

from collections.abc import Iterator, Sequence

import pytest
from selenium import webdriver

from catan_env.game.action import Action
from catan_env.web.table import LiveTable
from tests.render.browser import leave_pages
from tests.web.browser import served
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait
from tests.web.test_trade import Scripted

BRICK, GRAIN, ORE = (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 0, 1, 0)
LUMBER, WOOL = (0, 0, 1, 0, 0), (0, 0, 0, 0, 1)
PROPOSED = "[...document.querySelectorAll('#proposals li')].map((one) => one.innerText.trim())"


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    yield chromium
    chromium.execute_script("localStorage.clear()")
    leave_pages(chromium)


def press(browser: webdriver.Chrome, name: str, number: int = 0) -> None:
    """Click a button by its text, or by its label."""
    browser.execute_script(
        "const named = (node) => [node.textContent, node.ariaLabel].includes(arguments[0]);"
        "[...document.querySelectorAll('button')].filter(named)[arguments[1]].click()",
        name,
        number,
    )


def counts(browser: webdriver.Chrome, side: str) -> list[int]:
    """The cards of a side of a form, by resource."""
    script = "return [...document.querySelectorAll(arguments[0])].map((n) => Number(n.innerText))"
    found: list[int] = browser.execute_script(script, f"#{side} .stepper b")
    return found


def propose_ore_for(browser: webdriver.Chrome, resource: str) -> None:
    """Propose one ore for one card of that resource, in an empty form."""
    press(browser, "give one ore more")
    press(browser, f"get one {resource} more")
    press(browser, "Propose")
    wait(browser, f"{PROPOSED}.length === 1")


def test_a_proposal_is_withdrawn_by_its_seat_and_offered_by_another_that_can_pay_it(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich(hands={0: (2, 0, 0, 0, 0), 1: (0, 0, 0, 1, 0)}))
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('choices').hidden")
        assert not browser.find_element("id", "propose-box").is_displayed(), "Ann is on turn"
        ann = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(f"{address}#ben")
        ben = browser.current_window_handle
        wait(browser, "window.replay && !$('propose-box').hidden")
        propose_ore_for(browser, "grain")
        said = browser.execute_script(f"return {PROPOSED}")
        assert said == ["You would give 1 ore for 1 grain Withdraw"]
        browser.switch_to.window(ann)
        wait(browser, f"{PROPOSED}.length === 1")
        said = browser.execute_script(f"return {PROPOSED}")
        assert said == ["Ben would give 1 ore for 1 grain"], "Ann has no grain"
        browser.switch_to.window(ben)
        press(browser, "Withdraw")
        wait(browser, f"{PROPOSED}.length === 0")
        press(browser, "give one ore less")
        press(browser, "get one grain less")
        propose_ore_for(browser, "brick")
        browser.switch_to.window(ann)
        wait(browser, f"{PROPOSED}[0] === 'Ben would give 1 ore for 1 brick Offer that'")
        press(browser, "Offer that")
        wait(browser, "replay.live.phase === 'ANSWER'")
        assert table.game.seat == 1 and table.offers == [(ORE, BRICK)]
        assert severe(browser) == []


def test_a_counter_offer_begins_with_the_offer_and_declines_it(browser: webdriver.Chrome) -> None:
    asked = rich(turn_seat=1, phase="answer", offer=(3, (2, 0, 0, 0, 0), WOOL))
    table = table_of(asked)
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && document.querySelector('#acts [data-kind=REJECT]')")
        press(browser, "Counter-offer")
        assert counts(browser, "propose-give") == [0, 0, 0, 0, 1]
        assert counts(browser, "propose-get") == [2, 0, 0, 0, 0]
        for _ in range(4):
            press(browser, "give one wool more")
        assert counts(browser, "propose-give") == [0, 0, 0, 0, 3], "more than Ann holds"
        press(browser, "Propose")
        wait(browser, f"replay.live.phase === 'MAIN' && {PROPOSED}.length === 1")
        assert browser.execute_script(f"return {PROPOSED}") == [
            "You would give 3 wool for 2 brick Withdraw"
        ]
        assert severe(browser) == []


def asked_by_dan(hand: Sequence[int]) -> LiveTable:
    """Dan, a policy, will offer Ben, who has that hand, two trades for a brick."""
    offers = [Action.offer(2, BRICK, get) for get in (GRAIN, ORE)]
    game = rich(turn_seat=3, hands={0: (2,) * 5, 1: tuple(hand), 3: (2,) * 5})
    policies = {2: Scripted(), 3: Scripted(*offers)}
    return LiveTable(game, ["Ann", "Ben", "Cleo", "Dan"], policies)


def test_offers_are_not_declined_for_a_player_while_one_can_be_paid(
    browser: webdriver.Chrome,
) -> None:
    table = asked_by_dan((0, 0, 0, 1, 0))
    with served(table) as address:
        browser.get(f"{address}#ben")
        wait(browser, "window.replay && document.querySelector('#acts [data-kind=REJECT]')")
        assert browser.find_element("id", "declines").is_selected()
        offers = browser.find_elements("css selector", "#acts [data-kind=ACCEPT]")
        assert [offer.text for offer in offers] == [
            "Accept: give 1 grain, get 1 brick\nyou lack 1 grain",
            "Accept: give 1 ore, get 1 brick",
        ]
        assert browser.find_element("id", "noted").text == ""
        offers[1].click()
        wait(browser, "replay.live.hands[1][0] === 1")
        assert table.game.hand(1) == BRICK and severe(browser) == []


def test_offers_that_wait_are_declined_when_their_player_asks_for_that(
    browser: webdriver.Chrome,
) -> None:
    table = asked_by_dan((0, 0, 1, 0, 0))
    with served(table) as address:
        browser.get(f"{address}#watch")
        wait(browser, "window.replay")
        browser.execute_script("localStorage.setItem('catan-declines', 'no')")
        browser.get(f"{address}#ben")
        wait(browser, "window.replay?.data.viewer === 1 && replay.live.phase === 'ANSWER'")
        wait(browser, "document.querySelector('#acts [data-kind=REJECT]')")
        browser.find_element("id", "declines").click()
        wait(browser, "replay.live.phase !== 'ANSWER'")
        assert browser.find_element("id", "noted").text == (
            "Declined for you: Dan wanted 1 grain, or 1 ore; you lack 1 grain."
        )
        assert table.game.hand(1) == LUMBER and severe(browser) == []


def test_quick_offers_ask_those_who_are_there_for_the_one_card_that_a_purchase_lacks(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich(hands={0: (1, 1, 0, 0, 3), 1: (0, 0, 0, 1, 0)}, left={3}))
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('choices').hidden && !$('offer').hidden")
        seats = browser.find_elements("css selector", "#offer-to option")
        assert [seat.text for seat in seats] == ["everyone", "Ben", "greedy 0"]
        quick = browser.find_elements("css selector", "#quick button")
        assert [button.text for button in quick] == [
            "1 wool for 1 lumber (a settlement)",
            "1 wool for 1 ore (a card)",
        ]
        quick[1].click()
        wait(browser, "replay.live.phase === 'ANSWER'")
        assert table.game.seat == 1 and table.offers == [(ORE, WOOL)]
        assert severe(browser) == []
