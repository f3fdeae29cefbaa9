"""Search: honest, in consistent worlds, reproducible, and in time."""

import os
import subprocess
import sys
from collections import Counter
from math import comb, inf, sqrt
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from catan_env import Board, Game
from catan_env.core.constants import DECK
from catan_env.core.state import doorway
from catan_env.game.observation import NUM_ACTIONS, OBSERVATION_SIZE
from catan_env.kernel.jit import JIT, MACHINE_CODE
from catan_env.kernel.memory import copy_of
from catan_env.policies.greedy import Greedy
from catan_env.policies.network import Network, save
from catan_env.policies.network.shipped import network_for
from catan_env.policies.search import Search, playouts
from catan_env.policies.search import search as module
from catan_env.policies.search.guided import Guided
from catan_env.policies.search.search import CANDIDATES, PRIOR, Trial
from catan_env.policy import decide, load_policy
from tests.policies.presets import PRESETS

ROOT = Path(__file__).resolve().parents[2]


def games_under_way(seats=3, moves=(0, 5, 30, 90, 150), seed=4):
    """Positions of one game between fast policies, in which a seat has several choices."""
    policies = [load_policy("greedy", k) for k in range(seats)]
    game = Game(seats=seats, seed=seed)
    for k in range(max(moves) + 40):
        if game.is_over:
            return
        view = game.view(game.seat)
        if any(0 <= k - move < 3 for move in moves) and len(view.legal_actions) > 1:
            yield game.copy()
        game.play(decide(policies[game.seat], view))


def world_of(view, number):
    """A world dealt from a view."""
    states = copy_of(view._array)
    playouts.deal(doorway(states), 0, number)
    return states[0]


def test_a_world_agrees_with_all_that_is_known():
    for game in games_under_way():
        view = game.view(game.seat)
        known = view._array[0]
        for number in range(5):
            world = world_of(view, number)
            assert (world["hand"].sum(axis=1) == known["hand_size"]).all()
            assert (world["hand"] >= known["known"]).all()
            assert (world["hand"].sum(axis=0) + world["bank"] == 19).all()
            assert (world["hand"][view.viewer] == known["hand"][view.viewer]).all()
            assert (world["cards"].sum(axis=1) == known["card_count"]).all()
            assert (world["cards"][view.viewer] == known["cards"][view.viewer]).all()
            played = np.append(world["played"].sum(axis=0), 0)
            assert (world["cards"].sum(axis=0) + world["deck"] + played == DECK).all()
            assert world["deck"].sum() == known["deck_size"]
            for name in ("settlements", "cities", "roads", "robber", "points", "phase", "mask"):
                assert (world[name] == known[name]).all()


def test_worlds_differ_where_something_is_hidden():
    *_, game = games_under_way()
    view = game.view(game.seat)
    assert len({world_of(view, number).tobytes() for number in range(8)}) > 1


def test_no_seat_is_dealt_points_that_would_have_won():
    for game in games_under_way(seats=2, moves=(120, 150), seed=9):
        view = game.view(game.seat)
        other = 1 - view.viewer
        view._array["points"][0, other] = 9
        for number in range(20):
            assert world_of(view, number)["cards"][other, 4] == 0


def test_a_development_card_is_not_played_in_the_turn_it_was_bought_in_any_world():
    """C136: another seat knows how many were bought, not which."""
    seats, bought, positions = 4, 0, 0
    policies = [load_policy("greedy", k) for k in range(seats)]
    game = Game(seats=seats, seed=3)
    while not game.is_over and positions < 40:
        game.play(policies[game.seat].act(game.view(game.seat)))
        fresh = sum(game.new_cards(game.turn_seat))
        view = game.view((game.turn_seat + 1) % seats)
        if not fresh:
            assert not world_of(view, 0)["new_cards"].any()
            continue
        positions, bought = positions + 1, max(bought, fresh)
        worlds = [world_of(view, number) for number in range(6)]
        for world in worlds:
            assert world["new_cards"].sum() == fresh
            assert (world["new_cards"] <= world["cards"][view.turn_seat]).all()
        assert not world_of(game.view(game.turn_seat), 0)["new_cards"].any() or fresh
    assert bought and positions


