"""A seven on the page of a table: the cards to discard, and the seats that can be robbed."""

from selenium import webdriver

from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.geometry import EDGE_VERTICES, TILE_VERTICES
from tests.web.browser import served
from tests.web.positions import rich, table_of
from tests.web.test_page import severe, wait

TILE = 9


def test_the_page_counts_the_cards_that_are_left_to_discard(browser: webdriver.Chrome) -> None:
    table = table_of(rich(phase="discard", hands={0: (4, 4, 0, 0, 0)}, discards={0: 2}))
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && $('ask').textContent === 'Discard 2 cards.'")
        before = browser.execute_script("return replay.last")
        browser.find_element("css selector", "#acts [data-kind=DISCARD]").click()
        wait(browser, f"replay.last > {before} && $('ask').textContent === 'Discard 1 card.'")
        assert sum(table.game.hand(0)) == 7 and severe(browser) == []


def robbing(tile: int) -> Game:
    """Ben moves the robber; Ann and the second policy are at the tile, with one card each."""
    north, _, _, south, *_ = TILE_VERTICES[tile]
    settlements = {0: [north], 1: [50, 53], 2: [], 3: [south]}
    roads = {
        seat: [next(e for e, ends in enumerate(EDGE_VERTICES) if vertex in ends) for vertex in own]
        for seat, own in settlements.items()
    }
    return Game.from_position(
        board=Board.beginner(), seats=4, settlements=settlements, roads=roads, robber=0,
        hands={0: (1, 0, 0, 0, 0), 3: (0, 1, 0, 0, 0)}, phase="robber", roll=7, turn_seat=1,
    )  # fmt: skip


def test_a_victim_is_named_on_its_button(browser: webdriver.Chrome) -> None:
    table = table_of(robbing(TILE))
    with served(table) as address:
        browser.get(f"{address}#ben")
        wait(browser, "window.replay && document.querySelector('#places .choice')")
        browser.find_element("css selector", f'#places [data-place="{TILE}"]').click()
        victims = browser.find_elements("css selector", "#acts .victim")
        assert sorted(victim.text for victim in victims) == ["Ann", "greedy 1"]
        before = browser.execute_script("return replay.last")
        next(victim for victim in victims if victim.text == "greedy 1").click()
        wait(browser, f"replay.last > {before}")
        assert table.game.hand(1) == (0, 1, 0, 0, 0), "the grain of greedy 1"
        assert severe(browser) == []
