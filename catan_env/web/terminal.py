"""A table in the terminal: the position as text, and the seat's actions by number."""

from collections.abc import Callable, Iterable, Iterator

from catan_env.game.action import Action
from catan_env.game.errors import IllegalActionError
from catan_env.render.words import RESOURCES
from catan_env.web.table import LiveTable

HELP = "number: play it, b: draw the board, u: undo, ?: list again, q: quit"


def play(table: LiveTable, typed: Iterable[str], say: Callable[[str], object]) -> None:
    """Play until the game is over or the input ends; `say` receives each line of output.

    Several people share the keyboard.
    """
    lines = iter(typed)
    heard = dict.fromkeys(table.sights, 0)
    while not table.game.is_over:
        if table.waits_for_policy:
            table.let_policy_act()
            continue
        seat = table.game.seat
        _report(table, seat, heard, say)
        if not _choose(table, seat, lines, say):
            return
    _report(table, table.people[0] if table.people else None, heard, say)
    say(str(table.game))
    winner = table.game.winner
    say("no player has won" if winner is None else f"{table.names[winner]} has won")


def _report(
    table: LiveTable, sight: int | None, heard: dict[int | None, int], say: Callable[[str], object]
) -> None:
    """Print the events since this perspective was last shown."""
    written = table.sights[sight].written
    for step in written[min(heard[sight], len(written)) :]:
        for line in step["log"]:
            say(f"  {line['text']}")
    heard[sight] = len(written)


def _choose(
    table: LiveTable, seat: int, lines: Iterator[str], say: Callable[[str], object]
) -> bool:
    """Let the person at `seat` choose once; False when they leave."""
    view = table.game.view(seat)
    actions = list(view.legal_actions)
    hand = ", ".join(f"{n} {name}" for n, name in zip(view.hand(seat), RESOURCES, strict=True) if n)
    say(f"{table.names[seat]}: {view.points(seat)} points; {hand or 'no cards'}")
    _list(actions, say)
    for line in lines:
        word = line.strip().lower()
        if word == "q":
            return False
        if word == "b":
            say(str(view))
        elif word == "u":
            try:
                table.undo(seat)
            except IllegalActionError as refusal:
                say(str(refusal))
            else:
                return True
        elif word.isdecimal() and int(word) < len(actions):
            table.act(seat, actions[int(word)])
            return True
        else:
            _list(actions, say)
    return False


def _list(actions: list[Action], say: Callable[[str], object]) -> None:
    for number, action in enumerate(actions):
        say(f"{number:4}  {action}")
    say(HELP)
