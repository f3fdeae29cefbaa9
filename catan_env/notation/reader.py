"""Reading: from a record's messages to its game.

Rule 1. A record is read through the rules: its choices are played with the outcomes it names. Other
        messages are statements, compared with those that the writer would write (`dues`).
Rule 2. Two messages mean the same whatever their uuid and batch, the order of their keys, of the
        hexes of an intersection and of the parties of a trade, and whether numbers are strings.
Rule 3. Chat may be anywhere. An unanswered offer stays open until the turn ends while its seat
        continues; at the engine's table, which asks one seat at a time, it is withdrawn.
Rule 4. The record may end after any message: a choice is played when it is complete.
"""

from collections.abc import Sequence

from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.notation.choices import CHOICES
from catan_env.notation.errors import NotationError
from catan_env.notation.messages import say_message
from catan_env.notation.playback import Playback
from catan_env.notation.record import Record, Setup
from catan_env.notation.setup import Agreement, laid_board, to_agreement, to_board
from catan_env.notation.values import ADMIN, BANK, Message, field
from catan_env.notation.versions import check_version, refuse_other_versions

MOST_PLAYERS = 4
SETUP_ENDS = ("PE", "PS", "RS", "TS")
"""The events of which one comes first after the set-up."""


def read_messages(messages: Sequence[Message], is_cut: bool = False) -> Record:
    """Return the record of these messages; NotationError names the first invalid one."""
    refuse_other_versions(messages)
    playback = Playback(messages)
    try:
        _read(playback)
    except NotationError as error:
        if not messages or error.index is not None:
            raise
        at = min(playback.at, len(messages) - 1)
        raise error.of_message(at, messages[at]) from error
    position = playback.position
    events = position.events if isinstance(position, Game) else tuple(playback.events)
    return Record(tuple(messages), playback.setup, events, tuple(playback.chat), position, is_cut)


def _read(playback: Playback) -> None:
    _skip_version(playback)
    agreement = _read_start(playback)
    if agreement is None:
        return
    _read_setup(playback, agreement)
    if playback.setup is None:
        return
    opening = playback.narrator.opening()
    playback.happened = len(opening) - 1
    statements, *playback.scripted = opening
    playback.dues.begin(statements)
    while (message := playback.peek()) is not None:
        playback.read(message, CHOICES)


def _skip_version(playback: Playback) -> None:
    while (message := playback.peek()) is not None and message["event"] == "VI":
        check_version(message)
        playback.at += 1


def _read_start(playback: Playback) -> Agreement | None:
    """Return the table's agreement; None if the record is empty."""
    message = playback.peek()
    if message is None:
        return None
    if message["event"] != "PS" or message["value"].get("phase") != "Setup":
        raise NotationError(
            f"{say_message(message)}; a record begins with PS, the start of the phase Setup",
            ".event",
        )
    _check_is_admins(playback, message)
    agreement = to_agreement(message)
    playback.at += 1
    return agreement


def _check_is_admins(playback: Playback, message: Message) -> None:
    if message["player"] != ADMIN:
        playback.refuse(message["player"], "A, the admin", ".player")


def _read_setup(playback: Playback, agreement: Agreement) -> None:
    names: list[str] = []
    board: Board | None = None
    while (message := playback.peek()) is not None and message["event"] not in SETUP_ENDS:
        if message["event"] != "PA":
            _check_is_admins(playback, message)
        if message["event"] == "PA":
            names.append(_new_name(playback, message, names))
        elif message["event"] == "MD" and board is None:
            board = laid_board(agreement, to_board(message))
        elif message["event"] == "VI":
            check_version(message)
        else:
            playback.refuse(
                message["event"],
                "PA (player add), MD (map define) once, or PE (phase end)",
                ".event",
            )
        playback.at += 1
    playback.players = tuple(names)
    _lay_table(playback, agreement, board, is_complete=message is not None)


def _new_name(playback: Playback, message: Message, names: list[str]) -> str:
    name: str = field(message, "player")
    if message["player"] not in (ADMIN, name):
        playback.refuse(message["player"], f"A, the admin, or {name}", ".player")
    if name in (ADMIN, BANK, "") or name in names:
        playback.refuse(name, "a unique name other than A and B", ".value.player")
    if len(names) == MOST_PLAYERS:
        raise NotationError("a fifth player; expected 2, 3 or 4 players", ".value.player")
    return name


def _lay_table(
    playback: Playback, agreement: Agreement, board: Board | None, is_complete: bool
) -> None:
    """Set up the table, unless the record ends before it is fully described."""
    players = playback.players
    is_seated = len(players) >= 2 and agreement.viewer in (None, *players)
    is_seated &= 0 <= agreement.first_seat < len(players)
    if board is not None and is_seated:
        setup = Setup(board, players, agreement)
        playback.begin(setup)
    elif is_complete:
        raise NotationError(
            "the set-up ends without a map (MD), two players, the first to place or the viewer",
            ".event",
        )
