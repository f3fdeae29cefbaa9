"""Two people at a table: their trades, their clock, and a connection that is lost."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from catan_env.game.action import ActionKind
from catan_env.game.game import Game
from catan_env.net.serve import listen
from catan_env.web.messages import Enter
from catan_env.web.page import start_page, table_page
from catan_env.web.room import TableRoom
from catan_env.web.shelf import Shelf
from catan_env.web.turn_clock import TurnClock
from tests.render.browser import leave_pages
from tests.web.browser import served, served_room
from tests.web.house import House, new_table
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait

BOTH_SIDES = "Choose cards on both sides."
MORE = "#{}-{} button[aria-label$=more]"


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    yield chromium
    chromium.execute_script("localStorage.clear()")
    leave_pages(chromium)


def click(browser: webdriver.Chrome, selector: str, number: int = 0) -> None:
    """Click the element wherever it is."""
    script = "document.querySelectorAll(arguments[0])[arguments[1]].click()"
    browser.execute_script(script, selector, number)


def refused(browser: webdriver.Chrome) -> str:
    text: str = browser.execute_script("return $('refused').textContent")
    return text


def test_an_offer_needs_cards_on_both_sides_and_the_page_explains_it(
    browser: webdriver.Chrome,
) -> None:
    table = table_of(rich())
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && !$('offer').hidden")
        click(browser, "#offer > button")
        assert refused(browser) == BOTH_SIDES
        for side in ("give", "get"):
            click(browser, MORE.format("offer", side), 2)
        click(browser, "#offer > button")
        assert refused(browser) == "The same resource cannot be on both sides."
        assert table.step == 1


def test_a_counter_offer_without_cards_declines_nothing(browser: webdriver.Chrome) -> None:
    asked = rich(turn_seat=1, phase="answer", offer=(3, (1, 0, 0, 0, 0), (0, 0, 0, 0, 1)))
    table = table_of(asked)
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && document.querySelector('#acts [data-kind=REJECT]')")
        browser.execute_script(
            "[...$('acts').children].find((node) => node.textContent === 'Counter-offer').click();"
            "for (const node of $('propose').querySelectorAll('.stepper')) node.set(0);"
        )
        click(browser, "#propose > button")
        assert refused(browser) == BOTH_SIDES
        assert browser.find_element("id", "propose").is_displayed()
        assert table.game.offer is not None


def test_a_quick_offer_is_made_to_the_seat_that_has_not_left(browser: webdriver.Chrome) -> None:
    hands = {0: (1, 1, 1, 0, 2), 1: (2, 2, 2, 2, 2)}
    table = table_of(rich(hands=hands, left={1, 2}))
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && document.querySelector('#quick button')")
        click(browser, "#quick button")
        wait(browser, "replay.last > 0")
        assert table.game.events[0].action.args[0] == 3


class FullDisk:
    """A journal without space, and the number of steps that it could not store."""

    missing = 0

    def follow(self, game: Game) -> None:
        self.missing += 1
        raise OSError(28, "No space left on device")


def test_a_page_declines_once_for_its_player_if_that_cannot_be_stored(
    browser: webdriver.Chrome,
) -> None:
    hands = {0: (0, 0, 0, 0, 1), 1: (2, 2, 2, 2, 2)}
    offer = (3, (1, 0, 0, 0, 0), (0, 0, 0, 3, 0))
    table = table_of(rich(hands=hands, turn_seat=1, phase="answer", offer=offer))
    disk = table.journal = FullDisk()
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && $('refused').textContent.includes('cannot be stored')")
        wait(browser, "!$('choices').hidden && $('acts').querySelector('[data-kind=REJECT]')")
        assert disk.missing == 1
        click(browser, "#acts [data-kind=REJECT]")
        wait(browser, "$('refused').textContent.includes('cannot be stored')")
        assert disk.missing == 2


def test_a_person_whose_time_is_over_is_informed(browser: webdriver.Chrome) -> None:
    pages = {"/": table_page()}
    seating = Shelf(pages).seating(table_of(rich(phase="roll"), ("random", "random")), {"ann": 0})
    seating.clock = TurnClock(2.0)
    with served_room(TableRoom([seating], 1000.0), pages) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && $('noted').textContent.includes('Your time ran out')")
        kinds = [event.action.kind for event in seating.table.game.events]
        assert kinds[0] is ActionKind.ROLL


def test_a_page_without_connection_offers_no_choices(browser: webdriver.Chrome) -> None:
    with served(table_of(rich())) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && $('acts').children.length")
    wait(browser, "$('refused').textContent.includes('reconnecting')")
    assert browser.find_element("id", "refused").is_displayed()
    assert (
        browser.execute_script("return $('acts').children.length + $('ask').textContent.length")
        == 0
    )


def test_a_page_that_waits_for_people_says_that_its_server_is_gone(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", ""))
    status = "document.querySelector('#waiting [role=status]')?.textContent"
    with served_room(house.room, house.pages) as address:
        browser.get(f"{address}#{ann.secret}")
        wait(browser, f"{status}?.includes('1 more person')")
    wait(browser, f"{status}?.includes('reconnecting')")


def test_the_players_of_a_game_that_has_ended_meet_again_after_the_server_was_stopped(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.play_table(1)
    house.take(house.room.closed(1, "it closed its connection", house.now))
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    with served_room(house.room, house.pages, port=port) as address:
        browser.get(f"{address}#{ann.secret}")
        wait(browser, "window.replay && $('acts').children.length === 2")
        browser.execute_script("window.isSame = true")
    click(browser, "#acts button", 1)
    wait(browser, "$('refused').textContent.includes('reconnecting')")
    with served_room(house.room, house.pages, port=port):
        wait(browser, "$('refused').textContent === ''")
        assert browser.execute_script("return window.isSame")
        click(browser, "#acts button", 1)
        wait(browser, f"location.hash !== '#{ann.secret}' && window.replay?.data.viewer === 1")


LOSE_A_MESSAGE = """
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function () {
  this.close();
  WebSocket.prototype.send = function (text) { window.line = this; send.call(this, text); };
};
"""
"""The connection ends instead of sending the next message; `line` is the one after it."""


def test_a_request_for_a_rematch_that_is_lost_with_its_connection_is_reported(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.play_table(1)
    house.take(house.room.closed(1, "it closed its connection", house.now))
    with served_room(house.room, house.pages) as address:
        browser.get(f"{address}#{ann.secret}")
        wait(browser, "window.replay && $('acts').children.length === 2")
        browser.execute_script(LOSE_A_MESSAGE)
        click(browser, "#acts button", 1)
        wait(browser, "$('refused').textContent.includes('reconnecting')")
        assert browser.find_element("id", "refused").is_displayed()
        wait(browser, "window.line && $('refused').textContent === ''")
        browser.execute_script(
            "line.addEventListener('close', () => { ended = line; }); line.close()"
        )
        wait(browser, "window.ended")
        assert refused(browser) == "", "nothing was lost with this one"


def test_an_invitation_that_cannot_be_used_is_named_first(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    with served_room(house.room, {"/start": start_page()}) as address:
        browser.get(f"{address}start#join=wrong")
        wait(browser, "!document.getElementById('invited').hidden")
        said = browser.find_element("id", "who").text
        assert "no free seat" in said and "another link" in said
        assert browser.find_element("id", "invited-title").text == "Your invitation"
        assert not browser.find_element("id", "join").is_displayed()
        assert browser.find_element("id", "new").is_displayed()
        assert severe(browser) == []


def test_the_start_page_leads_back_to_a_game_in_progress(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    house = House(tmp_path)
    ann: Any = house.ask(new_table("", "random"))
    (game,) = house.ask(Enter(ann.key)).games
    with served_room(house.room, house.pages) as address:
        browser.get(f"{address}start#me={ann.key}")
        wait(browser, "document.querySelector('#games a')")
        browser.find_element("link text", "Continue").click()
        wait(browser, "window.replay && replay.data.viewer === 0")
        assert browser.current_url.endswith(f"#{game.secret}")
