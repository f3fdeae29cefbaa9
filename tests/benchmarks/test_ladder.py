"""The ladder's page is generated from its ledger, and a second run resumes the first."""

import json
import re
from dataclasses import replace

import pytest

pytest.importorskip("sqlalchemy")

from benchmarks import ladder
from benchmarks.ladder import Bot
from catan_env.arena.league.league import League
from catan_env.arena.league.workers import Alone
from catan_env.web.hall import POLICIES

BOTS = [Bot("random", "random"), Bot("greedy", "greedy")]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A ladder on which all have played their games."""
    place = tmp_path_factory.mktemp("ladder")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladder, "tables_that_fit", lambda _: 1)
        ladder.play(ladder.open_ledger(place), BOTS, 4)
    return place


def test_the_ladder_plays_until_every_entrant_has_its_games(played):
    ledger = ladder.open_ledger(played)
    assert ledger.count() == 4
    ladder.play(ledger, BOTS, 4)
    assert ledger.count() == 4
    league = League(ledger)
    text = ladder.page(league.standings(), league.tally())
    assert "| greedy | " in text and "4 games so far" in text


def test_the_games_that_entrants_lack_are_rounded_up_to_whole_tables(tmp_path):
    """Three entrants lack 0, 3 and 6 seats; a game has four."""
    ledger = ladder.open_ledger(tmp_path, ladder.LADDERS["four"])
    ladder.admit(ledger, [Bot(name, "random") for name in ("a", "b", "c")])
    assert [ladder._missing(ledger, games) for games in (0, 1, 2)] == [0, 1, 2]


@pytest.fixture
def here(monkeypatch):
    """Games are played in this process."""
    monkeypatch.setattr(ladder, "Processes", lambda _: Alone())


def test_the_anchor_has_1000_and_the_others_keep_their_distance(tmp_path, here):
    ledger = ladder.open_ledger(tmp_path)
    ladder.play(ledger, [Bot(ladder.ANCHOR, "random"), Bot("greedy", "greedy")], 4)
    found = League(ledger).standings()
    before = {line.entrant.name: line.rating for line in found.lines}
    after = {line.entrant.name: line.rating for line in ladder.anchored(found).lines}
    assert after[ladder.ANCHOR] == 1000
    assert after["greedy"] - 1000 == pytest.approx(before["greedy"] - before[ladder.ANCHOR])
    assert "The rating of catanatron's Value is 1000." in ladder.page(found, League(ledger).tally())


def test_the_start_page_shows_the_ratings_of_the_ladder():
    duel = ladder.LADDERS["duel"]
    row = re.compile(r"^\| ([^|]+?)(?: [0-9a-f]{8})? \| (-?\d+) \| \d+ \|", re.MULTILINE)
    on_page = {name: int(rating) for name, rating in row.findall(duel.page.read_text())}
    assert on_page == json.loads(duel.ratings.read_text())
    offered = {policy.name: policy.rating for policy in POLICIES if policy.rating is not None}
    assert offered and offered.items() <= on_page.items()


def test_the_ratings_are_written_with_the_page(played, tmp_path, monkeypatch):
    files = {"page": tmp_path / "page.md", "ratings": tmp_path / "ratings.json"}
    table = replace(ladder.LADDERS["duel"], **files)
    monkeypatch.setitem(ladder.LADDERS, "duel", table)
    ladder.main(["--place", str(played), "--write"])
    found = json.loads(table.ratings.read_text())
    assert found.keys() == {"random", "greedy"} and found["greedy"] > found["random"]
    assert f"| greedy | {found['greedy']} |" in table.page.read_text()


@pytest.mark.parametrize("table", ladder.LADDERS)
def test_the_entrants_of_the_project_have_different_names_and_policies_that_exist(table):
    bots = ladder.bots_in(ladder.ENTRANTS, table)
    assert len({bot.name for bot in bots}) == len(bots) > 8
    files = [bot for bot in bots if bot.file is not None]
    assert files and all(bot.file.is_file() and len(bot.version) == 8 for bot in files)
    assert {ladder.ANCHOR, "greedy", "best"} <= {bot.name for bot in bots}


def test_a_bot_of_a_file_of_ones_own_joins_and_only_its_games_are_played(
    tmp_path, monkeypatch, here
):
    own, theirs = tmp_path / "mine.toml", tmp_path / "entrants.toml"
    rows = '[[entrant]]\nname = "{0}"\npolicy = "{0}"\n'
    theirs.write_text(rows.format("random") + rows.format("builder"))
    own.write_text(rows.format("greedy").replace('"greedy"', '"mine"', 1) + 'author = "me"\n')
    monkeypatch.setattr(ladder, "ENTRANTS", theirs)
    page = tmp_path / "page.md"
    given = ["--place", str(tmp_path / "league"), "--page", str(page), "--games", "2"]
    ladder.main([*given, "--slow-games", "1"])
    assert "| builder | " in page.read_text() and "| mine | " not in page.read_text()
    ladder.main([*given, "--slow-games", "1", "--entrants", str(own)])
    assert "| mine | " in page.read_text()


def test_weights_that_change_are_a_new_version(tmp_path):
    ledger = ladder.open_ledger(tmp_path / "league")
    weights = (ladder.ROOT / "policies" / "weights" / "duel.npz").read_bytes()
    (tmp_path / "a.npz").write_bytes(weights)
    bots = [Bot("mine", "a.npz", folder=tmp_path), Bot("random", "random")]
    ladder.admit(ledger, bots)
    ladder.admit(ledger, bots)
    (first,) = [e.version for e in ledger.entrants() if e.name == "mine"]
    (tmp_path / "a.npz").write_bytes(weights + b"x")
    ladder.admit(ledger, bots)
    (second,) = [e.version for e in ledger.entrants() if e.name == "mine" and e.is_active]
    assert len(first) == len(second) == 8 and first != second


def test_weights_that_are_restored_are_the_earlier_version_again(tmp_path):
    ledger = ladder.open_ledger(tmp_path / "league")
    weights = (ladder.ROOT / "policies" / "weights" / "duel.npz").read_bytes()
    mine, other = Bot("mine", "a.npz", folder=tmp_path), Bot("random", "random")
    versions = []
    for extra in (b"", b"x", b"", b"x"):
        (tmp_path / "a.npz").write_bytes(weights + extra)
        ladder.admit(ledger, [mine, other])
        versions += [e.version for e in ledger.entrants() if e.name == "mine" and e.is_active]
    assert versions[:2] == versions[2:] and len(set(versions)) == 2
    (tmp_path / "a.npz").write_bytes(weights)
    for bots in ([mine, other], [other]):
        ladder.admit(ledger, bots)
        assert {e.name for e in ledger.entrants() if e.is_active} == {bot.name for bot in bots}


class Illegal:
    """A policy whose answer is never legal."""

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, view):
        return -1


def test_a_quarantined_entrant_is_left_out_and_the_others_play_on(tmp_path, here, capsys):
    ledger = ladder.open_ledger(tmp_path)
    bad = Bot("bad", f"{__name__}:Illegal")
    ladder.play(ledger, [bad, *BOTS], 16)
    sums = League(ledger).tally().sums
    games = {entrant.name: sums[entrant.id].games for entrant in ledger.entrants()}
    assert games["random"] >= 16 and games["greedy"] >= 16 and 10 <= games["bad"] < 16
    lacking = f"bad is quarantined and lacks {16 - games['bad']} of its games"
    assert lacking in capsys.readouterr().err


def test_a_wrong_row_is_one_line(tmp_path, capsys):
    (tmp_path / "x.toml").write_text('[[entrant]]\nname = "mine"\nmodule = "x"\n')
    with pytest.raises(SystemExit) as ended:
        ladder.main(["--entrants", str(tmp_path / "x.toml"), "--place", str(tmp_path)])
    assert ended.value.code == 2
    assert "unexpected keyword argument 'module'" in capsys.readouterr().err
