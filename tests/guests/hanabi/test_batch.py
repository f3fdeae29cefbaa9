"""The native batch and the plain rules play the same game."""

import random
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from catan_env.guests.hanabi import Action, Game, Rules
from catan_env.guests.hanabi.batch import ENDED, GOES_ON, REFUSED, STAY, Batch, play_out
from catan_env.kernel.jit import MACHINE_CODE
from tests.engines import said_by_both
from tests.guests.hanabi.random_games import careful_action

AT_ONCE = 32
VARIANTS = [
    Rules.named("server"),
    Rules(multicolour="suit"),
    Rules(multicolour="short", errors=4),
    Rules(multicolour="wild", score_after_explosion="kept"),
    Rules.named("Hanabi-Small"),
    Rules.named("Hanabi-Very-Small"),
]


NAMES = ["server", "suit", "short", "wild", "small", "very small"]


Choose = Callable[[Game, random.Random], int]


def careful_number(game: Game, chance: random.Random) -> int:
    number = game.number_of(careful_action(game, chance))
    assert number is not None
    return number


def compare(batch: Batch, games: list[Game]) -> None:
    """Compare every property of every game."""
    for i, game in enumerate(games):
        assert batch.observations[i].tobytes() == game.observe(game.seat).tobytes()
        assert batch.action_masks[i].tobytes() == game.action_mask.tobytes()
        assert batch.seat[i] == game.seat and batch.states["points"][i] == game.points


def play_beside(batch: Batch, wanted: int, choose: Choose | None = None, seed: int = 0) -> int:
    """Play until `wanted` games have ended, along with plain games; return the number of actions.

    Actions are uniform over the legal ones, unless `choose` picks them.
    """
    chance = random.Random(seed)
    games = [batch.game(i) for i in range(batch.num_games)]
    ended = moves = 0
    while ended < wanted:
        compare(batch, games)
        before = [game.score for game in games]
        actions = [choose(game, chance) for game in games] if choose else batch.sample_legal()
        batch.step(np.array(actions))
        for i, (game, action) in enumerate(zip(games, actions, strict=True)):
            game.play(int(action))
            moves += 1
            assert (batch.rewards[i] == game.score - before[i]).all()
            assert batch.done[i] == (ENDED if game.is_over else GOES_ON)
            if game.is_over:
                ended += 1
                assert (batch.score[i], batch.moves[i]) == (game.score, len(game.events))
                games[i] = batch.game(i)
    return moves


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_equal_those_of_the_plain_rules(players: int, games: int) -> None:
    batch = Batch(AT_ONCE, players=players, seed=players)
    assert play_beside(batch, games // 4) > games


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_to_the_last_turn_equal_those_of_the_plain_rules(players: int, games: int) -> None:
    batch = Batch(AT_ONCE, players=players, seed=players)
    play_beside(batch, games // 100, careful_number, players)


@pytest.mark.parametrize("rules", VARIANTS, ids=NAMES)
def test_games_of_other_rules_equal_those_of_the_plain_rules(rules: Rules, games: int) -> None:
    for players in (2, 4):
        if rules.colors > 1 or players == 2:
            for choose in (None, careful_number):
                batch = Batch(8, players=players, rules=rules, seed=5)
                play_beside(batch, games // 500, choose, players)


@pytest.mark.parametrize("hand_size", [None, 1, 5])
@pytest.mark.parametrize("multicolour", [None, "suit", "short", "wild"])
def test_hands_of_every_size_are_observed_as_in_the_plain_rules(
    multicolour: str | None, hand_size: int | None
) -> None:
    rules = Rules(multicolour=multicolour, hand_size=hand_size)
    for players in (2, 3, 4, 5):
        play_beside(Batch(4, players=players, rules=rules, seed=3), 4, careful_number, players)


def test_looser_actions_are_accepted_if_the_rules_allow_them() -> None:
    for rules, expected in (("official", REFUSED), ("server", GOES_ON)):
        batch = Batch(1, rules=rules, seed=1)
        batch.step([0])  # a discard with all tokens available
        assert batch.done[0] == expected
        game = batch.game(0)
        empty = next(
            a for n in range(1, 6) if not game.touched(a := Action.hint_number(1, n))
        ) if rules == "official" else None  # fmt: skip
        if empty is not None:
            batch.step([game.number_of(empty)])
            assert batch.done[0] == REFUSED


def test_a_refused_action_and_stay_change_nothing() -> None:
    batch = Batch(3, seed=1)
    before = batch.states.tobytes()
    for action, answer in ((STAY, GOES_ON), (20, REFUSED), (-7, REFUSED), (0, REFUSED)):
        batch.step(np.full(3, action))
        assert (batch.done == answer).all() and batch.states.tobytes() == before


def test_a_deck_can_be_given() -> None:
    decks = [[*Game(3, seed=seed).hands[0]] for seed in range(2)]
    games = [Game(3, seed=seed) for seed in range(2)]
    decks = [[c for hand in game.hands for c in hand if c] + game.deck for game in games]
    batch = Batch(2, players=3)
    batch.deal(decks)
    compare(batch, games)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda decks: decks[:1], "1 decks for 2 games"),
        (lambda decks: decks * 2, "4 decks for 2 games"),
        (lambda decks: [decks[0], decks[1][:-1]], "49 cards"),
    ],
    ids=["too few", "too many", "a card is missing"],
)
def test_decks_that_do_not_fit_are_refused_and_change_nothing(
    change: Callable[[Any], Any], message: str
) -> None:
    batch = Batch(2, seed=1)
    batch.step(batch.sample_legal())
    before = batch.states.tobytes()
    with pytest.raises(ValueError, match=message):
        batch.deal(change([Batch(1, seed=i).deck(0) for i in range(2)]))
    assert batch.states.tobytes() == before


