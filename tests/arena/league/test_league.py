"""A league stores every game once, and every figure can be recomputed."""

import json
import zlib
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from catan_env.arena.outcome import outcome_of
from catan_env.arena.schedule import board_number
from catan_env.cli import main
from catan_env.game.rules import Rules
from catan_env.net.room import Removal
from catan_env.notation import loads
from tests.arena.league.places import DUEL, ROOT, league

sqlalchemy = pytest.importorskip("sqlalchemy")
from catan_env.arena.league.check import Check  # noqa: E402
from catan_env.arena.league.engine import this_engine  # noqa: E402
from catan_env.arena.league.entrant import EntrantFiles  # noqa: E402
from catan_env.arena.league.league import League  # noqa: E402
from catan_env.arena.league.ledger import Ledger  # noqa: E402
from catan_env.arena.league.meeting import MatchSettings, Meeting  # noqa: E402
from catan_env.arena.league.moves import pack, squeezed  # noqa: E402
from catan_env.arena.league.quarantine import QUARANTINE  # noqa: E402
from catan_env.arena.league.result import Clock, Result  # noqa: E402
from catan_env.arena.league.side_by_side import play_side_by_side  # noqa: E402
from catan_env.arena.league.tally import Tally  # noqa: E402


@pytest.fixture
def place(tmp_path) -> str:
    """A league of three entrants that play duels."""
    return league(tmp_path, "builder", "random", "lazy=random")


def test_all_entrants_meet_on_the_same_boards_in_every_seat(place):
    ledger = Ledger(place)
    games = list(League(ledger).run(12))
    assert len(games) == 12
    kept = list(ledger.games())
    assert {game.meeting.key for game in kept} == {"1 2", "1 3", "2 3"}
    for key in ("1 2", "1 3", "2 3"):
        met = [game for game in kept if game.meeting.key == key]
        assert [game.meeting.number for game in met] == [0, 1, 2, 3]
        assert met[0].seats == met[1].seats[::-1]
        seeds = [game.seed for game in met]
        assert (seeds[0], seeds[2]) == (seeds[1], seeds[3]) and seeds[0] != seeds[2]
        assert [board_number(game.meeting.number, 2) for game in met] == [0, 0, 1, 1]


def test_entrants_have_different_titles(place, capsys):
    add = ["league", "add", place, "random"]
    assert main([*add, "--name", "lazy", "--version", "2"]) == 0
    for name, title in (("lazy 2", "lazy 2"), (" lazy", "lazy")):
        assert main([*add, "--name", name]) == 2
        assert f"there is an entrant {title!r} already" in capsys.readouterr().err
    assert main([*add, "--name", " "]) == 2
    assert "an entrant needs a name" in capsys.readouterr().err
    assert len(Ledger(place).entrants()) == 4


def test_a_meeting_is_stored_once(place):
    ledger = Ledger(place)
    (result,) = League(ledger).run(1)
    assert ledger.keep([result]) == []
    assert ledger.count() == 1
    (other,) = League(Ledger(place)).run(1)
    assert ledger.keep([result, other]) == [] and ledger.count() == 2


def test_a_meeting_is_the_same_game_in_any_process_and_next_to_any_others(place):
    ledger = Ledger(place)
    entrants = [ledger.entrants()[k] for k in (0, 1)]
    table, meetings = League(ledger).settings, [Meeting((1, 2), number) for number in range(6)]
    entrant_files = EntrantFiles()
    together = play_side_by_side(table, meetings, entrants, entrant_files)
    alone = play_side_by_side(table, meetings[3:4], entrants, entrant_files)
    assert alone[0].state == together[3].state and alone[0].moves == together[3].moves
    entrant_files.close()


