"""The page of a game: its frames, the room of a server's spectators, and the page in a browser."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from selenium.webdriver.support.ui import Select, WebDriverWait
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.contest import play_one
from catan_env.guests.renaissance.native.state import ACTIVE, LOST, OPEN, WON
from catan_env.guests.renaissance.policies import Greedy
from catan_env.guests.renaissance.watch.frames import UNKNOWN, Film, Frame, facts
from catan_env.guests.renaissance.watch.replay import replay_html
from catan_env.guests.renaissance.watch.room import (
    LOOK_EVERY,
    LOOK_SELDOM,
    MOST_ENDED,
    Games,
    Listed,
    News,
    Shown,
    Watch,
    WatchRoom,
)
from catan_env.guests.renaissance.watch.serve import serve_watchers
from catan_env.net.room import Close, Garbled, Send
from catan_env.net.serve import listen
from tests.guests.renaissance.in_memory import House

NAMES = ["ann", "bob", "cid", "dan"]


def film_of(game: Game, is_full: bool = True) -> Film:
    film = Film(game, NAMES[: game.seats], is_full)
    film.follow(game.record()["marks"])
    return film


def together(frames: list[Frame]) -> list[Frame]:
    """The whole positions that the frames' changes give."""
    whole: list[Frame] = [{}]
    for frame in frames:
        whole.append({**whole[-1], **frame})
    return whole[1:]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("is_full", [True, False])
def test_frames_are_the_positions_after_each_command(seats: int, is_full: bool) -> None:
    game = play_one(["random"] * seats, 1, seats)[1]
    film = film_of(game, is_full)
    replayed, expected = Game(seats, game.seed), []
    for event in game.events:
        replayed.play_command(event.command)
        expected.append(facts(replayed, is_full))
    shown = [{k: v for k, v in one.items() if k != "text"} for one in together(film.frames)]
    assert shown[1:] == expected and film.game == game
    json.dumps(film.frames)  # plain numbers only


def test_a_film_continues_where_it_stopped() -> None:
    game = play_one(["greedy", "random"], 0, 1)[1]
    marks, film = game.record()["marks"], Film(game, NAMES[:2])
    for count in range(0, len(marks) + 1, 3):
        film.follow(marks[:count])
    film.follow(marks)
    assert film.frames == film_of(game).frames


@pytest.mark.parametrize("seats", [2, 4])
def test_spectators_see_what_every_player_may_know(seats: int) -> None:
    """Leaders in hand are unknown, and so are goods until the set-up is done."""
    game = play_one(["random"] * seats, 2, seats)[1]
    for frame in together(film_of(game, is_full=False).frames):
        hands = [one for own in frame["leaders"] for one in own]
        assert all(leader == UNKNOWN for leader, how in hands if how != ACTIVE)
        if frame["round"] == 0:
            assert not any(count for own in frame["shelves"] for _, count in own)


def test_seats_that_leave_and_return_are_told_apart() -> None:
    game = Game(2, seed=4)
    game.go_away(1)
    game.play(0)
    game.come_back(1)
    texts = [frame["text"] for frame in film_of(game).frames]
    assert texts[1:] == ["bob leaves.", "ann keeps two leaders.", "bob returns."]


def test_commands_and_their_consequences_are_sentences() -> None:
    """A game of greedy with itself, read and compared with its positions by a person."""
    game = play_one(["greedy", "greedy"], 1, 5)[1]
    texts = [frame["text"] for frame in film_of(game).frames]
    assert texts[:10] == [
        "The game begins.",
        "ann keeps two leaders.",
        "bob keeps two leaders.",
        "bob chooses the starting goods.",
        "ann takes column 2 of the market: 1 coin, 1 stone and 1 shield.",
        "ann ends the turn.",
        "bob takes row 1 of the market: 1 stone, 1 shield and 1 faith.",
        "bob discards a leader for 1 faith.",
        "bob ends the turn.",
        "ann buys the yellow card of level 1 (2 points) into slot 1 "
        "for 1 coin, 1 stone and 1 shield.",
    ]
    assert texts[-2:] == [
        "bob produces with slot 1 and slot 2: 1 stone and 1 servant for 3 faith. "
        "Report 3: the tile goes to bob. The last round begins.",
        "bob ends the turn. bob wins with 39 points.",
    ]


def test_lorenzos_tokens_are_sentences() -> None:
    texts = [frame["text"] for frame in film_of(play_one(["greedy"], 2, 6)[1]).frames]
    assert texts[3] == "ann ends the turn. Lorenzo discards two yellow cards."
    assert texts[5] == "ann ends the turn. Lorenzo moves two spaces."
    assert texts[15] == "ann ends the turn. Lorenzo moves one space and shuffles the tokens."
    assert texts[-1].endswith("Lorenzo wins.")


