"""A small in-memory server of one game, written from the project's knowledge of the wire.

One seat is an agent's, the others are played here.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from catan_env import Action, Game, Resource, Rules, SeatView
from catan_env.game.action import ActionKind
from catan_env.protocols.jsettlers import lobby, places, speech
from catan_env.protocols.jsettlers import messages as m
from tests.protocols.jsettlers.announcer import SEATS
from tests.protocols.jsettlers.board import board_message, no_board
from tests.protocols.jsettlers.line import Line
from tests.protocols.jsettlers.referee import Referee

PAID = {ActionKind.ROAD: 30, ActionKind.SETTLEMENT: 31, ActionKind.CITY: 32}

Policy = Callable[[SeatView], int]


class Server(Referee):
    """One game: seat `seat` is the agent's at `line`, the others are played by `policies`.

    `habits` are probabilities by name: "asks first", "counters", "slow".
    """

    def __init__(
        self,
        line: Line,
        seed: int,
        policies: list[Policy],
        seat: int = 0,
        name: str = "table",
        options: tuple[str, ...] = ("PL=4", "RD=f"),
        rules: Rules | None = None,
        encoding: int = 0,
        habits: dict[str, float] | None = None,
    ) -> None:
        self.chance = Random(seed)
        first = self.chance.randrange(SEATS)
        game = Game(SEATS, seed, rules or Rules.jsettlers(), "random_tokens", first)
        super().__init__(line, name, game, seat)
        self.policies = policies
        self.options = options
        self.encoding = encoding
        self.habits = habits or {}
        self.most_turns = 400

    # Joining the table.

    def seat_everybody(self) -> None:
        """Run from the invitation to the first settlement."""
        self.invite()
        (join,), self._queue = self._queue, []
        self.let_in(join)
        (sit,), self._queue = self._queue, []
        self.sit_down(sit)

    def invite(self) -> None:
        """Ask the agent for a seat."""
        self.say(lobby.AskedToJoin(self.name, self.seat, self.options))

    def let_in(self, join: lobby.JoinGame) -> None:
        """Let the agent join the game."""
        assert join == lobby.JoinGame(join.name, "", "", self.name)
        self.say(lobby.Joined(self.name), lobby.Members(self.name, (join.name,)))

    def sit_down(self, sit: lobby.SitDown) -> None:
        """Let the agent sit down, and begin the game."""
        assert sit == lobby.SitDown(self.name, sit.name, self.seat, True)
        self.say(no_board(self.name))
        for seat in range(SEATS):
            name = sit.name if seat == self.seat else f"robot {seat}"
            self.say(lobby.SitDown(self.name, name, seat, True))
        self.say(board_message(self.name, self.game.board, self.game.robber, self.encoding))
        self.say(lobby.StartGame(self.name), m.Turn(self.name, self.game.seat, 5))

    def play(self) -> "Server":
        """Play to the end."""
        self.seat_everybody()
        while not self.is_over:
            self.step()
        return self

    def step(self) -> None:
        """Handle the agent's message, or let a robot act."""
        if self._queue:
            self.hear(self.seat, self._queue.pop(0))
        elif self.state == 50:
            self._let_robots_discard()
        elif self.game.turn >= self.most_turns:
            self.is_over = True
            self.say(lobby.DeleteGame(self.name))
        elif self.offer is not None:
            self._let_offer_be_answered()
        elif self.game.turn_seat != self.seat:
            self._let_robot_act(self.game.turn_seat)
        else:
            self.wait(1.0)

    def wait(self, seconds: float) -> None:
        """Wait for the agent, which must send a message by then."""
        self._queue += self.line.wait(seconds)
        assert self._queue, f"the agent is silent in state {self.state}"

    # Robots.

    def _let_robot_act(self, seat: int) -> None:
        if self.chance.random() < self.habits.get("slow", 0.0) and self.game.turn > 0:
            self.force_end()
            return
        if self.choosing is not None or self.state == 51:
            raise AssertionError("robots choose at once")
        if self.game.is_over:  # won by a knight
            self.hear(
                seat, m.MoveRobber(self.name, seat, places.TILES[(self.game.robber + 1) % 19])
            )
            return
        action = Action.from_index(self.policies[seat](self.game.view(seat)))
        if action.kind == ActionKind.ACCEPT:
            raise AssertionError("unexpected phase")
        for message in speech.to_messages(self.game, self.name, action):
            if not isinstance(message, m.Victim) or self._may_rob(seat, message.seat):
                self._ask_first(seat, action)
                self.hear(seat, message)
        if self.state == 51:
            can = self._victims(seat, self.tile)
            self.hear(seat, m.Victim(self.name, can[0]))

    def _may_rob(self, seat: int, victim: int) -> bool:
        """True if the server asks which seat is robbed, and that one has cards."""
        return self.state == 51 and victim in self._victims(seat, self.tile)

    def _ask_first(self, seat: int, action: Action) -> None:
        """Let some robots pay before they choose a place."""
        if self.state == 20 and action.kind in PAID:
            if self.chance.random() < self.habits.get("asks first", 0.0):
                self.pay(seat, action.kind)
                self.say(m.GameState(self.name, PAID[action.kind]))
                self.state = PAID[action.kind]

    def _let_robots_discard(self) -> None:
        owing = [s for s in range(SEATS) if self.game.owes(s) and s not in self.discards]
        robots = [seat for seat in owing if seat != self.seat]
        if robots:
            seat = self.chance.choice(robots)
            self.hear(seat, self._random_discard(seat))
        else:
            self.wait(4.0)

    def _random_discard(self, seat: int) -> Any:
        hand = speech.listed(self.game.hand(seat))
        gone = self.chance.sample(hand, self.game.owes(seat))
        return speech.to_discard(self.name, [gone.count(r) for r in Resource])

    def _let_offer_be_answered(self) -> None:
        maker, to, give, get = self.offer or (0, 0, (), ())
        if to == self.seat or self.is_answered:
            self.wait(1.0)
            return
        trial = self._asked(maker, to, give, get)
        accepts = trial is not None and (
            Action.from_index(self.policies[to](trial.view(to))).kind == ActionKind.ACCEPT
        )
        if accepts:
            self.hear(to, m.AcceptOffer(self.name, to, maker))
        elif maker == self.seat and self.chance.random() < self.habits.get("counters", 0.0):
            flags = [seat == maker for seat in range(SEATS)]
            counts = places.to_counts(get) + places.to_counts(give)
            self.is_answered = True
            self.say(m.MakeOffer(self.name, to, *flags, counts))
            self._hear_only(m.RejectOffer, m.ClearOffer)
        else:
            self.hear(to, m.RejectOffer(self.name, to))

    def _asked(self, maker: int, to: int, give: Any, get: Any) -> Game | None:
        trial = self.game.copy()
        return trial if self._ask(trial, maker, to, give, get) else None
