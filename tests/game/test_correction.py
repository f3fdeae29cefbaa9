"""Following a table that breaks the rules, as far as the memory can represent it."""

from random import Random

import numpy as np
import pytest

from catan_env import Action, Board, Event, Game, Phase, SeatView
from catan_env.game import correction
from catan_env.game.action import ActionKind
from catan_env.game.event import HIDDEN

SIDES = {
    "board": Board.beginner(),
    "seats": 3,
    "settlements": {0: [8], 1: [35], 2: [20]},
    "roads": {0: [18]},
    "phase": "main",
}


def view_of(viewer: int = 0, **more: object) -> SeatView:
    """Return a seat's view of a small position."""
    return Game.from_position(**{**SIDES, **more}).view(viewer)


def is_left(view: SeatView, event: Event) -> bool:
    """True if forcing the event changes nothing."""
    before = view.state_bytes()
    correction.force(view, event)
    return view.state_bytes() == before


def test_a_road_cannot_be_forced_onto_another() -> None:
    assert is_left(view_of(), Event(1, Action.road(18)))


def test_a_settlement_cannot_be_forced_onto_a_building() -> None:
    assert is_left(view_of(), Event(1, Action.settlement(8)))
    assert is_left(view_of(settlements={1: [35]}, cities={0: [8]}), Event(1, Action.settlement(8)))


def test_a_city_cannot_be_forced_without_a_settlement_of_its_owner() -> None:
    assert is_left(view_of(), Event(1, Action.city(8)))
    assert is_left(view_of(), Event(0, Action.city(9)))


def test_a_piece_cannot_be_forced_from_an_empty_stock() -> None:
    settlements = {0: [0, 4, 8, 12, 20], 1: [35]}
    view = view_of(settlements=settlements)
    assert view.pieces(0)[1] == 0
    assert is_left(view, Event(0, Action.settlement(50)))


def test_a_third_set_up_settlement_is_ignored() -> None:
    game = Game(2, 1)
    while game.turn == 0:
        game.play(next(iter(game.legal_actions)))
    view = game.view(0)
    view._array["turn"] = 0
    free = next(v for v in range(54) if v not in (*view.settlements(0), *view.settlements(1)))
    assert is_left(view, Event(0, Action.settlement(free)))


@pytest.mark.parametrize(
    "action", [Action.move_robber(3, 3), Action.offer(3, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0))]
)
def test_a_vacant_seat_is_neither_robbed_nor_asked(action: Action) -> None:
    assert is_left(view_of(), Event(0, action, HIDDEN if action.args[0] == 3 else None))


def test_a_settlement_too_near_is_accepted_and_paid_for_as_far_as_possible() -> None:
    view = view_of(hands={1: (1, 0, 0, 0, 0)})
    correction.force(view, Event(1, Action.settlement(9)))
    assert 9 in view.settlements(1) and view.turn_seat == 1
    assert view.hand_size(1) == 0 and min(view.known(1)) >= 0


def test_a_roll_out_of_turn_is_accepted() -> None:
    view = view_of(roads={0: [18], 2: []})
    correction.force(view, Event(2, Action.roll(), (3, 2)))
    assert (view.turn_seat, view.phase) == (2, Phase.MAIN)


def test_an_award_changes_hands_with_its_points() -> None:
    view = view_of()
    points = [view.points(seat) for seat in range(3)]
    correction.award(view, "largest_army", 1)
    assert view.largest_army_seat == 1 and view.points(1) == points[1] + 2
    correction.award(view, "largest_army", 2)
    correction.award(view, "largest_army", 2)
    assert [view.points(seat) for seat in range(3)] == [points[0], points[1], points[2] + 2]
    correction.award(view, "largest_army", None)
    assert view.largest_army_seat is None and view.points(2) == points[2]


@pytest.mark.parametrize("phase", [Phase.ROLL, Phase.MAIN, Phase.ROBBER])
def test_the_seat_asked_decides(phase: Phase) -> None:
    view = view_of(viewer=1, hands={1: (4, 4, 0, 0, 0)})
    correction.ask(view, phase)
    assert (view.phase, view.seat, view.turn_seat) == (phase, 1, 1)
    assert view.action_mask.any()


def test_a_seat_asked_for_cards_owes_half() -> None:
    view = view_of(viewer=1, hands={1: (5, 4, 0, 0, 0)})
    correction.ask(view, Phase.DISCARD)
    assert view.owes(1) == 4 and view.action_mask.any()


def test_the_viewer_alone_may_have_to_discard() -> None:
    view = view_of(0, phase="roll", hands={0: (9, 0, 0, 0, 0), 1: (8, 0, 0, 0, 0)})
    view.apply(Event(0, Action.roll(), (3, 4)))
    correction.owe(view, 3)
    assert [view.owes(seat) for seat in range(3)] == [3, 4, 0]
    correction.owe_alone(view)
    assert [view.owes(seat) for seat in range(3)] == [3, 0, 0]


def test_a_view_stays_playable_after_any_forced_events(games: int) -> None:
    """One hundredth of `--games` views, each forced through sixty events of other games."""
    chance = Random(7)
    for seed in range(games // 100):
        events = events_of(chance.randrange(50), chance)
        view = Game(3, seed).view(seed % 3)
        for event in chance.sample(events, min(60, len(events))):
            correction.force(view, event)
            assert_sound(view)


def events_of(seed: int, chance: Random) -> list[Event]:
    """Return a seat's events of some game, including the set-up."""
    game, viewer = Game(3, seed), seed % 3
    events = []
    for _ in range(120):
        if game.is_over:
            break
        legal = list(game.legal_actions)
        events.append(game.play(chance.choice(legal)).redacted(viewer, game.seats))
    return [event for event in events if event.action.kind not in UNFORCED]


UNFORCED = (ActionKind.TIME_OUT, ActionKind.LEAVE, ActionKind.ACCEPT, ActionKind.REJECT,
            ActionKind.PLAY_MONOPOLY)  # fmt: skip


def assert_sound(view: SeatView) -> None:
    """Check that nothing is negative or duplicated, and that legal actions have an index."""
    state = view._array[0]
    for name in ("hand", "hand_size", "known", "bank", "cards", "card_count", "pieces"):
        assert (np.asarray(state[name]) >= 0).all(), name
    roads = [edge for seat in range(view.seats) for edge in view.roads(seat)]
    houses = [v for s in range(view.seats) for v in (*view.settlements(s), *view.cities(s))]
    assert len(roads) == len(set(roads)) and len(houses) == len(set(houses))
    assert all(action.index is not None for action in view.legal_actions)
    assert max(view.bank) <= 19
