"""An agent finishes its game at servers that send what the text allows and ours never does."""

import json
from typing import Any

import pytest

from catan_env.cli.renaissance import ending_of
from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.native.state import (
    ACTIVE,
    DISCARDED,
    EMPTY,
    IN_HAND,
    LORENZO,
    NOBODY,
)
from catan_env.guests.renaissance.policies import Random
from catan_env.guests.renaissance.spelling import WAYS, Spelling
from catan_env.net.room import Effect, Send
from tests.guests.renaissance.altered import Altered, in_a_game, play_compared, play_out
from tests.guests.renaissance.in_memory import House, seat_checked


class Revealing(Altered):
    """A server that sends all players the leaders activated so far, before or after the event."""

    is_before = False
    reveals = 0

    def said(self, line: int, message: Any) -> list[Any]:
        if not isinstance(message, m.UpdateActivateLeader):
            return [message]
        table = next(iter(self.room.tables))
        seat = table.game.turn_seat
        if table.lines[seat] == line:
            return [message]
        self.reveals += 1
        hand = m.UpdateLeadersHand(table.names[seat], table.game.active_leaders(seat))
        return [hand, message] if self.is_before else [message, hand]


@pytest.mark.parametrize("is_before", [False, True])
def test_leaders_activated_so_far_are_not_the_whole_hand(is_before: bool) -> None:
    """The text sends UpdateLeadersHand to others, too, when a leader is activated."""
    reveals = 0
    for seed in (2, 4, 5):
        house = Revealing(seed)
        house.is_before = is_before
        play_compared(house, 2 + seed % 3, seed)
        reveals += house.reveals
    assert reveals > 10


def test_a_revealed_leader_takes_the_place_of_a_hidden_one() -> None:
    _, (agent, other) = in_a_game()
    follower = agent.follower
    seat, name = follower.names.index("p1"), "p1"
    first, second = other.follower.state["leader"][other.follower.seat].tolist()
    states, leaders = follower.state["leader_state"][seat], follower.state["leader"][seat]
    follower.hear(m.UpdateCurrentPlayer(player=name))
    follower.hear(m.UpdateLeadersHand(name, [second]))
    assert sorted(leaders.tolist()) == [-1, second] and states.tolist() == [IN_HAND] * 2
    follower.hear(m.UpdateActivateLeader(first))
    follower.hear(m.UpdateActivateLeader(second))
    assert sorted(leaders.tolist()) == [first, second] and states.tolist() == [ACTIVE] * 2
    follower.hear(m.UpdateLeadersHand(name, [first]))
    assert DISCARDED not in states.tolist()


@pytest.mark.parametrize("hidden", [-1, 99])
def test_an_unknown_leader_in_the_hand_of_another_player_is_ignored(hidden: int) -> None:
    """A server may send a number for each hidden leader."""
    house, (agent, other) = in_a_game()
    shown = int(other.follower.state["leader"][other.follower.seat][0])
    for hand in ([hidden, hidden], [hidden, shown]):
        assert agent.received(m.UpdateLeadersHand("p1", hand), house.now) == []
        assert not agent.is_lost
    leaders = agent.follower.state["leader"][agent.follower.names.index("p1")]
    assert sorted(leaders.tolist()) == [EMPTY, shown]


class Colouring(Altered):
    """A server with another colour at the tokens without a colour, or at all of them."""

    colour = ""
    are_all = False

    def said(self, line: int, message: Any) -> list[Any]:
        if isinstance(message, m.UpdateGame):
            for token in message.actionTokens or ():
                if self.are_all or token.discardedDevCardColor is None:
                    token.discardedDevCardColor = self.colour
        return [message]


@pytest.mark.parametrize("colour", ["", "Black"])
def test_a_token_without_a_known_colour_has_the_effect_of_its_kind(colour: str) -> None:
    house = Colouring(3)
    house.colour = colour
    play_compared(house, 1, 3)


def test_tokens_of_an_unknown_colour_end_no_game() -> None:
    """The cards that they take are announced by the next UpdateDevCardGrid."""
    house = Colouring(3)
    house.colour, house.are_all = "Black", True
    agent = Agent("p0", Greedy(), 1)
    house.connect(agent)
    play_out(house, [agent])
    assert house.next_line == 1 and not agent.refusals


class Naming(Altered):
    """A server that names a winner of its own."""

    winner: str | None = "Lorenzo"

    def said(self, line: int, message: Any) -> list[Any]:
        is_end = isinstance(message, m.UpdateGameEnd)
        return [m.UpdateGameEnd(self.winner) if is_end else message]


NO_WINNER = "the game is over; the server did not announce its end to us"


