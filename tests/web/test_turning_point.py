"""Playing on from the turning point of a game that has ended at a table."""

from selenium import webdriver

from catan_env.web.page import table_page
from catan_env.web.room import TableRoom
from catan_env.web.shelf import Shelf
from tests.render.browser import leave_pages
from tests.web.browser import served_room
from tests.web.test_ending import ended
from tests.web.test_page import severe, wait

ANN, OTHER = 0, 1


def test_a_game_continues_at_the_last_choice_of_its_person_before_the_turning_point(
    browser: webdriver.Chrome,
) -> None:
    table = ended(3)
    seats = [event.seat for event in table.game.events]
    turning = next(k for k in range(12, len(seats)) if seats[k - 2 : k] == [OTHER, OTHER])
    last = max(k for k in range(turning) if seats[k] == ANN)
    pages = {"/": table_page()}
    shelf = Shelf(pages)
    room = TableRoom([shelf.seating(table, {"ann": ANN})], 0.0, shelf.reopen)
    with served_room(room, pages) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.querySelector('.summary') && $('ask').querySelector('a')")
        assert browser.execute_script("return replay.last") == len(seats)
        browser.execute_script(
            "const [turning, winner] = arguments, shares = [1 - winner, winner];"
            "replay.data.odds = replay.data.steps.map((_, k) => (k < turning ? [.5, .5] : shares));"
            "replay.redrawCurves()",
            turning,
            table.game.winner,
        )
        wait(browser, "document.querySelector('.summary').textContent.includes('Turning point')")
        browser.execute_script("document.querySelector('.summary .answers button').click()")
        wait(browser, "window.replay?.data.viewer === 0 && replay.live.phase !== 'OVER'")
        continued = room._seatings[-1].table.game
        assert continued.events == table.game.events[:last] and continued.seat == ANN
        assert severe(browser) == []
        leave_pages(browser)
