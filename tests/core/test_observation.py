"""The observation agrees with the game, field by field."""

import numpy as np
import pytest

from catan_env import Game, named_observation
from tests.covering import covering

PIPS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


def expected(game: Game, viewer: int) -> dict[str, np.ndarray]:
    """The fields of the observation, read from the game one by one."""
    order = [(viewer + step) % game.seats for step in range(game.seats)]
    absent = 4 - game.seats

    def one_hot(size: int, k: int | None) -> list[int]:
        return [int(j == k) for j in range(size)]

    def by_seat(values: list) -> np.ndarray:
        rows = np.array(values)
        return np.concatenate([rows, np.zeros((absent, *rows.shape[1:]), int)])

    def at(seat: int | None) -> list[int]:
        return one_hot(4, None if seat is None else order.index(seat))

    tiles, harbours = game.board.tiles, game.board.harbours
    offer = game.offer
    fields = {
        "terrain": [one_hot(6, tile.terrain) for tile in tiles],
        "token": [tile.token for tile in tiles],
        "pips": [PIPS.get(tile.token, 0) for tile in tiles],
        "robber": one_hot(19, game.robber),
        "harbour_kind": [one_hot(6, 5 if h.resource is None else h.resource) for h in harbours],
        "harbour_rate": [h.rate for h in harbours],
        "harbour_vertices": [h.vertices for h in harbours],
        "buildings": by_seat(
            [
                [(v in game.settlements(s)) + 2 * (v in game.cities(s)) for v in range(54)]
                for s in order
            ]
        ),
        "roads": by_seat([[e in game.roads(s) for e in range(72)] for s in order]),
        "bank": game.bank,
        "hand": game.hand(viewer),
        "known": by_seat([game.known(s) for s in order])[1:],
        "hand_size": by_seat([game.hand_size(s) for s in order]),
        "rates": by_seat([game.trade_rates(s) for s in order]),
        "cards": game.cards(viewer),
        "new_cards": game.new_cards(viewer),
        "card_count": by_seat([game.card_count(s) for s in order]),
        "played": by_seat([game.played(s) for s in order]),
        "deck_size": [game.deck_size],
        "points": by_seat([game.points(s, hidden=False) for s in order]),
        "own_points": [game.points(viewer)],
        "pieces": by_seat([game.pieces(s) for s in order]),
        "road_length": by_seat([game.road_length(s) for s in order]),
        "longest_road": at(game.longest_road_seat),
        "largest_army": at(game.largest_army_seat),
        "playing": by_seat([game.is_playing(s) for s in order]),
        "phase": one_hot(9, game.phase),
        "turn_seat": at(game.turn_seat),
        "decides": at(game.seat),
        "turn": [min(game.turn, 127)],
        "roll": [game.roll],
        "card_played": [game.card_played],
        "free_roads": [game.free_roads],
        "owed": by_seat([game.owes(s) for s in order]),
        "offer_to": at(offer and offer.to),
        "offer_give": offer.give if offer else (0,) * 5,
        "offer_get": offer.get if offer else (0,) * 5,
        "rules": [
            game.rules.chosen_discards,
            game.rules.win_at_once,
            game.rules.free_roads_at_once,
        ],
    }
    return {name: np.array(value, dtype=int) for name, value in fields.items()}


@pytest.mark.parametrize(("seats", "rules"), covering([2, 3, 4], ["base", "tournament"]))
def test_an_observation_holds_what_its_seat_can_see(seats: int, rules: str) -> None:
    rng = np.random.default_rng(seats)
    for seed in range(4):
        game = Game(seats=seats, seed=seed, rules=rules)
        while not game.is_over and game.turn < 120:
            game.play(int(rng.choice(game.legal_actions.indices)))
            if rng.random() < 0.1:
                viewer = int(rng.integers(seats))
                named = named_observation(game.observe(viewer))
                for name, value in expected(game, viewer).items():
                    assert np.array_equal(named[name], value), (seed, game.turn, name)
