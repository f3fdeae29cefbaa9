"""Clients written only from the protocol's page, without this package: JSON lines over a socket."""

import json
import random
import socket
from typing import Any

from tests.guests.renaissance.witness import Witness

GOODS = ("Coin", "Stone", "Servant", "Shield")
PATIENCE = 600.0
"""Seconds that an answer may take on a busy machine; requested heartbeats are sent."""


class Stranger:
    """One player, with a small picture of the game built from events alone."""

    def __init__(self, port: int, nickname: str, seats: int, seed: int = 0) -> None:
        self.port, self.nickname, self.seats = port, nickname, seats
        self.random = random.Random(seed)
        self.errors: list[dict[str, Any]] = []
        self.commands = self.bought = self.produced = 0
        self.has_ended = self.has_prepared = False
        self.connect()

    def connect(self) -> None:
        """Open a connection, say hello and send the name."""
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self.lines = self.socket.makefile("rb")
        self.witness = Witness()
        self.game: dict[str, Any] | None = None
        self.say("ReqWelcome")
        self.say("ReqJoin", nickname=self.nickname)

    def say(self, name: str, **fields: Any) -> None:
        self.socket.sendall(json.dumps({"type": name, **fields}).encode() + b"\n")

    def hear(self) -> dict[str, Any]:
        """The next message about a game; network requests are answered."""
        while True:
            line = self.lines.readline()
            if not line:
                raise ConnectionError("the server has closed the line")
            message: dict[str, Any] = json.loads(line)
            self.witness.hear(message)
            if message["type"] in ("ReqWelcome", "ReqHeartbeat"):
                self.say(message["type"].replace("Req", "Res"))
            elif message["type"] not in ("ResWelcome", "ResHeartbeat"):
                self.note(message)
                return message

    def until(self, *names: str) -> dict[str, Any]:
        """Receive messages until one of these types comes."""
        while (message := self.hear())["type"] not in names:
            pass
        return message

    def note(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        is_first = kind == "UpdateBookedSeats" and message["canPrepareNewGame"] == self.nickname
        if is_first and not self.has_prepared:
            self.has_prepared = True
            self.say("ReqNewGame", playersCount=self.seats)
        elif kind == "UpdateGame":
            self.game, self.has_prepared = message, True  # prepare no other game
            self.boxes = {box["id"]: box["content"] for box in message["resContainers"]}
            self.current, self.is_done = message["currentPlayer"], message["isMandatoryActionDone"]
            self.is_playing = message["isSetupDone"]
            self.slots = [list(cards) for cards in self.me["devSlots"]]
            self.market, self.grid = message["market"], message["devCardGrid"]["topCards"]
            self.active = [one["id"] for one in message["leaderCards"] if one["active"]]
        elif kind.startswith("Err"):
            self.errors.append(message)
        elif self.game is not None:
            self.note_event(kind, message)

    def note_event(self, kind: str, message: dict[str, Any]) -> None:
        if kind == "UpdateResourceContainer":
            self.boxes[message["resContainer"]["id"]] = message["resContainer"]["content"]
        elif kind == "UpdateCurrentPlayer":
            self.current, self.is_done = message["player"], False
        elif kind == "UpdateSetupDone":
            self.is_playing = True
        elif kind == "UpdateMarket":
            self.market = message["market"]
        elif kind == "UpdateDevCardGrid":
            self.grid = message["devCardGrid"]["topCards"]
        elif kind == "UpdateDevSlot" and message["player"] == self.nickname:
            self.slots[message["devSlot"]] = message["devCards"]
        elif kind == "UpdateGameEnd":
            self.has_ended = True

    @property
    def me(self) -> dict[str, Any]:
        """This player's entry of UpdateGame."""
        assert self.game is not None
        return next(one for one in self.game["players"] if one["nickname"] == self.nickname)

    def set_up(self) -> None:
        """Keep the first two leaders; as many coins as are owed, on the last shelf."""
        setup = self.me["setup"]
        if not setup["hasChosenLeaders"]:
            self.ask("ReqChooseLeaders", leaders=self.me["leadersHand"][:2])
        if setup["initialResources"] and not setup["hasChosenResources"]:
            shelf = str(self.me["warehouseShelves"][2])
            self.ask("ReqChooseResources", shelves={shelf: {"Coin": setup["initialResources"]}})

    def ask(self, name: str, **fields: Any) -> bool:
        """Send a request; True if it was granted."""
        self.commands += 1
        before = len(self.errors)
        self.say(name, **fields)
        while True:
            message = self.hear()
            if message["type"] == "UpdateAction" and message["player"] == self.nickname:
                return True
            if len(self.errors) > before:
                return False

    def take_turn(self) -> None:
        """Buy an affordable card, else sometimes use base production, else the market."""
        if not self.is_done:
            if self.buy() or self.produce():
                pass
            else:
                assert self.take_from_market(), self.errors[-1]
        self.is_done = True
        assert self.ask("ReqEndTurn"), self.errors[-1]

    def held(self) -> dict[str, dict[str, int]]:
        """Pieces in each of its containers that is not empty, by id."""
        mine = [*self.me["warehouseShelves"], self.me["strongbox"]]
        return {str(box): dict(self.boxes[box]) for box in mine if self.boxes.get(box)}

    def payment(self, cost: dict[str, int]) -> dict[str, dict[str, int]] | None:
        """Containers that pay a cost, or None."""
        taken: dict[str, dict[str, int]] = {}
        owed = {name: count for name, count in cost.items() if count}
        for box, content in self.held().items():
            for name, count in content.items():
                pieces = min(count, owed.get(name, 0))
                if pieces:
                    taken.setdefault(box, {})[name] = pieces
                    owed[name] -= pieces
        return taken if not any(owed.values()) else None

    def buy(self) -> bool:
        assert self.game is not None
        for colour, cards in self.grid.items():
            for level in (3, 2, 1):
                slots = [k for k, cards in enumerate(self.slots) if len(cards) == level - 1]
                if cards[level] is None or not slots:
                    continue
                cost = self.game["developmentCards"][cards[level]]["cost"]["requirements"]
                paid = self.payment(cost)
                if paid is not None:
                    self.bought += 1
                    return self.ask("ReqBuyDevCard", color=colour, level=level,
                                    devSlot=slots[0], resContainers=paid)  # fmt: skip
        return False

    def produce(self) -> bool:
        held = [
            (box, name)
            for box, all in self.held().items()
            for name in all
            for _ in range(all[name])
        ]
        if len(held) < 5 or self.random.random() < 0.5:
            return False
        taken: dict[str, dict[str, int]] = {}
        for box, name in held[:2]:
            taken.setdefault(box, {})[name] = taken.get(box, {}).get(name, 0) + 1
        request = {
            "production": self.me["baseProduction"],
            "inputContainers": taken,
            "inputNonStorableRep": {},
            "outputRep": {self.random.choice(GOODS): 1},
        }
        self.produced += 1
        return self.ask("ReqActivateProductions", prodRequests=[request])

    def take_from_market(self) -> bool:
        """A random line; each kind onto its shelf, or the largest empty one that takes some."""
        is_row = self.random.random() < 0.5
        index = self.random.randrange(3 if is_row else 4)
        grid = self.market["grid"]
        drawn = grid[index] if is_row else [row[index] for row in grid]
        shelves = self.me["warehouseShelves"]
        placed: dict[str, dict[str, int]] = {}
        contents = [dict(self.boxes[shelf]) for shelf in shelves]
        for name in GOODS:
            count = drawn.count(name)
            own = [k for k in range(3) if contents[k].get(name)]
            free = [k for k in (2, 1, 0) if not contents[k]]
            for k in (own or free)[:1]:
                pieces = min(count, k + 1 - sum(contents[k].values()))
                if pieces > 0:
                    placed[str(shelves[k])] = {name: pieces}
                    contents[k][name] = contents[k].get(name, 0) + pieces
        return self.ask(
            "ReqTakeFromMarket", isRow=is_row, index=index, replacements={}, shelves=placed
        )

    def play(self, drops: float = 0.0) -> None:
        """Play to the end; before each turn the line breaks with probability `drops`."""
        while not self.has_ended:
            if self.game is None:
                self.until("UpdateGame")
                if not self.is_playing:
                    self.set_up()
            elif self.is_playing and self.current == self.nickname:
                if self.random.random() < drops:
                    self.drop()
                else:
                    self.take_turn()
            else:
                self.hear()
        self.leave()

    def drop(self) -> None:
        """Break the line and return under the same name.

        Leaving in the game's last turn ends it, and the player returns to the waiting list.
        """
        self.lines.close()
        self.socket.close()
        while True:
            self.connect()
            heard = self.until("UpdateGame", "ErrNickname", "UpdateBookedSeats")["type"]
            if heard != "ErrNickname":
                self.has_ended = heard == "UpdateBookedSeats"
                return
            self.errors.pop()  # the server has not noticed yet that the old line is gone
            self.socket.close()

    def leave(self) -> None:
        self.say("ReqQuit")
        self.until("ResQuit")
        self.say("ReqGoodbye")
        self.until("ResGoodbye")
        self.socket.close()
