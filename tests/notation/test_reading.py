"""Accepted records: other writers' conventions, open offers, and records without our extensions."""

import copy
import random
from typing import Any

import pytest

from catan_env import Action, ActionKind, Board, Game, Resource, Rules
from catan_env.notation import NotationError, loads, places, to_sgn
from tests.notation.random_games import random_game, rules_named

BRICK, GRAIN, LUMBER, ORE, WOOL = Resource


def plain(value: Any) -> Any:
    """The same record as another program would write it: no extensions, numbers as strings."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items() if not key.startswith("x-")}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return str(value) if type(value) is int else value


def as_others_write(message: dict[str, Any]) -> dict[str, Any]:
    written = {**message, "value": plain(message["value"])}
    written.pop("batch", None)
    return written


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_record_without_extensions_is_read_on_its_board_with_seed_0(seats: int) -> None:
    first = random_game(seats, seats, "base", 0)
    game = Game(seats, seed=0, board=first.board)
    for action in random_moves(seats):
        if action in game.legal_actions:
            game.play(action)
    record = loads([as_others_write(message) for message in game.to_sgn()])
    assert record.game == game
    assert record.game.seed == 0


def random_moves(seed: int) -> list[Action]:
    return [event.action for event in random_game(seed, 3, "base", 300).events]


def message(player: int, event: str, uuid: str = "#", **value: Any) -> dict[str, Any]:
    return {"uuid": uuid, "player": str(player + 1), "event": event, "value": value}


def discarding() -> Game:
    for seed in range(3000):
        game = random_game(seed, 3, "base", 200)
        if game.phase.name == "DISCARD" and max(map(game.owes, range(3))) >= 4:
            return game
    raise AssertionError("no such game")


@pytest.mark.parametrize("rules", ["base", "tournament"])
def test_a_seat_that_places_may_announce_its_first_cards(rules: str) -> None:
    game = random_game(3, 4, rules, 20)
    messages, on_turn, said = game.to_sgn(), "", 0
    for message in messages:
        if message["event"] == "TS":
            on_turn = message["player"]
        elif message["event"] in ("RP", "RA", "RD"):
            message["player"] = on_turn
            said += 1
    assert said >= 4 and loads(messages).game == game
    first = next(k for k, message in enumerate(messages) if message["event"] == "RP")
    messages[first]["player"] = str(int(messages[first]["player"]) % 4 + 1)
    with pytest.raises(NotationError, match="RP") as caught:
        loads(messages)
    assert caught.value.index == first


def test_several_cards_may_be_conceded_together() -> None:
    game = discarding()
    seat, letters = game.seat, "BGLOW"
    gone = dict.fromkeys(letters, 0)
    messages = game.to_sgn()
    while game.phase.name == "DISCARD" and game.seat == seat:
        action = next(iter(game.legal_actions))
        gone[letters[action.args[0]]] += 1
        game.play(action)
    shares = [
        {"player": str(seat + 1), **{letter: -n for letter, n in gone.items()}},
        {"player": "B", **gone},
    ]
    assert loads([*messages, message(seat, "CR", resources=shares)]).game == game


def conceded_together(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same messages with one CR for the consecutive discards of a player."""
    said: list[dict[str, Any]] = []
    for message in messages:
        message = {key: value for key, value in message.items() if key != "batch"}
        last = said[-1] if said else message
        if message["event"] == last["event"] == "CR" and message["player"] == last["player"]:
            pairs = zip(last["value"]["resources"], message["value"]["resources"], strict=True)
            message["value"] = {"resources": [both(*pair) for pair in pairs]}
            said.pop()
        said.append(message)
    return said


