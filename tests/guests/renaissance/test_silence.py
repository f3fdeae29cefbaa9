"""Servers that are slow or lose messages, and agents that think for a long time."""

from typing import Any

import numpy as np
import pytest

from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import LINGER, PARTING, Agent
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.state import NOBODY
from catan_env.guests.renaissance.policies import Greedy, Random
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import RenaissanceRoom
from catan_env.guests.renaissance.view import SeatView
from catan_env.kernel.memory import doorway
from catan_env.net.room import Close, Effect
from catan_env.net.watchdog import PATIENCE
from tests.guests.renaissance.in_memory import House, seat_checked
from tests.slow import Player, SlowWorld


class Thinking(Agent):
    """An agent whose commands take that many seconds to decide."""

    player: Player
    seconds = 0.0

    def _think(self, view: SeatView) -> list[int]:
        self.player.clock += self.seconds
        return super()._think(view)


def seat_thinking(world: SlowWorld, seats: int, seconds: float) -> list[Thinking]:
    agents = []
    for k in range(seats):
        agent = Thinking(f"p{k}", Random(seed=10 * seats + k), seats)
        agent.seconds = seconds
        agent.player = Player(agent)
        world.seat(agent.player)
        agents.append(agent)
    return agents


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_slow_decisions_over_slow_lines_are_never_refused(seats: int) -> None:
    """Six seconds of thought, twice the silence allowed to a server: each command is sent once."""
    room = RenaissanceRoom(Records(), seed=seats)
    world = SlowWorld(room)
    agents = seat_thinking(world, seats, 2 * PATIENCE)
    world.run(20_000.0)
    assert all(agent.is_done and agent.has_ended and not agent.refusals for agent in agents)
    for agent in agents:
        commands = [one for one in agent.player.said if isinstance(one, COMMANDS)]
        done = [
            one
            for one in agent.player.heard
            if isinstance(one, m.UpdateAction) and one.player == agent.follower.nickname
        ]
        assert len(commands) == len(done) > 10


COMMANDS = tuple(kind for kind in m.COMMANDS if kind not in (m.ReqJoin, m.ReqNewGame, m.ReqQuit))


class Losing(House):
    """A server that loses messages as the AM49 server does when lists change while it reads them.

    A `share` of the messages of `kinds` is lost, never two in a row.
    """

    def __init__(self, seed: int, kinds: tuple[type[Any], ...], share: float) -> None:
        super().__init__(seed)
        self.kinds, self.share, self.lost = kinds, share, 0
        self._just_lost: set[int] = set()

    def do(self, effects: list[Effect]) -> None:
        super().do([effect for effect in effects if not self._loses(effect)])

    def _loses(self, effect: Effect) -> bool:
        if isinstance(effect, Close) or not isinstance(effect.message, self.kinds):
            return False
        loses = effect.line not in self._just_lost and self.random.random() < self.share
        self.lost += loses
        (self._just_lost.add if loses else self._just_lost.discard)(effect.line)
        return loses

    def play_out(self) -> None:
        for _ in range(200_000):
            for line in [line for line, agent in self.agents.items() if agent.is_done]:
                self.drop(line)
            if not self.agents:
                return
            if not self.step():
                self.wait(PATIENCE)
            self.reconnect_lost()
        raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    "kinds",
    [
        (m.UpdateGameEnd,),
        (m.UpdateAction,),
        (m.UpdateCurrentPlayer,),
        (m.ResQuit, m.ResGoodbye),
        (m.UpdateBookedSeats, m.UpdateJoinGame),
        (m.UpdateGame,),
        (m.UpdateVictoryPoints, m.UpdateMarket, m.UpdateResourceContainer),
    ],
    ids=lambda kinds: kinds[0].__name__,
)
def test_an_agent_continues_and_leaves_after_losing_messages(kinds: tuple[type[Any], ...]) -> None:
    shares = {m.UpdateGameEnd: 1.0, m.ResQuit: 1.0, m.UpdateBookedSeats: 1.0, m.UpdateGame: 0.9}
    share = shares.get(kinds[0], 0.1)
    for seed in range(4):
        house, seats = Losing(seed, kinds, share), 1 + (seed + 1) % 4
        agents = [Agent(f"p{k}", Random(seed=9 * seed + k), seats) for k in range(seats)]
        for agent in agents:
            house.connect(agent)
        house.play_out()
        assert house.lost and all(agent.is_done and agent.has_ended for agent in agents)
        assert not house.room.tables


def test_an_agent_leaves_after_the_last_action() -> None:
    """Until then the server may still be announcing the end to others."""
    house = House(3)
    agent = seat_checked(house, 2, 3)[0]
    while not agent.follower.names:
        assert house.step()
    assert agent.received(m.UpdateGameEnd("p1"), 9.0) == []
    assert agent.received(m.UpdateAction("p1", "END_TURN"), 9.1) == [m.ReqQuit()]
    assert agent.has_ended and not agent.has_missed_end


