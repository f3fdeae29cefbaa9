"""Lobbies of other servers, which refuse a colour in their own words, at their own time (6.1)."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from catan_env.protocols.catan_german import words
from tests.protocols.german.in_memory import LineAgent, random_policy
from tests.protocols.german.test_agent import line_of, status

ME = 2
TAKEN = (words.COLOUR_TAKEN, "Die Farbe ist schon weg", "Nein!")
FORMS = (("Fehler",), ("Serverantwort",), ("Fehler", "Serverantwort"))
"""The messages of a refusal."""
TIMES = ("Spieler", "Spiel starten")


def refusal(form: str, text: str) -> bytes:
    if form == "Fehler":
        return line_of(form, Meldung=text)
    return msgspec.json.encode({form: text}) + b"\n"


class Lobby:
    """A server where others have the first colours, which it does not announce."""

    def __init__(self, at: str, forms: tuple[str, ...], text: str, confirms: bool) -> None:
        self.at, self.forms, self.text, self.confirms = at, forms, text, confirms
        self.taken = words.COLOURS[:3]
        self.colour: str | None = None
        self.is_ready = False
        self.heard: list[tuple[float, str]] = []
        self.agent = LineAgent(random_policy(1), "Ada", chance=Random(1))
        self.agent.receive(line_of("Hallo", Version="x", Protokoll="1.0"), 0.0)
        self.agent.receive(line_of("Willkommen", id=ME), 0.0)

    def play(self, seconds: float) -> "Lobby":
        """Pass the time until the agent has started, or the seconds are over."""
        now = 0.0
        self.take(self.agent.receive(status(ME, words.CHOOSING), now), now)
        while not self.is_ready and (now := self.agent.deadline or seconds) < seconds:
            self.take(self.agent.wait(now), now)
        return self

    def take(self, data: bytes, now: float) -> None:
        for line in data.splitlines():
            ((name, body),) = msgspec.json.decode(line).items()
            self.heard.append((now, name))
            self.take(self.agent.receive(b"".join(self.answers(name, body)), now), now)

    def answers(self, name: str, body: dict[str, Any]) -> Iterator[bytes]:
        if name == "Spieler":
            is_refused = self.at == name and body["Farbe"] in self.taken
            self.colour = self.colour if is_refused else body["Farbe"]
            if not is_refused and self.confirms:
                yield refusal("Serverantwort", words.OK)
        else:
            is_refused = self.colour is None or self.colour in self.taken
            if not is_refused:
                self.is_ready = True
                yield status(ME, words.READY)
        if is_refused:
            has_none = name == "Spiel starten" and self.colour is None
            text = "Keine Farbe gewählt" if has_none else self.text
            yield from (refusal(form, text) for form in self.forms)


@pytest.mark.parametrize(
    ("text", "form", "at", "confirms"), list(product(TAKEN, FORMS, TIMES, (True, False)))
)
def test_a_free_colour_is_found_however_the_others_are_refused(
    text: str, form: tuple[str, ...], at: str, confirms: bool
) -> None:
    lobby = Lobby(at, form, text, confirms).play(seconds=120)
    assert lobby.is_ready and lobby.colour == words.COLOURS[3]
    assert len(lobby.heard) <= 12, "four colours are few messages"


@pytest.mark.parametrize(("form", "at"), list(product(FORMS, TIMES)))
def test_the_usual_words_are_understood_without_a_long_pause(
    form: tuple[str, ...], at: str
) -> None:
    assert Lobby(at, form, words.COLOUR_TAKEN, True).play(seconds=9).is_ready


def test_a_start_that_was_only_lost_is_repeated_with_the_same_colour() -> None:
    agent = Lobby("Spieler", FORMS[0], TAKEN[0], True).agent
    agent.receive(status(ME, words.CHOOSING), 0.0)
    agent.receive(refusal("Serverantwort", words.OK), 0.1)
    assert msgspec.json.decode(agent.wait(10.1)) == {"Spiel starten": {}}
