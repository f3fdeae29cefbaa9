"""The observation says what the game says, under the names of its layout."""

from math import prod

import numpy as np
import pytest

from catan_env import OBSERVATION_SIZE, Game, Phase, named_observation
from catan_env.core.observation import LAYOUT
from tests.properties.settings import SETTINGS, game_number, name_of, play_out

PIPS = {0: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


def expected(game: Game, viewer: int) -> dict[str, np.ndarray]:
    """An observation put together from what a Game answers."""
    named = {field.name: np.zeros(field.shape, np.int8) for field in LAYOUT}
    for tile, (terrain, token) in enumerate(game.board.tiles):
        named["terrain"][tile, terrain] = 1
        named["token"][tile], named["pips"][tile] = token, PIPS[token]
    named["robber"][game.robber] = 1
    for k, (vertices, resource, rate) in enumerate(game.board.harbours):
        named["harbour_kind"][k, 5 if resource is None else resource] = 1
        named["harbour_rate"][k], named["harbour_vertices"][k] = rate, vertices
    for name in ("bank", "deck_size", "roll", "card_played", "free_roads"):
        named[name][:] = getattr(game, name)
    for name in ("hand", "cards", "new_cards"):
        named[name][:] = getattr(game, name)(viewer)
    named["turn"][:] = min(game.turn, 127)
    named["own_points"][:] = game.points(viewer)
    named["phase"][game.phase] = 1
    rules = game.rules
    named["rules"][:] = rules.chosen_discards, rules.win_at_once, rules.free_roads_at_once
    for step in range(game.seats):
        seat = (viewer + step) % game.seats
        expect_seat(named, game, seat, step)
    named["placed"][:] = sum(
        event.action.kind.name == "SETTLEMENT" for event in game.events[: 4 * game.seats]
    )
    made = offers_this_turn(game)
    if rules.player_trade:
        named["offers_left"][:] = rules.offers_per_turn - made
    if game.offer is not None:
        named["offer_give"][:], named["offer_get"][:] = game.offer.give, game.offer.get
    return named


def expect_seat(named: dict[str, np.ndarray], game: Game, seat: int, step: int) -> None:
    named["buildings"][step, list(game.settlements(seat))] = 1
    named["buildings"][step, list(game.cities(seat))] = 2
    named["roads"][step, list(game.roads(seat))] = 1
    if step:
        named["known"][step - 1] = game.known(seat)
    named["hand_size"][step] = game.hand_size(seat)
    named["rates"][step] = game.trade_rates(seat)
    named["card_count"][step] = game.card_count(seat)
    named["played"][step] = game.played(seat)
    named["points"][step] = game.points(seat, hidden=False)
    named["pieces"][step] = game.pieces(seat)
    named["road_length"][step] = game.road_length(seat)
    named["longest_road"][step] = game.longest_road_seat == seat
    named["largest_army"][step] = game.largest_army_seat == seat
    named["playing"][step] = 1
    named["turn_seat"][step] = game.turn_seat == seat
    named["decides"][step] = game.seat == seat
    named["owed"][step] = game.owes(seat)
    named["offer_to"][step] = game.offer is not None and game.offer.to == seat


def offers_this_turn(game: Game) -> int:
    made = 0
    for event in reversed(game.events):
        if event.action.kind.name == "END_TURN" and event.winner is None:
            break
        made += event.action.kind.name == "OFFER"
    return made


@pytest.mark.parametrize("kind", range(len(SETTINGS)), ids=lambda kind: str(SETTINGS[kind]))
def test_an_observation_says_what_the_game_says(kind: int) -> None:
    game = game_number(kind)
    phases = set()
    for step, _ in enumerate(play_out(game, kind)):
        if step % 20 and game.phase in phases and not game.is_over:
            continue
        phases.add(game.phase)
        for seat in range(game.seats):
            named, wanted = named_observation(game.observe(seat)), expected(game, seat)
            differing = [name for name in wanted if not np.array_equal(named[name], wanted[name])]
            assert not differing, f"{name_of(kind)}, step {step}, seat {seat}"
    assert Phase.OVER in phases and Phase.MAIN in phases


def test_the_named_fields_cover_the_vector_each_place_once() -> None:
    vector = np.arange(OBSERVATION_SIZE)
    named = named_observation(vector)
    assert list(named) == [field.name for field in LAYOUT]
    assert [named[field.name].shape for field in LAYOUT] == [field.shape for field in LAYOUT]
    assert np.array_equal(np.concatenate([part.ravel() for part in named.values()]), vector)
    assert sum(prod(field.shape) for field in LAYOUT) == OBSERVATION_SIZE


def test_the_named_fields_are_views_of_a_whole_batch() -> None:
    batch = np.zeros((2, 3, OBSERVATION_SIZE), np.int8)
    named_observation(batch)["pieces"][1, 2, 3, 0] = 7
    assert batch.sum() == 7


@pytest.mark.parametrize("shape", [(), (OBSERVATION_SIZE - 1,), (OBSERVATION_SIZE, 2)])
def test_an_array_of_another_size_is_no_observation(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="last axis"):
        named_observation(np.zeros(shape, np.int8))
