"""The tournament preset: the rules of a server of the binary protocol."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from catan_env import (
    Action,
    ActionKind,
    Board,
    Event,
    Game,
    IllegalActionError,
    Phase,
    Placement,
    Resource,
    Rules,
    Terrain,
    geometry,
)
from tests.rules.drawn import (
    BOX,
    CARD,
    CITY,
    EMPTY,
    ROAD,
    SETTLEMENT,
    along,
    at,
    between,
    corner,
    hand,
    is_legal,
    legal_kinds,
    plus,
    position,
    roll_and_end,
    times,
)

TOURNAMENT = Rules.tournament()
PIPS = {0: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
PLACEMENTS = ("pips", "random")


def tournament(**facts: Any) -> Game:
    """A position under the tournament's rules."""
    return position(**{"rules": TOURNAMENT, **facts})


def test_a_position_in_which_the_table_discards_goes_on_to_the_robber() -> None:
    """No seat chooses: most numerous cards go."""
    game = Game.from_position(
        board=Board.beginner(), seats=2, rules=TOURNAMENT, phase="discard",
        hands={1: {Resource.ORE: 8, Resource.WOOL: 1}},
    )  # fmt: skip
    assert (game.seat, game.phase) == (0, Phase.ROBBER)
    assert [event.action for event in game.events] == [Action.discard(Resource.ORE)] * 4
    assert sum(game.hand(1)) == 5


@pytest.mark.parametrize("phase", ["place_settlement", "place_road"])
def test_a_position_in_which_the_table_places_goes_on_to_the_first_turn(phase: str) -> None:
    pieces = {"settlements": {0: [10]}} if phase == "place_road" else {}
    game = Game.from_position(
        board=Board.beginner(), seats=2, rules=TOURNAMENT, phase=phase, **pieces
    )
    assert (game.seat, game.phase, game.turn) == (0, Phase.ROLL, 1)
    assert [len(game.settlements(seat)) for seat in range(2)] == [2, 2]


def placed_pairs(game: Game) -> Iterator[tuple[Event, Event]]:
    """The settlements and roads of the set-up, two by two."""
    events = game.events[: 4 * game.seats]
    return zip(events[::2], events[1::2], strict=True)


def pips(board: Board, vertex: int) -> int:
    """The chances in 36 of the numbers around a vertex."""
    return sum(PIPS[board.tiles[tile].token] for tile in geometry.VERTEX_TILES[vertex])


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize(("seats", "first"), [(2, 0), (3, 1), (4, 0), (4, 3)])
def test_the_table_places_for_every_seat(placement: str, seats: int, first: int) -> None:
    """In the usual order; the first decision is the first seat's roll."""
    for seed in range(10):
        game = Game(seats, seed, Rules.tournament(placement), first_seat=first)
        assert (game.seat, game.turn, game.phase) == (first, 1, Phase.ROLL)
        assert len(game.events) == 4 * seats
        there = [(first + k) % seats for k in range(seats)]
        assert [house.seat for house, _ in placed_pairs(game)] == there + there[::-1]
        assert [road.seat for _, road in placed_pairs(game)] == there + there[::-1]
        assert [game.pieces(seat) for seat in range(seats)] == [(13, 3, 4)] * seats
        assert [game.points(seat) for seat in range(seats)] == [2] * seats


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_the_table_keeps_the_rules_of_placing(placement: str) -> None:
    """C025, C026: the distance between settlements, and each road at its settlement."""
    for seed in range(20):
        game = Game(4, seed, Rules.tournament(placement))
        taken: set[int] = set()
        for house, road in placed_pairs(game):
            (vertex,), (edge,) = house.action.args, road.action.args
            assert house.action.kind == ActionKind.SETTLEMENT and vertex not in taken
            assert road.action.kind == ActionKind.ROAD and edge in geometry.VERTEX_EDGES[vertex]
            taken |= {vertex, *geometry.VERTEX_NEIGHBOURS[vertex]}


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_each_seat_holds_the_yield_of_its_second_settlement(placement: str) -> None:
    """C029."""
    for seed in range(20):
        game = Game(4, seed, Rules.tournament(placement))
        seconds = list(placed_pairs(game))[4:]
        for house, _ in seconds:
            tiles = [game.board.tiles[t] for t in geometry.VERTEX_TILES[house.action.args[0]]]
            terrains = [tile.terrain for tile in tiles]
            assert game.hand(house.seat) == tuple(terrains.count(Terrain(r)) for r in Resource)
        assert plus(game.bank, *(game.hand(seat) for seat in range(4))) == BOX


