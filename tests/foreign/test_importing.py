"""`catan-env import`: the names of the records, and files with a byte order mark."""

import codecs
from pathlib import Path

import pytest

from catan_env import Rules
from catan_env.cli import main
from catan_env.cli.importing import stems_of
from catan_env.notation import read
from tests.foreign.games import played, without_failed_offers
from tests.foreign.soclog_writer import NAMES, Recorded, Stac

Logs = dict[str, bytes]


@pytest.fixture(scope="module")
def logs() -> Logs:
    """The logs of two different games."""
    finished = (played(seed, Rules.jsettlers(), 2) for seed in (1, 2))
    return dict(zip(("one", "two"), (Recorded(g).write().encode() for g in finished), strict=True))


def saved(data: bytes, file: Path) -> str:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    return str(file)


def test_names_that_repeat_are_numbered_past_those_that_exist() -> None:
    files = [Path(name) for name in ("a/game.json", "b/game.json", "a/game-2.json", "c/GAME.json")]
    assert stems_of(files) == ["game", "game-2", "game-2-2", "GAME-3"]


def test_every_game_is_saved_though_files_are_named_alike(logs: Logs, tmp_path: Path) -> None:
    names = ("a/game.soclog", "b/game.soclog", "c/game-2.soclog")
    files = [saved(logs["one"], tmp_path / name) for name in names]
    assert main(["import", *files, "--record", str(tmp_path / "out")]) == 0
    assert len(list((tmp_path / "out").iterdir())) == 3


def test_import_overwrites_no_record(
    logs: Logs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    one = saved(logs["one"], tmp_path / "a" / "game.soclog")
    two = saved(logs["two"], tmp_path / "b" / "game.soclog")
    assert main(["import", one, "--record", str(out)]) == 0
    kept = (out / "game.sgn.json").read_text()
    capsys.readouterr()
    other = saved(logs["two"], tmp_path / "b" / "first.soclog")
    assert main(["import", other, two, "--record", str(out)]) == 2
    assert capsys.readouterr().err == (
        f"catan-env import: --record {out} has game.sgn.json already: name another folder, or "
        "empty it\n"
    )
    assert [file.name for file in out.iterdir()] == ["game.sgn.json"]
    assert (out / "game.sgn.json").read_text() == kept


def test_a_folder_without_files_of_games_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    out = tmp_path / "out"
    assert main(["import", str(tmp_path), "--record", str(out)]) == 2
    assert capsys.readouterr().err == "catan-env import: no .json or .soclog files there\n"
    assert not out.exists()


def test_the_case_of_a_suffix_does_not_matter(
    logs: Logs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(logs["one"], tmp_path / "GAME.SOCLOG")
    assert main(["import", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 file: 1 read\n"


@pytest.mark.parametrize("writer", [Recorded, Stac])
def test_a_byte_order_mark_is_no_part_of_a_game(writer: type[Recorded], tmp_path: Path) -> None:
    game = played(3, Rules.jsettlers(), 2)
    data = codecs.BOM_UTF8 + writer(game).write().encode()
    file = saved(data, tmp_path / "game.soclog")
    assert main(["import", file, "--record", str(tmp_path / "out")]) == 0
    assert len(read(tmp_path / "out" / "game.sgn.json").events) == len(
        without_failed_offers(game.events)
    )


def test_a_game_whose_record_cannot_be_written_is_named_and_the_others_are_saved(
    logs: Logs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = saved(logs["one"], tmp_path / f"{'a' * 248}.soclog")
    saved(logs["two"], tmp_path / "b.soclog")
    assert main(["import", str(tmp_path), "--record", str(tmp_path / "out")]) == 1
    said, errors = capsys.readouterr()
    assert errors == f"{long}: File name too long\n"
    assert said == "2 files: 1 read, 1 broken\n"
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["b.sgn.json"]


def test_a_player_may_have_the_name_that_another_one_would_be_given(
    logs: Logs, tmp_path: Path
) -> None:
    text = logs["one"].decode().replace(NAMES[0], "A").replace(NAMES[1], "A 1")
    file = saved(text.encode(), tmp_path / "game.soclog")
    assert main(["import", file, "--record", str(tmp_path / "out")]) == 0
    assert {*read(tmp_path / "out" / "game.sgn.json").players} == {"A 1", "A 2"}
