"""A real browser connected to a room: one server provides the page and the WebSocket."""

import asyncio
import threading

from selenium.webdriver.support.wait import WebDriverWait

from catan_env.net.serve import Server, listen
from catan_env.net.spelling import JsonSpelling
from catan_env.net.websocket import Page, WebSocketServer
from tests.net.toy import Message, ToyRoom

PAGE = b"""<!doctype html><title>waiting</title><script>
const heard = [];
const socket = new WebSocket(`ws://${location.host}/room`);
socket.onopen = () => {
  socket.send(JSON.stringify({type: "Join", name: 7}));
  socket.send("{");
  for (const number of [4, 5]) socket.send(JSON.stringify({type: "Say", number}));
};
socket.onmessage = (event) => { heard.push(JSON.parse(event.data)); show(); };
socket.onclose = (event) => { heard.push({type: "closed", clean: event.wasClean}); show(); };
const show = () => { document.title = heard.map((m) => Object.values(m).join(" ")).join(", "); };
</script>"""


def test_a_browser_talks_leaves_and_comes_back(browser):
    room = ToyRoom(limit=6)
    spelling, pages = JsonSpelling(Message), {"/": Page("text/html; charset=utf-8", PAGE)}
    with listen("127.0.0.1", 0) as listener:

        async def serve() -> None:
            await Server(room, lambda: WebSocketServer(spelling, pages)).serve(listener)

        thread = threading.Thread(target=asyncio.run, args=(serve(),))
        thread.start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        browser.get(address)
        said = "Welcome 7 {}, Sorry, Heard 7 4, Heard 7 5"
        for spoken in (0, 2):
            await_title(browser, said.format(spoken))
            browser.get(address)
        await_title(browser, said.format(4) + ", closed true")
        thread.join(60)
        assert not thread.is_alive() and room.is_over


def await_title(browser, title: str) -> None:
    WebDriverWait(browser, 60, 0.05).until(lambda _: browser.title == title, browser.title)
