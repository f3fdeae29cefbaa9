"""The promises of the Gymnasium environment of one seat."""

import copy
import pickle
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from catan_env.failure import PolicyError
from tests.adapters.games import GAMES, GameUnderTest, action_of, illegal_in


def played(environment: Any, seed: int = 5) -> tuple[list[float], tuple[Any, ...]]:
    """The rewards of a random episode, and its last step."""
    environment.reset(seed=seed)
    chance, rewards = np.random.default_rng(seed), []
    while True:
        step = environment.step(action_of(environment.action_masks(), chance))
        rewards.append(step[1])
        if step[2] or step[3]:
            return rewards, step


def refused(environment: Any, seed: int = 5) -> tuple[Any, ...]:
    """The step of an illegal action, as the first of an episode."""
    environment.reset(seed=seed)
    return environment.step(illegal_in(environment.action_masks()))


def test_nothing_is_played_before_a_reset_or_after_an_end(game: GameUnderTest) -> None:
    environment = game.made("one")
    with pytest.raises(ResetNeeded):
        environment.step(0)
    played(environment)
    with pytest.raises(ResetNeeded):
        environment.step(0)
    refused(environment)
    with pytest.raises(ResetNeeded):
        environment.step(0)


def test_nothing_can_be_seen_of_a_game_before_a_reset(game: GameUnderTest) -> None:
    environment = game.made("one")
    assert not environment.action_masks().any()
    for seen in (
        lambda: environment.seat, lambda: environment.game, environment.view, environment.render
    ):  # fmt: skip
        with pytest.raises(ResetNeeded, match=r"no episode has begun: call reset\(\)"):
            seen()
    environment.reset(seed=1)
    assert environment.seat in range(environment.options.num_seats) and environment.view()


@pytest.mark.parametrize("action", ["3", 1.0, None, True, [1], np.array([1, 2])], ids=str)
def test_an_action_is_an_integer(game: GameUnderTest, action: Any) -> None:
    environment = game.made("one")
    environment.reset(seed=1)
    before = environment.action_masks()
    with pytest.raises(TypeError, match="an action is one integer"):
        environment.step(action)
    assert (environment.action_masks() == before).all()
    environment.step(np.int64(np.flatnonzero(before)[0]))


def test_the_info_of_an_end_has_its_reason_and_the_mask_is_zero(game: GameUnderTest) -> None:
    environment = game.made("one")
    _, (observation, _, terminated, truncated, info) = played(environment)
    assert terminated and not truncated and isinstance(info["reason"], str)
    assert not observation["action_mask"].any() and not environment.action_masks().any()


def test_an_illegal_action_makes_the_episode_worth_minus_one(game: GameUnderTest) -> None:
    environment = game.made("one")
    observation, reward, terminated, truncated, info = refused(environment)
    assert (terminated, truncated) == (True, False)
    assert reward + 0.0 == -1.0 or environment.options.is_paid_on_the_way
    assert info["reason"].startswith("illegal action: ") and "ignored" not in info
    assert not observation["action_mask"].any() and not environment.action_masks().any()


def test_an_illegal_action_takes_back_earlier_rewards(game: GameUnderTest) -> None:
    environment = game.made("one")
    environment.reset(seed=3)
    chance, total = np.random.default_rng(1), 0.0
    for _ in range(4):
        _, reward, ended, cut, _ = environment.step(action_of(environment.action_masks(), chance))
        if ended or cut:
            return
        total += reward
    _, reward, _, _, _ = environment.step(illegal_in(environment.action_masks()))
    assert total + reward == pytest.approx(-1.0)


def test_an_illegal_action_can_be_ignored(game: GameUnderTest) -> None:
    environment = game.made("one", illegal="ignore")
    environment.reset(seed=5)
    before = environment.action_masks()
    _, reward, terminated, truncated, info = environment.step(illegal_in(before))
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert isinstance(info["ignored"], str) and "reason" not in info
    assert (environment.action_masks() == before).all()


