"""The boards that the pages show in a checkout."""

from pathlib import Path

from docs.site.pictures import draw_boards

BOARDS = Path(__file__).resolve().parents[1] / "docs" / "site" / "static" / "generated"


def test_the_boards_of_the_pages_are_drawn_as_today(tmp_path: Path) -> None:
    """`make docs` draws them again."""
    draw_boards(tmp_path)
    drawn = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    assert drawn == {f.name: f.read_text(encoding="utf-8") for f in BOARDS.glob("*.svg")}
