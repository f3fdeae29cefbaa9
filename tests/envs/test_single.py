"""The single-seat environment's promises beyond Gymnasium's suite."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import catan_env
from catan_env import NUM_ACTIONS, Board, Game, IllegalActionError
from catan_env.batch import Batch
from catan_env.envs.single import CatanEnv
from catan_env.envs.vector import CatanVectorEnv
from catan_env.game.board import Harbour
from catan_env.policies.builder import Builder
from catan_env.policies.random import Random


def started(seed=7, **options):
    env = CatanEnv(**options)
    env.reset(seed=seed)
    return env


def play_out(env, seed):
    """Play at random; return the rewards and the last step."""
    rng = np.random.default_rng(seed)
    rewards = []
    while True:
        step = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        rewards.append(step[1])
        if step[2] or step[3]:
            return rewards, step


class Recorder:
    """Plays the first legal action and records the seats it played."""

    def __init__(self):
        self.seats = set()

    def act(self, view):
        self.seats.add(view.viewer)
        return view.legal_actions.indices[0]


def first_legal(view):
    return view.legal_actions.indices[0]


def test_a_seed_is_that_of_the_game():
    assert started(seed=7, seat=0).game == Game(seed=7)


@pytest.mark.parametrize("opponents", ["random", "builder", Random, [Random, "builder", "random"]])
def test_a_seed_settles_seat_game_and_opponents(opponents):
    env = CatanEnv(opponents=opponents)
    games = []
    for _ in range(2):
        for seed in (7, None):
            env.reset(seed=seed)
            play_out(env, seed=1)
            games.append((env.seat, env.game))
    assert games[:2] == games[2:]
    assert games[0] != games[1]


def test_a_random_seat_is_another_each_episode():
    env = started()
    seats = set()
    for _ in range(40):
        env.reset()
        seats.add(env.seat)
    assert seats == {0, 1, 2, 3}


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_the_seat_is_asked_when_it_has_to_decide(seat):
    env = started(seat=seat)
    rng = np.random.default_rng(1)
    for _ in range(100):
        game, mask = env.game, env.action_masks()
        assert game.seat == seat
        assert mask.dtype == np.bool_
        np.testing.assert_array_equal(mask, game.action_mask)
        observation, _, terminated, _, _ = env.step(rng.choice(np.flatnonzero(mask)))
        if terminated:
            break
        np.testing.assert_array_equal(observation["action_mask"], env.action_masks())
        np.testing.assert_array_equal(observation["observation"], env.game.view(seat).observation)


def test_opponents_sit_clockwise_from_the_seat():
    recorders = [Recorder() for _ in range(3)]
    play_out(started(seat=2, opponents=recorders, max_turns=10), seed=1)
    assert [recorder.seats for recorder in recorders] == [{3}, {0}, {1}]


@pytest.mark.parametrize(
    "opponents", [Builder, Builder(), "catan_env.policies.builder:Builder", first_legal]
)
def test_an_opponent_is_a_name_a_class_an_object_or_a_function(opponents):
    env = started(opponents=opponents, seats=2, max_turns=10)
    _, step = play_out(env, seed=1)
    assert step[2] or step[3]
    assert {event.seat for event in env.game.events} == {0, 1}


@pytest.mark.parametrize(
    ("opponents", "said"),
    [
        ("grady", "unknown policy 'grady'; allowed are random, builder"),
        (["random"], "1 opponents; allowed are 3, one for every other seat"),
        (7, "7 is not a policy"),
    ],
    ids=str,
)
def test_an_unknown_opponent_is_refused(opponents, said):
    with pytest.raises((ValueError, TypeError)) as refused:
        CatanEnv(opponents=opponents)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("seat", [4, -1, "first", 1.0, None])
def test_a_nonexistent_seat_is_refused(seat):
    with pytest.raises(ValueError, match=r"allowed are 0\.\.3 and 'random'"):
        CatanEnv(seat=seat)


def test_an_opponent_with_an_illegal_answer_is_named():
    with pytest.raises(IllegalActionError, match=r"<lambda> answered 0 for seat 0 in phase PLACE"):
        started(seat=1, opponents=lambda view: 0)


def test_winning_and_losing_are_paid_at_the_end():
    ends = set()
    for seed in range(12):
        env = started(seed=seed, seats=2, opponents="random")
        rewards, (_, reward, terminated, truncated, info) = play_out(env, seed)
        won = env.game.winner == env.seat
        assert set(rewards[:-1]) == {0}
        assert (reward, info["reason"]) == ((1, "win") if won else (-1, "loss"))
        assert type(reward) is float
        assert (terminated, truncated) == (True, False)
        ends.add(won)
    assert ends == {True, False}


def test_shaped_rewards_add_up_to_the_sparse_ones():
    for seed in range(4):
        sparse, _ = play_out(started(seed=seed), seed)
        shaped, _ = play_out(started(seed=seed, reward="shaped"), seed)
        assert sum(shaped) == pytest.approx(sum(sparse))
        assert shaped[0] == 0.1


def test_a_turn_limit_truncates_the_episode():
    env = started(max_turns=5)
    rewards, (_, _, terminated, truncated, info) = play_out(env, seed=1)
    assert (terminated, truncated, info["reason"]) == (False, True, "turn limit")
    assert env.game.turn == 6
    assert sum(rewards) == 0


def test_a_penalty_ends_the_episode():
    env = started(seat=0, reward="shaped")
    _, first, *_ = env.step(60)
    _, reward, terminated, truncated, info = env.step(0)
    assert (terminated, truncated) == (True, False)
    assert first + reward == pytest.approx(-1)
    assert info["reason"].startswith("illegal action: seat 0 in phase PLACE_ROAD of turn 0")
    assert not env.action_masks().any()


def test_raise_refuses_and_changes_nothing():
    env = started(seat=0, illegal="raise")
    with pytest.raises(IllegalActionError, match="seat 0 in phase PLACE_SETTLEMENT"):
        env.step(NUM_ACTIONS)
    assert env.game == Game(seed=7)
    env.step(60)


def test_ignore_asks_again():
    env = started(seat=0, illegal="ignore")
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (0, False, False)
    assert info["ignored"].startswith("seat 0 in phase PLACE_SETTLEMENT")
    assert env.game == Game(seed=7)


@pytest.mark.parametrize("action", [None, 60.0, np.array([60]), np.zeros(848)], ids=repr)
def test_a_non_integer_is_not_an_action(action):
    with pytest.raises(TypeError, match=r"an action is one integer in 0\.\.847, not "):
        started(seat=0).step(action)


def test_a_step_after_the_end_asks_for_a_reset():
    env = started(seat=0)
    env.step(0)
    with pytest.raises(ResetNeeded):
        env.step(60)
    with pytest.raises(ResetNeeded):
        CatanEnv().step(60)


def test_observations_of_different_steps_share_no_memory():
    env = CatanEnv(seat=0)
    before, _ = env.reset(seed=7)
    after, *_ = env.step(60)
    for name in before:
        assert not np.shares_memory(before[name], after[name])


@pytest.mark.parametrize("mask_in", ["info", "both"])
def test_the_mask_is_in_the_info_when_asked_for(mask_in):
    env = gymnasium.make("Catan-v0", mask_in=mask_in)
    observation, info = env.reset(seed=1)
    np.testing.assert_array_equal(info["action_mask"], env.unwrapped.action_masks())
    assert isinstance(observation, dict) == (mask_in == "both")


@pytest.mark.parametrize(
    "make",
    [
        lambda board: Batch(2, board=board),
        lambda board: catan_env.env(board=board),
        lambda board: CatanEnv(board=board),
        lambda board: CatanVectorEnv(2, board=board),
    ],
    ids=["batch", "pettingzoo", "gymnasium", "vector"],
)
def test_a_board_with_more_harbours_than_an_observation_shows_is_refused(make):
    plain = Board.beginner()
    board = Board(plain.tiles, (*plain.harbours, Harbour((0, 1), None, 3)))
    assert Game(board=board).board == board
    with pytest.raises(ValueError, match="10 harbours; batches and environments play boards with"):
        make(board)
