"""catanatron's JSON: its games are read to the end or refused at a step, never changed."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_env import Action, Board, Game, Resource, Terrain, geometry
from catan_env.cli import main
from catan_env.foreign import ForeignError, ForeignGame, read_foreign
from catan_env.foreign.catanatron_json import check
from catan_env.foreign.errors import LONGEST_REASON
from catan_env.notation import read

catanatron = pytest.importorskip("catanatron")

from catanatron.json import GameEncoder  # noqa: E402

from catan_env.catanatron.entry import Entry  # noqa: E402
from catan_env.catanatron.log import HAS_RECORDS  # noqa: E402
from tests.catanatron.patient import Patient, log_of  # noqa: E402
from tests.foreign.damage import check as check_copies  # noqa: E402
from tests.foreign.damage import damaged_json  # noqa: E402

FEW, MANY = 24, 200
COLORS = tuple(catanatron.Color)
STEPS = "action_records" if HAS_RECORDS else "actions"


def game_of(seed: int) -> Any:
    """A finished game of two, three or four of catanatron's players."""
    seats = 2 + seed % 3
    players = [Patient(color) for color in COLORS[:seats]]
    game = catanatron.Game(players, seed=seed)
    game.play()
    return game


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, games: int) -> dict[Path, Any]:
    """Files that catanatron wrote, and their games."""
    folder = tmp_path_factory.mktemp("catanatron")
    files = {}
    for seed in range(MANY if games >= 10_000 else FEW):
        game, file = game_of(seed + 1), folder / f"{seed}.json"
        file.write_text(json.dumps(game, cls=GameEncoder))
        files[file] = game
    return files


@pytest.fixture(scope="module")
def complete(written: dict[Path, Any]) -> dict[Path, ForeignGame]:
    """The files that our rules allow to the end, and the games read from them."""
    found = {}
    for file in written:
        try:
            found[file] = read_foreign(file)
        except ForeignError:
            continue
    return found


def test_most_games_are_read_to_the_end(
    written: dict[Path, Any], complete: dict[Path, ForeignGame]
) -> None:
    assert len(complete) > 0.6 * len(written)
    for file, (game, players) in complete.items():
        state = written[file].state
        assert players == tuple(color.value for color in state.colors)
        winner = written[file].winning_color()
        assert game.winner == (None if winner is None else state.colors.index(winner))
        rolls = [event.outcome for event in game.events if event.action.kind.name == "ROLL"]
        assert rolls == [tuple(e.result) for e in log_of(state) if e.kind == "ROLL"]


def in_discards(seed: int) -> Any:
    """A game between two discards of a seven; None if this seed has no such moment."""
    game = catanatron.Game([Patient(color) for color in COLORS[:4]], seed=seed)
    while game.winning_color() is None and game.state.num_turns < 300:
        game.play_tick()
        if game.state.is_discarding and log_of(game.state)[-1].kind == "DISCARD":
            return game
    return None


def test_a_record_that_ends_within_discards_is_cut_before_them(tmp_path: Path) -> None:
    game = next(game for seed in range(1, 100) if (game := in_discards(seed)) is not None)
    file = tmp_path / "discards.json"
    file.write_text(json.dumps(game, cls=GameEncoder))
    with pytest.raises(ForeignError, match="the record ends within a step") as raised:
        read_foreign(file)
    assert raised.value.step == len(log_of(game.state))
    assert main(["import", str(file), "--record", str(tmp_path / "cut"), "--cut"]) == 1
    (cut,) = (tmp_path / "cut").iterdir()
    last = read(cut).position
    assert last.phase.name == "DISCARD" and sum(last.owes(seat) for seat in range(4)) > 0


def test_a_game_that_breaks_names_its_step(
    written: dict[Path, Any], complete: dict[Path, ForeignGame]
) -> None:
    for file in written.keys() - complete.keys():
        with pytest.raises(ForeignError) as caught:
            read_foreign(file)
        error = caught.value
        assert "\n" not in str(error)
        if error.step is None:
            steps = len(json.loads(file.read_text())[STEPS])
            assert f"after {steps} steps the game ends differently under our rules: " in str(error)
        else:
            assert str(error).startswith(f"step {error.step}: ") and error.kept is not None


def changed_kinds(steps: list[Any], others: list[Any]) -> set[str]:
    """The kinds of the steps that differ."""
    actions = [step[0] if HAS_RECORDS else step for step in steps]
    pairs = zip(actions, steps, others, strict=False)
    return {action[1] for action, step, other in pairs if step != other}


