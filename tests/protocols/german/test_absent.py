"""Seats whose connection is lost or whose time is over: the game ends, or the others continue."""

import pytest

from catan_env.protocols.catan_german.messages import VERSIONS
from tests.protocols.german.table import People, names


def test_the_last_player_of_a_set_up_is_announced_and_returned_as_the_winner() -> None:
    people = People(go_on=True).start()
    left = people.acting
    for line in {0, 1, 2} - {left}:
        assert people.room.winner is None
        people.leave(line)
    assert people.heard[left][-1][0] == "Spiel beendet" and people.room.is_over
    seat = [guest.line for guest in people.room.seated].index(left)
    assert people.heard[left][-1][1]["Sieger"] == people.room.seated[seat].id
    assert people.room.winner == seat and people.room.game.turn == 0


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("go_on", [False, True])
@pytest.mark.parametrize("moves", [0, 1, 3, 7, 12, 13, 14, 15, 16, 40])
def test_a_lost_connection_ends_the_game_or_the_others_continue(
    version: str, go_on: bool, moves: int
) -> None:
    for loser in range(3):
        people = People(version, go_on=go_on, max_turns=30).start()
        for _ in range(moves):
            people.act()
        people.leave(loser)
        other = (loser + 1) % 3
        assert "Verbindung verloren" in str(people.heard[other][-6:])
        if not go_on:
            assert people.room.is_over and people.room.winner is None
            ends = [body for name, body in people.heard[other] if name == "Spiel beendet"]
            assert ends == ([] if version == "0.1" else [{"Nachricht": "Spiel abgebrochen"}])
            continue
        while not people.room.is_over:
            assert people.acting != loser
            people.act()
        assert people.room.game.turn > 30 or people.room.winner is not None


def test_the_last_one_left_wins() -> None:
    people = People(go_on=True).start().act_until("MAIN")
    people.leave(0)
    people.leave(1)
    assert people.room.is_over
    assert people.heard[2][-1] == ("Spiel beendet", {"Nachricht": "P2 hat gewonnen", "Sieger": 3})


@pytest.mark.parametrize("version", VERSIONS)
def test_out_of_time_the_server_acts_and_after_three_decisions_the_seat_is_gone(
    version: str,
) -> None:
    people = People(version, timeout=60.0, go_on=True).start()
    line = people.acting
    people.wait(59)
    assert "Bauvorgang" not in names(people.heard[line])
    people.wait(1)
    assert names(people.heard[line])[-3:].count("Bauvorgang") == 1
    people.wait(60 * 100)
    assert people.room.is_over
    assert sorted(people.closed) == [0, 1, 2]
    assert [kick.reason[:8] for kick in people.room.removals] == ["it let t"] * 2
