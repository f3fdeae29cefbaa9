"""A written record is read back as the same game, byte for byte."""

import random
from dataclasses import replace
from uuid import uuid5

import pytest

from catan_env import Action, Board, Game, Resource, Rules
from catan_env.core.constants import Placement
from catan_env.game.board import Harbour, Tile
from catan_env.notation import (
    Chat,
    NotationError,
    dumps,
    loads,
    read_games,
    read_records,
    to_sgn,
    write,
    write_game,
)
from catan_env.notation.messages import EVENTS
from catan_env.notation.writer import NAMESPACE
from tests.notation.random_games import TABLES, random_game


@pytest.mark.parametrize(("seats", "rules"), TABLES, ids=lambda value: str(value))
def test_a_game_written_and_read_is_the_same_game(seats: int, rules: str, games: int) -> None:
    chance = random.Random(0)
    for seed in range(-(-games // 10 // len(TABLES)) + 1):
        length = None if seed % 20 == 0 else chance.randrange(500)
        game = random_game(seed, seats, rules, length)
        messages = game.to_sgn()
        record = loads(dumps(messages))
        assert record.game.state_bytes() == game.state_bytes()
        assert record.game.rules == game.rules
        assert record.events == game.events
        if seed % 10 == 0:  # equal games give equal records
            assert record.game.to_sgn() == messages


def test_the_random_games_hold_all_event_codes() -> None:
    said = {"CH", "TC", "VI"}
    for seed in range(40):
        said |= {message["event"] for message in random_game(seed, 3).to_sgn()}
        if said >= EVENTS:
            break
    assert said == EVENTS


@pytest.mark.parametrize(
    "seats", [3, *(pytest.param(seats, marks=pytest.mark.nightly) for seats in (2, 4))]
)
def test_a_record_cut_short_anywhere_is_read_up_to_there(seats: int) -> None:
    game = random_game(seats, seats, "base", 130)
    messages = game.to_sgn()
    seen = -1
    for end in range(len(messages) + 1):
        record = loads(messages[:end])
        assert record.events == game.events[: len(record.events)]
        assert len(record.events) >= seen
        seen = len(record.events)
        if record.position is not None:
            again = record.game.to_sgn()
            assert again[: min(len(again), end)] == messages[: min(len(again), end)]
    assert seen == len(game.events)


def test_a_text_cut_short_anywhere_is_read_up_to_there() -> None:
    game = random_game(5, 3, "base", 16)
    text = dumps(game.to_sgn())
    seen = 0
    for end in range(1, len(text) - 1, 7):
        record = loads(text[:end])
        assert record.is_cut
        assert record.events == game.events[: len(record.events)]
        assert len(record.events) >= seen
        seen = len(record.events)
    assert seen >= len(game.events) - 1
    assert loads(text).game == game and not loads(text).is_cut


def test_a_file_of_one_message_per_line_is_also_read() -> None:
    game = random_game(1, 4, "base", 100)
    lines = "\n".join(dumps([message]).strip("[]\n") for message in game.to_sgn())
    assert loads(lines).game == game


TABLE_DISCARDS = replace(Rules.jsettlers(), chosen_discards=False, placement=Placement.PIPS)


@pytest.mark.parametrize(
    ("seats", "rules"),
    [*TABLES, (3, "jsettlers"), (4, TABLE_DISCARDS)],
    ids=lambda at: str(at)[:40],
)
def test_chat_stays_after_the_same_event(seats: int, rules: str | Rules) -> None:
    for seed in range(4):
        chance = random.Random(seed)
        game = random_game(seed, seats, rules, (0, 30, 200, 600)[seed])
        places = sorted(chance.randrange(len(game.events) + 1) for _ in range(40))
        chat = tuple(Chat(after, chance.choice("A12"), "...", f"{after}") for after in places)
        text = dumps(to_sgn(game, chat=chat))
        record = loads(text)
        assert record.chat == chat
        assert dumps(to_sgn(record.game, chat=record.chat)) == text


def test_chat_within_a_batch_comes_after_its_event() -> None:
    game = random_game(3, 3, "base", 200)
    messages = game.to_sgn()
    said = {"uuid": "", "player": "1", "event": "CH", "value": {"msg": "Hm."}}
    opening = next(k for k, message in enumerate(messages) if message["event"] == "PE")
    begun = -1  # the opening is a batch without an event
    for at in range(opening, len(messages)):
        begun += messages[at].get("batch", [1, 1])[0] == 1
        record = loads([*messages[: at + 1], said, *messages[at + 1 :]])
        assert record.chat[0].after == begun


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (Chat(9, "1", "late"), "chat[1].after"),
        (Chat(-1, "1", "early"), "chat[1].after"),
        (Chat(0, "Zed", "a stranger"), "chat[1].player"),
        (Chat(0, "B", "the bank"), "chat[1].player"),
        (Chat(0, "1", "\ud800"), "chat[1].text"),
        (Chat(0, "1", "ok", "\ud800"), "chat[1].uuid"),
    ],
)
def test_chat_that_a_record_cannot_hold_is_refused(line: Chat, path: str) -> None:
    game = random_game(3, 3, "base", 8)
    assert len(loads(to_sgn(game, chat=[Chat(8, "A", "the last")])).chat) == 1
    with pytest.raises(NotationError) as caught:
        to_sgn(game, chat=[Chat(0, "A", "the first"), line])
    assert caught.value.path == path