def test_standings_follow_from_the_export(place, capsys):
    main(["league", "run", place, "--games", "12", "--workers", "1"])
    capsys.readouterr()
    assert main(["league", "standings", place]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert main(["league", "export", place]) == 0
    facts, *games = map(json.loads, capsys.readouterr().out.splitlines())
    names = {entrant["id"]: entrant["name"] for entrant in facts["entrants"]}
    for line in shown[1:4]:
        name, _, _, played, rate, *_ = line.split()
        took_part = [game for game in games if name in [names[e] for e in game["seats"]]]
        wins = sum(
            game["winner"] is not None and names[game["seats"][game["winner"]]] == name
            for game in games
        )
        assert int(played) == len(took_part) == 8
        assert float(rate) == pytest.approx(100 * wins / 8, abs=0.06)
    assert shown[1].startswith("builder ")


def test_a_removed_entrant_is_not_scheduled_and_its_games_remain(place, capsys):
    main(["league", "run", place, "--games", "6", "--workers", "1"])
    assert main(["league", "remove", place, "lazy"]) == 0
    main(["league", "run", place, "--games", "3", "--workers", "1"])
    assert [game.meeting.key for game in Ledger(place).games(after=6)] == ["1 2"] * 3
    assert "lazy " in capsys.readouterr().out


def test_check_finds_a_damaged_record_and_one_of_another_game(place, capsys):
    main(["league", "run", place, "--games", "3", "--workers", "1"])
    assert main(["league", "check", place]) == 0
    assert capsys.readouterr().out.endswith("3 games, 0 at fault\n")
    engine = sqlalchemy.create_engine(f"sqlite:///{place}/league.db")
    other = Ledger(place).game(3).moves
    words = np.frombuffer(zlib.decompress(Ledger(place).game(2).moves), "<u2")
    changes = [
        ("update records set moves = :moves where game = 1", {"moves": b"nothing"}),
        ("update records set moves = :moves where game = 2", {"moves": squeezed(words[:-1])}),
        ("delete from records where game = 3", {}),
        ("insert into records values (99, :moves)", {"moves": other}),
    ]
    with engine.begin() as connection:
        for change, values in changes:
            connection.execute(sqlalchemy.text(change), values)
    assert main(["league", "check", place]) == 1
    said = capsys.readouterr()
    assert "game 1: its record is damaged" in said.err
    assert "game 2: its record leads to another state" in said.err
    assert "game 3: its record is missing" in said.err
    assert "game 99: a record without an outcome" in said.err


def test_check_accepts_older_games_that_count_the_turn_after_the_limit(tmp_path, capsys):
    table = ("--seats", "3", "--seed", "5", "--max-turns", "6")
    place = league(tmp_path, "greedy", "greedy2=greedy", "greedy3=greedy", table=table)
    main(["league", "run", place, "--games", "2", "--workers", "1"])
    assert [result.turns for result in Ledger(place).games()] == [6, 6]
    engine = sqlalchemy.create_engine(f"sqlite:///{place}/league.db")
    for number, turns in ((1, 7), (2, 8)):
        change = f"update outcomes set turns = {turns} where number = {number}"
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text(change))
    assert main(["league", "check", place]) == 1
    said = capsys.readouterr().err
    assert "game 1" not in said and "game 2: its points and turns are" in said


def test_a_limit_of_0_turns_is_none(tmp_path, capsys):
    place = league(tmp_path, "random", "lazy=random", table=(*DUEL[:-1], "0"))
    assert main(["league", "run", place, "--games", "2", "--workers", "1"]) == 0
    played = list(Ledger(place).games())
    assert all(result.winner is not None and result.turns > 1 for result in played)
    assert main(["league", "check", place]) == 0


@pytest.mark.parametrize("dialect", ["announced", "literal"])
def test_a_league_of_the_binary_protocol_has_a_dialect(dialect, tmp_path):
    place = league(tmp_path, table=("--protocol", "binary", "--dialect", dialect))
    settings = MatchSettings.from_settings(Ledger(place).settings)
    assert settings.announced == (dialect == "announced")


