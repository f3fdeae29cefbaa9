"""A recorded game as a web page, and records in two formats at the command line."""

import json
import re
from pathlib import Path

import pytest

from catan_env.cli import main
from catan_env.guests.hanabi import Game, hanab_live, record
from catan_env.guests.hanabi.replay_page import contents_of, page_of
from catan_env.guests.hanabi.rules import OFFICIAL
from tests.guests.hanabi.test_hanab_live import played


def contents_in(page: str) -> object:
    found = re.search(r'<script id="game" type="application/json">(.*?)</script>', page, re.S)
    assert found is not None
    return json.loads(found[1])


def test_the_page_holds_every_position() -> None:
    game = played(3, 2, OFFICIAL)
    names = ["Ann", "<b>Ben</b>", "Cleo"]
    page = page_of(game, names)
    assert "<b>Ben" not in page and "{{" not in page
    shown = contents_of(game, names)
    assert contents_in(page) == shown
    assert "Donald" not in page_of(game), "three players have the first three names"
    assert len(shown["steps"]) == len(shown["said"]) == len(game.events) + 1
    last = shown["steps"][-1]
    assert last["score"] == game.score and last["turn"] is None
    assert last["hands"] == [[str(card) for card in hand] for hand in game.hands]
    replayed = Game(3, deck=record.deck_of(game))
    for step, event in zip(shown["steps"], game.events, strict=False):
        assert step["tokens"] == replayed.tokens and step["turn"] == event.seat
        replayed.play(event.action)


def test_the_commands_read_and_write_both_formats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, live, again = (str(tmp_path / name) for name in ("a.json", "b.json", "c.json"))
    page = tmp_path / "a.html"
    main(["hanabi", "play", "--policy", "piers", "--seed", "3", "--record", ours])
    assert main(["hanabi", "replay", ours, "--hanab-live", live]) == 0
    assert main(["hanabi", "replay", live, "--hanab-live", again, "--html", str(page)]) == 0
    assert Path(live).read_text() == Path(again).read_text()
    assert hanab_live.loads(Path(live).read_text()) == record.loads(Path(ours).read_text())
    assert "Alice" in page.read_text()
    capsys.readouterr()
    main(["hanabi", "replay", live])
    shown = capsys.readouterr().out
    main(["hanabi", "replay", ours])
    assert capsys.readouterr().out == shown
