"""The ladder's page is generated from its ledger, and a second run resumes the first."""

import pytest

pytest.importorskip("sqlalchemy")

from benchmarks import ladder
from catan_env.arena.league.league import League


def test_the_ladder_plays_until_every_entrant_has_its_games(tmp_path):
    ledger = ladder.open_ledger(tmp_path)
    ladder.play(ledger, ("random", "greedy"), 4)
    ladder.play(ledger, ("random", "greedy"), 4)
    assert ledger.count() == 4
    league = League(ledger)
    text = ladder.page(league.standings(), league.tally())
    assert "| greedy | " in text and "4 games so far" in text
