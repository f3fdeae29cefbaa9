"""Offers in records of other writers: their makers, their answers, and how long they stay open."""

from typing import Any

import pytest

from catan_env import Action, Game, Resource
from catan_env.notation import NotationError, loads
from tests.notation.random_games import random_game

BRICK, GRAIN, LUMBER, ORE, WOOL = Resource


def in_main(seats: int = 3) -> Game:
    """A game after a roll of the first seat, which holds wool; the second seat holds ore."""
    for seed in range(3000):
        game = random_game(seed, seats, "base", 260)
        on = game.seat
        is_right = game.phase.name == "MAIN" and not game.longest_road_seat
        if is_right and game.hand(on)[WOOL] >= 2 and game.hand((on + 1) % seats)[ORE] >= 2:
            if all(game.is_playing(seat) for seat in range(seats)):
                return game
    raise AssertionError("no such game")


def offer(seat: int, to: int, give: str, get: str, uuid: str) -> dict[str, Any]:
    shares = [
        {"player": str(seat + 1), give: -1, get: 1},
        {"player": str(to + 1), give: 1, get: -1},
    ]
    value = {"resources": shares}
    return {"uuid": uuid, "player": str(seat + 1), "event": "TO", "value": value}


def fulfilled(seat: int, to: int, give: str, get: str) -> dict[str, Any]:
    return {**offer(seat, to, give, get, "#"), "player": "A", "event": "TR"}


def test_an_unanswered_offer_ends_with_the_turn() -> None:
    game = in_main()
    on, to = game.seat, (game.seat + 1) % 3
    messages = game.to_sgn()
    after = game.copy()
    after.play(Action.end_turn())
    ending = after.to_sgn()[len(messages) :]
    game.play(Action.offer(1, WOOL, ORE))
    made = offer(on, to, "W", "O", "open")
    assert loads([*messages, made]).game == game
    game.play(Action.reject())
    game.play(Action.end_turn())
    assert loads([*messages, made, *ending]).game == game
    with pytest.raises(NotationError, match="open in this turn"):
        loads([*messages, made, *ending, answer(to, "TA", "open")])


def answer(seat: int, event: str, of: str) -> dict[str, Any]:
    return {"uuid": "#", "player": str(seat + 1), "event": event, "value": {"uuid": of}}


def test_several_offers_may_be_open_and_one_be_accepted() -> None:
    game = in_main()
    on, to = game.seat, (game.seat + 1) % 3
    other = (on + 2) % 3
    messages = [
        *game.to_sgn(),
        offer(on, to, "W", "O", "first"),
        offer(on, other, "W", "B", "second"),
        answer(other, "TD", "second"),
        answer(to, "TA", "first"),
        fulfilled(on, to, "W", "O"),
    ]
    read = loads(messages).game
    assert read.hand(on)[ORE] == game.hand(on)[ORE] + 1
    assert read.hand(to)[WOOL] == game.hand(to)[WOOL] + 1
    assert read.hand(other) == game.hand(other)


def test_an_offer_may_be_cancelled_by_its_maker_alone() -> None:
    game = in_main()
    on, to = game.seat, (game.seat + 1) % 3
    messages = [*game.to_sgn(), offer(on, to, "W", "O", "x")]
    with pytest.raises(NotationError) as caught:
        loads([*messages, answer(to, "TC", "x")])
    assert caught.value.path.endswith(".player")
    cancelled = [*messages, answer(on, "TC", "x")]
    assert loads(cancelled).game.hand(on) == game.hand(on)
    with pytest.raises(NotationError, match="open in this turn"):
        loads([*cancelled, answer(to, "TA", "x")])


def test_a_seat_may_offer_to_the_seat_on_turn() -> None:
    game = in_main()
    on, to = game.seat, (game.seat + 1) % 3
    messages = [*game.to_sgn(), offer(to, on, "O", "W", "counter")]
    assert loads(messages).game == game
    accepted = [*messages, answer(on, "TA", "counter"), fulfilled(to, on, "O", "W")]
    game.play(Action.offer(1, WOOL, ORE))
    game.play(Action.accept())
    assert loads(accepted).game == game
    declined = [*messages, answer(on, "TD", "counter")]
    assert loads(declined).game.phase.name == "MAIN"


def test_seats_off_turn_do_not_trade_with_each_other() -> None:
    game = in_main()
    on, messages = game.seat, game.to_sgn()
    with pytest.raises(NotationError) as caught:
        loads([*messages, offer((on + 1) % 3, (on + 2) % 3, "O", "W", "x")])
    assert caught.value.index == len(messages)


def test_two_open_offers_have_different_uuids() -> None:
    game = in_main()
    made = offer(game.seat, (game.seat + 1) % 3, "W", "O", "x")
    with pytest.raises(NotationError) as caught:
        loads([*game.to_sgn(), made, made])
    assert caught.value.path.endswith(".uuid")


def test_the_offers_of_seats_off_turn_have_no_surplus_keys() -> None:
    game = in_main()
    on, to = game.seat, (game.seat + 1) % 3
    made = offer(to, on, "O", "W", "counter")
    for wrong in (made, answer(on, "TD", "counter"), answer(to, "TC", "counter")):
        messages = [*game.to_sgn(), made, wrong] if wrong is not made else [*game.to_sgn(), made]
        messages[-1] = {**wrong, "value": {**wrong["value"], "mood": "blue"}}
        with pytest.raises(NotationError, match="has no such key"):
            loads(messages)
