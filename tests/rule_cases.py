"""The rule cases of docs/rules.md that no test cites: `python tests/rule_cases.py` lists them.

A case is cited by a test function whose name, docstring or decorators contain its number (`C055`).
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CASE = re.compile(r"(?<![A-Za-z0-9])C\d{3}(?!\d)")
MAY_CITE = re.compile(r"[Cc]\d{3}")
"""Text without it, also in a name, cites no case and need not be parsed."""


def documented_cases() -> list[tuple[str, str]]:
    """The rows of docs/rules.md that are cases: number and situation."""
    rows = (line.split("|") for line in (ROOT / "docs/rules.md").read_text().splitlines())
    return [
        (row[1].strip(), row[2].strip())
        for row in rows
        if len(row) > 3 and CASE.fullmatch(row[1].strip())
    ]


def cases_cited_in(source: str) -> set[str]:
    """The cases cited by the test functions of one file."""
    cited: set[str] = set()
    if not MAY_CITE.search(source):
        return cited
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            words = [node.name.replace("_", " ").upper(), ast.get_docstring(node) or ""]
            words += [ast.unparse(decorator) for decorator in node.decorator_list]
            cited.update(CASE.findall(" ".join(words)))
    return cited


def cited_cases() -> set[str]:
    """The cases cited anywhere in tests/."""
    files = (ROOT / "tests").rglob("test_*.py")
    return set().union(*(cases_cited_in(file.read_text()) for file in files))


def main() -> int:
    cited = cited_cases()
    missing = [(case, given) for case, given in documented_cases() if case not in cited]
    for case, given in missing:
        print(f"{case}  {given}")
    print(f"{len(missing)} of {len(documented_cases())} cases without a test", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
