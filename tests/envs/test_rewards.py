"""Custom rewards: the same in one game, in many, and by event."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import catan_env
from catan_env import ActionKind
from catan_env.batch import Batch
from catan_env.core.board import VERTEX_TILES
from catan_env.core.constants import NOBODY, SEATS
from catan_env.envs.episode import Episode
from catan_env.envs.rewards import (
    PARTS,
    PRODUCTION,
    ROADS,
    WIN,
    ArrayReward,
    points_in,
    production_in,
)
from catan_env.envs.single import CatanEnv
from catan_env.envs.vector import CatanVectorEnv
from catan_env.game.game import Game
from tests.envs.play import play_out

PIPS = [0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1]


def by_event(before: Any, event: Any, after: Any, seat: int) -> float:
    """`all_of_it` by event."""
    built = event.action.kind == ActionKind.ROAD and event.seat == seat
    roads = before.pieces(seat)[0] - after.pieces(seat)[0]
    assert roads == built
    won = 0.0
    if after.winner is not None and before.winner is None:
        won = 1.0 if after.winner == seat else -1 / (after.seats - 1)
    return won + 0.1 * (after.points(seat) - before.points(seat)) - 0.01 * roads


ALL_OF_IT = {"win": 1, "points": 0.1, "roads": -0.01}


def replies(environment: Any, seed: int) -> list[tuple[float, bool]]:
    """The reward of each step of a random episode, and whether it ends the episode."""
    rng = np.random.default_rng(seed)
    environment.reset(seed=seed)
    steps = []
    while not steps or not steps[-1][1]:
        action = rng.choice(np.flatnonzero(environment.action_masks()))
        _, reward, terminated, truncated, _ = environment.step(action)
        steps.append((reward, terminated or truncated))
    return steps


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_function_of_the_event_and_the_named_parts_pay_the_same(seats: int) -> None:
    options: dict[str, Any] = {"seats": seats, "opponents": "builder", "max_turns": 80}
    for seed in range(4):
        one, other = (CatanEnv(**options, reward=reward) for reward in (by_event, ALL_OF_IT))
        paid, also_paid = replies(one, seed), replies(other, seed)
        assert [over for _, over in paid] == [over for _, over in also_paid]
        assert [x for x, _ in paid] == pytest.approx([x for x, _ in also_paid])
        assert sum(x for x, _ in paid) != 0


def announced(before: Any, event: Any, after: Any, seat: int) -> float:
    """1 to the seat that an event names as the winner."""
    assert (event.winner is not None) == (after.winner is not None and before.winner is None)
    return float(event.winner == seat)


@pytest.mark.parametrize("rules", ["base", "duel"])
def test_the_last_event_names_the_winner(rules: str) -> None:
    for seed in range(3):
        single = CatanEnv(seats=2, rules=rules, opponents="builder", reward=announced)
        total = sum(reward for reward, _ in replies(single, seed))
        assert total == (single.game.winner == single.seat)
        environment = catan_env.env(seats=2, rules=rules, reward=announced, max_turns=None)
        environment.reset(seed=seed)
        received, _ = play_out(environment, seed)
        winner = environment.unwrapped.game.winner
        assert received == {f"player_{seat}": float(seat == winner) for seat in range(2)}
        assert sum(received.values()) == 1


def test_the_event_of_leaving_names_the_winner() -> None:
    episode = Episode(Game(seats=2, seed=1), announced)
    rng = np.random.default_rng(1)
    while episode.turn == 0:
        episode.play(rng.choice(np.flatnonzero(episode.action_mask())))
    left = episode.seat
    episode.play_for_absent()
    assert episode.winner == 1 - left
    assert [total for total in episode.earned if total] == [1] and episode.earned[1 - left] == 1


def test_an_array_reward_receives_minus_one_when_a_seat_leaves() -> None:
    received = []

    def noted(before: Any, actions: Any, after: Any) -> Any:
        received.extend(actions.tolist())
        return np.zeros((len(before), SEATS))

    environment = catan_env.env(seats=2, reward=ArrayReward(noted))
    environment.reset(seed=1)
    while environment.unwrapped.game.turn == 0:
        environment.step(int(np.flatnonzero(environment.last()[0]["action_mask"])[0]))
    environment.step(int(np.flatnonzero(environment.last()[0]["action_mask"] == 0)[0]))
    assert received[-1] == -1 and min(received[:-1]) >= 0


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_many_games_pay_as_one_does(mode: str) -> None:
    options: dict[str, Any] = {"seats": 3, "max_turns": 30, "reward": PARTS["points"] + PRODUCTION}
    environments = CatanVectorEnv(6, autoreset_mode=mode, opponents="builder", **options)
    environments.reset(seed=40)
    singles = [CatanEnv(opponents="builder", **options) for _ in range(6)]
    for i, single in enumerate(singles):
        single.reset(seed=40 + i)
    ended, games = np.zeros(6, np.bool_), 0
    rng = np.random.default_rng(1)
    for _ in range(120):
        masks = environments.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks])
        _, rewards, terminated, truncated, _ = environments.step(actions)
        for i, single in enumerate(singles):
            if ended[i] and mode == "NEXT_STEP":
                single.reset()
                assert rewards[i] == 0
                continue
            _, reward, *over, _ = single.step(actions[i])
            assert (reward, *over) == (pytest.approx(rewards[i]), terminated[i], truncated[i])
            if any(over) and mode == "SAME_STEP":
                single.reset()
        ended = terminated | truncated
        games += int(ended.sum())
    assert games >= 6


def test_random_opponents_play_the_same_games_for_any_reward() -> None:
    sparse, own = (
        CatanVectorEnv(16, seats=4, reward=reward, max_turns=40)
        for reward in ("sparse", {"win": 1, "points": 0.5})
    )
    seen, also_seen = sparse.reset(seed=9)[0], own.reset(seed=9)[0]
    returns, ended, rng = np.zeros(16), 0, np.random.default_rng(2)
    for _ in range(600):
        assert np.array_equal(seen["observation"], also_seen["observation"])
        masks = sparse.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks])
        seen, won, *over, _ = sparse.step(actions)
        also_seen, paid, *also_over, _ = own.step(actions)
        assert np.array_equal(over, also_over)
        returns += paid - won
        for i in np.flatnonzero(over[0] | over[1]):
            games, seat = own._games.batch, own._games.acted[i]
            made = points_in(games.states[i : i + 1])[0, seat]
            assert returns[i] == pytest.approx(0.5 * made)
            returns[i], ended = 0, ended + 1
    assert ended > 60


def test_the_picks_of_others_are_those_of_playing_them() -> None:
    whole, stepped = (Batch(64, seats=3, seed=4, autoreset=False) for _ in range(2))
    seats = np.arange(64) % 3
    for _ in range(60):
        whole.play_others(seats)
        while (actions := stepped.pick_others(seats)).max() >= 0:
            stepped.play(actions)
        assert whole.states.tobytes() == stepped.states.tobytes()
        for games in (whole, stepped):
            games.play(games.sample_legal())
    stepped.play_others(np.full(64, NOBODY))
    assert (stepped.pick_others(seats) == -1).all(), "no seat decides after the end"


def test_a_win_pays_the_sparse_reward() -> None:
    for seed in range(5):
        received = []
        for reward in ("sparse", WIN):
            environment = catan_env.env(seats=3, rules="tournament", reward=reward)
            environment.reset(seed=seed)
            received.append(play_out(environment, seed)[0])
        assert received[0] == pytest.approx(received[1])


def test_each_seat_of_a_game_is_paid_for_its_own_roads() -> None:
    environment = catan_env.env(seats=4, reward=ROADS, max_turns=60)
    environment.reset(seed=3)
    received, _ = play_out(environment, 3)
    game = environment.unwrapped.game
    assert received == {f"player_{seat}": 15 - game.pieces(seat)[0] for seat in range(4)}


def test_production_is_the_mean_number_of_cards_of_a_roll() -> None:
    for seed in range(20):
        game = Game(seats=4, seed=seed)
        rng = np.random.default_rng(seed)
        while not game.is_over and game.turn < 60:
            game.play(int(rng.choice(game.legal_actions.indices)))
        tokens = [tile.token or 0 for tile in game.board.tiles]
        expected = [0.0] * SEATS
        for seat in range(4):
            places = [*game.settlements(seat), *game.cities(seat), *game.cities(seat)]
            expected[seat] = sum(PIPS[tokens[t]] for v in places for t in VERTEX_TILES[v]) / 36
        assert production_in(game._array)[0] == pytest.approx(expected)


def test_an_illegal_action_takes_back_earlier_rewards() -> None:
    environment = CatanEnv(seats=2, seat=0, reward={"points": 1})
    _, info = environment.reset(seed=1)
    action = int(np.flatnonzero(environment.action_masks())[0])
    _, reward, *_ = environment.step(action)
    assert reward == 1
    illegal = int(np.flatnonzero(~environment.action_masks())[0])
    _, reward, terminated, _, info = environment.step(illegal)
    assert (reward, terminated) == (-2, True) and "illegal" in info["reason"]


def test_copies_and_pickles_have_been_paid_as_much() -> None:
    environment = CatanEnv(seats=2, reward={"points": 1, "win": 10}, opponents="random")
    environment.reset(seed=5)
    environment.step(int(np.flatnonzero(environment.action_masks())[0]))
    others = copy.deepcopy(environment), copy.copy(environment)
    rng = np.random.default_rng(0)
    over = False
    while not over:
        action = rng.choice(np.flatnonzero(environment.action_masks()))
        _, reward, terminated, over, _ = environment.step(action)
        assert all(other.step(action)[1] == pytest.approx(reward) for other in others)
        over |= terminated
    by_function = catan_env.raw_env(seats=2, reward=by_event)
    by_function.reset(seed=1)
    by_function.step(by_function.game.legal_actions.indices[0])
    assert pickle.loads(pickle.dumps(by_function)).rewards == by_function.rewards


def doubled(before: Any, actions: Any, after: Any) -> Any:
    return np.zeros((len(before), 2))


def nothing(before: Any, event: Any, after: Any, seat: int) -> None:
    return None


def unknown(before: Any, event: Any, after: Any, seat: int) -> float:
    return float("nan")


def words(before: Any, actions: Any, after: Any) -> Any:
    return [["win"] * SEATS] * len(before)


def endless(before: Any, actions: Any, after: Any) -> Any:
    return np.full((len(before), SEATS), np.inf)


@pytest.mark.parametrize(
    ("make", "reward", "message"),
    [
        (CatanEnv, "dense", "allowed are 'sparse', 'shaped', a mapping of win, points, roads"),
        (
            CatanEnv,
            {"point": 1},
            "reward names point; the parts are win, points, roads",
        ),
        (CatanEnv, {}, "reward names no part"),
        (CatanEnv, {"win": "1"}, "the weight of win is '1'; expected a number"),
        (lambda reward: CatanVectorEnv(2, reward=reward), by_event, "by_event; many games take an"),
        (lambda reward: play_one(reward), ArrayReward(doubled), r"doubled returned .* \(1, 2\)"),
        (lambda reward: ArrayReward(reward), 3, "an ArrayReward takes a function, not 3"),
        (lambda reward: WIN + reward, 3, "unsupported operand"),
        (
            CatanEnv,
            lambda before, event, after: 0.0,
            "<lambda> must take .before, event, after, seat",
        ),
        (CatanEnv, doubled, "doubled must take .before, event, after, seat.; it takes .before, a"),
        (
            lambda reward: ArrayReward(reward),
            by_event,
            "by_event must take .before, actions, after",
        ),
        (
            lambda reward: play_one(reward),
            nothing,
            "nothing returned None; expected a finite number",
        ),
        (
            lambda reward: play_one(reward),
            unknown,
            "unknown returned nan; expected a finite number",
        ),
        (lambda reward: play_one(reward), {"win": 1, "points": float("nan")}, "points is nan"),
        (lambda reward: play_one(reward), ArrayReward(words), "words returned .* numbers"),
        (lambda reward: play_one(reward), ArrayReward(endless), "endless returned inf .* finite"),
        (
            lambda reward: play_one(reward),
            WIN - 2 * ArrayReward(endless),
            r"^won \+ -1 \* 2 \* endless returned -inf for a seat",
        ),
    ],
)
def test_a_wrong_reward_is_named(make: Any, reward: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        make(reward=reward)


def play_one(reward: Any) -> None:
    environment = CatanEnv(seats=2, reward=reward)
    environment.reset(seed=1)
    environment.step(int(np.flatnonzero(environment.action_masks())[0]))
