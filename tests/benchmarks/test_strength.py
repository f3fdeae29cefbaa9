"""Registered matches: kept games replay, a run resumes, and hidden cards change no decision."""

import gzip
import json
import lzma
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catan_env import Game
from catan_env.core.compiled import ensure_rules
from catan_env.core.constants import NOTHING
from catan_env.extras import BadInput

pytest.importorskip("catanatron")

from benchmarks.strength import games, jsettlers, records
from benchmarks.strength.games import play_or_break
from benchmarks.strength.losses import losses, stories
from benchmarks.strength.replay import board_to_json, differences, replay, replay_all
from benchmarks.strength.report import report
from benchmarks.strength.rows import OURS, OWN_ROWS, ROWS, Row
from benchmarks.strength.run import GAMES, play_on
from benchmarks.strength.twin import LeakError
from benchmarks.versus_jsettlers.result import Result
from catan_env.catanatron.log import HAS_RECORDS
from catan_env.catanatron.player import PolicyPlayer
from catan_env.notation import dumps, loads
from catan_env.policy import load_policy
from tests.notation.random_games import random_game

ROW = Row("test", "greedy", (OURS,) * 4, 90, 8, OURS, 0.5, playouts=None)
WATCHED, UNWATCHED = 90, 91


@pytest.fixture(scope="module")
def kept() -> list[dict[str, Any]]:
    ensure_rules()
    played = [games.play(ROW, seed, 1) for seed in (WATCHED, UNWATCHED, 92)]
    entries: list[dict[str, Any]] = json.loads(json.dumps(played))
    return entries


def test_no_two_rows_share_a_map() -> None:
    seeds = [{seed for seed, _ in row.tasks()} for row in (ROWS | OWN_ROWS).values()]
    assert all(a.isdisjoint(b) for a, b in combinations(seeds, 2))


def test_every_map_is_played_from_every_place() -> None:
    for row in (ROWS | OWN_ROWS).values():
        tasks = row.tasks()
        assert len(tasks) == len(set(tasks)) == row.games
        assert {place for _, place in tasks} == set(range(row.places))


def test_a_game_that_was_played_twice_counts_once() -> None:
    pairs = replace(ROW, line_up=(OURS, "value", OURS, "value"), games=8)
    assert pairs.tasks() == [(90, 0), (90, 1), (91, 0), (91, 1), (92, 0), (92, 1), (93, 0), (93, 1)]
    repeated = replace(pairs, repeats=True)
    assert len(repeated.tasks()) == 8 and repeated.tasks()[3] == (90, 3)
    said = report(repeated, [instant(repeated, task) for task in repeated.tasks()])
    assert "4 of 4 games: 4 won" in said and "repeated games, not counted: 4" in said


def test_another_process_finds_the_function_that_plays() -> None:
    """Not if it is in `__main__` of a package, which such a process does not import."""
    assert play_or_break.__module__ == games.__name__


def test_kept_games_replay_under_our_engine(kept: list[dict[str, Any]]) -> None:
    for game in kept:
        assert differences(game, replay(game)) == []


@pytest.mark.parametrize("seed, place", [(7_100_001, 0), (7_100_006, 3), (7_100_007, 0)])
def test_published_games_replay_under_our_engine(seed: int, place: int) -> None:
    """The second and the third have roads past a rival's building."""
    ensure_rules()
    entries = records.read(GAMES / "value.jsonl.gz")
    game = next(e for e in entries if (e.get("seed"), e.get("place")) == (seed, place))
    assert differences(game, replay(game)) == []


def test_a_published_duel_with_corrected_roads_replays_under_our_engine() -> None:
    ensure_rules()
    entries = records.read(GAMES / "duel-best.jsonl.gz")
    game = next(e for e in entries if (e.get("seed"), e.get("place")) == (10_300_395, 0))
    assert game["corrections"]
    assert differences(game, replay(game)) == []


