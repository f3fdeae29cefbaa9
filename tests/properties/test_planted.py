"""Every fault that is planted has its place in the sources, and tests that look for it."""

import pytest

from tests.properties.planted import FAULTS, ROOT, Planted


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}: {fault.wrong[:40]}")
def test_a_planted_fault_replaces_one_place(fault: Planted) -> None:
    assert (ROOT / fault.file).read_text(encoding="utf-8").count(fault.right) == 1


def test_every_planted_fault_names_tests_that_exist() -> None:
    for fault in FAULTS:
        for test in fault.tests.split():
            file, _, name = test.partition("::")
            assert f"def {name}" in (ROOT / file).read_text(encoding="utf-8")
