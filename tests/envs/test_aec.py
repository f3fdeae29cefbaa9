"""The AEC environment's promises beyond PettingZoo's suite."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import catan_env
from catan_env import NUM_ACTIONS, Game, IllegalActionError
from tests.envs.play import legal_indices, play_out, play_some

MASKS = ["observation", "info"]


def started(seed=7, **options):
    env = catan_env.env(**options)
    env.reset(seed=seed)
    return env


def test_a_seed_is_that_of_the_game():
    assert started(seed=7, seats=3).game == Game(seats=3, seed=7)


def test_games_without_a_seed_follow_from_the_last_seed():
    seeds = []
    for _ in range(2):
        env = started(seed=7)
        env.reset()
        seeds.append(env.game.seed)
        env.reset()
        seeds.append(env.game.seed)
    assert seeds[:2] == seeds[2:]
    assert len({7, *seeds}) == 3


def test_environments_without_a_seed_differ():
    games = set()
    for _ in range(2):
        env = catan_env.env()
        env.reset()
        games.add(env.game.seed)
    assert len(games) == 2


@pytest.mark.parametrize("mask_in", MASKS)
def test_agents_see_what_their_seats_know(mask_in):
    env = started(mask_in=mask_in)
    for step in range(300):
        game = env.game
        for seat, agent in enumerate(env.agents):
            seen, view = env.observe(agent), game.view(seat)
            vector = seen["observation"] if mask_in == "observation" else seen
            mask = seen if mask_in == "observation" else env.infos[agent]
            np.testing.assert_array_equal(vector, view.observation)
            np.testing.assert_array_equal(mask["action_mask"], view.action_mask)
            assert env.view(agent) == view
        assert env.agent_selection == f"player_{game.seat}"
        play_some(env, seed=step, steps=1)


@pytest.mark.parametrize("mask_in", MASKS)
def test_writing_into_a_returned_mask_changes_nothing(mask_in):
    env = started(mask_in=mask_in, illegal="raise")
    observation, *_, info = env.last()
    mask = observation["action_mask"] if mask_in == "observation" else info["action_mask"]
    mask[:] = 1
    with pytest.raises(IllegalActionError):
        env.step(0)
    env.step(60)


class Failing:
    """A reward that fails on demand."""

    fails = False

    def __call__(self, before, event, after, seat):
        if self.fails:
            raise LookupError("no such reward")
        return 0.0


@pytest.mark.parametrize("mask_in", MASKS)
def test_an_episode_is_broken_off_when_its_reward_fails(mask_in):
    reward = Failing()
    env = started(reward=reward, mask_in=mask_in)
    play_some(env, seed=1, steps=5)
    reward.fails = True
    with pytest.raises(LookupError, match="no such reward"):
        play_some(env, seed=2, steps=5)
    observation, *_, info = env.last()
    mask = observation["action_mask"] if mask_in == "observation" else info["action_mask"]
    assert not mask.any(), "no seat's mask is shown"
    with pytest.raises(ResetNeeded, match=r"the episode was broken off: call reset\(\)"):
        env.step(0)
    reward.fails = False
    env.reset(seed=7)
    play_some(env, seed=1, steps=5)
    with pytest.raises(TypeError):
        env.step("x")
    play_some(env, seed=2, steps=5)


def test_observations_of_different_steps_share_no_memory():
    env = started()
    before, kept = env.last()[0], env.last()[0]["observation"].copy()
    env.step(60)
    after = env.observe("player_0")
    for name in before:
        assert not np.shares_memory(before[name], after[name])
    np.testing.assert_array_equal(before["observation"], kept)


@pytest.mark.parametrize("max_turns", [3, None])
def test_an_agent_that_has_left_sees_the_last_position_without_a_mask(max_turns):
    env = started(max_turns=max_turns)
    play_out(env, seed=1)
    assert env.agents == []
    for agent in env.possible_agents:
        seen = env.observe(agent)
        np.testing.assert_array_equal(seen["observation"], env.unwrapped.view(agent).observation)
        assert not seen["action_mask"].any()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_winner_gets_one_and_the_losers_share_minus_one(seats):
    env = started(seats=seats)
    rewards, infos = play_out(env, seed=1)
    winner = f"player_{env.game.winner}"
    for agent in env.possible_agents:
        assert rewards[agent] == (1 if agent == winner else -1 / (seats - 1))
        assert infos[agent]["reason"] == ("win" if agent == winner else "loss")
    assert sum(rewards.values()) == pytest.approx(0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_shaped_rewards_add_up_to_the_sparse_ones(seats):
    sparse, _ = play_out(started(seats=seats), seed=1)
    shaped, _ = play_out(started(seats=seats, reward="shaped"), seed=1)
    assert shaped == pytest.approx(sparse)


def test_a_point_is_paid_when_it_is_made():
    env = started(reward="shaped")
    env.step(60)
    assert env.rewards == {"player_0": 0.1, "player_1": 0, "player_2": 0, "player_3": 0}
    env.step(int(legal_indices(env.last()[0], {})[0]))
    assert env.rewards["player_0"] == 0
    assert env._cumulative_rewards["player_0"] == 0


def test_a_turn_limit_truncates_the_game_without_rewards():
    env = started(max_turns=20)
    rewards, infos = play_out(env, seed=1)
    assert env.game.turn == 21
    assert set(rewards.values()) == {0}
    assert {info["reason"] for info in infos.values()} == {"turn limit"}


def test_all_seats_are_truncated_and_none_terminated_at_the_turn_limit():
    env = started(max_turns=1)
    while not any(env.truncations.values()):
        play_some(env, seed=1, steps=1)
    assert list(env.truncations.values()) == [True] * 4
    assert list(env.terminations.values()) == [False] * 4


def test_the_table_places_under_tournament_rules():
    env = started(rules="tournament")
    assert env.game.turn == 1
    assert [event.seat for event in env.game.events[::2]] == [0, 1, 2, 3, 3, 2, 1, 0]


def test_the_game_has_its_events():
    env = started()
    rewards, _ = play_out(env, seed=3)
    game = env.game
    again = Game(seed=7)
    for event in game.events:
        again.play(event.action, event.outcome)
    assert again == game
    assert again.events == game.events
    assert game.events[-1].winner == max(range(4), key=lambda seat: rewards[f"player_{seat}"])


def test_a_penalty_ends_the_episode_of_one_seat():
    env = started()
    play_some(env, seed=1, steps=200)
    agent = env.agent_selection
    env.step(NUM_ACTIONS)
    assert (env.agent_selection, env.terminations[agent]) == (agent, True)
    assert sum(env.terminations.values()) == 1
    _, reward, terminated, _, info = env.last()
    assert (reward, terminated) == (-1, True)
    assert info["reason"].startswith(f"illegal action: seat {agent[-1]} in phase ")
    env.step(None)
    assert agent not in env.agents
    rewards, _ = play_out(env, seed=2)
    assert sorted(rewards.values()) == [-1 / 3, -1 / 3, 1]


def test_a_seat_thrown_out_in_the_set_up_places_and_then_leaves():
    env = started(illegal="penalty")
    env.step(0)
    env.step(None)
    assert env.agents == ["player_1", "player_2", "player_3"]
    while env.game.turn < 2:
        play_some(env, seed=1, steps=1)
    game = env.game
    assert not game.is_playing(0)
    assert len(game.settlements(0)) == len(game.roads(0)) == 2
    assert game.turn_seat == 1


def test_a_seat_thrown_out_when_asked_costs_no_other_seat_a_turn():
    env = started(seed=1)
    rng = np.random.default_rng(1)
    while env.game.offer is None:
        env.step(rng.choice(legal_indices(env.last()[0], {})))
    offer = env.game.offer
    env.step(0)
    env.step(None)
    assert env.agent_selection == f"player_{offer.seat}"
    assert env.game.offer is None
    assert env.game.is_playing(offer.to)
    assert [event.action.index for event in env.game.events[-1:]] == [6]


def test_the_last_seat_left_has_won():
    env = started(seed=7)
    play_some(env, seed=1, steps=100)
    rewards = {}
    for agent in env.agent_iter():
        _, reward, terminated, _, info = env.last()
        rewards[agent] = reward
        is_last = sum(not ended for ended in env.terminations.values()) == 1
        if terminated:
            env.step(None)
        elif is_last:
            env.step(legal_indices(env.last()[0], info)[0])
        else:
            env.step(-1)
    assert sorted(rewards.values()) == [-1, -1, -1, 1]
    assert env.game.is_over


def test_an_environment_without_remaining_seats_is_over():
    env = started()
    for _ in range(4):
        env.step(-1)
        env.step(None)
    assert env.agents == []


def test_a_thrown_out_seat_loses_its_shaped_points_and_one():
    env = started(reward="shaped")
    rewards = dict.fromkeys(env.agents, 0.0)
    rng = np.random.default_rng(5)
    for step, agent in enumerate(env.agent_iter()):
        observation, reward, terminated, truncated, info = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)
        else:
            legal = legal_indices(observation, info)
            env.step(NUM_ACTIONS if step == 500 else rng.choice(legal))
    assert sorted(rewards.values()) == pytest.approx([-1, -1 / 3, -1 / 3, 1])


def test_raise_refuses_and_changes_nothing():
    env = started(illegal="raise")
    play_some(env, seed=1, steps=50)
    before, rewards = env.game.state_bytes(), dict(env.rewards)
    for index in (-1, NUM_ACTIONS, int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])):
        with pytest.raises(IllegalActionError, match=f"seat {env.game.seat} in phase"):
            env.step(index)
    assert env.game.state_bytes() == before
    assert env.rewards == rewards


def test_ignore_asks_the_seat_again():
    env = started(illegal="ignore")
    before = env.game.state_bytes()
    env.step(0)
    _, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated) == (0, False, False)
    assert info["ignored"].startswith("seat 0 in phase PLACE_SETTLEMENT")
    assert env.game.state_bytes() == before
    env.step(60)
    assert "ignored" not in env.infos["player_0"]


@pytest.mark.parametrize("illegal", ["penalty", "raise", "ignore"])
@pytest.mark.parametrize(
    "action", [None, 60.0, "60", np.array([60]), np.zeros(848, np.float32)], ids=repr
)
def test_a_non_integer_is_not_an_action(illegal, action):
    env = started(illegal=illegal)
    with pytest.raises(TypeError, match=r"an action is one integer in 0\.\.847, not "):
        env.step(action)
    assert env.game == Game(seed=7)


@pytest.mark.parametrize("action", [60, np.int64(60), np.uint8(60), np.array(60)], ids=repr)
def test_any_integer_is_an_action(action):
    env = started()
    env.step(action)
    assert env.game.settlements(0) == (8,)


@pytest.mark.parametrize("mask_in", MASKS)
def test_pettingzoos_illegal_move_wrapper_ends_the_game_for_all(mask_in):
    env = TerminateIllegalWrapper(catan_env.env(mask_in=mask_in), illegal_reward=-5)
    env.reset(seed=1)
    env.step(60)
    env.step(0)
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], terminated, _, _ = env.last()
        assert terminated
        env.step(None)
    assert rewards == {"player_0": -5, "player_1": 0, "player_2": 0, "player_3": 0}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"mask_in": "infos"}, "mask_in is 'infos'; allowed are 'observation', 'info', 'both'"),
        ({"illegal": None}, "illegal is None; allowed are 'penalty', 'raise', 'ignore'"),
        ({"reward": "dense"}, "reward is 'dense'; allowed are 'sparse', 'shaped'"),
        ({"render_mode": "rgb"}, "render_mode is 'rgb'; allowed are None, 'human', 'ansi'"),
        ({"max_turns": 0}, "max_turns is 0; allowed are integers in 1..2147483647, and None"),
        ({"seats": 5}, "5 seats; allowed are 2, 3 and 4"),
        ({"rules": "house"}, "unknown rules 'house'"),
        ({"rules": "duel"}, "a duel has 2 seats, got 4"),
        ({"board": "flat"}, "unknown board 'flat'"),
    ],
    ids=str,
)
def test_an_option_that_does_not_exist_is_refused(options, said):
    with pytest.raises(ValueError) as refused:
        catan_env.env(**options)
    assert str(refused.value).startswith(said)


def test_an_unknown_option_is_named():
    with pytest.raises(TypeError, match="unknown option players; there are seats, rules"):
        catan_env.env(players=3)


def test_nothing_is_rendered_without_a_render_mode():
    with pytest.raises(ValueError, match="nothing is rendered without a render_mode"):
        started().render()
