"""Golden games are replayed and give the recorded text."""

from tests.golden_games import GOLDEN, all_decisions, before_the_end, endgame


def test_the_golden_decisions_give_the_recorded_games() -> None:
    assert all_decisions() == (GOLDEN / "decisions.txt").read_text()


def test_the_golden_endgame_gives_the_recorded_text() -> None:
    """C064, C077, C111, C173, C181, C191."""
    assert endgame() == (GOLDEN / "endgame.txt").read_text()


def test_the_golden_endgame_starts_with_eight_points() -> None:
    assert before_the_end().points(0) == 8
