"""Colonist's rules: more points, larger hands, a friendly robber and balanced dice (C200-C214)."""

import json
import pickle
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from catan_env import Action, Game, IllegalOutcomeError, Phase, Rules, SeatView, named_observation
from catan_env.batch import Batch
from catan_env.core.state import FIELDS, GAME
from catan_env.game.geometry import VERTEX_TILES
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.notation import loads, to_sgn
from catan_env.notation.errors import NotationError
from tests.properties.settings import pick
from tests.rules.drawn import corner, hand, is_legal, position, roll_and_end

BALANCED = replace(Rules.base(), name="balanced", balanced_dice=True)
FRIENDLY = replace(Rules.base(), name="friendly", friendly_robber=True)
SEVEN = (3, 4)
TOTALS = range(2, 13)
DICE = list(product(range(1, 7), repeat=2))


def test_the_presets_are_the_booklet_but_for_their_switches() -> None:
    colonist, duel = Rules.named("colonist"), Rules.named("colonist_1v1")
    assert replace(Rules.base(), name="colonist", friendly_robber=True, balanced_dice=True) == (
        colonist
    )
    assert duel == replace(
        colonist, name="colonist_1v1", points_to_win=15, hand_limit=9, player_trade=False
    )
    assert Game(4, 1, "colonist").rules == colonist
    with pytest.raises(ValueError, match="colonist_1v1 has 2 seats, got 3"):
        Game(3, 1, "colonist_1v1")


@pytest.mark.parametrize("limit", [6, 61, -1])
def test_a_hand_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match=r"hand_limit is .*; allowed are 7\.\.60"):
        replace(Rules.base(), hand_limit=limit)


# Points and hands.


@pytest.mark.parametrize(("victory_points", "wins"), [(4, False), (5, True)])
def test_fifteen_points_win(victory_points: int, wins: bool) -> None:
    """C200: four cities and two settlements are 10 points, which is not enough."""
    game = position(
        seats=2,
        rules="colonist_1v1",
        cities={0: [corner(tile, "N") for tile in (0, 2, 7, 11)]},
        settlements={0: [corner(16, "S"), corner(18, "S")]},
        cards={0: (0, 0, 0, 0, victory_points)},
    )
    assert game.points(0) == 10 + victory_points
    assert game.is_over == wins


@pytest.mark.parametrize(
    ("rules", "cards", "owed"),
    [("base", 9, 4), ("colonist_1v1", 9, 0), ("colonist_1v1", 10, 5), ("colonist_1v1", 15, 7)],
)
def test_a_hand_of_nine_is_kept(rules: str, cards: int, owed: int) -> None:
    """C201, C202."""
    game = position(seats=2, rules=rules, hands={1: hand(ore=cards)}, phase="roll")
    game.play(Action.roll(), outcome=SEVEN)
    assert game.owes(1) == owed
    assert game.phase == (Phase.DISCARD if owed else Phase.ROBBER)


def test_a_position_has_the_discards_of_its_rules() -> None:
    hands = {1: hand(ore=9), 2: hand(wool=10)}
    facts = {"hands": hands, "phase": "discard"}
    large = position(**facts, rules=replace(Rules.base(), hand_limit=9))
    assert [large.owes(seat) for seat in range(4)] == [0, 0, 5, 0]
    assert [position(**facts).owes(seat) for seat in range(4)] == [0, 4, 5, 0]


# The friendly robber.

POOR_AND_RICH = {1: [corner(4, "NE"), corner(18, "S")], 2: [corner(8, "SW")]}
"""Seat 1 has 2 points; seat 2 has 3, with a city. Their tiles do not touch."""


def robber_moves(**facts: object) -> Game:
    """Seat 0 is to move the robber, which is on tile 12, a tile without buildings."""
    return position(
        **{
            "rules": FRIENDLY,
            "settlements": {0: [corner(16, "SW")], **POOR_AND_RICH},
            "cities": {2: [corner(0, "NW")]},
            "robber": 12,
            "phase": "robber",
            **facts,
        }
    )


def tiles_of(game: Game) -> set[int]:
    return {action.args[0] for action in game.legal_actions}


def tiles_at(game: Game, seat: int) -> set[int]:
    """The tiles next to the seat's buildings."""
    built = {*game.settlements(seat), *game.cities(seat)}
    return {
        t for t in range(19) if built & {corner(t, c) for c in ("N", "NE", "SE", "S", "SW", "NW")}
    }


