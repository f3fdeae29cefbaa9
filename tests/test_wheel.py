"""The wheel in a bare environment, next to a user's folders with the same names as ours."""

import json
import os
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path
from urllib.parse import urljoin

import pytest
from websockets.sync.client import connect

from tests.bare import ROOT, bare_environment, build_wheel

PARTS = (".css", ".html", ".js", ".ttf")
MINE = """\
class Mine:
    def __init__(self, seed):
        pass

    def act(self, view):
        return view.legal_actions.indices[0]
"""
PLAY = """\
import gymnasium
import policies.mine
import training

import catan_env.policies.random
import catan_env.training.games

env = gymnasium.make("catan_env:Catan-v0", opponents="random")
env.reset(seed=1)
print(policies.mine.Mine.__module__, training.MINE)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def bare(tmp_path_factory, wheel) -> Path:
    return bare_environment(tmp_path_factory.mktemp("bare"), wheel)


@pytest.fixture
def users(tmp_path) -> Path:
    """A user's folder with a script, a package `policies` and a package `training`."""
    for name, text in (
        ("policies/__init__.py", ""),
        ("policies/mine.py", MINE),
        ("training/__init__.py", "MINE = 'my training'\n"),
        ("script.py", PLAY),
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def run(bare: Path, folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess:
    """Run a program of the bare environment in a folder."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    command = [str(bare / program), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_wheel_takes_one_name_only(wheel):
    names = {Path(name).parts[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"catan_env"}


def test_the_wheel_contains_the_top_level_folders(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    for top in ("policies", "training"):
        for file in (ROOT / top).rglob("*"):
            if file.suffix in (".py", ".npz", ".npy", ".toml", ".md"):
                assert f"catan_env/{file.relative_to(ROOT)}" in inside


def test_the_wheel_has_the_parts_of_every_page(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    parts = [file for file in (ROOT / "catan_env").rglob("*") if file.suffix in PARTS]
    assert len(parts) > 10
    assert {str(file.relative_to(ROOT)) for file in parts} <= inside


def test_a_table_is_served_from_the_wheel_and_ends_in_a_replay(bare, users):
    command = [str(bare / "catan-env"), "table", "--people", "0", "--against", "builder", "builder"]
    options = ["--rules", "duel", "--seed", "1", "--pace", "0", "--no-open", "--record", "kept"]
    with subprocess.Popen(
        [*command, *options], cwd=users, stdout=subprocess.PIPE, text=True
    ) as run:
        try:
            link = run.stdout.readline().split()[-1]
            page = urllib.request.urlopen(link.partition("#")[0]).read().decode()
            with connect(link.replace("http", "ws").partition("#")[0], max_size=None) as line:
                line.send(json.dumps({"type": "sit", "secret": link.partition("#")[2]}))
                while (message := json.loads(line.recv(timeout=600)))["type"] != "over":
                    pass
            replay = urllib.request.urlopen(urljoin(link, message["replay"])).read().decode()
        finally:
            run.terminate()
    assert "openPage" in page and "openPage" in replay and "<!--" not in page + replay
    ends = sorted(file.name.partition(".")[2] for file in (users / "kept").iterdir())
    assert ends == ["lock", "sgn.json", "table.json"]


def test_a_users_own_packages_are_found_and_so_are_ours(bare, users):
    done = run(bare, users, "python", "script.py")
    assert (done.returncode, done.stdout) == (0, "policies.mine my training\n"), done.stderr


@pytest.mark.nightly
def test_a_tournament_is_served_and_its_record_becomes_a_page(bare, users):
    agents = [f"{bare / 'catan-env'} agent --policy {name}" for name in ("best", "random")]
    done = run(
        bare, users, "catan-env", "serve", "--agent", agents[0], "--agent", agents[1],
        "--max-turns", "6", "--timeout", "60", "--record", "kept", "--sandbox", "limits",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "1 best " in done.stdout and "kicked in" not in done.stderr
    page = run(bare, users, "catan-env", "replay", "kept/game-0001.sgn.json", "--html", "game.html")
    assert page.returncode == 0, page.stderr
    assert "</html>" in (users / "game.html").read_text()


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (
            "from catan_env.envs import sb3",
            "this environment needs sb3_contrib: pip install '.[train]' in a checkout of catan_env",
        ),
        (
            "from catan_env.render.raster import rasterize; rasterize('<svg/>', 9)",
            "drawing pixels needs resvg_py: pip install '.[render]' in a checkout of catan_env",
        ),
    ],
)
def test_a_missing_extra_is_named_with_the_command_that_installs_it(bare, users, code, line):
    done = run(bare, users, "python", "-c", code)
    assert done.stderr.splitlines()[-1] == f"ImportError: {line}"


def test_a_checkout_on_the_path_takes_no_names_from_a_script(users):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=users, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "policies.mine my training\n"), done.stderr


def test_a_users_own_policy_plays_from_the_command_line(bare, users):
    done = run(bare, users, "catan-env", "play", "policies.mine:Mine", "random", "--games", "2")
    assert done.returncode == 0, done.stderr
    assert "1 policies.mine:Mine" in done.stdout and "2 games, " in done.stdout