@pytest.mark.parametrize("gone, is_sound", [((1, 2), True), ((1,), False), ((0, 1), False)])
def test_check_accepts_a_winner_in_the_set_up_whom_all_others_have_left(
    gone, is_sound, tmp_path, capsys
):
    table = ("--seats", "3", "--protocol", "german", "--seed", "5")
    place = league(tmp_path, "builder", "random", "lazy=random", table=table)
    ledger = Ledger(place)
    settings, meeting = MatchSettings.from_settings(ledger.settings), Meeting((1, 2, 3), 0)
    game = settings.new_game(meeting)
    game.play(next(iter(game.legal_actions)))
    outcome = replace(
        outcome_of(game, 0, (0, 1, 2), 1, settings.max_turns),
        winner=0,
        removals=tuple(Removal(seat, 0, "it closed its connection") for seat in gone),
    )
    moves = pack(game, settings.new_game(meeting))
    ledger.keep([Result.of(meeting, outcome, moves, "german")])
    assert main(["league", "check", place]) == (0 if is_sound else 1)
    fault = "game 1: it has no winner, yet seat 0 is the winner"
    assert (fault in capsys.readouterr().err) != is_sound


def test_check_says_which_games_only_another_engine_can_judge(place, capsys):
    main(["league", "run", place, "--games", "4", "--workers", "1"])
    capsys.readouterr()
    engine = sqlalchemy.create_engine(f"sqlite:///{place}/league.db")
    words = np.frombuffer(zlib.decompress(Ledger(place).game(3).moves), "<u2")
    changes = [
        ("update outcomes set engine = 'abc' where number < 4", {}),
        ("update outcomes set state = '0' where number = 1", {}),
        ("update records set moves = :moves where game = 3", {"moves": squeezed(words[::-1])}),
    ]
    with engine.begin() as connection:
        for change, values in changes:
            connection.execute(sqlalchemy.text(change), values)
    assert main(["league", "check", place]) == 0
    said = capsys.readouterr()
    assert said.err.startswith(f"2 games were played by abc; this is {this_engine()}, ")
    assert said.out.endswith("4 games, 0 at fault, 2 of other engines not verified\n")
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("update records set moves = x'78' where game = 2"))
        connection.execute(sqlalchemy.text("update outcomes set state = '0' where number = 4"))
    assert main(["league", "check", place]) == 1
    said = capsys.readouterr()
    assert "game 2: its record is damaged" in said.err
    assert "game 4: its record leads to another state" in said.err


def test_a_game_is_shown_as_its_record(place, capsys):
    main(["league", "run", place, "--games", "1", "--workers", "1"])
    capsys.readouterr()
    assert main(["league", "show", place, "1"]) == 0
    record = loads(capsys.readouterr().out)
    assert record.players == ("builder", "random")
    (result,) = Ledger(place).games()
    assert sha256(record.game.state_bytes()).hexdigest() == result.state
    for number in ("2", "99999999999999999999"):
        assert main(["league", "show", place, number]) == 2
        assert capsys.readouterr().err == f"catan-env league: there is no game {number}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("run nowhere", "nowhere: there is no such folder"),
        ("init {place}", "{place}: there is a league already"),
        ("add {place} random --name lazy", "there is an entrant 'lazy' already"),
        ("add {place}", "give a policy, or an agent's --command"),
        ("add {place} --command ./me --name me", "commands need a league that was created"),
        ("run {place} --over-tcp", "--over-tcp needs a league that was created with --protocol"),
        (
            "init {place}2 --rules duel --protocol binary",
            "--rules duel: the protocol determines the rules",
        ),
        ("add {place} missing", "unknown policy 'missing'"),
        ("add {place} random --name a\x1bb", "name 'a\\x1bb': allowed are 80 printable characters"),
        (f"add {{place}} random --name {'a' * 81}", f"name '{'a' * 81}': allowed are 80"),
        (f"add {{place}} random --version {'1' * 41}", f"version '{'1' * 41}': allowed are 40"),
        ("remove {place} missing", "there is no entrant 'missing'"),
        ("init {place}2 --rules house", "unknown rules 'house'"),
        (
            "init {place}2 --no-trade --protocol binary",
            "--no-trade: the protocol determines the rules",
        ),
        ("init {place}2 --protocol german --protocol-version 9", "version '9'; the German ones"),
        ("init {place}2 --timeout 0 --threads 2", "--timeout, --threads: only with --protocol"),
        ("init {place}2 --dialect literal", "--dialect: only with --protocol binary"),
        (
            "init {place}2 --protocol binary --protocol-version 0.1",
            "--protocol-version: only with --protocol german",
        ),
        (
            "init {place}2 --protocol german --dialect announced",
            "--dialect: only with --protocol binary",
        ),
    ],
)
def test_an_impossible_command_is_one_line(arguments, said, place, capsys):
    assert main(["league", *arguments.format(place=place).split()]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"catan-env league: {said.format(place=place)}")
    assert error.count("\n") == 1


