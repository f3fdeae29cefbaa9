"""Copies from a replay page: positions as Python, and the command that plays on from a step."""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from catan_env import Action, Board, Game, Phase
from catan_env.render.replay import Source, replay_html
from tests.notation.random_games import random_game
from tests.render.browser import WITHOUT_CLIPBOARD, Page, opened


@pytest.fixture
def page(browser: webdriver.Chrome, tmp_path: Path) -> Iterator[Page]:
    """The page of a game that is over."""
    yield opened(browser, written(random_game(1, 2, "duel"), tmp_path))
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def written(game: Game, folder: Path, source: Source | None = None) -> Path:
    """The replay page of a game."""
    path = folder / "game.html"
    path.write_text(replay_html(game, source=source), encoding="utf-8")
    return path


def hoarded(cards: int) -> Game:
    """A game in which a seat holds that many cards of a kind, more than the box has."""
    game, rolls = Game(2, 4, "jsettlers"), cycle([(1, 1), (1, 4), (2, 4), (3, 5), (4, 6), (5, 6)])
    while max(map(max, map(game.hand, (0, 1)))) < cards:
        if game.phase == Phase.ROLL:
            game.play(Action.roll(), next(rolls))
        else:
            game.play(next(iter(game.legal_actions)))
    return game


def copied(page: Page, step: int) -> Game:
    """The game that the copied line of Python makes."""
    page.go(step)
    made = eval(page.tell("replay.position()"), {"Game": Game, "Board": Board})
    assert isinstance(made, Game)
    return made


def test_a_copied_position_has_the_seats_that_have_left(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    game = random_game(5, 3, "base", 60)
    goer = next(seat for seat in range(3) if seat != game.turn_seat)
    game.leave(goer)
    page = opened(browser, written(game, tmp_path))
    for step, is_playing in ((-1, False), (-2, True)):
        made = copied(page, page.tell("replay.last") + 1 + step)
        assert [made.is_playing(s) for s in range(3)] == [is_playing or s != goer for s in range(3)]


def test_a_copied_hand_may_hold_more_of_a_kind_than_the_box(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """C227."""
    game = hoarded(22)
    page = opened(browser, written(game, tmp_path))
    made = copied(page, page.tell("replay.last"))
    assert [made.hand(seat) for seat in (0, 1)] == [game.hand(seat) for seat in (0, 1)]


def test_positions_of_a_table_that_places_are_copied_from_the_first_turn_on(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """No seat decides at the steps before, at which the table places."""
    page = opened(browser, written(random_game(3, 3, "tournament", 40), tmp_path))
    button = browser.find_element(By.ID, "copy")
    for step in range(page.tell("replay.last") + 1):
        page.go(step)
        turn = page.tell("replay.frame.turn")
        assert button.is_enabled() == (turn > 0), step
        if turn > 0:
            assert copied(page, step).turn == turn


def test_a_button_that_copies_twice_in_a_row_has_its_label_again(page: Page) -> None:
    label = page.text("#copy")
    shown = page.browser.execute_async_script(
        """
        const [done] = arguments, button = document.getElementById("copy"), timers = [];
        const setTimeout = window.setTimeout;
        window.setTimeout = (timer) => timers.push(timer);
        (async () => {
          await copy("text", button);
          await copy("text", button);
          window.setTimeout = setTimeout;
          const copied = button.textContent;
          timers.forEach((timer) => timer());
          done([copied, button.textContent]);
        })();
        """
    )
    assert shown == ["Copied", label]


def test_the_command_of_a_dialog_is_copied_over_plain_http(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    file = written(random_game(1, 2, "duel"), tmp_path, Source("a game.json"))
    page = opened(browser, file)
    browser.execute_script(WITHOUT_CLIPBOARD)
    page.click("play-on")
    page.click("copy-command")
    page.wait("copied.length === 1")
    assert page.tell("copied") == [page.text("#command")]
    assert page.tell("document.activeElement.id") == "copy-command"


def test_the_command_of_the_dialog_has_the_step_and_the_chosen_seat(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    file = written(random_game(1, 2, "duel"), tmp_path, Source("a game.json"))
    page = opened(browser, file)
    page.go(next(k for k in range(3, 99) if page.tell(f"(replay.go({k}), replay.frame.seat)") == 1))
    page.click("play-on")
    command = f"catan-env table --from a game.json --step {page.step} --seat"
    assert page.text("#command") == f"{command} 1"
    Select(browser.find_element(By.ID, "play-as")).select_by_value("0")
    assert page.text("#command") == f"{command} 0"


def test_the_end_of_a_game_is_no_position_to_copy(page: Page) -> None:
    button, last = page.browser.find_element(By.ID, "copy"), page.tell("replay.last")
    for step in (last, last - 1, last):
        page.go(step)
        assert button.is_enabled() == (step < last)