WRITTEN_ONCE = {"MOVE_ROBBER"} if HAS_RECORDS else {"MOVE_ROBBER", "ROLL", "DISCARD"}
"""Steps with a part that nothing else in the file repeats, such as the robber's tile."""


def test_a_damaged_file_never_gives_another_game(
    complete: dict[Path, ForeignGame], tmp_path: Path, games: int
) -> None:
    chance, files = Random(7), sorted(complete, key=lambda file: file.stat().st_size)[:20]
    records = [json.loads(file.read_text()) for file in files]
    refused, file = 0, tmp_path / "damaged.json"
    number = 500 if games >= 10_000 else 30
    for k in range(number):
        record, original = records[k % len(files)], complete[files[k % len(files)]]
        wrong = damaged_json(record, chance)
        file.write_text(json.dumps(wrong))
        try:
            game, players = read_foreign(file)
        except ForeignError as error:
            refused += 1
            assert "\n" not in str(error) and len(str(error)) < 400
            continue
        if changed_kinds(record[STEPS], wrong[STEPS]) & WRITTEN_ONCE:
            continue  # the file describes another game, which our rules allow to the same end
        assert players == original.players and game.to_sgn() == original.game.to_sgn(), k
    assert refused > number // 2


def test_the_command_counts_damaged_copies(complete: dict[Path, ForeignGame]) -> None:
    said: list[str] = []
    outcomes = check_copies(list(complete)[:2], 10, 3, said.append)
    assert said == ["2 files: 2 read"]
    assert outcomes.total() == 10 and not outcomes["ANOTHER GAME"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON, and an unknown format"),
        ("[1, 2", "not JSON"),
        ("[]", "an unknown format; known are the records of catanatron, colonist"),
        ('{"tiles": [], "player_state": {}}', "not catanatron's JSON: Object missing required"),
    ],
)
def test_a_file_in_no_known_format_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ForeignError, match=said):
        read_foreign(tmp_path / "x.json")


def other_than(color: str) -> str:
    """Another player's colour; RED and BLUE play in every game."""
    return "BLUE" if color == "RED" else "RED"


def changed(files: Iterable[Path], kind: str, change: Any) -> tuple[Path, int, Any]:
    """The first file with a step of that kind, the step's number from 1, and a changed record."""
    for file in files:
        record = json.loads(file.read_text())
        for number, step in enumerate(record[STEPS], 1):
            action, result = step if HAS_RECORDS else (step, None)
            if action[1].startswith(kind):
                new = change(*action, result)
                step[:] = new if HAS_RECORDS else new[0]
                return file, number, record
    raise LookupError(kind)


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        ("ROLL", lambda c, k, v, r: [[c, k, [7, 7]], [7, 7]], "is not a possible outcome"),
        ("ROLL", lambda c, k, v, r: [[c, "END_TURN", None], None], "cannot end the turn"),
        ("ROLL", lambda c, k, v, r: [[c, k, None], None], "NoneType"),
        ("END_TURN", lambda c, k, v, r: [[other_than(c), k, v], r], "is to act, not seat"),
        ("BUILD_CITY", lambda c, k, v, r: [[c, k, 99], r], "unknown: 99"),
        ("MARITIME", lambda c, k, v, r: [[c, k, [v[0], None, None, None, v[4]]], r], "the rate"),
        ("MARITIME", lambda c, k, v, r: [[c, k, []], r], "MARITIME_TRADE of .* has no cards"),
        ("END_TURN", lambda c, k, v, r: [[c, "DISCARD", []], r], "DISCARD of .* has no cards"),
        ("BUILD_ROAD", lambda c, k, v, r: [[c, k, [0, 30]], r], "unknown: "),
        ("BUILD_ROAD", lambda c, k, v, r: [[c, k, None], r], "NoneType"),
        ("BUILD_ROAD", lambda c, k, v, r: [[c, k], r], "`array` of length 3"),
        ("END_TURN", lambda c, k, v, r: [["GREEN", k, v], r], "Invalid enum value 'GREEN'"),
        ("END_TURN", lambda c, k, v, r: [[c, None, v], r], "Expected `str`, got `null`"),
    ],
)
def test_a_wrong_step_is_named(
    kind: str, change: Any, said: str, complete: dict[Path, ForeignGame], tmp_path: Path
) -> None:
    _, number, record = changed(complete, kind, change)
    (tmp_path / "x.json").write_text(json.dumps(record))
    with pytest.raises(ForeignError, match=said) as caught:
        read_foreign(tmp_path / "x.json")
    assert caught.value.step == number


def ports_of(record: Any) -> list[Any]:
    return [laid["tile"] for laid in record["tiles"] if laid["tile"]["type"] == "PORT"]


