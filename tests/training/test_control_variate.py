"""The luck of the dice: what they do, what was to be expected, and whose decision they follow."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from catan_env.batch import Batch  # noqa: E402  # noqa: E402
from catan_env.core.actions import ROLL_ACTION  # noqa: E402  # noqa: E402
from catan_env.game.rules import Rules  # noqa: E402
from catan_env.guests.hanabi import batch as hanabi  # noqa: E402  # noqa: E402
from catan_env.policies import network  # noqa: E402
from catan_env.training.agent import Agent, Choices  # noqa: E402
from catan_env.training.control_variate import EFFECTS, PROBS, TOTALS, Dice, effects_of  # noqa: E402
from catan_env.training.decisions import OPEN  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.ppo_update import PPO  # noqa: E402
from catan_env.training.rollouts import Collector  # noqa: E402
from catan_env.training.self_play import Args  # noqa: E402

RESOURCES, CAN_PAY, TAKEN, ROLLED_SEVEN = slice(0, 5), slice(5, 9), 9, 10
BUY_CARD = 2
LUCK = "catan_env.training.control_variate:Dice"


def rolls(seats, rules, steps=700, games=64):
    """Of random games: states before a roll, and after it, and the total."""
    batch = Batch(games, seats=seats, rules=rules, seed=seats)
    for _ in range(steps):
        actions = batch.sample_legal()
        rows = np.flatnonzero(actions == ROLL_ACTION)
        before = batch.states[rows].copy()
        batch.step(actions)
        after = batch.states[rows].copy()
        yield before, after, after["roll"] - TOTALS[0], batch.action_masks[rows]


@pytest.mark.parametrize(("seats", "rules"), [(2, "duel"), (4, "base")])
def test_every_player_gets_the_cards_that_his_tiles_yield(seats, rules):
    seen = 0
    for before, after, total, _ in rolls(seats, rules):
        lasts = (after["bank"] > 0).all(axis=1) & (total != 5)
        told = effects_of(before, seats)[np.arange(len(total)), :, RESOURCES, total]
        given = after["hand"][:, :seats] - before["hand"][:, :seats]
        np.testing.assert_array_equal(told[lasts], given[lasts])
        seen += int(given[lasts].sum())
    assert seen > 1000


def test_a_seven_takes_no_card_at_a_table_without_the_robber():
    rules = Rules.named("german_0.1")
    taken = [effects_of(before, 3)[:, :, TAKEN] for before, *_ in rolls(3, rules, 300)]
    assert not np.concatenate(taken).any()


@pytest.mark.parametrize("limit", [7, 9])
def test_who_has_more_cards_than_allowed_loses_half_of_them_to_a_seven(limit):
    seen = 0
    for before, after, total, _ in rolls(3, replace(Rules.base(), hand_limit=limit)):
        seven = total == 5
        told = effects_of(before, 3)[np.arange(len(total)), :, TAKEN, total]
        np.testing.assert_array_equal(told[seven], after["owed"][seven, :3])
        assert not told[~seven].any()
        seen += int((told[seven] > 0).sum())
    assert seen > (20 if limit == 7 else 4)


def test_it_is_known_who_rolled_the_seven_and_who_can_pay():
    for before, after, total, masks in rolls(2, "duel"):
        rows = np.arange(len(total))
        told = effects_of(before, 2)[rows, :, :, total]
        is_rollers = np.arange(2) == after["turn_seat"][:, None]
        np.testing.assert_array_equal(told[:, :, ROLLED_SEVEN], is_rollers & (total == 5)[:, None])
        asked = (total != 5) & (after["deck_size"] > 0) & (after["bank"] > 0).all(axis=1)
        can_buy = told[rows, after["turn_seat"], CAN_PAY][:, 3]
        np.testing.assert_array_equal(can_buy[asked], masks[asked, BUY_CARD])


@pytest.mark.parametrize("rules", ["base", "colonist"])
def test_what_surprises_has_the_mean_0_over_all_the_dice_can_show(rules):
    assert PROBS.sum() == pytest.approx(1)
    batch = Batch(256, seats=4, seed=2, rules=rules)
    dice, sums, squares, n = Dice(batch), 0.0, 0.0, 0
    for _ in range(800):
        actions = batch.sample_legal()
        dice.expect(actions)
        batch.step(actions)
        rows, surprises = dice.residuals()
        assert surprises.shape == (len(rows), 4, EFFECTS)
        sums, squares, n = sums + surprises.sum(0), squares + (surprises**2).sum(0), n + len(rows)
    assert n > 20_000
    assert (np.abs(sums) < 4.5 * np.sqrt(squares)).all()
    assert (squares > 0).all()


def test_a_refused_roll_gives_nobody_anything():
    batch = Batch(4, seats=2, seed=2)
    dice, actions = Dice(batch), np.full(4, ROLL_ACTION)  # before the first settlement
    dice.expect(actions)
    batch.step(actions)
    assert len(dice.residuals()[0]) == 0


class Clerk:
    """Chooses at random, with random chance values."""

    def __init__(self, size):
        self.size, self.draw = size, np.random.default_rng(1)

    def decide(self, observations, masks):
        legal = np.unpackbits(masks, axis=1)
        actions = np.where(legal == 1, self.draw.random(legal.shape), -1).argmax(axis=1)
        n = len(actions)
        chance_values = self.draw.normal(size=(n, self.size)).astype(np.float32)
        log_probs, values = np.zeros((2, n), np.float32)
        return Choices(actions, log_probs, values, chance_values, observations)


def tables(seats):
    args = Args(num_envs=6, batch_size=300, control_variate=LUCK, shaping="")
    batch = catan(6, seats=seats, rules="base", trade=False, seed=3, max_turns=60)
    return Collector(args, batch, batch.observations.shape[1])


@pytest.mark.parametrize("seats", [2, 4])
def test_the_dice_count_for_every_seats_latest_decision_its_own_hand_first(seats):
    games = tables(seats)
    buffer, batch, residuals = games.buffer, games.batch, games.control_variate.residuals
    rows_of = buffer.rows
    expected, latest, seen = np.zeros_like(rows_of.chance_residuals), {}, [0]
    rows_of.chance_residuals[:] = 9  # of decisions that were in these rows before

    def noted():
        for k in range(seen[0], buffer.n):
            latest[int(rows_of.games[k]), int(rows_of.seats[k])] = k
        seen[0] = buffer.n
        rows, found = residuals()
        for row, of_seats in zip(rows.tolist(), found, strict=True):
            for seat in range(seats):
                if (row, seat) in latest:
                    own_first = [of_seats[(seat + k) % seats] for k in range(seats)]
                    expected[latest[row, seat]] += np.concatenate(own_first)
        for row in np.flatnonzero(batch.done).tolist():
            for seat in range(seats):
                latest.pop((row, seat), None)
        return rows, found

    games.control_variate.residuals = noted
    games.collect(Clerk(games.control_variate.size).decide)
    n = buffer.n
    np.testing.assert_allclose(rows_of.chance_residuals[:n], expected[:n], atol=1e-4)
    assert np.abs(expected).sum() > 100


def test_luck_is_taken_out_of_what_a_decision_earned_and_stays_in_its_error():
    games = tables(2)
    games.collect(Clerk(games.control_variate.size).decide)
    rollout = games.buffer.rows
    rows = np.flatnonzero(rollout.next[: games.buffer.n] != OPEN)
    finished = games.buffer.finished(0.98, 0.9)
    luck = (rollout.chance_values * rollout.chance_residuals).sum(axis=1)
    assert (luck[rows] != 0).mean() > 0.5

    def of(k):
        then = rollout.next[k]
        more = of(then) if then >= 0 else 0.0
        return 0.0 if then == OPEN else rollout.rewards[k] - luck[k] + 0.98 * 0.9 * more

    np.testing.assert_allclose(finished.advantages, [of(k) for k in rows], atol=1e-4)
    np.testing.assert_allclose(finished.td_errors, rollout.rewards[rows], atol=1e-6)


@pytest.mark.parametrize("kind", ["pointer", "symmetric"])
def test_a_network_learns_what_the_dice_are_worth_and_does_not_save_it(kind, tmp_path):
    args = Args(
        network=kind, network_options={"hidden": 48, "local": 4}, control_variate=LUCK, num_envs=64,
        batch_size=2048, minibatch_size=256, learning_rate=3e-3, total_timesteps=10**7, shaping="",
    )  # fmt: skip
    batch = catan(64, seats=2, rules="duel", seed=1, max_turns=200)
    agent = Agent(args, batch, "cpu")
    collector = Collector(args, batch, agent.network.num_features)
    collector.collect(agent.act)
    rows = collector.buffer.rows
    rows.rewards[:] = rows.chance_residuals @ np.random.default_rng(1).normal(size=2 * EFFECTS)
    rows.values[:] = 0
    decisions, ppo = collector.buffer.finished(args.gamma, args.gae_lambda), PPO(agent, args)
    losses = [ppo.update(decisions, 0)["losses/control_variate_loss"] for _ in range(4)]
    assert losses[-1] < losses[0] / 4
    agent.network.save(tmp_path / "net.npz")
    assert network.read(tmp_path / "net.npz")["value"].shape == (48, 1)
    again = Agent(args, batch, "cpu").network
    again.load(tmp_path / "net.npz")


def test_a_network_that_cannot_learn_luck_says_so():
    batch = catan(4, seats=2, rules="duel", seed=1)
    with pytest.raises(ValueError, match="'flat' does not learn the value of chance"):
        Agent(Args(network="flat", control_variate=LUCK), batch, "cpu")


def test_only_a_run_that_takes_luck_out_shows_it():
    args = Args(
        network_options={"hidden": 48, "local": 4}, num_envs=16, batch_size=256, minibatch_size=128
    )
    batch = catan(16, seats=2, rules="duel", seed=1)
    agent = Agent(args, batch, "cpu")
    decisions = Collector(args, batch, agent.network.num_features).collect(agent.act)
    metrics = PPO(agent, args).update(decisions, 0)
    assert "losses/explained_variance" in metrics
    assert not [name for name in metrics if "control_variate" in name]


def test_the_dice_are_of_catan_alone():
    with pytest.raises(ValueError, match=r"of Catan, not of catan_env\.guests\.hanabi"):
        Dice(hanabi.Batch(4, players=2))
