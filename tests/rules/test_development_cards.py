"""Development cards (C133-C158)."""

from itertools import product
from typing import Any

import pytest

from catan_env import HIDDEN, Action, DevelopmentCard, Game, Phase, Resource
from tests.rules.drawn import (
    BOX,
    CARD,
    EMPTY,
    ROAD,
    along,
    at,
    between,
    corner,
    hand,
    is_legal,
    legal_kinds,
    minus,
    plus,
    position,
    roll_and_end,
    times,
)

KNIGHT, ROAD_BUILDING = DevelopmentCard.KNIGHT, DevelopmentCard.ROAD_BUILDING
YEAR_OF_PLENTY, MONOPOLY = DevelopmentCard.YEAR_OF_PLENTY, DevelopmentCard.MONOPOLY
VICTORY_POINT = DevelopmentCard.VICTORY_POINT
PLAY = {
    KNIGHT: Action.play_knight(),
    ROAD_BUILDING: Action.play_road_building(),
    YEAR_OF_PLENTY: Action.play_year_of_plenty(Resource.ORE, Resource.WOOL),
    MONOPOLY: Action.play_monopoly(Resource.ORE),
}
BUY = Action.buy_development_card()
ALL_PLAYED = {0: (7, 1, 1, 1, 0), 1: (7, 1, 1, 1, 0)}


def one(*kinds: DevelopmentCard) -> tuple[int, ...]:
    """One development card of each of these kinds."""
    return tuple(kinds.count(kind) for kind in DevelopmentCard)


def holding(*kinds: DevelopmentCard, **facts: Any) -> Game:
    """Seat 0 holds these cards, and has a settlement and a road."""
    start = {"settlements": {0: [at(2, 0)]}, "roads": {0: along(2, 0, 2)}}
    return position(**{**start, "cards": {0: one(*kinds)}, **facts})


def finish_card(game: Game) -> None:
    """Make the decisions that a played card asks for."""
    while game.phase in (Phase.ROBBER, Phase.FREE_ROAD):
        game.play(next(iter(game.legal_actions)))


def playable(game: Game) -> set[DevelopmentCard]:
    """The kinds that may be played now."""
    return {kind for kind, action in PLAY.items() if is_legal(game, action)}


def go_round(game: Game, dice: tuple[int, int] = (1, 1)) -> None:
    """End the turn; the others only roll; stop at the roll of the seat's next turn."""
    game.play(Action.end_turn())
    for _ in range(game.seats - 1):
        roll_and_end(game, dice)


def test_a_card_costs_grain_ore_and_wool() -> None:
    """C133: the top card of the deck, after the roll."""
    game = holding(hands={0: CARD}, phase="roll")
    assert not is_legal(game, BUY)
    game.play(Action.roll(), outcome=(1, 1))
    deck = game.deck()
    event = game.play(BUY)
    assert game.hand(0) == EMPTY and game.bank == BOX
    assert game.cards(0) == one(event.outcome)
    assert game.deck() == minus(deck, one(event.outcome))
    assert (game.deck_size, game.card_count(0)) == (24, 1)


def test_an_empty_deck_sells_nothing() -> None:
    """C134."""
    sold_out = {0: (0, 0, 0, 0, 2), 1: (0, 0, 0, 0, 3)}
    game = holding(hands={0: CARD}, cards=sold_out, played=ALL_PLAYED, largest_army_seat=1)
    assert game.deck_size == 0
    assert not is_legal(game, BUY)
    one_left = {0: (0, 0, 0, 0, 2), 1: (0, 0, 0, 0, 2)}
    facts = {"cards": one_left, "played": ALL_PLAYED, "largest_army_seat": 1}
    game = holding(hands={0: times(2, CARD)}, **facts)
    assert game.play(BUY).outcome == VICTORY_POINT
    assert not is_legal(game, BUY)


def test_several_cards_may_be_bought_in_a_turn() -> None:
    """C135."""
    game = holding(hands={0: times(3, CARD)})
    for n in range(1, 4):
        assert is_legal(game, BUY)
        game.play(BUY)
        assert (game.card_count(0), game.deck_size) == (n, 25 - n)
    assert game.hand(0) == EMPTY


