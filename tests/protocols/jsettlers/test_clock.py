"""Thinking time of an agent at a server that ends the turns of slow robots."""

from time import sleep

import pytest

from catan_env import Game, SeatView
from catan_env.arena.jsettlers import TimeBudget
from catan_env.protocols.jsettlers import lobby
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.agent import Agent
from catan_env.protocols.jsettlers.arrival import Arrival
from catan_env.protocols.jsettlers.clock import Clock, time_to_think
from tests.protocols.jsettlers.line import Line
from tests.protocols.jsettlers.scripted import GAME, Told, first_legal, state
from tests.protocols.jsettlers.test_wire import frame

OTHERS = ("second", "third", "fourth")


class Timed:
    """Plays the first legal action, and records its time limits."""

    def __init__(self) -> None:
        self.within: list[float] = []

    def __call__(self, view: SeatView, within: float) -> int:
        """Decide."""
        self.within.append(within)
        return first_legal(view)


def timed(games: int = 1) -> tuple[Told, Timed]:
    """Return a robot on turn in one game of several."""
    told, policy = Told(), Timed()
    told.line = Line(Agent(policy, "ours", cookie="key"))
    told.line.begin()
    told.place()
    for name in OTHERS[: games - 1]:
        told.say(lobby.AskedToJoin(name, 1, ()))
    return told, policy


def test_a_decision_takes_up_to_two_seconds_if_there_is_time() -> None:
    told, policy = timed()
    told.begin_turn(0)
    assert policy.within[-1] == 2.0


def test_the_first_placement_has_its_time_regardless_of_the_clock() -> None:
    told, policy = Told(), Timed()
    told.line = Line(Agent(policy, "ours", cookie="key"))
    told.line.now = 5000.0
    told.line.begin()
    told.sit_down()
    assert len(told.say(m.Turn(GAME, 0, 5))) == 1
    assert policy.within == [2.0]


def test_a_decision_is_shorter_if_more_games_wait() -> None:
    told, policy = timed(4)
    told.begin_turn(0)
    assert policy.within[-1] == pytest.approx((8 - 0.4) / 4)


def test_a_decision_is_shorter_if_the_server_waits_less() -> None:
    told, policy = timed()
    told.begin_turn(0)
    told.line.now += 7
    told.roll()
    assert policy.within[-1] == pytest.approx(8 - 7 - 0.4)


def test_each_card_of_a_discard_takes_its_share() -> None:
    told, policy = timed()
    told.begin_turn(0)
    told.give(wool=4, ore=4)
    told.say(m.DiceResult(GAME, 7), state(50), m.DiscardRequest(GAME, 4))
    assert policy.within[-4:] == [2 / 4, 2 / 3, 2 / 2, 2 / 1]


def test_thinking_for_one_game_never_outlasts_another() -> None:
    assert time_to_think([8.0, 0.9], 2) == pytest.approx(0.25)
    assert time_to_think([-3.0], 1) == 0.05, "too late: a safe move immediately"
    assert time_to_think([], 1) == 2.0


def test_an_answer_is_sent_before_the_next_game_is_considered() -> None:
    told = Told().place()
    told.begin_turn(0)
    other, decided = Told().place(), []
    other.policy = lambda view: decided.append(view) or first_legal(view)  # type: ignore[func-returns-value]
    agent = told.line.agent
    agent.players["second"] = other.player
    other.player.game = "second"
    both = frame(f"1028|{GAME},2") + frame(f"1025|{GAME},20")
    both += frame("1026|second,0,15") + frame("1072|second,0")
    pieces = told.line.visit.receive(both, 0.0)
    assert next(pieces) == frame(f"1032|{GAME}") and not decided
    assert list(pieces) == [frame("1031|second")] and agent.deadline == 3.0


def test_a_message_read_after_thinking_may_have_come_earlier() -> None:
    arrival = Arrival()
    arrival.read(1.0)
    arrival.was_busy(3.0)
    arrival.read(1.0)
    assert arrival.came == 1.0, "it was read with the first one"
    arrival.read(3.0)
    arrival.read(3.0)
    assert arrival.came == 1.0, "both were read together"
    arrival.read(9.0)
    assert arrival.came == 9.0, "an idle agent reads messages as they come"


def test_the_wait_for_the_discards_of_others_ends_before_the_servers_patience() -> None:
    clock = Clock(is_robot=True)
    clock.progress(0.0)
    assert clock.discard_until(0.0) == 3.0
    assert clock.discard_until(5.5) == 6.0
    assert Clock(is_robot=False).discard_until(50.0) == 53.0


def test_the_server_waits_less_for_a_robot_whose_turn_it_has_ended_twice() -> None:
    clock = Clock(is_robot=True)
    left = []
    for clock.forced in range(4):
        left.append(clock.left(0.0))
    assert left == [8.0, 8.0, 4.0, 4.0]


class Searching:
    """A policy that searches for `seconds` or by `playouts`, and actually `takes` some time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.playouts: int | None = None
        self.takes = 0.0
        self.searched: list[float] = []
        self.counted: list[int | None] = []

    def act(self, view: SeatView) -> int:
        """Decide, and record the time limit of the search."""
        self.searched.append(self.seconds)
        self.counted.append(self.playouts)
        sleep(self.takes)
        return first_legal(view)


class Slow:
    """A policy without a clock."""

    def act(self, view: SeatView) -> int:
        """Never return."""
        sleep(30)
        pytest.fail("the policy was not cut off")


def test_a_searching_policy_searches_less_if_there_is_less_time() -> None:
    policy, view = Searching(0.4), Game(seats=4, seed=1).view(0)
    budget = TimeBudget(policy)
    for within in (2.0, 0.2, 1.0):
        budget.act(view, within)
    assert policy.searched == [0.4, pytest.approx(0.14), 0.4]


def test_playouts_are_used_in_full_if_there_is_time() -> None:
    policy, view = Searching(0.05), Game(seats=4, seed=1).view(0)
    policy.playouts = 600
    policy.takes = 0.3
    budget = TimeBudget(policy)
    for within in (60.0, 0.4, 60.0):
        budget.act(view, within)
    assert policy.counted == [600, None, 600]
    assert policy.searched[1] == pytest.approx(0.28)
    assert (budget.decisions, budget.shortened) == (3, 1)


def test_a_policy_that_thinks_too_long_is_cut_off(capsys: pytest.CaptureFixture[str]) -> None:
    view = Game(seats=4, seed=1).view(0)
    assert view.in_mask(TimeBudget(Slow()).act(view, 0.1))
    assert "the policy failed (0.10 s of thinking are used up)" in capsys.readouterr().err