def test_victory_points_are_dealt_as_if_every_allowed_deal_were_equally_likely():
    """Seats 1 and 2 hold two cards each, and five of the eleven unseen ones are victory points."""
    game = Game.from_position(
        board=Board.beginner(), seats=3, settlements={0: [10], 1: [30], 2: [50]},
        cards={0: [10, 0, 2, 2, 0], 1: [2, 0, 0, 0, 0], 2: [2, 0, 0, 0, 0]}, played={},
    )  # fmt: skip
    view = game.view(0)
    view._array["points"][0, 1:3] = 8, 9
    dealt = Counter(
        tuple(world_of(view, number)["cards"][1:3, 4].tolist()) for number in range(4000)
    )
    ways = {(0, 0): comb(6, 2) * comb(4, 2), (1, 0): 5 * 6 * comb(5, 2)}
    assert set(dealt) == set(ways)
    for deal, number in ways.items():
        share = number / sum(ways.values())
        assert abs(dealt[deal] / 4000 - share) < 4 * sqrt(share * (1 - share) / 4000)


def test_a_world_has_a_deck_only_under_rules_with_development_cards():
    for name in PRESETS:
        game = Game(seats=2, seed=4, rules=name)
        view = game.view(game.seat)
        world = world_of(view, 0)
        assert world["deck_size"] == world["deck"].sum() == view.deck_size
        assert (view.deck_size > 0) == game.rules.development_cards


def test_a_deck_that_is_bought_out_stays_empty():
    game = Game(seats=2, seed=4)
    game._array["deck"] = game._array["deck_size"] = 0
    game._array["cards"][0, 0], game._array["card_count"][0, 0] = DECK, sum(DECK)
    world = world_of(game.view(0), 0)
    assert world["deck_size"] == world["deck"].sum() == 0


def hide_otherwise(game, seat):
    """The same game for `seat`, with other hidden cards and another future."""
    other = game.copy()
    states = copy_of(game.view(seat)._array)
    playouts.deal(doorway(states), 0, 12345)
    for name in ("hand", "cards", "deck", "seed"):
        other._array[name] = states[name]
    return other


HONEST = [Search(seed=5, playouts=40), Guided(seed=5, playouts=40), load_policy("greedy")]


@pytest.mark.parametrize("policy", HONEST)
def test_hidden_information_changes_no_answer(policy):
    for game in games_under_way():
        seat = game.seat
        assert policy.act(game.view(seat)) == policy.act(hide_otherwise(game, seat).view(seat))


def test_the_same_seed_and_number_of_playouts_give_the_same_answer():
    for game in games_under_way(seats=2):
        view = game.view(game.seat)
        first = Search(seed=1, playouts=50).act(view)
        assert view.action_mask[first] == 1
        assert Search(seed=1, playouts=50).act(view) == first


class TickingClock:
    """A clock that advances by a millisecond per reading."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 0.001
        return self.now


def test_thinking_ends_in_time(monkeypatch):
    search = Search(seconds=0.05)
    for game in games_under_way():
        clock = TickingClock()
        monkeypatch.setattr(module, "perf_counter", clock)
        search.act(game.view(game.seat))
        assert clock.now < 0.06


def test_a_world_without_time_to_finish_does_not_count():
    for game in games_under_way():
        search, view = Search(), game.view(game.seat)
        trial, whole = Trial(search, view), Trial(search, view)
        before = trial._sums.tobytes()
        assert not trial.play_once(until=perf_counter() - 1)
        assert trial.played == 0 and trial._sums.tobytes() == before
        assert trial.play_once(until=inf)
        whole.play(1)
        assert trial.played == whole.played == len(trial.candidates)
        assert trial._sums.tobytes() == whole._sums.tobytes()


def count_what_needs_no_playout(seats: int) -> int:
    """The number of a search's decisions without a playout; after a duel's set-up as greedy's."""
    search, greedy, count = Search(), Greedy(), 0
    Trial._try = None  # a playout would raise a TypeError
    for game in games_under_way(seats):
        view = game.view(game.seat)
        rated = Trial(search, view).candidates[0]
        assert search.act(view) == rated
        placed = seats == 2 and search.set_up_at(view) is None
        assert rated == greedy.act(view) or not placed
        count += 1
    return count


@pytest.mark.parametrize("seats", [2, 4])
def test_with_an_interpreted_engine_a_short_search_plays_the_move_rated_best(seats):
    """One world would take seconds there."""
    code = "from tests.policies import test_search as t; "
    code += f"print(t.count_what_needs_no_playout({seats}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"CATAN_ENV_ENGINE": "python"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert int(done.stdout) > 5


