"""What holds in every game, over random games of one to four seats."""

import pickle
from collections.abc import Iterator

import numpy as np
import pytest

from catan_env.guests.renaissance import LORENZO, Game
from catan_env.guests.renaissance.native.cards import MARBLES
from tests.guests.renaissance.drawn import bytes_of
from tests.guests.renaissance.reference import (
    legal_actions,
    observation_of,
    points_by_the_rules,
)

MAX_ROUNDS = 200


def random_games(number: int, cards: str = "printed") -> Iterator[tuple[Game, np.random.Generator]]:
    """Games of all sizes, and what their actions are drawn with."""
    for seed in range(number):
        yield Game(1 + seed % 4, seed, cards), np.random.default_rng(seed)


def pick(game: Game, rng: np.random.Generator) -> int:
    """An action of the mask."""
    return int(rng.choice(np.flatnonzero(game.action_mask)))


def check_invariants(game: Game, faith: np.ndarray) -> None:
    state, seats = game.state, game.seats
    assert sorted(state["market"].tolist()) == sorted(MARBLES)
    in_slots = int(state["height"][:seats].sum())
    tokens = sum(1 for event in game.events if event.token is not None and event.token >= 3)
    on_stacks = int(state["left"].sum())
    if seats > 1:
        assert on_stacks + in_slots == 48
    else:
        assert 48 - 2 * tokens <= on_stacks + in_slots <= 48
        assert on_stacks + in_slots == 48 - 2 * tokens or game.winner == LORENZO
    for seat in range(seats):
        kinds = [kind for kind in state["shelf_good"][seat] if kind >= 0]
        assert len(set(kinds)) == len(kinds)
        assert (state["shelf_count"][seat] <= (1, 2, 3)).all()
        assert ((state["shelf_count"][seat] == 0) == (state["shelf_good"][seat] < 0)).all()
        assert game.points(seat) == points_by_the_rules(game, seat)
    assert (state["faith"] >= faith).all() and state["faith"].max() <= 24
    assert (state["strongbox"] >= 0).all() and (state["depot"] >= 0).all()


def test_invariants_hold_in_random_games(games: int) -> None:
    for game, rng in random_games(max(games // 10, 20)):
        faith = game.state["faith"].copy()
        while not game.is_over and game.round <= MAX_ROUNDS:
            assert game.action_mask.any(), "there are no dead ends"
            game.play(pick(game, rng))
            check_invariants(game, faith)
            faith = game.state["faith"].copy()
        if game.is_over and game.winner != LORENZO:
            scores = game.scores()
            assert scores[game.winner] == max(scores)
            goods = [sum(game.goods(seat)) // 5 for seat in range(game.seats)]
            assert scores == [game.points(seat) + goods[seat] for seat in range(game.seats)]


def test_the_mask_is_what_a_slow_reading_of_the_rules_allows(games: int) -> None:
    """Every sequence of the mask, and none else, can be completed."""
    for game, rng in random_games(max(games // 50, 12)):
        while not game.is_over and game.round <= MAX_ROUNDS:
            mask = set(np.flatnonzero(game.action_mask).tolist())
            assert mask == legal_actions(game), game
            game.play(pick(game, rng))


def test_the_observation_is_what_a_slow_reading_of_its_layout_gives(games: int) -> None:
    for game, rng in random_games(max(games // 100, 8)):
        while not game.is_over and game.round <= 60:
            for seat in range(game.seats):
                assert np.array_equal(game.observe(seat), observation_of(game, seat))
            for _ in range(3):
                if not game.is_over:
                    game.play(pick(game, rng))


def test_records_replay_to_the_same_bytes(games: int) -> None:
    """With seats that go away and come back, and copies and pickles on the way."""
    for game, rng in random_games(max(games // 100, 20), "am49"):
        while not game.is_over and game.round <= 60:
            seat = int(rng.integers(game.seats))
            if rng.random() < 0.02:
                if game.state["away"][seat]:
                    game.come_back(seat)
                elif (game.state["away"][: game.seats] == 0).sum() > 1:
                    game.go_away(seat)
            else:
                game.play(pick(game, rng))
        again = Game.from_record(game.record())
        assert bytes_of(again) == bytes_of(game) and again.events == game.events


def test_a_copy_and_a_pickle_have_the_same_past_and_future() -> None:
    for game, rng in random_games(12):
        for _ in range(60):
            if not game.is_over:
                game.play(pick(game, rng))
        twins = [game.copy(), pickle.loads(pickle.dumps(game))]
        for _ in range(40):
            if game.is_over:
                break
            action = pick(game, rng)
            for one in (game, *twins):
                one.play(action)
            assert all(one == game and one.events == game.events for one in twins)


def test_the_same_seed_and_actions_give_the_same_game() -> None:
    assert Game(3, seed=4) == Game(3, seed=4) != Game(3, seed=5)


def test_a_view_knows_what_its_seat_may_know(games: int) -> None:
    """Its observation and mask are those of the truth, and hidden things leave no trace."""
    for game, rng in random_games(max(games // 50, 12)):
        while not game.is_over and game.round <= 60:
            for seat in range(game.seats):
                view = game.view(seat)
                assert np.array_equal(view.observation, game.observe(seat))
                own = game.action_mask if game.seat == seat else np.zeros(96)
                assert np.array_equal(view.action_mask, own)
                twin = other_truth(game, seat)
                assert twin.view(seat) == view
            for _ in range(4):
                if not game.is_over:
                    game.play(pick(game, rng))


def other_truth(game: Game, viewer: int) -> Game:
    """The same game to one seat: other leaders in other hands, other cards below the top ones."""
    twin = game.copy()
    state, rng = twin.state, np.random.default_rng(7)
    for colour in range(4):
        for level in range(3):
            covered = max(int(state["left"][colour, level]) - 1, 0)
            rng.shuffle(state["stack"][colour, level][:covered])
    for seat in range(twin.seats):
        if seat != viewer:
            hidden = state["leader_state"][seat] != 1
            state["leader"][seat][hidden] = rng.integers(16)
            state["dealt"][seat] = 3
    rng.shuffle(state["token"])
    state["seed"] = 12345
    return twin


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_position_is_drawn_as_text(seats: int) -> None:
    game = Game(seats, seed=2)
    rng = np.random.default_rng(1)
    for _ in range(50):
        assert "slide" in str(game) and f"seat {seats - 1}: faith" in str(game)
        if not game.is_over:
            game.play(pick(game, rng))
    assert f"of {seats} seats" in repr(game)