def test_corrected_cards_and_roads_are_adopted_from_a_kept_game() -> None:
    """After the set-up seat 0 loses its cards, seat 1 gets a card and the Longest Road."""
    game = Game(2, seed=5)
    while game.turn == 0:
        game.play(game.legal_actions[0])
    log = [[event.seat, event.action.index, NOTHING] for event in game.events]
    brick, *others = game.hand(1)
    log[-1] += [[[0] * 5, [brick + 1, *others]], [2, 5], 1]
    kept = {"seats": [OURS, "value"], "board": board_to_json(game.board), "log": log}
    ours = replay(kept)
    assert any(game.known(0)) and game.known(1) == game.hand(1)
    assert [ours.hand(0), ours.hand(1)] == [(0,) * 5, (brick + 1, *others)]
    assert [ours.known(0), ours.known(1)] == [(0,) * 5, game.known(1)]
    assert ours.bank == tuple(19 - held for held in ours.hand(1))
    assert [ours.road_length(0), ours.road_length(1), ours.longest_road_seat] == [2, 5, 1]
    assert [ours.points(0), ours.points(1)] == [2, 4]


def test_the_dice_of_all_games_are_average() -> None:
    """Cards from the dice are counted against what the same buildings produce on average."""
    ensure_rules()
    entries = [e for e in records.read(GAMES / "value.jsonl.gz") if "log" in e][:40]
    luck = [story.luck for story in stories(ROWS["value"], entries)]
    assert abs(np.mean(luck)) < 3 * np.std(luck) / len(luck) ** 0.5
    assert losses(ROWS["value"], entries).count("seed ") == sum(not e["won"] for e in entries)


def test_losses_say_how_often_the_winner_has_the_longest_road() -> None:
    ensure_rules()
    entries = [e for e in records.read(GAMES / "value.jsonl.gz") if "log" in e][:40]
    *games, lost, won = losses(ROWS["value"], entries).splitlines()
    roads = sum("Longest Road" in game for game in games)
    assert 0 < roads < len(games)
    assert lost.endswith(f"the winner has Longest Road in {100 * roads / len(games):.0f} %")
    assert won.startswith("won: ")


def test_a_table_with_several_seats_of_ours_has_no_losses_of_one() -> None:
    with pytest.raises(BadInput) as end:
        losses(ROWS["pairs"], [])
    assert str(end.value) == "pairs: losses are those of one seat, and ours has several"


@pytest.mark.skipif(not HAS_RECORDS, reason="catanatron before 3.3 replays no outcomes")
def test_kept_duels_replay_under_both_engines() -> None:
    ensure_rules()
    duel = Row("duel", "greedy", (OURS, OURS), 90, 4, OURS, 0.5, playouts=None, repeats=True)
    assert duel.tasks() == [(90, 0), (90, 1), (91, 0), (91, 1)]
    played = json.loads(json.dumps([games.play(duel, *task) for task in duel.tasks()[1:3]]))
    assert [game["twin"] > 0 for game in played] == [True, False]
    said = replay_all(duel, played)
    assert said == "duel: 2 of 2 games replayed by ours\nduel: 2 of 2 games replayed by catanatron"


def test_a_replay_notices_a_different_end(kept: list[dict[str, Any]]) -> None:
    cut = {**kept[0], "log": kept[0]["log"][:-8]}
    assert differences(cut, replay(cut))


@pytest.mark.skipif(not HAS_RECORDS, reason="catanatron before 3.3 replays no outcomes")
def test_kept_games_replay_under_catanatron(kept: list[dict[str, Any]]) -> None:
    assert "3 of 3 games replayed by catanatron" in replay_all(ROW, kept)


def test_other_hidden_cards_change_no_decision(kept: list[dict[str, Any]]) -> None:
    """The twin has seen every decision of the watched game, and would have raised."""
    watched, unwatched, _ = kept
    assert watched["twin"] == watched["decisions"] > 100
    assert unwatched["twin"] == 0


class Peeking(PolicyPlayer):
    """Plays the first or the last action, by another seat's hidden cards."""

    def decide(self, game: Any, playable_actions: Any) -> Any:
        """An action that depends on a hand that the seat cannot see."""
        other = (self.follower.seat + 1) % 4
        ore = game.state.player_state[f"P{other}_ORE_IN_HAND"]
        self.decisions += 1
        return playable_actions[-1 if ore else 0]


def test_a_player_that_looks_at_other_hands_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PolicyPlayer, "decide", Peeking.decide)
    with pytest.raises(LeakError, match="the player chose"):
        games.play(ROW, WATCHED, 0)


