"""docs/german.md agrees with the code."""

from pathlib import Path

from catan_env.protocols.catan_german.messages import TABLE
from docs.generate.german import page

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_the_page_is_generated_from_the_tables_of_the_code() -> None:
    """Regenerate with: python -m docs.generate.german docs"""
    assert (DOCS / "german.md").read_text(encoding="utf-8") == page()


def test_the_page_names_every_message() -> None:
    text = page()
    assert "{{" not in text
    assert all(f"| {row.name} |" in text for row in TABLE)


def test_it_has_the_headings_of_the_binary_protocols_page() -> None:
    assert headings("german.md") == headings("protocol.md")


def headings(name: str) -> list[str]:
    lines = (DOCS / name).read_text(encoding="utf-8").split("\n")
    return [line for line in lines if line.startswith("## ")]
