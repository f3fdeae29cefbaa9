"""The rates of the shipped networks."""

import sys
from dataclasses import replace

import pytest

from benchmarks import reranker
from catan_env import Rules, SeatView
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.policies.rerank.shipped import FILES


@pytest.mark.skipif(not MACHINE_CODE, reason="whole games are slow in plain Python")
def test_each_shipped_network_has_a_rate(monkeypatch, capsys):
    monkeypatch.setattr(reranker, "GAMES", 64)
    monkeypatch.setattr(sys, "argv", ["reranker", "--turns", "3"])
    reranker.main()
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(FILES.values())
    for line in lines:
        units, rate, taken = (float(word.replace(",", "")) for word in line.split()[1:])
        assert units >= 128 and rate > 0 and taken > 0


@pytest.mark.skipif(not MACHINE_CODE, reason="whole games are slow in plain Python")
def test_the_positions_have_six_moves(monkeypatch):
    monkeypatch.setattr(reranker, "GAMES", 64)
    states, rules = reranker.positions(4, False), replace(Rules.base(), player_trade=False)
    assert len(states) > 5
    for k, seat in enumerate(states["seat"].tolist()):
        view = SeatView(states[k : k + 1], rules, None, seat)
        assert view.seat == seat and view.action_mask.sum() >= 6
