"""The luck of the dice: what they do, what was to be expected, and whose decision they follow."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from catan_env.batch import Batch  # noqa: E402
from catan_env.core.actions import ROLL_ACTION  # noqa: E402
from catan_env.guests.hanabi import batch as hanabi  # noqa: E402
from catan_env.policies import network  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.learner import Learner  # noqa: E402
from catan_env.training.luck import KINDS, ODDS, TOTALS, Dice, befalls  # noqa: E402
from catan_env.training.rollout import OPEN, Decided, Games  # noqa: E402
from catan_env.training.settings import Args  # noqa: E402

RESOURCES, CAN_PAY, TAKEN, ROLLED_SEVEN = slice(0, 5), slice(5, 9), 9, 10
BUY_CARD = 2
LUCK = "catan_env.training.luck:Dice"


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
        told = befalls(before, seats)[np.arange(len(total)), :, RESOURCES, total]
        given = after["hand"][:, :seats] - before["hand"][:, :seats]
        np.testing.assert_array_equal(told[lasts], given[lasts])
        seen += int(given[lasts].sum())
    assert seen > 1000


def test_who_has_more_than_seven_cards_loses_half_of_them_to_a_seven():
    seen = 0
    for before, after, total, _ in rolls(3, "base"):
        seven = total == 5
        told = befalls(before, 3)[np.arange(len(total)), :, TAKEN, total]
        np.testing.assert_array_equal(told[seven], after["owed"][seven, :3])
        assert not told[~seven].any()
        seen += int((told[seven] > 0).sum())
    assert seen > 20


def test_it_is_known_who_rolled_the_seven_and_who_can_pay():
    for before, after, total, masks in rolls(2, "duel"):
        rows = np.arange(len(total))
        told = befalls(before, 2)[rows, :, :, total]
        is_rollers = np.arange(2) == after["turn_seat"][:, None]
        np.testing.assert_array_equal(told[:, :, ROLLED_SEVEN], is_rollers & (total == 5)[:, None])
        asked = (total != 5) & (after["deck_size"] > 0) & (after["bank"] > 0).all(axis=1)
        can_buy = told[rows, after["turn_seat"], CAN_PAY][:, 3]
        np.testing.assert_array_equal(can_buy[asked], masks[asked, BUY_CARD])


def test_what_surprises_has_the_mean_0_over_all_the_dice_can_show():
    assert ODDS.sum() == pytest.approx(1)
    batch = Batch(256, seats=4, seed=2)
    dice, sums, squares, n = Dice(batch), 0.0, 0.0, 0
    for _ in range(800):
        actions = batch.sample_legal()
        dice.foresee(actions)
        batch.step(actions)
        rows, surprises = dice.surprises()
        assert surprises.shape == (len(rows), 4, KINDS)
        sums, squares, n = sums + surprises.sum(0), squares + (surprises**2).sum(0), n + len(rows)
    assert n > 20_000
    assert (np.abs(sums) < 4.5 * np.sqrt(squares)).all()
    assert (squares > 0).all()


def test_a_refused_roll_gives_nobody_anything():
    batch = Batch(4, seats=2, seed=2)
    dice, actions = Dice(batch), np.full(4, ROLL_ACTION)  # before the first settlement
    dice.foresee(actions)
    batch.step(actions)
    assert len(dice.surprises()[0]) == 0


class Clerk:
    """Decides at random and thinks of every surprise what it likes."""

    def __init__(self, size):
        self.size, self.draw = size, np.random.default_rng(1)

    def decide(self, observations, masks):
        actions = np.where(masks == 1, self.draw.random(masks.shape), -1).argmax(axis=1)
        n = len(actions)
        swings = self.draw.normal(size=(n, self.size)).astype(np.float32)
        odds, values = np.zeros((2, n), np.float32)
        return Decided(actions, odds, values, swings, observations)


def tables(seats):
    args = Args(num_games=6, rollout=300, luck=LUCK, shaping="")
    batch = catan(6, seats=seats, rules="base", trade=False, seed=3, max_turns=60)
    return Games(args, batch, batch.observations.shape[1])


@pytest.mark.parametrize("seats", [2, 4])
def test_the_dice_count_for_every_seats_latest_decision_its_own_hand_first(seats):
    games = tables(seats)
    rollout, batch, surprises = games.rollout, games.batch, games.luck.surprises
    expected, latest, seen = np.zeros_like(rollout.surprises), {}, [0]
    rollout.surprises[:] = 9  # of decisions that stood here once

    def noted():
        for k in range(seen[0], rollout.n):
            latest[int(rollout.games[k]), int(rollout.seats[k])] = k
        seen[0] = rollout.n
        rows, found = surprises()
        for row, of_seats in zip(rows.tolist(), found, strict=True):
            for seat in range(seats):
                if (row, seat) in latest:
                    own_first = [of_seats[(seat + k) % seats] for k in range(seats)]
                    expected[latest[row, seat]] += np.concatenate(own_first)
        for row in np.flatnonzero(batch.done).tolist():
            for seat in range(seats):
                latest.pop((row, seat), None)
        return rows, found

    games.luck.surprises = noted
    games.collect(Clerk(games.luck.size).decide)
    n = rollout.n
    np.testing.assert_allclose(rollout.surprises[:n], expected[:n], atol=1e-4)
    assert np.abs(expected).sum() > 100


def test_luck_is_taken_out_of_what_a_decision_earned_and_stays_in_its_error():
    games = tables(2)
    rollout = games.collect(Clerk(games.luck.size).decide)
    rows, found, errors = rollout.advantages(0.98, 0.9)
    luck = (rollout.swings * rollout.surprises).sum(axis=1)
    assert (luck[rows] != 0).mean() > 0.5

    def of(k):
        then = rollout.next[k]
        more = of(then) if then >= 0 else 0.0
        return 0.0 if then == OPEN else rollout.rewards[k] - luck[k] + 0.98 * 0.9 * more

    np.testing.assert_allclose(found, [of(k) for k in rows], atol=1e-4)
    np.testing.assert_allclose(errors, rollout.rewards[rows], atol=1e-6)


@pytest.mark.parametrize("kind", ["pointer", "symmetric"])
def test_a_network_learns_what_the_dice_are_worth_and_does_not_save_it(kind, tmp_path):
    args = Args(
        network=kind, widths={"hidden": 48, "local": 4}, luck=LUCK, num_games=64, rollout=4096,
        minibatch=512, learning_rate=3e-3, decisions=10**7, shaping="",
    )  # fmt: skip
    batch = catan(64, seats=2, rules="duel", seed=1, max_turns=200)
    learner = Learner(args, batch, "cpu")
    rollout = Games(args, batch, learner.network.num_facts).collect(learner.decide)
    worth = np.random.default_rng(1).normal(size=2 * KINDS)
    rollout.rewards[:] = rollout.surprises @ worth
    rollout.values[:] = 0
    given = rollout.experience(args.gamma, args.gae_lambda)
    losses = [learner.learn(given, 0)["luck/loss"] for _ in range(12)]
    assert losses[-1] < losses[0] / 4
    learner.network.save(tmp_path / "net.npz")
    assert network.read(tmp_path / "net.npz")["value"].shape == (48, 1)
    again = Learner(args, batch, "cpu").network
    again.load(tmp_path / "net.npz")


def test_a_network_that_cannot_learn_luck_says_so():
    batch = catan(4, seats=2, rules="duel", seed=1)
    with pytest.raises(ValueError, match="'flat' does not learn what luck is worth"):
        Learner(Args(network="flat", luck=LUCK), batch, "cpu")


def test_only_a_run_that_takes_luck_out_shows_it():
    args = Args(widths={"hidden": 48, "local": 4}, num_games=16, rollout=256, minibatch=128)
    batch = catan(16, seats=2, rules="duel", seed=1)
    learner = Learner(args, batch, "cpu")
    rollout = Games(args, batch, learner.network.num_facts).collect(learner.decide)
    shown = learner.learn(rollout.experience(args.gamma, args.gae_lambda), 0)
    assert "value/explained" in shown
    assert not [name for name in shown if name.startswith("luck")]


def test_the_dice_are_of_catan_alone():
    with pytest.raises(ValueError, match=r"are Catan's; catan_env\.guests\.hanabi"):
        Dice(hanabi.Batch(4, players=2))
