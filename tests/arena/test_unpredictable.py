"""A program that knows everything public, and this code, predicts no die and no card.

The attacker knows the board, the line-up, the number of the game, every event so far, and how this
package makes seeds. It searches for a seed that gives the board and the outcomes seen so far, and
continues the game with it. With a given seed, the same attack predicts everything.
"""

import random
from argparse import Namespace
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

import pytest

from catan_env import Game
from catan_env.arena.german import GermanTournament
from catan_env.arena.league.entrant import Entrant, EntrantFiles
from catan_env.arena.league.meeting import MatchSettings, Meeting
from catan_env.arena.league.over_tcp import contest
from catan_env.arena.tournament import Tournament
from catan_env.cli import table as table_command
from catan_env.game.action import ActionKind
from catan_env.notation.follow import follow
from catan_env.web.advisers import Advisers

COMMANDS = ("wait", "wait", "wait")
GAMES = 12
LINE_UPS = [(1, 2, 3), (1, 2, 4), (2, 3, 4)]
MOST_SEED = 40
MOST_BOARD = 4


def played(game: Game, choices: int, turns: int = 25) -> Game:
    """The game after some turns of random choices."""
    chooser = random.Random(choices)
    while not game.is_over and game.turn < turns:
        game.play(chooser.choice(game.legal_actions.indices.tolist()))
    return game


def guesses() -> Iterator[int]:
    """The seeds that can be computed from public information."""
    yield from range(MOST_SEED)
    for league_seed in range(3):
        for line_up in LINE_UPS:
            for number in range(MOST_BOARD):
                meeting = Meeting(line_up, number * len(line_up))
                yield MatchSettings(seats=3, seed=league_seed).seed_of(meeting)


def lays(seed: int, game: Game) -> bool:
    """True if a seed gives the board of a game."""
    return Game(game.seats, seed, game.rules, first_seat=game.first_seat).board == game.board


def predicted(seed: int, secret: bytes | None, game: Game) -> tuple[int, int]:
    """The outcomes of a game that a seed or secret predicts, and their total number."""
    mine = Game(game.seats, seed, game.rules, game.board, game.first_seat, secret=secret)
    right = asked = 0
    while len(mine.events) < len(game.events):
        event = game.events[len(mine.events)]
        if event.action.kind == ActionKind.ROLL:
            guess = mine.copy().play(event.action)
            asked += 1
            right += guess.outcome == event.outcome
        follow(mine, event)
    return right, asked


def attacked(games: Iterable[Game], known: Iterable[int] = ()) -> tuple[int, int, int]:
    """The games that the search identifies, the rolls that it predicts, and the number of rolls.

    `known` are seeds that the attacker gets in addition to its guesses.
    """
    tried = [*guesses(), *known]
    identified = right = asked = 0
    for game in games:
        found = [seed for seed in tried if lays(seed, game)]
        identified += bool(found)
        best = max((predicted(seed, None, game) for seed in found), default=(0, 0))
        right, asked = right + best[0], asked + predicted(0, bytes(32), game)[1]
    return identified, right, asked


def of_tournament(tournament: Tournament) -> Iterator[Game]:
    """Its games, some turns later."""
    return (played(tournament.new_game(k), k) for k in range(GAMES))


def of_league(table: MatchSettings) -> Iterator[Game]:
    """A league's networked games, some turns later."""
    with_ids = {k: Entrant(k, f"agent {k}", "command", "true", version=str(k)) for k in range(1, 5)}
    entrant_files = EntrantFiles()
    for line_up in LINE_UPS:
        for number in range(GAMES // len(LINE_UPS)):
            entrants = [with_ids[k] for k in line_up]
            one = contest(table, Meeting(line_up, number), entrants, entrant_files)
            yield played(one.new_game(number), number)
    entrant_files.close()


def of_table_command() -> Iterator[Game]:
    """Games of `catan-env table` with several people."""
    asked = Namespace(
        ask=None, file=None, people=2, against=["random"], name=[], seed=None, rules="base",
        board="spiral", first=0, record=None,
    )  # fmt: skip
    return (played(table_command._lay(asked, Advisers()).game, k) for k in range(GAMES))


WHERE = {
    "serve": lambda seed: of_tournament(Tournament(COMMANDS, seed=seed)),
    "match": lambda seed: of_tournament(Tournament(COMMANDS, seed=seed, paired=True, rotate=True)),
    "german": lambda seed: of_tournament(GermanTournament(COMMANDS, seed=seed)),
    "league, binary": lambda seed: of_league(
        MatchSettings(
            3, "tournament", protocol="binary", seed=seed or 0, predictable=seed is not None
        )
    ),
    "league, german": lambda seed: of_league(
        MatchSettings(3, protocol="german", seed=seed or 0, predictable=seed is not None)
    ),
}


@pytest.mark.parametrize("where", WHERE)
def test_the_attack_predicts_every_roll_of_a_game_with_a_known_seed(where: str) -> None:
    identified, right, asked = attacked(islice(WHERE[where](0), 2))
    assert identified == 2
    assert right == asked > 20


@pytest.mark.parametrize("where", ["serve", "match", "german"])
def test_no_search_finds_the_board_of_a_game_with_secret_chance(where: str) -> None:
    identified, right, asked = attacked(WHERE[where](None))
    assert (identified, right) == (0, 0)
    assert asked > 200


@pytest.mark.parametrize("where", [*WHERE, "table"])
def test_the_seed_of_the_board_predicts_no_roll(where: str) -> None:
    games = list(of_table_command() if where == "table" else WHERE[where](None))
    identified, right, asked = attacked(games, [game.seed for game in games])
    assert identified == len(games)  # by the given seed, or by a league's old seed 0
    assert asked > 200
    assert right < asked / 9  # 1 in 36 by chance


@pytest.mark.parametrize("where", WHERE)
def test_the_secrets_of_ended_games_predict_no_roll_of_another(where: str) -> None:
    games = list(WHERE[where](None))
    assert len({game.secret for game in games}) == len(games)
    *ended, last = games
    best = max(predicted(last.seed, game.secret, last)[0] for game in ended)
    assert best < predicted(last.seed, last.secret, last)[0] / 3


@pytest.mark.parametrize("where", ["match", "league, binary", "league, german"])
def test_the_rotations_of_a_board_have_other_dice(where: str) -> None:
    first, second, *_ = WHERE[where](None)
    assert first.board == second.board
    right, asked = predicted(second.seed, first.secret, second)
    assert right < asked / 3


def test_one_meeting_played_again_has_other_dice() -> None:
    table = MatchSettings(3, "tournament", protocol="binary")
    one, again = (next(of_league(table)) for _ in range(2))
    assert one.board == again.board
    assert one.secret != again.secret


def test_boards_of_a_tournament_do_not_reveal_each_other() -> None:
    tournament = Tournament(COMMANDS)
    seeds = [tournament.board_seed(k) for k in range(50)]
    gaps = {b - a for a, b in pairwise(seeds)}
    assert len(gaps) == 49
    assert max(seeds) > 1 << 60


def test_a_contest_does_not_show_its_secret() -> None:
    tournament = Tournament(COMMANDS)
    assert tournament.secret.hex() not in repr(tournament)
    assert repr(tournament.secret) not in repr(tournament)
    table = MatchSettings(3, "tournament", protocol="binary")
    place = contest(table, Meeting((1, 2, 3), 0), [], EntrantFiles())
    assert "secret=" not in repr(place)
