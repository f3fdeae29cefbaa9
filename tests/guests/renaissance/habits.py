"""Habits of other servers: changes of the JSON objects that our server and its clients send."""

import json
from collections.abc import Callable
from typing import Any

from catan_env.guests.renaissance.native.cards import NUM_CARDS, NUM_LEADERS, NUM_TOKENS
from tests.guests.renaissance.in_memory import TO_CLIENT, House

Json = dict[str, Any]


class Numbered:
    """A server with ids of its own: `leader`, `card` and `token` give them by ours."""

    def __init__(self, number: Callable[[int], int]) -> None:
        self.leader, self.card, self.token = (
            {k: number(k) for k in range(size)} for size in (NUM_LEADERS, NUM_CARDS, NUM_TOKENS)
        )

    def sent(self, said: Json) -> Json:
        """A message of the server."""
        if said["type"] == "UpdateGame":
            self._whole_game(said)
        grid = said.get("devCardGrid", {}).get("topCards", {})
        for colour, row in grid.items():
            grid[colour] = [None if card is None else self.card[card] for card in row]
        if "devCards" in said:
            said["devCards"] = [self.card[card] for card in said["devCards"]]
        if "leaders" in said:
            said["leaders"] = [self.leader[leader] for leader in said["leaders"]]
        if "leader" in said:
            said["leader"] = self.leader[said["leader"]]
        if "actionToken" in said:
            said["actionToken"] = self.token[said["actionToken"]]
        return said

    def _whole_game(self, said: Json) -> None:
        numbers = {"leaderCards": self.leader, "developmentCards": self.card}
        for name, number in {**numbers, "actionTokens": self.token}.items():
            for piece in said.get(name, ()):
                piece["id"] = number[piece["id"]]
        for player in said["players"]:
            player["leadersHand"] = [self.leader[leader] for leader in player["leadersHand"]]
            player["devSlots"] = [[self.card[card] for card in slot] for slot in player["devSlots"]]

    def received(self, said: Json) -> Json:
        """A client's message, in our ids; unknown ones are -1."""
        ours = {theirs: leader for leader, theirs in self.leader.items()}
        if "leaders" in said:
            said["leaders"] = [ours.get(leader, -1) for leader in said["leaders"]]
        if "leader" in said:
            said["leader"] = ours.get(said["leader"], -1)
        return said


class WithIds(House):
    """A house whose server has ids of its own."""

    ids: Numbered

    def spelled(self, message: Any) -> list[bytes]:
        return [line_of(self.ids.sent(json.loads(TO_CLIENT.encode(message))))]

    def receive(self, line: int, data: bytes) -> None:
        super().receive(line, line_of(self.ids.received(json.loads(data))))


def line_of(said: Json) -> bytes:
    """The line of an object."""
    return json.dumps(said).encode() + b"\n"
