"""Watching games of others: event by event, with a delay if wanted, listed when finished."""

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from catan_env.arena.outcome import outcome_of
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.room import Close, Effect, Send
from catan_env.notation import loads, to_sgn
from catan_env.policy import load_policy
from catan_env.web.calls import Call, Look, Reply
from catan_env.web.lobby import LOBBY, RECENT, SpectatorLobby
from catan_env.web.messages import Over, Sit, Step, Welcome
from catan_env.web.watch import LOOK_EVERY, WatchedTable
from tests.notation.random_games import TABLES, random_game

NAMES = ["Ann", "Ben", "Cleo", "Dee"]


class Elsewhere:
    """A game that is played elsewhere."""

    def __init__(self, seats: int = 3, seed: int = 4) -> None:
        self.game = Game(seats, seed, replace(Rules.base(), points_to_win=5))
        self._policies = [load_policy("random", seat) for seat in range(seats)]

    def play(self, count: int) -> None:
        for _ in range(count):
            if not self.game.is_over:
                view = self.game.view(self.game.seat)
                self.game.play(self._policies[self.game.seat].act(view))


@pytest.mark.parametrize(("seats", "rules"), TABLES, ids=str)
def test_a_watched_game_is_the_game(seats: int, rules: str) -> None:
    game = random_game(3, seats, rules, 200)
    happened: list[Any] = []

    begun = loads(to_sgn(game)).begin()
    assert isinstance(begun, Game)
    table = WatchedTable(begun, NAMES[:seats], lambda: happened)
    for count in range(0, len(game.events), 7):
        happened += game.events[count : count + 7]
        table.look(0.0)
    assert table.game.state_bytes() == game.state_bytes()
    assert table.game.events == game.events


def test_watchers_see_no_hidden_card_unless_everything_is_shown() -> None:
    for is_full in (False, True):
        played = Elsewhere()
        begun = played.game.copy()
        table = WatchedTable(begun, NAMES[:3], lambda p=played: p.game.events, is_full)
        while not played.game.is_over:
            played.play(1)
            table.look(0.0)
            frame = table.sights[None].frame
            if played.game.is_over:
                continue
            for seat in range(3):
                seen = (frame["hands"][seat], frame["cards"][seat])
                own = (played.game.hand(seat), played.game.cards(seat))
                assert seen == (own if is_full else (None, None))
        texts = [line["text"] for step in table.sights[None].written[:-1] for line in step["log"]]
        bought = [text for text in texts if "buys a development card" in text]
        assert bought and all((": " in text) == is_full for text in bought)


def test_watchers_are_behind_by_the_delay() -> None:
    played = Elsewhere()
    table = WatchedTable(played.game.copy(), NAMES[:3], lambda: played.game.events, delay=30.0)
    played.play(5)
    table.look(100.0)
    played.play(5)
    table.look(129.9)
    assert table.game.events == ()
    table.look(130.0)
    assert len(table.game.events) == 5
    table.is_ended = True
    assert not table.is_settled
    table.look(160.0)
    assert len(table.game.events) == 10 and table.is_settled


def test_a_game_that_is_cut_off_is_listed_with_the_turns_up_to_its_limit() -> None:
    lobby = SpectatorLobby("two", ["Ann", "Ben", "Cleo"])
    played = Elsewhere(seed=2)
    lobby.begin(1, played.game, ["Ann", "Ben", "Cleo"], played)
    while played.game.turn <= 4:
        played.play(1)
    lobby.end(1, outcome_of(played.game, 0, (0, 1, 2), 9, max_turns=4))
    for now in range(9):
        lobby.room.time(now * LOOK_EVERY)
    (ended,) = json.loads(lobby.pages[lobby.root + LOBBY].body)["games"]
    assert (ended["winner"], ended["turns"]) == (None, 4)


