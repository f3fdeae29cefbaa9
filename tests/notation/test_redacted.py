"""One seat's record contains what that seat knew, and nothing else."""

import random

import pytest

from catan_env import Action, Game, Rules
from catan_env.notation import NotationError, dumps, loads
from catan_env.policy import load_policy
from tests.notation.random_games import TABLES, random_game


@pytest.mark.parametrize(("seats", "rules"), TABLES, ids=lambda value: str(value))
def test_a_redacted_record_gives_the_seats_view(seats: int, rules: str, games: int) -> None:
    chance = random.Random(0)
    for seed in range(max(1, games // 25 // len(TABLES))):
        length = None if seed % 10 == 0 else chance.randrange(800)
        game = random_game(seed, seats, rules, length)
        viewer = chance.randrange(seats)
        record = loads(dumps(game.to_sgn(viewer=viewer)))
        assert record.viewer == viewer
        assert record.view().state_bytes() == game.view(viewer).state_bytes()
        assert record.events == tuple(event.redacted(viewer, seats) for event in game.events)


def test_a_redacted_record_shows_no_card_of_others_and_no_seed() -> None:
    for seed in range(20):
        game = random_game(seed, 3)
        for message in game.to_sgn(viewer=1):
            others = message["player"] != "2"
            if message["event"] == "BD" and others:
                assert message["value"] == {}
            if message["event"] == "RR":
                shares = message["value"]["resources"]
                if "2" not in {share["player"] for share in shares}:
                    assert {key for share in shares for key in share} <= {"player", "?"}
            if message["event"] == "PS":
                assert not {"seed", "layout"} & set(message.get("x-game", {}))


def test_hidden_cards_leave_no_trace_in_the_uuids() -> None:
    """Games that differ only in what a seat did not see give the same record for it."""
    one, two = Game(3, seed=11), Game(3, seed=11)
    for game, other in ((one, 0), (two, 1)):
        assert game.board == one.board
        game._array["seed"] = other
        game._array["layout"] = 0
    assert one.to_sgn(viewer=0) == two.to_sgn(viewer=0)
    assert one.to_sgn() != two.to_sgn()


def test_a_redacted_record_is_not_a_game() -> None:
    record = loads(random_game(1, 3, "base", 100).to_sgn(viewer=2, players=["x", "y", "z"]))
    with pytest.raises(NotationError, match="player z saw"):
        _ = record.game
    with pytest.raises(NotationError, match="seat 2 saw"):
        record.view(0)
    assert record.view(2) == record.view()


def test_a_full_record_gives_every_seats_view() -> None:
    game = random_game(1, 3, "base", 100)
    record = loads(game.to_sgn())
    assert [record.view(seat) for seat in range(3)] == [game.view(seat) for seat in range(3)]
    with pytest.raises(NotationError, match="name the seat"):
        record.view()


def test_an_event_that_no_hidden_hand_explains_is_refused() -> None:
    """A hand cannot lose more cards than it has."""
    refused = 0
    for seed in range(60):
        messages = random_game(seed, 2, "duel", 300).to_sgn(viewer=0)
        for at, message in enumerate(messages):
            if message["event"] == "MO":
                for share, n in zip(message["value"]["resources"], (19, -19), strict=True):
                    (letter,) = set(share) - {"player"}
                    share[letter] = n
                with pytest.raises(NotationError) as caught:
                    loads(messages)
                assert caught.value.index == at
                refused += 1
                break
    assert refused


def won_after_an_offer() -> Game:
    """A game whose winning city follows an offer that was rejected."""
    policy = load_policy("greedy")
    for seed in range(100):
        game = Game(2, seed, Rules("short", points_to_win=3))
        while not game.is_over:
            before, choice = game.copy(), Action.from_index(policy.act(game.view(game.seat)))
            game.play(choice)
        offers = [action for action in before.legal_actions if action.kind.name == "OFFER"]
        if choice.kind.name == "CITY" and offers:
            before.play(offers[0])
            before.play(Action.reject())
            before.play(choice)
            return before
    raise AssertionError("no such game")


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_an_unanswered_offer_may_precede_the_winning_choice(viewer: int | None) -> None:
    """The table's own rejection of the offer does not end the game."""
    game = won_after_an_offer()
    messages = game.to_sgn(viewer=viewer)
    *_, declined = (k for k, message in enumerate(messages) if message["event"] == "TD")
    record = loads(messages[:declined] + messages[declined + 1 :])
    assert record.position == (game if viewer is None else game.view(viewer))
    winners = [event.winner for event in record.events if event.winner is not None]
    assert len(winners) == 1 and record.events[-1].winner == game.winner


def test_a_viewer_must_be_a_seat_of_the_game() -> None:
    game = random_game(1, 3, "base", 10)
    with pytest.raises(ValueError, match="viewer is 3"):
        game.to_sgn(viewer=3)
    messages = game.to_sgn(viewer=1)
    messages[0]["x-viewer"] = "nobody"
    with pytest.raises(NotationError, match="set-up ends without a map"):
        loads(messages)