@pytest.mark.parametrize("kind", PLAY)
def test_a_card_is_not_played_on_the_turn_it_was_bought(kind: DevelopmentCard) -> None:
    """C136."""
    game = holding(hands={0: CARD})
    game.play(BUY, outcome=kind)
    assert game.cards(0) == one(kind)
    assert playable(game) == set()
    go_round(game)
    assert playable(game) == {kind}


def test_victory_points_count_on_the_turn_they_were_bought() -> None:
    """C136."""
    game = holding(hands={0: CARD})
    game.play(BUY, outcome=VICTORY_POINT)
    assert game.points(0) == 2
    assert legal_kinds(game) == {"END_TURN"}


@pytest.mark.parametrize("kind", PLAY)
def test_an_older_card_of_the_kind_just_bought_may_be_played(kind: DevelopmentCard) -> None:
    """C137: the older one; the new one has to wait."""
    game = holding(kind, hands={0: CARD})
    game.play(BUY, outcome=kind)
    assert playable(game) == {kind}
    game.play(PLAY[kind])
    finish_card(game)
    assert game.cards(0) == one(kind)
    assert playable(game) == set()


@pytest.mark.parametrize("first", PLAY)
def test_one_card_is_played_a_turn(first: DevelopmentCard) -> None:
    """C138: of any kind, also a second knight."""
    game = position(
        settlements={0: [at(2, 0)]},
        roads={0: along(2, 0, 2)},
        cards={0: plus(one(*PLAY), one(first))},
    )
    assert playable(game) == set(PLAY)
    game.play(PLAY[first])
    finish_card(game)
    assert playable(game) == set()
    go_round(game)
    assert playable(game) == set(PLAY)


@pytest.mark.parametrize(("first", "second"), [*product(PLAY, PLAY)])
def test_a_card_played_before_the_roll_is_the_one_of_the_turn(
    first: DevelopmentCard, second: DevelopmentCard
) -> None:
    """C139."""
    game = holding(first, second, phase="roll")
    assert playable(game) == {first, second}
    game.play(PLAY[first])
    finish_card(game)
    assert not is_legal(game, PLAY[second])
    game.play(Action.roll(), outcome=(1, 1))
    assert not is_legal(game, PLAY[second])


def test_no_card_is_played_on_another_seats_turn() -> None:
    """C140: not while answering an offer, nor while discarding."""
    facts = {
        "cards": {1: one(*PLAY)},
        "settlements": {1: [at(2, 0)]},
        "roads": {1: along(2, 0, 2)},
        "hands": {0: hand(ore=1), 1: hand(wool=9)},
    }
    answering = position(phase="answer", offer=(1, Resource.ORE, Resource.WOOL), **facts)
    discarding = position(phase="discard", **facts)
    for game in (answering, discarding):
        assert game.seat == 1
        assert playable(game) == set()
    assert playable(position(turn_seat=1, **facts)) == set(PLAY)


def test_the_kinds_of_cards_in_hand_are_hidden() -> None:
    """C141: their number is public; a played card is visible."""
    knight = position(cards={1: one(KNIGHT), 2: one(MONOPOLY)}, turn_seat=1)
    monopoly = position(cards={1: one(MONOPOLY), 2: one(KNIGHT)}, turn_seat=1)
    deck_differs = position(cards={1: one(KNIGHT), 2: one(VICTORY_POINT)}, turn_seat=1)
    view = knight.view(0)
    assert view.card_count(1) == 1
    with pytest.raises(ValueError, match="does not know the cards"):
        view.cards(1)
    for other in (monopoly, deck_differs):
        assert view.state_bytes() == other.view(0).state_bytes()
        assert (view.observation == other.view(0).observation).all()
    assert knight.view(1).cards(1) == one(KNIGHT)
    view.apply(knight.play(Action.play_knight()).redacted(0, 4))
    assert view.knights(1) == 1
    assert view.card_count(1) == 0


