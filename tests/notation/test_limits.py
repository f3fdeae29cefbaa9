"""Records with very many entries or messages, and with more cards than there are."""

from collections.abc import Iterator
from typing import Any

import pytest

from catan_env.notation import NotationError, loads
from catan_env.notation.reader import read_messages
from catan_env.notation.values import to_shares
from tests.notation.random_games import random_game
from tests.notation.test_reading import discarding, message


def repeated(n: int, cards: int = 1) -> list[dict[str, Any]]:
    """Entries in which player 1 gives a number of bricks to the bank, several times."""
    return [{"player": "1", "B": -cards}, {"player": "B", "B": cards}] * n


def test_the_entries_of_a_party_sum_to_what_one_may_have() -> None:
    shares = to_shares(repeated(99), "$")
    assert [(share.cards[0], share.kinds) for share in shares] == [(-99, (0,)), (99, (0,))]
    for entries in (repeated(100), repeated(2, 99)):
        with pytest.raises(NotationError, match=r"expected -99\.\.99 cards") as caught:
            to_shares(entries, ".at")
        assert caught.value.path == f".at[{len(entries) - 2}].B"


def test_a_discard_is_of_no_more_cards_than_hands_can_hold() -> None:
    game = discarding()
    messages = game.to_sgn()
    name = str(game.seat + 1)
    entries = [{"player": name, "B": -99, "G": -29}, {"player": "B", "B": 99, "G": 29}]
    with pytest.raises(NotationError, match="at most 127 cards given up") as caught:
        loads([*messages, message(game.seat, "CR", resources=entries)])
    assert caught.value.index == len(messages)


class Iterated(list[dict[str, Any]]):
    """Messages that count how often they are gone through from the first."""

    times = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self.times += 1
        return super().__iter__()


def test_the_messages_before_an_event_are_not_gone_through_again() -> None:
    messages = Iterated(random_game(1, 3, "base", 100).to_sgn(viewer=0))
    read_messages(messages)
    assert messages.times < 10