def test_by_pips_each_settlement_has_the_best_numbers_left() -> None:
    for seed in range(20):
        game = Game(4, seed, TOURNAMENT)
        free = set(range(54))
        for house, _ in placed_pairs(game):
            (vertex,) = house.action.args
            assert pips(game.board, vertex) == max(pips(game.board, v) for v in free)
            free -= {vertex, *geometry.VERTEX_NEIGHBOURS[vertex]}


def test_random_settlements_and_roads_are_anywhere() -> None:
    """The same seed gives the same placements."""
    rules = Rules.tournament("random")
    games = [Game(4, seed, rules) for seed in range(120)]
    vertices = [house.action.args[0] for game in games for house, _ in placed_pairs(game)]
    edges = {road.action.args[0] for game in games for _, road in placed_pairs(game)}
    assert set(vertices) == set(range(54))
    assert edges == set(range(72))
    first = {next(placed_pairs(game))[0].action for game in games}
    assert len(first) > 40
    assert [event.action for event in Game(4, 7, rules).events] == [
        event.action for event in games[7].events
    ]


def test_each_random_placement_has_a_draw_of_its_own() -> None:
    """The place of one piece says nothing about the next one's."""
    shares = []
    for seed in range(300):
        game = Game(4, seed, Rules.tournament("random"))
        free, drawn = set(range(54)), []
        for house, road in placed_pairs(game):
            vertex, edge = house.action.args[0], road.action.args[0]
            drawn.append(sorted(free).index(vertex) / len(free))
            edges = sorted(geometry.VERTEX_EDGES[vertex])
            drawn.append(edges.index(edge) / len(edges))
            free -= {vertex, *geometry.VERTEX_NEIGHBOURS[vertex]}
        shares.append(drawn)
    ties = np.corrcoef(np.array(shares).T)
    assert np.abs(ties - np.eye(len(ties))).max() < 0.25


def test_placement_is_by_pips_at_random_or_by_the_seats() -> None:
    assert TOURNAMENT.placement == Placement.PIPS
    by_seats = Game(2, 1, Rules.tournament("seats"))
    assert (by_seats.phase, by_seats.events) == (Phase.PLACE_SETTLEMENT, ())
    with pytest.raises(ValueError, match="allowed are 'pips', 'random' and 'seats'"):
        Rules.tournament("best")


def discarded(game: Game, seat: int) -> list[Resource]:
    """The discards of a seat, in order."""
    return [
        event.action.args[0]
        for event in game.events
        if event.seat == seat and event.action.kind == ActionKind.DISCARD
    ]


BRICK, GRAIN, LUMBER, ORE, WOOL = Resource


@pytest.mark.parametrize(
    ("cards", "gone"),
    [
        (hand(ore=8), [ORE] * 4),
        (hand(brick=2, wool=6), [WOOL] * 4),
        (hand(brick=3, wool=5), [WOOL, WOOL, BRICK, WOOL]),
        (hand(brick=3, grain=3, lumber=3), [BRICK, GRAIN, LUMBER, BRICK]),
        (hand(ore=4, wool=4), [ORE, WOOL, ORE, WOOL]),
        (hand(lumber=5, ore=1, wool=4), [LUMBER, LUMBER, WOOL, LUMBER, WOOL]),
        ((3, 3, 3, 3, 3), [BRICK, GRAIN, LUMBER, ORE, WOOL, BRICK, GRAIN]),
        (hand(grain=7), []),
    ],
)
def test_half_a_hand_goes_card_by_card_of_the_most_numerous(
    cards: Any, gone: list[Resource]
) -> None:
    """C065; in a tie the first of brick, grain, lumber, ore, wool."""
    game = tournament(hands={2: cards}, phase="roll")
    bank = game.bank
    game.play(Action.roll(), outcome=(3, 4))
    assert discarded(game, 2) == gone
    lost = tuple(gone.count(resource) for resource in Resource)
    assert plus(game.hand(2), lost) == cards
    assert game.bank == plus(bank, lost)
    assert (game.phase, game.seat) == (Phase.ROBBER, 0)