def test_a_bought_card_is_seen_by_its_buyer_alone() -> None:
    """C141."""
    game = position(hands={0: CARD})
    event = game.play(BUY, outcome=MONOPOLY)
    seen = [event.redacted(seat, 4).outcome for seat in range(4)]
    assert seen == [MONOPOLY, HIDDEN, HIDDEN, HIDDEN]


def test_a_view_shows_only_its_own_seat_which_cards_are_new() -> None:
    """C136, C141."""
    knight, monopoly = position(hands={0: CARD}), position(hands={0: CARD})
    knight.play(BUY, outcome=KNIGHT)
    monopoly.play(BUY, outcome=MONOPOLY)
    own = knight.view(0)
    assert own.new_cards(0) == one(KNIGHT)
    assert list(own.legal_actions) == [Action.end_turn()]
    for seat in (1, 2, 3):
        assert knight.view(seat).state_bytes() == monopoly.view(seat).state_bytes()


@pytest.mark.parametrize("kind", PLAY)
def test_a_played_card_is_on_the_table(kind: DevelopmentCard) -> None:
    """C142: a knight counts for the army, other cards leave the game."""
    game = holding(kind)
    deck = game.deck()
    game.play(PLAY[kind])
    assert game.cards(0) == EMPTY and game.card_count(0) == 0
    assert game.played(0) == one(kind)[:4]
    assert game.knights(0) == (kind == KNIGHT)
    assert game.deck() == deck


def test_a_knight_moves_the_robber_and_steals() -> None:
    """C143: as with a seven, but without discards."""
    game = holding(
        KNIGHT,
        settlements={0: [at(2, 0)], 1: [corner(16, "S")]},
        hands={0: hand(ore=8), 1: hand(wool=9)},
    )
    game.play(Action.play_knight())
    assert (game.phase, game.seat) == (Phase.ROBBER, 0)
    assert legal_kinds(game) == {"MOVE_ROBBER"}
    assert not is_legal(game, Action.move_robber(9))
    assert not is_legal(game, Action.move_robber(16))
    game.play(Action.move_robber(16, victim=1))
    assert game.robber == 16
    assert (game.hand(0), game.hand(1)) == (hand(ore=8, wool=1), hand(wool=8))
    assert game.phase == Phase.MAIN


def test_a_knight_before_the_roll_keeps_its_tile_from_yielding() -> None:
    """C144: the dice are rolled after it."""
    game = holding(KNIGHT, settlements={1: [corner(4, "N")]}, phase="roll")  # tile 4: hills, 6
    game.play(Action.play_knight())
    game.play(Action.move_robber(4, victim=1))
    assert (game.phase, game.rolled) == (Phase.ROLL, False)
    game.play(Action.roll(), outcome=(3, 3))
    assert game.hand(1) == EMPTY
    assert game.phase == Phase.MAIN
    unmoved = holding(KNIGHT, settlements={1: [corner(4, "N")]}, phase="roll")
    unmoved.play(Action.roll(), outcome=(3, 3))
    assert unmoved.hand(1) == hand(brick=1)


def test_a_seven_may_follow_a_knight() -> None:
    """C144: then the robber moves once more, after the discards."""
    game = holding(KNIGHT, hands={2: hand(ore=8)}, phase="roll")
    game.play(Action.play_knight())
    game.play(Action.move_robber(18))
    game.play(Action.roll(), outcome=(3, 4))
    assert (game.phase, game.seat) == (Phase.DISCARD, 2)
    for _ in range(4):
        game.play(Action.discard(Resource.ORE))
    assert not is_legal(game, Action.move_robber(18))
    game.play(Action.move_robber(17))
    assert game.phase == Phase.MAIN


def test_a_knight_may_rob_no_seat() -> None:
    """C145: and counts for the army."""
    game = holding(KNIGHT, played={0: (2, 0, 0, 0, 0)})
    game.play(Action.play_knight())
    assert game.largest_army_seat == 0
    event = game.play(Action.move_robber(18))
    assert event.outcome is None
    assert game.knights(0) == 3
    assert game.hand(0) == EMPTY