@pytest.mark.parametrize("secret", ["sekret@/x?host=/nowhere", "@/x?host=/nowhere&password=sekret"])
def test_no_error_shows_a_database_s_password(secret, capsys):
    pytest.importorskip("psycopg")
    assert main(["league", "standings", f"postgresql://ann:{secret}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("catan-env league: postgresql://ann:***@/x: ")
    assert "sekret" not in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql://u:{}@127.0.0.1:abc/x", "its port or an option is not a number"),
        ("://u:{}@x", "Could not parse SQLAlchemy URL from given URL string"),
    ],
)
def test_a_url_that_cannot_be_read_is_named_without_its_password(url, reason, capsys):
    assert main(["league", "standings", url.format("sekret")]) == 2
    assert capsys.readouterr().err == f"catan-env league: {url.format('***')}: {reason}\n"


def test_seats_of_a_league_without_trade_never_trade_with_each_other(tmp_path, capsys):
    table = ("--seats", "3", "--no-trade", "--seed", "5", "--max-turns", "40")
    place = league(tmp_path, "greedy", "greedy2=greedy", "greedy3=greedy", table=table)
    assert main(["league", "run", place, "--games", "3", "--workers", "1"]) == 0
    (capsys.readouterr(), main(["league", "show", place, "1"]))
    record = loads(capsys.readouterr().out)
    assert record.game.rules == replace(Rules.base(), player_trade=False)
    assert main(["league", "check", place]) == 0
    with_trade = league(
        tmp_path / "x", "greedy", "greedy2=greedy", "greedy3=greedy", table=table[:2]
    )
    assert Ledger(with_trade).settings["player_trade"] is True


@pytest.mark.parametrize("arguments", ["init {place} --rules house", "standings {place}"])
def test_a_refused_command_leaves_nothing_behind(arguments, tmp_path):
    empty, nowhere = tmp_path / "empty", tmp_path / "nowhere"
    empty.mkdir()
    for place in (empty, nowhere, f"sqlite:///{nowhere}.db"):
        assert main(["league", *arguments.format(place=place).split()]) == 2
    assert [*tmp_path.rglob("*")] == [empty]


def test_too_few_entrants_are_one_line(tmp_path, capsys):
    place = str(tmp_path)
    main(["league", "init", place])
    assert main(["league", "run", place]) == 2
    assert "0 entrants play; a table has 4 seats" in capsys.readouterr().err
    assert Path(place, "league.db").exists()


