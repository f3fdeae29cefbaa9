"""`hle.rl_env` shows what the Hanabi Learning Environment's `rl_env` shows, key by key."""

import importlib.util
import random
from collections import Counter
from typing import Any

import pytest

from catan_env.guests.hanabi import Card
from catan_env.guests.hanabi.action import all_actions
from catan_env.guests.hanabi.cards import LETTERS
from catan_env.guests.hanabi.hle import rl_env
from catan_env.guests.hanabi.hle.moves import from_move, to_move
from catan_env.guests.hanabi.observation import sections

LIBRARY = "hanabi_learning_environment"
needs_library = pytest.mark.skipif(
    importlib.util.find_spec(LIBRARY) is None, reason=f"{LIBRARY} is not installed"
)


class Cautious(rl_env.Agent):
    """An agent written for the library: plays hinted cards, hints cards that can be placed."""

    def __init__(self, config: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        self.most_tokens = config.get("max_information_tokens", 8)

    def act(self, observation: dict[str, Any]) -> dict[str, Any] | None:
        if observation["current_player_offset"] != 0:
            return None
        for place, hint in enumerate(observation["card_knowledge"][0]):
            if hint["color"] is not None or hint["rank"] is not None:
                return {"action_type": "PLAY", "card_index": place}
        fireworks = observation["fireworks"]
        for offset in range(1, observation["num_players"]):
            for card in observation["observed_hands"][offset]:
                if observation["information_tokens"] and card["rank"] == fireworks[card["color"]]:
                    return {
                        "action_type": "REVEAL_COLOR",
                        "color": card["color"],
                        "target_offset": offset,
                    }
        is_full = observation["information_tokens"] == self.most_tokens
        return {"action_type": "PLAY" if is_full else "DISCARD", "card_index": 0}


@pytest.mark.parametrize("players", [2, 5])
def test_an_agent_for_the_library_plays_whole_games(players: int) -> None:
    environment = rl_env.make("Hanabi-Full", num_players=players)
    agents = [Cautious({}) for _ in range(players)]
    for _ in range(3):
        observations, done, total = environment.reset(), False, 0
        while not done:
            for player, agent in enumerate(agents):
                move = agent.act(observations["player_observations"][player])
                assert (move is not None) == (player == observations["current_player"])
                if move is not None:
                    chosen = move
            observations, reward, done, info = environment.step(chosen)
            total += reward
        assert total == environment.state.score and info == {}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_move_has_a_dictionary(players: int) -> None:
    environment = rl_env.make(num_players=players)
    actions = all_actions(environment.rules, players)
    assert [from_move(to_move(action)) for action in actions] == list(actions)
    assert environment.num_moves() == len(actions)


def test_illegal_moves_and_unknown_names_are_refused() -> None:
    environment = rl_env.HanabiEnv({"players": 2, "seed": 1})
    environment.reset()
    for move in ({"action_type": "DISCARD", "card_index": 0}, {"action_type": "DEAL"}, 99):
        with pytest.raises(AssertionError):
            environment.step(move)
    with pytest.raises(ValueError, match="Hanabi-Huge"):
        rl_env.make("Hanabi-Huge")
    with pytest.raises(ValueError, match="colours"):
        rl_env.HanabiEnv({"colours": 3})


def test_a_seed_gives_one_sequence_of_games_and_any_player_may_start() -> None:
    config = {"players": 4, "seed": 9, "random_start_player": True}
    one, other = rl_env.HanabiEnv(config), rl_env.HanabiEnv(config)
    first = [one.reset() for _ in range(20)]
    assert len({shown["current_player"] for shown in first}) > 1
    for shown in first:
        again = other.reset()
        assert again["current_player"] == shown["current_player"]
        for player, seen in enumerate(again["player_observations"]):
            assert seen["vectorized"] == shown["player_observations"][player]["vectorized"]
            assert (seen["current_player_offset"] == 0) == (player == again["current_player"])


def test_with_sad_the_vector_ends_with_the_greedy_action() -> None:
    plain = rl_env.HanabiEnv({"players": 2, "seed": 4})
    sad = rl_env.HanabiEnv({"players": 2, "seed": 4, "sad": True})
    plain.reset()
    shown = sad.reset()
    place = sections(plain.rules, 2)["last_action"]
    size = plain.vectorized_observation_shape()[0]
    assert sad.vectorized_observation_shape() == [size + place.stop - place.start]
    assert not any(shown["player_observations"][1]["vectorized"][size:])
    shown, _, _, _ = sad.step(5, greedy_action=6)
    greedy, _, _, _ = plain.step(6)
    for seen, wanted in zip(
        shown["player_observations"], greedy["player_observations"], strict=True
    ):
        assert seen["vectorized"][size:] == wanted["vectorized"][place]
    shown, _, _, _ = sad.step(5)
    seen = shown["player_observations"][0]["vectorized"]
    assert seen[size:] == seen[place], "without a greedy action it is the one that was played"


def test_with_other_play_players_see_other_colours() -> None:
    environment = rl_env.HanabiEnv({"players": 3, "seed": 2, "other_play": True})
    shown = environment.reset()["player_observations"]
    assert shown[0]["observed_hands"][2] != shown[1]["observed_hands"][1]
    ranks = [[card["rank"] for card in shown[a]["observed_hands"][b]] for a, b in ((0, 2), (1, 1))]
    assert ranks[0] == ranks[1]


def deck_of(environment: Any, hands: list[Any], seat: int, move: int, size: int) -> list[Card]:
    """The card that the library has drawn after a move."""
    after = environment.state.player_hands()
    if move < 2 * size and len(after[seat]) == len(hands[seat]):
        card = after[seat][-1]
        return [Card(card.color(), card.rank() + 1)]
    return []


def library_game(config: dict[str, Any], seed: int) -> tuple[list[Card], list[Any], list[int]]:
    """A random game there: the cards in the order of drawing, all that it returns, the moves."""
    library = importlib.import_module(f"{LIBRARY}.rl_env")
    environment, chance = library.HanabiEnv({**config, "seed": seed}), random.Random(seed)
    shown, done, steps, moves = environment.reset(), False, [], []
    hands = environment.state.player_hands()
    deck = [Card(card.color(), card.rank() + 1) for hand in hands for card in hand]
    steps.append((shown, 0, False))
    while not done:
        seat = environment.state.cur_player()
        legal = shown["player_observations"][seat]["legal_moves_as_int"]
        tops, size = environment.state.fireworks(), len(hands[0])
        bad = {size + k for k, card in enumerate(hands[seat]) if tops[card.color()] != card.rank()}
        moves.append(chance.choice([k for k in legal if k not in bad] or legal))
        shown, reward, done, _ = environment.step(moves[-1])
        deck += deck_of(environment, hands, seat, moves[-1], size)
        hands = environment.state.player_hands()
        steps.append((shown, reward, done))
    return deck, steps, moves


def without_object(shown: dict[str, Any]) -> dict[str, Any]:
    seen = [
        {k: v for k, v in one.items() if k != "pyhanabi"} for one in shown["player_observations"]
    ]
    return {**shown, "player_observations": seen}


@needs_library
@pytest.mark.parametrize("observation_type", [0, 1])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_dictionaries_are_those_of_the_library(
    players: int, observation_type: int, games: int
) -> None:
    config = {"players": players, "colors": 5, "ranks": 5, "observation_type": observation_type}
    for seed in range(max(1, games // 2000)):
        deck, steps, moves = library_game(config, 100 * players + seed)
        environment = rl_env.HanabiEnv(config)
        rest = (Counter(environment.rules.box) - Counter(deck)).elements()
        ours = [(environment.reset([*deck, *rest]), 0, False)]
        for k, move in enumerate(moves):
            seat = environment.state.seat
            shown = ours[-1][0]["player_observations"][seat]
            named = shown["legal_moves"][shown["legal_moves_as_int"].index(move)]
            ours.append(environment.step(named if k % 2 else move)[:3])
        for (mine, reward, done), (theirs, their_reward, was_done) in zip(ours, steps, strict=True):
            assert (reward, done) == (their_reward, was_done)
            assert without_object(mine) == without_object(theirs)


@needs_library
@pytest.mark.parametrize("name", rl_env.CONFIGS)
def test_named_environments_have_the_sizes_of_the_library(name: str) -> None:
    library = importlib.import_module(f"{LIBRARY}.rl_env")
    mine, theirs = rl_env.make(name, 2), library.make(name, 2)
    assert mine.vectorized_observation_shape() == theirs.vectorized_observation_shape()
    assert mine.num_moves() == theirs.num_moves()
    assert len(LETTERS) >= theirs.game.num_colors()
