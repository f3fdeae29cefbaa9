"""Statements of a record are verified: each is due, or repeats the present state; else refused."""

import copy
import random
from typing import Any

import pytest

from catan_env import Action, DevelopmentCard, Game
from catan_env.notation import NotationError, loads
from tests.notation.foreign_writer import number_rounds_on, steps_of, written_otherwise
from tests.notation.random_games import random_game
from tests.notation.test_reading import discards

Message = dict[str, Any]
VICTORY_POINT = DevelopmentCard.VICTORY_POINT


def say(player: str, event: str, **value: Any) -> Message:
    return {"uuid": "#", "player": player, "event": event, "value": value}


def written() -> list[Message]:
    """A whole game of four, which has every event."""
    return copy.deepcopy(random_game(8, 4).to_sgn())


def first(messages: list[Message], event: str, after: int = 0, **value: Any) -> int:
    """The index of the first message of an event, and with these values."""
    found = (
        k
        for k in range(after, len(messages))
        if messages[k]["event"] == event and value.items() <= messages[k]["value"].items()
    )
    return next(found)


def assert_refused_at(messages: list[Message], at: int, match: str) -> None:
    with pytest.raises(NotationError, match=match) as caught:
        loads(messages)
    assert caught.value.index == at
    assert str(caught.value).startswith(f"$[{at}]")
    loads(messages[:at])
    with pytest.raises(NotationError):
        loads(messages[: at + 1])


@pytest.mark.parametrize(("event", "key"), [("LR", "length"), ("LA", "strength")])
def test_an_award_is_stated_as_it_is(event: str, key: str) -> None:
    for change in (-1, 1):
        messages = written()
        at = first(messages, event)
        messages[at]["value"][key] += change
        assert_refused_at(messages, at, f"{event} .*; expected {event} .*")


@pytest.mark.parametrize(("event", "key"), [("LR", "length"), ("LA", "strength")])
def test_a_repeated_award_is_the_present_holders(event: str, key: str) -> None:
    messages = written()
    at = first(messages, event)
    due = messages[at]
    assert loads([*messages[: at + 1], due]).game == loads(messages[: at + 1]).game
    for player in set("1234") - {due["player"]}:
        messages = [*messages[: at + 1], {**due, "player": player}]
        assert_refused_at(messages, at + 1, f"{event} .* of {player}")
    wrong = {**due, "value": {key: due["value"][key] + 1}}
    assert_refused_at([*messages[: at + 1], wrong], at + 1, event)


def test_an_award_is_the_admins_or_the_seats_that_takes_it() -> None:
    """A settlement may give Longest Road to another seat than the one on turn."""
    messages = random_game(70, 3).to_sgn()
    at = next(
        k
        for k in range(first(messages, "LR"), len(messages))
        if (messages[k - 1]["event"], messages[k]["event"]) == ("BS", "LR")
        and messages[k]["player"] not in ("A", messages[k - 1]["player"])
    )
    for player in "A123":
        changed = [*messages[:at], {**messages[at], "player": player}, *messages[at + 1 :]]
        if player in ("A", messages[at]["player"]):
            assert loads(changed).game == loads(messages).game
        else:
            assert_refused_at(changed, at, f"LR .* of {player} .*; expected LR")


@pytest.mark.parametrize("event", ["LR", "LA"])
def test_an_award_is_stated_before_the_next_turn_or_the_end(event: str) -> None:
    messages = written()
    at = first(messages, event)
    award = messages.pop(at)
    turn = first(messages, "TS", at)
    assert_refused_at(messages, turn, f"TS .*; expected {event}")
    assert loads([*messages[:turn], award, *messages[turn:]]).game == loads(written()).game


def test_a_longest_road_that_no_seat_holds_is_stated_in_its_turn_or_left_out() -> None:
    """The text has no words for it: LR of length 0 is this package's."""
    messages = random_game(37, 4).to_sgn()
    at = first(messages, "LR", length=0)
    turn = first(messages, "TS", at)
    messages = messages[: first(messages, "DR", turn)]
    game = loads(messages).game
    lost = messages.pop(at)
    assert lost["player"] == "A" and loads(messages).game == game
    assert loads([*messages[: turn - 1], lost, *messages[turn - 1 :]]).game == game
    assert_refused_at([*messages[:turn], lost, *messages[turn:]], turn, "LR")


def test_an_award_that_wins_is_stated_before_the_end() -> None:
    game = random_game(1, 2, "duel")
    messages = game.to_sgn()
    assert game.events[-1].action == Action.play_knight() and messages[-6]["event"] == "LA"
    award = messages.pop(-6)
    ends = messages[-5:]
    assert [message["event"] for message in ends] == ["RE", "PE", "PS", "GO", "PE"]
    begun = messages[:-5]
    for end in ends[1:]:
        assert_refused_at([*begun, end], len(begun), f"{end['event']} .*; expected LA")
    assert loads([*begun, ends[0], award, *ends[:0:-1]]).game == game


