"""Every key and control of the replay page, in records of every preset, without an error."""

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from catan_env.game.game import Game
from catan_env.notation import loads, to_sgn
from catan_env.render.replay import replay_data, replay_html
from tests.notation.random_games import TABLES, random_game
from tests.render.browser import opened

ARROWS = (Keys.ARROW_LEFT, Keys.ARROW_RIGHT)
WALK = """(() => {
  const parts = ["now", "players", "bank", "pieces"].map((id) => document.getElementById(id));
  const none = /.{0,60}(NaN|undefined).{0,60}/;
  const holds = (text, k) => (none.test(text) ? [[k, none.exec(text)[0]]] : []);
  const found = [];
  for (let k = 0; k <= replay.last; k++) {
    replay.go(k);
    if (replay.step !== k) found.push([k, "is not reached"]);
    found.push(...parts.flatMap((part) => holds(part.outerHTML, k)));
  }
  for (const id of ["log", "curves", "controls"])
    found.push(...holds(document.getElementById(id).outerHTML, id));
  return found;
})()"""
"""Go through all steps and report values that are not numbers, in text or drawing."""


OFTEN = {(2, "duel"), (4, "tournament")}


@pytest.mark.parametrize(
    ("seats", "rules"),
    [pytest.param(*at, marks=() if at in OFTEN else pytest.mark.nightly) for at in TABLES],
    ids=str,
)
def test_every_key_and_control_works_from_the_first_step_to_the_last(
    browser: webdriver.Chrome, tmp_path: Path, seats: int, rules: str
) -> None:
    path = tmp_path / "game.html"
    path.write_text(replay_html(loads(to_sgn(random_game(3, seats, rules, 150)))), "utf-8")
    page = opened(browser, path)
    last = page.tell("replay.last")
    for turn in (0, 1):  # at the start, where going back a turn has no effect
        page.tell(f"replay.goTurn({turn})")
        page.press(Keys.SHIFT, Keys.ARROW_LEFT)
        assert page.step == 0
    page.press(Keys.SHIFT, Keys.ARROW_RIGHT * (page.tell("replay.turns") + 2))
    assert page.step == last
    page.tell("document.addEventListener('moved', () => (window.seen ??= []).push(replay.step))")
    page.press("".join((*ARROWS, *"+=-01234", " ", " ", Keys.HOME, *ARROWS, Keys.END)))
    seen = page.tell("seen")
    assert len(seen) > 9 and 0 <= min(seen) <= max(seen) <= last
    for name in ("first", "forward", "turn-on", "turn-back", "back", "forward", "last"):
        button = page.browser.find_element(By.ID, name)
        if button.is_enabled():
            button.click()
    for option in range(len(Select(page.browser.find_element(By.ID, "sight")).options)):
        Select(page.browser.find_element(By.ID, "sight")).select_by_index(option)
    assert page.tell(WALK) == []
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_pieces_that_the_table_placed_come_one_by_one() -> None:
    game = Game(4, seed=6, rules="tournament")
    steps = replay_data(loads(game.to_sgn()))["steps"]
    assert len(steps) == len(game.events) + 1
    frame: dict[str, list[list[int]]] = {}
    placed = []
    for step in steps:
        frame = {**frame, **step}
        placed.append(sum(map(len, frame["settlements"])) + sum(map(len, frame["roads"])))
    assert placed == list(range(len(game.events) + 1))
    assert [tuple(on) for on in frame["roads"]] == [game.roads(seat) for seat in range(4)]
    assert [tuple(hand) for hand in frame["hands"]] == [game.hand(seat) for seat in range(4)]


@pytest.mark.parametrize("width", [390, 860, 1366])
def test_a_name_of_seventy_letters_leaves_the_headline_its_place(
    browser: webdriver.Chrome, tmp_path: Path, width: int
) -> None:
    path = tmp_path / "game.html"
    players = ["A" * 70, "Bo", "W" * 70]
    path.write_text(replay_html(loads(to_sgn(random_game(3, 3, "base", 40), players=players))))
    page = opened(browser, path, width)
    for step in (0, page.tell("replay.last")):
        page.go(step)
        whole, headline = (
            page.tell(f"document.getElementById('{name}').clientWidth")
            for name in ("now", "headline")
        )
        assert headline >= whole / 2
        assert page.tell("document.getElementById('headline').clientHeight") < 150
        assert page.tell("document.documentElement.scrollWidth") <= width
