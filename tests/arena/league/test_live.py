"""Networked games can be watched during play; afterwards the ledger removes their live state."""

import asyncio
import re
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from catan_env import Game
from catan_env.net.room import Close, Send
from catan_env.notation.drawn import first_undrawn
from catan_env.policy import load_policy
from catan_env.web.messages import Over, Refused, Sit, Step, Welcome
from tests.arena.league.places import league

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.league import League, RunSettings
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.live import ProgressReporter, Snapshot
from catan_env.arena.league.live_games import hide, show, shown
from catan_env.arena.league.meeting import Meeting
from catan_env.arena.league.moves import MovesError, Packer, Unpacker, squeezed, unpack
from catan_env.arena.league.result import Result
from catan_env.arena.league.workers import News, Processes
from catan_env.web.league import Site
from catan_env.web.league_live import LiveTables
from catan_env.web.league_page import live_html

BINARY = (
    *("--seats", "2", "--protocol", "binary", "--memory", "1024", "--max-turns", "200"),
    *("--seed", "0"),
)
MEETING = Meeting((1, 2), 0)


def play(game: Game, decisions: int) -> None:
    policies = [load_policy("random", seat) for seat in range(game.seats)]
    for _ in range(decisions):
        game.play(policies[game.seat].act(game.view(game.seat)))


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch) -> Ledger:
    """A league of two whose meetings give the same game over TCP and in this process."""
    monkeypatch.setattr("catan_env.arena.league.live_games.FORGOTTEN", 1e6)  # on any machine
    return Ledger(league(tmp_path, "a=builder", "b=builder", table=BINARY))


def test_a_game_in_progress_is_followed_choice_by_choice(ledger):
    table = League(ledger).settings
    game, packer = table.new_game(MEETING), Packer(table.new_game(MEETING))
    follower = Unpacker(table.new_game(MEETING))
    for _ in range(12):
        play(game, 7)
        assert follower.follow(packer.pack(game)).state_bytes() == game.state_bytes()
    with pytest.raises(MovesError, match="it began differently"):
        follower.follow(Packer(table.new_game(MEETING)).pack(table.new_game(MEETING)))


def test_a_game_with_a_secret_is_followed_without_it(ledger):
    table, secret = League(ledger).settings, bytes(range(32))
    game = table.new_game(MEETING, secret)
    packer, follower = Packer(table.new_game(MEETING)), Unpacker(table.new_game(MEETING))
    for _ in range(12):
        play(game, 7)
        moves = packer.pack(game)
        assert follower.follow(moves).state_bytes() == game.state_bytes()
        assert secret not in zlib.decompress(moves)
    begun = table.new_game(MEETING, bytes(32))
    assert first_undrawn(table.new_game(MEETING, secret), game.events) is None
    assert first_undrawn(begun, game.events) is not None


def test_a_game_is_reported_repeatedly_until_its_end(ledger, monkeypatch):
    monkeypatch.setattr("catan_env.arena.league.live.EVERY", 0.0)  # after every turn
    table, reports = League(ledger).settings, []
    played = SimpleNamespace(game=table.new_game(MEETING))
    reporter = ProgressReporter(MEETING, table.new_game(MEETING), reports.append)

    async def watch() -> None:
        reporter.begin(1, table.new_game(MEETING), ["b", "a"], played)
        for k in range(1, 5):
            play(played.game, 9)
            await asyncio.sleep(0)
            assert len(reports) == k and reports[-1][:2] == (MEETING, ("b", "a"))
            at = unpack(reports[-1].moves, table.new_game(MEETING))
            assert at.state_bytes() == played.game.state_bytes()
        reporter.end(1)
        for _ in range(3):
            await asyncio.sleep(0)
        assert len(reports) == 4

    asyncio.run(watch())


def part_of(result: Result, share: float) -> Snapshot:
    """A game after a fraction of its events."""
    words = np.frombuffer(zlib.decompress(result.moves), "<u2")
    return Snapshot(result.meeting, ("a", "b"), squeezed(words[: int(share * len(words))]))


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> list[Result]:
    """The results of the first two meetings of such a league."""
    place = league(tmp_path_factory.mktemp("elsewhere"), "a=builder", "b=builder", table=BINARY)
    return sorted(League(Ledger(place)).run(2), key=lambda result: result.meeting.number)


class Looker:
    """A spectator at a table that a page lists."""

    def __init__(self, live: LiveTables, address: str, line: int = 1) -> None:
        self.heard: list[Any] = []
        self.room, self.line = live.room, line
        self.room.opened(line, 0.0)
        self._take(self.room.received(line, Sit(address.partition("#")[2]), 0.0))

    def wait(self, now: float) -> None:
        self._take(self.room.time(now))

    @property
    def frame(self) -> dict[str, Any]:
        """The state of the game on the page."""
        steps = [message.step for message in self.heard if isinstance(message, Step)]
        frame: dict[str, Any] = {}
        for step in (*self.heard[0].data["steps"], *steps):
            frame |= step
        return frame

    def _take(self, effects: list[Any]) -> None:
        for effect in effects:
            if effect.line == self.line:
                self.heard.append(effect.message if isinstance(effect, Send) else effect)


def address_on(site: Site) -> str:
    site._looked_at = float("-inf")
    found = re.search(r'<a href="(/table#[^"]+)">a, b</a>', site["/"].body.decode())
    assert found is not None
    return found[1]


def test_a_game_is_listed_watched_and_replayed_at_its_end(ledger, results):
    result = results[0]
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


