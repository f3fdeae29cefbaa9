"""Opponents in self-play: whose decisions are learned from, who sits where, and their ratings."""

import shutil

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("sb3_contrib")

from catan_env.adapters.games import CUT_OFF  # noqa: E402
from catan_env.policies.players import Drawn, player  # noqa: E402
from catan_env.training.agent import Choices  # noqa: E402
from catan_env.training.decisions import ENDED  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.opponents import LEARNER, NONE, Opponents, Pool  # noqa: E402
from catan_env.training.rollouts import Collector  # noqa: E402
from catan_env.training.self_play import Args, main  # noqa: E402
from tests.training.test_self_play import Clerk  # noqa: E402

CONFIG = """
num_envs = 8
total_timesteps = 512
batch_size = 256
minibatch_size = 128
checkpoint_every = 1
past_selves = 3
opponents = ["greedy", "random"]
opponent_fraction = 0.7
[env_options]
seats = {seats}
rules = "base"
trade = false
max_turns = 400
[network_options]
hidden = 16
local = 4
"""


class Watched:
    """A random player that notes where it was asked."""

    def __init__(self):
        self.drawn, self.asked = Drawn(), 0

    def choose(self, batch, rows):
        """Any legal action."""
        self.asked += len(rows)
        return self.drawn.choose(batch, rows)


def seated(share, seats=3, num_envs=24, batch_size=600):
    watched = Watched()
    pool = Pool(["them"])
    batch = catan(num_envs, seats=seats, trade=False, seed=3, max_turns=2000)
    opponents = Opponents(pool, share, batch, lambda name: watched, seed=5)
    args = Args(num_envs=num_envs, batch_size=batch_size)
    games = Collector(args, batch, batch.observations.shape[1], opponents)
    return games, opponents, watched


def test_an_opponents_decisions_are_not_learned_from():
    games, opponents, watched = seated(share=1.0)
    for _ in range(3):
        games.collect(Clerk(games).decide)
        rows = games.buffer.rows.take(np.arange(games.buffer.n))
        ended = np.isin(rows.games, rows.games[rows.next == ENDED])
        assert (rows.seats == opponents._seats[rows.games])[~ended].all()
    assert watched.asked > 1000


def test_without_opponents_at_the_table_all_seats_learn():
    games, opponents, watched = seated(share=0.0)
    games.collect(Clerk(games).decide)
    assert set(games.buffer.rows.seats[: games.buffer.n]) == {0, 1, 2}
    assert (opponents._opponents == NONE).all() and not watched.asked


def test_a_share_of_the_games_has_opponents_and_seats_are_drawn():
    _, opponents, _ = seated(share=0.3, num_envs=4000)
    met = opponents._opponents != NONE
    assert abs(met.mean() - 0.3) < 0.03
    assert (np.bincount(opponents._seats, minlength=3) > 1200).all()


def test_who_wins_against_the_learner_is_rated_higher():
    games, opponents, _ = seated(share=1.0, seats=2, num_envs=64, batch_size=6000)

    def first_legal(observations, masks):
        n = len(masks)
        nothing = np.zeros((n, 0))
        first = np.unpackbits(masks, axis=1).argmax(axis=1)
        return Choices(first, np.zeros(n), np.zeros(n), nothing, observations)

    greedy = player("greedy")
    opponents._players["them"] = greedy
    games.collect(first_legal)
    assert opponents.pool.ratings["them"] > opponents.pool.ratings[LEARNER] + 100
    assert np.mean(opponents.results()["them"]) < 0.1


def test_an_opponent_at_all_other_seats_is_rated_as_each_of_them():
    _, opponents, _ = seated(share=1.0, seats=4)
    opponents.batch.rewards[0] = -1
    opponents.batch.rewards[0, opponents._seats[0]] = 1
    opponents.receive()
    opponents.end(np.array([0]))
    assert opponents.pool.ratings == {LEARNER: 1012.0, "them": 988.0}


def test_an_opponent_that_has_left_the_pool_is_not_rated():
    pool = Pool(["them"])
    pool.rate("past_512.npz", 3, won=True)
    assert pool.ratings == {LEARNER: 1000.0, "them": 1000.0}


def test_a_game_that_is_cut_off_rates_neither_side():
    _, opponents, _ = seated(share=1.0)
    opponents.batch.done[:3] = CUT_OFF
    opponents.end(np.arange(3))
    assert opponents.pool.ratings == {LEARNER: 1000.0, "them": 1000.0}
    assert opponents.results() == {}