def test_an_illegal_action_can_be_raised(game: GameUnderTest) -> None:
    environment = game.made("one", illegal="raise")
    environment.reset(seed=5)
    before = environment.action_masks()
    for action in (illegal_in(before), -1, len(before)):
        with pytest.raises(environment.options.illegal_error):
            environment.step(action)
    assert (environment.action_masks() == before).all()
    environment.step(int(np.flatnonzero(before)[0]))


def test_a_seed_is_that_of_the_game(game: GameUnderTest) -> None:
    environment = game.made("one", seat=0)
    for seed in (7, 8):
        observation, _ = environment.reset(seed=seed)
        episode = game.new_game(seed)
        assert (observation["observation"] == episode.observation(0)).all()
        assert (observation["action_mask"] == episode.action_mask()).all()
        for one in range(game.seats):
            assert (environment.game.observe(one) == episode.observation(one)).all()


def test_without_a_seed_reset_continues_the_same_sequence_of_games(game: GameUnderTest) -> None:
    def sequence() -> list[bytes]:
        environment = game.made("one")
        firsts = [environment.reset(seed=3)[0]] + [environment.reset()[0] for _ in range(8)]
        return [first["observation"].tobytes() for first in firsts]

    assert sequence() == sequence()
    assert len(set(sequence())) > 1


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (1 << 64, ValueError), ("7", TypeError), (1.5, TypeError), (True, TypeError)])  # fmt: skip  # noqa: E501
def test_a_seed_fits_in_64_bits(game: GameUnderTest, seed: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="seed"):
        game.made("one").reset(seed=seed)


def test_the_game_and_the_view_are_copies(game: GameUnderTest) -> None:
    environment = game.made("one")
    observation, _ = environment.reset(seed=5)
    taken = environment.game
    assert taken is not environment.game
    taken.play(int(np.flatnonzero(environment.action_masks())[0]))
    view = environment.view()
    assert (np.asarray(view.action_mask) == environment.action_masks()).all()
    view.action_mask[:] = 0
    observation["observation"][:] = 9
    observation["action_mask"][:] = 0
    assert environment.action_masks().any()
    environment.step(action_of(environment.action_masks(), np.random.default_rng(1)))


def test_the_seat_is_drawn_unless_it_is_given(game: GameUnderTest) -> None:
    environment = game.made("one")
    seats = set()
    for seed in range(40):
        environment.reset(seed=seed)
        seats.add(environment.seat)
    assert seats == set(range(game.seats))
    for given in (1, np.int64(1)):
        environment = game.made("one", seat=given)
        environment.reset(seed=0)
        assert environment.seat == 1 and type(environment.seat) is int
    for seat in (-1, game.seats, "first", None, 0.0, True, np.float64(0)):
        with pytest.raises(ValueError, match="seat is"):
            game.made("one", seat=seat)


def test_a_limit_truncates(game: GameUnderTest) -> None:
    environment = game.made("one", **{game.limit: 2})
    for seed in range(20):
        _, (_, _, terminated, truncated, info) = played(environment, seed)
        assert terminated != truncated
        if truncated:
            assert info["reason"] == "turn limit" and not environment.action_masks().any()
            return
    raise AssertionError("no game reached the limit")


@pytest.mark.parametrize("form", ["one", "many"])
def test_a_game_cut_off_before_the_seats_first_turn_is_followed_by_the_next(
    game: GameUnderTest, form: str
) -> None:
    given = () if form == "one" else (8,)
    environment = game.made(form, *given, **{game.limit: 1})
    for seed in range(0, 40, 8 if given else 1):
        environment.reset(seed=seed)
        games, masks = environment.game, environment.action_masks()
        for i, seat in enumerate(environment.seat if given else [environment.seat]):
            one, mask = (games(i), masks[i]) if given else (games, masks)
            assert one.seat == seat and mask.any() and not one.is_over


LIMITED_BY_DECISION = [game for game in GAMES if game.name in ("hanabi", "dice")]