def test_road_building_lays_two_free_roads() -> None:
    """C146: by the usual placement rules."""
    game = holding(ROAD_BUILDING, settlements={0: [at(2, 0)], 1: [at(2, 3)]})
    game.play(Action.play_road_building())
    assert (game.phase, game.free_roads) == (Phase.FREE_ROAD, 2)
    places = {
        between(at(2, 0), at(3, 0)),
        between(at(2, 1), at(1, 0)),
        between(at(2, 2), at(2, 3)),
        between(at(2, 2), at(3, 2)),
    }
    assert set(game.legal_actions) == {Action.road(edge) for edge in places}
    game.play(Action.road(between(at(2, 2), at(2, 3))))
    assert game.free_roads == 1
    places -= {between(at(2, 2), at(2, 3))}
    assert set(game.legal_actions) == {Action.road(edge) for edge in places}
    game.play(Action.road(between(at(2, 0), at(3, 0))))
    assert (game.phase, game.free_roads) == (Phase.MAIN, 0)
    assert game.hand(0) == EMPTY and game.bank == BOX
    assert (len(game.roads(0)), game.pieces(0)[0]) == (4, 11)
    assert not is_legal(game, Action.road(between(at(2, 2), at(3, 2))))


def test_cards_in_hand_do_not_pay_for_free_roads() -> None:
    """C146."""
    game = holding(ROAD_BUILDING, hands={0: ROAD})
    game.play(Action.play_road_building())
    finish_card(game)
    assert game.hand(0) == ROAD
    game.play(next(a for a in game.legal_actions if a.kind.name == "ROAD"))
    assert game.hand(0) == EMPTY


def test_the_second_free_road_may_continue_the_first() -> None:
    """C147."""
    game = holding(ROAD_BUILDING)
    second = Action.road(between(at(2, 3), at(2, 4)))
    game.play(Action.play_road_building())
    assert not is_legal(game, second)
    game.play(Action.road(between(at(2, 2), at(2, 3))))
    assert is_legal(game, second)
    game.play(second)
    assert game.road_length(0) == 4


def test_the_last_road_of_the_stock_is_laid_alone() -> None:
    """C148."""
    fourteen = along(2, 0, 10) + along(3, 0, 4)
    game = holding(ROAD_BUILDING, roads={0: fourteen}, hands={0: ROAD})
    game.play(Action.play_road_building())
    assert game.free_roads == 1
    game.play(next(iter(game.legal_actions)))
    assert (game.phase, game.free_roads) == (Phase.MAIN, 0)
    assert (len(game.roads(0)), game.hand(0)) == (15, ROAD)


def shut_in(*taken: int) -> Game:
    """Seat 0 is in the far north-west, and these edges are another seat's."""
    return holding(ROAD_BUILDING, settlements={0: [at(0, 1)]}, roads={1: taken}, hands={0: ROAD})


def test_the_last_place_for_a_road_is_taken_alone() -> None:
    """C148."""
    only = between(at(0, 1), at(0, 0))
    game = shut_in(between(at(0, 1), at(0, 2)), between(at(0, 0), at(1, 1)))
    game.play(Action.play_road_building())
    assert list(game.legal_actions) == [Action.road(only)]
    game.play(Action.road(only))
    assert (game.phase, game.free_roads) == (Phase.MAIN, 0)
    assert (game.roads(0), game.hand(0)) == ((only,), ROAD)


@pytest.mark.parametrize("phase", ["roll", "main"])
def test_road_building_needs_a_road_and_a_place(phase: str) -> None:
    """C149."""
    assert playable(holding(ROAD_BUILDING, phase=phase)) == {ROAD_BUILDING}
    fifteen = along(2, 0, 10) + along(3, 0, 5)
    assert playable(holding(ROAD_BUILDING, roads={0: fifteen}, phase=phase)) == set()
    game = holding(
        ROAD_BUILDING, settlements={0: [at(0, 1)]}, roads={1: along(0, 0, 2)}, phase=phase
    )
    assert playable(game) == set()


