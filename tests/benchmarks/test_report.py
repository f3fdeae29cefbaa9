"""The output and the files of the benchmark."""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.__main__ import arguments, rivals
from benchmarks.rows import Row, Work

ROOT = Path(__file__).resolve().parents[2]


def measured(games: int = 1) -> Row:
    row = Row("catan_env", "counting", games, True, False, lambda seconds: Work(10, 1))
    row.samples = [
        {
            "cpu_seconds": cpu,
            "wall_seconds": 2 * cpu,
            "decisions_per_second": 10 / cpu,
            "games_per_second": 1 / cpu,
            "forced_share": 0.0,
        }
        for cpu in (0.5, 1.0, 4.0)
    ]
    return row


def test_the_table_has_processor_time_and_wall_time_of_a_turn() -> None:
    head, _, line = (row.strip("| ").split(" | ") for row in report.table([measured()]).split("\n"))
    assert head[-3:] == ["processor s", "wall s", "forced"]
    assert line[-2:] == ["1.00", "2.00"]  # medians; no forced decisions


def test_speed_is_work_per_second_of_processor_time() -> None:
    row = Row("catan_env", "counting", 1, True, False, lambda seconds: Work(12, 3, 6))
    row.measure(0.0)
    (sample,) = row.samples
    seconds = sample["cpu_seconds"]
    assert sample["decisions_per_second"] == 12 / seconds
    assert sample["games_per_second"] == 3 / seconds
    assert sample["forced_share"] == 0.5


def test_rivals_that_are_not_installed_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("fastcatan", "catanatron", "catanatron_gym"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("fast_catan", "catanatron_rows", "catanatron_gym_rows"):
        monkeypatch.delitem(sys.modules, f"benchmarks.{name}", raising=False)
    assert rivals((1,)) == []
    assert capsys.readouterr().out.splitlines() == [
        f"missing: {name}, its rows are left out"
        for name in ("fastcatan", "catanatron", "catanatron_gym")
    ]


def test_the_machine_is_named_with_the_versions_that_were_measured() -> None:
    machine = report.machine()
    assert f"numba {version('numba')}" in machine
    assert "not-there" not in machine
    assert report.versions(("numpy", "not-there")) == [f"numpy {version('numpy')}"]


def test_every_sample_is_saved_in_a_file_that_git_ignores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks"])
    default = arguments().json
    assert default == Path("runs/benchmark.json")
    assert "/runs/" in (ROOT / ".gitignore").read_text().split("\n")
    file = tmp_path / default
    report.write_json(file, [measured()], {"import, seconds": 0.02})
    written = json.loads(file.read_text())
    assert written["machine"] == report.machine()
    assert [row["samples"][1]["wall_seconds"] for row in written["rows"]] == [2.0]


def test_a_saved_run_prints_the_same_tables_again(tmp_path: Path) -> None:
    rows, costs = [measured(), measured(games=64)], {"import, seconds": 0.02}
    report.write_json(tmp_path / "run.json", rows, costs)
    expected = report.text(report.machine(), rows, costs)
    machine, read, start_up = report.read_json(tmp_path / "run.json")
    assert report.text(machine, read, start_up) == expected
    with pytest.raises(ValueError, match="cannot be measured again"):
        read[0].measure(1.0)


def test_the_pages_show_the_saved_run() -> None:
    """Tables and figures are those of one named run."""
    machine, rows, start_up = report.read_json(ROOT / "benchmarks/results/engine.json")
    page, readme = ((ROOT / name).read_text() for name in ("docs/performance.md", "README.md"))
    shown = report.text(machine, rows, start_up).splitlines()
    assert [line for line in shown if line.startswith("|") and line not in page] == []
    assert machine in " ".join(page.split())
    ratios = [line.split(" | ")[3] for line in shown if " per second | " in line]
    assert f"{ratios[0]} times as many as fastCatan" in readme
    assert f"{round(float(ratios[2]))} times as fast as in catanatron" in readme
