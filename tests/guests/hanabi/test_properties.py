"""Properties of every position in many random games."""

import pickle
from collections import Counter

import numpy as np
import pytest

from catan_env.guests.hanabi import Game, Rules
from catan_env.guests.hanabi.game import Game as PlainGame
from catan_env.guests.hanabi.observation import observation_size
from tests.guests.hanabi.random_games import played

PLAYERS = (2, 3, 4, 5)


@pytest.mark.parametrize("players", PLAYERS)
def test_h047_the_cards_are_conserved_and_h048_the_mover_can_act(players: int, games: int) -> None:
    for seed in range(games // 200):
        for game in played(players, seed, careful=seed % 2 == 0):
            placed = [card for card in game.rules.kinds if card.number <= game.tops[card.colour]]
            hands = [card for hand in game.hands for card in hand if card]
            everything = Counter([*game.deck, *hands, *placed, *game.discards])
            assert everything == Counter(game.rules.box)
            assert game.is_over or game.action_mask.any()
            assert 0 <= game.tokens <= 8 and game.score == (0 if game.lives == 0 else game.points)


@pytest.mark.parametrize("players", PLAYERS)
def test_knowledge_is_never_wrong(players: int, games: int) -> None:
    for seed in range(games // 200):
        for game in played(players, seed, careful=seed % 2 == 0):
            for hand, known in zip(game.hands, game.knowledge, strict=True):
                assert len(hand) == len(known)
                for card, knowledge in zip(hand, known, strict=True):
                    assert card is not None and knowledge.allows(card)
                    assert knowledge.named_number in (0, 1 << card.number - 1)
                    assert knowledge.named_colours in (0, 1 << card.colour)


@pytest.mark.parametrize("players", PLAYERS)
def test_hidden_cards_never_reach_an_observation_or_a_mask(players: int, games: int) -> None:
    """Different own cards and another deck, as far as hints allow them, change no bit."""
    chance = np.random.default_rng(players)
    for seed in range(max(2, games // 400)):
        for game in played(players, seed, careful=seed % 2 == 0):
            seat = game.seat
            other = game.copy()
            hidden = [*other.hands[seat], *other._deck]
            for _ in range(20):
                order = [hidden[i] for i in chance.permutation(len(hidden))]
                mine = order[: len(other.hands[seat])]
                if all(k.allows(c) for k, c in zip(game.knowledge[seat], mine, strict=True) if c):
                    other.hands[seat] = mine
                    break
            view = other.view(seat)
            assert view.observation.tobytes() == game.observe(seat).tobytes()
            assert view.action_mask.tobytes() == game.action_mask.tobytes()


def test_a_view_equals_the_game_for_its_seat(games: int) -> None:
    for seed in range(max(2, games // 500)):
        for game in played(2 + seed % 4, seed, careful=True):
            for seat in range(game.players):
                view = game.view(seat)
                assert (view.observation == game.observe(seat)).all()
                mask = game.action_mask if seat == game.seat else 0 * game.action_mask
                assert (view.action_mask == mask).all()
                assert game.hands[seat] == [] or None not in game.hands[seat]


def test_a_copy_and_a_pickle_have_the_same_future() -> None:
    for game in played(3, 4, careful=True):
        again: PlainGame = pickle.loads(pickle.dumps(game))
        other = game.copy()
        assert again == game == other
        if not game.is_over:
            index = int(game.legal_actions.indices[0])
            assert other.play(index) == again.play(index) and other == again != game


def test_a_picture_shows_hands_tokens_and_knowledge() -> None:
    game = Game(2, seed=3)
    game.play(game.legal_actions[-1])
    text = str(game)
    assert "hints 7   lives 3   deck 40" in text and str(game.hands[0][0]) in text
    assert "??" in str(game.view(0))


def test_observations_have_the_sizes_of_the_page() -> None:
    assert [observation_size(Rules(), p) for p in PLAYERS] == [658, 956, 1041, 1280]
    assert [len(Game(p).action_mask) for p in PLAYERS] == [20, 30, 38, 48]
