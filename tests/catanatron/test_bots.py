"""catanatron's bots in our engine: every answer is legal, and the better ones are stronger."""

import random
import subprocess
import sys

import pytest

from catan_env import Game
from catan_env.arena.match import Match
from catan_env.policy import CATANATRON, check_policy, decide, load_policy

pytest.importorskip("catanatron")

from catan_env.catanatron.log import HAS_RECORDS

ON_ACTIONS = ("catanatron:random", "catanatron:weighted")
TRYING = tuple(name for name in CATANATRON if name not in ON_ACTIONS)
with_copies = pytest.mark.skipif(not HAS_RECORDS, reason="these bots are in catanatron 3.3")


def play(seats: int, names: tuple[str, ...], decisions: int) -> Game:
    game = Game(seats, seed=3, rules="duel" if seats == 2 else "base")
    policies = [load_policy(names[seat % len(names)], seat) for seat in range(seats)]
    for _ in range(decisions):
        if not game.is_over:
            game.play(decide(policies[game.seat], game.view(game.seat)))
    return game


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("name", ON_ACTIONS)
def test_a_bot_that_looks_at_the_actions_alone_plays_legally(name: str, seats: int) -> None:
    assert play(seats, (name,), 200).turn > 10


@with_copies
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", ["catanatron:points", "catanatron:value"])
def test_a_bot_that_tries_actions_plays_legally(name: str, seats: int) -> None:
    """Greedy offers trades where three or four play; the bots reject them."""
    assert play(seats, (name, "greedy"), 150).turn > 10


@with_copies
def test_alpha_beta_plays_legally() -> None:
    assert play(2, ("catanatron:alphabeta",), 20).events


def test_greedy_beats_the_weighted_bot() -> None:
    match = Match(("greedy", "catanatron:weighted"), seed=1, rules="duel")
    assert sum(outcome.winning_entrant == 0 for outcome in match.results(4)) >= 3


@with_copies
def test_the_value_function_beats_the_weighted_bot() -> None:
    match = Match(("catanatron:value", "catanatron:weighted"), seed=1, rules="duel")
    assert sum(outcome.winning_entrant == 0 for outcome in match.results(4)) >= 3


def test_a_bot_leaves_the_global_random_stream_as_it_was() -> None:
    policy, game = load_policy("catanatron:random", 5), Game(2, seed=1)
    random.seed(1)
    before = random.getstate()
    answers = [policy.act(game.view(0)) for _ in range(20)]
    assert random.getstate() == before
    random.seed(2)
    again = load_policy("catanatron:random", 5)
    assert [again.act(game.view(0)) for _ in range(20)] == answers
    assert len(set(answers)) > 5


@pytest.mark.skipif(HAS_RECORDS, reason="this catanatron has all bots")
@pytest.mark.parametrize("name", TRYING)
def test_an_older_catanatron_is_named_with_the_command_that_replaces_it(name: str) -> None:
    with pytest.raises(ImportError, match=r"needs catanatron 3\.3 or later, not .*: pip install"):
        check_policy(name)


def test_a_missing_catanatron_is_one_line() -> None:
    code = (
        "import sys; sys.modules['catanatron'] = None; from catan_env.cli.command import main; "
        f"print([main(['play', name, 'random', '--rules', 'duel']) for name in {list(CATANATRON)}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == str([2] * len(CATANATRON)), done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == len(CATANATRON)
    for line in lines:
        assert line.startswith("catan-env play: catanatron's bots need catanatron: pip install git")
