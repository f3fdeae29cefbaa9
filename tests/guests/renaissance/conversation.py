"""A room without sockets, and the messages that its lines receive."""

from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import RenaissanceRoom
from catan_env.net.room import Close, Send
from tests.guests.renaissance.drawn import first_legal, market, shelves


class Conversation:
    """A room, with the messages that each line received in reply to the last one."""

    def __init__(self, records: Records | None = None, seed: int = 1) -> None:
        self.records = records or Records()
        self.room = RenaissanceRoom(self.records, seed=seed)
        self.now = 0.0
        self.heard: dict[int, list[Any]] = {}
        self.closed: list[int] = []

    def do(self, effects: list[Any]) -> None:
        self.heard = {}
        self.closed = [effect.line for effect in effects if isinstance(effect, Close)]
        for effect in effects:
            if isinstance(effect, Send):
                self.heard.setdefault(effect.line, []).append(effect.message)

    def open(self, *lines: int) -> None:
        for line in lines:
            self.do(self.room.opened(line, self.now))

    def say(self, line: int, message: Any) -> list[Any]:
        self.do(self.room.received(line, message, self.now))
        return self.heard.get(line, [])

    def join(self, *names: str) -> None:
        for line, name in enumerate(names):
            self.open(line)
            self.say(line, m.ReqJoin(name))

    @property
    def table(self) -> Any:
        return next(iter(self.room.tables))

    def line_of(self, seat: int) -> int:
        line = self.table.lines[seat]
        assert line is not None
        return line


def begun(seats: int = 2) -> Conversation:
    """A game in its set-up."""
    talk = Conversation()
    talk.join(*"abcd"[:seats])
    talk.say(0, m.ReqNewGame(seats))
    return talk


def playing(seats: int = 2) -> Conversation:
    """A game in its first turn, in which all seats are empty-handed; seat 0 is on turn."""
    talk = begun(seats)
    game = talk.table.game
    while not game.is_playing:
        game.play(first_legal(game))
    talk.table._kept = len(game.record()["marks"])
    game.state["faith"] = 0
    for seat in range(seats):
        shelves(game, seat)
    market(game, "CCHF SSV. HV..", ".")
    return talk


def on_turn(talk: Conversation, message: Any) -> Any:
    """The only answer to the seat on turn."""
    answers = talk.say(talk.line_of(talk.table.game.turn_seat), message)
    assert len(answers) == 1, answers
    return answers[0]
