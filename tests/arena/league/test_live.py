"""Games over a protocol are watched while they are played; the ledger forgets it afterwards."""

import re
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catan_env import Game
from catan_env.net.room import Close, Send
from catan_env.policy import load_policy
from catan_env.web.messages import Over, Sit, Step, Welcome
from tests.arena.league.places import league

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.league import League, Run
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.live import Glimpse
from catan_env.arena.league.live_games import hide, show, shown
from catan_env.arena.league.meeting import Meeting
from catan_env.arena.league.moves import MovesError, Packer, Unpacker, squeezed
from catan_env.arena.league.result import Result
from catan_env.arena.league.workers import News, Processes
from catan_env.web.league import Site
from catan_env.web.league_live import LiveTables

BINARY = ("--seats", "2", "--protocol", "binary", "--memory", "1024", "--max-turns", "200")
MEETING = Meeting((1, 2), 0)


def play(game: Game, decisions: int) -> None:
    policies = [load_policy("random", seat) for seat in range(game.seats)]
    for _ in range(decisions):
        game.play(policies[game.seat].act(game.view(game.seat)))


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A league of two whose meetings are the same game over TCP and in this process."""
    return Ledger(league(tmp_path, "a=builder", "b=builder", table=BINARY))


def test_a_game_that_goes_on_is_followed_choice_by_choice(ledger):
    table = League(ledger).table
    game, packer = table.new_game(MEETING), Packer(table.new_game(MEETING))
    follower = Unpacker(table.new_game(MEETING))
    for _ in range(12):
        play(game, 7)
        assert follower.follow(packer.pack(game)).state_bytes() == game.state_bytes()
    with pytest.raises(MovesError, match="it began otherwise"):
        follower.follow(Packer(table.new_game(MEETING)).pack(table.new_game(MEETING)))


def part_of(result: Result, share: float) -> Glimpse:
    """A game after so much of it."""
    words = np.frombuffer(zlib.decompress(result.moves), "<u2")
    return Glimpse(result.meeting, ("a", "b"), squeezed(words[: int(share * len(words))]))


class Looker:
    """Somebody at the first table that a page lists."""

    def __init__(self, live: LiveTables, address: str) -> None:
        self.heard: list[Any] = []
        self.room = live.room
        self.room.opened(1, 0.0)
        self._take(self.room.received(1, Sit(address.partition("#")[2]), 0.0))

    def wait(self, now: float) -> None:
        self._take(self.room.time(now))

    def _take(self, effects: list[Any]) -> None:
        for effect in effects:
            self.heard.append(effect.message if isinstance(effect, Send) else effect)


def address_on(site: Site) -> str:
    site._looked_at = float("-inf")
    found = re.search(r'<a href="(/table#[^"]+)">a, b</a>', site["/"].body.decode())
    assert found is not None
    return found[1]


def test_a_game_is_listed_watched_and_replayed_at_its_end(ledger, tmp_path):
    elsewhere = League(Ledger(league(tmp_path / "other", "a=builder", "b=builder", table=BINARY)))
    (result,) = elsewhere.run(1)
    live = LiveTables(ledger)
    site = Site(ledger, live)
    assert "No game over a protocol" in site["/"].body.decode() and site["/table"].body
    show(ledger, part_of(result, 0.3))
    live.look()
    looker = Looker(live, address_on(site))
    assert isinstance(looker.heard[0], Welcome)
    looker.wait(1.0)
    show(ledger, part_of(result, 0.9))
    live.look()
    before = len(looker.heard)
    looker.wait(2.0)
    assert len(looker.heard) > before and isinstance(looker.heard[-1], Step)
    ledger.keep([result])
    hide(ledger, [MEETING])
    live.look()
    looker.wait(3.0)
    assert looker.heard[-1] == Over("/game/1.html", "/game/1.sgn.json")
    assert "Game 1" in site["/game/1.html"].body.decode() and not live.listed()


@pytest.mark.parametrize("then", ["begins anew", "is lost"])
def test_a_game_that_is_not_played_on_is_no_table_any_more(then, ledger, tmp_path):
    elsewhere = League(Ledger(league(tmp_path / "other", "a=builder", "b=builder", table=BINARY)))
    (result,) = elsewhere.run(1)
    live = LiveTables(ledger)
    show(ledger, part_of(result, 0.5))
    live.look()
    looker = Looker(live, live.listed()[0][0])
    said: list[Any] = []
    live.room.carry_out = said.extend
    if then == "is lost":
        hide(ledger, [MEETING])
    else:
        show(ledger, part_of(result, 0.1))
    live.look()
    assert said == [Close(1)] and not live.listed() and looker.heard


def test_what_nobody_speaks_of_any_more_is_not_being_played(ledger, monkeypatch):
    show(ledger, Glimpse(MEETING, ("a", "b"), b""))
    assert [glimpse.meeting for glimpse in shown(ledger)] == [MEETING]
    monkeypatch.setattr("catan_env.arena.league.live_games.FORGOTTEN", -1.0)
    assert not shown(ledger)


@pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")
def test_a_league_says_what_is_being_played_until_it_is_kept(ledger):
    seen = []
    for _ in League(ledger).run(2, Run(over_tcp=True), Noting(ledger, seen)):
        pass
    assert {glimpse.meeting for glimpse in seen} == {MEETING, Meeting((1, 2), 1)}
    assert {glimpse.names for glimpse in seen} == {("a", "b"), ("b", "a")}
    assert not shown(ledger) and ledger.count() == 2


class Noting(Processes):
    """A worker's process, and what the ledger shows after each of its news."""

    def __init__(self, ledger: Ledger, seen: list[Glimpse]) -> None:
        super().__init__(1)
        self._ledger, self._seen = ledger, seen

    def news(self, timeout: float | None = None) -> Iterator[News]:
        for news in super().news(timeout):
            yield news
            self._seen += shown(self._ledger)