def test_names_and_chat_stay_in_their_places() -> None:
    game = random_game(3, 3, "base", 120)
    chat = (
        Chat(0, "A", "Good luck!", "first"),
        Chat(7, "Cleo", "Let's do this!", "second"),
        Chat(7, "Ann", "I'm gonna get you! \u2028</script>", "third"),
        Chat(len(game.events), "Ben", "Good game.", "last"),
    )
    messages = to_sgn(game, players=["Ann", "Ben", "Cleo"], chat=chat)
    record = loads(dumps(messages))
    assert (record.players, record.chat) == (("Ann", "Ben", "Cleo"), chat)
    assert record.game == game
    assert to_sgn(record.game, players=record.players, chat=record.chat) == messages
    bare = to_sgn(game, players=["Ann", "Ben", "Cleo"])
    assert [message for message in messages if message["event"] != "CH"] == bare


def test_the_same_seed_gives_the_same_uuids_and_another_seed_others() -> None:
    one, two, other = (random_game(seed, 2, "duel", 60).to_sgn() for seed in (4, 4, 5))
    assert one == two
    uuids = [message["uuid"] for message in one]
    assert uuids == [str(uuid5(NAMESPACE, f"4 {number}")) for number in range(len(one))]
    assert len(set(uuids)) == len(uuids)
    assert not set(uuids) & {message["uuid"] for message in other}


@pytest.mark.parametrize("names", [("1", "2"), ("1", "1", "2"), ("A", "x", "y"), ("", "x", "y")])
def test_names_must_be_different_and_not_reserved(names: tuple[str, ...]) -> None:
    with pytest.raises(NotationError):
        random_game(0, 3, "base", 1).to_sgn(players=names)


def test_boards_with_unusual_harbours_come_back() -> None:
    usual = Board.beginner()
    rates = (Harbour((0, 1), Resource.ORE, 4), *usual.harbours[1:])
    first = usual.harbours[0].vertices
    board = Board(usual.tiles, (rates[0]._replace(vertices=(first[1], first[0])), *rates[1:8]))
    game = Game(2, seed=9, board=board)
    assert Game.from_sgn(game.to_sgn()) == game
    assert Game.from_sgn(game.to_sgn()).board == board


def test_a_board_that_the_notation_cannot_express_is_refused() -> None:
    usual = Board.beginner()
    sevens = Board((Tile(usual.tiles[0].terrain, 7), *usual.tiles[1:]), usual.harbours)
    apart = Board(usual.tiles, (Harbour((0, 53), None, 3),))
    inland = Board(usual.tiles, (Harbour((8, 15), None, 3),))
    twice = Board(usual.tiles, (*usual.harbours, usual.harbours[3]))
    for board, said in (
        (sevens, "token 7"),
        (apart, "is not on an edge"),
        (inland, "harbour 0 of the board cannot be written: both hexes"),
        (twice, "harbour 9 of the board cannot be written: another harbour"),
    ):
        with pytest.raises(NotationError, match=said):
            Game(2, seed=1, board=board).to_sgn()


def test_a_game_that_did_not_start_at_the_beginning_is_refused() -> None:
    game = Game.from_position(
        board=Board.beginner(), seats=2, settlements={0: [10], 1: [40]}, phase="roll"
    )
    for action in (Action.roll(), Action.end_turn()):
        with pytest.raises(NotationError, match="set-up"):
            game.to_sgn()
        game.play(action, (1, 1) if action == Action.roll() else None)


def test_custom_rules_come_back() -> None:
    rules = Rules("house", points_to_win=12, offers_per_turn=1, chosen_discards=False)
    game = Game(3, seed=8, rules=rules)
    assert Game.from_sgn(game.to_sgn()).rules == rules


def test_a_record_that_cannot_be_written_leaves_no_file(tmp_path) -> None:
    (tmp_path / "one.sgn.json").mkdir()
    with pytest.raises(IsADirectoryError, match=r"/one\.sgn\.json'$"):
        write(tmp_path / "one.sgn.json", random_game(1, 2, "duel", 80).to_sgn())
    assert [file.name for file in tmp_path.iterdir()] == ["one.sgn.json"]


def test_a_folder_is_read_lazily_in_order(tmp_path) -> None:
    games = [random_game(seed, 2, "duel", 80) for seed in range(3)]
    for number, game in enumerate(games):
        write_game(tmp_path / "kept", game, ["builder", "builder"], f"{number}")
    (tmp_path / "kept" / "notes.txt").write_text("not a record")
    (tmp_path / "kept" / "3.sgn.json").write_text("{")
    records = read_records(tmp_path / "kept")
    assert next(records).players == ("builder 1", "builder 2")
    read = read_games(tmp_path / "kept")
    assert [next(read) for _ in games] == games
    with pytest.raises(NotationError):
        next(read)
    write(tmp_path / "one.sgn.json", games[0].to_sgn())
    assert list(read_games(tmp_path / "one.sgn.json")) == games[:1]