def test_no_seat_is_asked_for_its_discards() -> None:
    """C070: the server takes the cards from the roller onward, and every seat can follow it."""
    hands = {0: hand(ore=9), 1: hand(wool=8), 3: hand(brick=11)}
    game = tournament(hands=hands, phase="roll", turn_seat=3)
    views = [game.view(seat) for seat in range(4)]
    game.play(Action.roll(), outcome=(2, 5))
    assert (game.phase, game.seat) == (Phase.ROBBER, 3)
    assert [event.seat for event in game.events[1:]] == [3] * 5 + [0] * 4 + [1] * 4
    assert [game.hand_size(seat) for seat in range(4)] == [5, 4, 0, 6]
    for seat, view in enumerate(views):
        for event in game.events:
            view.apply(event.redacted(seat, game.seats))
        assert view == game.view(seat)


def test_a_knight_costs_no_cards_here_either() -> None:
    """C085."""
    game = tournament(hands={1: hand(ore=12)}, cards={0: (1, 0, 0, 0, 0)})
    game.play(Action.play_knight())
    assert (game.phase, game.hand_size(1)) == (Phase.ROBBER, 12)


def builder(**facts: Any) -> Game:
    """Seat 0 holds road building, and has a settlement and two roads."""
    start = {
        "settlements": {0: [at(2, 0)]},
        "roads": {0: along(2, 0, 2)},
        "cards": {0: (0, 1, 0, 0, 0)},
    }
    return tournament(**{**start, **facts})


FIRST, SECOND, THIRD = (Action.road(edge) for edge in along(2, 2, 5))


def test_road_building_gives_a_credit_of_two_roads() -> None:
    """C150: other actions may come in between."""
    game = builder(hands={0: plus(SETTLEMENT, CITY, CARD, times(4, hand(wool=1)))})
    game.play(Action.play_road_building())
    assert (game.phase, game.free_roads) == (Phase.MAIN, 2)
    assert {"END_TURN", "CITY", "SETTLEMENT", "BUY_DEVELOPMENT_CARD", "OFFER"} < legal_kinds(game)
    game.play(Action.city(at(2, 0)))
    game.play(FIRST)
    assert game.free_roads == 1
    game.play(Action.buy_development_card())
    game.play(Action.settlement(at(2, 2)))
    game.play(Action.bank_trade(WOOL, ORE))
    assert game.hand(0) == hand(ore=1)
    game.play(SECOND)
    assert (game.free_roads, game.hand(0)) == (0, hand(ore=1))
    assert not is_legal(game, THIRD)


def test_a_road_takes_from_the_credit_before_it_takes_cards() -> None:
    game = builder(hands={0: ROAD})
    game.play(Action.play_road_building())
    game.play(FIRST)
    game.play(SECOND)
    assert game.hand(0) == ROAD
    game.play(THIRD)
    assert (game.hand(0), game.bank) == (EMPTY, BOX)


def test_a_credit_lapses_at_the_end_of_the_turn() -> None:
    game = builder()
    game.play(Action.play_road_building())
    game.play(FIRST)
    game.play(Action.end_turn())
    assert game.free_roads == 0
    for _ in range(3):
        assert "ROAD" not in legal_kinds(game)
        roll_and_end(game)
    game.play(Action.roll(), outcome=(1, 1))
    assert (game.seat, game.free_roads) == (0, 0)
    assert not is_legal(game, SECOND)


