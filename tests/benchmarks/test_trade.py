"""The trade benchmark: the games of a pair differ in nothing but the policy's trades."""

import json

import numpy as np
import pytest

pytest.importorskip("tqdm")

from benchmarks import trade
from benchmarks.trading_partners import Generous, Haggler
from catan_env import ActionKind, Game, Phase
from catan_env.policy import decide, load_policy


def test_a_run_resumes_and_a_longer_one_keeps_its_games(tmp_path, capsys):
    file = tmp_path / "trade.json"
    given = ["--policy", "builder", "--partners", "silent", "--json", str(file)]
    trade.main([*given, "--pairs", "4"])
    (first,) = json.loads(file.read_text()).values()
    trade.main([*given, "--pairs", "8"])
    (longer,) = json.loads(file.read_text()).values()
    assert longer["with"][:4] == first["with"] and len(longer["without"]) == 8
    before = file.stat().st_mtime_ns
    trade.main([*given, "--pairs", "8"])
    assert file.stat().st_mtime_ns == before
    assert "| silent | 8 | " in capsys.readouterr().out


def test_a_policy_that_never_trades_plays_both_games_of_a_pair_alike(tmp_path):
    games = trade.run("random", "silent", 1, 4, tmp_path / "x.json")
    assert len(games["with"]) == len(games["without"]) == 4
    silent = trade.run("silent:builder", "silent", 1, 8, tmp_path / "x.json")
    assert silent["with"] == silent["without"]


def test_a_game_is_won_with_trade_or_without_it_if_its_winner_is_the_policy(monkeypatch):
    """The entrant 0 of a bout is the policy, or the policy that does not trade."""
    winners = {"greedy": [0, 1, None, 0], "silent:greedy": [1, 0, 2, 3]}
    monkeypatch.setattr(trade, "play", lambda bout, _: {"winners": winners[bout.names[0]]})
    games = trade.more("greedy", "value", 1, np.arange(4))
    assert games["with"] == [True, False, False, True]
    assert games["without"] == [False, True, False, False]


def test_the_value_of_trade_is_the_mean_of_the_pairs_differences():
    """0, 100, 0 and 100 points deviate by 100 / sqrt(3), their mean by half of it."""
    worth = trade.worth({"with": [1, 1, 0, 1], "without": [1, 0, 0, 0]})
    assert worth == pytest.approx((4, 75, 25, 50, 1.96 * 100 / 3**0.5 / 2))
    last = trade.table("greedy", {"value": worth}).splitlines()[-1]
    assert last == "| value | 4 | 75.0 % | 25.0 % | +50.0 ± 56.6 |"


def test_an_unknown_policy_and_no_pairs_are_one_line(capsys):
    for given in (["--policy", "nosuch"], ["--pairs", "0"]):
        with pytest.raises(SystemExit) as ended:
            trade.main(given)
        assert ended.value.code == 2
        assert "python -m benchmarks.trade: " in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("partner", [Generous, Haggler])
def test_a_partner_answers_by_its_rule(partner):
    answers = []
    greedy, policy = load_policy("greedy"), partner()
    for seed in range(6):
        game = Game(4, seed=seed)
        while not game.is_over and game.turn < 60:
            view = game.view(game.seat)
            index = decide(policy if view.phase == Phase.ANSWER else greedy, view)
            if view.phase == Phase.ANSWER:
                event = game.play(index)
                offer = view.offer
                gain = sum(offer.give) - sum(offer.get)
                can = any(action.kind == ActionKind.ACCEPT for action in view.legal_actions)
                answers.append((event.action.kind, gain, can))
            else:
                game.play(index)
    assert answers
    for kind, gain, can in answers:
        if partner is Generous:
            assert (kind == ActionKind.ACCEPT) == can
        else:
            assert kind == ActionKind.REJECT or gain > 0
