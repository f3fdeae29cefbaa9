"""An agent reads another server's whole game, or says what cannot be read in it."""

import json
from typing import Any

import pytest

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.policies import Random
from catan_env.net.errors import RemoteProtocolError
from tests.covering import covering
from tests.guests.renaissance.altered import Altered, in_a_game, play_compared, play_out
from tests.guests.renaissance.habits import (
    NAMES,
    NUMBERS,
    Numbered,
    WithIds,
    line_of,
    without_empties,
    without_nulls,
)
from tests.guests.renaissance.in_memory import TO_CLIENT, House, seat_checked


def test_a_whole_game_that_cannot_be_read_is_the_peers_error() -> None:
    class Gold(Altered):
        def said(self, line: int, message: Any) -> list[Any]:
            if isinstance(message, m.UpdateGame):
                message.market = m.Market([["Gold"] * 4] * 3, "Zero", "Coin")
            return [message]

    with pytest.raises(RemoteProtocolError, match="UpdateGame cannot be read: 'Gold' is not"):
        seat_checked(Gold(1), 1, 1)[0].house.run()


class Hiding(House):
    """A server that shows the leaders of others, and a report without winners, in its own form."""

    form = "null"
    without_winners = 0

    def spelled(self, message: Any) -> list[bytes]:
        said = json.loads(TO_CLIENT.encode(message))
        for player in said.get("players", ()):
            if len(player["leadersHand"]) < player["leadersHandCount"]:
                self.hide(player)
        if said.get("bonusGivenPlayers") == []:
            self.without_winners += 1
            said["bonusGivenPlayers"] = None
        if self.form == "absent":
            said = without_nulls(said)
        return [json.dumps(said).encode() + b"\n"]

    def hide(self, player: dict[str, Any]) -> None:
        """Hide a hand, or each of its hidden leaders."""
        shown = player["leadersHand"]
        hidden = [None] * (player["leadersHandCount"] - len(shown))
        player["leadersHand"] = [*shown, *hidden] if self.form == "nulls" else None


@pytest.mark.parametrize(("form", "seats"), covering(["null", "absent", "nulls"], [2, 3, 4]))
def test_the_leaders_of_others_may_be_left_out_of_the_whole_game(form: str, seats: int) -> None:
    """The text hides them until they are activated, and does not say in what form."""
    house = Hiding(seats)
    house.form = form
    play_compared(house, seats, seats)


@pytest.mark.parametrize("form", ["null", "absent"])
def test_a_report_whose_tile_no_player_wins_may_name_none(form: str) -> None:
    without_winners = 0
    for seed in range(4):
        house = Hiding(seed)
        house.form = form
        play_out(house, seat_checked(house, 1, seed, Greedy))
        without_winners += house.without_winners
    assert without_winners


@pytest.mark.parametrize("leaders", [None, [3, None]])
def test_our_own_leaders_must_be_shown(leaders: Any) -> None:
    house, agents = in_a_game()
    own = m.UpdateLeadersHand(agents[0].follower.nickname, leaders)
    before = agents[0].follower.state["leader_state"].tolist()
    assert agents[0].received(own, house.now) == [] and agents[0].is_lost
    assert agents[0].follower.state["leader_state"].tolist() == before


def test_the_client_that_may_prepare_a_game_may_be_left_out() -> None:
    agent = Agent("ann", Greedy(), 2)
    agent.opened(0.0)
    line = bytearray(b'{"type":"UpdateBookedSeats","bookedSeats":2,"canPrepareNewGame":null}\n')
    decoded = TO_CLIENT.decode(line)
    assert decoded is not None
    assert agent.received(decoded[0], 1.0) == []
    assert agent.time(5.0) == [], "it has joined"


CARDS: list[tuple[str, str, Any, str]] = [
    ("developmentCards", "id", 5, "id of developmentCards is 5; allowed are different ones"),
    ("developmentCards", "color", "Red", "color of developmentCards is 'Red'; allowed are Blue, "),
    ("developmentCards", "production", 999, "production of developmentCards is 999; allowed are "),
    ("leaderCards", "id", 16, "id of leaderCards is 16; allowed are different ones"),
    ("leaderCards", "containerId", 999, "containerId of leaderCards is 999; allowed are "),
    ("leaderCards", "production", 999, "production of leaderCards is 999; allowed are "),
]
"""Cards that are none of the game's: the list in UpdateGame, field, value and reason."""


@pytest.mark.parametrize(("cards", "field", "value", "reason"), CARDS)
def test_a_card_that_is_none_of_the_games_is_named_with_its_field(
    cards: str, field: str, value: Any, reason: str
) -> None:
    class Wrong(House):
        def spelled(self, message: Any) -> list[bytes]:
            said = json.loads(TO_CLIENT.encode(message))
            for card in said.get(cards, ()):
                card[field] = value
            return [json.dumps(said).encode() + b"\n"]

    with pytest.raises(RemoteProtocolError, match=f"UpdateGame cannot be read: .*{reason}"):
        seat_checked(Wrong(1), 1, 1)[0].house.run()


