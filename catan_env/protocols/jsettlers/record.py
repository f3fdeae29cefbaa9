"""A game as one seat observed it, as a record of the notation."""

from pathlib import Path

from catan_env.notation import write
from catan_env.notation.record import different_names
from catan_env.notation.writer import of_a_seat
from catan_env.protocols.jsettlers.agent import Ended
from catan_env.protocols.jsettlers.player import Player

LONGEST_NAME = 80


def write_record(folder: Path, ended: Ended) -> Path | None:
    """Save the observed game in `folder`; None if it never began."""
    player = ended.player
    if player.follower is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    stem = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in player.game)
    path = _free(folder, f"{stem[:LONGEST_NAME]}-seat{player.seat}")
    write(path, messages_of(player))
    return path


def messages_of(player: Player) -> list[dict[str, object]]:
    """Return the record's messages, for as long as events account for the view."""
    assert player.follower is not None and player.begun is not None
    seats = range(player.begun.seats)
    names = different_names([player.opening.names.get(seat, f"empty {seat}") for seat in seats])
    return of_a_seat(player.begun, player.follower.tracked.explained, names)


def _free(folder: Path, stem: str) -> Path:
    """Return an unused record name: several games may have the same name."""
    numbers = ["", *(f"-{number}" for number in range(2, 10_000))]
    paths = (folder / f"{stem}{number}.sgn.json" for number in numbers)
    return next(path for path in paths if not path.exists())


__all__ = ["messages_of", "write_record"]
