"""Decisions that a server is unlikely to refuse."""

from catan_env import Board, Game
from catan_env.core.constants import Phase
from catan_env.protocols.catan_german.safe import asked_for


def test_a_robber_is_not_moved_to_where_the_server_refused_it() -> None:
    game = Game.from_position(
        seats=2, board=Board.beginner(), settlements={0: [8], 1: [35]}, phase="main"
    )
    view, refused = game.view(0), set()
    for _ in range(18):
        (move,) = asked_for(view, Phase.ROBBER, refused)
        assert move not in refused and move.args[0] != view.robber
        refused.add(move)
    assert asked_for(view, Phase.ROBBER, refused), "when all were refused it tries one again"
