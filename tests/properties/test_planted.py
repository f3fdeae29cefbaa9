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
            assert (ROOT / file).exists()
            if name:
                assert f"def {name}" in (ROOT / file).read_text(encoding="utf-8")


def test_there_are_sixty_in_all_parts_of_the_package() -> None:
    assert len(FAULTS) >= 60
    parts = {"/".join(fault.file.split("/")[:2]) for fault in FAULTS}
    assert {
        f"catan_env/{part}" for part in ("core", "game", "notation", "protocols", "web")
    } <= parts
    assert len(parts) >= 20, parts
