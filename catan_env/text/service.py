"""A game for a program that reads and answers text: the tools of an MCP server.

One process plays one game at a time. The program has a seat; policies play the others at once.
"""

from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.policy import Policy, decide, load_judge, load_policy
from catan_env.text.answer import AnswerError, read_answer
from catan_env.text.position import action_text, position_text

MOST_EVENTS = 200
NO_GAME = "there is no game: call new_game first"


class TextGame:
    """A game between one seat that answers text and policies.

    Every method returns text, and a refused answer the reason for it; the game stays as it was.
    `judge` names the policy that gives advice.
    """

    def __init__(self, judge: str = "greedy") -> None:
        self._judge = judge
        self._game: Game | None = None
        self._seat = 0
        self._policies: list[Policy] = []
        self._shown = 0

    def new_game(
        self,
        seats: int = 4,
        seat: int = 0,
        rules: str = "base",
        opponent: str = "greedy",
        seed: int | None = None,
    ) -> str:
        """Begin a game against policies of that name; return the position at the first decision."""
        game = Game(seats, seed, rules)
        if not 0 <= seat < seats:
            raise ValueError(f"seat is {seat}; allowed are 0 to {seats - 1}")
        policies = [load_policy(opponent, game.seed % 1000 + i) for i in range(seats)]
        self._game, self._seat, self._policies, self._shown = game, seat, policies, 0
        return self._continue()

    def state(self) -> str:
        """The position as text, and the numbered legal actions."""
        return position_text(self._played().view(self._seat))

    def act(self, answer: str) -> str:
        """Play the action that the answer names; return the events since and the next position."""
        game = self._played()
        if game.is_over:
            raise AnswerError(f"the game is over: seat {game.winner} has won")
        game.play(read_answer(game.view(self._seat), answer))
        return self._continue()

    def history(self, last: int = 20) -> str:
        """The last events, one in each line, as the seat has seen them."""
        if not 1 <= last <= MOST_EVENTS:
            raise ValueError(f"last is {last}; allowed are 1 to {MOST_EVENTS}")
        return self._events_from(max(0, len(self._played().events) - last)) or "nothing yet"

    def advice(self) -> str:
        """The policy's best actions for this position, and each seat's chance to win."""
        view = self._played().view(self._seat)
        if view.is_over or view.seat != self._seat:
            raise AnswerError("there is nothing to decide")
        judge = load_judge(self._judge)
        legal = list(view.legal_actions)
        index_of = {action.index: n for n, action in enumerate(legal, 1)}
        weighed = judge.weigh(view, judge.likely(view)[:5])
        lines = [
            f"{index_of[index]}. {action_text(view, legal[index_of[index] - 1])}: "
            f"{100 * chance:.0f} % to win"
            for index, chance in weighed
        ]
        chances = [f"seat {s} {100 * p:.0f} %" for s, p in enumerate(judge.win_probabilities(view))]
        return "\n".join([*lines, f"chances to win now: {', '.join(chances)}"])

    def _played(self) -> Game:
        if self._game is None:
            raise AnswerError(NO_GAME)
        return self._game

    def _continue(self) -> str:
        """Let policies play up to the seat's next decision; the events so far and the position."""
        game = self._played()
        while not game.is_over and game.seat != self._seat:
            policy = self._policies[game.seat]
            game.play(decide(policy, game.view(game.seat)))
        events, self._shown = self._events_from(self._shown), len(game.events)
        return f"{events}\n\n{self.state()}" if events else self.state()

    def _events_from(self, first: int) -> str:
        game = self._played()
        seen: list[Event] = [e.redacted(self._seat, game.seats) for e in game.events[first:]]
        return "\n".join(map(str, seen))
