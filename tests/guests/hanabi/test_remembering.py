"""The batch with a memory, `best` as a teacher in it, and networks that read it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.batch import STAY
from catan_env.guests.hanabi.policies import load_policy, remembering
from catan_env.guests.hanabi.policies.network import WEIGHTS, Network
from catan_env.guests.hanabi.record import deck_of
from catan_env.guests.hanabi.remembered import RememberingGame, remembered
from catan_env.guests.hanabi.remembering import RememberingBatch, best
from catan_env.guests.hanabi.rules import OFFICIAL

Array = np.ndarray[Any, Any]


def weights(players: int, chance: np.random.Generator) -> dict[str, Array]:
    """Small random weights."""
    made = remembering.shapes(OFFICIAL, players, local=8, hidden=16)
    return {name: chance.normal(0, 0.3, shape).astype(np.float16) for name, shape in made.items()}


def with_chance(batch: RememberingBatch, chance: np.random.Generator) -> Array:
    """The teacher's actions, and random ones in some games."""
    random = batch.sample_legal().copy()
    return np.where(chance.random(batch.num_games) < 0.2, random, batch.advice())


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_batch_remembers_and_the_teacher_chooses_what_each_seat_would(players: int) -> None:
    batch = RememberingBatch(3, players=players, seed=3, autoreset=False)
    games = [batch.game(i) for i in range(3)]
    tables = [[load_policy("best") for _ in range(players)] for _ in games]
    chance = np.random.default_rng(players)
    while (batch.masks != 0).any():
        taught, actions = best(batch, 2)[0], with_chance(batch, chance)
        for i, game in enumerate(games):
            if game.is_over:
                actions[i] = STAY
                assert taught[i].tolist() == [STAY, STAY]
                continue
            view = game.view(game.seat)
            assert (batch.observations[i] == remembered(view)).all()
            assert taught[i].tolist() == [tables[i][game.seat].act(view), STAY]
            game.play(int(actions[i]))
        batch.step(actions)
    shown = batch.observations.copy()
    batch.refresh()
    assert np.array_equal(shown, batch.observations)


def test_without_observations_the_games_and_the_advice_are_the_same() -> None:
    shown = RememberingBatch(4, players=3, seed=8)
    hidden = RememberingBatch(4, players=3, seed=8, observations=False)
    for _ in range(30):
        assert hidden.observations is None and (hidden.advice() == shown.advice()).all()
        shown.step(shown.advice())
        hidden.step(hidden.advice())
    assert np.array_equal(shown.states, hidden.states)


def test_a_new_game_has_no_memory() -> None:
    batch, fresh = RememberingBatch(2, players=2, seed=1), RememberingBatch(2, players=2, seed=1)
    for _ in range(300):
        batch.step(batch.advice())
        if batch.done.any():
            break
    ended = int(batch.done.argmax())
    fresh.begin(ended, int(batch.states["seed"][ended]))
    fresh.refresh()
    assert batch.done[ended] == 1
    assert np.array_equal(batch.observations[ended], fresh.observations[ended])


@pytest.mark.parametrize("again", ["begin", "reset", "deal"])
def test_a_game_that_is_broken_off_for_another_leaves_no_memory(again: str) -> None:
    batch, fresh = RememberingBatch(2, players=3, seed=1), RememberingBatch(2, players=3, seed=9)
    for _ in range(15):
        batch.step(batch.advice())
    if again == "begin":
        for i in range(2):
            batch.begin(i, int(fresh.seeds[i]))
        batch.refresh()
    elif again == "reset":
        batch.reset(9)
    else:
        batch.deal([deck_of(fresh.game(i)) for i in range(2)])
    assert np.array_equal(batch.observations, fresh.observations)
    assert np.array_equal(batch.pictures, fresh.pictures)


@pytest.mark.parametrize(
    "refused",
    [lambda batch: batch.reset(-5.5), lambda batch: batch.deal([]), lambda b: b.begin(2, 0)],
    ids=["reset", "deal", "begin"],
)
def test_refused_arguments_change_no_memory(refused: Any) -> None:
    batch = RememberingBatch(2, players=3, seed=2)
    for _ in range(6):
        batch.step(batch.advice())
    pictures = batch.pictures.tobytes()
    with pytest.raises((TypeError, ValueError)):
        refused(batch)
    assert batch.pictures.tobytes() == pictures


