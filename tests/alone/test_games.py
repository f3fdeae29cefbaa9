"""The page's worker plays the same games as Python, and sends the page what a table sends.

The tests are skipped if the engine for web pages has not been built (`make wasm`), or without node.
"""

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from catan_env.alone import alone_html, built_module
from catan_env.alone.tables import packed
from catan_env.kernel import jit
from catan_env.notation.record import different_names
from tests.alone.at_the_table import Table, record_of, replay_of
from tests.alone.pages import Worker, module, needs
from tests.native.ends import boxes, ends

GAMES = 1000
MOST_BYTES = 100_000
"""Of the module, compressed."""
LARGEST_PAGE = 3_000_000
"""The bytes of a page with a shipped network."""
TABLES = [
    ("greedy", 4, "base", "spiral"),
    ("greedy", 3, "base", "random_tokens"),
    ("greedy", 2, "duel", "beginner"),
    ("greedy", 4, "tournament", "spiral"),
    ("greedy", 3, "small", "spiral"),
    ("greedy", 4, "colonist", "spiral"),
    ("greedy", 2, "colonist_1v1", "spiral"),
    ("greedy", 4, "jsettlers", "spiral"),
    ("greedy", 4, "german_0.2", "spiral"),
    ("greedy", 2, "small", "beginner"),
    ("best", 4, "base", "spiral"),
    ("best", 3, "base", "spiral"),
    ("best", 2, "duel", "spiral"),
]
compiled = pytest.mark.skipif(not jit.MACHINE_CODE, reason="interpreted rules take too long")


def test_the_module_is_small_and_imports_nothing() -> None:
    code = module()
    assert len(gzip.compress(code)) < MOST_BYTES
    count = "console.log(WebAssembly.Module.imports(new WebAssembly.Module("
    count += "require('fs').readFileSync(0))).length)"
    done = subprocess.run([needs("node"), "-e", count], input=code, capture_output=True)
    assert done.stdout == b"0\n", done.stderr


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_page_with_a_shipped_network_is_small(seats: int) -> None:
    module()
    assert len(alone_html("best", seats).encode()) < LARGEST_PAGE


@compiled
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_thousand_random_games_of_all_rule_sets_end_with_the_same_bytes(
    seats: int, tmp_path: Path
) -> None:
    file = tmp_path / "boxes.json"
    file.write_text(json.dumps({name: packed(box) for name, box in boxes(seats).items()}))
    (played,) = Worker(tmp_path, "greedy", seats).run("random_games.mjs", GAMES, file)
    assert played["ends"] == ends(seats, GAMES)


@compiled
@pytest.mark.parametrize(("policy", "seats", "rules", "board"), TABLES)
def test_the_page_gets_the_messages_of_a_live_table(
    policy: str, seats: int, rules: str, board: str, tmp_path: Path
) -> None:
    """Step by step, with offers, answers, proposals, advice and choices taken back."""
    players = list(different_names(["Guest", *[policy] * (seats - 1)]))
    for k, played in enumerate(
        Worker(tmp_path, policy, seats, rules, board).run("players.mjs", 0, 3)
    ):
        options = {"seed": played["seed"], "rules": rules, "board": board}
        table = Table(players, played["person"], policy, k == 0, **options)
        for said, _ in played["said"]:
            table.hear(said)
        assert rounded(played["heard"]) == rounded(table.heard)
        assert table.table.game.is_over
        assert played["record"] == record_of(table.table)
        if rules != "tournament":  # its pieces appear one by one in a replay
            assert played["replay"] == replay_of(table.table)


def rounded(message: Any) -> Any:
    """A message without the last digits of odds, and without the reason of a refusal."""
    if isinstance(message, float):
        return round(message, 9)
    if isinstance(message, list):
        return [rounded(part) for part in message]
    if isinstance(message, dict):
        return {key: rounded(part) for key, part in message.items() if key != "reason"}
    return message


def test_a_module_of_other_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module()
    monkeypatch.setattr("catan_env.alone.module.engine_hashes", lambda names: dict.fromkeys(names))
    with pytest.raises(ValueError, match="changed since the engine for web pages was built"):
        built_module()
