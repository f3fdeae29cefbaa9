"""Opponents in self-play: whose decisions are learned from, who sits where, and their ratings."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("sb3_contrib")

from catan_env.policies.players import Drawn, player  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.opponents import NOBODY, Opponents  # noqa: E402
from catan_env.training.pool import LEARNER, Pool  # noqa: E402
from catan_env.training.rollout import ENDED, Decided, Games  # noqa: E402
from catan_env.training.self_play import main  # noqa: E402
from catan_env.training.settings import Args  # noqa: E402
from tests.training.test_self_play import Clerk  # noqa: E402

CONFIG = """
num_games = 8
decisions = 1024
rollout = 512
minibatch = 256
keep_every = 1
past_selves = 3
opponents = ["greedy", "random"]
opponents_share = 0.7
[options]
seats = {seats}
rules = "base"
trade = false
max_turns = 400
[widths]
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


def seated(share, seats=3, num_games=24, rollout=600):
    watched = Watched()
    pool = Pool({LEARNER: 1000.0, "them": 1000.0})
    batch = catan(num_games, seats=seats, trade=False, seed=3, max_turns=2000)
    opponents = Opponents(pool, share, batch, lambda name: watched, seed=5)
    args = Args(num_games=num_games, rollout=rollout)
    games = Games(args, batch, batch.observations.shape[1], opponents)
    return games, opponents, watched


def test_an_opponents_decisions_are_not_learned_from():
    games, opponents, watched = seated(share=1.0)
    for _ in range(3):
        rollout = games.collect(Clerk(games).decide)
        still = ~(rollout.next[: rollout.n] == ENDED)
        now = opponents._seats[rollout.games[: rollout.n]]
        ended = np.isin(rollout.games[: rollout.n], rollout.games[: rollout.n][~still])
        assert (rollout.seats[: rollout.n] == now)[~ended].all()
    assert watched.asked > 1000


def test_without_opponents_at_the_table_all_seats_learn():
    games, opponents, watched = seated(share=0.0)
    rollout = games.collect(Clerk(games).decide)
    assert set(rollout.seats[: rollout.n]) == {0, 1, 2}
    assert (opponents._who == NOBODY).all() and not watched.asked


def test_a_share_of_the_games_has_opponents_and_seats_are_drawn():
    _, opponents, _ = seated(share=0.3, num_games=4000)
    met = opponents._who != NOBODY
    assert abs(met.mean() - 0.3) < 0.03
    assert (np.bincount(opponents._seats, minlength=3) > 1200).all()


def test_who_wins_against_the_learner_is_rated_higher():
    games, opponents, _ = seated(share=1.0, seats=2, num_games=64, rollout=6000)

    def first_legal(observations, masks):
        n = len(masks)
        nothing = np.zeros((n, 0))
        return Decided(masks.argmax(axis=1), np.zeros(n), np.zeros(n), nothing, observations)

    greedy = player("greedy")
    opponents._players["them"] = greedy
    games.collect(first_legal)
    assert opponents.pool.ratings["them"] > opponents.pool.ratings[LEARNER] + 100
    assert opponents.news()["won_against/them"] < 0.1


@pytest.mark.parametrize("seats", [2, 4])
def test_a_run_meets_policies_and_its_past_selves_and_goes_on(seats, tmp_path):
    config = tmp_path / "small.toml"
    config.write_text(CONFIG.format(seats=seats))
    main([str(config), str(tmp_path / "run")])
    first = torch.load(tmp_path / "run" / "state.pt")["ratings"]
    assert {"greedy", "random", "past_512.npz", "past_1024.npz"} < set(first)
    main([str(config), str(tmp_path / "run"), "--decisions", "2048"])
    then = torch.load(tmp_path / "run" / "state.pt")["ratings"]
    assert "past_512.npz" not in then and "past_2048.npz" in then
    assert then[LEARNER] != first[LEARNER]


def test_the_same_configuration_learns_the_same_weights(tmp_path):
    config = tmp_path / "small.toml"
    config.write_text(CONFIG.format(seats=2))
    runs = []
    for name in ("one", "two"):
        main([str(config), str(tmp_path / name)])
        runs.append(torch.load(tmp_path / name / "state.pt")["network"])
    assert all(torch.equal(runs[0][name], runs[1][name]) for name in runs[0])
