"""Invalid numbers, places and events are refused with a reason; none is ignored."""

from dataclasses import replace

import numpy as np
import pytest

from catan_env import (
    HIDDEN,
    Action,
    ActionKind,
    Board,
    DevelopmentCard,
    Event,
    Game,
    Phase,
    Resource,
    Rules,
    SeatView,
)
from catan_env.game.board import Harbour, Tile
from catan_env.game.errors import IllegalActionError
from catan_env.game.observation import named_observation

FIVE = (0, 1, 0, 0, 0)
MADE_BY_HAND = [
    (ActionKind.OFFER, (1, (-1, 0, 0, 0, 0), FIVE), "a count of -1 cards; allowed are 0..19"),
    (ActionKind.OFFER, (1, (0.5, 0, 0, 0, 0), FIVE), "a count of 0.5 cards"),
    (ActionKind.OFFER, (1, (300, 0, 0, 0, 0), FIVE), "a count of 300 cards"),
    (ActionKind.OFFER, (1, (20, 0, 0, 0, 0), FIVE), "a count of 20 cards"),
    (ActionKind.OFFER, (1.5, FIVE, FIVE), "to is 1.5; allowed are 1..3"),
    (ActionKind.OFFER, (1, FIVE), r"OFFER takes \(to, give, get\), got"),
    (ActionKind.ROAD, (1.0,), "no edge has the number 1.0; allowed are 0..71"),
    (ActionKind.ROAD, (72,), "no edge has the number 72"),
    (ActionKind.SETTLEMENT, (True,), "no vertex has the number True"),
    (ActionKind.CITY, (), r"CITY takes \(vertex\), got \(\)"),
    (ActionKind.ROLL, (3,), r"ROLL takes \(\), got \(3,\)"),
    (ActionKind.MOVE_ROBBER, (19, None), "no tile has the number 19"),
    (ActionKind.BANK_TRADE, (0, 0, None), "does not trade BRICK for itself"),
    (ActionKind.BANK_TRADE, (0, 1, 2.5), "a rate of 2.5"),
    (ActionKind.DISCARD, (5,), "5 is not a resource"),
]


