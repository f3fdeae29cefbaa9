"""The page of a game that has ended: the judge's opinion, and the way to play on."""

from dataclasses import replace

from selenium import webdriver

from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.policy import decide, load_judge, load_policy
from catan_env.web.advisers import Adviser
from catan_env.web.page import table_page
from catan_env.web.room import TableRoom
from catan_env.web.shelf import Shelf
from catan_env.web.table import LiveTable
from tests.web.browser import served_room
from tests.web.test_page import severe, wait


def ended(seed: int) -> LiveTable:
    """A short game of one person against one policy, played to its end."""
    rules = replace(Rules.named("duel"), points_to_win=4)
    greedy = load_policy("greedy")
    table = LiveTable(Game(2, seed=seed, rules=rules), ["Ann", "greedy"], {1: greedy})
    while not table.game.is_over:
        table.act(table.game.seat, decide(greedy, table.game.view(table.game.seat)))
    return table


def test_the_turning_point_is_missing_where_points_are_unseen_until_the_game_is_judged(
    browser: webdriver.Chrome,
) -> None:
    """The replay names one by all points, of which the table's page has not seen some."""
    table = ended(3)
    pages = {"/": table_page()}
    shelf = Shelf(pages)
    with served_room(TableRoom([shelf.seating(table, {"ann": 0})], 0.0, shelf.reopen), pages) as at:
        browser.get(f"{at}#ann")
        wait(browser, "document.querySelector('.summary') && $('ask').querySelector('a')")
        text, shown = browser.execute_script(
            "const [again] = document.querySelectorAll('.summary .answers button');"
            "return [document.querySelector('.summary').innerText, again.checkVisibility()];"
        )  # in one step: the page may draw its summary again
        assert "Turning point" not in text
        assert not shown
        browser.execute_script(
            "replay.data.odds = replay.data.steps.map((_, k) => (k > 9 ? [1, 0] : [0.5, 0.5]));"
            "replay.redrawCurves()"
        )
        wait(browser, "document.querySelector('.summary').textContent.includes('Turning point')")
        assert severe(browser) == []


def test_a_game_that_has_ended_is_judged_on_the_page_and_continues_with_one_click(
    browser: webdriver.Chrome,
) -> None:
    pages = {"/": table_page()}
    shelf = Shelf(pages, judge=Adviser(load_judge("greedy")))
    room = TableRoom([shelf.seating(ended(3), {"ann": 0})], 0.0, shelf.reopen)
    with served_room(room, pages) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && replay.data.judge === 'greedy'")
        wait(browser, "document.querySelectorAll('.summary thead th').length === 6")
        rows = browser.find_elements("css selector", ".summary tbody tr")
        assert [row.text.split()[0] for row in rows] == ["Ann", "greedy"]
        luck = browser.execute_script("return replay.data.luck")
        assert abs(sum(luck)) < 0.01
        assert f"{round(100 * abs(luck[0]))} % (" in rows[0].text
        browser.execute_script("replay.data.luck = [-0.001, 0.001]; replay.redrawCurves()")
        wait(
            browser,
            "document.querySelector('.summary td:nth-child(3)').innerText.startsWith('0\\u00a0%')",
        )
        buttons = browser.find_elements("css selector", ".summary .answers button")
        browser.execute_script("arguments[0].click()", buttons[0])
        wait(browser, "location.hash !== '#ann' && window.replay?.live?.phase !== 'OVER'")
        wait(browser, "window.replay && replay.data.viewer === 0")
        assert severe(browser) == []
