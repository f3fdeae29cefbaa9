"""axe-core finds no serious fault in live tables, a judged replay, the lobby and a league."""

from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from catan_env.cli import main
from catan_env.game.game import Game
from catan_env.notation import loads, to_sgn
from catan_env.policy import load_judge
from catan_env.render.judged import judged
from catan_env.render.replay import Source, replay_html
from catan_env.web.advisers import Adviser
from catan_env.web.lobby import SpectatorLobby
from tests.arena.league.places import league
from tests.notation.random_games import random_game
from tests.web.browser import served, served_room
from tests.web.house import House, new_table
from tests.web.positions import in_hand, rich, table_of

AXE = resources.files("axe_playwright_python").joinpath("axe.min.js")
RUN = """
const [given, done] = arguments, options = { resultTypes: ["violations"], ...given };
axe.run(options).then((found) => done(found.violations), (why) => done(`${why}`));
"""
ASK = """
const acts = [...document.querySelectorAll("#acts button")];
acts.find((node) => node.textContent.startsWith("What")).click();
"""


def wait(browser: webdriver.Chrome, expression: str) -> None:
    WebDriverWait(browser, 90, 0.05).until(lambda _: browser.execute_script(f"return {expression}"))


def assert_faultless(browser: webdriver.Chrome) -> None:
    """Check the current page in light mode, and its other colours in dark mode."""
    browser.execute_script(AXE.read_text("utf-8"))
    for scheme, given in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        features = {
            "prefers-color-scheme": scheme,
            "prefers-reduced-motion": "reduce",  # colours are measured after transitions
        }
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": k, "value": v} for k, v in features.items()]},
        )
        found: Any = browser.execute_async_script(RUN, given)
        assert isinstance(found, list), found
        serious = [fault for fault in found if fault["impact"] in ("serious", "critical")]
        assert [as_text(fault) for fault in serious] == []


def as_text(fault: Any) -> str:
    node = fault["nodes"][0]
    return f"{fault['id']} in {node['html'][:200]}: {node['failureSummary']}"


def test_the_table_during_trades_and_offers(browser: webdriver.Chrome) -> None:
    table = table_of(rich(cards=in_hand(3)), adviser=Adviser(load_judge("greedy")))
    with served(table) as address:
        browser.get(f"{address}#ann")
        wait(browser, "document.querySelector('#acts button')")
        browser.execute_script(ASK)
        wait(browser, "document.querySelector('#advice li')")
        assert_faultless(browser)
        browser.get("about:blank")


@pytest.mark.parametrize(
    "phase",
    [
        "discard",
        *(pytest.param(phase, marks=pytest.mark.nightly) for phase in ("setup", "robber", "over")),
    ],
)
def test_the_table_in_other_phases(browser: webdriver.Chrome, phase: str) -> None:
    game = {
        "setup": Game(4, seed=3),
        "robber": rich(phase="robber", roll=7),
        "discard": rich(phase="discard", roll=7),
        "over": random_game(2, 3, "base"),
    }[phase]
    with served(table_of(game, ("greedy",) * (game.seats - 2))) as address:
        browser.get(f"{address}#ann")
        wait(browser, "window.replay && document.querySelector('#players')")
        assert_faultless(browser)
        browser.get("about:blank")


def test_a_judged_replay_and_the_way_to_play_on(browser: webdriver.Chrome, tmp_path: Path) -> None:
    record = loads(to_sgn(random_game(6, 3, "base", 150), players=["Ann", "Ben", "Cleo"]))
    judgement = judged(record, load_judge("greedy"))
    file = tmp_path / "game.html"
    file.write_text(replay_html(record, "A game", judgement, Source("game.sgn.json")), "utf-8")
    browser.get(file.as_uri())
    step = judgement.lessons[0].step
    browser.execute_script(f"replay.go({step}); document.getElementById('words').open = true")
    assert_faultless(browser)
    browser.execute_script("document.getElementById('play-on').click()")
    assert_faultless(browser)


def test_the_lobby(browser: webdriver.Chrome) -> None:
    lobby = SpectatorLobby("best against greedy", ["best", "greedy"])
    game = random_game(1, 2, "duel", 30)
    lobby.begin(1, game, ["best", "greedy"], table_of(game, ()))
    with served_room(lobby.room, lobby.pages) as address:
        browser.get(address)
        wait(browser, "document.querySelector('#tables a') && document.querySelector('tbody tr')")
        assert_faultless(browser)
        browser.get("about:blank")


def test_the_start_page(browser: webdriver.Chrome, tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.play_table(1)
    with served_room(house.room, house.pages) as address:
        browser.get(f"{address}start#me={ann.key}")
        wait(browser, "document.querySelectorAll('#games li').length === 1")
        assert_faultless(browser)
        browser.get("about:blank")


def test_a_league(browser: webdriver.Chrome, tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    place = league(tmp_path, "builder", "random")
    assert main(["league", "run", place, "--games", "8", "--workers", "1"]) == 0
    assert main(["league", "page", place, str(tmp_path / "site")]) == 0
    browser.get((tmp_path / "site" / "index.html").as_uri())
    assert_faultless(browser)