UNREADABLE: list[tuple[str, Any, str]] = [
    ("faithPoints", None, r"Expected `int`, got `null` - at `\$.players\[0\].faithPoints`"),
    ("setup", {}, r"missing required field `chosenLeadersCount` - at `\$.players\[0\].setup`"),
    ("leadersHand", None, "the player's own leaders are hidden: None"),
    ("leadersHand", [1, 2, 3, None], r"leaders are hidden: \[1, 2, 3, None\]"),
]
"""A field of our own entry in UpdateGame, a value that it may not have, and the reason."""


@pytest.mark.parametrize(("field", "value", "reason"), UNREADABLE)
def test_a_whole_game_with_a_wrong_field_ends_the_agent_with_the_reason(
    field: str, value: Any, reason: str
) -> None:
    class Wrong(House):
        def spelled(self, message: Any) -> list[bytes]:
            said = json.loads(TO_CLIENT.encode(message))
            for player in said.get("players", ()):
                player[field] = value
            return [json.dumps(said).encode() + b"\n"]

    with pytest.raises(RemoteProtocolError, match=f"UpdateGame cannot be read: .*{reason}"):
        seat_checked(Wrong(1), 1, 1)[0].house.run()


class WithoutEmpties(House):
    """A server that writes null for every empty map or list, or leaves it out."""

    form = "null"
    hands = 0

    def spelled(self, message: Any) -> list[bytes]:
        self.hands += isinstance(message, m.UpdateLeadersHand) and not message.leaders
        said = without_empties(json.loads(TO_CLIENT.encode(message)))
        return [json.dumps(said if self.form == "null" else without_nulls(said)).encode() + b"\n"]


@pytest.mark.parametrize(("form", "seats"), covering(["null", "absent"], [1, 2, 4]))
def test_an_empty_map_or_list_may_be_null_or_left_out(form: str, seats: int) -> None:
    """The text writes `"content": {}`; Gson leaves nulls out or writes them."""
    hands = 0
    for seed in range(4):
        house = WithoutEmpties(seed)
        house.form = form
        play_compared(house, seats, seed, Random)
        hands += house.hands
    assert hands, "a player has discarded both leaders"


ANY = {**NUMBERS, "backwards": lambda k: -7 * k}


@pytest.mark.parametrize(("numbers", "seats"), covering(ANY, [1, 2, 4]))
def test_cards_leaders_and_tokens_may_have_any_ids(numbers: str, seats: int) -> None:
    """The whole game names them, and all other messages refer to it."""
    house = WithIds(seats)
    house.ids = Numbered(ANY[numbers])
    agents = [Agent(f"p{k}", Random(seed=k), seats) for k in range(seats)]
    for agent in agents:
        house.connect(agent)
    play_out(house, agents)
    assert house.next_line == seats and not any(agent.refusals for agent in agents)


@pytest.mark.parametrize("numbers", NUMBERS)
def test_the_lowest_id_is_the_first_card(numbers: str) -> None:
    """An observation is the same then, by whatever ids the server names its cards."""
    for seats in (1, 3):
        house = WithIds(seats)
        house.ids = Numbered(NUMBERS[numbers])
        play_compared(house, seats, seats)


def test_a_token_is_known_by_its_effect() -> None:
    """Also where ids below 7 name other tokens than at our server."""
    for seed in range(3):
        house = WithIds(seed)
        house.ids = Numbered(lambda k: k)
        house.ids.token = {k: (3 * k + 1) % 7 for k in range(7)}
        house.ids.token[1], house.ids.token[2] = sorted((house.ids.token[1], house.ids.token[2]))
        play_compared(house, 1, seed)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("suffix", ["", "Leader", "LeaderCard"])
def test_a_leader_of_an_unknown_type_is_known_by_its_fields(seats: int, suffix: str) -> None:
    """The text names only the DiscountLeader; ids of what a leader lacks may be those of others."""

    class Naming(House):
        def spelled(self, message: Any) -> list[bytes]:
            said = json.loads(TO_CLIENT.encode(message))
            for card in said.get("leaderCards", ()):
                card["leaderType"] = NAMES[card["leaderType"]] + suffix
                for field in ("containerId", "production"):
                    card[field] = 0 if card[field] < 0 else card[field]
            return [line_of(said)]

    play_compared(Naming(seats), seats, seats)


def test_too_many_cards_are_named() -> None:
    class Large(House):
        def spelled(self, message: Any) -> list[bytes]:
            said = json.loads(TO_CLIENT.encode(message))
            if "leaderCards" in said:
                said["leaderCards"].append({**said["leaderCards"][0], "id": 99})
            return [line_of(said)]

    with pytest.raises(RemoteProtocolError, match="17 leaderCards; allowed are 16 at most"):
        seat_checked(Large(1), 1, 1)[0].house.run()