@pytest.mark.parametrize("form", ["one", "many"])
@pytest.mark.parametrize("game", LIMITED_BY_DECISION, ids=lambda game: game.name)
def test_a_limit_before_the_seats_first_turn_in_every_game_is_refused(
    game: GameUnderTest, form: str
) -> None:
    given = () if form == "one" else (2,)
    environment = game.made(form, *given, seat=game.seats - 1, **{game.limit: 1})
    refused = f"seat {game.seats - 1} has no decision in 1,000 games; {game.limit} is 1"
    for _ in range(2):
        with pytest.raises(ValueError, match=refused):
            environment.reset(seed=3)


@pytest.mark.parametrize("value", [0, -1, "3", 1.5])
def test_a_limit_is_a_positive_integer_or_none(game: GameUnderTest, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=game.limit):
        game.made("one", **{game.limit: value})
    game.made("one", **{game.limit: None})


def test_opponents_are_checked_when_they_are_given(game: GameUnderTest) -> None:
    for form in ("one", "many"):
        with pytest.raises(ValueError, match="no such policy"):
            game.made(form, **{game.others: "no such policy"})
        with pytest.raises(TypeError, match="policy"):
            game.made(form, **{game.others: 3})
        with pytest.raises(ValueError, match=f"{game.seats} {game.others}; allowed are"):
            game.made(form, **{game.others: ["random"] * game.seats})


def test_the_other_name_of_opponents_is_unknown(game: GameUnderTest) -> None:
    (wrong,) = {"opponents", "partners"} - {game.others}
    for form in ("one", "many"):
        with pytest.raises(TypeError, match=f"^unknown option {wrong}; "):
            game.made(form, **{wrong: "random"})


def test_others_take_their_seats_at_any_time(game: GameUnderTest) -> None:
    environment = game.made("one")
    environment.reset(seed=1)
    asked = []

    def first(view: Any) -> int:
        asked.append(view)
        return int(np.flatnonzero(view.action_mask)[0])

    setattr(environment, game.others, first)
    assert getattr(environment, game.others) is first
    for seed in range(4):
        environment.reset(seed=seed)
        environment.step(action_of(environment.action_masks(), np.random.default_rng(seed)))
    assert asked


