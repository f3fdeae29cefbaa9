"""Properties of every game, over random games of one to four seats."""

import pickle
from collections.abc import Iterator

import numpy as np
import pytest

from catan_env.guests.renaissance import LORENZO, Batch, Game
from catan_env.guests.renaissance.batch import GOES_ON, REFUSED
from catan_env.guests.renaissance.native.cards import MARBLES
from tests.guests.renaissance.drawn import PRODUCE, bytes_of, fresh, play, strongbox
from tests.guests.renaissance.reference import (
    legal_actions,
    observation_of,
)

MAX_ROUNDS = 200


def random_games(number: int, cards: str = "printed") -> Iterator[tuple[Game, np.random.Generator]]:
    """Games of all sizes, with the random generators of their actions."""
    for seed in range(number):
        yield Game(1 + seed % 4, seed, cards), np.random.default_rng(seed)


def pick(game: Game, rng: np.random.Generator) -> int:
    """An action of the mask."""
    return int(rng.choice(np.flatnonzero(game.action_mask)))


GOLD_POINTS = np.array([0, 0, 0, *(1,) * 3, *(2,) * 3, *(4,) * 3, *(6,) * 3, *(9,) * 3,
                        *(12,) * 3, *(16,) * 3, 20])  # fmt: skip
SEAT_AT, SEAT_WIDTH = 296, 118


def check_invariants(games: Batch) -> None:
    """The page's invariants of every position, for all games of a batch."""
    state, seats, everybody = games.states, games.seats, np.arange(games.num_games)
    assert (np.sort(state["market"], axis=1) == sorted(MARBLES)).all()
    laid = state["left"].sum(axis=(1, 2)) + state["height"].sum(axis=(1, 2))
    assert (laid == 48).all() if seats > 1 else (laid <= 48).all()
    kinds, pieces = state["shelf_good"], state["shelf_count"]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert ((kinds[:, :, a] != kinds[:, :, b]) | (kinds[:, :, a] < 0)).all(), "R031"
    assert (pieces <= (1, 2, 3)).all() and ((pieces == 0) == (kinds < 0)).all(), "R030"
    assert (state["strongbox"] >= 0).all() and (state["depot"] >= 0).all()
    assert 0 <= state["faith"].min() and state["faith"].max() <= 24
    points = points_by_the_rules(state)
    for k in range(seats):
        shown = games.observations[:, SEAT_AT + SEAT_WIDTH * k + 3]
        assert (shown == points[everybody, (state["seat"] + k) % seats]).all(), "R084"


def points_by_the_rules(state: np.ndarray) -> np.ndarray:
    """R084 without goods, from cards, track, tiles and active leaders: (n, 4)."""
    cards = np.append(state["dev"][0][:, 2], 0)[state["slot"]].sum(axis=(2, 3))
    leaders = np.append(state["leaders"][0][:, 2], 0)[state["leader"]]
    tiles = ((state["tile"] == 1) * (2, 3, 4)).sum(axis=2)
    return (
        cards
        + GOLD_POINTS[state["faith"]]
        + tiles
        + (leaders * (state["leader_state"] == 1)).sum(axis=2)
    )


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_invariants_hold_in_random_games(games: int, seats: int) -> None:
    wanted, ended = max(games // 20, 20), 0
    batch = Batch(min(wanted, 250), seats=seats, seed=seats, max_rounds=MAX_ROUNDS)
    while ended < wanted:
        faith = batch.states["faith"].copy()
        batch.step(batch.sample_legal())
        going = batch.done == GOES_ON
        ended += int((~going).sum())
        assert (batch.done != REFUSED).all()
        assert batch.action_masks.any(axis=1).all(), "there are no dead ends"
        assert (batch.states["faith"] >= faith)[going].all(), "faith never falls"
        check_invariants(batch)


def test_cards_and_scores_add_up_in_random_games(games: int) -> None:
    """Lorenzo's tokens discard two cards each; the score is points and a fifth of the goods."""
    for game, rng in random_games(max(games // 200, 20)):
        while not game.is_over and game.round <= MAX_ROUNDS:
            game.play(pick(game, rng))
        tokens = sum(1 for event in game.events if event.token is not None and event.token >= 3)
        there = int(game.state["left"].sum() + game.state["height"].sum())
        assert there == 48 - 2 * tokens or (game.winner == LORENZO and there >= 48 - 2 * tokens)
        if game.is_over and game.winner != LORENZO:
            scores = game.scores()
            assert scores[game.winner] == max(scores)
            goods = [sum(game.goods(seat)) // 5 for seat in range(game.seats)]
            assert scores == [game.points(seat) + goods[seat] for seat in range(game.seats)]


def test_the_mask_equals_the_reference_rules(games: int) -> None:
    """Every sequence of the mask, and no other, can be completed."""
    for game, rng in random_games(max(games // 50, 12)):
        while not game.is_over and game.round <= MAX_ROUNDS:
            mask = set(np.flatnonzero(game.action_mask).tolist())
            assert mask == legal_actions(game), game
            game.play(pick(game, rng))


def test_at_most_255_goods_of_a_kind_are_shown_in_a_strongbox() -> None:
    """Also in the contents from before a production, which the other seat sees."""
    game = strongbox(fresh(), 0, "C" * 255 + "S" * 256 + "V" * 300)
    for actions in ((), (PRODUCE,)):
        play(game, *actions)
        for seat in range(2):
            at = SEAT_AT + SEAT_WIDTH * seat + 30
            assert game.observe(seat)[at : at + 4].tolist() == [255, 255, 255, 0]
            assert np.array_equal(game.observe(seat), observation_of(game, seat))


def test_the_observation_equals_the_reference_layout(games: int) -> None:
    for game, rng in random_games(max(games // 100, 8)):
        while not game.is_over and game.round <= 60:
            for seat in range(game.seats):
                assert np.array_equal(game.observe(seat), observation_of(game, seat))
            for _ in range(3):
                if not game.is_over:
                    game.play(pick(game, rng))


def test_records_replay_to_the_same_bytes(games: int) -> None:
    """With seats that leave and return, and copies and pickles on the way."""
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


def test_a_view_holds_what_its_seat_may_know(games: int) -> None:
    """Its observation and mask are those of the game, and hidden things leave no trace."""
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
def test_a_position_is_rendered_as_text(seats: int) -> None:
    game = Game(seats, seed=2)
    rng = np.random.default_rng(1)
    for _ in range(50):
        assert "slide" in str(game) and f"seat {seats - 1}: faith" in str(game)
        if not game.is_over:
            game.play(pick(game, rng))
    assert f"of {seats} seats" in repr(game)
