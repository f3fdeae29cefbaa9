"""In every world that a search deals, a seat holds the cards that it offers."""

from catan_env import Action, Board, Game, Resource
from catan_env.core.state import doorway
from catan_env.kernel.memory import copy_of
from catan_env.policies.search import Search, playouts


def asked() -> Game:
    """A game in which seat 0 offers a brick; seat 1 knows no card of its hand."""
    game = Game.from_position(
        board=Board.beginner(),
        seats=3,
        settlements={0: [8], 1: [35], 2: [31]},
        hands={0: (1, 0, 0, 1, 0), 1: (0, 1, 0, 2, 1), 2: (0, 2, 2, 2, 2)},
    )
    view = game.view(1)
    assert sum(view.known(0)) == 0
    game.play(Action.offer(1, {Resource.BRICK: 1}, {Resource.GRAIN: 1}))
    return game


def test_the_seat_that_makes_an_offer_holds_the_offered_cards():
    view = asked().view(1)
    for number in range(100):
        states = copy_of(view._array)
        playouts.deal(doorway(states), 0, number)
        assert states["hand"][0, 0, Resource.BRICK] >= 1
        assert states["hand"][0, 0].sum() == states["hand_size"][0, 0]


def test_an_offer_is_answered_whatever_the_hidden_hand():
    view = asked().view(1)
    for seed in range(20):
        assert view.action_mask[Search(seed, playouts=200).act(view)] == 1
