"""A small server of one game, written from what the project knows of the wire; in memory.

One seat is an agent's, the others are played here. What really happens is a `Game`: agents see it
through messages only, each of which crosses as bytes.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from catan_env import Action, Game, Resource, Rules, SeatView
from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.geometry import TILE_VERTICES
from catan_env.protocols.jsettlers import lobby, places, speech
from catan_env.protocols.jsettlers import messages as m
from tests.protocols.jsettlers.board import board_message, no_board
from tests.protocols.jsettlers.line import Line

SEATS = 4
NOBODY = -1
VICTORY_POINTS = 5
COSTS = {
    ActionKind.ROAD: (1, 0, 1, 0, 0),
    ActionKind.SETTLEMENT: (1, 1, 1, 0, 1),
    ActionKind.CITY: (0, 2, 0, 3, 0),
    ActionKind.BUY_DEVELOPMENT_CARD: (0, 1, 0, 1, 1),
}
PAID = {ActionKind.ROAD: 30, ActionKind.SETTLEMENT: 31, ActionKind.CITY: 32}

Policy = Callable[[SeatView], int]


class Server:
    """One game: seat `seat` is the agent's at `line`, the others are played by `policies`.

    `habits` are chances by name: "asks first", "counters", "slow".
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
        self.line = line
        self.name = name
        self.seat = seat
        self.policies = policies
        self.options = options
        self.encoding = encoding
        self.habits = habits or {}
        self.chance = Random(seed)
        first = self.chance.randrange(SEATS)
        self.game = Game(SEATS, seed, rules or Rules.jsettlers(), "random_tokens", first)
        self.state = 5
        self.is_over = False
        self.refusals: list[str] = []
        self.choosing: DevelopmentCard | None = None
        self.tile: int | None = None
        self.discards: dict[int, tuple[int, ...]] = {}
        self.offer: tuple[int, int, Any, Any] | None = None
        self.most_turns = 400
        self._queue: list[Any] = []

    # Getting to the table.

    def seat_everybody(self) -> None:
        """From the invitation to the first settlement."""
        (join,) = self.line.say(lobby.AskedToJoin(self.name, self.seat, self.options))
        assert join == lobby.JoinGame(join.name, "", "", self.name)
        (sit,) = self.line.say(lobby.Joined(self.name))
        assert sit == lobby.SitDown(self.name, join.name, self.seat, True)
        self.say(no_board(self.name))
        for seat in range(SEATS):
            name = join.name if seat == self.seat else f"robot {seat}"
            self.say(lobby.SitDown(self.name, name, seat, True))
        self.say(board_message(self.name, self.game.board, self.game.robber, self.encoding))
        self.say(lobby.StartGame(self.name), m.Turn(self.name, self.game.seat, 5))

    def play(self) -> "Server":
        """To the end."""
        self.seat_everybody()
        while not self.is_over:
            self.step()
        return self

    def step(self) -> None:
        """Hear the agent, or let a robot act."""
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
            self._queue += self.line.wait(1.0)
            assert self._queue, f"the agent says nothing in state {self.state}"

    def say(self, *messages: Any) -> None:
        """Tell the agent; what it answers is heard later."""
        self._queue += self.line.say(*messages)

    # Robots.

    def _let_robot_act(self, seat: int) -> None:
        if self.chance.random() < self.habits.get("slow", 0.0) and self.game.turn > 0:
            self.force_end()
            return
        if self.choosing is not None or self.state == 51:
            raise AssertionError("robots choose at once")
        if self.game.is_over:  # a knight that wins
            self.hear(
                seat, m.MoveRobber(self.name, seat, places.TILES[(self.game.robber + 1) % 19])
            )
            return
        action = Action.from_index(self.policies[seat](self.game.view(seat)))
        if action.kind == ActionKind.ACCEPT:
            raise AssertionError("nobody asked")
        for message in speech.to_messages(self.game, self.name, action):
            if not isinstance(message, m.Victim) or self.state == 51:
                self._ask_first(seat, action)
                self.hear(seat, message)
        if self.state == 51:
            can = self._victims(seat, self.tile)
            self.hear(seat, m.Victim(self.name, can[0]))

    def _ask_first(self, seat: int, action: Action) -> None:
        """Some pay before they say where."""
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
            self._queue += self.line.wait(4.0)
            assert self._queue, "the agent discards nothing"

    def _random_discard(self, seat: int) -> Any:
        hand = speech.listed(self.game.hand(seat))
        gone = self.chance.sample(hand, self.game.owes(seat))
        return speech.to_discard(self.name, [gone.count(r) for r in Resource])

    def _let_offer_be_answered(self) -> None:
        maker, to, give, get = self.offer or (0, 0, (), ())
        if to == self.seat:
            self._queue += self.line.wait(1.0)
            assert self._queue, "the agent answers no offer"
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
            self.say(m.MakeOffer(self.name, to, *flags, counts))
            self._hear_only(m.RejectOffer, m.ClearOffer)
        else:
            self.hear(to, m.RejectOffer(self.name, to))

    def _hear_only(self, *kinds: type) -> None:
        while self._queue and isinstance(self._queue[0], kinds):
            self.hear(self.seat, self._queue.pop(0))

    def _asked(self, maker: int, to: int, give: Any, get: Any) -> Game | None:
        trial = self.game.copy()
        if trial.phase == Phase.ANSWER:
            return trial
        action = Action.offer((to - maker) % SEATS, give, get)
        if trial.refusal(action) is not None:
            return None
        trial.play(action)
        return trial

    # What clients say.

    def hear(self, seat: int, message: Any) -> None:
        """A client's message: done and told, or refused."""
        if message is None or isinstance(message, lobby.LeaveGame | lobby.Ping):
            return
        _HEARD[type(message)](self, seat, message)

    def refuse(self, seat: int, message: Any) -> None:
        assert seat == self.seat, f"a robot's {message} in state {self.state}"
        self.refusals.append(f"{message} in state {self.state}, {self.game.phase.name}")
        self.say(m.DeclinedAction(self.name, self.state, ("0", "no")))
        self.say(m.GameState(self.name, self.state))

    def _act(self, seat: int, message: Any) -> None:
        """A message that is one action of the seat on turn."""
        (action,) = speech.to_actions(self.game, [message])
        if seat != self.game.turn_seat or self.game.refusal(action) is not None:
            self.refuse(seat, message)
            return
        before = self.standing()
        event = self.game.play(action)
        _TELL[action.kind](self, event, before)

    def standing(self) -> Any:
        game = self.game
        return (
            [game.known(s) for s in range(SEATS)],
            [game.hand(s) for s in range(SEATS)],
            game.longest_road_seat,
            game.largest_army_seat,
        )

    def _play_card(self, seat: int, message: m.PlayCard) -> None:
        card = places.CARDS[message.card]
        choices = [a for a in self.game.legal_actions if a.kind.name == f"PLAY_{card.name}"]
        if seat != self.game.turn_seat or not choices:
            self.refusals.append(f"{message} in state {self.state}")
            self.say(m.CardAction(self.name, -1, 4, (message.card,)))
            return
        if len(choices) == 1:
            before = self.standing()
            event = self.game.play(choices[0])
            self.show_card(seat, message.card)
            _TELL[choices[0].kind](self, event, before)
            return
        self.choosing = card
        self.show_card(seat, message.card)
        self.go_to(52 if card == DevelopmentCard.YEAR_OF_PLENTY else 53)

    def show_card(self, seat: int, card: int) -> None:
        self.say(m.CardAction(self.name, seat, 1, (card,)), m.Element(self.name, seat, 100, 19, 1))

    def _choose(self, seat: int, message: Any) -> None:
        card, self.choosing = self.choosing, None
        assert card is not None, f"{message} and no card"
        code = speech.CARD_CODES[card]
        (action,) = speech.to_actions(self.game, [m.PlayCard(self.name, code), message])
        before = self.standing()
        event = self.game.play(action)
        _TELL[action.kind](self, event, before)

    def _move_robber(self, seat: int, message: m.MoveRobber) -> None:
        tile = places.tile_at(message.tile)
        if seat != self.game.turn_seat or self.state != 33 or tile == self.game.robber:
            self.refuse(seat, message)
            return
        self.say(m.MoveRobber(self.name, seat, message.tile))
        if self.game.is_over:
            self.end()
            return
        can = self._victims(seat, tile)
        self.tile = tile
        if len(can) > 1:
            self.go_to(51)
            if seat == self.seat:
                self.say(m.ChooseVictim(self.name, tuple(s in can for s in range(SEATS))))
            return
        builders = self._builders(seat, tile)
        self._rob(seat, can[0] if can else builders[0] if builders else None)

    def _builders(self, seat: int, tile: int | None) -> list[int]:
        corners = {*TILE_VERTICES[tile]}  # type: ignore[index]
        others = [(seat + step) % SEATS for step in range(1, SEATS)]
        game = self.game
        return [o for o in others if corners & {*game.settlements(o), *game.cities(o)}]

    def _victims(self, seat: int, tile: int | None) -> list[int]:
        return [o for o in self._builders(seat, tile) if self.game.hand_size(o)]

    def _victim(self, seat: int, message: m.Victim) -> None:
        if self.state != 51 or message.seat not in self._victims(seat, self.tile):
            self.refuse(seat, message)
            return
        self._rob(seat, message.seat)

    def _rob(self, seat: int, victim: int | None) -> None:
        step = None if victim is None else (victim - seat) % SEATS
        event = self.game.play(Action.move_robber(self.tile or 0, step))
        if event.outcome is not None and victim is not None:
            sees = self.seat in (seat, victim)
            kind = places.to_code(event.outcome) if sees else 6
            self.say(m.Robbery(self.name, seat, victim, "R", kind, 1))
        self.go_on()

    def _discard(self, seat: int, message: m.Discard) -> None:
        cards = places.from_counts(message.cards[:5])
        fits = all(n <= held for n, held in zip(cards, self.game.hand(seat), strict=True))
        if self.state != 50 or not fits or sum(cards) != self.game.owes(seat):
            self.refuse(seat, message)
            return
        self.discards[seat] = cards
        unknown = (0, 0, 0, 0, 0, sum(cards))
        told = (*message.cards[:5], 0) if seat == self.seat else unknown
        self.say(m.Discarded(self.name, f"p{seat}", told))
        self.go_on_discarding()

    def go_on_discarding(self) -> None:
        game = self.game
        if any(game.owes(s) and s not in self.discards for s in range(SEATS)):
            self.say(m.GameState(self.name, 50))
            return
        while game.phase == Phase.DISCARD:
            for card in speech.listed(self.discards[game.seat]):
                game.play(Action.discard(card))
        self.discards.clear()
        self.go_to(33)

    def _trade_with_bank(self, seat: int, message: m.BankTrade) -> None:
        actions = speech.to_actions(self.game, [message])
        for action in actions:
            if self.game.refusal(action) is not None:
                self.refuse(seat, message)
                return
            self.game.play(action)
        self.say(m.BankTraded(self.name, (*message.counts, seat)))
        self._end_if_over()

    def _make_offer(self, seat: int, message: m.MakeOffer) -> None:
        give, get = speech.cards_of(message.counts)
        named = speech.offer_to(self.game, message)
        assert seat == message.seat == self.game.turn_seat and self.state == 20
        if seat == self.seat:
            (action,) = speech.to_actions(self.game, [message])
            if self.game.refusal(action) is not None:
                self.refuse(seat, message)
                return
            self.game.play(action)
        self.offer = (seat, named[0], give, get)
        self.say(message)

    def _accept(self, seat: int, message: m.AcceptOffer) -> None:
        assert self.offer is not None
        (maker, to, give, get), self.offer = self.offer, None
        assert (message.taker, message.maker) == (to, maker) == (seat, self.game.turn_seat)
        if self.game.phase != Phase.ANSWER:
            self.game.play(Action.offer((to - maker) % SEATS, give, get))
        self.game.play(Action.accept())
        counts = places.to_counts(give) + places.to_counts(get)
        self.say(m.AcceptOffer(self.name, to, maker, counts), m.ClearOffer(self.name, -1))

    def _reject(self, seat: int, message: m.RejectOffer) -> None:
        self.say(message)
        if self.offer is not None and self.offer[1] == seat and self.offer[0] != self.seat:
            self.offer = None
        elif self.offer is not None and seat != self.seat:
            self._hear_only(m.ClearOffer)

    def _clear(self, seat: int, message: m.ClearOffer) -> None:
        self.offer = None
        if self.game.phase == Phase.ANSWER:
            self.game.play(Action.reject())
        self.say(message)

    # What is told.

    def go_to(self, state: int) -> None:
        self.state = state
        self.say(m.GameState(self.name, state))
        if state == 50:
            if owed := self.game.owes(self.seat):
                self.say(m.DiscardRequest(self.name, owed))
        if state == 15:
            self.say(m.RollPrompt(self.name, self.game.turn_seat))

    def go_on(self) -> None:
        """The state in which the game goes on."""
        if self._end_if_over():
            return
        phase = self.game.phase
        free = 40 if self.game.free_roads == 2 else 41
        self.go_to({Phase.MAIN: 20, Phase.ROLL: 15, Phase.FREE_ROAD: free, Phase.ROBBER: 33}[phase])

    def _end_if_over(self) -> bool:
        if self.game.is_over:
            self.end()
        return self.game.is_over

    def end(self) -> None:
        winner = self.game.winner
        assert winner is not None
        self.is_over = True
        self.say(m.GameElements(self.name, (4, winner)), m.GameState(self.name, 1000))
        for seat in range(SEATS):
            if points := self.game.cards(seat)[DevelopmentCard.VICTORY_POINT]:
                self.say(m.CardAction(self.name, seat, 3, (4, 5, 6, 7, 8)[:points]))
        self.tell_points()

    def tell_points(self) -> None:
        points = [str(self.game.points(seat)) for seat in range(SEATS)]
        self.say(m.GameStats(self.name, (*points, "true", "false", "true", "true")))

    def pay(self, seat: int, kind: ActionKind) -> None:
        pairs = [(places.to_code(r), n) for r, n in zip(Resource, COSTS[kind], strict=True) if n]
        self.say(m.Elements(self.name, seat, 102, tuple(x for pair in pairs for x in pair)))

    def _tell_piece(self, event: Event, before: Any) -> None:
        game, piece = self.game, {ActionKind.ROAD: 0, ActionKind.SETTLEMENT: 1, ActionKind.CITY: 2}
        (message,) = speech.to_messages(_Seat(event.seat), self.name, event.action)  # type: ignore[arg-type]
        assert message.piece == piece[event.action.kind]
        in_set_up = self.state in (5, 6, 10, 11)
        if self.state == 20:
            self.pay(event.seat, event.action.kind)
        self.say(message)
        if in_set_up:
            self._go_on_placing(event)
            return
        if game.longest_road_seat != before[2]:
            self.say(m.GameElements(self.name, (6, self._or_nobody(game.longest_road_seat))))
        self.go_on()

    def _go_on_placing(self, event: Event) -> None:
        game = self.game
        if event.action.kind == ActionKind.SETTLEMENT:
            self.go_to(self.state + 1)
        elif game.phase == Phase.ROLL:
            self.begin_turn()
        else:
            placed = sum(len(game.settlements(seat)) for seat in range(SEATS))
            self.state = 5 if placed < SEATS else 10
            self.say(m.Turn(self.name, game.seat, self.state))

    def _or_nobody(self, seat: int | None) -> int:
        return NOBODY if seat is None else seat

    def begin_turn(self) -> None:
        seat = self.game.turn_seat
        if self.game.is_over:
            self.is_over = True
            self.say(m.Turn(self.name, seat, 1000))
            self.tell_points()
            return
        self.state = 15
        self.say(m.Turn(self.name, seat, 15), m.RollPrompt(self.name, seat))

    def _tell_end(self, event: Event, before: Any) -> None:
        self.say(m.ClearOffer(self.name, -1))
        self.begin_turn()

    def force_end(self) -> None:
        """The seat on turn has waited too long: its turn ends wherever it is."""
        self.choosing = self.offer = None
        if self.game.phase == Phase.ROBBER and self.state == 33 and self.game.card_played:
            return
        self.game.time_out()
        self.say(m.ClearOffer(self.name, -1))
        self.begin_turn()

    def _tell_roll(self, event: Event, before: Any) -> None:
        total = sum(event.outcome)
        self.say(m.DiceResult(self.name, total))
        if total == 7:
            self.go_to(50 if self.game.phase == Phase.DISCARD else 33)
            return
        self._tell_production(before)
        self.go_on()

    def _tell_production(self, before: Any) -> None:
        numbers: list[int] = []
        for seat in range(SEATS):
            gained = [b - a for a, b in zip(before[1][seat], self.game.hand(seat), strict=True)]
            if any(gained):
                cards = [x for r in Resource if gained[r] for x in (gained[r], places.to_code(r))]
                numbers += [0] * bool(numbers) + [seat, self.game.hand_size(seat), *cards]
        if numbers:
            count = sum(
                a != b for a, b in zip(before[1], map(self.game.hand, range(4)), strict=True)
            )
            self.say(m.Production(self.name, (count, *numbers)))
            self.tell_hand()

    def tell_hand(self) -> None:
        hand = self.game.hand(self.seat)
        pairs = tuple(x for r in Resource for x in (places.to_code(r), hand[r]))
        self.say(m.Elements(self.name, self.seat, 100, pairs))

    def _tell_purchase(self, event: Event, before: Any) -> None:
        self.pay(event.seat, event.action.kind)
        card = speech.CARD_CODES[event.outcome] if event.seat == self.seat else 0
        self.say(
            m.CardAction(self.name, event.seat, 0, (card,)),
            m.SimpleAction(self.name, event.seat, 1, (self.game.deck_size, 0)),
        )
        self.go_on()

    def _tell_knight(self, event: Event, before: Any) -> None:
        game = self.game
        self.say(m.Element(self.name, event.seat, 100, 15, game.knights(event.seat)))
        if game.largest_army_seat != before[3]:
            self.say(m.GameElements(self.name, (5, self._or_nobody(game.largest_army_seat))))
        self.go_to(33)

    def _tell_plenty(self, event: Event, before: Any) -> None:
        taken = [event.action.args.count(r) for r in Resource]
        self.say(m.PickCards(self.name, (*places.to_counts(taken), event.seat, 2)))
        self.go_on()

    def _tell_monopoly(self, event: Event, before: Any) -> None:
        kind = places.to_code(event.action.args[0])
        for seat, n in enumerate(event.outcome):
            if n:
                self.say(
                    m.Element(self.name, seat, 100, kind, 0),
                    m.HandSize(self.name, seat, self.game.hand_size(seat)),
                )
        total = sum(event.outcome)
        self.say(
            m.Element(self.name, event.seat, 101, kind, total),
            m.SimpleAction(self.name, event.seat, 3, (total, kind)),
        )
        self.go_on()

    def _tell_road_building(self, event: Event, before: Any) -> None:
        self.go_on()


