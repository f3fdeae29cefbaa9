"""The networks that come with the package are of this layout, have their cards and play well."""

from dataclasses import replace

import numpy as np
import pytest

from catan_env import Game, Rules
from catan_env.batch import Batch
from catan_env.policies.best import RERANKERS, WEIGHTS, Best, files_for, policy_at
from catan_env.policies.blend import Blend
from catan_env.policies.network import Network
from catan_env.policies.network.shipped import NETWORKS, Shipped
from catan_env.policies.rerank import RerankNetwork
from catan_env.policies.set_up import WithSetUp
from catan_env.policy import decide, load_batched, load_policy


@pytest.mark.parametrize("name", sorted({*NETWORKS, *RERANKERS.values()}))
def test_weights_are_small_and_have_their_card(name):
    assert (WEIGHTS / f"{name}.npz").stat().st_size < 4_000_000
    assert "| table | rules | games | win rate |" in (WEIGHTS / f"{name}.md").read_text()


NO_TRADE = replace(Rules.base(), player_trade=False)


@pytest.mark.parametrize(
    ("seats", "rules", "name"),
    [(2, "duel", "duel"), (2, "base", "two"), (4, "tournament", "four"), (3, "base", "four"),
     (4, NO_TRADE, "four_no_trade"), (3, NO_TRADE, "four_no_trade")],
)  # fmt: skip
def test_the_table_says_which_network_plays(seats, rules, name):
    game = Game(seats=seats, rules=rules, seed=3)
    view = game.view(game.seat)
    assert Shipped().act(view) == Network(WEIGHTS / f"{name}.npz").act(view)


TABLES = [(seats, player_trade) for seats in (2, 3, 4) for player_trade in (False, True)]


@pytest.mark.parametrize(("seats", "player_trade"), TABLES)
def test_the_best_policy_of_each_table_plays_its_files(seats, player_trade):
    rules = replace(Rules.base(), player_trade=player_trade)
    best, alone = Best(), policy_at(seats, player_trade)
    game = Game(seats=seats, rules=rules, seed=4)
    while not game.is_over:
        view = game.view(game.seat)
        action = decide(best, view)
        assert action == alone.act(view)
        game.play(action)
    batch = Batch(3, seats=seats, rules=rules, seed=4)
    many = load_batched("best")
    for _ in range(30):
        actions = many.choose(batch, np.arange(3))
        views = [batch.view(i, int(batch.seat[i])) for i in range(3)]
        assert actions.tolist() == [alone.act(view) for view in views]
        batch.play(actions)


def test_two_networks_decide_where_they_win_more_together():
    names = {table: [file.stem for file in files_for(*table)] for table in TABLES}
    assert names == {
        (2, False): ["duel", "rerank_duel"],
        (2, True): ["two"],
        (3, False): ["rerank_three_no_trade"],
        (3, True): ["four", "rerank_three"],
        (4, False): ["rerank_four_no_trade"],
        (4, True): ["four", "rerank_four"],
    }
    for table in TABLES:
        policy = policy_at(*table)
        after = policy.policy if isinstance(policy, WithSetUp) else policy
        assert isinstance(after, Blend) == (len(names[table]) == 2)


@pytest.mark.parametrize(("seats", "player_trade"), RERANKERS)
def test_a_network_that_reorders_moves_is_of_its_table(seats, player_trade):
    network = RerankNetwork(WEIGHTS / f"{RERANKERS[seats, player_trade]}.npz")
    assert (network.seats, network.player_trade) == (seats, player_trade)


def test_the_network_that_reorders_moves_is_for_four_seats_without_trade():
    policy = load_policy(str(WEIGHTS / "rerank_four_no_trade.npz"))
    game = Game(seats=4, rules=NO_TRADE, seed=3)
    while not game.is_over:
        game.play(decide(policy, game.view(game.seat)))
    with pytest.raises(ValueError, match="for 4 seats without trade"):
        policy.act(Game(seats=4, seed=3).view(0))


@pytest.mark.parametrize(("seats", "rules"), [(2, "duel"), (4, "base")])
def test_it_beats_those_who_play_at_random(seats, rules):
    won = 0
    for seed in range(4):
        game = Game(seats=seats, rules=rules, seed=seed)
        players = [load_policy("best"), *(load_policy("random", seed) for _ in range(seats - 1))]
        while not game.is_over:
            game.play(decide(players[game.seat], game.view(game.seat)))
        won += game.winner == 0
    assert won >= 3