def test_a_view_with_another_seats_cards_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    follow = PolicyPlayer.follow

    def leaking(self: PolicyPlayer, state: Any, entry: Any) -> None:
        follow(self, state, entry)
        other = (self.follower.seat + 1) % 4
        ore = state.player_state[f"P{other}_ORE_IN_HAND"]
        self.follower._view._array["known"][0, other, 3] = ore

    monkeypatch.setattr(PolicyPlayer, "follow", leaking)
    with pytest.raises((LeakError, ValueError), match=r"views of the player and its twin|drifted"):
        for seed in range(90, 200, 10):
            games.play(ROW, seed, 0)


@pytest.mark.parametrize("left", [1, 10, 40])
def test_a_killed_run_loses_only_its_last_entry(tmp_path: Path, left: int) -> None:
    path = tmp_path / "games.jsonl.gz"
    for number in range(3):
        records.append(path, {"seed": number, "text": "x" * 100})
    whole = path.read_bytes()
    assert records.repair(path) == 0
    path.write_bytes(whole + whole[:left])
    assert [entry["seed"] for entry in records.read(path)] == [0, 1, 2]
    assert records.repair(path) == left
    assert path.read_bytes() == whole


def test_a_file_of_games_is_read_by_gzip(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    records.append(path, {"seed": 1})
    records.append(path, {"seed": 2})
    assert gzip.decompress(path.read_bytes()) == b'{"seed":1}\n{"seed":2}\n'


def test_a_run_plays_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl.gz"
    for _ in range(2):
        play_on(ROW, path, instant, 0, 1)
    with open(path, "ab") as file:
        file.write(gzip.compress(b'{"seed":93}\n')[:-5])
    play_on(ROW, path, instant, None, 1)
    played = [(entry["seed"], entry["place"]) for entry in records.read(path) if "seed" in entry]
    assert played == ROW.tasks()
    assert "8 of 8 games: 8 won, 100.0 %" in report(ROW, records.read(path))


def test_another_policy_does_not_continue_a_file(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl.gz"
    records.append(path, {"row": "test", "fingerprint": "00000000"})
    with pytest.raises(BadInput, match="fingerprint 00000000"):
        play_on(ROW, path, instant, 0, 1)


def test_a_bound_is_shown_by_the_whole_interval() -> None:
    game = instant(ROW, (1, 0))
    won, lost = {**game, "won": True}, {**game, "won": False}
    many = [won] * 80 + [lost] * 20
    assert "above 70 %: shown" in report(replace(ROW, bound=0.70), many)
    assert "above 72 %: not shown" in report(replace(ROW, bound=0.72), many)
    assert "below 90 %: shown" in report(replace(ROW, bound=0.90, above=False), many)
    assert "100 of 8" in report(ROW, many)


def test_wins_are_counted_by_the_seat_of_our_only_player() -> None:
    duel = replace(ROW, line_up=(OURS, "value"))
    game = instant(duel, (90, 0))
    first, second = ({**game, "seats": seats} for seats in ([OURS, "value"], ["value", OURS]))
    games = [first, {**first, "won": False}, {**first, "won": None}, second, second]
    assert "by seat: 1 of 3, 2 of 2" in report(duel, games)
    assert "by seat" not in report(ROW, [game])


def instant(row: Row, task: tuple[int, int]) -> dict[str, Any]:
    """A game that takes no time."""
    seed, place = task
    counts: dict[str, int] = {}
    return {
        "seed": seed, "place": place, "won": True, "seats": [OURS] * 4, "decisions": 1,
        "thought": 0.1, "processor": 0.1, "seconds": 1.0, "twin": 0, "withheld": counts,
        "unknown": counts, "corrections": counts,
    }  # fmt: skip


def test_playouts_make_a_search_a_function_of_its_view() -> None:
    policy: Any = games.policy_of(ROWS["value"], 3)
    assert policy.playouts == 240 and type(policy) is type(load_policy("search"))


def test_a_kept_game_of_jsettlers_is_its_record_without_uuids(tmp_path: Path) -> None:
    game = random_game(3, 4, "base", 300)
    messages = json.loads(dumps(game.to_sgn(viewer=2)))
    (tmp_path / "_t_1-seat2.sgn.json").write_text(json.dumps(messages))
    result = Result("~t~1", 2, 0, None, "over", game.turn, None, 9, 1.0, 0.5, 0, 0, 0, [], {})
    jsettlers.pack(tmp_path / "kept.jsonl.xz", [result], tmp_path)
    (entry,) = jsettlers.read(tmp_path / "kept.jsonl.xz")
    assert Result(**entry["result"]) == result
    names = [message["uuid"] for message in entry["record"]]
    assert names == [str(number) for number in range(len(messages))]
    assert loads(entry["record"]).view().state_bytes() == game.view(2).state_bytes()
    assert list(jsettlers.differences(entry)) == ["the record ends before the game"]


def test_a_game_of_a_restarted_server_has_the_name_of_an_earlier_one(tmp_path: Path) -> None:
    """The records of both are kept, each with its result."""
    results = []
    for file, until in (("_t_1-seat2", 300), ("_t_1-seat2-2", 200)):
        game = random_game(3, 4, "base", until)
        (tmp_path / f"{file}.sgn.json").write_text(dumps(game.to_sgn(viewer=2)))
        turns = game.turn
        results.append(Result("~t~1", 2, 0, None, "over", turns, None, 9, 1, 0.5, 0, 0, 0, [], {}))
    jsettlers.pack(tmp_path / "kept.jsonl.xz", results, tmp_path)
    entries = jsettlers.read(tmp_path / "kept.jsonl.xz")
    assert [entry["result"]["turns"] for entry in entries] == [result.turns for result in results]
    assert results[0].turns != results[1].turns
    for entry in entries:
        assert loads(entry["record"]).view().turn == entry["result"]["turns"]
    jsettlers.pack(tmp_path / "kept.jsonl.xz", results, tmp_path)  # a run that was continued
    assert jsettlers.read(tmp_path / "kept.jsonl.xz") == entries


def test_the_games_of_several_runs_are_in_one_file(tmp_path: Path) -> None:
    results = []
    for run in (1, 2):
        game = random_game(run, 4, "base", 200)
        (tmp_path / str(run)).mkdir()
        (tmp_path / str(run) / "_t_1-seat2.sgn.json").write_text(dumps(game.to_sgn(viewer=2)))
        result = Result("~t~1", 2, 0, None, "over", game.turn, None, run, 1, 0.5, 0, 0, 0, [], {})
        jsettlers.pack(tmp_path / "kept.jsonl.xz", [result], tmp_path / str(run))
        results.append(result)
    entries = jsettlers.read(tmp_path / "kept.jsonl.xz")
    assert [Result(**entry["result"]) for entry in entries] == results
    lost = replace(results[0], turns=1)
    with pytest.raises(FileNotFoundError):
        jsettlers.pack(tmp_path / "kept.jsonl.xz", [lost], tmp_path / "no_records")
    assert jsettlers.read(tmp_path / "kept.jsonl.xz") == entries


def kept_games(row: str, most: int | None = None, step: int = 1) -> list[dict[str, Any]]:
    """Every `step`-th of the first `most` games of a file; the others are not parsed."""
    with lzma.open(GAMES / f"{row}.jsonl.xz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in islice(file, 0, most, step)]


@pytest.mark.parametrize(("row", "step"), [("jsettlers", 20), ("stac-600", 4)])
def test_the_kept_games_of_jsettlers_end_by_our_rules_as_at_the_server(row: str, step: int) -> None:
    entries = kept_games(row, step=step)
    assert len(entries) > 10
    for entry in entries:
        assert list(jsettlers.differences(entry)) == []
    kept = entries[0]["result"]
    other = entries[0] | {"result": kept | {"turns": 1, "winner": 9}}
    assert list(jsettlers.differences(other)) == [
        f"winner {kept['winner']}, not 9",
        f"turns {kept['turns']}, not 1",
    ]


def test_games_of_jsettlers_are_counted_by_their_smart_robots() -> None:
    entries = kept_games("jsettlers", 40)
    lines = list(jsettlers.by_smart_robots(entries))
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]  # only two are fast
    assert sum(int(line.split()[4].rstrip(":")) for line in lines) == 40
    assert not list(jsettlers.by_smart_robots(kept_games("stac-600", 5)))
