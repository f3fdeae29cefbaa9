"""The trade benchmark: the games of a pair differ in nothing but the policy's trades."""

import json

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
