"""The rules by their numbers; docs/hanabi.md has the text."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from catan_env.guests.hanabi import (
    Action,
    Card,
    Colour,
    Game,
    GameOverError,
    IllegalActionError,
    Rules,
)
from catan_env.guests.hanabi.action import ActionKind
from tests.guests.hanabi.drawn import game_of, to_last_card

R, Y, G, W, B = Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.WHITE, Colour.BLUE
HANDS = "R1 R2 Y1 G3 B5  R1 Y2 G1 W4 B4"


def kinds(game: Game) -> Counter[ActionKind]:
    return Counter(action.kind for action in game.legal_actions)


def test_h001_fifty_cards_three_ones_two_of_each_and_one_five() -> None:
    game = Game(2, seed=1)
    cards = [*game.deck, *game.hands[0], *game.hands[1]]
    counts = Counter(cards)
    assert len(cards) == 50 and len({card.colour for card in counts if card}) == 5
    assert all(counts[Card(c, n)] == (3, 2, 2, 2, 1)[n - 1] for c in range(5) for n in range(1, 6))


@pytest.mark.parametrize(
    ("players", "hand", "left"), [(2, 5, 40), (3, 5, 35), (4, 4, 34), (5, 4, 30)]
)
def test_h002_hands_of_five_or_four(players: int, hand: int, left: int) -> None:
    game = Game(players, seed=2)
    assert [len(cards) for cards in game.hands] == [hand] * players
    assert game.deck_size == len(game.deck) == left


@pytest.mark.parametrize("players", [0, 1, 6])
def test_h002_two_to_five_play(players: int) -> None:
    with pytest.raises(ValueError, match=r"2\.\.5"):
        Game(players)


def test_h003_eight_tokens_and_three_lives() -> None:
    game = Game()
    assert (game.tokens, game.lives, game.rules.max_information_tokens) == (8, 3, 8)


def test_h004_a_turn_is_a_hint_a_discard_or_a_play() -> None:
    game = game_of(HANDS)
    game.play(Action.hint_number(1, 1))
    assert kinds(game) == {ActionKind.DISCARD: 5, ActionKind.PLAY: 5, 2: 4, 3: 4}
    assert game.seat == 1, "one action ends the turn"


def test_h005_everyone_sees_all_hands_but_their_own() -> None:
    game = game_of(HANDS, then="W1 W2")
    game.play(Action.play(0))
    mine, others = game.view(0), game.view(1)
    assert mine.hands[0] == [None] * 5 and mine.hands[1] == game.hands[1]
    assert others.hands[1] == [None] * 5 and others.hands[0] == game.hands[0]
    assert (mine.events[0].drawn, others.events[0].drawn) == (None, Card(W, 1))
    assert not hasattr(mine, "_deck") and not hasattr(mine, "deck")


def test_h010_a_hint_costs_a_token_and_is_illegal_without_one() -> None:
    game = game_of(HANDS)
    for left in range(7, -1, -1):
        game.play(Action.hint_number(1, 1))
        assert game.tokens == left
    assert set(kinds(game)) == {ActionKind.DISCARD, ActionKind.PLAY}
    with pytest.raises(IllegalActionError, match="H010"):
        game.play(Action.hint_number(1, 1))


def test_h011_a_hint_touches_exactly_the_matching_cards() -> None:
    game = game_of(HANDS)
    event = game.play(Action.hint_number(1, 1))
    assert event.touched == (0, 2)
    known = game.knowledge[1]
    assert [k.numbers for k in known] == [1, 0b11110, 1, 0b11110, 0b11110]
    assert [k.named_number for k in known] == [1, 0, 1, 0, 0]
    game.play(Action.hint_colour(1, R))
    assert [k.colours for k in game.knowledge[0]] == [1, 1, 0b11110, 0b11110, 0b11110]


def test_h012_players_do_not_hint_themselves() -> None:
    with pytest.raises(IllegalActionError, match="H012"):
        game_of(HANDS).play(Action.hint_number(0, 1))
    with pytest.raises(IllegalActionError, match="H012"):
        game_of(HANDS).play(Action.hint_number(2, 1))


def test_h013_a_hint_matches_a_card() -> None:
    game = game_of(HANDS)
    empty = Action.hint_number(1, 5)
    assert empty not in game.legal_actions
    with pytest.raises(IllegalActionError, match="H013"):
        game.play(empty)
    loose = game_of(HANDS, rules="server")
    assert loose.action_mask[loose.number_of(empty)] == 0, "the mask is the official one"
    assert loose.play(empty).touched == () and loose.tokens == 7
    assert all(known.numbers == 0b01111 for known in loose.knowledge[1])


def test_h014_a_hint_may_be_repeated() -> None:
    game = game_of(HANDS)
    game.play(Action.hint_number(1, 1))
    game.play(Action.hint_number(1, 1))
    before = game.knowledge[1]
    game.play(Action.hint_number(1, 1))
    assert game.knowledge[1] == before and game.tokens == 5


def test_h015_knowledge_moves_with_its_card() -> None:
    game = game_of(HANDS)
    game.play(Action.hint_number(1, 1))
    game.play(Action.play(1))
    assert [k.named_number for k in game.knowledge[1]] == [1, 1, 0, 0, 0]
    assert game.knowledge[1][4] == game.knowledge[0][0], "a new card has none"


def test_h016_four_negative_hints_are_not_a_positive_one() -> None:
    game = game_of("R1 R2 Y1 G3 B1  R1 Y2 G3 W4 B5")
    for number in (1, 2, 3, 4):
        game.play(Action.hint_number(1, number))
        game.play(Action.hint_number(1, 1))
    last = game.knowledge[1][4]
    assert (last.numbers, last.named_number, last.is_hinted) == (0b10000, 0, False)


def test_h020_a_discard_gives_a_token_and_draws() -> None:
    game = game_of(HANDS, then="W5")
    game.play(Action.hint_number(1, 1))
    event = game.play(Action.discard(3))
    assert (event.card, event.drawn, game.tokens) == (Card(W, 4), Card(W, 5), 8)
    assert game.discards == [Card(W, 4)] and game.hands[1][4] == Card(W, 5)


def test_h021_no_discard_with_all_tokens_available() -> None:
    with pytest.raises(IllegalActionError, match="H021"):
        game_of(HANDS).play(Action.discard(0))
    loose = game_of(HANDS, rules="server")
    assert not loose.action_mask[:5].any()
    loose.play(Action.discard(0))
    assert loose.tokens == 8 and len(loose.discards) == 1


def test_h030_the_next_number_of_its_colour_is_placed() -> None:
    game = game_of(HANDS)
    assert game.play(Action.play(0)).is_placed
    assert (game.tops, game.discards) == ([1, 0, 0, 0, 0], [])
    with pytest.raises(IllegalActionError, match="H030"):
        game.play(Action.play(5))


def test_h031_any_other_card_is_discarded_and_costs_a_life() -> None:
    game = game_of(HANDS)
    event = game.play(Action.play(1))
    assert not event.is_placed and not event.gained_token
    assert (game.lives, game.tops, game.discards) == (2, [0] * 5, [Card(R, 2)])
    assert game.tokens == 8, "a failed play gives no token"


FIVE = "R1 R3 R5 B5 B1  R2 R4 Y2 Y3 Y4"


def test_h032_a_placed_five_gives_a_token_below_the_maximum() -> None:
    game = game_of(FIVE, then="W3 W4 G3 G4")
    game.play(Action.play(0))
    game.play(Action.play(0))
    game.play(Action.play(0))
    game.play(Action.play(0))
    assert game.tops[R] == 4
    full = game.copy()
    assert not full.play(Action.play(0)).gained_token and full.tokens == 8
    game.play(Action.hint_number(1, 2))
    game.play(Action.hint_number(1, 5))
    assert game.tokens == 6
    event = game.play(Action.play(0))
    assert event.is_placed and event.gained_token and game.tokens == 7


def test_h032_a_failing_five_gives_nothing() -> None:
    game = game_of(FIVE)
    game.play(Action.hint_number(1, 2))
    game.play(Action.hint_number(1, 5))
    assert not game.play(Action.play(3)).gained_token
    assert (game.tokens, game.lives) == (6, 2)


def test_h033_the_drawn_card_is_the_newest() -> None:
    game = game_of(HANDS, then="W1 W2")
    game.play(Action.play(1))
    assert " ".join(map(str, game.hands[0])) == "R1 Y1 G3 B5 W1"


def test_h040_the_third_error_ends_the_game_with_zero_points() -> None:
    game = game_of("R1 R2 Y3 G3 B5  R2 Y2 G4 W4 B4")
    game.play(Action.play(0))
    for _ in range(3):
        assert not game.is_over
        game.play(Action.play(4))
    assert game.is_over and (game.score, game.points, game.lives) == (0, 1, 0)
    assert len(game.hands[1]) == 5, "H045: the replacement is drawn before the end is looked at"
    with pytest.raises(GameOverError):
        game.play(Action.play(0))
    assert not game.action_mask.any() and len(game.legal_actions) == 0


def test_h040_the_points_may_be_kept_and_a_fourth_error_allowed() -> None:
    rules = Rules(errors=4, score_after_explosion="kept")
    game = game_of("R1 R2 Y3 G3 B5  R2 Y2 G4 W4 B4", rules=rules)
    game.play(Action.play(0))
    lives = []
    while not game.is_over:
        game.play(Action.play(4))
        lives.append(game.lives)
    assert lives == [2, 1, 0, 0] and game.score == 1


def complete(rules: str) -> Game:
    """A game in which one player places all but the last card; the other hints and discards."""
    game = Game(2, seed=3, rules=rules)
    while game.points < 24:
        places = [i for i, card in enumerate(game.hands[game.seat]) if game.can_place(card)]
        if places:
            game.play(Action.play(places[0]))
        elif game.tokens:
            game.play(next(a for a in game.legal_actions if a.is_hint))
        else:
            spare = [
                i for i, c in enumerate(game.hands[game.seat]) if c.number <= game.tops[c.colour]
            ]
            twice = [
                i for i, c in enumerate(game.hands[game.seat])
                if c not in game.discards and c.number < 5
            ]  # fmt: skip
            game.play(Action.discard((spare + twice + [0])[0]))
        assert not game.is_over
    return game


def test_h041_twenty_five_points_end_the_game() -> None:
    for rules, ends in (("official", True), ("server", False)):
        game = complete(rules)
        while game.points < 25:
            own = game.hands[game.seat]
            places = [i for i, card in enumerate(own) if game.can_place(card)]
            hints = [a for a in game.legal_actions if a.is_hint]
            if not places and not hints:
                game.play(Action.discard(min(range(len(own)), key=lambda i: own[i].number)))
            else:
                game.play(Action.play(places[0]) if places else hints[0])
        assert game.is_over is ends and game.score == 25


def test_h042_after_the_last_card_every_seat_has_one_more_turn() -> None:
    game = game_of("R2 R3 R4 R3 R4  Y2 Y3 Y4 Y3 Y4")
    to_last_card(game)
    assert game.turns_left is None
    drawer = game.seat
    while game.deck_size:
        discards = [a for a in game.legal_actions if a.kind == ActionKind.DISCARD]
        drawer = game.seat
        game.play(discards[0] if discards else game.legal_actions[-1])
    assert game.turns_left == 2
    seats = []
    while not game.is_over:
        seats.append(game.seat)
        event = game.play(game.legal_actions[0])
        assert not event.has_drawn and event.drawn is None
    assert seats == [1 - drawer, drawer]
    assert sorted(map(len, game.hands)) in ([4, 4], [4, 5], [5, 5])


def test_h043_in_the_last_turns_errors_still_end_the_game() -> None:
    game = game_of("R2 R3 R4 R3 R4  Y2 Y3 Y4 Y3 Y4")
    game.play(Action.play(0))
    game.play(Action.play(0))
    to_last_card(game)
    while game.deck_size:
        discards = [a for a in game.legal_actions if a.kind == ActionKind.DISCARD]
        game.play(discards[0] if discards else game.legal_actions[-1])
    own = game.hands[game.seat]
    failing = next(i for i, card in enumerate(own) if not game.can_place(card))
    game.play(Action.play(failing))
    assert game.is_over and game.turns_left == 1 and game.score == 0


def test_h044_unreachable_points_do_not_end_the_game() -> None:
    game = game_of("R5 R3 R4 R3 R4  Y2 Y3 Y4 Y3 Y4")
    game.play(Action.play(0))
    assert Card(R, 5) in game.discards and not game.is_over


def test_h046_the_score_is_the_sum_of_the_tops() -> None:
    game = game_of(FIVE)
    for expected, place in ((1, 0), (2, 0), (3, 0)):
        game.play(Action.play(place))
        assert game.score == expected == sum(game.tops)


@pytest.mark.parametrize("rules", ["suit", "short", "wild"])
def test_a_sixth_suit_makes_thirty_points(rules: str) -> None:
    table = Rules(multicolour=rules)
    assert table.max_score == 30 and len(table.box) == (55 if rules == "short" else 60)
    assert table.named_colours == (5 if rules == "wild" else 6)


def test_wild_cards_are_touched_by_every_colour_and_never_named() -> None:
    rules = Rules(multicolour="wild")
    game = game_of("R1 R2 Y1 G3 B5  M1 Y2 G1 W4 B4", rules=rules)
    assert game.play(Action.hint_colour(1, R)).touched == (0,)
    game.play(Action.hint_number(1, 1))
    assert game.play(Action.hint_colour(1, Y)).touched == (0, 1)
    known = game.knowledge[1][0]
    assert known.colours == 1 << Colour.MULTI and known.named_colours == 0b11
    with pytest.raises(IllegalActionError, match="H011"):
        game.play(Action.hint_colour(1, Colour.MULTI))


SIZES = ("colors", "ranks", "hand_size", "max_information_tokens", "max_life_tokens", "errors")


@pytest.mark.parametrize("size", SIZES)
def test_a_size_is_a_whole_number_within_its_limits(size: str) -> None:
    wrong: Any
    for wrong in (2.5, 3.0, True, "3"):
        with pytest.raises(TypeError, match=f"{size} is {wrong!r}; allowed are whole numbers"):
            Rules(**{size: wrong})
    for wrong in (0, 9):
        with pytest.raises(ValueError, match=f"{size} is {wrong}; allowed are "):
            Rules(**{size: wrong})


@pytest.mark.parametrize("switch", ["empty_hints", "discard_at_max", "end_at_25"])
def test_a_switch_is_true_or_false(switch: str) -> None:
    wrong: Any
    for wrong in ("no", 1, None):
        with pytest.raises(TypeError, match=f"{switch} is {wrong!r}; allowed are True and False"):
            Rules(**{switch: wrong})


@pytest.mark.parametrize("wrong", [{"multicolour": "black"}, {"score_after_explosion": "half"}])
def test_an_unknown_kind_of_sixth_suit_or_score_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="allowed are"):
        Rules(**wrong)


def test_rules_of_numpys_numbers_are_those_of_plain_ones() -> None:
    given: dict[str, Any] = {"ranks": np.int8(4), "hand_size": np.int64(4), "end_at_25": np.True_}
    rules = Rules(**given)
    assert rules == Rules(ranks=4, hand_size=4) and type(rules.max_score) is int


def test_hle_names_its_sizes() -> None:
    small = Game(2, rules="Hanabi-Small")
    assert (len(small.hands[0]), small.tokens, small.lives, small.deck_size) == (2, 3, 1, 16)
    with pytest.raises(ValueError, match="allowed are 'official', 'server'"):
        Game(rules="unofficial")


def test_equal_seeds_deal_equal_games_and_others_do_not() -> None:
    assert Game(3, seed=9) == Game(3, seed=9)
    decks = [tuple(Game(2, seed=seed).deck) for seed in range(50)]
    assert all(a != b for a, b in pairwise(decks)) and len(set(decks)) == 50