@pytest.mark.parametrize("name", ["Lorenzo", None])
@pytest.mark.parametrize(
    ("seats", "winner", "ending"), [(1, LORENZO, "winner: Lorenzo"), (2, NOBODY, NO_WINNER)]
)
def test_a_winner_that_is_not_a_player_is_lorenzo_in_a_solo_game_or_unknown(
    seats: int, winner: int, ending: str, name: str | None
) -> None:
    house = Naming(3)
    house.winner = name
    agents = [Agent(f"p{k}", Random(seed=k), seats) for k in range(seats)]
    for agent in agents:
        house.connect(agent)
    play_out(house, agents)
    assert [int(agent.follower.state["winner"]) for agent in agents] == [winner] * seats
    assert [ending_of(agent) for agent in agents] == [ending] * seats


class SmallLetters(Altered):
    """A server whose names of goods and marbles begin with small letters."""

    def said(self, line: int, message: Any) -> list[Any]:
        if isinstance(message, m.UpdateMarket):
            return [m.UpdateMarket(small_market(message.market))]
        if isinstance(message, m.UpdateGame):
            message.market = small_market(message.market)
            for recipe in message.productions:
                recipe.input, recipe.output = small_map(recipe.input), small_map(recipe.output)
                recipe.outputBlanksExclusions = list(map(small, recipe.outputBlanksExclusions))
        return [message]


def small(name: str) -> str:
    return name[:1].lower() + name[1:]


def small_map(goods: m.Map) -> m.Map:
    return {small(name): count for name, count in goods.items()}


def small_market(market: m.Market) -> m.Market:
    rows = [list(map(small, row)) for row in market.grid]
    return m.Market(rows, small(market.replaceableResType), small(market.slide))


@pytest.mark.parametrize("seats", [1, 3])
def test_goods_may_begin_with_a_small_letter(seats: int) -> None:
    house = SmallLetters(seats)
    play_compared(house, seats, seats, Random)


class Literal(House):
    """A server that reads containers, and the names of productions, in one of the ways."""

    are_lists = False
    names: tuple[str, ...] = ()
    refusals = 0

    def receive(self, line: int, data: bytes) -> None:
        if self.is_readable(json.loads(data)):
            super().receive(line, data)
        else:
            self.refusals += 1
            self.do([Send(line, m.ErrProtocol("unreadable"))])

    def is_readable(self, said: dict[str, Any]) -> bool:
        requests = said.get("prodRequests", ())
        boxes = [said[name] for name in ("shelves", "resContainers") if name in said]
        boxes += [one["inputContainers"] for one in requests]
        names = {name for one in requests for name in one} & {"id", "production"}
        are_right = all(isinstance(one, list) == self.are_lists for one in boxes)
        return are_right and (not requests or names == {*self.names})


@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize(("are_lists", "names"), WAYS)
def test_a_server_may_read_commands_in_one_way_only(
    seats: int, are_lists: bool, names: tuple[str, ...]
) -> None:
    house = Literal(seats)
    house.are_lists, house.names = are_lists, names
    play_compared(house, seats, seats)
    assert house.refusals <= 4 * seats, "each agent remembers the way"


class Defaulting(House):
    """A server that reads one name of productions, and takes 0 if it is missing, as Gson does."""

    name = "id"
    productions = 0

    def receive(self, line: int, data: bytes) -> None:
        said = json.loads(data)
        if "prodRequests" in said:
            said["prodRequests"] = [self.read(one) for one in said["prodRequests"]]
            self.productions += 1
        super().receive(line, json.dumps(said).encode() + b"\n")

    def read(self, request: dict[str, Any]) -> dict[str, Any]:
        others = {name: one for name, one in request.items() if name not in ("id", "production")}
        return {"id": request.get(self.name, 0), **others}


@pytest.mark.parametrize("name", ["id", "production"])
def test_a_production_has_both_of_its_names(name: str) -> None:
    """The text calls it id, its server production."""
    house = Defaulting(3)
    house.name = name
    agents = seat_checked(house, 3, 3, Greedy)
    play_out(house, agents)
    assert house.productions > 5 and not any(agent.refusals for agent in agents)


def test_a_command_refused_in_every_way_does_not_change_the_way_of_the_next() -> None:
    spelling, command = Spelling(), m.ReqBuyDevCard("Blue", 1, 0, {7: {"Coin": 2}})
    spelling.first(command)
    listed = spelling.next(command)
    assert spelling.first(command) == listed, "it was not refused"
    assert spelling.next(command) == command and spelling.next(command) is None
    assert spelling.first(command) == listed


class LateTurn(House):
    """A server that announces the next player after the end of the turn."""

    def do(self, effects: list[Effect]) -> None:
        super().do(sorted(effects, key=self.is_next_player))

    def is_next_player(self, effect: Effect) -> bool:
        return isinstance(effect, Send) and isinstance(effect.message, m.UpdateCurrentPlayer)


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_the_next_player_may_be_announced_after_the_end_of_the_turn(seats: int) -> None:
    house = LateTurn(seats)
    agents = seat_checked(house, seats, seats, Greedy)
    play_out(house, agents)
    assert house.next_line == len(agents)
    assert not any(agent.refusals for agent in agents)


