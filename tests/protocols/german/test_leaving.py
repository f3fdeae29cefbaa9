"""Connections lost in every state: the others receive what another server would send."""

import pytest

from catan_env.protocols.catan_german.agent import Agent
from tests.covering import covering
from tests.protocols.german.peers.chance import Chance
from tests.protocols.german.peers.leaving import LeavingServer
from tests.protocols.german.test_habits import Guests
from tests.protocols.german.test_same_words import SideBySide

VERSIONS = ("0.1", "0.2", "0.3", "1.0")
STATES = ("Spiel starten", "Wartet auf Spielbeginn", "Würfeln", "Karten wegen Räuber abgeben",
          "Räuber versetzen", "Handeln oder Bauen", "Angebot")  # fmt: skip
IN_SET_UP = ("Dorf bauen", "Straße bauen")


class Leaving(SideBySide):
    """Our room and the other server, with the same lost lines."""

    def __init__(self, version: str, seed: int, go_on: bool) -> None:
        super().__init__(version, 3, seed, 20 if version == "0.1" else 40, go_on=go_on)
        self.other: LeavingServer = LeavingServer(version, 3, self.chance, self.limit)
        self.other.goes_on = go_on

    def play_until(self, state: str) -> bool:
        """Play until a player is in that state, or an offer is open; True if it was reached."""
        while not self.room.is_over and not self.is_in(state):
            if not self.step():
                return False
        return not self.room.is_over

    def is_in(self, state: str) -> bool:
        """True if a player at the other server's table is in that state."""
        offer = self.other.play._offer
        statuses = [player.status for player in self.other.players]
        return offer is not None if state == "Angebot" else state in statuses

    def loser(self, state: str, step: int) -> int:
        """The line of the player in the state, or of one after it."""
        players = self.other.play.seats or self.other.players
        offer = self.other.play._offer
        at = [k for k, p in enumerate(players)
              if p.status == state or (offer is not None and p is offer.by)]  # fmt: skip
        return players[(at[0] + step) % len(players)].line

    def lose(self, line: int) -> None:
        """Close the line at both."""
        effects = self.room.closed(line, "gone", 0.0)
        self._todo = type(self._todo)(said for said in self._todo if said[0] != line)
        self.chance.hear(self._said(effects))
        self._compare(effects, self.other.lost(line))


@pytest.mark.parametrize(("version", "state"), covering(VERSIONS, STATES[2:] + IN_SET_UP))
def test_a_lost_connection_ends_the_game_with_the_same_messages(version: str, state: str) -> None:
    for step in range(3):
        table = Leaving(version, step, go_on=False)
        table.begin()
        if table.play_until(state):
            table.lose(table.loser(state, step))
            assert table.room.is_over and table.other.is_closed


@pytest.mark.parametrize(("version", "state"), covering(VERSIONS, STATES[2:]))
def test_the_others_continue_with_the_same_messages(version: str, state: str) -> None:
    table = Leaving(version, VERSIONS.index(version) + 3, go_on=True)
    table.begin()
    if table.play_until(state):
        table.lose(table.loser(state, STATES.index(state) % 3))
        table.go_on()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("state", STATES[:2])
def test_in_the_lobby_a_place_is_free_again_with_the_same_messages(
    version: str, state: str
) -> None:
    table = Leaving(version, 1, go_on=False)
    table.begin()
    assert table.play_until(state)
    table.lose(table.loser(state, 0))


class GoingOn(LeavingServer):
    """Another server at whose table the others continue."""

    goes_on = True


@pytest.mark.parametrize(("version", "state"), covering(VERSIONS, STATES[2:]))
def test_an_agent_continues_at_another_server_when_a_player_is_lost(
    version: str, state: str
) -> None:
    server = GoingOn(version, 3, Chance(STATES.index(state)), 20 if version == "0.1" else 40)
    table = Deserted(server, state).play()
    assert server.is_closed and table.decisions > 20
    late = {"Handel annehmen", "Handel abbrechen"}  # the offer ended with its player
    assert {name for name, _, _ in server.refused} <= late, server.refused
    assert not any(agent.follower.is_in_doubt for agent in table.there)
    if len(table.there) < 3:
        assert all(len(agent.follower.others) == 1 for agent in table.there)


class Deserted(Guests):
    """Close the line of the first seat that reaches a state."""

    def __init__(self, server: LeavingServer, state: str) -> None:
        super().__init__(server)
        self._state = state
        self._lost: int | None = None

    @property
    def there(self) -> list[Agent]:
        """The remaining players."""
        return [agent for line, agent in enumerate(self.agents) if line != self._lost]

    def _hear(self, heard: dict[int, bytes]) -> None:
        super()._hear({line: data for line, data in heard.items() if line != self._lost})
        players = self.server.play.seats
        offer = self.server.play._offer
        in_state = [p.line for p in players
                    if p.status == self._state or (offer and self._state == "Angebot")]  # fmt: skip
        if self._lost is None and self.server.play.turn > 1 and in_state:
            self._lost = in_state[0]
            self._todo = type(self._todo)(said for said in self._todo if said[0] != self._lost)
            self._hear(self.server.lost(self._lost))

    def _say(self, line: int, data: bytes) -> None:
        if line != self._lost:
            super()._say(line, data)
