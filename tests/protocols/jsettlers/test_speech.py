"""Messages and actions are each other's inverse."""

from random import Random

import pytest

from catan_env import Action, Game, Resource, Rules
from catan_env.net import RemoteProtocolError
from catan_env.protocols.jsettlers import lobby, speech
from catan_env.protocols.jsettlers import messages as m
from tests.properties.settings import pick

HUGE = 10**15
"""Cards that no memory can list one by one."""


@pytest.mark.parametrize("seed", range(3))
def test_the_messages_of_an_action_mean_that_action(seed: int) -> None:
    game, chance, kinds = Game(4, seed, Rules.jsettlers()), Random(seed), set()
    for _ in range(400):
        if game.is_over:
            break
        for action in chance.sample(list(game.legal_actions), min(12, len(game.legal_actions))):
            said = speech.to_messages(game, "t", action)
            assert speech.to_actions(game, said) == [action], said
            kinds.add(action.kind)
        game.play(pick(game, chance))
    assert len(kinds) >= 9


def test_examples_of_the_wire() -> None:
    game = Game(4, 1, Rules.jsettlers())
    assert speech.to_messages(game, "t", Action.settlement(0)) == [m.PutPiece("t", 0, 1, 39)]
    assert speech.to_messages(game, "t", Action.road(0)) == [m.PutPiece("t", 0, 0, 56)]
    assert speech.to_messages(game, "t", Action.move_robber(9, 2)) == [
        m.MoveRobber("t", 0, 119),
        m.Victim("t", 2),
    ]
    assert speech.to_messages(game, "t", Action.offer(2, Resource.WOOL, Resource.ORE)) == [
        m.MakeOffer("t", 0, False, False, True, False, (0, 0, 1, 0, 0, 0, 1, 0, 0, 0))
    ]
    assert speech.to_messages(game, "t", Action.play_year_of_plenty(0, 4)) == [
        m.PlayCard("t", 2),
        m.PickCards("t", (1, 0, 1, 0, 0)),
    ]
    assert speech.to_messages(game, "t", Action.play_monopoly(Resource.ORE)) == [
        m.PlayCard("t", 3),
        m.PickMonopoly("t", 2),
    ]
    assert speech.to_discard("t", (1, 2, 0, 0, 0)) == m.Discard("t", (1, 0, 0, 2, 0, 0))


def test_a_trade_of_several_cards_is_several_trades() -> None:
    game = Game(4, 1, Rules.jsettlers())
    said = m.BankTrade("t", (8, 0, 0, 0, 0, 0, 1, 1, 0, 0))
    assert speech.to_actions(game, [said]) == [
        Action.bank_trade(Resource.BRICK, Resource.ORE),
        Action.bank_trade(Resource.BRICK, Resource.WOOL),
    ]
    at_three = m.BankTrade("t", (3, 0, 0, 0, 0, 0, 1, 0, 0, 0))
    assert speech.to_actions(game, [at_three]) == [
        Action.bank_trade(Resource.BRICK, Resource.ORE, 3)
    ]


@pytest.mark.parametrize(
    "said",
    [
        [m.PutPiece("t", 0, 7, 39)],
        [m.PutPiece("t", 0, 1, 40)],
        [m.PlayCard("t", 2)],
        [m.PlayCard("t", 4)],
        [m.PlayCard("t", 77)],
        [m.PlayCard("t", 2), m.PickCards("t", (3, 0, 0, 0, 0))],
        [m.PlayCard("t", 2), m.PickCards("t", (HUGE, 2 - HUGE, 0, 0, 0))],
        [m.PlayCard("t", 3), m.PickMonopoly("t", 6)],
        [m.MoveRobber("t", 0, 23)],
        [m.MoveRobber("t", 0, 119), m.Victim("t", 0)],
        [m.MoveRobber("t", 0, 119), m.Victim("t", 4)],
        [m.BankTrade("t", (1, 0, 0, 0, 0, 4, 0, 0, 0, 0))],
        [m.BankTrade("t", (4, 0, 0, 0))],
        [m.BankTrade("t", (HUGE, 0, 0, 0, 0, 0, 1, 0, 0, 0))],
        [m.Discard("t", (HUGE, 0, 0, 0, 0, 0))],
        [m.MakeOffer("t", 0, False, True, False, False, (-1, 0, 0, 0, 0, 1, 0, 0, 0, 0))],
        [lobby.JoinGame("t", "", "", "t")],
    ],
)
def test_messages_that_are_not_an_action_are_rejected(said: list[object]) -> None:
    with pytest.raises(RemoteProtocolError):
        speech.to_actions(Game(4, 1, Rules.jsettlers()), said)
