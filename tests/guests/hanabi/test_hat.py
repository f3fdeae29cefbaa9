"""Hat guessing: scores, and the picture that all players share."""

import pytest

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.policies.hat import Hat
from catan_env.guests.hanabi.policies.hats import Deductions
from catan_env.guests.hanabi.rating import play_game, rate
from catan_env.guests.hanabi.rules import PRESETS, Rules
from tests.covering import covering


@pytest.mark.parametrize(("players", "least"), [(2, 20.5), (3, 24.2), (4, 24.7), (5, 24.7)])
def test_hat_guessing_scores_what_is_published(players: int, least: float) -> None:
    assert rate("hat", players, games=20).mean > least


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_players_have_the_same_picture_and_it_is_true(players: int) -> None:
    """Each from its own view; every card is among its possible identities."""
    game, seats = Game(players, 11), [Hat() for _ in range(players)]
    while not game.is_over:
        for seat, player in enumerate(seats):
            player._follow(game.view(seat))
            assert player.picture.hands == seats[0].picture.hands
        for hand, masks in zip(game.hands, seats[0].picture.hands, strict=True):
            for card, mask in zip(hand, masks, strict=True):
                assert card is not None and seats[0].picture.bits[card] & mask
        game.play(decide(seats[game.seat], game.view(game.seat)))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_hints_can_stand_for_every_value(players: int) -> None:
    """At each position of a game, whatever the sum of the answers is, a hint says it."""
    game, seats = Game(players, 3), [Hat() for _ in range(players)]
    while not game.is_over:
        player, view = seats[game.seat], game.view(game.seat)
        action = decide(player, view)
        if view.tokens:
            hints = [hint for hint in view.legal_actions if hint.is_hint]
            picture = player.picture
            said = {picture.value(view.seat, hint, view.touched(hint)) for hint in hints}
            assert said == set(range(picture.size(view.seat)))
        game.play(action)


def test_the_first_hint_shows_every_player_a_card_to_play() -> None:
    """Each hand with a 1 then has a card that all know can be placed."""
    game, player = Game(5, 7), Hat()
    game.play(decide(player, game.view(0)))
    player._follow(game.view(0))
    picture: Deductions = player.picture
    has_one = [any(card.number == 1 for card in hand if card) for hand in game.hands]
    shown = [any(not mask & ~picture.table.placeable for mask in masks) for masks in picture.hands]
    assert shown[1:] == has_one[1:] and sum(shown) >= 3


def test_it_needs_only_the_past_in_the_view() -> None:
    """A new one, given a view during a game, chooses the same action as the one that has played."""
    game, players = Game(4, 5), [load_policy("hat") for _ in range(4)]
    while not game.is_over:
        view = game.view(game.seat)
        answer = decide(players[game.seat], view)
        assert decide(load_policy("hat"), view) == answer
        game.play(answer)


@pytest.mark.parametrize(
    ("rules", "partner"), covering([*PRESETS, "suit", "short", "wild"], ["hat", "random"])
)
def test_it_plays_legally_by_all_rules_and_with_strangers(rules: str, partner: str) -> None:
    by = Rules.named(rules) if rules in PRESETS else Rules(multicolour=rules)
    for seed in range(6):
        players = 2 + seed % (2 if by.colors == 1 else 4)
        others = [load_policy(partner, seed=seat) for seat in range(1, players)]
        game = Game(players, seed, by)
        play_game([load_policy("hat"), *others], game)
        assert game.is_over