def test_a_new_version_takes_the_place_of_the_old_and_both_keep_their_games(place, capsys):
    main(["league", "run", place, "--games", "6", "--workers", "1"])
    add = ["league", "add", place, "random", "--name", "lazy", "--version", "2", "--author", "Ann"]
    assert main(add) == 0
    assert main(["league", "run", place, "--games", "9", "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "lazy (removed)" in shown and "lazy 2 " in shown and "Ann" in shown
    last = [game.meeting.line_up for game in Ledger(place).games(after=6)]
    assert not any(3 in line_up for line_up in last) and any(4 in line_up for line_up in last)


def test_weights_are_stored_in_the_ledger_and_need_their_file_no_longer(place, tmp_path):
    file = tmp_path / "net.npz"
    file.write_bytes((ROOT / "policies" / "weights" / "duel.npz").read_bytes())
    assert main(["league", "add", place, str(file)]) == 0
    file.unlink()
    for name in ("random", "lazy"):
        main(["league", "remove", place, name])
    assert main(["league", "run", place, "--games", "2", "--workers", "1"]) == 0
    assert not list(Check(Ledger(place)).faults()) and Ledger(place).count() == 2


class Failing:
    """A policy that fails at its tenth decision, or at its first when it moves first."""

    def __init__(self, seed: int = 0) -> None:
        self.left = 9

    def act(self, view):
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("out of ideas")
        return int(view.legal_actions.indices[0])


class Illegal:
    """A policy whose answer is never legal."""

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, view):
        return -1


@pytest.mark.parametrize(
    ("policy", "reason"),
    [("Failing", "RuntimeError: out of ideas"), ("Illegal", "IllegalActionError: ")],
)
def test_a_policy_that_fails_is_kicked_and_quarantined_and_the_others_play_on(
    policy, reason, tmp_path, capsys
):
    place = league(tmp_path, "builder", "random", f"bad={__name__}:{policy}")
    assert main(["league", "run", place, "--games", "36", "--workers", "1"]) == 0
    said = capsys.readouterr()
    assert f"bad failed 10 games in a row and is quarantined; last: {reason}" in said.err
    assert "bad (quarantined)" in said.out
    games = list(Ledger(place).games())
    kicked = [game for game in games if game.removals]
    assert all(3 in game.seats for game in kicked)
    added = Tally(2)
    added.add(games)
    for tally in (added, Tally.of(Ledger(place))):
        assert [tally.sums[entrant].kicked for entrant in (1, 2, 3)] == [0, 0, len(kicked)]
    assert all(game.seats[game.winner] != 3 for game in kicked)
    assert not any(3 in game.seats for game in games[-8:])
    assert not list(Check(Ledger(place)).faults())
    main(["league", "pardon", place, "bad"])
    main(["league", "run", place, "--games", "4", "--workers", "1"])
    assert any(3 in game.seats for game in Ledger(place).games(after=36))


@pytest.mark.parametrize("seats", [3, 4])
def test_a_policy_that_fails_leaves_a_larger_table_to_the_others(seats, tmp_path):
    names = ("a=builder", "b=builder", "c=builder")[: seats - 1]
    table = ("--seats", str(seats))
    place = league(tmp_path, *names, f"bad={__name__}:Failing", table=table)
    results = list(League(Ledger(place)).run(2 * seats))
    assert all(len(result.removals) == 1 and result.winner is not None for result in results)
    assert not list(Check(Ledger(place)).faults())


def test_failures_before_a_run_count_in_it(tmp_path, capsys):
    place = league(tmp_path, "builder", f"bad={__name__}:Failing")
    for _ in range(3):
        assert main(["league", "run", place, "--games", "4", "--workers", "1"]) in (0, 2)
    assert "bad failed 10 games in a row and is quarantined" in capsys.readouterr().err
    main(["league", "pardon", place, "bad"])
    assert main(["league", "run", place, "--games", "4", "--workers", "1"]) == 0


def test_a_pardon_counts_in_a_run_that_is_in_progress(tmp_path, capsys):
    place = league(tmp_path, f"bad={__name__}:Illegal", "builder", "random")
    later, is_pardoned = [], False
    for game in League(Ledger(place)).run(90):
        if is_pardoned:
            later.append(1 in game.seats)
        elif "is quarantined" in capsys.readouterr().err:
            is_pardoned = True
            main(["league", "pardon", place, "bad"])
    assert sum(later) >= QUARANTINE and not any(later[-4:]), "it fails ten more games"
    assert capsys.readouterr().err.count("is quarantined") == 1


def test_a_quarantine_counts_games_of_other_runs(tmp_path, capsys):
    place = league(tmp_path, f"bad={__name__}:Illegal", "builder", "random")
    run = League(Ledger(place)).run(24)
    assert all(1 in game.seats for game in islice(run, 4))
    main(["league", "run", place, "--games", "30", "--workers", "1"])
    assert capsys.readouterr().err.count("is quarantined") == 1
    assert not any(1 in game.seats for game in run)
    assert capsys.readouterr().err.count("is quarantined") == 1


def test_an_entrant_that_is_always_late_has_failed():
    clocks = (Clock(asked=3, spent=1.0, slowest=0.5, late=2), Clock(late=9))
    result = Result(
        meeting=Meeting((1, 2), 0), played="binary", seed=1, seats=(1, 2), winner=0, points=(9, 2),
        turns=9, decisions=3, state="", moves=b"", clocks=clocks,
    )  # fmt: skip
    assert [result.has_failed(entrant) for entrant in (1, 2)] == [False, True]
