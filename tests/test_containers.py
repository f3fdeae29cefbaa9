"""The container files name commands, options and files that exist."""

import re
import subprocess
from pathlib import Path

import pytest

from catan_env.cli.command import asked_for, parser_for

ROOT = Path(__file__).resolve().parents[1]
COMPOSE = (ROOT / "compose.yml").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def commands() -> list[list[str]]:
    """The commands of the services, with a league in the place of its URL."""
    listed = re.findall(r"command: \[(.*)\]", COMPOSE)
    (lines,) = re.findall(r"command:\n((?: +- .*\n)+)", COMPOSE)
    found = [[word.strip().strip('"') for word in line.split(",")] for line in listed]
    found.append([line.strip().removeprefix("- ") for line in lines.splitlines()])
    return [["mine" if word == "*league" else word for word in words] for words in found]


@pytest.mark.parametrize("words", commands(), ids=lambda words: " ".join(words[:2]))
def test_a_service_is_a_command_of_ours(words: list[str]) -> None:
    assert parser_for(words).parse_args(words) is not None and asked_for(words)


def test_each_run_of_the_tournament_saves_its_games_in_a_new_folder(tmp_path: Path) -> None:
    (script,) = re.findall(r"entrypoint: \[sh, -c, '(.*)', catan-env\]", COMPOSE)
    echo = tmp_path / "catan-env"
    echo.write_text("#!/bin/sh\necho $@\n", encoding="utf-8")
    echo.chmod(0o755)
    line = ["sh", "-c", script.replace("$$", "$"), "catan-env", *commands()[-1]]
    path = {"PATH": f"{tmp_path}:/bin:/usr/bin"}
    done = subprocess.run(line, env=path, capture_output=True, text=True, check=True)
    assert re.fullmatch(r"serve .* --record /data/tournament-[\d-]{17}\n", done.stdout)


def test_the_image_gets_every_file_that_the_wheel_is_built_from() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    kept = {line[1:] for line in ignored.splitlines() if line.startswith("!")}
    assert all((ROOT / name).exists() for name in kept)
    assert {"catan_env", "policies", "training", "pyproject.toml", "hatch_build.py"} <= kept


def test_the_servers_are_not_root_and_compile_nothing() -> None:
    assert re.search(r"^USER \d+$", DOCKERFILE, re.MULTILINE)
    assert "-m catan_env.policies.judge.compiled" in DOCKERFILE
    assert COMPOSE.count("read_only: true") == 1 and COMPOSE.count("<<: *catan-env") == 6