def test_nothing_comes_between_the_free_roads() -> None:
    """C150: no building, no trade, no second card, and no end of the turn."""
    game = holding(
        ROAD_BUILDING,
        KNIGHT,
        hands={0: times(5, (1, 1, 1, 1, 1)), 1: hand(wool=1)},
    )
    before = legal_kinds(game)
    assert {"SETTLEMENT", "CITY", "BANK_TRADE", "OFFER", "BUY_DEVELOPMENT_CARD"} < before
    game.play(Action.play_road_building())
    assert legal_kinds(game) == {"ROAD"}
    game.play(Action.road(between(at(2, 2), at(2, 3))))
    assert legal_kinds(game) == {"ROAD"}
    game.play(Action.road(between(at(2, 3), at(2, 4))))
    assert legal_kinds(game) == before - {"PLAY_ROAD_BUILDING", "PLAY_KNIGHT"}


def test_free_roads_before_the_roll_lead_back_to_it() -> None:
    """C146, C045."""
    game = holding(ROAD_BUILDING, phase="roll", hands={0: ROAD})
    game.play(Action.play_road_building())
    finish_card(game)
    assert (game.phase, len(game.roads(0)), game.hand(0)) == (Phase.ROLL, 4, ROAD)


def test_free_roads_count_for_longest_road_and_may_win() -> None:
    """C151: the first makes five, and its two points the ten."""
    game = holding(
        ROAD_BUILDING,
        settlements={},
        cities={0: [at(2, 0), at(2, 2), at(2, 4), at(0, 1)]},
        roads={0: along(2, 0, 4), 1: along(4, 0, 5)},
    )
    assert (game.longest_road_seat, game.points(0)) == (1, 8)
    game.play(Action.play_road_building())
    game.play(Action.road(between(at(2, 4), at(2, 5))))
    assert (game.longest_road_seat, game.points(0), game.is_over) == (1, 8, False)
    event = game.play(Action.road(between(at(2, 5), at(2, 6))))
    assert (game.longest_road_seat, game.points(0), game.points(1)) == (0, 10, 0)
    assert (event.winner, game.winner, game.is_over) == (0, 0, True)


def test_a_win_needs_no_second_free_road() -> None:
    """C151."""
    game = holding(
        ROAD_BUILDING,
        settlements={},
        cities={0: [at(2, 0), at(2, 2), at(2, 4), at(0, 1)]},
        roads={0: along(2, 0, 4)},
        phase="roll",
    )
    game.play(Action.play_road_building())
    assert game.play(Action.road(between(at(2, 4), at(2, 5)))).winner == 0


PAIRS = [(a, b) for a in Resource for b in Resource if a <= b]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_year_of_plenty_takes_any_two_cards_of_the_bank(a: Resource, b: Resource) -> None:
    """C152: in either order of naming."""
    two = tuple((r == a) + (r == b) for r in Resource)
    game = holding(YEAR_OF_PLENTY)
    assert is_legal(game, Action.play_year_of_plenty(a, b))
    assert Action.play_year_of_plenty(a, b) == Action.play_year_of_plenty(b, a)
    game.play(Action.play_year_of_plenty(b, a))
    assert game.hand(0) == two
    assert game.bank == minus(BOX, two)


def test_cards_of_a_year_of_plenty_can_be_used_immediately() -> None:
    """C152."""
    game = holding(YEAR_OF_PLENTY)
    game.play(Action.play_year_of_plenty(Resource.BRICK, Resource.LUMBER))
    game.play(Action.road(between(at(2, 2), at(2, 3))))
    assert game.hand(0) == EMPTY


def test_year_of_plenty_takes_nothing_that_the_bank_lacks() -> None:
    """C153: ore is gone, and a single wool is left."""
    game = holding(YEAR_OF_PLENTY, hands={1: hand(ore=19, wool=18)})
    legal = {(a, b) for a, b in PAIRS if is_legal(game, Action.play_year_of_plenty(a, b))}
    wool, ore = Resource.WOOL, Resource.ORE
    assert legal == {(a, b) for a, b in PAIRS if ore not in (a, b) and (a, b) != (wool, wool)}
    game.play(Action.play_year_of_plenty(wool, Resource.BRICK))
    assert game.bank == (18, 19, 19, 0, 0)