def test_leaving_ends_even_without_answers() -> None:
    house = House(3)
    agent = seat_checked(house, 2, 3)[0]
    while not agent.follower.names:
        assert house.step()
    agent.received(m.UpdateGameEnd("p1"), 1.0)
    assert agent.deadline == 1.0 + LINGER and agent.time(1.0 + LINGER) == [m.ReqQuit()]
    assert agent.time(2.0 + PARTING) == [m.ReqGoodbye()] and not agent.is_done
    assert agent.time(2.0 + 2 * PARTING) == [] and agent.is_done


def test_an_end_of_turn_without_the_next_player_is_asked_about() -> None:
    house = House(3)
    agents = seat_checked(house, 2, 3)
    while not agents[0].follower.names or not agents[0].follower.state["is_playing"]:
        assert house.step()
    off_turn = next(agent for agent in agents if not agent.follower.decides)
    (other,) = (agent for agent in agents if agent is not off_turn)
    off_turn.received(m.UpdateAction(other.follower.nickname, "END_TURN"), 1.0)
    assert off_turn.time(1.0 + PATIENCE - 0.1) == [] and not off_turn.is_lost
    assert off_turn.time(1.0 + PATIENCE) == [] and off_turn.is_lost
    said = off_turn.opened(5.0)
    assert said[1:] == [m.ReqJoin(off_turn.follower.nickname)] and not off_turn.is_lost


@pytest.mark.parametrize("is_told", [True, False])
def test_points_without_the_action_that_brought_them_are_asked_about(is_told: bool) -> None:
    """The end of a game counts points first; then one of its announcements may be lost."""
    house = House(3)
    agents = seat_checked(house, 2, 3)
    while not agents[0].follower.names or not agents[0].follower.state["is_playing"]:
        assert house.step()
    off_turn = next(agent for agent in agents if not agent.follower.decides)
    (other,) = (agent.follower.nickname for agent in agents if agent is not off_turn)
    off_turn.received(m.UpdateVictoryPoints(other, 9), 1.0)
    if is_told:
        off_turn.received(m.UpdateAction(other, "BUY_DEVELOPMENT_CARD"), 1.1)
    assert off_turn.time(1.1 + PATIENCE) == [] and off_turn.is_lost is not is_told


def test_a_game_that_has_ended_is_left() -> None:
    """The server says so in an error, or shows the game as it ended on a return."""
    house = House(3)
    agents = seat_checked(house, 2, 3)
    while not agents[0].follower.decides:
        assert house.step()
    assert agents[0].received(m.ErrAction("GAME_ENDED"), 1.0) == [m.ReqQuit()]
    assert agents[0].has_ended and agents[0].has_missed_end
    shown = [effect.message for effect in house.room.tables.pop()._snapshot(1)]
    (game,) = shown
    assert isinstance(game, m.UpdateGame)
    game.ended, game.winnerPlayer, game.isSetupDone = True, "p0", True
    assert agents[1].received(game, 1.0) == [m.ReqQuit()]


def test_a_connection_that_breaks_after_the_end_is_not_reopened() -> None:
    house = House(3)
    agents = seat_checked(house, 2, 3)
    while not agents[0].follower.decides:
        assert house.step()
    agents[0].closed(1.0)
    assert not agents[0].is_done, "the game still lasts"
    agents[0].received(m.UpdateGameEnd("p0"), 1.0)
    agents[0].closed(1.1)
    assert agents[0].is_done and agents[0].has_ended and not agents[0].has_missed_end


def test_a_refusal_of_everything_makes_the_agent_reload_the_game_once() -> None:
    house = House(3)
    agent = Agent("p0", Random(seed=3), 1)
    house.connect(agent)
    while not (agent.follower.is_in_game and agent.follower.state["is_playing"]):
        assert house.step()
    now, tried = 10.0, set()
    while not agent.is_lost:
        tried.add(tuple(agent._awaited or ()))
        agent.received(m.ErrBuyDevCard(True), now)
        now += 0.1
    assert len(tried) > 5
    agent.is_lost = False
    for _ in range(300):
        agent.received(m.ErrBuyDevCard(True), now)
        assert not agent.is_lost
        now += PATIENCE
        agent.time(now)
    assert agent._awaited is not None


def test_silence_counts_from_the_last_message() -> None:
    """The agent keeps waiting for a command that the server announces bit by bit."""
    house = House(3)
    agent = Agent("p0", Random(seed=3), 1)
    house.connect(agent)
    while not (agent.follower.is_in_game and agent.follower.state["is_playing"]):
        assert house.step()
    awaited = agent._awaited
    assert awaited is not None
    agent.received(m.UpdateFaithPoints(True, 1), 2.0)
    agent.received(m.ResHeartbeat(), 4.0)
    assert agent.time(4.9) == [] and agent._awaited is awaited
    assert agent.time(5.0) != [] and agent._awaited is not awaited


