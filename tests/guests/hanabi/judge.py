"""A Hanabi server on plain dictionaries, written only from the protocol in docs/hanabi.md.

It shares no code with the room that it judges, and has no views or action numbers.
"""

import json
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
Heard = tuple[int, Message | None]
"""A line and a message that it receives; None if it is closed."""

SUITS = ["BLUE", "GREEN", "RED", "WHITE", "YELLOW"]
NUMBERS = ["ONE", "TWO", "THREE", "FOUR", "FIVE"]
COPIES = [0, 0, 0, 1, 1, 2, 2, 3, 3, 4]
ACTIONS = {
    "HINT_COLOR_REQUEST": {"target_player": str, "color": SUITS},
    "HINT_NUMBER_REQUEST": {"target_player": str, "number": NUMBERS},
    "DISCARD_CARD_REQUEST": {"discarded_card_id": int},
    "PLAY_CARD_REQUEST": {"played_card_id": int},
}
FIELDS: dict[str, Any] = {"CONNECTION_REQUEST": {"name": str}, "GAME_START_REQUEST": {}, **ACTIONS}
OWN_WORDS = "..."
"""An explanation that the page leaves open."""


class Error(Exception):
    """A refusal with its explanation."""


class Judge:
    """One server; `order`: the fifty ids, first dealt first, `shown`: each one's id on the wire."""

    def __init__(self, dialect: str, order: list[int], shown: list[int]) -> None:
        self.dialect, self.order, self.shown = dialect, order, shown
        self.loose, self.old = dialect != "strict", dialect == "implemented"
        self.open: list[int] = []
        self.stopped = False
        self._lobby()

    def _lobby(self) -> None:
        self.players: list[tuple[int, str]] = []
        self.hands: list[list[Message]] = []
        self.deck, self.discards = list(self.order), []  # type: ignore[var-annotated]
        self.tops: dict[str, int] = {}
        self.tokens, self.errors, self.mover = 8, 0, 0
        self.turns: int | None = None
        self.running = self.over = False

    # Lines.

    def come(self, line: int) -> None:
        self.open.append(line)

    def go(self, line: int) -> list[Heard]:
        if line not in self.open:
            return []
        self.open.remove(line)
        mine = [player for player in self.players if player[0] == line]
        if self.old or not mine:
            return []
        self.players.remove(mine[0])
        if self.running:
            return self._game_over()
        return self._all(lambda line: {"msg_type": "CONNECTION_RESPONSE", "names": self._names()})

    def say(self, line: int, data: bytes) -> list[Heard]:
        """The messages received by each line after one line has sent a frame."""
        try:
            return self._answer(line, data)
        except Error as error:
            said = {"msg_type": "ERROR_RESPONSE", "explanation": str(error), "err_details": None}
            return [(line, said)]

    def _answer(self, line: int, data: bytes) -> list[Heard]:
        joined = line in [player[0] for player in self.players]
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise Error("The received message could not be read as a String.") from None
        if self.old and joined:
            self._turn(line)
        kind, fields = self._kind(text)
        self._presence(kind, joined)
        self._payload(kind, fields)
        if kind in ACTIONS and not self.old:
            if not self.running:
                raise Error(OWN_WORDS)
            self._turn(line)
        if kind == "CONNECTION_REQUEST":
            return self._join(line, fields["name"])
        return self._start() if kind == "GAME_START_REQUEST" else self._act(kind, fields)

    def _turn(self, line: int) -> None:
        if self.stopped or self.players[self.mover][0] != line:
            raise Error("Tried to send a request when it was someone else's turn.")

    def _kind(self, text: str) -> tuple[str, Message]:
        try:
            fields = json.loads(text)
        except ValueError:
            fields = None
        kind = fields.get("msg_type") if isinstance(fields, dict) else None
        if not isinstance(kind, str) or kind not in FIELDS:
            raise Error("The type of the message could not be read.")
        return kind, fields

    def _presence(self, kind: str, joined: bool) -> None:
        if kind != "CONNECTION_REQUEST":
            if not joined:
                raise Error("The Player is not yet connected.")
        elif joined:
            raise Error("The Player is already connected.")
        elif self.running or self.stopped:
            raise Error("Connection refused because the game has already started.")

    def _payload(self, kind: str, fields: Message) -> None:
        bad = Error("The payload of the received message could not be deserialized.")
        for name, wanted in FIELDS[kind].items():
            value = fields.get(name)
            if wanted is int:
                if self.old and isinstance(value, str) and value.isdigit():
                    value = fields[name] = int(value)
                if type(value) is not int or value < 0:
                    raise bad
            elif not isinstance(value, str) or (wanted is not str and value not in wanted):
                raise bad
        if kind == "CONNECTION_REQUEST" and not self.old and not 1 <= len(fields["name"]) <= 64:
            raise bad

    # The lobby.

    def _names(self) -> list[str]:
        return [name for _, name in (sorted(self.players) if self.old else self.players)]

    def _join(self, line: int, name: str) -> list[Heard]:
        if name in self._names():
            raise Error("A Player with the chosen name already exists.")
        if not self.old and len(self.players) == 5:
            raise Error(OWN_WORDS)
        if self.old:
            self._deal()
        self.players.append((line, name))
        self.mover = len(self.players) - 1
        return self._all(lambda line: {"msg_type": "CONNECTION_RESPONSE", "names": self._names()})

    def _deal(self) -> None:
        count = len(self.hands)
        if len(self.deck) + (3 if count == 3 else 0) < (5 if count < 3 else 4):
            raise Error("The deck has nor more cards.")
        if count == 3:
            self.deck += [hand.pop()["id"] for hand in self.hands]
        size = 5 if count < 3 else 4
        self.hands.append([self._fresh(number) for number in self.deck[:size]])
        self.deck = self.deck[size:]

    def _start(self) -> list[Heard]:
        if self.running:
            raise Error("The game cannot be started because it's started already.")
        if self.dialect == "strict" and len(self.players) < 2:
            raise Error(OWN_WORDS)
        if not self.old:
            for _ in self.players:
                self._deal()
            self.mover = len(self.players) - 1
        self.running = True
        return self._all(
            lambda line: {"msg_type": "GAME_START_RESPONSE", "game_state": self._state(line)}
        )

    # The game.

    def _act(self, kind: str, fields: Message) -> list[Heard]:
        if self.turns == 0:
            raise Error("Tried to make a turn pass when no turns are left.")
        who = self.players[self.mover][1]
        said: Callable[[int], Message]
        if kind.startswith("HINT"):
            word = fields.get("color") or fields["number"]
            self._hint(fields["target_player"], word)
            what = "hinted_color" if "COLOR" in kind else "hinted_number"
            facts = {
                "hinting_player": who, "target_player": fields["target_player"], what: word,
            }  # fmt: skip
            said = lambda line: facts  # noqa: E731
        else:
            said = self._use(kind, fields, who)
        if self.over:
            return self._game_over()
        name = kind.replace("REQUEST", "RESPONSE")
        return self._all(
            lambda line: {"msg_type": name, **said(line), "game_state": self._state(line)}
        )

    def _hint(self, target: str, word: str) -> None:
        try:
            self._check_hint(target, word)
        except Error:
            if self.old and not self.deck:
                self.turns = (len(self.players) if self.turns is None else self.turns) - 1
            raise
        hand = self.hands[[name for _, name in self.players].index(target)]
        side = "color" if word in SUITS else "number"
        for held in hand:
            if word in self._words(held["id"]):
                held["knows"].add(side)
                held["not"][side] = set()
            else:
                held["not"][side].add(word)
        self.tokens -= 1
        self._pass()

    def _check_hint(self, target: str, word: str) -> None:
        names = [name for _, name in self.players]
        if target not in names:
            raise Error("The given Player could not be found.")
        if self.tokens == 0:
            raise Error("Hint token count is zero, a hint cannot be played.")
        if names.index(target) == self.mover and not self.old:
            raise Error(OWN_WORDS)
        hand = self.hands[names.index(target)]
        if not self.loose and not any(word in self._words(held["id"]) for held in hand):
            raise Error(OWN_WORDS)

    def _use(self, kind: str, fields: Message, who: str) -> Callable[[int], Message]:
        wanted = fields.get("discarded_card_id", fields.get("played_card_id"))
        hand = self.hands[self.mover]
        places = [k for k, held in enumerate(hand) if self.shown[held["id"] - 1] == wanted]
        if not places:
            raise Error("The given Card cannot be found on the Player's hand.")
        plays = kind.startswith("PLAY")
        if not plays and self.tokens == 8 and not self.loose:
            raise Error(OWN_WORDS)
        gone = hand[places[0]]["id"]
        success = plays and self._place(gone)
        if not success:
            self.discards.append(gone)
            self.errors += plays
        if not plays:
            self.tokens = min(8, self.tokens + 1)
        drawn = self.deck.pop() if self.deck else None
        if drawn is None:
            del hand[places[0]]
        else:
            hand[places[0]] = self._fresh(drawn)
        line_of_drawer = self.players[self.mover][0]
        self._pass(was_last=drawn is not None and not self.deck)

        def said(line: int) -> Message:
            new = None if drawn is None else self._card(drawn, line == line_of_drawer)
            if plays:
                card = {"playing_player": who, "played_card": self._card(gone), "success": success}
            else:
                card = {"discarding_player": who, "discarded_card": self._card(gone)}
            return {**card, "drawn_card": new}

        return said

    def _place(self, number: int) -> bool:
        color, word = self._words(number)
        if self.tops.get(color, 0) != NUMBERS.index(word):
            return False
        self.tops[color] = NUMBERS.index(word) + 1
        if word == "FIVE":
            self.tokens = min(8, self.tokens + 1)
        return True

    def _pass(self, was_last: bool = False) -> None:
        count = len(self.players)
        if was_last:
            self.turns = None if self.old else count
        elif not self.deck:
            self.turns = (count if self.turns is None else self.turns) - 1
        self.mover = (self.mover + 1) % count
        complete = sum(self.tops.values()) == 25 and not self.loose
        self.over = self.errors == (4 if self.old else 3) or complete or self.turns == 0

    def _game_over(self) -> list[Heard]:
        score = sum(self.tops.values())
        if self.errors == 3 and not self.loose:
            score = 0
        heard = self._all(lambda line: {"msg_type": "GAME_OVER_RESPONSE", "score": score})
        joined = [line for line, _ in self.players]
        gone = [line for line in self.open if line in joined or not self.old]
        heard += [(line, None) for line in gone]
        self.open = [line for line in self.open if line not in gone]
        self._lobby()
        self.stopped = self.old
        return heard

    # Messages.

    def _all(self, said: Callable[[int], Message]) -> list[Heard]:
        joined = [line for line, _ in self.players]
        return [(line, said(line)) for line in self.open if self.loose or line in joined]

    def _fresh(self, number: int) -> Message:
        return {"id": number, "knows": set(), "not": {"color": set(), "number": set()}}

    def _words(self, number: int) -> tuple[str, str]:
        return SUITS[(number - 1) // 10], NUMBERS[COPIES[(number - 1) % 10]]

    def _card(self, number: int, hidden: bool = False) -> Message:
        color, word = self._words(number)
        if hidden and not self.loose:
            color = word = None  # type: ignore[assignment]
        return {"id": self.shown[number - 1], "color": color, "number": word}

    def _held(self, held: Message, own: bool) -> Message:
        card = self._card(held["id"])
        if own and not self.loose:
            for side in ("color", "number"):
                if side not in held["knows"]:
                    card[side] = None
        known = {f"knows_{side}": side in held["knows"] for side in ("color", "number")}
        excluded = {f"knows_{side}_not": sorted(held["not"][side]) for side in held["not"]}
        return {"card": card, "knowledge": {**known, **excluded}}

    def _state(self, line: int) -> Message:
        return {
            "hint_tokens": self.tokens,
            "hint_tokens_max": 8,
            "err_tokens": max(0, 3 - self.errors),
            "played_cards": {color: NUMBERS[top - 1] for color, top in self.tops.items()},
            "players": [
                {"name": name, "cards": [self._held(held, own == line) for held in hand]}
                for (own, name), hand in zip(self.players, self.hands, strict=False)
            ],
            "deck": [self._card(number, True) for number in self.deck],
            "discarded_cards": [self._card(number) for number in self.discards],
            "next_player": self.players[self.mover][1],
            "turns_left": self.turns,
        }