def land_of(record: Any, kind: str = "RESOURCE_TILE") -> Any:
    return next(laid["tile"] for laid in record["tiles"] if laid["tile"]["type"] == kind)


@pytest.mark.parametrize(
    "change",
    [
        lambda r: land_of(r).update(number=2 + land_of(r)["number"] % 11),
        lambda r: land_of(r).update(number=None),
        lambda r: land_of(r).update(type="DESERT"),
        lambda r: land_of(r, "DESERT").update(number=8),
        lambda r: land_of(r, "DESERT").update(resource="WOOD"),
        lambda r: next(p for p in ports_of(r) if p["resource"] is None).update(resource="WOOD"),
        lambda r: ports_of(r)[0].update(direction="EAST"),
        lambda r: ports_of(r)[0].update(type="WATER"),
    ],
)
def test_a_map_other_than_the_standard_one_is_refused(
    change: Any, complete: dict[Path, ForeignGame], tmp_path: Path
) -> None:
    record = json.loads(min(complete).read_text())
    change(record)
    (tmp_path / "x.json").write_text(json.dumps(record))
    with pytest.raises(ForeignError, match=r"^the .* of the map |where there is no land") as caught:
        read_foreign(tmp_path / "x.json")
    assert caught.value.step is None


def test_only_the_rules_pay_the_last_cards_to_the_only_seat_due() -> None:
    board = Board.beginner()
    tile, token = next((t, n) for t, (kind, n) in enumerate(board.tiles) if kind == Terrain.FOREST)
    corners = geometry.TILE_VERTICES[tile]
    held = {Resource.LUMBER: 18}
    short = {"seats": 3, "board": board, "hands": {2: held}, "phase": "roll"}
    alone = Game.from_position(**short, cities={0: [corners[0]]})
    roll, other = entry_of_roll(token), entry_of_roll(token - 1 if token > 2 else token + 1)
    with pytest.raises(ValueError, match="the bank has 1 lumber of 2 due to one seat"):
        check(roll, alone, Action.roll())
    check(other, alone, Action.roll())
    shared = Game.from_position(**short, cities={0: [corners[0]], 1: [corners[2]]})
    check(roll, shared, Action.roll())


def entry_of_roll(total: int) -> Entry:
    """catanatron's entry for a roll of that total."""
    one = max(1, total - 6)
    return Entry(COLORS[0], "ROLL", None, (one, total - one))


def test_two_outcomes_of_a_roll_are_refused(
    complete: dict[Path, ForeignGame], tmp_path: Path
) -> None:
    if not HAS_RECORDS:
        pytest.skip("catanatron writes outcomes twice since 3.3")
    _, number, record = changed(complete, "ROLL", lambda c, k, v, r: [[c, k, [1, 1]], [1, 2]])
    (tmp_path / "x.json").write_text(json.dumps(record))
    with pytest.raises(ForeignError, match="two outcomes") as caught:
        read_foreign(tmp_path / "x.json")
    assert caught.value.step == number and caught.value.kept is not None


def test_a_long_reason_ends_with_dots(complete: dict[Path, ForeignGame], tmp_path: Path) -> None:
    record = json.loads(min(complete).read_text())
    record["player_state"] = dict.fromkeys(record["player_state"], 9)
    (tmp_path / "x.json").write_text(json.dumps(record))
    with pytest.raises(ForeignError, match=r"game ends differently .* \.\.\.$") as caught:
        read_foreign(tmp_path / "x.json")
    assert len(caught.value.reason) <= LONGEST_REASON


def test_the_command_saves_records_and_reports_the_rest(
    complete: dict[Path, ForeignGame], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, record = tmp_path / "saved", tmp_path / "games"
    source.mkdir()
    file, number, broken = changed(complete, "BUILD_CITY", lambda c, k, v, r: [[c, k, 99], r])
    original = complete[file]
    (source / "a.json").write_bytes(file.read_bytes())
    (source / "b.json").write_text(json.dumps(broken))
    (source / "c.json").write_text("rubbish")
    assert main(["import", str(source), "--record", str(record), "--cut"]) == 1
    out, err = capsys.readouterr()
    assert out == "3 files: 1 read, 2 broken, 1 of them saved up to there\n"
    said = [line.split(": ")[1].split(",")[0] for line in err.splitlines()]
    assert said == [f"step {number}", "not JSON"]
    assert read(record / "a.sgn.json").game.to_sgn() == original.game.to_sgn()
    cut = read(record / "b.sgn.json")
    assert cut.events == original.game.events[: len(cut.events)] and not cut.game.is_over
    assert main(["import", str(source / "a.json")]) == 0
    assert capsys.readouterr().out == "1 file: 1 read\n"