class _Seat:
    """Enough of a table to say a piece: whose it is."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


_HEARD: dict[type, Callable[[Server, int, Any], None]] = {
    m.RollDice: Server._act,
    m.EndTurn: Server._act,
    m.BuyCard: Server._act,
    m.PutPiece: Server._act,
    m.PlayCard: Server._play_card,
    m.PickCards: Server._choose,
    m.PickMonopoly: Server._choose,
    m.MoveRobber: Server._move_robber,
    m.Victim: Server._victim,
    m.Discard: Server._discard,
    m.BankTrade: Server._trade_with_bank,
    m.MakeOffer: Server._make_offer,
    m.AcceptOffer: Server._accept,
    m.RejectOffer: Server._reject,
    m.ClearOffer: Server._clear,
}
_TELL: dict[ActionKind, Callable[[Server, Event, Any], None]] = {
    ActionKind.ROLL: Server._tell_roll,
    ActionKind.END_TURN: Server._tell_end,
    ActionKind.BUY_DEVELOPMENT_CARD: Server._tell_purchase,
    ActionKind.PLAY_KNIGHT: Server._tell_knight,
    ActionKind.PLAY_ROAD_BUILDING: Server._tell_road_building,
    ActionKind.PLAY_YEAR_OF_PLENTY: Server._tell_plenty,
    ActionKind.PLAY_MONOPOLY: Server._tell_monopoly,
    ActionKind.SETTLEMENT: Server._tell_piece,
    ActionKind.CITY: Server._tell_piece,
    ActionKind.ROAD: Server._tell_piece,
}