@pytest.mark.parametrize("last", Resource)
def test_year_of_plenty_takes_the_last_card_of_the_bank(last: Resource) -> None:
    """C154."""
    rest = tuple(19 - (r == last) for r in Resource)
    game = holding(YEAR_OF_PLENTY, hands={1: rest})
    plays = [action for action in game.legal_actions if action.kind.name != "END_TURN"]
    assert plays == [Action.play_year_of_plenty(last, last)]
    game.play(plays[0])
    assert game.hand(0) == tuple(int(r == last) for r in Resource)
    assert game.bank == EMPTY
    assert game.hand_size(0) == 1


def test_year_of_plenty_is_not_played_on_an_empty_bank() -> None:
    """C154."""
    game = holding(YEAR_OF_PLENTY, hands={1: BOX})
    assert game.bank == EMPTY
    assert list(game.legal_actions) == [Action.end_turn()]


def test_monopoly_takes_all_cards_of_a_resource_from_all_others() -> None:
    """C155."""
    hands = {0: hand(ore=1, wool=1), 1: hand(ore=3, brick=1), 2: hand(wool=4), 3: hand(ore=2)}
    game = holding(MONOPOLY, hands=hands)
    event = game.play(Action.play_monopoly(Resource.ORE))
    assert event.outcome == (0, 3, 0, 2)
    assert [game.hand(seat) for seat in range(4)] == [
        hand(ore=6, wool=1),
        hand(brick=1),
        hand(wool=4),
        EMPTY,
    ]
    assert [game.hand_size(seat) for seat in range(4)] == [7, 1, 4, 0]


def test_monopoly_may_take_nothing() -> None:
    """C155: the card is played anyway."""
    game = holding(MONOPOLY, hands={1: hand(wool=2)})
    event = game.play(Action.play_monopoly(Resource.GRAIN))
    assert event.outcome == (0, 0, 0, 0)
    assert game.hand(0) == EMPTY
    assert (game.card_count(0), game.played(0)) == (0, (0, 0, 0, 1))


@pytest.mark.parametrize("resource", Resource)
def test_monopoly_leaves_the_bank_alone(resource: Resource) -> None:
    """C156."""
    game = holding(MONOPOLY, hands=dict.fromkeys(range(4), (1, 2, 3, 2, 1)))
    bank = game.bank
    game.play(Action.play_monopoly(resource))
    assert game.bank == bank
    assert game.hand(0)[resource] == 4 * (1, 2, 3, 2, 1)[resource]


def test_a_victory_point_card_is_a_point_unseen_by_others() -> None:
    """C157."""
    game = position(settlements={1: [at(2, 0)]}, cards={1: one(VICTORY_POINT)})
    assert game.points(1) == 2
    assert game.points(1, hidden=False) == 1
    assert game.view(1).points(1) == 2
    assert game.view(0).points(1) == 1
    knight = position(settlements={1: [at(2, 0)]}, cards={1: one(KNIGHT)})
    assert (game.view(0).observation == knight.view(0).observation).all()


def test_any_number_of_victory_point_cards_counts_towards_winning() -> None:
    """C157: here five, one of them bought this turn."""
    game = position(
        settlements={0: [at(0, 1), at(0, 3), at(0, 5), at(1, 1), at(2, 1)]},
        cards={0: (0, 0, 0, 0, 4)},
        hands={0: CARD},
    )
    assert game.points(0) == 9 and not game.is_over
    event = game.play(BUY, outcome=VICTORY_POINT)
    assert (game.points(0), event.winner) == (10, 0)


def test_victory_point_cards_are_never_played_and_do_not_count_as_the_card_of_a_turn() -> None:
    """C158: one bought after a knight counts; and a knight may be played after it."""
    facts = {"cities": {0: [at(0, 1), at(0, 3), at(0, 5), at(1, 1)]}, "hands": {0: CARD}}
    game = position(cards={0: (1, 0, 0, 0, 1)}, **facts)
    game.play(Action.play_knight())
    finish_card(game)
    assert game.play(BUY, outcome=VICTORY_POINT).winner == 0
    game = holding(KNIGHT, hands={0: CARD})
    game.play(BUY, outcome=VICTORY_POINT)
    assert playable(game) == {KNIGHT}
    only = holding(VICTORY_POINT)
    assert list(only.legal_actions) == [Action.end_turn()]
