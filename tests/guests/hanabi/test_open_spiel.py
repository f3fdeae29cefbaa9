"""Observations, legal moves, rewards and ends are those of OpenSpiel's Hanabi."""

import random
from typing import Any

import pytest

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.observation import card_index

pyspiel = pytest.importorskip("pyspiel")
if "hanabi" not in pyspiel.registered_names():
    pytest.skip("this OpenSpiel was built without Hanabi", allow_module_level=True)


def choose(game: Game, chance: random.Random) -> int:
    """Any legal move, or one that does not fail, so that half of the games reach the last turn."""
    legal = game.legal_actions.indices.tolist()
    if chance.random() < 0.5:
        return int(chance.choice(legal))
    hand = game.hands[game.seat]
    size = game.rules.cards_in_hand(game.players)
    good = [
        size + place
        for place, card in enumerate(hand)
        if card is not None and game.tops[card.colour] == card.number - 1
    ]
    harmless = [move for move in legal if not size <= move < 2 * size]
    return int(chance.choice(good or harmless or legal))


def deal(state: Any, cards: list[int]) -> None:
    """Draw the cards that OpenSpiel asks for."""
    while state.is_chance_node():
        card = cards.pop(0)
        assert card in dict(state.chance_outcomes())
        state.apply_action(card)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_observations_have_the_same_bits(players: int, games: int) -> None:
    there, chance = pyspiel.load_game("hanabi", {"players": players}), random.Random(players)
    for seed in range(max(2, games // 400)):
        game, state = Game(players, seed), there.new_initial_state()
        dealt = [card for hand in game.hands for card in hand if card is not None]
        cards = [card_index(game.rules, card) for card in (*dealt, *game.deck)]
        deal(state, cards)
        while not game.is_over:  # after the end OpenSpiel draws no more card
            for seat in range(players):
                theirs = bytes(map(int, state.observation_tensor(seat)))
                assert game.observe(seat).tobytes() == theirs
            assert state.current_player() == game.seat
            assert state.legal_actions() == game.legal_actions.indices.tolist()
            move, before = choose(game, chance), game.score
            game.play(move)
            state.apply_action(move)
            assert state.rewards() == [game.score - before] * players
            assert state.is_terminal() == game.is_over
            deal(state, cards)
