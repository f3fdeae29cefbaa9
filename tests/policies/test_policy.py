"""Policies are loaded by name, and their answers are checked."""

import numpy as np
import pytest

from catan_env import Game, IllegalActionError, cli
from catan_env.envs.single import CatanEnv
from catan_env.failure import PolicyError
from catan_env.kernel.shown import shown
from catan_env.policies.builder import Builder
from catan_env.policies.network.shipped import WEIGHTS
from catan_env.policies.random import Random
from catan_env.policy import NAMES, as_policy, decide, load_policy


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_a_policy_that_plays(name):
    view = Game(seats=2, seed=1).view(0)
    assert view.action_mask[decide(load_policy(name, seed=3), view)] == 1


@pytest.mark.parametrize(
    ("name", "made"),
    [("builder", Builder), ("catan_env.policies.random:Random", Random)],
)
def test_a_policy_goes_by_its_name_or_its_place(name, made):
    assert type(load_policy(name)) is made


def test_a_weights_file_is_a_policy_that_can_sit_anywhere(tmp_path, capsys):
    weights = str(WEIGHTS / "duel.npz")
    view = Game(seats=2, rules="duel", seed=1).view(0)
    assert load_policy(weights).act(view) == load_policy("network").act(view)
    CatanEnv(seats=2, rules="duel", opponents=weights).reset(seed=1)
    assert cli.main(["play", weights, "random", "--rules", "duel", "--games", "2"]) == 0
    with pytest.raises(ValueError, match=r"cannot read the weights in '.*none\.npz'"):
        load_policy(str(tmp_path / "none.npz"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("grady", "unknown policy 'grady'"),
        ("", "unknown policy ''"),
        (
            "catan_env.policies.nothing:Here",
            "policy 'catan_env.policies.nothing:Here': no module 'catan_env.policies.nothing'",
        ),
        ("nothing:Here", "policy 'nothing:Here': no module 'nothing'"),
        (
            "catan_env.policies.random:Here",
            "policy 'catan_env.policies.random:Here': no 'Here' in catan_env.policies.random",
        ),
    ],
)
def test_an_unknown_policy_is_refused_with_the_known_ones(name, said):
    with pytest.raises(ValueError) as refused:
        load_policy(name)
    assert (
        str(refused.value)
        == f"{said}; allowed are {', '.join(NAMES)}, module:Class and a weights file (.npz)"
    )


def test_a_module_without_its_library_names_it(tmp_path, monkeypatch):
    (tmp_path / "needy.py").write_text("import a_library_nobody_has\nclass Policy: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PolicyError, match=r"a_library_nobody_has' .needy.py, line 1.$"):
        load_policy("needy:Policy")


def test_a_value_that_is_not_a_policy_is_refused():
    with pytest.raises(TypeError, match="7 is not a policy; allowed are random, "):
        as_policy(7)


class Unprintable:
    def __repr__(self):
        raise RuntimeError

    def __index__(self):
        raise RuntimeError


class Answers:
    def __init__(self, answer):
        self.answer = answer

    def act(self, view):
        return self.answer


@pytest.mark.parametrize("answer", [60, np.int64(60), np.uint16(60), np.array(60)], ids=repr)
def test_any_integer_is_an_answer(answer):
    index = decide(Answers(answer), Game(seed=1).view(0))
    assert (type(index), index) == (int, 60)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (0, "Answers.act answered 0 for seat 0 in phase PLACE_SETTLEMENT of turn 0; "
            "the action mask allows 52, 53, 54, 55, 56, 57, 58, 59 and 46 more"),
        (848, "Answers.act answered 848 for seat 0"),
        (-1, "Answers.act answered -1 for seat 0"),
        (None, "Answers.act answered None (NoneType); allowed is one integer in 0..847"),
        (True, "Answers.act answered True (bool); allowed is one integer in 0..847"),
        (60.0, "Answers.act answered 60.0 (float); allowed is one integer"),
        (np.float32(60), "Answers.act answered np.float32(60.0) (float32); allowed is one integer"),
        (np.zeros(848, np.float32),
            "Answers.act answered an array of shape (848,) and dtype float32; allowed is one"),
        (10**400, f"Answers.act answered 1{'0' * 76}... for seat 0 in phase PLACE_SETTLEMENT"),
        (10**5000, "Answers.act answered <int that cannot be printed> for seat 0 in phase"),
        ("x" * 10**6, f"Answers.act answered '{'x' * 76}... (str); allowed is one integer in"),
        (Unprintable(), "Answers.act answered <Unprintable that cannot be printed> (Unprintable)"),
        (np.array([60]), "Answers.act answered an array of shape (1,) and dtype int64; allowed"),
    ],
    ids=shown,
)  # fmt: skip
def test_an_illegal_answer_names_its_policy(answer, said):
    with pytest.raises(IllegalActionError) as refused:
        decide(Answers(answer), Game(seed=1).view(0))
    assert str(refused.value).startswith(said)


def test_random_draws_the_same_again_with_the_same_seed():
    view = Game(seed=1).view(0)
    drawn = [[Random(seed).act(view) for _ in range(1)] for seed in range(20)]
    assert drawn == [[Random(seed).act(view)] for seed in range(20)]
    assert len({index for (index,) in drawn}) > 5


def test_random_draws_every_legal_action():
    view = Game(seed=1).view(0)
    policy = Random(seed=1)
    assert {policy.act(view) for _ in range(2000)} == set(view.legal_actions.indices)


def test_an_unknown_bot_of_catanatron_is_refused_with_the_names_of_the_others() -> None:
    pytest.importorskip("catanatron")
    with pytest.raises(ValueError, match=r"its bots are catanatron:random, .*catanatron:alphabeta"):
        load_policy("catanatron:valu")
