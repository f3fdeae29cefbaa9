"""docs/renaissance.md: its tables match the code, and each of its cases has a test."""

import re
from pathlib import Path

from catan_env.guests.renaissance.page import filled
from tests.rule_cases import cases_cited_in

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/renaissance.md").read_text(encoding="utf-8")
CASES = re.findall(r"^\| (R\d{3}) \|", PAGE, re.MULTILINE)
GAPS = {58, 59, 69, 79, 86, 87, 88, 89}


def test_the_tables_match_the_code() -> None:
    assert filled(PAGE) == PAGE


def test_the_page_numbers_106_cases_once_and_in_order() -> None:
    assert CASES == [f"R{number:03}" for number in range(1, 115) if number not in GAPS]
    assert len(CASES) == 106


def test_every_case_is_cited_by_a_test() -> None:
    cited: set[str] = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        cited |= cases_cited_in(
            file.read_text(encoding="utf-8").replace("R0", "C0").replace("R1", "C1")
        )
    assert {case.replace("R", "C") for case in CASES} - cited == set()


def test_the_page_has_a_guests_headings() -> None:
    headings = re.findall(r"^## (.*)", PAGE, re.MULTILINE)
    assert headings == [
        "Rules",
        "Actions",
        "Observation",
        "Rewards",
        "Protocol",
        "How it differs from the text",
    ]