class Table:
    """A game as a server has it."""

    def __init__(self, number: int, seats: int = 2) -> None:
        self.number, self.game, self.names = number, Game(seats, seed=number), NAMES[:seats]


def test_a_spectator_gets_the_list_then_a_game_then_its_news() -> None:
    first, second = Table(1), Table(2)
    playing = [first]
    room = WatchRoom(lambda: playing)
    assert room.opened(7, 0.0) == [Send(7, Games([Listed(1, ["ann", "bob"], False)]))]
    playing.append(second)
    listed = [Listed(2, ["ann", "bob"], False), Listed(1, ["ann", "bob"], False)]
    assert room.time(0.0) == [Send(7, Games(listed))] and room.deadline == LOOK_EVERY
    first.game.play(0)
    (shown,) = room.received(7, Watch(1), 0.1)
    assert isinstance(shown, Send) and isinstance(shown.message, Shown)
    assert len(shown.message.frames) == 2 and room.time(0.2) == []
    first.game.play(0)
    (news,) = room.time(0.3)
    assert isinstance(news, Send) and isinstance(news.message, News)
    assert [frame["text"] for frame in news.message.frames] == ["bob keeps two leaders."]
    second.game.play(0)
    assert room.time(0.4) == [], "of another game"
    room.closed(7, "gone", 0.5)
    assert room.time(0.6) == [] and room.deadline == 0.6 + LOOK_SELDOM


def test_a_game_without_spectators_can_be_watched_after_its_end() -> None:
    playing = [Table(1)]
    room = WatchRoom(lambda: playing)
    assert room.deadline == 0.0 and room.time(5.0) == []
    playing = []
    room.time(6.0)
    assert room.opened(7, 6.5) == [Send(7, Games([Listed(1, ["ann", "bob"], True)]))]


def test_a_second_spectator_does_not_take_the_first_ones_news() -> None:
    table = Table(1)
    room = WatchRoom(lambda: [table])
    for line in (1, 2):
        room.opened(line, 0.0)
    room.received(1, Watch(1), 0.0)
    table.game.play(0)
    news, shown = room.received(2, Watch(1), 0.1)
    assert isinstance(news, Send) and (news.line, type(news.message)) == (1, News)
    assert isinstance(shown, Send) and (shown.line, type(shown.message)) == (2, Shown)
    assert room.time(0.2) == []


def test_ended_games_can_still_be_watched_for_a_while() -> None:
    playing = [Table(number, 1) for number in range(MOST_ENDED + 5)]
    room = WatchRoom(lambda: playing)
    room.opened(1, 0.0)
    room.received(1, Watch(0), 0.0)
    while not playing[0].game.is_over:
        playing[0].game.play(int(playing[0].game.action_mask.argmax()))
    playing = []
    listed, news = (one.message for one in room.time(0.1) if isinstance(one, Send))
    assert len(listed.games) == MOST_ENDED + 1, "the latest, and the one that is watched"
    assert all(game.is_over for game in listed.games) and news.frames[-1]["winner"] is not None
    (shown,) = room.received(1, Watch(9), 0.2)
    assert isinstance(shown, Send) and shown.message.number == 9


def test_unreadable_input_closes_the_line_and_an_unknown_game_gives_the_list() -> None:
    room = WatchRoom(lambda: [Table(1)])
    room.opened(3, 0.0)
    assert room.received(3, Watch(99), 0.0) == [Send(3, Games([Listed(1, ["ann", "bob"], False)]))]
    assert room.received(3, Garbled("no JSON"), 0.0) == [Close(3)]
    assert room.time(0.1) == []


def test_a_whole_game_at_a_server_is_watched() -> None:
    house = House(2)
    room = WatchRoom(lambda: house.room.tables)
    for k in range(2):
        house.connect(Agent(NAMES[k], Greedy(), 2))
    room.opened(1, 0.0)
    frames: list[Frame] = []
    while house.step():
        for effect in room.time(0.0):
            assert isinstance(effect, Send)
            if isinstance(effect.message, News):
                frames += effect.message.frames
            elif effect.message.games and not frames:
                (shown,) = room.received(1, Watch(effect.message.games[0].number), 0.0)
                assert isinstance(shown, Send)
                frames += shown.message.frames
    assert together(frames)[-1]["winner"] in (0, 1)
    assert any("wins with" in frame["text"] for frame in frames)


