"""Puzzles from saved games: one clear best move each, on a page that can be solved."""

import re
from pathlib import Path

import pytest
from selenium import webdriver

from catan_env.cli import main
from catan_env.game.game import Game
from catan_env.notation import read, write_game
from catan_env.policy import decide, load_judge, load_policy
from catan_env.web.puzzles import FEWEST, MARGIN, puzzles_in
from tests.web.test_looks import SIZES, assert_tidy, resize
from tests.web.test_page import severe, wait

NAMES = ["Ann", "Ben", "Cleo"]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the record of a game between good players."""
    game, greedy = Game(3, seed=4), load_policy("greedy")
    while not game.is_over and game.turn < 40:
        game.play(decide(greedy, game.view(game.seat)))
    folder = tmp_path_factory.mktemp("games")
    write_game(folder, game, NAMES)
    return folder


def test_the_best_move_of_a_puzzle_is_clearly_better_and_nothing_hidden_is_shown(
    games: Path,
) -> None:
    (file,) = games.glob("*.sgn.json")
    found = list(puzzles_in(read(file), load_judge("greedy"), 0.03))
    assert found
    for puzzle in found:
        assert puzzle.margin >= 0.03 and len(puzzle.moves) >= FEWEST
        assert [odds for _, odds in puzzle.moves] == sorted(dict(puzzle.moves).values())[::-1]
        assert all(puzzle.view.in_mask(index) for index, _ in puzzle.moves)
        assert puzzle.view.viewer == puzzle.view.seat
    assert MARGIN > 0.03


PLACED = """
const faults = [], box = (id) => $(id).getBoundingClientRect();
const [board, choices, players] = ["board", "choices", "players"].map(box);
if (Math.max(choices.right, board.right) < innerWidth - 40) faults.push("room at the right");
if (innerWidth < 700 && choices.top > players.top) faults.push("the question is below the players");
if (board.height > .8 * innerHeight && innerHeight > innerWidth) faults.push("the board fills it");
for (const node of document.querySelectorAll("#advice button"))
  if (getComputedStyle(node).borderStyle !== "solid") faults.push("a move without an edge");
return faults;
"""


def test_the_command_writes_pages_that_can_be_solved(
    games: Path, tmp_path: Path, browser: webdriver.Chrome
) -> None:
    out = tmp_path / "puzzles"
    assert main(["puzzles", str(games), "-o", str(out), "--margin", "3", "--most", "2"]) == 0
    browser.get((out / "index.html").as_uri())
    wait(browser, "window.replay && document.querySelectorAll('#advice button').length > 2")
    for idle in ("controls", "log", "curves", "keys"):  # there is one position, and no game
        assert not browser.find_element("id", idle).is_displayed()
    assert_tidy(browser, "puzzle")
    for width, height in SIZES:
        resize(browser, width, height)
        assert browser.execute_script(PLACED) == [], width
    labels = "[...document.querySelectorAll('#advice button')]"
    best = browser.execute_script("return replay.data.puzzle.moves[0].index")
    wrong = browser.execute_script("return replay.data.puzzle.moves[1].index")
    click = f"{labels}.find((node) => node.dataset.index == arguments[0]).click()"
    browser.execute_script(click, wrong)
    assert browser.find_element("id", "ask").text.startswith("Not the best.")
    assert browser.find_element("id", "solved").text.startswith("0 of ")
    ways = browser.find_elements("css selector", "#advice .answers > *")
    assert [way.text for way in ways] == ["Try again", "Next puzzle"]
    assert "next seat" not in browser.find_element("id", "advice").text
    browser.refresh()
    wait(browser, "window.replay && document.querySelectorAll('#advice button').length > 2")
    browser.execute_script(click, best)
    assert browser.find_element("id", "ask").text.startswith("Right: ")
    assert browser.find_element("id", "solved").text.startswith("1 of ")
    assert severe(browser) == []


def test_the_clearest_puzzles_come_first(games: Path, tmp_path: Path) -> None:
    (file,) = games.glob("*.sgn.json")
    found = list(puzzles_in(read(file), load_judge("greedy"), 0.03))
    clearest = max(found, key=lambda puzzle: puzzle.margin)
    assert clearest is not found[0]
    given = ["puzzles", str(games), "-o", str(tmp_path), "--margin", "3", "--most", "1"]
    assert main(given) == 0
    page = (tmp_path / "index.html").read_text("utf-8")
    index, odds = clearest.moves[0]
    assert re.search(rf'"index": ?{index},.*?"odds": ?{round(odds, 3)}', page)


def test_a_folder_without_records_is_an_error(tmp_path: Path) -> None:
    assert main(["puzzles", str(tmp_path), "-o", str(tmp_path / "out")]) == 2


def test_records_without_a_position_are_named_and_passed_over(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, (good,) = tmp_path / "games", games.glob("*.sgn.json")
    folder.mkdir()
    whole = good.read_text()
    for name, text in (("a", whole[:200]), ("b", "[{}]"), ("d", whole)):
        (folder / f"{name}.sgn.json").write_text(text)
    (folder / "c.sgn.json").mkdir()
    given = ["puzzles", str(folder), "-o", str(tmp_path / "out"), "--margin", "3", "--most", "1"]
    assert main(given) == 0
    said, errors = capsys.readouterr()
    assert said == f"1 puzzle of 1 records: {tmp_path / 'out' / 'index.html'}\n"
    assert errors.splitlines() == [
        f"{folder}/a.sgn.json: the record ends before its first position",
        f"{folder}/b.sgn.json: $[0]: uuid is missing from the message",
        f"{folder}/c.sgn.json: Is a directory",
    ]


def test_a_record_that_does_not_exist_is_an_error(games: Path, tmp_path: Path) -> None:
    given = ["puzzles", str(games), str(tmp_path / "nosuch"), "-o", str(tmp_path / "out")]
    assert main(given) == 2 and not (tmp_path / "out").exists()