def test_different_games_follow_those_of_the_same_deck() -> None:
    game = Game(2, seed=9)
    deck = [card for hand in game.hands for card in hand if card is not None] + game.deck
    batch = Batch(3)
    batch.deal([deck] * 3)
    batch.reset()
    assert len({row.tobytes() for row in batch.observations}) == 3


def test_any_number_of_threads_plays_the_same_games() -> None:
    one, many = Batch(50, seed=3), Batch(50, seed=3, threads=4)
    for _ in range(60):
        one.step(one.sample_legal())
        many.step(many.sample_legal())
    assert one.states.tobytes() == many.states.tobytes()
    assert one.observations.tobytes() == many.observations.tobytes()
    a, b = play_out(500, players=4, seed=2), play_out(500, players=4, seed=2, threads=3)
    assert (a.scores == b.scores).all() and (a.moves == b.moves).all()


def test_others_play_until_it_is_a_seats_turn() -> None:
    batch = Batch(100, players=4, seed=2)
    seats = np.arange(100) % 4
    batch.play_others(seats)
    assert (batch.seat == seats).all()


def test_the_picks_of_others_are_those_of_playing_them() -> None:
    whole, stepped = (Batch(30, players=3, seed=4, autoreset=False) for _ in range(2))
    seats = np.arange(30) % 3
    for _ in range(40):
        whole.play_others(seats)
        while (actions := stepped.pick_others(seats, stepped.states["moves"])).max() != STAY:
            stepped.play(actions)
        assert whole.states.tobytes() == stepped.states.tobytes()
        for batch in (whole, stepped):
            batch.play(batch.sample_legal())
    assert whole.states["over"].any()


def test_finished_games_restart_on_request_as_they_do_in_the_step_that_ends_them() -> None:
    alone, asked = Batch(40, players=3, seed=5), Batch(40, players=3, seed=5, autoreset=False)
    ended = 0
    for _ in range(200):
        actions = alone.sample_legal()
        for games in (alone, asked):
            games.step(actions)
        asked.reset_finished()
        ended += int((alone.done == ENDED).sum())
        for name in ("states", "done", "rewards", "score", "observations", "action_masks"):
            assert getattr(alone, name).tobytes() == getattr(asked, name).tobytes(), name
    assert ended > 40


DIGEST = """
import hashlib
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.guests.hanabi.batch import Batch
digest = hashlib.sha256()
for players in (2, 3, 4, 5):
    batch = Batch(8, players=players, seed=players)
    for _ in range(60):
        batch.step(batch.sample_legal())
        for array in (batch.observations, batch.action_masks, batch.rewards, batch.states):
            digest.update(array.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.skipif(find_spec("numba") is None, reason="needs Numba")
def test_compiled_and_interpreted_rules_give_the_same_bytes() -> None:
    said = said_by_both(DIGEST)
    assert len(said) == 1 and MACHINE_CODE in (True, False)


def test_an_old_name_gives_the_new_one_with_a_warning():
    with pytest.warns(DeprecationWarning, match=r"batch\.OVER is now ENDED"):
        from catan_env.guests.hanabi.batch import OVER
    assert OVER == ENDED


def test_reset_after_a_deal_begins_games_that_were_not_played():
    batch = Batch(2, seed=5)
    decks, played = [batch.deck(i) for i in range(2)], {tuple(batch.states["seed"])}
    for _ in range(3):
        batch.reset()
        played.add(tuple(batch.states["seed"]))
    batch.deal(decks)
    batch.reset()
    assert not set(batch.states["seed"]) & {seed for pair in played for seed in pair}
