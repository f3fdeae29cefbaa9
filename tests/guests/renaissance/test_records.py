"""Games saved in SQLite and in PostgreSQL, by a server that is killed at random moments."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.policies import Random
from catan_env.guests.renaissance.records import Records
from tests.guests.renaissance.drawn import first_legal
from tests.guests.renaissance.processes import served, start_agents
from tests.postgresql import postgresql

PATIENCE = 600.0


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'games.db'}"
    else:
        pytest.importorskip("psycopg")
        with postgresql() as url:
            yield url


def test_games_are_saved_and_deleted_and_numbers_are_never_reused(database: str) -> None:
    records = Records(database)
    games = [Game(seats, seed=(1 << 64) - seats) for seats in (1, 4)]
    numbers = [records.begin(game, [f"ann {game.seats}"] * game.seats) for game in games]
    for number, game in zip(numbers, games, strict=True):
        for _ in range(12):
            kept = len(game.record()["marks"])
            game.play(first_legal(game))
            records.add(number, kept, game.record()["marks"][kept:])
    records.close()
    again = Records(database)
    assert [(kept.number, kept.game, kept.nicknames) for kept in again.games()] == [
        (number, game, [f"ann {game.seats}"] * game.seats)
        for number, game in zip(numbers, games, strict=True)
    ]
    again.forget(numbers[1])
    assert [kept.number for kept in again.games()] == numbers[:1]
    assert again.begin(games[1], []) not in numbers, "a number names one game for ever"
    again.close()


def test_a_restarted_server_resumes_every_game(tmp_path: Path) -> None:
    assert_resumes(f"sqlite:///{tmp_path / 'games.db'}", kills=1)


@pytest.mark.nightly
def test_a_server_that_restarts_often_resumes_every_game(database: str) -> None:
    assert_resumes(database, kills=3)


def assert_resumes(database: str, kills: int) -> None:
    """The server is killed with -9 at random moments; the players return by nickname.

    The games last for about a second, so that some kills hit the end of one.
    """
    draw = random.Random(5)
    with served(database) as server:
        agents = [
            Agent(f"{table}{k}", Slow(seed=k), 2) for table in ("ann", "bob") for k in range(2)
        ]
        threads = start_agents(server.port, agents)
        for _ in range(kills):
            time.sleep(draw.uniform(0.3, 0.8))
            server.kill()
            line = server.start()
            assert "games resumed" in line
        for thread in threads:
            thread.join(PATIENCE)
        assert all(agent.is_done for agent in agents)
        assert all(agent.follower.is_over for agent in agents)
        records, until = Records(database), time.monotonic() + PATIENCE
        while records.count():  # a game that ended at a kill is deleted a little later
            assert time.monotonic() < until, "games that have ended leave nothing behind"
            time.sleep(0.05)
        records.close()


class Slow(Random):
    """Takes a moment, so that a game lasts."""

    def act(self, view: object) -> int:
        time.sleep(0.004)
        return super().act(view)  # type: ignore[arg-type]
