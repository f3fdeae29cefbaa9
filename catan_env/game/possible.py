"""Actions that other seats may have taken, given one view: for events from untrusted sources."""

from collections.abc import Sequence

from catan_env.core import doors
from catan_env.core.constants import VICTORY_POINT, Resource
from catan_env.game.action import ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import HIDDEN, Event, to_code
from catan_env.game.moment import SET_UP
from catan_env.game.position import Position
from catan_env.game.prices import PRICES
from catan_env.game.view import SeatView
from catan_env.kernel.memory import copy_of

CARD_PLAYS = (
    ActionKind.PLAY_KNIGHT,
    ActionKind.PLAY_ROAD_BUILDING,
    ActionKind.PLAY_YEAR_OF_PLENTY,
    ActionKind.PLAY_MONOPOLY,
)
FREE = (0,) * len(Resource)


def check_possible(view: SeatView, event: Event) -> None:
    """Raise IllegalActionError unless some hidden hand and deck make `event` legal."""
    if event.action.kind in (ActionKind.TIME_OUT, ActionKind.LEAVE):
        is_possible = view.turn > 0 and not view.is_over and view.is_playing(event.seat)
        refusal = None if is_possible else f"not in phase {view.phase.name}"
    elif event.seat != view.seat:
        refusal = f"seat {view.seat} decides now"
    else:
        refusal = _refusal_of_outcome(view, event) or _refusal_of_action(view, event)
    if refusal is not None:
        raise IllegalActionError(f"'{event}' cannot follow: {refusal}")


def _refusal_of_action(view: SeatView, event: Event) -> str | None:
    kind, seat = event.action.kind, event.seat
    if seat == view.viewer and view.phase not in SET_UP:
        return view.refusal(event.action)
    if _unseen(view, seat) < _missing(view, event):
        return f"the seat holds only {_unseen(view, seat)} cards that may be of any kind"
    if kind in CARD_PLAYS and not view.card_count(seat):
        return "the seat holds no development card"
    return _at_best(view, seat).refusal(event.action)


def _missing(view: SeatView, event: Event) -> int:
    """Return how many cards the seat needs that it is not known to hold."""
    known = view.known(event.seat)
    return sum(max(0, need - n) for need, n in zip(_needs(view, event), known, strict=True))


def _needs(view: SeatView, event: Event) -> Sequence[int]:
    """Return the cards that the seat has to hold, by Resource."""
    kind, args = event.action.kind, event.action.args
    if kind == ActionKind.BANK_TRADE:
        rate = args[2] or view.trade_rates(event.seat)[args[0]]
        return [rate * (resource == args[0]) for resource in Resource]
    if kind == ActionKind.OFFER:
        return args[1]
    if kind == ActionKind.ACCEPT and view.offer is not None:
        return view.offer.get
    is_free = view.turn == 0 or (kind == ActionKind.ROAD and view.free_roads > 0)
    return FREE if is_free else PRICES.get(kind, FREE)


def _at_best(view: SeatView, seat: int) -> Position:
    """Return the position with as many cards of every kind in the seat's hand as possible."""
    states = copy_of(view._array)
    states["hand"][0, seat] = _most(view, seat)
    states["cards"][0, seat, :VICTORY_POINT] = view.card_count(seat)
    states["new_cards"] = 0
    position = Position(states, view.rules, view.board)
    doors.find_winner(position._states, 0)
    return position


def _most(view: SeatView, seat: int) -> list[int]:
    """Return the most cards of each kind that the seat may hold, by Resource."""
    return [n + _unseen(view, seat) for n in view.known(seat)]


def _unseen(view: SeatView, seat: int) -> int:
    """Return the number of the seat's cards that may be of any kind."""
    return view.hand_size(seat) - sum(view.known(seat))


def _refusal_of_outcome(view: SeatView, event: Event) -> str | None:
    kind, outcome = event.action.kind, event.outcome
    if kind == ActionKind.ROLL and outcome is not None:
        return view.refusal_of_roll(to_code(event.action, outcome, view.seats))
    if kind == ActionKind.MOVE_ROBBER:
        return _refusal_of_theft(view, event)
    if kind == ActionKind.BUY_DEVELOPMENT_CARD:
        is_shown = outcome is not None and outcome is not HIDDEN
        if is_shown != (event.seat == view.viewer):
            return "a seat sees the kinds of its own cards only"
    if kind == ActionKind.PLAY_MONOPOLY:
        resource = event.action.args[0]
        for seat, n in enumerate(outcome):
            if seat != event.seat and not _may_hold(view, seat, resource, n):
                return f"seat {seat} cannot have handed over {n} cards"
    return None


def _may_hold(view: SeatView, seat: int, resource: int, n: int) -> bool:
    """True if `n` may be all cards of a kind that the seat holds."""
    if seat == view.viewer:
        return n == view.hand(seat)[resource]
    return view.known(seat)[resource] <= n <= _most(view, seat)[resource]


def _refusal_of_theft(view: SeatView, event: Event) -> str | None:
    victim, outcome = event.victim(view.seats), event.outcome
    if victim is None or (outcome is None and not view.hand_size(victim)):
        return None
    if outcome is None:
        return f"seat {victim} holds {view.hand_size(victim)} cards, and none was stolen"
    if not view.hand_size(victim):
        return f"seat {victim} holds no card"
    if (outcome is HIDDEN) == (view.viewer in (event.seat, victim)):
        return "only thief and victim see the stolen card"
    if outcome is HIDDEN:
        return None
    held = view.hand(victim) if victim == view.viewer else _most(view, victim)
    return None if held[outcome] else f"seat {victim} holds no such card"