def test_the_robber_keeps_away_from_a_seat_with_two_points() -> None:
    """C203: at a seven and with a knight."""
    game = robber_moves()
    assert tiles_of(game) == {*range(19)} - {12} - tiles_at(game, 1)
    knight = robber_moves(phase="roll", cards={0: (1, 0, 0, 0, 0)})
    knight.play(Action.play_knight())
    assert tiles_of(knight) == tiles_of(game)
    usual = robber_moves(rules="base")
    assert tiles_of(usual) == {*range(19)} - {12}
    assert not is_legal(game, Action.move_robber(4, victim=1))
    assert is_legal(usual, Action.move_robber(4, victim=1))


def test_a_seat_with_three_points_is_robbed() -> None:
    """C204: points on the table count, hidden cards do not."""
    game = robber_moves()
    assert is_legal(game, Action.move_robber(0, victim=2))
    hiding = robber_moves(cards={1: (0, 0, 0, 0, 3)})
    assert tiles_of(hiding) == tiles_of(game)


def test_a_tile_of_a_poor_and_a_rich_seat_is_protected() -> None:
    """C203: the rich seat cannot be robbed there."""
    shared = {1: [corner(4, "NE")], 2: [corner(4, "S")]}
    game = robber_moves(settlements=shared)
    assert 4 not in tiles_of(game)


def test_a_seat_may_block_itself() -> None:
    """C205."""
    game = robber_moves(settlements={0: [corner(16, "SW")]}, cities={})
    assert game.points(0) == 1
    assert is_legal(game, Action.move_robber(16))


def test_without_an_open_tile_the_robber_goes_anywhere() -> None:
    """C206: six settlements of three poor seats touch all tiles but the robber's."""
    six = six_that_touch_all_but(9)
    poor = {seat: six[2 * seat - 2 : 2 * seat] for seat in (1, 2, 3)}
    game = robber_moves(settlements=poor, cities={}, robber=9)
    assert tiles_of(game) == {*range(19)} - {9}
    assert is_legal(
        game, Action.move_robber(0, victim=next(s for s in poor if 0 in tiles_at(game, s)))
    )


def six_that_touch_all_but(left_out: int) -> list[int]:
    """Six vertices whose tiles are all those but one, each once."""
    whole = {*range(19)} - {left_out}

    def search(left: set[int], chosen: list[int]) -> list[int] | None:
        if not left:
            return chosen
        first = min(left)
        for vertex, tiles in enumerate(VERTEX_TILES):
            if first in tiles and len(tiles) == 3 and set(tiles) <= left:
                found = search(left - set(tiles), [*chosen, vertex])
                if found:
                    return found
        return None

    found = search(whole, [])
    assert found is not None
    return found


# Balanced dice.