def test_another_seat_does_not_build_on_the_credit() -> None:
    game = builder(settlements={0: [at(2, 0)], 1: [at(4, 4)]})
    game.play(Action.play_road_building())
    game.play(Action.end_turn())
    game.play(Action.roll(), outcome=(1, 1))
    assert (game.seat, game.free_roads) == (1, 0)
    assert "ROAD" not in legal_kinds(game)


def test_free_roads_may_be_laid_before_the_roll() -> None:
    """The remaining credit can be used afterwards."""
    game = builder(phase="roll")
    assert not is_legal(game, FIRST)
    game.play(Action.play_road_building())
    assert game.phase == Phase.ROLL
    assert is_legal(game, FIRST)
    game.play(FIRST)
    assert (game.phase, game.free_roads) == (Phase.ROLL, 1)
    assert is_legal(game, SECOND)
    game.play(Action.roll(), outcome=(1, 1))
    assert game.free_roads == 1
    game.play(SECOND)
    assert (game.free_roads, game.hand(0), len(game.roads(0))) == (0, EMPTY, 4)


def test_roads_are_not_bought_before_the_roll() -> None:
    """C041: the credit is used up, and cards do not help."""
    game = builder(phase="roll", hands={0: ROAD})
    game.play(Action.play_road_building())
    game.play(FIRST)
    game.play(SECOND)
    assert (game.phase, game.free_roads) == (Phase.ROLL, 0)
    assert list(game.legal_actions) == [Action.roll()]
    assert not is_legal(game, THIRD)


def test_before_the_roll_the_card_may_be_played_but_the_mask_leaves_it_out() -> None:
    """An agent that plays by index has it after the roll; a message may come earlier."""
    play = Action.play_road_building()
    game = builder(phase="roll")
    before = game.state_bytes()
    assert game.action_mask[play.index] == 0
    with pytest.raises(IllegalActionError, match="it is not in the action mask"):
        game.play(play.index)
    assert game.state_bytes() == before
    assert game.copy().play(play).action == play
    game.play(Action.roll(), outcome=(1, 1))
    assert is_legal(game, play)
    game.play(play.index)
    assert game.free_roads == 2


@pytest.mark.parametrize(
    "facts",
    [
        {"cards": {}},
        {"card_played": True},
    ],
    ids=["no card", "a card played"],
)
def test_before_the_roll_the_card_keeps_its_rules(facts: Any) -> None:
    """C136, C138."""
    game = builder(phase="roll", **facts)
    assert not is_legal(game, Action.play_road_building())


@pytest.mark.parametrize(
    "facts",
    [
        {"roads": {0: along(2, 0, 10) + along(3, 0, 5)}},
        {"settlements": {0: [at(0, 1)]}, "roads": {1: along(0, 0, 2)}},
    ],
    ids=["no road", "no place"],
)
@pytest.mark.parametrize("phase", ["roll", "main"])
def test_road_building_without_a_road_or_a_place_lapses(phase: str, facts: Any) -> None:
    """C149 is the booklet's: as a credit the card has no immediate effect."""
    play = Action.play_road_building()
    game = builder(phase=phase, **facts)
    assert game.refusal(play) is None and game.action_mask[play.index] == (phase == "main")
    game.play(play)
    assert not [a for a in game.legal_actions if a.kind.name == "ROAD"]
    game.time_out()
    assert game.free_roads == 0


def test_other_cards_are_in_the_mask_before_the_roll() -> None:
    """C045."""
    game = tournament(cards={0: (1, 0, 1, 1, 0)}, phase="roll")
    assert legal_kinds(game) == {"ROLL", "PLAY_KNIGHT", "PLAY_YEAR_OF_PLENTY", "PLAY_MONOPOLY"}


CITIES = [at(0, 1), at(0, 3), at(0, 5), at(1, 1)]


