"""Golden games are played again and come out as they are written."""

from tests.golden_games import GOLDEN, all_decisions, before_the_end, endgame


def test_the_golden_decisions_lead_where_they_led() -> None:
    assert all_decisions() == (GOLDEN / "decisions.txt").read_text()


def test_the_golden_endgame_goes_as_it_was_read() -> None:
    """C064, C077, C111, C173, C181, C191."""
    assert endgame() == (GOLDEN / "endgame.txt").read_text()


def test_the_golden_endgame_begins_with_eight_points() -> None:
    assert before_the_end().points(0) == 8
