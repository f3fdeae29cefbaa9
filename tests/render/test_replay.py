"""The replay page in a browser: every control works, and the game is shown as it was played."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from catan_env import DevelopmentCard, Game
from catan_env.game.action import ActionKind
from catan_env.game.event import HIDDEN
from catan_env.game.geometry import VERTEX_TILES
from catan_env.notation import Chat, loads, to_sgn
from catan_env.render.replay import replay_data, replay_html
from tests.notation.random_games import random_game
from tests.render.browser import Page, opened

NAMES = ["Ann", "Ben </script><b>", "Cleo", "Dee"]
LONG_SEED = 2
BUTTONS = ("first", "turn-back", "back", "play", "forward", "turn-on", "last")


@pytest.fixture(scope="module")
def game() -> Game:
    return random_game(58, 4, "base")


@pytest.fixture(scope="module")
def file(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    chat = [Chat(0, "A", "Good luck!"), Chat(40, "Cleo", "Mine! <img src=x>")]
    record = loads(to_sgn(game, players=NAMES, chat=chat))
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(replay_html(record, "Four & friends"), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: webdriver.Chrome, file: Path) -> Iterator[Page]:
    yield opened(browser, file)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def shown_pieces(page: Page, kind: str, seat: int) -> list[int]:
    place = "edge" if kind == "road" else "vertex"
    return sorted(
        page.tell(
            f"[...document.querySelectorAll('#pieces use[href=\"#catan-{kind}-{seat}\"]')]"
            f".map((node) => Number(node.dataset.{place}))"
        )
    )


def assert_shows(page: Page, game: Game) -> None:
    """The page's board, hands, cards and points agree with the game."""
    frame = page.tell("replay.frame")
    for seat in range(game.seats):
        assert shown_pieces(page, "road", seat) == sorted(game.roads(seat))
        assert shown_pieces(page, "settlement", seat) == sorted(game.settlements(seat))
        assert shown_pieces(page, "city", seat) == sorted(game.cities(seat))
        box = f'.player[data-seat="{seat}"]'
        hand = tuple(int(n) for n in page.texts(f"{box} .hand .resource"))
        assert hand == game.hand(seat)
        assert page.text(f"{box} .points").split()[0] == str(game.points(seat))
        cards = " ".join(page.texts(f"{box} .card:not(.played)"))
        for card, n in zip(DevelopmentCard, game.cards(seat), strict=True):
            name = card.name.lower().replace("_", " ")
            assert (name in cards) == (n > 0)
        assert tuple(frame["played"][seat]) == game.played(seat)
    robber = page.tell("document.querySelector('[data-robber]').dataset.robber")
    assert int(robber) == game.robber
    bank = tuple(int(n) for n in page.texts("#bank .resource"))
    assert (bank, frame["deck"], frame["turn"]) == (game.bank, game.deck_size, game.turn)
    assert (frame["longest"], frame["army"]) == (game.longest_road_seat, game.largest_army_seat)


def test_the_last_state_is_the_games(page: Page, game: Game) -> None:
    page.click("last")
    assert page.step == page.tell("replay.last")
    assert page.tell("replay.frame.phase") == "OVER"
    assert_shows(page, game)
    assert page.text(f'.player[data-seat="{game.winner}"] .badge') == "winner"
    assert page.texts(".badge.now") == []
    assert f"{NAMES[game.winner or 0]} wins" in page.text("#headline")


def test_every_state_on_the_way_is_the_games(page: Page, game: Game) -> None:
    again = Game(4, game.seed, board=game.board, first_seat=game.first_seat)
    for k, event in enumerate(game.events, 1):
        again = replayed(again, event)
        if k % 97 == 0 or k < 4:
            page.go(k)
            assert_shows(page, again)


def test_no_piece_stays_on_the_way_back(page: Page) -> None:
    standing = "document.querySelectorAll('#pieces [data-piece]').length"
    page.click("last")
    assert page.tell(standing) > 8
    page.go(0)
    assert page.tell(standing) == 0


def replayed(game: Game, event: Any) -> Game:
    kind = event.action.kind.name
    if kind == "TIME_OUT":
        game.time_out()
    elif kind == "LEAVE":
        game.leave(event.seat)
    else:
        game.play(event.action, event.outcome)
    return game


