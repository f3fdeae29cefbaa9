"""The page that lists a lobby's tables, in a browser; it asks for news every two seconds."""

import json

from selenium import webdriver

from catan_env.net.websocket import Page
from catan_env.web.lobby import LOBBY, SpectatorLobby
from catan_env.web.page import JSON
from tests.notation.random_games import random_game
from tests.web.browser import served_room
from tests.web.positions import table_of
from tests.web.test_page import severe, wait

NAMES = ["best", "greedy"]
LOOKS = f"performance.getEntriesByType('resource').filter((e) => e.name.endsWith('{LOBBY}')).length"


def begin(lobby: SpectatorLobby, number: int) -> None:
    game = random_game(number, 2, "duel", 30)
    lobby.begin(number, game, NAMES, table_of(game, ()))


def focus_on_the_first_table(browser: webdriver.Chrome, address: str) -> None:
    browser.get(address)
    wait(browser, "document.querySelector('#tables a')")
    browser.execute_script("window.first = document.querySelector('#tables a'); first.focus()")


def test_a_lobby_without_news_stays_as_it_is(browser: webdriver.Chrome) -> None:
    lobby = SpectatorLobby("best against greedy", NAMES)
    begin(lobby, 1)
    with served_room(lobby.room, lobby.pages) as address:
        focus_on_the_first_table(browser, address)
        looks = browser.execute_script(f"return {LOOKS}")
        wait(browser, f"{LOOKS} >= {looks} + 2")
        assert browser.execute_script("return document.activeElement === first")
        assert severe(browser) == []


def test_a_link_of_a_lobby_keeps_the_focus_when_there_is_news(browser: webdriver.Chrome) -> None:
    lobby = SpectatorLobby("best against greedy", NAMES)
    path = lobby.root + LOBBY
    begin(lobby, 1)
    before = lobby.pages[path]
    begin(lobby, 2)
    with_news, lobby.pages[path] = lobby.pages[path], before
    with served_room(lobby.room, lobby.pages) as address:
        focus_on_the_first_table(browser, address)
        lobby.pages[path] = with_news
        wait(browser, "document.querySelectorAll('#tables a').length === 2")
        focus = browser.execute_script("return document.activeElement.textContent")
        assert focus == "Game 1"
        assert severe(browser) == []


def test_the_standings_of_a_lobby_are_a_row_for_each_entrant(browser: webdriver.Chrome) -> None:
    lobby = SpectatorLobby("best against greedy", NAMES)
    listed = {"title": "L", "tables": [], "games": [], "standings": [
        {"name": "best", "wins": 2, "games": 3, "points": 7.5},
        {"name": "greedy", "wins": 0, "games": 0, "points": 0.0},
    ]}  # fmt: skip
    lobby.pages[lobby.root + LOBBY] = Page(JSON, json.dumps(listed).encode())
    with served_room(lobby.room, lobby.pages) as address:
        browser.get(address)
        wait(browser, "document.querySelectorAll('#standings tr').length === 2")
        rows = [row.text for row in browser.find_elements("css selector", "#standings tr")]
        assert rows == ["best 2 3 67 % 7.5", "greedy 0 0 – 0.0"]
        assert severe(browser) == []


def test_a_lobby_says_that_its_server_does_not_answer_until_it_does(
    browser: webdriver.Chrome,
) -> None:
    lobby = SpectatorLobby("best against greedy", NAMES)
    path = lobby.root + LOBBY
    with served_room(lobby.room, lobby.pages) as address:
        browser.get(address)
        wait(browser, "document.querySelector('#tables li')")
        there = lobby.pages.pop(path)
        wait(browser, "$('gone').textContent === 'The server does not answer.'")
        lobby.pages[path] = there
        wait(browser, "$('gone').textContent === ''")