def test_a_contest_is_listed_watched_and_stored() -> None:
    lobby = SpectatorLobby("two", ["Ann", "Ben", "Cleo"])
    played = Elsewhere(seed=2)

    def listed() -> dict[str, Any]:
        return json.loads(lobby.pages[lobby.root + LOBBY].body)

    assert listed()["tables"] == listed()["games"] == []
    lobby.begin(1, played.game, ["Ann", "Ben", "Ben"], played)
    (shown,) = listed()["tables"]
    secret = shown["link"].removeprefix("/table#")
    room = lobby.room
    room.opened(7, 0.0)
    (welcome,) = room.received(7, Sit(secret), 0.0)
    assert isinstance(welcome, Send) and isinstance(welcome.message, Welcome)
    assert welcome.message.seat is None
    now, heard = 0.0, []
    while not played.game.is_over:
        played.play(9)
        now += LOOK_EVERY
        heard += room.time(now)
    lobby.end(1, outcome_of(played.game, 0, (0, 1, 2), 9))
    for _ in range(3):
        now += LOOK_EVERY
        heard += room.time(now)
    messages = [effect.message for effect in heard if isinstance(effect, Send)]
    assert sum(isinstance(m, Step) for m in messages) == len(played.game.events)
    over = messages[-1]
    assert isinstance(over, Over) and over.replay in lobby.pages and over.record in lobby.pages
    record = Game.from_sgn(lobby.pages[over.record].body.decode())
    assert record == played.game
    (ended,) = listed()["games"]
    assert ended["winner"] == ended["names"][played.game.winner or 0] and listed()["tables"] == []
    best = listed()["standings"][0]
    entrant = lobby.entrants[played.game.winner or 0]
    assert (best["name"], best["wins"], best["games"]) == (entrant, 1, 1)
    room.closed(7, "it left", now)
    asyncio.run(asyncio.wait_for(lobby.wait_for_watchers(), 60))


def test_games_are_listed_by_threads_while_others_end() -> None:
    """A server stores games in threads, which are switched as often as possible here."""
    lobby = SpectatorLobby("two", NAMES[:3])
    played = Elsewhere()
    for number in range(RECENT):
        lobby.begin(number, played.game, NAMES[:3], played)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as threads:
            stored = [threads.submit(partial(s.keep, s.table)) for s in lobby._seatings if s.keep]
            while not all(future.done() for future in stored):
                lobby.end(0)
    finally:
        sys.setswitchinterval(before)
    links = {future.result().replay for future in stored}
    listed = json.loads(lobby.pages[lobby.root + LOBBY].body)
    assert listed["tables"] == [] and len(listed["games"]) == RECENT
    assert {game["replay"] for game in listed["games"]} == links


def test_a_call_that_waits_at_a_table_that_is_removed_is_answered() -> None:
    """Its game was cut off: no step and no end will come."""
    lobby = SpectatorLobby("two", NAMES[:3])
    room, now = lobby.room, 0.0
    answered: list[Effect] = []
    room.carry_out = answered.extend
    for number in range(RECENT + 2):
        played = Elsewhere()
        lobby.begin(number, played.game, NAMES[:3], played)
        if not number:
            (listed,) = json.loads(lobby.pages[lobby.root + LOBBY].body)["tables"]
            secret = listed["link"].removeprefix("/table#")
            room.opened(7, now)
            assert room.received(7, Call(secret, Look(wait=60, after=1)), now) == []
        lobby.end(number)
        for _ in range(3):
            now += LOOK_EVERY
            assert not [effect for effect in room.time(now) if isinstance(effect, Send)]
    (reply,) = [effect.message for effect in answered if isinstance(effect, Send)]
    assert isinstance(reply, Reply) and reply.status == 200
    assert Close(7) in answered


def test_tables_that_show_every_card_cannot_be_found_without_the_link() -> None:
    lobby, other = (SpectatorLobby("two", NAMES[:3], is_full=True) for _ in range(2))
    played = Elsewhere()
    lobby.begin(1, played.game, NAMES[:3], played)
    assert lobby.root != other.root and len(lobby.root) > 16
    listed = json.loads(lobby.pages[lobby.root + LOBBY].body)["tables"]
    secret = listed[0]["link"].removeprefix("/table#")
    open_pages = [page for path, page in lobby.pages.items() if not path.startswith(lobby.root)]
    assert "/" not in lobby.pages and f"/{LOBBY}" not in lobby.pages
    assert open_pages and not [page for page in open_pages if secret.encode() in page.body]
