"""Records of games with a secret random stream."""

import random

import pytest

from catan_env import Game
from catan_env.game.event import Event
from catan_env.notation import NotationError, drawn, loads
from catan_env.notation.values import Message

SECRET = bytes(range(32))


def played(secret: bytes | None = SECRET, rules: str = "base") -> Game:
    """A game of random choices, 30 turns long."""
    game = Game(3, 5, rules, secret=secret)
    chooser = random.Random(3)
    while game.turn < 30 and not game.is_over:
        game.play(chooser.choice(game.legal_actions.indices.tolist()))
    return game


def first_undrawn(messages: list[Message]) -> Event | None:
    """The result of `drawn.first_undrawn` for a record."""
    record = loads(messages)
    begun = record.begin()
    assert isinstance(begun, Game)
    return drawn.first_undrawn(begun, record.events)


@pytest.mark.parametrize("rules", ["base", "tournament"])
def test_a_record_names_the_secret_and_is_read_back_with_it(rules: str) -> None:
    game = played(rules=rules)
    record = loads(game.to_sgn())
    assert record.game.secret == SECRET
    assert record.game.state_bytes() == game.state_bytes()
    assert first_undrawn(game.to_sgn()) is None


def test_a_record_without_its_secret_leads_to_the_same_game() -> None:
    game = played()
    messages = game.to_sgn()
    del messages[0]["x-game"]["secret"]
    record = loads(messages)
    assert record.game.state_bytes() == game.state_bytes()
    assert record.game.secret is None


def test_a_record_with_a_wrong_secret_is_detected() -> None:
    messages = played().to_sgn()
    messages[0]["x-game"]["secret"] = SECRET[::-1].hex()
    assert first_undrawn(messages) is not None


def test_a_record_with_one_changed_outcome_is_detected() -> None:
    game, other = played(), Game(3, 5, secret=SECRET)
    rolls = [k for k, event in enumerate(game.events) if event.action.kind.name == "ROLL"]
    for event in game.events[: rolls[-1]]:
        other.play(event.action, event.outcome)
    first, second = game.events[rolls[-1]].outcome
    other.play(game.events[rolls[-1]].action, (7 - first, second))
    event = first_undrawn(other.to_sgn())
    assert event is not None and event.outcome == (7 - first, second)


def test_games_of_one_board_have_different_uuids() -> None:
    uuids = {played(secret).to_sgn()[0]["uuid"] for secret in (None, SECRET, SECRET[::-1])}
    assert len(uuids) == 3


@pytest.mark.parametrize("secret", ["", "00", "zz" * 16, 7, None, "00" * 65])
def test_an_invalid_secret_is_refused(secret: object) -> None:
    messages = played().to_sgn()
    messages[0]["x-game"]["secret"] = secret
    with pytest.raises(NotationError, match=r"x-game.secret"):
        loads(messages)
