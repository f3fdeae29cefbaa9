"""The networks that come with the package are of this layout, have their cards and play well."""

from dataclasses import replace

import pytest

from catan_env import Game, Rules
from catan_env.policies.best import NETWORKS, WEIGHTS, Best
from catan_env.policies.network import Network
from catan_env.policy import decide, load_policy


@pytest.mark.parametrize("name", [*NETWORKS, "rerank_four_no_trade"])
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
    view = Game(seats=seats, rules=rules, seed=3).view(0)
    if not view.action_mask.any():
        view = Game(seats=seats, rules=rules, seed=3).view(1)
    assert Best().act(view) == Network(WEIGHTS / f"{name}.npz").act(view)


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
