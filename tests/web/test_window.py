"""Render mode "human": the page follows the environment's games in sequence."""

import threading
import webbrowser
from collections.abc import Iterator
from typing import Any

import gymnasium
import msgspec
import numpy as np
import pytest
from websockets.sync.client import connect

import catan_env
from catan_env.envs.human import Human
from catan_env.web.messages import Said, Sit, Step, Welcome
from catan_env.web.window import Window

PATIENCE = 600
"""Seconds that an answer may take on a busy machine."""
READ, WRITE = msgspec.json.Decoder(Said), msgspec.json.Encoder()


@pytest.fixture(autouse=True)
def nobody_sees_it() -> Iterator[None]:
    """The program `true` as the browser: links are opened, and nothing is shown."""
    webbrowser.register("true", None, webbrowser.GenericBrowser("true"), preferred=True)
    yield


def joined(address: str) -> tuple[Any, Welcome]:
    """A page's line, seated, and its welcome message."""
    place, _, secret = address.partition("#")
    line = connect(place.replace("http", "ws"), max_size=None, open_timeout=PATIENCE)
    line.send(WRITE.encode(Sit(secret)).decode())
    welcome = READ.decode(line.recv(timeout=PATIENCE))
    assert isinstance(welcome, Welcome)
    return line, welcome


def steps_of(line: Any, count: int) -> list[Step]:
    heard = [READ.decode(line.recv(timeout=PATIENCE)) for _ in range(count)]
    assert all(isinstance(message, Step) for message in heard)
    return heard


def window_of(environment: Any) -> Window:
    human = environment.unwrapped._page
    assert isinstance(human, Human)
    human._window.pace = 0.0
    return human._window


def play(environment: Any, moves: int) -> None:
    for _ in range(moves):
        environment.step(int(np.flatnonzero(environment.unwrapped.action_masks())[0]))


def test_the_page_shows_every_event_and_then_the_next_game() -> None:
    environment = gymnasium.make("catan_env:Catan-v0", seats=2, render_mode="human")
    environment.reset(seed=3)
    window = window_of(environment)
    line, welcome = joined(window.address)
    seen = len(welcome.data["steps"])
    play(environment, 3)
    game = environment.unwrapped.game
    missing = len(game.events) + 1 - seen
    assert missing >= 3
    last = steps_of(line, missing)[-1]
    assert last.number == len(game.events)
    with pytest.raises(Exception, match="1000"):  # closed, to reconnect
        environment.reset(seed=4)
        line.recv(timeout=PATIENCE)
    _, welcome = joined(window.address)
    assert len(welcome.data["steps"]) <= len(environment.unwrapped.game.events) + 1
    assert welcome.data["live"] == "full"
    environment.close()
    with pytest.raises(OSError):
        connect(window.address.replace("http", "ws"), open_timeout=2)


def test_a_window_that_is_closed_before_its_thread_runs_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closing, serve = threading.Event(), Window._serve

    def serve_late(window: Window) -> None:
        closing.wait(PATIENCE)
        serve(window)

    monkeypatch.setattr(Window, "_serve", serve_late)
    window = Window()
    join = window._thread.join
    monkeypatch.setattr(window._thread, "join", lambda: (closing.set(), join(PATIENCE)))
    window.close()
    assert not window._thread.is_alive()


def test_aec_and_vector_environments_show_theirs() -> None:
    aec = catan_env.env(seats=3, render_mode="human")
    aec.reset(seed=1)
    aec.step(60)
    assert len(joined(window_of(aec).address)[1].data["steps"]) == 1
    aec.close()
    several = gymnasium.make_vec("catan_env:Catan-v0", num_envs=2, render_mode="human")
    several.reset(seed=1)
    several.render()
    line, welcome = joined(window_of(several).address)
    assert len(welcome.data["steps"]) == 1
    several.step(np.array([np.flatnonzero(mask)[0] for mask in several.unwrapped.action_masks()]))
    several.render()
    (step,) = steps_of(line, 1)
    assert step.number == 1 and sum(map(len, step.step["settlements"])) >= 1
    several.close()
