"""Refusals: errors that answer a client."""

from typing import NoReturn

from catan_env.guests.renaissance import messages as m


class Refusal(Exception):
    """A command refused with `error`."""

    def __init__(self, error: m.Message) -> None:
        super().__init__(error)
        self.error = error


def refuse(error: m.Message) -> NoReturn:
    """Refuse with that error."""
    raise Refusal(error)


def refuse_transfer(good: int, is_added: bool, reason: str) -> NoReturn:
    """Refuse because a container cannot give or take that good."""
    refuse(m.ErrResourceTransfer(is_added, reason, m.NAMES[good]))
