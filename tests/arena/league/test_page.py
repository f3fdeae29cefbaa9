"""A league's pages: read-only, identical when served and as files, computed from the outcomes."""

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from catan_env.cli import main
from catan_env.net.websocket import as_response
from catan_env.policy import load_policy
from tests.arena.league.places import ROOT, league
from tests.render.browser import leave_pages
from tests.web.test_looks import assert_tidy

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.database import UnreachableError
from catan_env.arena.league.league import League
from catan_env.arena.league.ledger import Ledger
from catan_env.web.league import Site


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> str:
    """A league with some games played, in which one entrant's name is a script and one fails."""
    bad = "bad=tests.arena.league.test_league:Failing"
    place = league(tmp_path_factory.mktemp("page"), "builder", "<script>x</script>=random", bad)
    assert main(["league", "run", place, "--games", "36", "--workers", "1"]) == 0
    return place


def test_the_page_agrees_with_the_standings_and_links_to_every_replay(place, tmp_path, capsys):
    assert main(["league", "page", place, str(tmp_path / "site")]) == 0
    index = (tmp_path / "site" / "index.html").read_text()
    capsys.readouterr()
    main(["league", "standings", place])
    for line in capsys.readouterr().out.splitlines()[1:4]:
        name, rating = re.split(r"\s{2,}", line)[:2]
        assert name.replace("<", "&lt;").replace(">", "&gt;") in index and f">{rating}<" in index
    assert "<script>x" not in index and "RuntimeError: out of ideas" in index
    links = re.findall(r'href="([^"]+)"', index)
    assert len(links) == 72
    assert all((tmp_path / "site" / link).exists() for link in links)
    data = json.loads((tmp_path / "site" / "standings.json").read_text())
    assert data["games"] == 36 and [row["is_quarantined"] for row in data["standings"]].count(True)


def test_the_page_is_tidy_at_every_size_and_its_charts_have_scales(place, tmp_path, chromium):
    assert main(["league", "page", place, str(tmp_path), "--replays", "1"]) == 0
    try:
        chromium.get((tmp_path / "index.html").as_uri())
        assert_tidy(chromium, "league")
        for chart in chromium.find_elements("css selector", "svg"):
            numbers = [text.text for text in chart.find_elements("css selector", "text")]
            assert sum(number.lstrip("-").isdigit() for number in numbers) >= 2
        for column, side in ((2, "right"), (4, "right"), (8, "left")):  # rating, games, better than
            cell = chromium.find_element("css selector", f"td:nth-child({column})")
            assert cell.value_of_css_property("text-align") == side
    finally:
        leave_pages(chromium)


def test_the_served_page_takes_in_new_games_and_writes_nothing(place):
    before = Path(place, "league.db").read_bytes()
    command = [sys.executable, "-m", "catan_env", "league", "serve", place]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            index = urllib.request.urlopen(address).read().decode()
            assert "36 games" in index
            replay = urllib.request.urlopen(f"{address}game/3.html").read().decode()
            assert "Game 3: " in replay
            record = json.loads(urllib.request.urlopen(f"{address}game/3.sgn.json").read())
            assert record[0]["event"] == "PS"
            for path in ("game/999.html", "../league.db", "game/0.html"):
                with pytest.raises(urllib.error.HTTPError):
                    urllib.request.urlopen(address + path)
        finally:
            server.terminate()
    assert Path(place, "league.db").read_bytes() == before
    assert Ledger(place).count() == 36


def test_the_pages_outlast_a_lost_database_and_are_refreshed_when_it_is_back(
    place, monkeypatch, capsys
):
    monkeypatch.setattr("catan_env.web.league.FRESH", -1.0)
    site = Site(Ledger(place))
    pages = {path: site[path] for path in site}

    def lost(*_):
        raise UnreachableError("gone")

    with monkeypatch.context() as meanwhile:
        for door in ("last", "game"):
            meanwhile.setattr(Ledger, door, lost)
        assert {path: site[path] for path in site} == pages
        assert capsys.readouterr().err == "gone; showing the pages made before\n"
        for path in ("/game/1.html", "/game/1.sgn.json"):
            answer = as_response(site[path])
            assert answer.status_code == 503 and b"cannot be reached" in answer.body
    assert as_response(site["/game/1.html"]).status_code == 200
    assert {path: site[path] for path in site} == pages
    assert not capsys.readouterr().err


def test_games_are_shown_although_the_database_was_lost_while_they_were_read(
    place, monkeypatch, tmp_path
):
    path = shutil.copytree(place, tmp_path / "league")
    ledger = Ledger(str(path))
    site = Site(ledger)
    assert main(["league", "run", str(path), "--games", "6", "--workers", "1"]) == 0
    skills, errors = League.skills, [UnreachableError("gone")]

    def lost_once(league):
        if errors:
            raise errors.pop()
        return skills(league)

    monkeypatch.setattr(League, "skills", lost_once)
    with pytest.raises(UnreachableError):
        site.refresh()
    site.refresh()
    assert b"42 games" in site["/"].body


class Tiring:
    """A policy that builds in the first games of this process, and fails in all later ones."""

    games = 0

    def __init__(self, seed: int = 0) -> None:
        Tiring.games += 1
        self.builder = load_policy("builder", seed)

    def act(self, view):
        if Tiring.games > 12:
            raise RuntimeError("tired")
        return self.builder.act(view)


def last_ratings(site: Site) -> dict[str, float]:
    """The right ends of the curves."""
    titles, (_, ratings) = site._shown.titles, site._shown.history[-1]
    return {titles[entrant]: rating for entrant, rating in ratings.items()}


def test_the_curves_end_at_the_ratings_of_the_standings(tmp_path):
    """Also those that were drawn before an entrant was quarantined or pardoned."""
    place = league(tmp_path, "builder", "greedy", f"bad={__name__}:Tiring")
    ledger = Ledger(place)
    site = Site(ledger)
    for number, command in enumerate(("run", "run", "pardon"), 1):
        options = ["--games", "24", "--workers", "1"] if command == "run" else ["bad"]
        assert main(["league", command, place, *options]) == 0
        site.refresh()
        found = League(ledger).standings()
        ratings = {line.entrant.title: line.rating for line in found.lines}
        is_out = {line.entrant.title for line in found.lines if line.is_quarantined}
        assert is_out == ({"bad"} if number == 2 else set())
        assert last_ratings(site) == pytest.approx(ratings)
        again = dict(Site(ledger)._shown.history)
        for games, point in site._shown.history:
            assert games not in again or point == pytest.approx(again[games])


def test_a_pardon_and_a_removal_are_shown_without_another_game(place, tmp_path):
    path = str(shutil.copytree(place, tmp_path / "league"))
    site = Site(Ledger(path))
    assert b"bad (quarantined)" in site["/"].body
    assert main(["league", "pardon", path, "bad"]) == 0
    site.refresh()
    assert b"quarantined" not in site["/"].body
    assert b'"is_quarantined": true' not in site["/standings.json"].body
    assert main(["league", "remove", path, "bad"]) == 0
    site.refresh()
    assert b"bad (removed)" in site["/"].body