def both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two entries of a party as one."""
    counts = [{k: n for k, n in share.items() if k != "player"} for share in (one, other)]
    total = {k: sum(count.get(k, 0) for count in counts) for k in counts[0] | counts[1]}
    return {"player": one["player"], **total}


def discards(seed: int, rules: str) -> Game:
    """A game in which no card leaves a hand but on sevens."""
    game, chance = Game(2, seed, rules_named(rules)), random.Random(seed)
    while not game.is_over and game.turn < 60:
        kept = [a for a in game.legal_actions if game.turn == 0 or a.kind in HOARDING]
        game.play(chance.choice(kept or list(game.legal_actions)))
    return game


HOARDING = {ActionKind.ROLL, ActionKind.END_TURN, ActionKind.DISCARD, ActionKind.MOVE_ROBBER}


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize("rules", ["base", "tournament", "tournament, placed at random"])
def test_all_cards_of_a_discard_may_be_conceded_together(rules: str, viewer: int | None) -> None:
    """Also where the table chooses them."""
    game = discards(2, rules)
    messages = game.to_sgn(viewer=viewer)
    together = conceded_together(messages)
    assert len(messages) > len(together) + 3
    assert loads(together).position == (game if viewer is None else game.view(viewer))


def test_cards_conceded_together_are_those_that_the_table_takes() -> None:
    messages = conceded_together(discards(2, "tournament").to_sgn())
    at = next(k for k, message in enumerate(messages) if message["event"] == "CR")
    own, bank = messages[at]["value"]["resources"]
    # Cards that are missing might follow, until the robber moves.
    robber = next(k for k in range(at, len(messages)) if messages[k]["event"] == "RM")
    for letter, change in (("B", 1), ("W", 1), ("L", -1)):
        wrong = copy.deepcopy(messages)
        for share, sign in ((own, -1), (bank, 1)):
            k = messages[at]["value"]["resources"].index(share)
            share = {**share, letter: share.get(letter, 0) + sign * change}
            wrong[at]["value"]["resources"][k] = share
        with pytest.raises(NotationError) as caught:
            loads(wrong)
        assert caught.value.index == (at if change > 0 else robber)


@pytest.mark.parametrize(("seats", "rules"), [(4, "base"), (4, "colonist"), (2, "colonist_1v1")])
@pytest.mark.parametrize("viewer", [None, 1])
def test_a_roll_without_dice_is_some_roll_of_that_total(
    seats: int, rules: str, viewer: int | None
) -> None:
    """It is one that balanced dice can still give."""
    for seed in (4, 5, 6):
        game = random_game(seed, seats, rules, 400)
        messages = game.to_sgn(viewer=viewer)
        for message in messages:
            message.pop("x-dice", None)
        record = loads(messages)
        assert rolls_of(record.events) == rolls_of(game.events)
        if viewer is None and rules == "base":
            assert record.game == game


@pytest.mark.parametrize("as_written", [int, str])
def test_a_roll_without_balanced_dice_leaves_the_pairs_that_later_rolls_name(
    as_written: Any,
) -> None:
    for seed in range(12):
        chance = random.Random(seed)
        game = random_game(seed, 2, "colonist_1v1", 600)
        messages = game.to_sgn()
        for message in messages:
            dice = message.pop("x-dice", None)
            if dice is not None and chance.random() < 0.6:
                message["x-dice"] = [as_written(die) for die in dice]
        assert rolls_of(loads(messages).events) == rolls_of(game.events)


def rolls_of(events: Any) -> list[int]:
    return [sum(event.outcome) for event in events if event.action == Action.roll()]


def test_unknown_extensions_are_ignored() -> None:
    game = random_game(4, 4, "base", 60)
    messages = game.to_sgn()
    for message in messages:
        message["x-colour"] = message["value"]["x-mood"] = "blue"
    assert loads(messages).game == game
    messages[9]["value"]["mood"] = "blue"
    with pytest.raises(NotationError) as caught:
        loads(messages)
    assert caught.value.index == 9


def test_a_key_that_no_value_has_is_refused_in_every_message() -> None:
    messages = random_game(4, 4, "base", 400).to_sgn()
    messages.insert(60, message(0, "CH", msg="Good luck!"))
    for event in {message["event"] for message in messages}:
        at = next(k for k, message in enumerate(messages) if message["event"] == event)
        wrong = copy.deepcopy(messages[: at + 1])
        wrong[at]["value"]["mood"] = "blue"
        with pytest.raises(NotationError, match=f"'mood'; {event} has no such key") as caught:
            loads(wrong)
        assert caught.value.index == at


@pytest.mark.parametrize(
    ("find", "path"),
    [
        (lambda messages: messages[4]["value"]["tiles"][3], "$[4].value.tiles[3]"),
        (lambda messages: messages[4]["value"]["harbors"][3], "$[4].value.harbors[3]"),
        (lambda messages: messages[0]["x-game"], "$[0].x-game"),
    ],
)
def test_a_key_that_no_part_of_the_set_up_has_is_refused(find: Any, path: str) -> None:
    game = random_game(4, 3, "base", 20)
    messages = game.to_sgn()
    find(messages)["x-mood"] = "blue"
    assert loads(messages).game == game
    find(messages)["rule"] = {"name": "duel"}
    with pytest.raises(NotationError, match=r"'rule'; .* has no such key") as caught:
        loads(messages)
    assert caught.value.path == path


def test_the_set_up_is_the_admins() -> None:
    messages = random_game(4, 3, "base", 20).to_sgn()
    messages[0]["player"] = "zed"
    with pytest.raises(NotationError, match="'zed'; expected A, the admin") as caught:
        loads(messages)
    assert caught.value.path == "$[0].player"


def test_the_map_may_come_before_the_players() -> None:
    game = random_game(4, 3, "base", 60)
    messages = game.to_sgn()
    assert [message["event"] for message in messages[:5]] == ["PS", "PA", "PA", "PA", "MD"]
    assert loads([messages[0], messages[4], *messages[1:4], *messages[5:]]).game == game


@pytest.mark.parametrize("layout", ["spiral", "random_tokens"])
def test_the_harbours_of_a_laid_map_and_their_ends_may_be_in_any_order(layout: str) -> None:
    game = Game(3, seed=5, board=layout)
    messages = game.to_sgn()
    harbours = next(message for message in messages if message["event"] == "MD")["value"]["harbors"]
    for harbour in harbours:
        harbour["path"].reverse()
    harbours.reverse()
    record = loads(messages)
    assert record.game == game
    assert record.table is not None and record.table.board == game.board
    harbours[0]["hCode"] = "HRO" if harbours[0]["hCode"] == "HRW" else "HRW"
    with pytest.raises(NotationError, match="another map"):
        loads(messages)


def test_a_given_map_keeps_the_order_of_its_harbours_and_their_ends() -> None:
    messages = Game(3, seed=5, board=Board.beginner()).to_sgn()
    harbours = next(message for message in messages if message["event"] == "MD")["value"]["harbors"]
    harbours[0]["path"].reverse()
    harbours.reverse()
    game = loads(messages).game
    (a, b), *_ = Board.beginner().harbours[0]
    assert game.board.harbours[-1].vertices == (b, a)
    assert Game.from_sgn(game.to_sgn()) == game


def won_by_a_knight(viewer: int | None = None) -> tuple[Game, list[dict[str, Any]]]:
    """A game that the knight of its last event wins (C191), and its record."""
    game = random_game(1, 2, "duel")
    assert game.is_over and game.events[-1].action == Action.play_knight()
    return game, game.to_sgn(viewer=viewer)


def waking(messages: list[dict[str, Any]], player: str) -> list[dict[str, Any]]:
    """The record with RA after the knight, as this package wrote until 0.2."""
    end = len(messages) - 5
    assert messages[end]["event"] == "RE"
    woken = {"uuid": "woken", "player": player, "event": "RA", "value": {}}
    return [*messages[:end], woken, *messages[end:]]


def test_a_knight_that_wins_wakes_no_robber() -> None:
    _, messages = won_by_a_knight()
    events = [message["event"] for message in messages[-7:]]
    assert events == ["PD", "LA", "RE", "PE", "PS", "GO", "PE"]


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize("player", ["A", "on turn"])
def test_a_robber_woken_by_a_knight_that_wins_is_read(viewer: int | None, player: str) -> None:
    game, messages = won_by_a_knight(viewer)
    name = messages[-7]["player"] if player == "on turn" else player
    for record in (messages, waking(messages, name)):
        read = loads(record)
        assert read.position is not None and read.position.is_over
        assert read.position.winner == game.winner
    if viewer is None:
        assert loads(waking(messages, name)).game == game


def test_the_robber_of_a_knight_that_wins_is_read_over_and_does_not_move() -> None:
    game, messages = won_by_a_knight()
    woken = waking(messages, "A")
    tile = next(q for q in ([0, 0], [1, 0]) if places.to_tile(q, "") != game.robber)
    move = {**messages[-7], "uuid": "move", "event": "RM", "value": {"tile": tile}}
    assert loads([*woken[:-5], move, *woken[-5:]]).game == game
    stays = {**move, "value": {"tile": places.tile_place(game.robber)}}
    for wrong in ([stays], [move, move], [{**move, "player": "A"}]):
        with pytest.raises(NotationError, match="RM") as caught:
            loads([*woken[:-5], *wrong, *woken[-5:]])
        assert caught.value.index == len(woken) - 6 + len(wrong)
    with pytest.raises(NotationError, match="over"):
        loads([*woken, move])


def test_a_harbour_is_on_a_path_at_the_sea() -> None:
    messages = Game(3, seed=5, board=Board.beginner()).to_sgn()
    harbours = next(message for message in messages if message["event"] == "MD")["value"]["harbors"]
    harbours[4]["path"] = places.path((8, 15))
    with pytest.raises(NotationError, match="both hexes beside its path are land") as refused:
        loads(messages)
    assert refused.value.path == "$[4].value.harbors[4].path"


def test_two_harbours_are_on_different_paths() -> None:
    messages = Game(3, seed=5, board=Board.beginner()).to_sgn()
    harbours = next(message for message in messages if message["event"] == "MD")["value"]["harbors"]
    harbours[6]["path"] = harbours[2]["path"][::-1]
    with pytest.raises(NotationError, match="another harbour is on the same path") as refused:
        loads(messages)
    assert refused.value.path == "$[4].value.harbors[6].path"


def test_a_set_up_without_a_game_is_a_record() -> None:
    messages = random_game(4, 3, "base", 0).to_sgn()
    record = loads(messages[:3])
    assert record.table is None and record.position is None
    with pytest.raises(NotationError, match="before the map"):
        _ = record.game
    assert loads(messages[:6]).game.phase.name == "PLACE_SETTLEMENT"


@pytest.mark.parametrize(
    ("change", "path", "said"),
    [
        ({"seed": "-1"}, "$[0].x-game.seed", "-1; expected 0"),
        ({"seed": "six"}, "$[0].x-game.seed", "whole number"),
        ({"layout": "round"}, "$[0].x-game.layout", "spiral"),
        ({"layout": "spiral", "seed": "3"}, "$[4].value", "another map"),
        ({"first_seat": 3}, "$[5].event", "first to place"),
        ({"rules": {"name": "base", "points_to_win": 99}}, "$[0].x-game.rules", "3..22"),
        ({"rules": {"name": "base", "speed": 1}}, "$[0].x-game.rules", "placement"),
        ({"rules": {"name": "duel"}}, "$[5]", "2 seats"),
    ],
)
def test_the_agreed_settings_are_checked(change: Any, path: str, said: str) -> None:
    messages = random_game(5, 3, "base", 20).to_sgn()
    messages[0]["x-game"] |= change
    with pytest.raises(NotationError, match=said) as caught:
        loads(messages)
    assert caught.value.path == path
    assert caught.value.uuid == messages[int(path[2])]["uuid"]


def test_rules_left_out_are_the_booklets() -> None:
    messages = Game(3, seed=1).to_sgn()
    messages[0]["x-game"]["rules"] = {"name": "house", "win_at_once": False}
    assert loads(messages).game.rules == Rules("house", win_at_once=False)


def test_a_game_is_over_when_it_is_over() -> None:
    game = random_game(6, 2, "duel")
    messages = game.to_sgn()
    assert [message["event"] for message in messages[-5:]] == ["RE", "PE", "PS", "GO", "PE"]
    assert messages[-2]["player"] == str((game.winner or 0) + 1)
    with pytest.raises(NotationError, match="over") as caught:
        loads([*messages, message(0, "TE")])
    assert caught.value.index == len(messages)
    chat = message(0, "CH", msg="Good game.")
    assert loads([*messages, chat]).chat[-1].text == "Good game."


def test_only_a_player_or_the_admin_can_chat_also_before_the_set_up_names_them() -> None:
    messages = Game(3, seed=5).to_sgn(players=["Ann", "Ben", "Cleo"])
    for at in range(len(messages) + 1):
        for name in ("guest", "B", ""):
            chat = {**message(0, "CH", msg="Hello."), "player": name}
            with pytest.raises(NotationError, match="a player's name: Ann, Ben, Cleo") as caught:
                loads([*messages[:at], chat, *messages[at:]])
            assert (caught.value.index, caught.value.path) == (at, f"$[{at}].player")
        for name in ("A", "Cleo"):
            chat = {**message(0, "CH", msg="Hello."), "player": name}
            record = loads([*messages[:at], chat, *messages[at:]])
            assert loads(to_sgn(record.game, record.players, record.chat)).chat == record.chat


def test_awards_and_cards_cannot_be_left_out() -> None:
    messages = random_game(8, 4).to_sgn()
    rolled = next(k for k, message in enumerate(messages) if message["event"] == "DR")
    for code in ("RP", "LR", "LA", "TS", "RR", "MO", "YP"):
        at = next(k for k in range(rolled, len(messages)) if messages[k]["event"] == code)
        less = copy.deepcopy(messages)
        del less[at]
        with pytest.raises(NotationError) as caught:
            loads(less)
        # An award may be stated until the next turn starts.
        late = [k for k in range(at, len(less)) if less[k]["event"] == "TS"]
        assert caught.value.index == (late[0] if code in ("LR", "LA") else at)


def game_and_robberies(seed: int, seats: int) -> tuple[Game, list[bool]]:
    """A random game; by move of the robber, True if rivals are at the tile, all without a card."""
    chance, game, empty = random.Random(seed), Game(seats, seed=seed), []
    while not game.is_over:
        sizes = [game.hand_size(seat) for seat in range(seats)]
        event = game.play(chance.choice(game.legal_actions))
        if event.action.kind == ActionKind.MOVE_ROBBER:
            rivals = [of for of in game.seats_at(event.action.args[0]) if of != event.seat]
            empty.append(bool(rivals) and not any(sizes[of] for of in rivals))
    return game, empty


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_robbery_may_be_left_out_if_no_rival_at_the_tile_has_a_card(seats: int) -> None:
    """Nothing moves, and the text's RR is "Robber rob {resources}"."""
    left_out = 0
    for seed in range(7, 12):
        game, empty = game_and_robberies(seed, seats)
        messages = game.to_sgn()
        moves = [k for k, message in enumerate(messages) if message["event"] == "RM"]
        gone = [k + 1 for k, is_empty in zip(moves, empty, strict=True) if is_empty]
        assert all(messages[k]["event"] == "RR" for k in gone)
        read = loads([message for k, message in enumerate(messages) if k not in gone]).game
        hands = [[of.hand(seat) for seat in range(seats)] for of in (game, read)]
        assert hands[0] == hands[1]
        assert (read.robber, read.turn, read.winner) == (game.robber, game.turn, game.winner)
        left_out += len(gone)
    assert left_out


@pytest.mark.parametrize(("event", "number"), [("RS", True), ("RE", 1.0), ("DR", True)])
def test_only_whole_numbers_and_strings_count_as_numbers(event: str, number: object) -> None:
    messages = random_game(8, 4).to_sgn()
    at = next(k for k, message in enumerate(messages) if message["event"] == event)
    key = "result" if event == "DR" else "round"
    messages[at]["value"][key] = number
    with pytest.raises(NotationError, match="expected a whole number") as caught:
        loads(messages)
    assert caught.value.path == f"$[{at}].value.{key}"


def test_a_count_of_cards_is_not_a_boolean() -> None:
    messages = random_game(8, 4).to_sgn()
    at, share, letter = next(
        (k, share, letter)
        for k, message in enumerate(messages)
        if message["event"] == "RP"
        for share in message["value"]["resources"]
        for letter in share
        if share[letter] == 1
    )
    share[letter] = True
    with pytest.raises(NotationError, match="expected a whole number") as caught:
        loads(messages)
    assert caught.value.index == at