@pytest.mark.parametrize("seat", [0, 1])
def test_a_city_that_wins_is_built(seat):
    """Its value is the value for the seat that builds it."""
    from catan_env import Board

    game = Game.from_position(
        board=Board.beginner(),
        seats=2,
        turn_seat=seat,
        cities={seat: [0, 2, 4]},
        settlements={seat: [8, 11, 14], 1 - seat: [18]},
        hands={seat: (0, 2, 0, 3, 0)},
    )
    assert game.points(seat) == 9
    trial = Trial(Search(seed=1), game.view(seat))
    trial.play(20)
    shares = trial._sums / (20 + PRIOR)
    assert shares.max() > 0.9 and shares.min() > 0.5
    game.play(Search(seed=1, playouts=60).act(game.view(seat)))
    assert game.winner == seat


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"playouts": 0}])
def test_a_search_without_time_or_playouts_is_refused(wrong):
    with pytest.raises(ValueError):
        Search(**wrong)


@pytest.mark.parametrize("kind", [Search, Guided])
def test_the_old_name_of_playouts_warns(kind):
    with pytest.warns(DeprecationWarning, match="nodes is now playouts") as caught:
        search = kind(nodes=40)
        search.nodes += 2
    assert {warning.filename for warning in caught} == {__file__}
    assert len(caught) == 3 and search.playouts == 42
    with pytest.raises(TypeError, match="nodes is now playouts: give one of them"):
        kind(playouts=40, nodes=40)


def test_the_arguments_of_a_search_keep_their_order():
    search, guided = Search(1, 0.5, 40), Guided(1, 0.5, 40, None)
    assert (search.seconds, search.playouts) == (guided.seconds, guided.playouts) == (0.5, 40)


LOADED = """
from catan_env.policies.rerank import doors as rerank
from catan_env.policies.search import Search
from catan_env.policies.search import placements, playouts, reranked
from catan_env.policies.set_up import doors as set_up
from catan_env.policies.value import doors
Search()
tried = playouts.try_candidates, reranked.try_reranked, placements.try_placements
doors = doors.rank_actions, rerank.rate_siblings, set_up.rate_placements, *tried
print([len(door.signatures) for door in doors])
"""


@pytest.mark.skipif(not JIT, reason="machine code of the package is loaded at once")
def test_a_search_is_loaded_before_its_first_decision():
    done = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[1, 1, 1, 1, 1, 1]\n", done.stderr


def test_guided_search_tries_its_networks_best_moves(tmp_path):
    generator = np.random.default_rng(3)
    layers = [(generator.normal(size=(OBSERVATION_SIZE, NUM_ACTIONS)), np.zeros(NUM_ACTIONS))]
    save(tmp_path / "any.npz", layers)
    network, search = (
        Network(tmp_path / "any.npz"),
        Guided(1, playouts=30, weights=tmp_path / "any.npz"),
    )
    for game in games_under_way():
        view = game.view(game.seat)
        moves, values = search.candidates(view)
        outputs = np.where(view.action_mask == 1, network.outputs(view.observation[None])[0], -inf)
        liked = np.argsort(-outputs)[: min(CANDIDATES, int(view.action_mask.sum()))]
        assert sorted(moves.tolist()) == sorted(liked.tolist())
        assert (np.diff(values) <= 0).all()
        assert search.act(view) in liked
        assert search.act(view) == Guided(1, playouts=30, weights=tmp_path / "any.npz").act(view)


@pytest.mark.parametrize(("seats", "rules"), [(2, "duel"), (3, "base")])
def test_guided_search_takes_the_shipped_network_of_its_table(seats, rules):
    view = Game(seats=seats, rules=rules, seed=3).view(0)
    outputs = network_for(view).outputs(view.observation[None])[0]
    best = np.argmax(np.where(view.action_mask == 1, outputs, -inf))
    assert best in Guided(seed=2, playouts=6).candidates(view)[0]


@pytest.mark.skipif(not MACHINE_CODE, reason="the interpreted engine plays out too slowly")
def test_candidates_are_compared_with_the_same_dice():
    """Over two rounds their difference varies by 0.15 of what it would if they were independent.

    With other dice for each candidate, in the same dealt worlds, it was 0.32.
    """
    shares = []
    for game in games_under_way(seats=4, moves=(40, 90, 150, 200)):
        view = game.view(game.seat)
        moves = Search(1, playouts=1).valued(view)[0][:4]
        results = np.array([results_in(view, moves, world) for world in range(60)])
        apart = (results[:, 1:] - results[:, :1]).var(axis=0)
        shares += list(apart / (results[:, 1:].var(axis=0) + results[:, 0].var()))
    assert np.mean(shares) < 0.25


def results_in(view, moves, world):
    """The result of a playout of each move in one world."""
    trial = Trial(Search(1, playouts=1), view)
    sums = np.zeros(len(moves))
    trial._tried, trial._turns = world, 2 * view.seats
    trial._try(moves, sums, 1)
    return sums