WRONG = [
    m.UpdateActivateLeader(77),
    m.UpdateDevSlot("p0", devSlot=3, devCards=[1]),
    m.UpdateDevSlot("p0", devSlot=0, devCards=[1, 2, 3, 4]),
    m.UpdateDevSlot("p0", devSlot=0, devCards=[99]),
    m.UpdateFaithPoints(False, 400, "p0"),
    m.UpdateMarket(m.Market([["Coin"] * 4] * 2, "Zero", "Coin")),
    m.UpdateMarket(m.Market([["Gold"] * 4] * 3, "Zero", "Coin")),
    m.UpdateDevCardGrid(devCardGrid=m.DevCardGrid(3, 1, {"Pink": [None, 1, 2, 3]})),
]
"""Events that contradict the game, or cannot be read."""


@pytest.mark.parametrize("event", WRONG, ids=lambda event: type(event).__name__)
def test_after_an_event_that_cannot_be_followed_the_agent_returns(event: Any) -> None:
    """UpdateGame has everything, and the game continues to its end."""
    house, agents = in_a_game()
    assert agents[0].received(event, house.now) == [] and agents[0].is_lost
    house.reconnect_lost()
    assert not agents[0].is_lost
    play_out(house, agents)
    assert all(agent.follower.is_over for agent in agents)


class Demanding(Altered):
    """A server that waits for the choice of goods also of players that may choose none."""

    are_lists = False

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.owing: set[int] = set()
        self.held: list[Effect] = []
        """The end of the set-up, until then."""
        self.refused = 0

    def said(self, line: int, message: Any) -> list[Any]:
        if isinstance(message, m.UpdateGame) and not message.isSetupDone:
            name = self.agents[line].follower.nickname
            for player in message.players:
                has_none = not player.setup.initialResources
                player.setup.hasChosenResources &= not has_none
                if has_none and player.nickname == name:
                    self.owing.add(line)
        if self.owing and isinstance(message, m.UpdateSetupDone):
            self.held.append(Send(line, message))
            return []
        return [message]

    def receive(self, line: int, data: bytes) -> None:
        said = json.loads(data)
        if line not in self.owing or said["type"] != "ReqChooseResources":
            super().receive(line, data)
        elif isinstance(said["shelves"], list) != self.are_lists:
            self.refused += 1
            House.do(self, [Send(line, m.ErrProtocol("unreadable"))])
        else:
            assert not said["shelves"]
            self.owing.remove(line)
            done = m.UpdateAction(self.agents[line].follower.nickname, "CHOOSE_RESOURCES")
            House.do(self, [Send(line, done)])
            held, self.held = self.held, []
            House.do(self, held)


@pytest.mark.parametrize(("seats", "are_lists"), [(1, False), (2, True), (3, False)])
def test_a_server_may_wait_for_the_choice_of_no_goods(seats: int, are_lists: bool) -> None:
    house = Demanding(seats)
    house.are_lists = are_lists
    play_compared(house, seats, seats)
    assert house.refused == are_lists and not house.owing


class Flagging(Altered):
    """A server that says of all players that they have yet to choose, and takes its time."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.held: list[tuple[int, bytes]] = []
        self.is_slow = True

    def said(self, line: int, message: Any) -> list[Any]:
        for player in message.players if isinstance(message, m.UpdateGame) else ():
            player.setup.hasChosenResources = False
        return [message]

    def receive(self, line: int, data: bytes) -> None:
        is_first = self.agents[line].follower.names and not self.agents[line].follower.seat
        if self.is_slow and b"ReqChoose" in data and not is_first:
            self.held.append((line, data))
        else:
            super().receive(line, data)


def test_a_refused_choice_of_no_goods_changes_nothing() -> None:
    """It is made once, after silence, where the whole game says that it is owed."""
    house = Flagging(3)
    agents = seat_checked(house, 3, 3, Greedy)
    house.run()
    line, first = next(one for one in house.agents.items() if not one[1].follower.seat)
    assert first.time(house.now + 2.9) == []
    house.now += 3.0
    choices = first.time(house.now)
    assert choices == [m.ReqChooseResources({})]
    house.say(line, choices)
    house.run()
    assert first.refusals == [m.ErrAction("LATE_SETUP_ACTION")]
    assert first.time(house.now + 6.0) == []
    house.is_slow = False
    house.queue.extend(house.held)
    play_out(house, agents)
    assert house.next_line == len(agents) and all(agent.compared for agent in agents)
    assert len(first.refusals) == 1
