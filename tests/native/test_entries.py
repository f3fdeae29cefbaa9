"""The table of requirements for arguments."""

import pytest

from native.entries import exactly, wanted


def test_a_parameter_is_found_first_by_entry_point_and_then_by_name() -> None:
    assert wanted("core_doors_play", {"name": "action"}).high == 847
    assert wanted("core_batch_step_games", {"name": "actions"}).lengths[0].of == "stop"
    weights = wanted("value_doors_play_out", {"name": "weights"}).lengths
    assert weights[0].of == "template.seats" and weights[1].rule == exactly(1).rule


def test_a_parameter_without_a_row_fails_the_build() -> None:
    with pytest.raises(ValueError, match="no row for mystery of core_doors"):
        wanted("core_doors_play", {"name": "mystery"})


def test_the_bound_of_an_outcome_depends_on_the_action() -> None:
    outcome = wanted("core_doors_play", {"name": "outcome"})
    assert outcome.by == "action" and len(outcome.highs) == 848
    assert outcome.highs[0] == 35, "two dice"
