"""PPO's update: what its objective leaves alone, and several processes."""

import os
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

import torch.distributed as dist  # noqa: E402

from catan_env.batch import Batch  # noqa: E402
from catan_env.training.agent import Agent  # noqa: E402
from catan_env.training.decisions import Decisions  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.ppo_update import PPO  # noqa: E402
from catan_env.training.self_play import Args  # noqa: E402


def update(rank: int, folder: Path) -> None:
    """The update of one of two processes, after which both must have the same weights."""
    limit = timedelta(seconds=60)
    dist.init_process_group("gloo", f"file://{folder}/met", limit, rank=rank, world_size=2)
    args = Args(minibatch_size=32, network_options={"hidden": 8, "local": 4})
    batch = catan(1, seats=2, rules="duel")
    agent = Agent(args, batch, "cpu")
    rows = (100, 60)[rank]
    decisions = empty_rows(agent, batch, rows)
    decisions.advantages[:] = np.linspace(-1, 1, rows)
    PPO(agent, args).update(decisions, 0)
    weights = torch.cat([one.detach().ravel() for one in agent.network.parameters()])
    both = [torch.empty_like(weights) for _ in range(2)]
    dist.all_gather(both, weights)
    assert torch.equal(*both), "the processes have different weights"
    dist.barrier()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the two processes are forked from this one")
