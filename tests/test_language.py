"""Docstrings, comments, messages and pages are written as a native engineer writes."""

import re
from pathlib import Path

import pytest

from tests.language import Fault, faults_in

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("catan_env", "policies", "training", "benchmarks", "examples", "native", "docs", "tests")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
GROUPS = ["Added", "Changed", "Fixed", "Deprecated", "Removed"]
LONGEST = 140
"""Characters of a line of the CHANGELOG."""
LEFT: tuple[str, ...] = ()
"""Folders and files that have yet to be rewritten."""
ALLOWED = {
    "tests/language.py",
    "tests/test_language.py",
    "docs/generate/german_text.md",
    "docs/generate/protocol_text.md",
}
"""Files with the patterns themselves, or with the words of a specification."""


def texts() -> list[Path]:
    """Every file with English in it, relative to the repository."""
    found = [*ROOT.glob("*.md")]
    for folder in FOLDERS:
        found += [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.md")]
    inside = [path.relative_to(ROOT) for path in found]
    return sorted(path for path in inside if path.as_posix() not in ALLOWED)


def is_left(path: Path) -> bool:
    """True if the file is in a folder that has yet to be rewritten."""
    return any(path.is_relative_to(left) for left in LEFT)


def test_the_text_is_plain_english() -> None:
    faults: list[Fault] = []
    for path in texts():
        if not is_left(path):
            faults += faults_in(path, (ROOT / path).read_text(encoding="utf-8"))
    assert not faults, "\n" + "\n".join(map(str, faults))


@pytest.mark.parametrize(
    "planted",
    [
        '"""What a hand holds."""',
        '"""Whether a road may be built."""',
        '"""The seat. Nobody else sees it."""',
        "# the same so many times",
        'message = f"{name} is no resource"',
        "# It goes on with the next seat.",
        "# computed anew",
    ],
)
def test_a_planted_sentence_is_found(planted: str) -> None:
    assert list(faults_in(Path("any.py"), planted))


@pytest.mark.parametrize(
    "plain",
    [
        '"""The cards of a hand."""',
        '"""Return True if a road may be built."""',
        "# no longer needed: there are so many that they do not fit",
        'name = "anew"',
        '"""Which is it? What does it hold?"""',
        "# NOBODY without a winner",
    ],
)
def test_plain_sentences_pass(plain: str) -> None:
    assert not list(faults_in(Path("any.py"), plain))


@pytest.mark.parametrize("version", re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE))
def test_each_change_is_one_line_in_a_group(version: str) -> None:
    section = CHANGELOG.split(f"\n## {version}\n")[1].split("\n## ")[0]
    first, *groups = section.split("\n### ")
    assert not re.search("^[-*] ", first, re.MULTILINE), "a line is in no group"
    names = [group.split("\n")[0] for group in groups]
    assert names == [name for name in GROUPS if name in names]
    for group in groups:
        subsystems = group.split("\n#### ")
        lines = [line for part in subsystems for line in part.split("\n")[1:] if line]
        assert lines and all(line.startswith("- ") for line in lines)
        assert all("\n- " in part for part in subsystems[1:]), "a subsystem has no line"
        assert [line for line in lines if len(line) > LONGEST] == []
    entries = re.findall("^- .+$", section, re.MULTILINE)
    assert len(set(entries)) == len(entries)