def test_the_production_of_a_roll_comes_before_the_next_choice() -> None:
    messages = written()
    at = first(messages, "RP", first(messages, "DR"))
    del messages[at]
    assert_refused_at(messages, at, f"{messages[at]['event']} .*; expected RP")


def two_receive() -> tuple[list[Message], int]:
    """A record, and the place of an RP by which two players gain cards."""
    messages = written()
    rolled = first(messages, "DR")
    at = next(
        k
        for k in range(rolled, len(messages))
        if messages[k]["event"] == "RP" and len(messages[k]["value"]["resources"]) == 3
    )
    return messages, at


def of(share: Message, factor: int = 1) -> list[Message]:
    """The entries of a player and the bank, with the player's cards `factor` times."""
    gained = {k: factor * n for k, n in share.items() if k != "player"}
    bank = {k: -n for k, n in gained.items()}
    return [{"player": share["player"], **gained}, {"player": "B", **bank}]


def test_a_production_in_pieces_is_the_whole_and_no_more() -> None:
    messages, at = two_receive()
    one, other, _ = messages[at]["value"]["resources"]
    begun, rest = messages[:at], messages[at + 1 :]
    pieces = [say("A", "RP", resources=of(share)) for share in (other, one)]
    assert loads([*begun, *pieces, *rest]).game == loads(messages).game
    assert_refused_at([*begun, pieces[0], *rest], at + 1, r"; expected RP .* of A")
    assert_refused_at([*begun, pieces[0], pieces[0], *rest], at + 1, r"RP .*; expected RP")
    assert_refused_at([*begun, *pieces, pieces[1], *rest], at + 2, r"RP .*; expected")
    much = say("A", "RP", resources=of(one, 2))
    assert_refused_at([*begun, much, *rest], at, r"RP .*; expected RP")
    negative = say("A", "RP", resources=of(one, -1))
    assert_refused_at([*begun, negative, *rest], at, r"RP .*; expected RP")
    third = next(n for n in "1234" if n not in (one["player"], other["player"]))
    stranger = say("A", "RP", resources=of({**one, "player": third}))
    assert_refused_at([*begun, stranger, *rest], at, r"RP .*; expected RP")


def test_a_player_states_only_its_own_production() -> None:
    messages, at = two_receive()
    one, other, _ = messages[at]["value"]["resources"]
    on_turn = next(m["player"] for m in reversed(messages[:at]) if m["event"] == "TS")
    silent = next(n for n in "1234" if n != on_turn)
    share = one if one["player"] != silent else other
    piece = say(silent, "RP", resources=of(share))
    assert_refused_at([*messages[:at], piece], at, r"RP .* of \d .*; expected RP")


def test_the_production_of_the_set_up_is_left_out_or_whole() -> None:
    messages = written()
    at = first(messages, "RP")
    assert at < first(messages, "DR") and messages[at - 1]["event"] == "BS"
    own = messages[at]["value"]["resources"][0]
    assert sum(n for n in own.values() if type(n) is int) > 1
    letter = next(k for k in own if k != "player")
    part = of({"player": own["player"], letter: 1})
    messages[at] = {**messages[at], "value": {"resources": part}}
    assert_refused_at(messages, first(messages, "DR"), r"DR .*; expected RP")
    del messages[at]
    game = loads(messages).game
    assert game == loads(written()).game
    late = say("A", "RP", resources=of(own))
    rolled = first(messages, "DR")
    assert loads([*messages[:rolled], late, *messages[rolled:]]).game == game
    assert_refused_at([*messages[: rolled + 1], late], rolled + 1, "RP")


def of_two_discarders() -> tuple[Game, list[Message], int, int]:
    """A game, its record, and the first CR of each of two players on one seven."""
    game = discards(2, "base")
    messages = game.to_sgn()
    for at, message in enumerate(messages):
        if message["event"] == "CR" and messages[at - 1]["event"] == "RA":
            end = first(messages, "RM", at)
            speakers = [message["player"] for message in messages[at:end]]
            if len(set(speakers)) == 2:
                return game, messages, at, at + speakers.count(speakers[0])
    raise AssertionError("no such seven")


def test_discards_in_another_order_are_as_many_as_are_owed() -> None:
    game, messages, one, two = of_two_discarders()
    end = first(messages, "RM", two)
    turned = [*messages[:one], *messages[two:end], *messages[one:two], *messages[end:]]
    assert loads(turned).game == game
    last = one + end - two
    too_many = [*turned[:last], messages[two], *turned[last:]]
    assert_refused_at(too_many, last, "cards that player . holds")
    too_few = [*turned[: last - 1], *turned[last:]]
    assert_refused_at(too_few, end - 1, "discard")
    owed = [{"player": messages[two]["player"], "B": -19}, {"player": "B", "B": 19}]
    impossible = say(messages[two]["player"], "CR", resources=owed)
    assert_refused_at([*messages[:one], impossible], one, "cards that player . holds")


