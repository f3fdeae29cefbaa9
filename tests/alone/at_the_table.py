"""The same games at a live table, whose page sends what another page has sent."""

from typing import Any

import msgspec

from catan_env.game.game import Game
from catan_env.net.room import Send
from catan_env.notation import dumps, loads, to_sgn
from catan_env.policy import load_judge, load_policy
from catan_env.render.judged import judged
from catan_env.render.replay import judged_data, replay_data
from catan_env.render.svg import empty_board_svg
from catan_env.web.advisers import Adviser
from catan_env.web.messages import Heard, Judged, Over
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.table import LiveTable

LINE = 0


class Table:
    """A table of one person and policies, and all messages to its page."""

    def __init__(
        self, players: list[str], person: int, policy: str, is_judged: bool, **options: Any
    ) -> None:
        seats = len(players)
        names = [players[(seat - person) % seats] for seat in range(seats)]
        game = Game(seats, **options)
        policies = {seat: load_policy(policy) for seat in range(seats) if seat != person}
        self.judge = load_judge(policy)
        self.table = LiveTable(game, names, policies, Adviser(self.judge))
        secrets, study = {"ann": person, "watch": None}, self.study if is_judged else None
        self.room = TableRoom([Seating(self.table, secrets, lambda _: Over("", ""), study)])
        self.heard: list[Any] = []
        self.now = 0.0
        self.room.opened(LINE, self.now)

    def study(self, table: Any) -> Judged:
        """The judge's opinion of the game, as web/shelf.py asks for it."""
        judgement = judged(loads(record_of(table)), self.judge)
        return Judged(judged_data(judgement, table.step, table.game.board, table.names))

    def hear(self, message: dict[str, Any] | None) -> None:
        """Hear what the page says, or let a policy act if it says nothing."""
        if message is None:
            assert self.room.deadline is not None
            self.now = self.room.deadline
            effects = self.room.time(self.now)
        else:
            effects = self.room.received(LINE, msgspec.convert(message, Heard), self.now)
        said = [effect.message for effect in effects if isinstance(effect, Send)]
        self.heard += [as_json(one) for one in said if not isinstance(one, Over)]


def as_json(message: Any) -> Any:
    """A message as a page gets it."""
    return msgspec.json.decode(msgspec.json.encode(message))


def record_of(table: LiveTable) -> str:
    """The record of a game that has ended."""
    return dumps(to_sgn(table.game, players=table.names))


def replay_of(table: LiveTable) -> Any:
    """The data and the board of the replay of a game that has ended."""
    data = replay_data(loads(record_of(table)))
    return {"data": as_json(data), "board": empty_board_svg(table.game.board)}