class Stubborn:
    """A policy that reads the rules of the position, and not its mask."""

    def act(self, view: SeatView) -> int:
        fresh = SeatView(view._array.copy())
        doors.renew_mask(doorway(fresh._array), 0)
        return int(np.flatnonzero(fresh.action_mask)[-1])


def test_a_refused_action_is_not_retried_even_if_the_policy_prefers_it() -> None:
    house, agent = House(3), Agent("p0", Stubborn(), 1)
    house.connect(agent)
    while not (agent.follower.is_in_game and agent.follower.state["is_playing"]):
        assert house.step()
    tried = []
    for turn in range(5):
        tried.append((agent._awaited or [NOBODY])[0])
        agent.received(m.ErrBuyDevCard(True), 10.0 + turn)
    assert len(set(tried)) == 5 and NOBODY not in tried


def test_greedy_chooses_among_what_its_mask_allows() -> None:
    """The best of the other actions, once the best was refused."""
    game, greedy = Game(2, seed=5), Greedy()
    while not game.is_playing:
        game.play(greedy.act(game.view(game.seat)))
    view, chosen = game.view(game.seat), []
    legal = set(np.flatnonzero(view.action_mask).tolist())
    for _ in range(len(legal)):
        chosen.append(greedy.act(view))
        view.state["mask"][chosen[-1]] = 0
    assert set(chosen) == legal and len(chosen) == len(legal)


def test_an_agent_without_a_limit_waits() -> None:
    house = House(3)
    agent = Agent("p0", Random(seed=3), 1, patience=0.0)
    house.connect(agent)
    while agent._awaited is None:
        assert house.step()
    assert agent.time(agent._heard + 12.4) == [] and agent._awaited is not None


def test_a_join_whose_answer_was_lost_still_prepares_the_game() -> None:
    agent = Agent("ann", Random(seed=1), 3)
    agent.present.clock = lambda: 0.0
    agent.opened(0.0)
    assert agent.time(PATIENCE) == [m.ReqJoin("ann")]
    assert agent.received(m.ErrNickname("ALREADY_SET"), 3.1) == [m.ReqNewGame(3)]
    assert agent.received(m.UpdateBookedSeats(2, "bob"), 3.2) == []
    assert agent.received(m.ErrNewGame(False), 3.3) == [] and not agent.is_lost
    assert agent.received(m.UpdateBookedSeats(2, "ann"), 60.0) == [m.ReqNewGame(3)]
    assert agent.received(m.UpdateBookedSeats(2, "ann"), 60.1) == []


def test_an_agent_whose_process_is_new_returns_to_the_game_that_it_would_prepare() -> None:
    """With seats to prepare a game for, ALREADY_SET may mean the waiting list, or a game."""
    house = Losing(3, (m.UpdateGame,), 0.0)
    agents = [Agent(f"p{k}", Random(seed=k), 2) for k in range(2)]
    lines = [house.connect(agent) for agent in agents]
    while not all(agent.follower.names for agent in agents):
        assert house.step()
    house.drop(lines[0])
    house.share = 0.9
    new = Agent("p0", Random(seed=5), 2)
    house.connect(new)
    house.play_out()
    assert house.lost and new.has_ended and agents[1].has_ended and not house.room.tables


def test_a_game_that_is_not_shown_once_its_seats_are_taken_is_asked_for() -> None:
    agent = Agent("ann", Random(seed=1))
    agent.present.clock = lambda: 0.0
    agent.opened(0.0)
    agent.received(m.UpdateBookedSeats(2, "bob"), 0.1)
    agent.received(m.UpdateJoinGame(3), 0.2)
    assert agent.time(9.0) == [] and not agent.is_lost, "a seat is free"
    agent.received(m.UpdateBookedSeats(3, "bob"), 10.0)
    assert agent.time(10.0 + PATIENCE - 0.1) == [] and not agent.is_lost
    assert agent.time(10.0 + PATIENCE) == [] and agent.is_lost
    assert m.ReqJoin("ann") in agent.opened(14.0) and not agent.is_lost


@pytest.mark.parametrize("has_returned", [True, False])
def test_a_game_that_is_not_shown_to_a_player_who_returns_is_asked_for(has_returned: bool) -> None:
    """Also to one whose process is new."""
    agent = Agent("ann", Random(seed=1))
    agent.present.clock = lambda: 0.0
    if has_returned:
        agent.opened(0.0)
        agent.received(m.UpdateBookedSeats(2, "bob"), 0.1)
    agent.opened(1.0)
    assert agent.time(1.0 + PATIENCE) == [m.ReqJoin("ann")] and not agent.is_lost
    assert agent.received(m.ErrNickname("ALREADY_SET"), 4.1) == [] and agent.is_lost