def test_the_buttons_go_to_their_steps(page: Page) -> None:
    last = page.tell("replay.last")
    assert page.step == 0
    assert not page.browser.find_element(By.ID, "back").is_enabled()
    page.click("forward")
    page.click("forward")
    assert page.step == 2
    page.click("back")
    assert page.step == 1
    page.click("turn-on")
    assert page.tell("replay.frame.turn") == 1
    page.click("turn-on")
    first = page.step
    assert page.tell("replay.frame.turn") == 2
    page.click("forward")
    page.click("turn-back")
    assert page.step == first
    page.click("turn-back")
    assert page.tell("replay.frame.turn") == 1
    page.click("last")
    assert page.step == last
    assert not page.browser.find_element(By.ID, "forward").is_enabled()
    page.click("first")
    assert page.step == 0


def test_a_turn_is_jumped_to_by_number(page: Page) -> None:
    field = page.browser.find_element(By.ID, "jump-to")
    for given, turn in (("12", 12), ("0", 0), ("99999", page.tell("replay.turns"))):
        field.clear()
        field.send_keys(given, Keys.ENTER)
        assert page.tell("replay.frame.turn") == turn
    field.clear()
    field.send_keys("7")
    page.browser.find_element(By.CSS_SELECTOR, "#jump button").click()
    assert page.tell("replay.frame.turn") == 7
    assert page.text("#turn").startswith("Turn 7,")


def test_it_is_scrubbed(page: Page) -> None:
    slider = page.browser.find_element(By.ID, "scrub")
    webdriver.ActionChains(page.browser).move_to_element(slider).click().perform()
    assert abs(page.step - page.tell("replay.last") / 2) < page.tell("replay.last") / 50
    before = page.step
    slider.send_keys(Keys.ARROW_RIGHT)
    assert page.step == before + 1


def test_it_plays_pauses_and_stops_at_the_end(page: Page) -> None:
    Select(page.browser.find_element(By.ID, "speed")).select_by_value("30")
    page.click("play")
    page.wait("replay.step >= 3")
    assert page.browser.find_element(By.ID, "play").get_attribute("aria-label") == "Pause"
    page.click("play")
    assert not page.tell("replay.isPlaying")
    stopped = page.step
    page.click("forward")
    assert page.step == stopped + 1
    page.go(page.tell("replay.last") - 2)
    page.click("play")
    page.wait("!replay.isPlaying")
    assert page.step == page.tell("replay.last")
    page.click("play")
    page.wait("replay.isPlaying && replay.step < 100")
    page.click("play")


def test_everything_can_be_done_by_keyboard(page: Page) -> None:
    page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ARROW_LEFT)
    assert page.step == 1
    page.press(Keys.SHIFT, Keys.ARROW_RIGHT)
    page.press(Keys.SHIFT, Keys.ARROW_RIGHT)
    assert page.tell("replay.frame.turn") == 2
    page.press(Keys.SHIFT, Keys.ARROW_LEFT)
    assert page.tell("replay.frame.turn") == 1
    page.press(Keys.END)
    assert page.step == page.tell("replay.last")
    page.press(Keys.HOME)
    assert page.step == 0
    page.press("+")
    assert page.tell("document.getElementById('speed').value") == "5"
    page.press("-")
    page.press("-")
    assert page.tell("document.getElementById('speed').value") == "1"
    page.press("2")
    assert page.tell("replay.sight") == 1
    page.press("0")
    assert page.tell("replay.sight") == -1
    page.press(" ")
    assert page.tell("replay.isPlaying")
    page.press(" ")
    assert not page.tell("replay.isPlaying")


def test_space_presses_the_control_that_has_the_focus(page: Page) -> None:
    def press_space_at(name: str) -> None:
        page.tell(f"document.getElementById('{name}').focus()")
        page.press(" ")

    press_space_at("skip-offers")
    assert page.tell("document.getElementById('skip-offers').checked")
    press_space_at("forward")
    assert page.step == 1 and not page.tell("replay.isPlaying")
    page.tell("document.querySelector('#words summary').focus()")
    page.press(" ")
    assert page.tell("document.getElementById('words').open")
    press_space_at("play")
    assert page.tell("replay.isPlaying")
    press_space_at("scrub")  # which has no use for it
    assert not page.tell("replay.isPlaying")


