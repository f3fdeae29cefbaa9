"""Entering a game: a name, a colour that no other player has, and the start."""

from random import Random

from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.follow import Follower
from catan_env.protocols.catan_german.messages import (
    Answer,
    Failure,
    Introduce,
    Message,
    StartGame,
)

PATIENCE = 1.0
"""Seconds to wait for what some servers never send: the first Statusupdate, the OK to Spieler."""
LOST_AFTER = 10.0
"""Seconds after which a Spiel starten without effect counts as lost, and is sent again."""


class Entry:
    """The messages to send in the lobby, as returned by `hear` and `time`.

    Agents that start together choose the same colours, and some servers refuse a colour to all who
    want it. If no player in the lobby has the refused colour, the agent pauses for a random part of
    a second, so that one of them is first and the others see its choice.
    """

    def __init__(self, name: str, colour: str | None = None, chance: Random | None = None) -> None:
        self.deadline: float | None = None
        """The time at which `time` is due."""
        self._name = name
        self._wish = colour
        self._chance = chance or Random()
        self._tried: list[str] = []
        """Requested colours; all but the last were refused, perhaps in other words."""
        self._has_introduced = self._has_asked_to_start = self._is_pausing = False
        self._is_in_doubt = False
        """True if the server has answered other than OK since the last Spieler."""
        self._repeats_in: type[Message] | None = None
        """The other message in which the last refusal of a colour may be sent as well."""

    def hear(self, message: Message, follower: Follower, now: float) -> list[Message]:
        """Return the answer to a message of the server that `follower` has processed."""
        self._is_in_doubt |= isinstance(message, Answer | Failure) and message.text != words.OK
        if follower.status == words.READY:
            self.deadline = None
        elif is_colour_refusal(message):
            return self._be_refused(message, follower, now)
        elif not self._has_introduced and follower.status is None:
            self.deadline = now + PATIENCE if self.deadline is None else self.deadline
        elif not self._has_introduced and not self._is_pausing:
            return self._introduce(follower, now)
        elif isinstance(message, Answer) and self._has_introduced and not self._has_asked_to_start:
            return self._ask_to_start(now)
        return []

    def time(self, follower: Follower, now: float) -> list[Message]:
        """Act when an awaited message did not come, or a pause is over."""
        if self.deadline is None or now < self.deadline:
            return []
        self.deadline = None
        if not self._has_introduced:
            return self._introduce(follower, now)
        if follower.status == words.READY:
            return []
        was_in_vain = self._has_asked_to_start and self._is_in_doubt
        return self._introduce(follower, now) if was_in_vain else self._ask_to_start(now)

    def _be_refused(self, message: Message, follower: Follower, now: float) -> list[Message]:
        """Choose another colour, once: a refusal may be sent as Fehler and as Serverantwort."""
        if not self._has_introduced or type(message) is self._repeats_in:
            self._repeats_in = None
            return []
        self._repeats_in = Failure if isinstance(message, Answer) else Answer
        self._has_asked_to_start = self._has_introduced = False
        players = follower.seats.players.values()
        if any(p.colour == self._tried[-1] and p.status == words.READY for p in players):
            return self._introduce(follower, now)
        self._is_pausing, self.deadline = True, now + PATIENCE * self._chance.random()
        return []

    def _introduce(self, follower: Follower, now: float) -> list[Message]:
        colour = self._next_colour(follower)
        self._tried.append(colour)
        self._has_introduced, self._has_asked_to_start = True, False
        self._is_pausing = self._is_in_doubt = False
        self.deadline = now + PATIENCE
        return [Introduce(self._name, colour)]  # type: ignore[arg-type]

    def _next_colour(self, follower: Follower) -> str:
        """The preferred one first; then one that no other player has, and that was not refused."""
        if self._wish is not None and not self._tried:
            return self._wish
        seats = follower.seats
        shown = {player.colour for player in seats.players.values() if player.id != seats.me}
        free = [colour for colour in words.COLOURS if colour not in shown]
        fresh = [colour for colour in free if colour not in self._tried]
        if not fresh:  # the players who had the refused ones may have changed them
            self._tried.clear()
        return (fresh or free or list(words.COLOURS))[0]

    def _ask_to_start(self, now: float) -> list[Message]:
        self._has_asked_to_start, self._repeats_in = True, None
        self.deadline = now + LOST_AFTER
        return [StartGame()]


def is_colour_refusal(message: Message) -> bool:
    """True if the colour is taken; some servers append an exclamation mark."""
    is_answer = isinstance(message, Answer | Failure)
    return is_answer and message.text.rstrip("! .") == words.COLOUR_TAKEN  # type: ignore[attr-defined]
