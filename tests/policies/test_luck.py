"""The luck of games: no bias, less noise, and the events that it is the luck of."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from catan_env import Game, Rules
from catan_env.adapters.contest import play_games
from catan_env.core.actions import ROLL_ACTION
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.policies.luck.luck import chances_of, draws_of_moves, luck_of, luck_of_game
from catan_env.policies.players import player
from catan_env.training.evaluate import Bout, evaluate, merge, play, report

pytestmark = pytest.mark.skipif(not MACHINE_CODE, reason="whole games are slow in plain Python")
GAMES = 40
DUEL = Bout(("greedy", "builder"), GAMES, seed=11, rules="duel", luck=True)


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return evaluate(DUEL)


def test_luck_is_zero_on_average(table: dict[str, Any]) -> None:
    """Within three standard errors, for each entrant and for two other tables."""
    lucks = np.array(table["raw"]["luck"])
    four = np.array(play(Bout(("greedy",) * 4, 20, seed=5, luck=True), np.arange(20))["luck"])
    for found in (lucks, four):
        error = found.std(axis=0) / len(found) ** 0.5
        assert (np.abs(found.mean(axis=0)) < 3 * error).all()


def test_the_seats_luck_is_shared(table: dict[str, Any]) -> None:
    """Win probabilities add up to 1, so that one seat's good luck is the others' bad luck."""
    assert np.abs(np.sum(table["raw"]["luck"], axis=1)).max() < 1e-6


def test_results_without_luck_vary_less(table: dict[str, Any]) -> None:
    for entrant in table["entrants"]:
        assert entrant["saved"] > 0.05
        low, high = entrant["fair_interval"]
        assert low < entrant["fair_rate"] < high
    assert report(table).count("of games saved") == 2


def test_few_games_have_no_interval_or_one_between_none_and_all() -> None:
    (alone, *_) = evaluate(replace(DUEL, games=1))["entrants"]
    assert alone["fair_interval"] is None
    assert "% (one board has no interval)" in report(evaluate(replace(DUEL, games=2)))
    few = evaluate(replace(DUEL, games=8))
    for entrant in few["entrants"]:
        low, high = entrant["fair_interval"]
        assert 0 <= low < high <= 1
    assert report(few).count("(95 %: ") == 2


def test_slices_with_luck_merge() -> None:
    bout = replace(DUEL, games=8)
    table = evaluate(bout)
    parts = [evaluate(bout, (k, 2)) for k in (1, 2)]
    merged = merge(parts)
    assert merged["raw"]["luck"] == table["raw"]["luck"]
    assert merged["entrants"][0]["fair_rate"] == table["entrants"][0]["fair_rate"]


def test_files_from_before_luck_merge() -> None:
    old = evaluate(Bout(("random", "random"), 2))
    del old["luck"], old["raw"]["luck"]
    assert merge([old])["raw"]["luck"] == [[], []]


def begun(bout: Bout) -> Any:
    batch = bout.batch(1)
    batch.reset(bout.seeds(np.arange(1)))
    return batch


def played(bout: Bout, names: Sequence[str] = ("greedy", "greedy")) -> tuple[Any, list[int]]:
    """A game at its beginning, and the actions chosen in it."""
    batch = begun(bout)
    first = batch.states.copy()
    seats = len(bout.names)
    history = play_games(batch, [player(name, 0) for name in names], np.arange(seats)[None])
    return first, history.actions[0, : history.lengths[0]].tolist()


def test_the_totals_of_two_fair_dice_have_their_probabilities() -> None:
    chances = chances_of(begun(DUEL).states, ROLL_ACTION)
    totals = {code // 6 + code % 6 + 2: chance for code, chance in chances}
    assert sorted(totals) == list(range(2, 13))
    assert totals[7] == pytest.approx(6 / 36) and totals[12] == pytest.approx(1 / 36)
    assert sum(totals.values()) == pytest.approx(1)


def test_balanced_dice_have_the_probabilities_of_their_deck() -> None:
    first, words = played(replace(DUEL, rules="colonist_1v1"))
    rolls = [draw for draw in draws_of_moves(first, words) if len(draw.probabilities) > 6]
    usual = [chance for _, chance in chances_of(begun(DUEL).states, ROLL_ACTION)]
    assert len(rolls) > 20
    assert any(draw.probabilities.tolist() != usual for draw in rolls)
    assert all(draw.probabilities.sum() == pytest.approx(1) for draw in rolls)


def test_the_average_over_all_outcomes_has_no_luck() -> None:
    """Weighted by their probabilities, the lucks of the outcomes of an event cancel out."""
    for draw in list(draws_of_moves(*played(DUEL)))[::7]:
        lucks = [luck_of([replace(draw, happened=k)], 2) for k in range(len(draw.probabilities))]
        assert np.abs(draw.probabilities @ np.array(lucks)).max() < 1e-6
        assert draw.probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize("rules", ["duel", "tournament"])
def test_a_game_object_has_the_luck_of_its_moves(rules: str) -> None:
    """Under rules by which the table places, its placements are not played a second time."""
    bout = replace(DUEL, rules=rules)
    first, words = played(bout)
    game = Game(2, int(bout.seeds(np.arange(1))[0]), Rules.named(rules), bout.board)
    assert game.state_bytes() == first.tobytes()
    before = game.copy()
    for word in words:
        game.play(word)
    assert luck_of_game(before, game.events) == pytest.approx(
        luck_of(list(draws_of_moves(first, words)), 2)
    )