def test_the_log_describes_events_as_text(page: Page, game: Game) -> None:
    page.go(0)
    assert page.texts("#log li:not([hidden])") == ["Good luck!"]
    page.go(page.tell("replay.last"))
    own = "#log li:not(.head):not(.chat):not(.fold)"
    lines = page.tell(f"[...document.querySelectorAll('{own}')].length")
    assert lines == len(game.events)
    assert "Cleo: Mine! <img src=x>" in page.tell(
        "[...document.querySelectorAll('#log li.chat')].map((node) => node.textContent)"
    )
    page.tell("[...document.querySelectorAll('#log li')].find((n) => n.dataset.step == 9).click()")
    assert page.step == 9
    assert page.text("#log li.here") == page.text("#headline")
    assert re.match(r"(Ann|Ben|Cleo|Dee)\b.* (places|rolls|ends)", page.text("#headline"))


def test_the_curves_mark_the_current_step_and_jump_to_others(page: Page) -> None:
    assert page.texts("#curves figure:not(.summary) figcaption span")[:3] == ["by turn"] * 3
    page.go(page.tell("replay.last"))
    for name in ("points", "hand", "income"):
        curve = page.browser.find_element(By.CSS_SELECTOR, f'[data-curve="{name}"] svg')
        page.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", curve)
        webdriver.ActionChains(page.browser).move_to_element(curve).click().perform()
        assert abs(page.step - page.tell("replay.last") / 2) < page.tell("replay.last") / 10
        assert page.tell(
            f"document.querySelectorAll('[data-curve=\"{name}\"] path').length"
        ) >= len(NAMES)


def test_a_seats_sight_shows_no_card_that_it_did_not_see(page: Page, game: Game) -> None:
    for sight in range(4):
        page.see(sight)
        page.go(page.tell("replay.last"))
        for seat in range(4):
            box = f'.player[data-seat="{seat}"]'
            hand = [int(n) for n in page.texts(f"{box} .hand .resource:not(.unseen)")]
            unseen = sum(int(n.split()[1]) for n in page.texts(f"{box} .unseen"))
            if seat == sight:
                assert (tuple(hand), unseen) == (game.hand(seat), 0)
                assert page.text(f"{box} .points").split()[0] == str(game.points(seat))
            else:
                assert tuple(hand) == game.known(seat)
                assert sum(hand) + unseen == game.hand_size(seat)
                points = page.text(f"{box} .points").split()[0]
                assert points == str(game.points(seat))  # victory points are shown at the end
        for name, event in zip(log_of(page), game.events, strict=True):
            seen = event.redacted(sight, 4)
            if seen.outcome is HIDDEN:
                assert re.search(r"buys a development card$|steals a card", name)
            elif event.action.kind.name == "BUY_DEVELOPMENT_CARD":
                assert re.search(r"buys a development card: \w", name)


def log_of(page: Page) -> list[str]:
    lines: list[str] = page.tell(
        "[...document.querySelectorAll('#log li:not(.head):not(.chat):not(.fold)')]"
        ".map((node) => node.textContent.split(';')[0].split('. ')[0])"
    )
    return lines


def test_the_page_of_a_redacted_record_shows_that_seats_sight_only(
    browser: webdriver.Chrome, game: Game, tmp_path: Path
) -> None:
    file = tmp_path / "seat.html"
    file.write_text(replay_html(loads(to_sgn(game, viewer=2))), encoding="utf-8")
    page = opened(browser, file)
    assert page.texts("#sight option") == ["what Player 3 knew"]
    page.press("0")
    assert page.tell("replay.sight") == 2
    page.go(page.tell("replay.last"))
    assert tuple(page.tell("replay.frame.hands[2]")) == game.hand(2)
    assert page.tell("replay.frame.hands.filter((hand) => hand).length") == 1
    assert browser.get_log("browser") == []


