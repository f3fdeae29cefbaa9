"""Decisions that a server is unlikely to refuse."""

from collections.abc import Container

from catan_env.core.constants import TILES, Phase
from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.protocols.catan_german.play import discards_by_rule
from catan_env.protocols.catan_german.speech import richest

SAFE = {Phase.ROLL: Action.roll(), Phase.MAIN: Action.end_turn()}
"""The actions that are always legal, by phase."""


def asked_for(view: SeatView, phase: Phase, refused: Container[Action]) -> tuple[Action, ...]:
    """The viewer's actions if a server asks for `phase` and the view has none, such as after
    its end; empty in the set-up.
    """
    if phase == Phase.DISCARD:
        return discards_by_rule(view.hand(view.viewer), view.hand_size(view.viewer) // 2)
    if phase == Phase.ROBBER:
        return (_robber_of(view, refused),)
    return (SAFE[phase],) if phase in SAFE else ()


def _robber_of(view: SeatView, refused: Container[Action]) -> Action:
    """The first field that was not refused: the view may have missed a knight's move."""
    tiles = (tile for tile in range(TILES) if tile != view.robber)
    moves = [Action.move_robber(tile, richest(view, tile)) for tile in tiles]
    return next((move for move in moves if move not in refused), moves[0])