def paid(opponents, *rewards):
    """A game of two seats ends that paid so much in each step, to the agent and to the other."""
    game, seat = opponents.batch.rewards[0], opponents._seats[0]
    for mine, theirs in rewards:
        game[seat], game[1 - seat] = mine, theirs
        opponents.receive()
    opponents.end(np.array([0]))
    return opponents.results()["them"]


def test_the_winner_of_a_game_has_the_highest_sum_of_rewards():
    _, opponents, _ = seated(share=1.0, seats=2)
    assert paid(opponents, (5, 0), (0, 1)) == [1.0]
    assert paid(opponents, (0.5, 2), (1, 0)) == [0.0]
    assert paid(opponents, (-1, -3)) == [1.0]


def test_those_who_share_the_highest_sum_share_the_win():
    _, opponents, _ = seated(share=1.0, seats=2)
    assert paid(opponents, (0.1, 0.3), (0.2, 0)) == [0.5]
    assert paid(opponents, (0, 0)) == [0.5]
    assert opponents.pool.ratings == {LEARNER: 1000.0, "them": 1000.0}


def test_rewards_before_a_checkpoint_count_after_it():
    (_, opponents, _), (_, again, _) = (seated(share=1.0, seats=2) for _ in range(2))
    opponents.batch.rewards[0, opponents._seats[0]] = 5
    opponents.receive()
    again.load_state_dict(opponents.state_dict())
    assert paid(again, (0, 1)) == [1.0]


def test_a_weights_file_among_the_opponents_does_not_leave_with_the_past_selves():
    pool = Pool(["past_512.npz", "past_mod:Miser"], most=1)
    for name in ("past_1.npz", "past_2.npz", "past_512.npz"):
        pool.add(name)
    assert set(pool.ratings) == {LEARNER, "past_512.npz", "past_mod:Miser", "past_2.npz"}


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """The configuration and the folder of a run at two seats, which tests copy."""
    folder = tmp_path_factory.mktemp("learned")
    config = folder / "small.toml"
    config.write_text(CONFIG.format(seats=2))
    main([str(config), str(folder / "run")])
    return config, folder / "run"


def test_a_run_meets_policies_and_its_past_selves_and_goes_on(learned, tmp_path):
    config, run = learned
    shutil.copytree(run, tmp_path / "run")
    assert_goes_on(config, tmp_path / "run")


@pytest.mark.nightly
def test_a_run_at_four_seats_goes_on(tmp_path):
    config = tmp_path / "small.toml"
    config.write_text(CONFIG.format(seats=4))
    main([str(config), str(tmp_path / "run")])
    assert_goes_on(config, tmp_path / "run")


def assert_goes_on(config, run):
    state = run / "state.pt"
    saved = torch.load(state)
    assert {"greedy", "random", "past_256.npz", "past_512.npz"} < set(saved["ratings"])
    saved["ratings"] |= dict.fromkeys((LEARNER, "greedy", "random"), 5000.0)
    torch.save(saved, state)
    main([str(config), str(run), "--total-timesteps", "1024"])
    then = torch.load(state)["ratings"]
    assert "past_256.npz" not in then and "past_1024.npz" in then
    # No game moves a rating by more than 16, so these go on from what was saved.
    assert min(then[name] for name in (LEARNER, "greedy", "random", "past_1024.npz")) > 3000


def test_weights_of_another_run_are_a_fixed_opponent_whatever_their_name(
    learned, tmp_path, monkeypatch
):
    config, run = learned
    shutil.copy(run / "past_256.npz", tmp_path / "past_512.npz")
    monkeypatch.chdir(tmp_path)
    command = [str(config), "run", "--opponents", "past_512.npz", "--past-selves", "1"]
    main(command)
    assert set(torch.load("run/state.pt")["ratings"]) == {LEARNER, "past_512.npz", "past_256.npz"}
    main([*command, "--total-timesteps", "768"])
    assert set(torch.load("run/state.pt")["ratings"]) == {LEARNER, "past_512.npz", "past_768.npz"}


def test_the_same_configuration_learns_the_same_weights(learned, tmp_path):
    config, run = learned
    main([str(config), str(tmp_path / "again")])
    one, other = (torch.load(each / "state.pt")["network"] for each in (run, tmp_path / "again"))
    assert all(torch.equal(one[name], other[name]) for name in one)
