"""Decisions that a server is unlikely to refuse."""

from catan_env import Board, Game
from catan_env.core.constants import Phase
from catan_env.protocols.catan_german.agent import Agent
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


def test_where_no_action_is_always_legal_one_is_tried_that_was_not_refused() -> None:
    view = Game(seats=2, seed=1).view(0)
    agent, legal = Agent(lambda view: 0), list(view.legal_actions)
    agent._refused_actions.update(legal[:3])
    assert agent._safe(view) == legal[3]
    agent._refused_actions.update(legal)
    assert agent._safe(view) in legal