class Deck:
    """Balanced dice by their description, with exact fractions."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.left = list(DICE)
        self.last: list[int] = []
        self.sevens = [0] * seats
        self.streak: tuple[int | None, int] = (None, 0)

    def chances(self, seat: int) -> dict[tuple[int, int], Fraction]:
        """The chance of each pair of dice that is left, if `seat` rolls."""
        if len(self.left) < 13:
            self.left = list(DICE)
        of_total = Counter(sum(dice) for dice in self.left)
        weights = {}
        for total, n in of_total.items():
            weight = Fraction(n, len(self.left))
            weight *= max(0, 1 - Fraction(34, 100) * self.last.count(total))
            weights[total] = weight * (self.of_seven(seat) if total == 7 else 1)
        whole = sum(weights.values())
        return {dice: weights[sum(dice)] / whole / of_total[sum(dice)] for dice in self.left}

    def of_seven(self, seat: int) -> Fraction:
        """By how much a seven is likelier for the seat."""
        factor = Fraction(1)
        if sum(self.sevens) >= self.seats:
            fair = Fraction(1, self.seats)
            factor += (fair - Fraction(self.sevens[seat], sum(self.sevens))) / fair
        owner, length = self.streak
        factor += Fraction(4, 10) * length * (-1 if owner == seat else 1)
        return min(max(factor, Fraction(0)), Fraction(2))

    def take(self, seat: int, dice: tuple[int, int]) -> None:
        """Note a roll."""
        self.left.remove(dice)
        self.last = [*self.last, sum(dice)][-5:]
        if sum(dice) == 7:
            self.sevens[seat] += 1
            owner, length = self.streak
            self.streak = (seat, length + 1 if owner == seat else 1)


def chances_of(game: Game) -> dict[tuple[int, int], Fraction]:
    weights = game.roll_weights()
    return {dice: Fraction(w, sum(weights)) for dice, w in zip(DICE, weights, strict=True) if w}


def only_rolls(seats: int, seed: int = 1) -> Game:
    """A game at its first roll whose robber does not move."""
    rules = replace(BALANCED, robber_moves=False, points_to_win=22)
    game = Game(seats, seed, rules)
    chance = Random(seed)
    while game.turn == 0:
        game.play(pick(game, chance))
    return game


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_chances_are_those_of_the_description(seats: int) -> None:
    """C207, C208, C209, C210, C211, C212."""
    rolls = 200 if MACHINE_CODE else 60
    for lucky in (None, 0, seats - 1):  # this seat rolls sevens whenever it can
        game, deck = only_rolls(seats), Deck(seats)
        for _ in range(rolls):
            seat = game.seat
            expected = {dice: p for dice, p in deck.chances(seat).items() if p}
            assert chances_of(game) == expected
            rolled = SEVEN if seat == lucky and SEVEN in expected else None
            dice = game.play(Action.roll(), outcome=rolled).outcome
            deck.take(seat, dice)
            after = {d: p for d, p in deck.chances((seat + 1) % seats).items() if p}
            assert chances_of(game) == after  # of the seat whose turn follows
            game.play(Action.end_turn())


def test_a_pair_comes_once_until_the_deck_is_shuffled() -> None:
    """C207, C208: after 24 rolls, 12 outcomes are left, and all 36 return."""
    game = only_rolls(2)
    for _ in range(5):
        rolled = []
        for k in range(24):
            assert sum(w > 0 for w in game.roll_weights()) <= 36 - k
            rolled.append(game.play(Action.roll()).outcome)
            game.play(Action.end_turn())
        assert len(set(rolled)) == 24
        _, drawn = game._read.dice >> 36, game._read.dice & ((1 << 36) - 1)
        assert drawn.bit_count() == 24


def test_the_dice_are_drawn_by_their_weights() -> None:
    """C209: in one position, the outcomes of many seeds have the frequencies of the weights."""
    games = 4000 if MACHINE_CODE else 300
    start = only_rolls(2)
    for dice in ((1, 5), (2, 4), (6, 1), (4, 4)):
        start.play(Action.roll(), outcome=dice)
        start.play(Action.end_turn())
    expected = chances_of(start)
    seen: Counter[tuple[int, int]] = Counter()
    for seed in range(games):
        game = start.copy()
        game._array["seed"] = seed
        seen[game.play(Action.roll()).outcome] += 1
    assert seen.keys() <= expected.keys()
    spread = sum((seen[dice] - games * p) ** 2 / (games * p) for dice, p in expected.items())
    assert spread < 70  # 31 degrees of freedom: one in ten thousand is above


def test_an_outcome_that_the_deck_cannot_give_is_refused() -> None:
    """C213: a pair that is not in the deck, and a total three times among the last five."""
    game = only_rolls(2)
    for dice in ((1, 5), (2, 4), (3, 3)):
        roll_and_end(game, dice)
    before = game.state_bytes()
    for dice in ((1, 5), (4, 2)):
        with pytest.raises(IllegalOutcomeError, match="the balanced dice cannot give it now"):
            game.play(Action.roll(), outcome=dice)
        assert game.state_bytes() == before
    game.play(Action.roll(), outcome=(1, 1))


def test_the_dice_of_a_secret_have_the_same_chances() -> None:
    secret = bytes(range(32))
    game = Game(2, 1, "colonist_1v1", secret=secret)
    chance, rolls = Random(1), 0
    while rolls < 60 and not game.is_over:
        possible = chances_of(game)
        event = game.play(pick(game, chance))
        if event.action.kind.name == "ROLL":
            assert event.outcome in possible
            rolls += 1


@pytest.mark.parametrize("rules", ["colonist", "colonist_1v1"])
def test_every_view_knows_the_deck_from_the_rolls(rules: str) -> None:
    """C214: after every event the view has the bytes that the game gives it, and the weights."""
    seats = 2 if rules == "colonist_1v1" else 3
    game = Game(seats, 5, rules)
    views = [SeatView.begin(game.board, seat, seats, game.rules) for seat in range(seats)]
    chance = Random(5)
    for _ in range(600 if MACHINE_CODE else 150):
        if game.is_over:
            break
        event = game.play(pick(game, chance))
        for view in views:
            view.apply(event.redacted(view.viewer, seats))
            assert view.state_bytes() == game.view(view.viewer).state_bytes()
            assert view.roll_weights() == game.roll_weights()


# Records, copies and arrays.


@pytest.mark.parametrize("rules", ["colonist", "colonist_1v1", FRIENDLY])
def test_a_record_keeps_the_rules_and_every_byte(rules: Rules | str) -> None:
    game = Game(2, 3, rules)
    chance = Random(3)
    for _ in range(250):
        game.play(pick(game, chance))
    written = to_sgn(game)
    again = loads(written).game
    assert again == game and again.rules == game.rules
    copied = pickle.loads(pickle.dumps(game))
    assert copied == game and copied.play(pick(game, Random(1))) == game.play(pick(game, Random(1)))


def test_a_record_of_the_booklet_names_none_of_the_new_rules() -> None:
    text = str(to_sgn(Game(2, 3))) + str(to_sgn(Game(2, 3, "duel")))
    assert not any(name in text for name in ("hand_limit", "friendly_robber", "balanced_dice"))


def test_a_record_whose_dice_the_deck_cannot_give_is_refused() -> None:
    game = only_rolls(2)
    for dice in ((1, 5), (1, 4)):
        roll_and_end(game, dice)
    fair = Game(2, 1, replace(game.rules, balanced_dice=False))
    for event in game.events:
        fair.play(event.action, event.outcome)
    roll_and_end(fair, (1, 4))
    text = json.dumps(to_sgn(fair))
    assert loads(text).game == fair
    rules = '"balanced_dice": true, "robber_moves": false'
    with pytest.raises(NotationError, match="the balanced dice cannot give it now"):
        loads(text.replace('"robber_moves": false', rules))


def test_games_of_the_booklet_have_their_bytes() -> None:
    """The new fields are in bytes that were spare, and stay zero."""
    new = ("balanced_dice", "dice", "friendly_robber", "larger_hand", "sevens", "streak")
    game, chance = Game(4, 7), Random(7)
    for _ in range(300):
        game.play(pick(game, chance))
        assert not any(game._array[name].any() for name in (*new, "streak_seat"))
    assert GAME.itemsize == 768


def test_games_pickled_before_the_rules_came_are_read() -> None:
    """Their memory has spare bytes where the new fields are."""
    game, chance = Game(2, 7), Random(7)
    for _ in range(100):
        game.play(pick(game, chance))
    names = [field[0] for field in FIELDS]
    old = np.dtype([*FIELDS[: names.index("balanced_dice")], ("spare", np.int8, (17,))], align=True)
    states = game._array.view(np.uint8).view(old)
    assert old.itemsize == GAME.itemsize and old != GAME
    make, (_, *rest) = game.__reduce__()
    again = make(pickle.loads(pickle.dumps(states)), *rest)
    assert again == game
    assert again.play(pick(game, Random(2))) == game.play(pick(game, Random(2)))
    view = SeatView(
        pickle.loads(pickle.dumps(game._array.view(np.uint8).view(old))), game.rules, game.board, 1
    )
    assert view == game.view(1)


def test_a_batch_plays_the_same_games() -> None:
    batch = Batch(2, seats=2, rules="colonist_1v1", seed=[3, 4], autoreset=False)
    games = [Game(2, seed, "colonist_1v1") for seed in (3, 4)]
    chance = Random(1)
    for _ in range(400 if MACHINE_CODE else 100):
        actions = [pick(game, chance) for game in games]
        batch.step(np.array(actions))
        for i, game in enumerate(games):
            game.play(actions[i])
            assert batch.states[i : i + 1].tobytes() == game.state_bytes()


def test_version_2_of_the_observation_shows_the_rules_and_the_next_roll() -> None:
    rules = replace(Rules.colonist_1v1(), name="mine", hand_limit=8, points_to_win=12)
    game, chance = Game(2, 3, rules), Random(3)
    batch = Batch(1, seats=2, rules=rules, seed=[3], observation_version=2)
    for _ in range(200):
        action = pick(game, chance)
        batch.step(np.array([action]))
        game.play(action)
        shown = game.observe(game.seat, version=2)
        assert np.array_equal(shown[:913], game.observe(game.seat))
        assert np.array_equal(shown, batch.observations[0])
        assert np.array_equal(shown, batch.observation(0, game.seat))
        assert np.array_equal(shown, batch.observe(np.array([game.seat]))[0])
        named = named_observation(shown)
        assert (named["points_to_win"], named["hand_limit"]) == (12, 8)
        assert named["switches"].tolist() == [0, 1, 1, 1, 0, 1, 1]
        weights = game.roll_weights()
        of_total = Counter[int]()
        for dice, weight in zip(DICE, weights, strict=True):
            of_total[sum(dice)] += weight
        for total, percent in zip(TOTALS, named["chances"].tolist(), strict=True):
            assert abs(percent - 100 * of_total[total] / sum(weights)) <= 0.5


def test_an_unknown_version_of_the_observation_is_refused() -> None:
    for version in (0, 3, True, "2"):
        with pytest.raises(ValueError, match=r"observation_version is .*; allowed are 1 and 2"):
            Game(2, 1).observe(0, version)