class Seeded:
    """Plays the first legal action, and has the seed it was made with."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, view: Any) -> int:
        return int(np.flatnonzero(view.action_mask)[0])


def test_without_a_seed_every_opponent_has_its_own(game: GameUnderTest) -> None:
    seeds = set()
    for _ in range(3):
        environment = game.made("one", **{game.others: Seeded})
        environment.reset()
        seeds |= {one.seed for one in environment._opponents}
    assert len(seeds) == 3 * (game.seats - 1)
    before = environment._opponents
    environment.reset()
    assert environment._opponents is before, "their streams continue"


def test_opponents_that_take_their_seats_later_have_the_seeds_of_many_games(
    game: GameUnderTest,
) -> None:
    one, many = game.made("one"), game.made("many", 1)
    for seed in (5, 6):
        one.reset(seed=seed)
        many.reset(seed=seed)
        for environment in (one, many):
            setattr(environment, game.others, Seeded)
        drawn = [policy.seed for policy in one._opponents]
        assert drawn == [policy.seed for policy in many._games._opponents._policies[0]]
        assert len({0, *drawn}) == game.seats


class Failing:
    """Plays the first legal action until it fails."""

    def __init__(self, error: type[BaseException]) -> None:
        self.error, self.fails = error, False

    def act(self, view: Any) -> int:
        if self.fails:
            raise self.error
        return int(np.flatnonzero(view.action_mask)[0])


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (ConnectionError, PolicyError),
        (SystemExit, PolicyError),
        (KeyboardInterrupt, KeyboardInterrupt),
    ],
    ids=["ConnectionError", "SystemExit", "KeyboardInterrupt"],
)
def test_an_episode_is_over_when_an_opponent_fails(
    game: GameUnderTest, error: type[BaseException], raised: type[BaseException]
) -> None:
    opponent = Failing(error)
    environment = game.made("one", **{game.others: opponent})
    environment.reset(seed=1)
    chance = np.random.default_rng(1)
    opponent.fails = True
    with pytest.raises(raised):
        for _ in range(50):
            environment.step(action_of(environment.action_masks(), chance))
    assert not environment.action_masks().any(), "no other seat's mask is shown"
    with pytest.raises(ResetNeeded):
        environment.step(0)
    with pytest.raises(raised):
        for seed in range(20):
            environment.reset(seed=seed)
    with pytest.raises(ResetNeeded):
        environment.step(0)
    opponent.fails = False
    environment.reset(seed=1)
    environment.step(action_of(environment.action_masks(), chance))


def test_an_opponents_answer_is_checked(game: GameUnderTest) -> None:
    for answer in (illegal_in, lambda mask: "x", lambda mask: len(mask)):
        environment = game.made(
            "one", seat=1, **{game.others: lambda view, a=answer: a(view.action_mask)}
        )
        with pytest.raises(environment.options.illegal_error, match="answered"):
            environment.reset(seed=1)


def test_unknown_options_and_values_are_named(game: GameUnderTest) -> None:
    for form in ("aec", "one", "many"):
        with pytest.raises(TypeError, match=r"unknown option sets; there are .*mask_in"):
            game.made(form, sets=3)
        for name in ("mask_in", "illegal", "render_mode"):
            with pytest.raises(ValueError, match=f"{name} is 'x'; allowed are"):
                game.made(form, **{name: "x"})


def test_a_games_options_can_have_more_in_a_subclass(game: GameUnderTest) -> None:
    kind = type(game.made("aec").options)

    @dataclass(frozen=True, kw_only=True)
    class More(kind):  # type: ignore[misc, valid-type]
        note: str = ""

    assert More.of({"note": "x"}).note == "x"
    assert set(More.names()) == {"note", *kind.names()}
    assert More.names()[-1] == kind.names()[-1] == "render_mode"


@pytest.mark.parametrize("mask_in", ["observation", "info", "both"])
def test_the_mask_is_where_it_is_asked_for(game: GameUnderTest, mask_in: str) -> None:
    environment = game.made("one", mask_in=mask_in)
    observation, info = environment.reset(seed=2)
    assert environment.observation_space.contains(observation)
    masks = [info["action_mask"]] if mask_in != "observation" else []
    masks += [observation["action_mask"]] if mask_in != "info" else []
    for mask in masks:
        assert mask.dtype == np.int8 and (mask == environment.action_masks()).all()
    assert environment.action_masks().dtype == np.bool_


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_copy_has_the_same_future_and_its_own(game: GameUnderTest, way: Any) -> None:
    environment = game.made("one")
    environment.reset(seed=4)
    chance = np.random.default_rng(2)
    environment.step(action_of(environment.action_masks(), chance))
    other = way(environment)
    if environment._is_over:
        return
    for _ in range(6):
        action = action_of(environment.action_masks(), chance)
        ours, theirs = environment.step(action), other.step(action)
        assert (ours[0]["observation"] == theirs[0]["observation"]).all()
        assert ours[1:4] == theirs[1:4]
        if ours[2] or ours[3]:
            break
    after = environment.action_masks()
    if other.action_masks().any():
        other.step(action_of(other.action_masks(), chance))
    assert (environment.action_masks() == after).all()


def test_games_are_drawn_in_the_render_mode(game: GameUnderTest) -> None:
    environment = game.made("one", render_mode="ansi")
    environment.reset(seed=1)
    shown = environment.render()
    assert isinstance(shown, str) and " object at 0x" not in shown
    environment = game.made("one")
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="render_mode"):
        environment.render()


@pytest.mark.parametrize("illegal", ["penalty", "ignore"])
def test_gymnasiums_checker_passes(game_of_any_size: GameUnderTest, illegal: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(game_of_any_size.made("one", illegal=illegal), skip_render_check=True)


@pytest.mark.torch
def test_stable_baselines_checker_passes(game_of_any_size: GameUnderTest) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker.check_env(game_of_any_size.made("one"))