def test_ten_points_win_only_when_their_owner_passes() -> None:
    """Until then the game continues, even past ten."""
    game = tournament(
        cities={0: CITIES},
        settlements={0: [at(2, 1)]},
        roads={0: along(2, 1, 5)},
        hands={0: times(2, SETTLEMENT)},
    )
    game.play(Action.settlement(at(2, 3)))
    assert (game.points(0), game.is_over) == (10, False)
    game.play(Action.settlement(at(2, 5)))
    assert (game.points(0), game.is_over, game.seat) == (11, False, 0)
    event = game.play(Action.end_turn())
    assert (event.winner, game.winner, game.is_over) == (0, 0, True)


def test_hidden_points_win_at_passing_too() -> None:
    """C157: including those bought this turn."""
    game = tournament(cities={0: CITIES}, cards={0: (0, 0, 0, 0, 1)}, hands={0: CARD})
    event = game.play(Action.buy_development_card(), outcome=4)
    assert (game.points(0), event.winner, game.is_over) == (10, None, False)
    assert game.play(Action.end_turn()).winner == 0


def test_ten_points_as_a_turn_begins_do_not_win_yet() -> None:
    """The seat must roll and pass; until then no other seat can win."""
    game = tournament(cities={1: CITIES}, cards={1: (0, 0, 0, 0, 2)})
    assert game.play(Action.end_turn()).winner is None
    assert (game.seat, game.phase, game.points(1)) == (1, Phase.ROLL, 10)
    assert game.play(Action.roll(), outcome=(1, 1)).winner is None
    assert game.play(Action.end_turn()).winner == 1


def test_ten_points_lost_again_before_passing_do_not_win() -> None:
    """C188: seat 2 has ten by Longest Road, which seat 1 takes away before seat 2 passes."""
    game = tournament(
        cities={2: CITIES},
        roads={1: along(2, 0, 5), 2: along(4, 0, 5)},
        hands={1: ROAD},
        turn_seat=1,
        longest_road_seat=2,
    )
    assert game.points(2) == 10
    game.play(Action.road(between(at(2, 5), at(2, 6))))
    game.play(Action.end_turn())
    game.play(Action.roll(), outcome=(1, 1))
    assert (game.seat, game.points(2)) == (2, 8)
    assert game.play(Action.end_turn()).winner is None


def test_a_turn_that_runs_out_of_time_is_passed() -> None:
    """Its owner wins with ten points, and loses the rest of a credit."""
    game = tournament(cities={0: CITIES}, cards={0: (0, 0, 0, 0, 2)}, phase="roll")
    assert game.time_out().winner == 0
    game = builder()
    game.play(Action.play_road_building())
    game.time_out()
    assert (game.seat, game.phase, game.free_roads) == (1, Phase.ROLL, 0)


def test_a_short_bank_pays_none_of_several_seats_here_too() -> None:
    """C055: two owed, one available."""
    game = tournament(
        settlements={0: [corner(4, "N")], 1: [corner(4, "S")]},
        hands={2: tuple(18 if r == Resource.BRICK else 0 for r in Resource)},
        phase="roll",
    )
    game.play(Action.roll(), outcome=(3, 3))
    assert (game.hand(0), game.hand(1)) == (hand(), hand())
    assert game.bank[Resource.BRICK] == 1


def test_the_rest_is_as_in_the_booklet() -> None:
    """C081, C121: production, the robber and trade are unchanged."""
    game = tournament(
        settlements={0: [corner(4, "N")], 1: [corner(8, "S")]},
        hands={0: hand(ore=1), 1: hand(wool=1)},
        phase="roll",
    )
    game.play(Action.roll(), outcome=(3, 3))
    assert game.hand(0) == hand(ore=1, brick=1)
    assert is_legal(game, Action.offer(1, ORE, WOOL))
    robber = tournament(settlements={1: [corner(8, "S")]}, phase="robber")
    assert not is_legal(robber, Action.move_robber(8))
    assert is_legal(robber, Action.move_robber(8, victim=1))