def test_a_record_that_ends_amid_discards_has_those_that_are_in_turn() -> None:
    _, messages, one, two = of_two_discarders()
    end = first(messages, "RM", two)
    others = [*messages[:one], *messages[two:end]]
    assert loads(others).game == loads(messages[:one]).game
    assert loads([*others, messages[one]]).game == loads([*messages[: one + 1]]).game
    whole = [*others, *messages[one:two]]
    assert loads(whole).game == loads(messages[:end]).game


def test_discards_whose_turn_does_not_come_are_refused_but_those_of_a_seat_that_leaves() -> None:
    _, messages, one, two = of_two_discarders()
    first_name, second_name = messages[one]["player"], messages[two]["player"]
    record = [*messages[:one], *messages[two : first(messages, "RM", two)]]
    time_out, chat = say("A", "TE"), say("A", "CH", msg="-")
    for ends in (time_out, {**chat, "x-left": first_name}):
        late = [*record, ends, chat]
        assert_refused_at(late, len(record), f"discards .* player {second_name}")
    leaves = {**chat, "x-left": second_name}
    assert loads([*record, leaves]).game == loads([*messages[:one], leaves]).game


def test_rounds_of_play_are_counted_in_one_way() -> None:
    game = random_game(8, 4)
    counted_on = written_otherwise(game, [number_rounds_on], random.Random(0))
    plain = written()
    assert loads(counted_on).game == game
    play = first(plain, "PS", phase="Play")
    for event, after in (("RS", play + 3), ("RE", play)):
        at = first(plain, event, after)
        for one, other in ((plain, counted_on), (counted_on, plain)):
            mixed = [*one[:at], other[at], *one[at + 1 :]]
            assert_refused_at(mixed, at, f"{event} .*; expected {event}")
    for more in (1, 3):
        wrong = copy.deepcopy(plain)
        at = first(wrong, "RS", play)
        wrong[at]["value"]["round"] += more
        assert_refused_at(wrong, at, r"RS .*; expected RS .*\"round\": 1")


@pytest.mark.parametrize("event", ["RS", "RE", "RA", "RD", "TS", "RP", "TR", "PE", "PS"])
def test_a_statement_is_made_once(event: str) -> None:
    messages = random_game(4, 4, "base", 600).to_sgn()
    at = first(messages, event, first(messages, "DR") if event == "RP" else 1)
    assert_refused_at([*messages[: at + 1], messages[at]], at + 1, event)


@pytest.mark.parametrize("event", ["TS", "GO"])
def test_a_turn_and_a_victory_are_the_seats_or_the_admins(event: str) -> None:
    messages = written()
    at = first(messages, event)
    for name in "A1234":
        changed = [*messages[:at], {**messages[at], "player": name}, *messages[at + 1 :]]
        if name in ("A", messages[at]["player"]):
            assert loads(changed).game == loads(messages).game
        else:
            assert_refused_at(changed, at, f"{event} .* of {name} .*; expected {event}")


def won_with_victory_points() -> tuple[Game, int, int]:
    """A game, its winner, and the number of victory point cards that it holds."""
    for seed in range(100):
        game = random_game(seed, 3)
        if game.winner == game.turn_seat and (points := game.cards(game.winner)[VICTORY_POINT]):
            return game, game.winner, points
    raise AssertionError("no such game")


def test_victory_points_are_shown_by_the_winner_after_the_winning_choice_only() -> None:
    game, winner, points = won_with_victory_points()
    messages, shown = game.to_sgn(), say(str(winner + 1), "PD", cCode="VP")
    end = len(messages) - 5
    assert messages[end]["event"] == "RE"
    assert loads([*messages[:end], *[shown] * points, *messages[end:]]).game == game
    assert loads([*messages[: end + 1], shown, *messages[end + 1 :]]).game == game
    assert_refused_at([*messages[:end], *[shown] * (points + 1)], end + points, "PD")
    assert_refused_at([*messages, shown], len(messages), "over")
    other = {**shown, "player": str((winner + 1) % 3 + 1)}
    assert_refused_at([*messages[:end], other], end, "PD")
    choice = len(messages) - len(steps_of(game, None)[-1].messages)
    assert_refused_at([*messages[:choice], shown], choice, "kept, not played")


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_a_record_of_one_seat_need_not_name_the_winner(viewer: int) -> None:
    """The end without GO, or GO of A, is the victory of the player on turn."""
    for seed in range(12):
        game = random_game(seed, 3, "base")
        messages, view = game.to_sgn(viewer=viewer), game.view(viewer)
        if game.winner is None:
            continue
        go = first(messages, "GO")
        of_admin = {**messages[go], "player": "A"}
        assert loads(messages[:go] + messages[go + 1 :]).view() == view
        assert loads([*messages[:go], of_admin, *messages[go + 1 :]]).view() == view
        end = len(messages) - 5
        if game.events[-1].action.kind.name not in ("END_TURN", "LEAVE"):
            turn_ends = say(str(game.winner + 1), "TE")
            assert loads([*messages[:end], turn_ends, *messages[end:]]).view() == view
