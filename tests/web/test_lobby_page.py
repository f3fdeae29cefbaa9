"""The page that lists a lobby's tables, in a browser; it asks for news every two seconds."""

from selenium import webdriver

from catan_env.web.lobby import LOBBY, SpectatorLobby
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