def test_the_page_and_its_connection_are_served() -> None:
    table = Table(5)

    async def visit() -> tuple[str, list[Any]]:
        with listen("127.0.0.1", 0) as listener:
            port = listener.getsockname()[1]
            serving = asyncio.ensure_future(serve_watchers(lambda: [table], listener))
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            page = (await reader.read()).decode()
            writer.close()
            async with connect(f"ws://127.0.0.1:{port}/") as socket:
                heard = [msgspec.json.decode(await socket.recv())]
                await socket.send('{"type":"watch","number":5}')
                heard.append(msgspec.json.decode(await socket.recv()))
                table.game.play(0)
                heard.append(msgspec.json.decode(await socket.recv()))
            with pytest.raises(InvalidStatus):
                await connect(f"ws://127.0.0.1:{port}/", origin="http://evil.example")  # type: ignore[arg-type]
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
        return page, heard

    page, heard = asyncio.run(visit())
    assert page.startswith("HTTP/1.1 200") and '{"live":true}' in page
    assert [one["type"] for one in heard] == ["games", "game", "frames"]


def test_names_cannot_end_the_script_of_a_page() -> None:
    page = replay_html(Game(2, seed=1), ["</script><b>", "bob"])
    assert "</script><b>" not in page and "&lt;/script&gt;" in page


@contextmanager
def served(tables: list[Table], port: int = 0) -> Iterator[str]:
    """The page of these games, served in a thread during the block; yields its address."""
    loop = asyncio.new_event_loop()
    with listen("127.0.0.1", port) as listener:
        serving = loop.create_task(serve_watchers(lambda: tables, listener))
        thread = threading.Thread(target=lambda: loop.run_until_complete(asyncio.wait([serving])))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            loop.call_soon_threadsafe(serving.cancel)
            thread.join()
            loop.close()


def wait_for(browser: Any, text: str) -> None:
    """Wait until the headline is that text."""
    wait(browser, f"document.getElementById('headline').textContent === '{text}'")


def wait(browser: Any, expression: str) -> None:
    WebDriverWait(browser, 90, 0.05).until(lambda _: browser.execute_script(f"return {expression}"))


def other_table() -> Table:
    table = Table(2, 3)
    table.names = ["cid", "dan", "eve"]
    table.game.play(3)
    return table


def choose_game(browser: Any, number: int) -> None:
    wait(browser, "document.querySelectorAll('#games option').length === 2")
    Select(browser.find_element("id", "games")).select_by_value(str(number))


def test_the_page_follows_a_game_and_changes_to_another(browser: Any) -> None:
    tables = [Table(1)]
    with served(tables) as address:
        browser.get(address)
        wait_for(browser, "The game begins.")
        tables[0].game.play(0)
        wait_for(browser, "ann keeps two leaders.")
        tables.append(other_table())
        choose_game(browser, 2)
        wait_for(browser, "cid keeps two leaders.")
        browser.get("about:blank")


def test_a_game_that_is_chosen_without_a_connection_is_shown_once_there_is_one(
    browser: Any,
) -> None:
    tables = [Table(1), other_table()]
    tables[0].game.play(0)
    with served(tables) as address:
        browser.get(address)
        wait_for(browser, "cid keeps two leaders.")
    wait_for(browser, "The server does not answer; trying again.")
    choose_game(browser, 1)
    with served(tables, int(address.strip("/").rpartition(":")[2])):
        wait_for(browser, "ann keeps two leaders.")
        browser.get("about:blank")


def open_replay(browser: Any, folder: Path, seats: int) -> None:
    file = folder / "game.html"
    file.write_text(replay_html(play_one(["greedy"] * seats, 0, 8)[1]), encoding="utf-8")
    browser.get(file.as_uri())


@pytest.mark.parametrize("seats", [1, 4])
def test_the_page_shows_every_step(browser: Any, tmp_path: Path, seats: int) -> None:
    game = play_one(["greedy"] * seats, 0, 8)[1]
    film, file = film_of(game), tmp_path / "game.html"
    file.write_text(replay_html(game, ["<b>ann</b>", *NAMES[1:]][:seats]), encoding="utf-8")
    browser.get(file.as_uri())
    run = browser.execute_script
    assert run("return replay.last") == len(film.frames) - 1
    run("for (let step = 0; step <= replay.last; step++) replay.go(step)")
    assert run("return document.querySelectorAll('.player').length") == seats
    assert run("return document.querySelectorAll('#players b b').length") == 0
    assert run("return document.querySelectorAll('#log li').length") == len(film.frames)
    points = run("return [...document.querySelectorAll('.points')].map((one) => one.textContent)")
    assert [int(text.split()[0]) for text in points] == game.scores()
    run("document.getElementById('turn-back').click()")
    assert run("return replay.step") < len(film.frames) - 1
    assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []


