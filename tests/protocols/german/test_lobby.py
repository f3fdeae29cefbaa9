"""The lobby: newcomers, colours, places and ids until the game begins."""

from typing import Any

import pytest

from catan_env import Game, Rules
from catan_env.net.room import Removal
from catan_env.protocols.catan_german.lobby import MOST_TALK, Guest
from catan_env.protocols.catan_german.messages import VERSIONS
from catan_env.protocols.catan_german.play import Settings
from catan_env.protocols.catan_german.room import GermanRoom
from tests.protocols.german.table import People, is_refused, names


def test_a_newcomer_receives_everything_about_all_players() -> None:
    people = People()
    people.come(0)
    assert names(people.heard[0]) == ["Hallo"]
    assert is_refused(people.say(0, "Spiel starten"))
    people.say(0, "Hallo", Version="x")
    people.come(1)
    people.say(1, "Hallo", Version="x")
    assert names(people.heard[1]) == ["Hallo", "Willkommen", "Statusupdate", "Statusupdate"]
    assert [b["Spieler"]["id"] for n, b in people.heard[1][2:]] == [1, 2]
    assert people.heard[0][-1][1]["Spieler"]["id"] == 2
    assert names(people.say(1, "Spieler", Name="B", Farbe="Rot")) == ["Statusupdate", "OK"]
    assert names(people.say(1, "Spiel starten")) == ["Statusupdate", "OK"]
    assert names(people.say(1, "Spiel starten")) == ["OK"]
    assert is_refused(people.say(1, "Spieler", Name="B", Farbe="Blau"))


def test_a_player_may_change_its_name_or_its_colour_alone() -> None:
    people = People()
    people.come(0)
    people.say(0, "Hallo", Version="x")
    for body, reason in (({"Name": "Ada"}, "Farbe"), ({"Farbe": "Rot"}, "Name"), ({}, "Name")):
        said = people.say(0, "Spieler", **body)
        assert is_refused(said) and said[0][1].startswith(f"{reason} fehlt"), said
    assert is_refused(people.say(0, "Spiel starten"))
    people.say(0, "Spieler", Name="Ada", Farbe="Rot")
    for body, shown in (({"Name": "Eva"}, ("Eva", "Rot")), ({"Farbe": "Blau"}, ("Eva", "Blau"))):
        (_, update), ok = people.say(0, "Spieler", **body)
        assert (update["Spieler"]["Name"], update["Spieler"]["Farbe"]) == shown
        assert names([ok]) == ["OK"]
    said = people.say(0, "Spieler", Farbe="rot")
    assert is_refused(said) and "Farbe" in said[0][1]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_waiting_players_colour_is_refused_at_the_start(version: str) -> None:
    people = People(version)
    for line in (0, 1):
        people.come(line)
        people.say(line, "Hallo", Version="x")
        people.say(line, "Spieler", Name="A", Farbe="Rot")
    people.say(0, "Spiel starten")
    said = people.say(1, "Spiel starten")
    assert said[0] == ("Fehler", {"Meldung": "Farbe bereits vergeben"})
    assert said[1:] == ([] if version == "1.0" else [("Serverantwort", "Farbe bereits vergeben")])
    people.say(1, "Spieler", Name="A", Farbe="Blau")
    assert names(people.say(1, "Spiel starten")) == ["Statusupdate", "OK"]


def test_in_the_lobby_id_and_colour_are_free_again() -> None:
    people = People()
    for line in (0, 1):
        people.come(line)
        people.say(line, "Hallo", Version="x")
        people.say(line, "Spieler", Name="A", Farbe=("Rot", "Blau")[line])
        people.say(line, "Spiel starten")
    people.leave(0)
    assert people.heard[1][-1][1]["Spieler"]["Status"] == "Verbindung verloren"
    people.come(2)
    assert ("Willkommen", {"id": 1}) in people.say(2, "Hallo", Version="x")
    people.say(2, "Spieler", Name="C", Farbe="Rot")
    assert names(people.say(2, "Spiel starten")) == ["Statusupdate", "OK"]


def test_a_client_without_a_free_place_is_turned_away() -> None:
    people = People(seats=2)
    for line in range(3):
        people.come(line)
    for line in range(3):
        people.say(line, "Hallo", Version="x")
    assert people.closed == [2]
    people.come(3)
    for line in range(2):
        people.say(line, "Spieler", Name="A", Farbe=("Rot", "Blau")[line])
        people.say(line, "Spiel starten")
    assert people.closed == [2, 3] and people.room.play is not None
    people.come(4)
    assert people.closed == [2, 3, 4]