@pytest.mark.parametrize("shown", [True, False])
def test_every_seat_is_observed_with_its_memory(shown: bool) -> None:
    batch = RememberingBatch(2, players=3, seed=2, autoreset=False, observations=shown)
    games = [RememberingGame(3, deck=batch.deck(i)) for i in range(2)]
    while (batch.masks != 0).any():
        actions = np.where(batch.masks != 0, batch.advice(), STAY)
        for i, game in enumerate(games):
            if not game.is_over:
                game.play(int(actions[i]))
        batch.step(actions)
        for seat in range(3):
            wanted = np.array([game.observe(seat) for game in games])
            out = np.zeros_like(wanted)
            assert np.array_equal(batch.observe([seat] * 2, out), wanted) and out.any()
            assert all(np.array_equal(batch.observation(i, seat), wanted[i]) for i in range(2))
    assert batch.observation_size == 956


def test_refused_actions_and_stay_change_no_memory() -> None:
    batch = RememberingBatch(2, players=3, seed=2)
    batch.step(batch.advice())
    shown, pictures = batch.observations.copy(), batch.pictures.copy()
    illegal = int(np.flatnonzero(batch.action_masks[0] == 0)[0])
    batch.step(np.array([illegal, STAY]))
    assert batch.done.tolist() == [3, 0]
    assert np.array_equal(shown, batch.observations) and np.array_equal(pictures, batch.pictures)
    with pytest.raises(TypeError, match="plays only the actions"):
        batch.play_others(np.zeros(2, np.int8))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_column_of_the_input_is_used_once(players: int) -> None:
    order = remembering.tables(OFFICIAL, players)["order"].tolist()
    assert sorted(order) == list(range(RememberingBatch(1, players=players).observations.shape[1]))


@pytest.mark.parametrize("players", [2, 3])
def test_a_saved_network_plays_as_the_trained_one(players: int, tmp_path: Path) -> None:
    made = weights(players, np.random.default_rng(1))
    remembering.save(tmp_path / "some.npz", made, OFFICIAL, players)
    network = Network(tmp_path / "some.npz")
    batch = RememberingBatch(4, players=players, seed=1)
    known = remembering.tables(OFFICIAL, players)
    full = {name: array.astype(np.float32) for name, array in made.items()}
    game = batch.game(0)
    while not game.is_over:
        inputs = remembering.facts(batch.observations.astype(np.float32), known, np.concatenate)
        logits = remembering.outputs(full, inputs, known, np.concatenate)[0]
        chosen = np.where(batch.action_masks == 1, logits, -np.inf).argmax(axis=1)
        assert network.act(game.view(game.seat)) == chosen[0]
        game.play(int(chosen[0]))
        batch.step(chosen)


def test_a_network_is_refused_at_another_table(tmp_path: Path) -> None:
    made = weights(2, np.random.default_rng(2))
    remembering.save(tmp_path / "two.npz", made, OFFICIAL, 2)
    with pytest.raises(ValueError, match="993 bits; those of this table have 1421"):
        Network(tmp_path / "two.npz").act(Game(3).view(0))


def test_every_colour_is_treated_equally() -> None:
    """Colours of the input exchanged exchange the outputs of their hints, and nothing else."""
    made = weights(2, np.random.default_rng(3))
    full = {name: array.astype(np.float32) for name, array in made.items()}
    known = remembering.tables(OFFICIAL, 2)
    batch, (first, second, *_), hints = (
        RememberingBatch(8, players=2, seed=4),
        *[remembering.columns(OFFICIAL, 2)[0]],
        slice(10, 15),
    )
    for _ in range(12):
        batch.step(batch.advice())
    exchanged = batch.observations.copy()
    exchanged[:, first], exchanged[:, second] = (
        batch.observations[:, second],
        batch.observations[:, first],
    )
    found = [
        remembering.outputs(
            full, remembering.facts(shown.astype(np.float32), known, np.concatenate),
            known, np.concatenate,
        )[0]
        for shown in (batch.observations, exchanged)
    ]  # fmt: skip
    wanted = found[0].copy()
    wanted[:, hints] = wanted[:, hints][:, [1, 0, 2, 3, 4]]
    assert np.allclose(found[1], wanted, atol=1e-4)


@pytest.mark.parametrize(("players", "least"), [(2, 22.0), (3, 20.3), (4, 19.6), (5, 17.5)])
def test_the_shipped_networks_score_what_their_cards_say(players: int, least: float) -> None:
    network = Network(WEIGHTS / f"memory_{players}.npz")
    batch = RememberingBatch(200, players=players, seed=77, autoreset=False)
    while (batch.masks != 0).any():
        outputs = network.outputs(batch.observations, OFFICIAL, players)
        actions = np.where(batch.action_masks != 0, outputs, -np.inf).argmax(axis=1)
        batch.step(np.where(batch.masks != 0, actions, STAY))
    assert batch.score.mean() > least


def test_the_policy_by_name_is_the_network_for_the_table() -> None:
    shipped = load_policy("network")
    for players in (3, 2):
        view = Game(players, seed=3).view(0)
        network = Network(WEIGHTS / f"memory_{players}.npz")
        assert shipped.act(view) == network.act(view)