def test_processes_with_rollouts_of_different_length_take_the_same_number_of_steps(tmp_path):
    torch.manual_seed(1)  # both processes begin with the same weights
    fork = get_context("fork")
    processes = [fork.Process(target=update, args=(rank, tmp_path)) for rank in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
    assert [process.exitcode for process in processes] == [0, 0]


def log_probs(agent: Agent, rows: Decisions) -> np.ndarray:
    """The log probability of each row's action, by the agent's weights."""
    with torch.no_grad():
        features, masks = torch.from_numpy(rows.features), torch.from_numpy(rows.masks)
        logits = agent.forward(agent.network, features, masks)[0]
    chosen = torch.log_softmax(logits, 1)[np.arange(len(rows.actions)), rows.actions]
    return chosen.numpy()


def test_an_update_makes_good_actions_likelier_and_learns_what_they_return(bfloat16):
    args = Args(learning_rate=1e-2, minibatch_size=40, network_options={"hidden": 8, "local": 4})
    batch = catan(1, seats=2, rules="duel")
    agent = Agent(args, batch, "cpu")
    rows = empty_rows(agent, batch, 40)
    rows.features[:], rows.actions[:], rows.advantages[:] = 0, np.arange(40) % 2, (1, -1) * 20
    rows.values[:] = 0.5 - rows.advantages  # each returned 0.5
    rows.log_probs[:] = before = log_probs(agent, rows)
    ppo = PPO(agent, args)
    losses = [ppo.update(rows, 0)["losses/value_loss"] for _ in range(10)]
    moved = log_probs(agent, rows) - before
    assert moved[::2].min() > 0 > moved[1::2].max()
    assert losses[-1] < losses[0] / 2


def empty_rows(agent: Agent, batch: Batch, number: int) -> Decisions:
    """That many decisions of the agent's, in each of which every action is legal."""
    widths = {"features": agent.network.num_features, "choices": 1, "chance": 0}
    rows = Decisions.empty(number, mask_bytes=-(-batch.action_masks.shape[1] // 8), **widths)
    rows.masks[:], rows.is_own[:] = 255, True
    return rows


def moved_by_an_update(shift: float, is_own: bool = True) -> bool:
    """True if the policy's loss moves the weights.

    By e to the power of `shift` the good actions are likelier than when they were drawn, and the
    bad ones less likely; they are the agent's own, or the teacher's.
    """
    unused = dict.fromkeys(("vf_coef", "ent_coef", "final_ent_coef", "teacher_coef"), 0.0)
    args = Args(update_epochs=1, network_options={"hidden": 8, "local": 4}, **unused)
    batch = catan(1, seats=2, rules="duel")
    agent = Agent(args, batch, "cpu")
    rows = empty_rows(agent, batch, 20)
    rows.actions[:], rows.advantages[:] = np.arange(20), (-1, 1) * 10
    rows.log_probs[:], rows.is_own[:] = log_probs(agent, rows) - shift * rows.advantages, is_own
    before = [one.detach().clone() for one in agent.network.parameters()]
    PPO(agent, args).update(rows, 0)
    return not all(map(torch.equal, before, agent.network.parameters()))


def test_actions_beyond_the_clip_are_learned_from_only_to_undo_it():
    assert not moved_by_an_update(shift=1.0), "they have moved far enough"
    assert moved_by_an_update(shift=0.1)
    assert moved_by_an_update(shift=-1.0), "they have moved the wrong way"


def test_a_teachers_action_does_not_move_the_policy():
    assert not moved_by_an_update(shift=0.1, is_own=False)


def test_a_huge_error_moves_the_weights_by_at_most_max_grad_norm():
    args = Args(learning_rate=1.0, update_epochs=1, max_grad_norm=0.3)
    args.network_options = {"hidden": 8, "local": 4}
    agent = Agent(args, catan(1, seats=2, rules="duel"), "cpu")
    rows = empty_rows(agent, catan(1, seats=2, rules="duel"), 20)
    rows.advantages[:] = 1e6
    ppo = PPO(agent, args)
    ppo.optimizer = torch.optim.SGD(agent.network.parameters(), lr=1.0)
    before = [one.detach().clone() for one in agent.network.parameters()]
    ppo.update(rows, 0)
    moved = [
        now.detach() - then for now, then in zip(agent.network.parameters(), before, strict=True)
    ]
    assert torch.cat([one.ravel() for one in moved]).norm() == pytest.approx(0.3, rel=1e-3)


@pytest.mark.parametrize(("timesteps", "rate"), [(0, 0.1), (50, 0.06), (100, 0.02), (150, 0.02)])
def test_the_learning_rate_falls_on_half_a_cosine_wave(timesteps, rate):
    args = Args(learning_rate=0.1, final_learning_rate=0.02, total_timesteps=100)
    args.network_options = {"hidden": 8, "local": 4}
    batch = catan(1, seats=2, rules="duel")
    agent = Agent(args, batch, "cpu")
    ppo = PPO(agent, args)
    found = ppo.update(empty_rows(agent, batch, 2), timesteps)
    assert found["charts/learning_rate"] == pytest.approx(rate)
    assert [group["lr"] for group in ppo.optimizer.param_groups] == pytest.approx([rate])


@pytest.mark.parametrize("kind", ["pointer", "symmetric", "flat"])
def test_the_policy_stays_as_it_was_to_the_bit_while_only_the_value_learns(kind):
    args = Args(network=kind, network_options={"hidden": 12}, learning_rate=0.1)
    args.minibatch_size, args.value_warmup_steps, args.ent_coef = 20, 100, 0.0
    batch = catan(1, seats=2, rules="duel")
    agent = Agent(args, batch, "cpu")
    rows = empty_rows(agent, batch, 40)
    rows.features[:], rows.actions[:], rows.advantages[:] = 1, np.arange(40) % 2, (3, -1) * 20
    rows.values[:] = 0.5 - rows.advantages  # each returned 0.5
    ppo, before = PPO(agent, args), log_probs(agent, rows)
    losses = [ppo.update(rows, timesteps)["losses/value_loss"] for timesteps in range(0, 100, 10)]
    assert np.array_equal(log_probs(agent, rows), before)
    assert losses[-1] < losses[0] / 2
    ppo.update(rows, 100)
    assert not np.array_equal(log_probs(agent, rows), before)


def test_weights_of_the_policy_take_no_step_and_no_moments_in_the_values_warm_up():
    args = Args(value_warmup_steps=100, network_options={"hidden": 8, "local": 4})
    agent = Agent(args, catan(1, seats=2, rules="duel"), "cpu")
    rows = empty_rows(agent, catan(1, seats=2, rules="duel"), 20)
    rows.advantages[:] = (-1, 3) * 10
    ppo = PPO(agent, args)
    ppo.update(rows, 0)
    weights = agent.network.weights.items()
    moved = {name for name, array in weights if array in ppo.optimizer.state}
    assert moved == {"value", "value_bias"}