@pytest.mark.parametrize(("kind", "args", "said"), MADE_BY_HAND)
def test_an_action_is_checked_when_it_is_made(kind: ActionKind, args: tuple, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Action(kind, args)


def test_a_verb_is_an_action_kind() -> None:
    with pytest.raises(TypeError, match="'road' is not an ActionKind; expected one such"):
        Action("road", (1,))  # type: ignore[arg-type]


def test_an_action_made_by_hand_equals_the_one_from_its_constructor() -> None:
    brick_first = Action(ActionKind.PLAY_YEAR_OF_PLENTY, (Resource.ORE, Resource.BRICK))
    assert brick_first == Action.play_year_of_plenty(Resource.BRICK, Resource.ORE)
    assert Action(ActionKind.ROAD, (np.int64(7),)).index == 167


REFUSED = [
    (lambda: Game(seats=2, first_seat=1.5), "first_seat is 1.5"),
    (lambda: Game(seats=2.0), "2.0 seats; allowed are 2, 3 and 4"),
    (lambda: Game(seats=2).play(True), "expected an Action or its index, got True"),
    (lambda: Game(seats=2).observe(1.0), "seat is 1.0; allowed are whole numbers"),
    (lambda: Game(seats=2).view(0).apply(None), "expected an Event, got None"),
    (lambda: Rules("mine", points_to_win=10.5), "points_to_win is 10.5"),
    (lambda: Rules.tournament(5), "unknown placement 5; allowed are 'pips'"),
    (lambda: Board.spiral(-1), "seed is -1; allowed are 0"),
    (lambda: Board.spiral(1.5), "seed is 1.5"),
    (lambda: SeatView.begin(Board.beginner(), 0, robber=77), "robber is 77; allowed are 0..18"),
    (lambda: SeatView.begin(Board.beginner(), 1.0), "viewer is 1.0"),
    (lambda: SeatView.begin(Board.beginner(), 0, rules="base"), "expected a Rules, got 'base'"),
]


@pytest.mark.parametrize(("made", "said"), REFUSED)
def test_an_invalid_argument_is_refused_with_a_reason(made, said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        made()


def test_a_token_and_a_harbour_are_whole_numbers() -> None:
    board = Board.beginner()
    with pytest.raises(TypeError, match=r"the token of tile 0 is 6\.5"):
        Board((Tile(board.tiles[0].terrain, 6.5), *board.tiles[1:]), board.harbours)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a harbour's rate is 2\.5"):
        Board(board.tiles, (Harbour((0, 1), None, 2.5),))  # type: ignore[arg-type]


SET_UP_BY_HAND = [
    ({"robber": 1.5}, "robber is 1.5"),
    ({"turn_seat": 1.0}, "seat is 1.0"),
    ({"roll": 6.5}, "roll is 6.5"),
    ({"turn": 1.5}, "turn is 1.5"),
    ({"card_played": 5}, "card_played is 5; allowed are True and False"),
    ({"hands": {0: {Resource.ORE: 1.5}}}, "a count of 1.5 cards"),
    ({"offer": (1, Resource.ORE, Resource.WOOL)}, "offer is .*, but phase MAIN has none"),
    ({"discards": {0: 1}}, "discards is .*, but phase MAIN has none"),
    (
        {"phase": "place_settlement", "free_roads": 2},
        "free_roads is 2, but phase PLACE_SETTLEMENT has none",
    ),
]


def test_arguments_that_a_position_lacks_or_has_not_are_those_of_from_position() -> None:
    with pytest.raises(TypeError, match=r"^Game\.from_position\(\) missing .* 'board'$"):
        Game.from_position(seats=2)
    with pytest.raises(TypeError, match=r"^Game\.from_position\(\) got an unexpected .* 'towns'$"):
        Game.from_position(board=Board.beginner(), towns={})


def test_an_observation_may_be_a_list() -> None:
    observation = Game(2, 7).observe(0)
    named = named_observation(observation.tolist())
    for name, field in named_observation(observation).items():
        assert (named[name] == field).all() and named[name].shape == field.shape
    with pytest.raises(ValueError, match=r"shape \(3,\); the last axis of an observation is 913"):
        named_observation([0] * 3)


@pytest.mark.parametrize(("wrong", "said"), SET_UP_BY_HAND)
def test_a_position_has_no_fields_that_its_phase_cannot_have(wrong: dict, said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        Game.from_position(board=Board.beginner(), seats=2, **wrong)


def test_a_position_has_no_phase_that_its_rules_lack() -> None:
    """Without `robber_moves` a seven yields nothing; a knight still moves the robber."""
    rules = replace(Rules.base(), name="tame", robber_moves=False)
    facts = {"board": Board.beginner(), "rules": rules, "hands": {1: {Resource.ORE: 9}}}
    for phase in ("discard", "robber"):
        with pytest.raises(ValueError, match="a 7 yields nothing under these rules"):
            Game.from_position(phase=phase, **facts)
    after_knight = Game.from_position(phase="robber", card_played=True, **facts)
    assert after_knight.phase == Phase.ROBBER


@pytest.mark.parametrize(
    "played",
    [{"card_played": True}, {"phase": "free_road"}, {"phase": "robber", "card_played": True}],
)
def test_no_card_was_played_under_rules_without_cards(played: dict) -> None:
    facts = {"board": Board.beginner(), "settlements": {0: [10]}, "roads": {0: [20]}}
    Game.from_position(**facts, **played)
    with pytest.raises(ValueError, match="these rules have no development card to play"):
        Game.from_position(rules="german_0.1", **facts, **played)


def seen(**position) -> SeatView:
    return Game.from_position(board=Board.beginner(), seats=3, **position).view(0)


def test_an_event_that_cannot_follow_changes_nothing() -> None:
    """The winner, a leaving seat and a stolen card must fit this table."""
    before_robber = {"phase": "robber", "turn_seat": 1, "settlements": {0: [0], 1: [40]}}
    tile = next(t for t in range(19) if 0 in _corners(t))
    rob = Action.move_robber(tile, 2)
    cases = [
        (seen(), Event(0, Action.end_turn(), winner=9), "winner is 9; allowed are 0..2"),
        (seen(), Event(7, Action.leave()), "no seat 7; allowed are 0..2"),
        (seen(), Event(1, Action.time_out()), "seat 0 has the turn"),
        (seen(**before_robber), Event(1, rob, Resource.ORE), "no seat has a card to steal"),
        (
            seen(**before_robber, hands={0: {Resource.WOOL: 1}}),
            Event(1, rob, Resource.ORE),
            "seat 0 has no such card",
        ),
    ]
    for view, event, said in cases:
        kept = view.state_bytes()
        with pytest.raises((IllegalActionError, ValueError), match=said):
            view.apply(event)
        assert view.state_bytes() == kept


UNSEEN = [
    ("roll", Action.move_robber(3), None, "not in phase ROLL"),
    ("main", Action.accept(), None, "not in phase MAIN"),
    ("main", Action.discard(Resource.ORE), None, "not in phase MAIN"),
    ("place_road", Action.play_knight(), None, "not in phase PLACE_ROAD"),
    ("main", Action.road(0), None, "edge 0 has a road"),
    ("main", Action.road(40), None, "the seat has no road left"),
    ("main", Action.settlement(0), None, "vertex 0 is not a place for it"),
    ("main", Action.city(30), None, "vertex 30 is not a place for it"),
    ("main", Action.offer(3, Resource.ORE, Resource.WOOL), None, "no seat sits 3 places on"),
    ("robber", Action.move_robber(3, 3), HIDDEN, "no seat sits 3 places on among 3"),
    ("main", Action.bank_trade(0, 1, 10**30), None, r"allowed are 1\.\.4"),
]


@pytest.mark.parametrize(("phase", "action", "outcome", "said"), UNSEEN)
def test_another_seat_cannot_do_what_is_publicly_impossible(
    phase: str, action: Action, outcome: object, said: str
) -> None:
    pieces = {"roads": {1: list(range(15))}, "settlements": {0: [40], 1: [0]}}
    if phase == "place_road":
        pieces = {"settlements": {0: [8], 1: [0]}, "roads": {0: [18]}}
    view = seen(phase=phase, turn_seat=1, **pieces)
    kept = view.state_bytes()
    with pytest.raises(IllegalActionError, match=said):
        view.apply(Event(1, action, outcome))
    assert view.state_bytes() == kept


def test_a_hand_with_a_negative_count_has_nothing_to_steal() -> None:
    """A seat that missed events follows payments with cards it has not seen."""
    view = seen(phase="main", turn_seat=1, settlements={0: [0], 1: [40], 2: [20]})
    view.apply(Event(1, Action.buy_development_card(), HIDDEN))
    view.apply(Event(1, Action.end_turn()))
    view.apply(Event(2, Action.roll(), (3, 4)))
    tile = next(t for t in range(19) if 40 in _corners(t) and t != view.robber)
    rob, kept = Action.move_robber(tile, 2), view.state_bytes()
    for card in (HIDDEN, Resource.ORE):
        with pytest.raises(IllegalActionError, match="no seat has a card to steal"):
            view.apply(Event(2, rob, card))
        assert view.state_bytes() == kept
    view.apply(Event(2, rob))
    assert (view.hand_size(1), view.hand_size(2), view.phase) == (-3, 0, Phase.MAIN)


def _corners(tile: int) -> tuple[int, ...]:
    from catan_env.game import geometry

    return geometry.TILE_VERTICES[tile]


def test_a_read_only_array_is_not_written() -> None:
    game = Game(seats=2, seed=1)
    for write, size in (
        (game.write_action_mask, 848),
        (lambda a: game.write_observation(0, a), 913),
    ):
        out = np.zeros(size, np.int8)
        out.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            write(out)
        assert not out.any()


def test_an_event_is_redacted_for_a_given_number_of_seats() -> None:
    """With two seats the victim is the other seat; with four it would be a different one."""
    with pytest.raises(TypeError, match="seats"):
        Event(1, Action.move_robber(3, 1), Resource.ORE).redacted(0)  # type: ignore[call-arg]
    event = Event(1, Action.move_robber(3, 1), Resource.ORE)
    assert event.victim(2) == 0 and event.redacted(0, seats=2) == event


def test_a_spectator_sees_no_card_that_a_seat_hides() -> None:
    stolen = Event(1, Action.move_robber(3, 1), Resource.ORE)
    bought = Event(1, Action.buy_development_card(), DevelopmentCard.KNIGHT)
    nothing, rolled = Event(1, Action.move_robber(3, 1)), Event(1, Action.roll(), (2, 5))
    assert [e.redacted(None, seats=4).outcome for e in (stolen, bought)] == [HIDDEN, HIDDEN]
    assert [e.redacted(None, seats=4) for e in (nothing, rolled)] == [nothing, rolled]