def test_a_client_that_starts_no_game_blocks_no_place() -> None:
    """Ten seconds for Hallo, ten minutes to start; ready players may wait for hours."""
    people = People(seats=2)
    people.come(0)
    people.wait(9)
    people.come(1)
    people.say(1, "Hallo", Version="x")
    people.come(2)
    people.say(2, "Hallo", Version="x")
    people.say(2, "Spieler", Name="A", Farbe="Rot")
    people.say(2, "Spiel starten")
    people.wait(1)
    assert people.closed == [0]
    people.wait(598)
    assert people.closed == [0]
    people.wait(1)
    assert people.closed == [0, 1] and people.room.deadline is None
    assert people.heard[2][-1][1]["Spieler"]["Status"] == "Verbindung verloren"
    people.wait(20_000)
    people.come(3)
    for name, body in (("Hallo", {"Version": "x"}), ("Spieler", {"Name": "B", "Farbe": "Blau"})):
        people.say(3, name, **body)
    people.say(3, "Spiel starten")
    assert people.room.play is not None and people.closed == [0, 1]


def test_the_highest_roll_begins_and_ids_follow() -> None:
    people = People(seats=4).start()
    rolls = [body for name, body in people.heard[0] if name == "Würfelwurf"]
    totals = {body["Spieler"]: sum(body["Wurf"]) for body in rolls[:4]}
    first = people.room.seated[0].id
    assert totals[first] == max(totals.values())
    ids = [guest.id for guest in people.room.seated]
    assert ids == [(first - 1 + k) % 4 + 1 for k in range(4)]
    tail = [b["Spieler"] for n, b in people.heard[0] if n == "Statusupdate"][-4:]
    assert [p["Status"] for p in tail] == ["Warten"] * 3 + ["Dorf bauen"]


def test_places_that_are_not_reserved_follow_the_ids_not_the_rolled_seats() -> None:
    people = People(seats=4, seed=2).start()
    ids = [guest.id for guest in people.room.seated]
    assert ids[0] != 1, "the seed must let another player than the first begin"
    assert people.room.places == tuple(k - 1 for k in ids)


def with_agents(line: int, *, go_on: bool = True, seats: int = 2) -> People:
    """A lobby whose places are all reserved; only this line's agent has come, to place 1."""
    people = People(seats=seats)
    settings = Settings("1.0", go_on=go_on)
    people.room = GermanRoom(Game(seats, 1, Rules.base()), settings, reserved=seats)
    people.room.reserve(line, 1)
    people.come(line)
    return people


def test_an_agent_that_leaves_the_lobby_is_removed_and_its_opponent_wins() -> None:
    people = with_agents(4)
    people.say(4, "Hallo", Version="x")
    people.room.closed(4, "it closed its connection", people.now)
    assert people.room.removals == [Removal(1, 0, "it closed its connection")]
    assert people.room.is_over and people.room.winner == 0 and people.room.places == (0, 1)


def test_an_agent_that_never_comes_is_removed_and_its_opponent_wins() -> None:
    people = with_agents(4)
    people.room.leave(0, "its process exited with status 1", people.now)
    assert people.room.removals == [Removal(0, 0, "its process exited with status 1")]
    assert people.room.is_over and people.room.winner == 1


def test_an_agent_that_never_says_hallo_ends_the_wait_for_it() -> None:
    people = with_agents(4)
    people.wait(10)
    assert people.room.removals == [Removal(1, 0, "did not start the game")]
    assert people.closed == [4] and people.room.is_over and people.room.winner == 0


@pytest.mark.parametrize("how", [{"go_on": False}, {"seats": 3}])
def test_without_an_agent_a_game_that_others_cannot_continue_has_no_winner(how: Any) -> None:
    people = with_agents(4, **how)
    people.room.leave(1, "it hung up", people.now)
    assert people.room.removals == [Removal(1, 0, "it hung up")]
    assert people.room.is_over and people.room.winner is None


@pytest.mark.parametrize("place", [0, 1, 2])
def test_no_other_player_gets_the_id_of_a_later_agent(place: int) -> None:
    people = People()
    people.room = GermanRoom(Game(3, 1, Rules.base()), Settings("1.0"), reserved=1)
    for line in (0, 1):
        people.come(line)
        people.say(line, "Hallo", Version="x")
    people.room.reserve(2, place)
    people.come(2)
    people.say(2, "Hallo", Version="x")
    ids = [dict(people.heard[line])["Willkommen"]["id"] for line in (0, 1, 2)]
    assert len(set(ids)) == 3, ids


def test_an_agent_gets_the_id_of_its_place_although_a_guest_greets_first() -> None:
    people = People()
    people.room = GermanRoom(Game(3, 1, Rules.base()), Settings("1.0"), reserved=1)
    people.room.reserve(2, 1)
    for line in (2, 0, 1):
        people.come(line)
    for line in (0, 1, 2):
        people.say(line, "Hallo", Version="x")
    assert [dict(people.heard[line])["Willkommen"]["id"] for line in (0, 1, 2)] == [3, 4, 2]


def test_a_long_silence_saves_up_one_burst_of_messages() -> None:
    guest = Guest(line=0, came_at=0.0)
    assert sum(guest.may_talk(3600.0) for _ in range(1000)) == MOST_TALK
