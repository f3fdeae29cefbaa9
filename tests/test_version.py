"""The version is written in one place, and users can read what it contains."""

import re
import tomllib
from pathlib import Path

import catan_env

ROOT = Path(__file__).resolve().parents[1]
GROUPS = ["Added", "Changed", "Fixed", "Deprecated", "Removed"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def section(version: str) -> str:
    """The CHANGELOG's section of a version."""
    return CHANGELOG.split(f"\n## {version}\n")[1].split("\n## ")[0]


def test_the_version_is_defined_once() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in pyproject["project"] and "version" in pyproject["project"]["dynamic"]
    file = ROOT / pyproject["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{catan_env.__version__}"\n' in file.read_text(encoding="utf-8")


def test_the_version_has_a_section_in_the_changelog() -> None:
    assert re.findall(r"^### (\w+)", section(catan_env.__version__), re.MULTILINE) == GROUPS


def test_a_name_works_no_longer_than_was_promised() -> None:
    said = re.compile(r"(?:removed in|until) (\d+)\.(\d+)")
    texts = [CHANGELOG.split("\n## Unreleased\n")[1].split("\n## ")[0]]
    for folder in ("catan_env", "policies", "training"):
        texts += [file.read_text(encoding="utf-8") for file in (ROOT / folder).rglob("*.py")]
    promised = {tuple(map(int, pair)) for text in texts for pair in said.findall(text)}
    now = tuple(map(int, catan_env.__version__.split(".")[:2]))
    assert promised and min(promised) > now


def test_python_has_no_upper_bound() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pyproject["project"]["requires-python"] == ">=3.11"


def test_the_citation_names_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {catan_env.__version__}\n" in citation


def test_hosted_ci_calls_targets_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    called = [
        target
        for workflow in (ROOT / ".github" / "workflows").glob("*.yml")
        for text in [workflow.read_text(encoding="utf-8")]
        for target in [
            *re.findall(r"run: make ([a-z-]+)", text),
            *", ".join(re.findall(r"target: \[(.*)\]", text)).split(", "),
        ]
        if target
    ]
    assert called and {name for name in called if name != "test-python-"} <= targets


def test_make_help_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (declared,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    listed = re.findall(r'^\t@echo "make ([a-z-]+) ', makefile, re.MULTILINE)
    assert sorted(["help", *listed]) == sorted(declared.replace("\\", "").split())


def test_the_paper_cites_what_its_bibliography_lists() -> None:
    cited = set(re.findall(r"@([a-z0-9]+)", (ROOT / "paper.md").read_text(encoding="utf-8")))
    listed = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper.bib").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(cited)


def test_the_paper_has_the_sections_that_its_journal_asks_for() -> None:
    paper = (ROOT / "paper.md").read_text(encoding="utf-8")
    assert re.findall(r"^# (.*)", paper, re.MULTILINE) == [
        "Summary",
        "Statement of need",
        "State of the field",
        "Software design",
        "Research impact statement",
        "AI usage disclosure",
        "Acknowledgements",
        "References",
    ]


def test_every_cited_work_can_be_found() -> None:
    entries = (ROOT / "paper.bib").read_text(encoding="utf-8").split("\n}\n")[:-1]
    for entry in entries:
        assert re.search(r"^  (doi|url|school) = ", entry, re.MULTILINE), entry