def test_spectators_see_the_points_of_each_seat_and_no_hidden_cards(ledger, results):
    live, table = LiveTables(ledger), League(ledger).settings
    looker = None
    for k, share in enumerate((0.4, 0.7, 0.95)):
        snapshot = part_of(results[0], share)
        show(ledger, snapshot)
        live.look()
        looker = looker or Looker(live, live.listed()[0][0])
        looker.wait(float(k + 1))
        game = unpack(snapshot.moves, table.new_game(MEETING))
        assert looker.frame["points"] == [game.points(seat, hidden=False) for seat in range(2)]
        assert looker.frame["sizes"] == [game.hand_size(seat) for seat in range(2)]
        assert looker.frame["hands"] == looker.frame["cards"] == [None, None]
    assert len(set(looker.frame["points"])) == 2, "a game that would show which seat is which"
    assert looker.heard[0].data["players"] == ["a", "b"]


def test_every_game_has_its_own_table_players_and_end(ledger, results):
    live, table = LiveTables(ledger), League(ledger).settings
    for result, names in zip(results, (("a", "b"), ("b", "a")), strict=True):
        show(ledger, part_of(result, 0.5)._replace(names=names))
    live.look()
    (first, said), (second, said_too) = live.listed()
    assert (said, said_too) == ("a, b", "b, a")
    lookers = [Looker(live, first, 1), Looker(live, second, 2)]
    for result in reversed(results):  # the second meeting becomes game 1
        ledger.keep([result])
    hide(ledger, [result.meeting for result in results])
    live.look()
    effects = live.room.time(1.0)
    for looker, result, number in zip(lookers, results, (2, 1), strict=True):
        looker._take(effects)
        assert looker.heard[-1] == Over(f"/game/{number}.html", f"/game/{number}.sgn.json")
        end = unpack(result.moves, table.new_game(result.meeting))
        assert looker.frame["turn"] == end.turn
        assert looker.frame["settlements"] == [end.settlements(seat) for seat in range(2)]


def test_a_table_stays_after_the_end_for_its_spectators(ledger, results):
    live = LiveTables(ledger)
    show(ledger, part_of(results[0], 0.9))
    live.look()
    address = live.listed()[0][0]
    looker = Looker(live, address)
    said: list[Any] = []
    live.room.carry_out = said.extend
    ledger.keep(results[:1])
    hide(ledger, [MEETING])
    live.look()
    looker.wait(1.0)
    live.look()
    assert Looker(live, address, 2).heard[-1] == looker.heard[-1]
    assert isinstance(looker.heard[-1], Over) and not said
    for line in (1, 2):
        live.room.closed(line, "the tab is closed", 2.0)
    live.look()
    assert isinstance(Looker(live, address, 3).heard[0], Refused)


def test_tables_update_automatically_while_pages_are_served(ledger, results, monkeypatch):
    monkeypatch.setattr("catan_env.web.league_live.EVERY", 0.0)  # after every turn
    live = LiveTables(ledger)

    async def serve() -> None:
        looking = asyncio.create_task(live.keep_looking())
        show(ledger, part_of(results[0], 0.2))
        await asyncio.sleep(0)
        looker = Looker(live, live.listed()[0][0])
        for k, share in enumerate((0.5, 0.8)):
            before = looker.frame["turn"]
            show(ledger, part_of(results[0], share))
            await asyncio.sleep(0)
            looker.wait(float(k + 1))
            assert looker.frame["turn"] > before
        looking.cancel()

    asyncio.run(serve())


def test_a_page_lists_games_in_progress_even_without_spectators(ledger):
    live = LiveTables(ledger)
    show(ledger, Snapshot(MEETING, ("a", "b"), squeezed(np.array([], np.uint16))))
    assert [names for _, names in live.listed()] == ["a, b"]


def test_players_names_are_escaped_in_the_pages_text():
    shown = live_html([("/table#secret", "<script>x</script>, b")])
    assert "<script>" not in shown and "&lt;script&gt;x&lt;/script&gt;, b" in shown


@pytest.mark.parametrize("then", ["restarts", "is lost"])
def test_an_abandoned_game_is_no_longer_a_table(then, ledger, results):
    result = results[0]
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


def test_a_game_without_updates_counts_as_abandoned(ledger, monkeypatch):
    show(ledger, Snapshot(MEETING, ("a", "b"), b""))
    assert [snapshot.meeting for snapshot in shown(ledger)] == [MEETING]
    with monkeypatch.context() as later:
        later.setattr("catan_env.arena.league.live_games.FORGOTTEN", -1.0)
        assert not shown(ledger)
        hide(ledger, [])
    assert not shown(ledger)


@pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")
def test_a_league_reports_a_game_in_progress_until_it_is_stored(ledger):
    seen = []
    for _ in League(ledger).run(1, RunSettings(over_tcp=True), Noting(ledger, seen)):
        pass
    title = {entrant.id: entrant.title for entrant in ledger.entrants()}
    assert {(snapshot.meeting, snapshot.names) for snapshot in seen} == {
        (game.meeting, tuple(title[entrant] for entrant in game.seats)) for game in ledger.games()
    }
    assert not shown(ledger) and ledger.count() == 1


class Noting(Processes):
    """A worker process, and the ledger's state after each of its messages."""

    def __init__(self, ledger: Ledger, seen: list[Snapshot]) -> None:
        super().__init__(1)
        self._ledger, self._seen = ledger, seen

    def poll(self, timeout: float | None = None) -> Iterator[News]:
        for news in super().poll(timeout):
            yield news
            self._seen += shown(self._ledger)
