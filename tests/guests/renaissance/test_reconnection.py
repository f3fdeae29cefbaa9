"""A spectator's page that loses its connection to the server."""

from typing import Any

from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.guests.renaissance.test_watch import Table, served

NOTE_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...values) { super(...values); sockets.push(this); }
};
"""


def play(table: Table) -> None:
    """Play until the page has one more frame."""
    count = len(table.game.events)
    while len(table.game.events) == count:
        table.game.play(table.game.legal_actions[0])


def test_a_page_that_connects_again_shows_its_game_and_step(browser: Any) -> None:
    """And one that followed its game follows it again."""

    def wait(expression: str) -> None:
        script = f"return {expression}"
        WebDriverWait(browser, 60, 0.05).until(lambda _: browser.execute_script(script))

    def reconnect() -> None:
        count = browser.execute_script("return sockets.length")
        browser.execute_script("sockets.at(-1).close()")
        headline = "document.getElementById('headline').textContent"
        wait(f"sockets.length > {count} && !{headline}.includes('gone')")

    add, remove = (f"Page.{kind}ScriptToEvaluateOnNewDocument" for kind in ("add", "remove"))
    script = browser.execute_cdp_cmd(add, {"source": NOTE_SOCKETS})
    tables = [Table(1), Table(2, 3)]
    for table in tables:
        play(table)
    with served(tables) as address:
        browser.get(address)
        wait("window.replay && replay.last === 1")
        Select(browser.find_element("id", "games")).select_by_value("1")
        wait("replay.last === 1 && document.querySelectorAll('.player').length === 2")
        browser.execute_script("replay.go(0)")
        reconnect()
        games = browser.find_element("id", "games")
        assert games.get_attribute("value") == "1"
        assert browser.execute_script("return replay.step") == 0
        browser.execute_script("replay.go(1)")
        play(tables[0])
        wait("replay.step === 2")
        reconnect()
        play(tables[0])
        wait("replay.step === 3")
        browser.get("about:blank")
    browser.execute_cdp_cmd(remove, script)
