"""Chance from a secret: the same for the same secret, and independent of everything visible."""

import pickle
import random
from collections import Counter

import pytest

from catan_env import Action, Game, Rules
from catan_env.game.action import ActionKind
from catan_env.game.chance import below_under, derived, new_secret
from catan_env.game.event import Event

SECRET = bytes(range(32))


def played(seed: int, secret: bytes | None, choices: int = 0, seats: int = 3) -> Game:
    """Return a whole game of random choices, seeded by `choices`."""
    game = Game(seats, seed, secret=secret)
    chooser = random.Random(choices)
    while not game.is_over and game.turn < 300:
        game.play(chooser.choice(game.legal_actions.indices.tolist()))
    return game


def chances(game: Game) -> list[tuple[ActionKind, object]]:
    """Return the random outcomes of a game, in order."""
    kinds = ActionKind.ROLL, ActionKind.BUY_DEVELOPMENT_CARD, ActionKind.MOVE_ROBBER
    return [
        (e.action.kind, e.outcome)
        for e in game.events
        if e.action.kind in kinds and e.outcome is not None
    ]


def dice(game: Game) -> list[object]:
    """Return the pairs of dice, in order."""
    return [outcome for kind, outcome in chances(game) if kind == ActionKind.ROLL]


def test_the_same_secret_and_actions_give_the_same_bytes() -> None:
    assert played(5, SECRET).state_bytes() == played(5, SECRET).state_bytes()


def test_one_board_has_other_dice_under_each_secret() -> None:
    one, other, seeded = (Game(3, 5, secret=s) for s in (SECRET, new_secret(), None))
    assert one.board == other.board == seeded.board
    rolls = [dice(played(5, s)) for s in (SECRET, derived(SECRET, "other"), None)]
    shortest = min(map(len, rolls))
    for k, first in enumerate(rolls):
        for second in rolls[k + 1 :]:
            same = sum(a == b for a, b in zip(first, second, strict=False))
            assert same < shortest / 4  # 1 in 36 by chance


def test_the_table_places_at_random_by_the_seed() -> None:
    rules = Rules.tournament("random")
    one, other, seeded = (Game(3, 5, rules, secret=s) for s in (SECRET, new_secret(), None))
    assert one.events == other.events == seeded.events
    assert one.events != Game(3, 6, rules, secret=SECRET).events


def test_the_dice_do_not_depend_on_the_board() -> None:
    rolls = set()
    for seed in range(5):
        game = Game(2, seed, "tournament", secret=SECRET)
        while Action.roll() not in game.legal_actions:
            game.play(int(game.legal_actions.indices[0]))
        rolls.add(game.play(Action.roll()).outcome)
    assert len(rolls) == 1


def test_a_copy_a_pickle_and_a_record_have_the_same_future() -> None:
    game = Game(3, 5, secret=SECRET)
    chooser = random.Random(3)
    while game.turn < 12:
        game.play(chooser.choice(game.legal_actions.indices.tolist()))
    twins = [game.copy(), pickle.loads(pickle.dumps(game)), Game.from_sgn(game.to_sgn())]
    for _ in range(200):
        action = chooser.choice(game.legal_actions.indices.tolist())
        event = game.play(action)
        assert [twin.play(action) for twin in twins] == [event] * 3


def test_every_outcome_is_legal_and_of_the_right_odds() -> None:
    counts: Counter[object] = Counter()
    for k in range(8):
        game = played(k, derived(SECRET, str(k)), k)
        counts.update(dice(game))
        cards = [outcome for kind, outcome in chances(game) if kind.name.startswith("BUY")]
        assert Counter(cards) <= Counter(dict(enumerate((14, 2, 2, 2, 5))))
    rolled = sum(counts.values())
    assert len(counts) == 36
    assert max(counts.values()) < 2.2 * rolled / 36


@pytest.mark.parametrize("kind", ["ROLL", "BUY_DEVELOPMENT_CARD", "MOVE_ROBBER"])
def test_every_random_outcome_comes_from_the_secret(kind: str) -> None:
    for event, before in moments(kind):
        outcomes = set()
        for k in range(40):
            twin = before.copy()
            twin._secret = derived(SECRET, str(k))
            outcomes.add(twin.play(event.action).outcome)
        if len(outcomes) > 1:
            return
    raise AssertionError("one outcome under forty secrets")


def moments(kind: str) -> list[tuple[Event, Game]]:
    """Return the events of a kind with an outcome, and the game before each."""
    game, found = Game(3, 5, secret=SECRET), []
    for event in played(5, SECRET, choices=2).events:
        if event.action.kind.name == kind and event.outcome is not None:
            found.append((event, game.copy()))
        game.play(event.action, event.outcome)
    assert found
    return found[:12]


def test_draws_are_uniform_over_any_pile() -> None:
    for limit in (2, 5, 19, 25, 36):
        found = Counter(below_under(SECRET, n, limit) for n in range(200 * limit))
        assert set(found) == set(range(limit))
        assert max(found.values()) < 300
        assert min(found.values()) > 120


def test_a_given_outcome_is_used_and_counts_as_a_draw() -> None:
    game, twin = Game(2, 5, "tournament", secret=SECRET), Game(2, 5, "tournament", secret=SECRET)
    while game.phase.name != "ROLL":
        for one in (game, twin):
            one.play(int(one.legal_actions.indices[0]))
    rolled = twin.play(Action.roll())
    assert isinstance(rolled, Event)
    assert game.play(Action.roll(), rolled.outcome) == rolled
    assert game.state_bytes() == twin.state_bytes()


@pytest.mark.parametrize("length", [0, 8, 15, 65])
def test_a_secret_that_could_be_searched_for_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"a secret of {length} bytes; allowed are 16..64"):
        Game(secret=bytes(length))


def test_no_view_contains_the_secret() -> None:
    game = played(5, SECRET)
    for seat in range(3):
        assert SECRET.hex() not in repr(vars(game.view(seat)))
        assert SECRET.hex() not in repr(game.to_sgn(viewer=seat))
    assert SECRET not in game.state_bytes()
    assert SECRET.hex() not in repr(game)
