"""The hints of the set-up, on a page: the corners with most pips."""

from selenium import webdriver

from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.geometry import VERTEX_TILES
from tests.web.browser import served
from tests.web.positions import table_of
from tests.web.test_page import severe, wait


def pips(board: Board, vertex: int) -> int:
    tokens = [board.tiles[tile].token for tile in VERTEX_TILES[vertex]]
    return sum(6 - abs(7 - token) for token in tokens if token)


def test_the_hint_lists_the_corners_with_most_pips_and_lights_them(
    browser: webdriver.Chrome,
) -> None:
    board = Board.beginner()
    table = table_of(Game.from_position(board=board, phase="place_settlement"))
    best = sorted((pips(board, vertex) for vertex in range(54)), reverse=True)
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && document.querySelectorAll('.choice').length === 54")
        (hint,) = (
            button
            for button in browser.find_elements("css selector", "#acts button")
            if button.text == "Hint: most pips"
        )
        hint.click()
        listed, lit = browser.execute_script(
            "const nodes = (selector) => [...document.querySelectorAll(selector)];"
            "return [nodes('#advice button').map((one) => one.dataset.index),"
            " nodes('#places .advised').map((one) => [one.dataset.index, one.dataset.place])]"
        )
        assert sorted(listed) == sorted(index for index, _ in lit)
        shown = [pips(board, int(place)) for _, place in lit]
        assert sorted(shown, reverse=True) == best[: len(listed)] and len(listed) > 2
        before = browser.execute_script("return replay.last")
        browser.find_element("css selector", "#advice button").click()
        wait(browser, f"replay.last > {before}")
        (settlement,) = table.game.settlements(0)
        assert pips(board, settlement) == best[0]
        assert severe(browser) == []
