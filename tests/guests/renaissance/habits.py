"""Habits of other servers: changes of the JSON objects that our server and its clients send."""

import json
import random
from collections.abc import Callable
from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.native.cards import NUM_CARDS, NUM_LEADERS, NUM_TOKENS
from catan_env.net.room import Effect, Send
from tests.guests.renaissance.in_memory import TO_CLIENT, House

Json = dict[str, Any]
Row = list[int | None]
FORMS: dict[str, tuple[str, str, Callable[[Row], Any]]] = {
    "as at the real server": ("devCardGrid", "topCards", lambda row: [None, *row]),
    "nested": ("topCards", "grid", lambda row: [[None, *row]]),
    "nested without level 0": ("topCards", "grid", lambda row: [row]),
    "flat": ("topCards", "grid", lambda row: [None, *row]),
    "flat without level 0": ("topCards", "grid", lambda row: row),
    "one list per level": (
        "topCards",
        "grid",
        lambda row: [[] if card is None else [card] for card in row],
    ),
    "one list per level with level 0": (
        "topCards",
        "grid",
        lambda row: [[]] + [[] if card is None else [card] for card in row],
    ),
    "as in the whole game": ("topCards", "topCards", lambda row: [None, *row]),
    "with the text's inner name": ("devCardGrid", "grid", lambda row: [None, *row]),
    "null for a colour without cards": (
        "topCards",
        "grid",
        lambda row: row if any(card is not None for card in row) else None,
    ),
}
"""The names of the grid, and the form of a colour's three cards."""


def grid_in(form: str, top_cards: dict[str, list[int | None]]) -> dict[str, Any]:
    """The event of the top cards in that form; ours have level 0 in front."""
    outer, inner, write = FORMS[form]
    cards = {name: write(row[1:]) for name, row in top_cards.items()}
    return {
        "type": "UpdateDevCardGrid",
        outer: {"levelsCount": 3, "colorsCount": 4, inner: cards},
    }


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


OWN = {
    "no own activation": m.UpdateActivateLeader,
    "no own hand": m.UpdateLeadersHand,
    "no own slot": m.UpdateDevSlot,
}
"""Events that a server need not send to the player whose command is confirmed."""
NUMBERS: dict[str, Callable[[int], int]] = {
    "ids from 1": lambda k: k + 1,
    "large ids": lambda k: 10_000 + 37 * k + k % 5,
    "negative ids": lambda k: k - 3,
}
"""The ids of cards, leaders and tokens by ours, in the same order."""
NAMES = {"DISCOUNT": "Rebate", "DEPOT": "Warehouse", "PRODUCTION": "ExtraPower", "ZERO": "Marble"}
"""Other names of the types of leaders."""
GROUPS: tuple[tuple[str, ...], ...] = (
    *((name,) for name in OWN),
    tuple(NUMBERS),
    ("null for empty", "nothing for empty"),
    tuple(FORMS),
    ("other leader types",),
    ("names of the text",),
    ("no set-up done",),
    ("goods owed by all",),
    ("only changes of player",),
    ("player later",),
    ("end later",),
)
"""Habits; of each group, a server has one at most."""


def drawn_habits(draw: random.Random) -> set[str]:
    """A random combination."""
    return {draw.choice(group) for group in GROUPS if draw.random() < 0.4}


class Habitual(House):
    """A house whose server has some of the habits; a command that it refuses may not come again."""

    def __init__(self, seed: int, habits: set[str]) -> None:
        super().__init__(seed)
        self.habits = habits
        numbers = [NUMBERS[name] for name in NUMBERS if name in habits]
        self.ids = Numbered(numbers[0]) if numbers else None
        self.last: dict[int, bytes] = {}
        self.refused: set[Any] = set()

    def do(self, effects: list[Effect]) -> None:
        later = [kind for name, kind in LATER.items() if name in self.habits]
        ends = [one.message.player for one in sends(effects, m.UpdateAction)
                if one.message.action == "END_TURN"]  # fmt: skip
        repeated = ends if "only changes of player" in self.habits else []
        said = [
            one
            for one in effects
            if not (isinstance(one, Send) and self._is_left_out(one, repeated))
        ]
        said.sort(key=lambda one: isinstance(one, Send) and isinstance(one.message, tuple(later)))
        for one in sends(said, m.ERRORS):
            self._note_refusal(one.line, one.message)
        super().do(said)

    def _is_left_out(self, send: Send, repeated: list[str]) -> bool:
        message, agent = send.message, self.agents.get(send.line)
        if isinstance(message, m.UpdateSetupDone):
            return "no set-up done" in self.habits
        if isinstance(message, m.UpdateCurrentPlayer):
            return message.player in repeated
        own = tuple(kind for name, kind in OWN.items() if name in self.habits)
        return agent is not None and agent._awaited is not None and isinstance(message, own)

    def _note_refusal(self, line: int, error: Any) -> None:
        table = self.room._guests[line].table
        if table is not None:
            refused = line, int(table.game.state["turn"]), self.last.get(line)
            assert refused not in self.refused, (error, refused)
            self.refused.add(refused)

    def receive(self, line: int, data: bytes) -> None:
        said = json.loads(data)
        self.last[line] = line_of(self.ids.received(said) if self.ids else said)
        super().receive(line, self.last[line])

    def spelled(self, message: Any) -> list[bytes]:
        said = json.loads(TO_CLIENT.encode(message))
        if self.ids:
            said = self.ids.sent(said)
        self._respell_game(said)
        self._rename(said)
        for form in FORMS:
            if form in self.habits and said["type"] == "UpdateDevCardGrid":
                said = grid_in(form, said["devCardGrid"]["topCards"])
        if self.habits & {"null for empty", "nothing for empty"}:
            said = without_empties(said)
        return [line_of(without_nulls(said) if "nothing for empty" in self.habits else said)]

    def _respell_game(self, said: Json) -> None:
        for card in said.get("leaderCards", ()) if "other leader types" in self.habits else ():
            card["leaderType"] = NAMES[card["leaderType"]]
        for player in said.get("players", ()) if "goods owed by all" in self.habits else ():
            player["setup"]["hasChosenResources"] &= bool(player["setup"]["initialResources"])

    def _rename(self, said: Json) -> None:
        if "names of the text" not in self.habits:
            return
        names = {"devSlot": "slot", "devCards": "cards", "vaticanSection": "id"}
        if said["type"] in ("UpdateCurrentPlayer", "UpdatePlayerStatus"):
            names["player"] = "nickname"
        if said["type"] == "UpdateFaithPoints":
            said["type"] = "UpdateFaithTrack"
        for ours, theirs in names.items():
            if ours in said:
                said[theirs] = said.pop(ours)


LATER = {"player later": m.UpdateCurrentPlayer, "end later": m.UpdateGameEnd}


def sends(effects: list[Effect], kinds: Any) -> list[Send]:
    """The messages of some types among effects."""
    return [one for one in effects if isinstance(one, Send) and isinstance(one.message, kinds)]


def without_empties(value: Any) -> Any:
    """The same JSON with null for each empty map or list in it."""
    if isinstance(value, dict):
        return {key: without_empties(one) for key, one in value.items()} or None
    return [without_empties(one) for one in value] or None if isinstance(value, list) else value


def without_nulls(value: Any) -> Any:
    """The same JSON without the fields that are null."""
    if isinstance(value, dict):
        return {key: without_nulls(one) for key, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value
