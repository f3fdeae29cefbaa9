"""Messages to the lines of one table: the same to all lines with the same sight."""

from collections.abc import Iterator

from catan_env.net.room import Effect, Send
from catan_env.web.choices import choices_of, proposals_of
from catan_env.web.messages import Clock, Message, Preparing, Refused, Step, Welcome
from catan_env.web.seating import Seating
from catan_env.web.shown_table import Sight
from catan_env.web.table import LiveTable


def to_all(seating: Seating, message: Message) -> list[Effect]:
    """The same message to every line."""
    return [Send(line, message) for line in seating.lines]


def welcome(seating: Seating, line: int, now: float) -> list[Effect]:
    """Everything that a line receives when it takes its seat."""
    table, sight = seating.table, seating.lines[line]
    return [
        Send(line, Welcome(sight, table.board, table.data(sight))),
        *([Send(line, Preparing(seating.missing))] if seating.to_load else []),
        *([Send(line, seating.proposals)] if seating.proposals.proposals else []),
        *_invitation(seating, line, sight),
        *(Send(line, message) for message in _clock(seating, now)),
    ]


def new_steps(seating: Seating, count: int) -> list[Effect]:
    """The steps after the first `count`.

    Lines with the same sight receive the same messages in the same order: they are written once.
    """
    effects: list[Effect] = []
    for sight, steps in seating.table.sights.items():
        lines = [line for line, at in seating.lines.items() if at == sight]
        new = [Step(count + k, step) for k, step in enumerate(steps.written[count:])]
        effects += [Send(line, message) for message in new for line in lines]
    return effects


def new_proposals(seating: Seating) -> list[Effect]:
    """The proposals, if they have changed."""
    if not isinstance(seating.table, LiveTable):
        return []
    message = proposals_of(seating.table)
    if message == seating.proposals:
        return []
    seating.proposals = message
    return to_all(seating, message)


def invitations(seating: Seating, now: float) -> list[Effect]:
    """The legal choices to the seat that acts, or the end to all; and the time that is left."""
    effects = [
        effect
        for line, sight in seating.lines.items()
        for effect in _invitation(seating, line, sight)
    ]
    clock = _clock(seating, now)
    return effects + [Send(line, message) for line in seating.lines for message in clock]


def stop(seating: Seating, reason: str) -> list[Effect]:
    """Why the table stops, once."""
    is_known, seating.stopped = seating.stopped == reason, reason
    return [] if is_known else to_all(seating, Refused(reason))


def failure(seating: Seating, reason: str) -> list[Effect]:
    """The failure of a policy, once; empty if it has not failed."""
    if not reason or reason in seating.failures:
        return []
    seating.failures.add(reason)
    return to_all(seating, Refused(reason))


def _invitation(seating: Seating, line: int, sight: Sight) -> Iterator[Effect]:
    """The line's legal choices if its seat acts; the stored game's paths at its end."""
    table = seating.table
    if seating.over is not None:
        yield Send(line, seating.over)
        if seating.judged is not None:
            yield Send(line, seating.judged)
    elif isinstance(table, LiveTable) and not table.game.is_over and sight == table.game.seat:
        yield Send(line, choices_of(table))


def _clock(seating: Seating, now: float) -> list[Clock]:
    """The time that the acting person has left, if it is limited."""
    clock = seating.clock
    return [] if clock is None or clock.seat is None else [Clock(clock.seat, clock.left(now))]
