"""An agent's messages for an action mean that action to the server."""

from random import Random

import pytest

from catan_env import Action, ActionKind, Game, Rules
from catan_env.net import RemoteProtocolError
from catan_env.protocols.catan_binary.choices import as_pair, cards_owed, taken_with
from catan_env.protocols.catan_binary.messages import LAYOUTS, Play, Roll
from catan_env.protocols.catan_binary.places import to_resource
from catan_env.protocols.catan_binary.speech import to_actions, to_messages


def understood(game: Game, messages) -> list[Action]:
    """Return the actions of the messages that a seat sends together."""
    first, *choices = messages
    if not isinstance(first, Play) or not choices:
        return [action for message in messages for action in to_actions(game, message)]
    if choices[0].ask.count == 0:
        return [Action.play_monopoly(to_resource(choices[0].ask.resource))]
    taken = ()
    for choice in choices:
        taken = taken_with(game, taken, choice.ask)
    assert len(taken) == cards_owed(game)
    return [Action.play_year_of_plenty(*as_pair(taken))]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_server_reads_the_action_that_was_sent(seats, games):
    said = set()
    for seed in range(max(2, games // 3000)):
        chance = Random(seed)
        game = Game(seats, seed, Rules.tournament())
        while not game.is_over and game.turn < 200:
            for action in chance.sample(list(game.legal_actions), min(4, len(game.legal_actions))):
                assert understood(game, to_messages(game, action)) == [action]
                said.add(action.kind)
            game.play(chance.choice(game.legal_actions.indices.tolist()))
    assert ActionKind.BANK_TRADE in said and ActionKind.OFFER in said


def test_messages_of_the_server_are_not_actions():
    game = Game(2, 1, Rules.tournament())
    assert to_actions(game, Roll()) == [Action.roll()]
    for layout in set(LAYOUTS.values()):
        if layout.__name__ in ("Begin", "Setup", "Kick", "End", "Turn", "RollResult", "RobResult"):
            with pytest.raises(RemoteProtocolError, match="is not an action of a seat"):
                to_actions(game, layout.__new__(layout))