def test_names_are_text_and_nothing_comes_from_elsewhere(page: Page, file: Path) -> None:
    assert page.texts(".name b") == NAMES
    assert page.browser.title == "Four & friends"
    assert page.tell("document.querySelectorAll('img').length") == 0
    assert page.tell("performance.getEntriesByType('resource').length") == 0
    elsewhere = "[src], iframe, object, [href]:not([href^='#'], [href^='data:'])"
    assert page.tell(f'document.querySelectorAll("{elsewhere}").length') == 0
    assert not re.search(r"@import|url\(|fetch\(|XMLHttp", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("width", [320, 390, 860, 1366])
def test_nothing_is_wider_than_the_screen(
    browser: webdriver.Chrome, file: Path, width: int
) -> None:
    page = opened(browser, file, width, 800)
    page.go(page.tell("replay.last"))
    assert page.tell("document.documentElement.scrollWidth") <= width
    for name in BUTTONS:
        box = browser.find_element(By.ID, name).rect
        assert box["width"] >= 36 and box["height"] >= 38
        assert 0 <= box["x"] and box["x"] + box["width"] <= width


COUNT_CHANGES = """
const [from, count] = arguments, changes = [];
const seen = new MutationObserver(() => {});
const all = { subtree: true, childList: true, attributes: true, characterData: true };
seen.observe(document.body, all);
for (let step = from; step < from + count; step++) {
  replay.go(step);
  changes.push(seen.takeRecords().filter(({ target }) => target.id !== "scrub").length);
}
return changes;
"""


def test_the_page_of_a_long_game_is_small_and_a_step_changes_little_of_it(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """A step leaves unaffected elements alone: laying them out and painting them again is slow."""
    game = random_game(LONG_SEED, 4, "base")
    assert game.turn >= 400
    text = replay_html(game)
    assert len(text.encode()) < 1_000_000
    file = tmp_path / "long.html"
    file.write_text(text, encoding="utf-8")
    page = opened(browser, file)
    page.go(len(game.events) // 2)
    changes = browser.execute_script(COUNT_CHANGES, page.step + 1, 60)
    assert 0 < median(changes) < 30 and max(changes) < 100


def test_unchanged_values_are_sent_once(game: Game) -> None:
    steps = replay_data(loads(game.to_sgn()))["steps"]
    assert len(steps) == len(game.events) + 1
    assert set(steps[0]) > {"hands", "roads", "bank"}
    for before, after in pairwise(steps):
        for key in set(before) & set(after) - {"log", "dice"}:
            assert before[key] != after[key]


def expected_cards(table: Game, seat: int) -> float:
    """The cards that a roll brings the seat on average."""
    total = 0.0
    for vertices, times in ((table.settlements(seat), 1), (table.cities(seat), 2)):
        for vertex in vertices:
            for tile in VERTEX_TILES[vertex]:
                token = table.board.tiles[tile].token
                if token and tile != table.robber:
                    total += times * (6 - abs(7 - token)) / 36
    return total


def test_the_summary_gives_each_seats_luck_with_the_dice(page: Page, game: Game) -> None:
    lucky = [0.0] * game.seats
    table: Any = None
    for events, position in loads(to_sgn(game)).replay():
        if table is not None and events[0].action.kind == ActionKind.ROLL:
            for seat in range(game.seats):
                gained = sum(position.known(seat)) - sum(table.known(seat))
                lucky[seat] += max(gained, 0) - expected_cards(table, seat)
        table = position.copy()
    shown = page.tell(
        "[...document.querySelectorAll('.summary tbody tr')].map((row) => Number(row.dataset.luck))"
    )
    assert shown == pytest.approx(lucky)
    page.tell("document.querySelector('.summary p button').click()")
    assert 0 < page.step < page.tell("replay.last")
    winner = game.winner
    assert winner is not None and NAMES[winner] in page.text(".summary p")


def test_the_turning_point_is_the_same_whatever_cards_are_shown(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """In this game the winner led by a hidden victory point long before the end."""
    path = tmp_path / "game.html"
    path.write_text(replay_html(loads(to_sgn(random_game(1, 2, "duel")))), "utf-8")
    page = opened(browser, path)
    for sight in (-1, 0, 1):
        page.see(sight)
        page.tell("document.querySelector('.summary p button').click()")
        assert page.step == 225


def test_the_picture_to_share_shows_the_board_and_the_result(page: Page) -> None:
    script = (
        "const done = arguments[0]; replay.drawCard().then((canvas) => {"
        " const pen = canvas.getContext('2d');"
        " const colours = (x, y, w, h) => new Set(new Uint32Array("
        "   pen.getImageData(x, y, w, h).data.buffer)).size;"
        " const [board, text] = [colours(20, 27, 640, 576), colours(690, 60, 400, 120)];"
        " done([canvas.width, canvas.height, board, text]);"
        "})"
    )
    width, height, board, text = page.browser.execute_async_script(script)
    assert (width, height) == (1200, 630) and board > 200 and text > 10


def test_the_address_of_a_replay_is_of_the_step_at_which_it_is_paused(page: Page) -> None:
    page.go(10)
    page.wait("location.hash === '#step=10'")
    page.click("play")
    page.wait("replay.step > 10")
    page.click("play")
    page.wait(f"location.hash === '#step={page.step}'")


def test_another_address_shows_its_step(page: Page) -> None:
    page.tell("location.hash = '#step=7'")
    page.wait("replay.step === 7")
