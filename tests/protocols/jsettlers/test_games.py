"""Whole games of an agent at a server: its view is what the environment would show.

Until another seat's discard is hidden, observation and mask are equal byte for byte; after that,
only the certain knowledge is equal, and the actions offered are still legal.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from catan_env import Action, Rules, SeatView
from catan_env.core.actions import OFFER_START
from catan_env.core.constants import Phase
from catan_env.core.observation import OFFSETS
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.notation import dumps, loads
from catan_env.policy import load_policy
from catan_env.protocols.jsettlers.agent import Agent
from catan_env.protocols.jsettlers.record import messages_of
from tests.protocols.jsettlers.line import Line
from tests.protocols.jsettlers.scripted import unhurried
from tests.protocols.jsettlers.server import Server

HABITS = {"asks first": 0.5, "counters": 0.3, "slow": 0.01}
RULES = {
    ("PL=4", "RD=f", "N7=f7"): Rules.jsettlers(),
    ("PL=4", "VP=t8"): replace(Rules.jsettlers(), points_to_win=8),
    ("NT=t",): replace(Rules.jsettlers(), player_trade=False),
}
Policy = Callable[[SeatView], int]


def random_policy(seed: int, offers: float = 0.05) -> Policy:
    """Any legal action, offers less often than their number; dice and building before passing."""
    chance = Random(seed)

    def act(view: SeatView) -> int:
        legal = np.flatnonzero(view.action_mask)
        fewer = legal[legal < OFFER_START]
        if len(fewer) and chance.random() >= offers:
            legal = fewer
        return int(legal[chance.randrange(len(legal))])

    return act


def builder_of_few_offers(seed: int) -> Policy:
    """A builder that offers twice a turn; after a refusal it would repeat the offer forever."""
    builder, otherwise = load_policy("builder", seed), random_policy(seed, 0.0)
    offers = Counter[int]()

    def act(view: SeatView) -> int:
        action = int(builder.act(view))
        offers[view.turn] += action >= OFFER_START
        return otherwise(view) if action >= OFFER_START and offers[view.turn] > 2 else action

    return act


class Compared:
    """Compares the agent's view with the game's view of its seat."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.server: Server
        self.exact = self.sure = 0
        self.asked_for_an_answer = 0

    def __call__(self, view: SeatView) -> int:
        """Decide, after the comparison."""
        player = self.server.line.agent.players[self.server.name]
        truth = self._truth(view)
        if truth is not None:
            if player.follower.tracked.is_exact:
                assert truth.observation.tobytes() == view.observation.tobytes()
                assert truth.state_bytes() == view.state_bytes() and truth.rules == view.rules
                self.exact += 1
            else:
                self._compare_what_is_sure(view, truth)
            assert truth.action_mask.tobytes() == view.action_mask.tobytes()
        return self.policy(view)

    def _truth(self, view: SeatView) -> SeatView | None:
        """None in the middle of several decisions of one message."""
        game, me = self.server.game, view.viewer
        if view.phase == Phase.ANSWER:
            assert self.server.offer is not None
            maker, to, give, get = self.server.offer
            assert to == me
            game = game.copy()
            game.play(Action.offer((me - maker) % 4, give, get))
            self.asked_for_an_answer += 1
        if view.phase == Phase.DISCARD and view != game.view(me):
            return None
        return game.view(me)

    def _compare_what_is_sure(self, view: SeatView, truth: SeatView) -> None:
        guessed = {"bank": 5, "known": 15}
        seen, shown = truth.observation.copy(), view.observation.copy()
        for name, size in guessed.items():
            at = OFFSETS[name]
            seen[at : at + size] = shown[at : at + size] = 0
        assert seen.tobytes() == shown.tobytes()
        for seat in range(4):
            held = self.server.game.hand(seat)
            assert all(k <= n for k, n in zip(view.known(seat), held, strict=True))
        assert all(0 <= n <= 19 for n in view.bank)
        self.sure += 1


def played(seed: int, options: tuple[str, ...] = ("PL=4", "RD=f"), **more: object) -> Server:
    """One game of random robots and a random agent."""
    compared = Compared(random_policy(seed, 0.2))
    line = Line(Agent(unhurried(compared), "ours", cookie="key"))
    line.begin()
    robots: list[Policy] = [random_policy(10 * seed + seat, 0.2) for seat in range(4)]
    server = Server(line, seed, robots, seed % 4, options=options, **more)  # type: ignore[arg-type]
    compared.server = server
    server.compared = compared  # type: ignore[attr-defined]
    return server.play()


@pytest.mark.parametrize("options", RULES, ids=",".join)
@pytest.mark.parametrize("encoding", [0, 1])
def test_each_decision_sees_what_the_environment_shows(
    options: tuple[str, ...], encoding: int, games: int
) -> None:
    """A thousandth of `--games`, spread over the tables; at least one game per table."""
    most = max(1, games // 1000 // (2 * len(RULES))) if MACHINE_CODE else 1
    exact = sure = answers = 0
    for seed in range(most):
        server = played(seed, options, rules=RULES[options], encoding=encoding, habits=HABITS)
        assert not server.refusals
        ended = server.line.agent.ended[0]
        assert ended.player.follower.tracked.differences == {}
        if server.game.is_over:
            assert (ended.how, ended.player.follower.winner) == ("over", server.game.winner)
        compared = server.compared  # type: ignore[attr-defined]
        exact, sure = exact + compared.exact, sure + compared.sure
        answers += compared.asked_for_an_answer
    assert exact > 10 * most and exact + sure > 100 * most
    assert answers > 0 or "NT=t" in options or not MACHINE_CODE


@pytest.mark.parametrize("seed", range(2))
def test_a_game_becomes_a_record_of_its_seat(seed: int) -> None:
    server = played(seed, habits=HABITS)
    player = server.line.agent.ended[0].player
    messages = messages_of(player)
    record = loads(dumps(messages))
    assert record.viewer == player.seat
    assert record.position == player.follower.view
    assert len(list(record.replay())) == len(record.events) + 1


@pytest.mark.skipif(not MACHINE_CODE, reason="policies take minutes with interpreted rules")
@pytest.mark.parametrize("name", ["greedy", "best"])
def test_a_policy_plays_to_the_end(name: str) -> None:
    policy = load_policy(name, 1)
    compared = Compared(policy.act)
    line = Line(Agent(unhurried(compared), "ours", cookie="key"))
    line.begin()
    robots: list[Policy] = [builder_of_few_offers(seat) for seat in range(4)]
    compared.server = Server(line, 11, robots, 2, habits={"asks first": 0.5})
    server = compared.server.play()
    assert server.is_over and not server.refusals
    assert line.agent.ended[0].how == "over"
