"""The checks of a built site fail on a missing entry and on a broken link."""

from pathlib import Path

import catan_env
from docs.site import links, names


def test_a_public_name_without_an_entry_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "reference" / "api"
    folder.mkdir(parents=True)
    (folder / "game.html").write_text('<dt id="catan_env.Game"></dt>')
    found = set(names.missing(tmp_path))
    assert "catan_env.Game" not in found
    assert {f"catan_env.{name}" for name in ("Board", "Action", "Event", "SeatView")} <= found
    assert len(found) > len(catan_env.__all__)


def test_a_link_to_a_missing_page_or_anchor_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.html").write_text('<h2 id="here"></h2>')
    (tmp_path / "index.html").write_text(
        '<a href="other.html#here"></a> <a href="other.html#gone"></a> <img src="none.png">'
        '<a href="https://example.org/none"></a>'
    )
    assert list(links.broken(tmp_path)) == [
        "index.html: other.html#gone",
        "index.html: none.png",
    ]