def test_space_presses_the_button_that_has_the_focus(browser: Any, tmp_path: Path) -> None:
    open_replay(browser, tmp_path, seats=2)
    browser.execute_script("replay.go(0)")
    forward = browser.find_element("id", "forward")
    forward.send_keys(" ")
    assert browser.execute_script("return replay.step") == 1
    assert browser.find_element("id", "play").get_attribute("aria-label") != "Pause"


def test_the_arrows_move_a_focused_log_by_a_step(browser: Any, tmp_path: Path) -> None:
    open_replay(browser, tmp_path, seats=2)
    browser.execute_script("replay.go(0)")
    log = browser.find_element("id", "log")
    for keys, step in (("\ue015\ue015", 2), ("\ue013", 1)):  # arrows down, up
        log.send_keys(keys)
        assert browser.execute_script("return replay.step") == step
    assert log.find_element("css selector", ".here").get_attribute("innerText")


def shown(browser: Any, value: str, selector: str) -> Any:
    """The value of an expression for each node of the page."""
    nodes = f"[...document.querySelectorAll('{selector}')]"
    return browser.execute_script(f"return {nodes}.map((node) => {value})")


def test_tiles_that_were_won_and_lost_differ(browser: Any, tmp_path: Path) -> None:
    open_replay(browser, tmp_path, seats=2)
    browser.execute_script("replay.go(replay.last)")
    tiles = browser.execute_script("return replay.frame.tiles.flat()")
    names = {OPEN: ["tile"], WON: ["tile", "won"], LOST: ["tile", "lost"]}
    assert {WON, LOST} <= set(tiles)
    assert shown(browser, "[...node.classList]", ".tile") == [names[how] for how in tiles]


def test_a_seats_sight_shows_no_leader_that_it_did_not_see(browser: Any, tmp_path: Path) -> None:
    open_replay(browser, tmp_path, seats=2)
    browser.execute_script("replay.go(10)")
    leaders = browser.execute_script("return replay.frame.leaders")
    for sight in (-1, 0, 1):
        Select(browser.find_element("id", "sight")).select_by_value(str(sight))
        hidden = [how != ACTIVE and sight not in (-1, k) for k in (0, 1) for _, how in leaders[k]]
        assert shown(browser, "node.textContent.startsWith('leader ')", ".leader") == hidden


def test_a_replay_moves_back_by_a_turn(browser: Any, tmp_path: Path) -> None:
    open_replay(browser, tmp_path, seats=2)
    frames = together(film_of(play_one(["greedy"] * 2, 0, 8)[1]).frames)
    turns = [(frame["on"], frame["round"]) for frame in frames]
    starts = [k for k in range(len(turns)) if k == 0 or turns[k] != turns[k - 1]]
    browser.execute_script(f"replay.go({starts[5]})")
    for start in (starts[4], starts[3]):
        browser.find_element("id", "turn-back").click()
        assert browser.execute_script("return replay.step") == start


def test_the_highest_level_of_cards_is_at_the_top(browser: Any, tmp_path: Path) -> None:
    open_replay(browser, tmp_path, seats=2)
    browser.execute_script("replay.go(0)")
    levels = shown(browser, "Number(node.title.slice(-1))", "#grid .dev")
    assert levels == [3] * 4 + [2] * 4 + [1] * 4


def test_a_spectator_who_looks_back_stays_there_when_the_game_continues(browser: Any) -> None:
    table = Table(1)
    table.game.play(0)
    with served([table]) as address:
        browser.get(address)
        wait_for(browser, "ann keeps two leaders.")
        browser.execute_script("replay.go(0)")
        table.game.play(0)
        wait(browser, "replay.last === 2")
        assert browser.execute_script("return replay.step") == 0
        browser.get("about:blank")


def test_the_address_is_of_the_step_at_which_a_replay_is_paused(
    browser: Any, tmp_path: Path
) -> None:
    open_replay(browser, tmp_path, seats=2)
    browser.execute_script("replay.go(10)")
    wait(browser, "location.hash === '#step=10'")
    play = browser.find_element("id", "play")
    play.click()
    wait(browser, "replay.step > 10")
    play.click()
    step = browser.execute_script("return replay.step")
    wait(browser, f"location.hash === '#step={step}'")


def test_axe_finds_no_serious_fault(browser: Any, tmp_path: Path) -> None:
    from tests.web.test_axe import assert_faultless

    open_replay(browser, tmp_path, seats=3)
    browser.execute_script("replay.go(replay.last - 4)")
    assert_faultless(browser)
