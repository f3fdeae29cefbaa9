"""A live table: one game of people and policies."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import NamedTuple

from catan_env.arena.time_limited import safe_index
from catan_env.core.constants import CARDS_PER_RESOURCE, Phase
from catan_env.extras import reason
from catan_env.failure import PolicyError
from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation import Record
from catan_env.policy import Policy, decide
from catan_env.web.advisers import Advised, Adviser
from catan_env.web.journal import Journal, for_pages
from catan_env.web.late import LatePolicy
from catan_env.web.shown_table import ShownTable

Trade = tuple[tuple[int, ...], tuple[int, ...]]
"""The cards that a seat gives and gets, by Resource."""
STAND_IN = "greedy"
"""The policy of a person's seat when the person does not continue."""
FAILURES = (PolicyError, ValueError, ImportError, OSError)
"""Errors of a policy that cannot be loaded, fails, or answers something illegal."""
MOST_BUNDLED = 5
"""The number of offers that a policy makes to a person at a time."""
CHANCE = frozenset(
    (
        ActionKind.ROLL,
        ActionKind.BUY_DEVELOPMENT_CARD,
        ActionKind.MOVE_ROBBER,
        ActionKind.PLAY_MONOPOLY,
    )
)
"""Actions that reveal something: they cannot be taken back."""


class LiveTable(ShownTable):
    """A game with people; `policies` decide for their seats, people for the others."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        policies: Mapping[int, Policy],
        adviser: Adviser | None = None,
    ) -> None:
        super().__init__(game, names, (s for s in range(game.seats) if s not in policies))
        self.policies = policies
        self.adviser = adviser
        self.stand_in: Policy = LatePolicy(STAND_IN)
        """Decides for people whose time is over."""
        self.journal: Journal | None = None
        """Stores every step before it is shown; None if the game is not stored."""
        self.proposals: dict[int, Trade] = {}
        """The trade that each seat would make with the seat on turn."""
        self._before: list[Game] = []
        self._to_ask: list[Action] = []
        """The offers that follow if the one on the table is refused."""
        self._further: list[Action] = []
        """The offers that a policy has announced to the person who answers."""
        self._reports: set[str] = set()
        """The tracebacks of policies, and the errors of the disk, that were printed."""

    @classmethod
    def resumed(
        cls,
        record: Record,
        step: int,
        policies: Mapping[int, Policy],
        adviser: Adviser | None = None,
    ) -> "LiveTable":
        """The table of a record, at a step of its replay page.

        Chance continues from the game's own seed: the same moves meet the same dice. ValueError
        if the record is redacted, or the game is over there.
        """
        table = cls.restored(record, policies, adviser, step)
        if table.game.is_over:
            raise ValueError(f"the game is over at step {step}")
        return table

    @classmethod
    def restored(
        cls,
        record: Record,
        policies: Mapping[int, Policy],
        adviser: Adviser | None = None,
        step: int | None = None,
    ) -> "LiveTable":
        """The table at the end of its record, or at a step of its replay page.

        The last choices can be taken back as before. ValueError if the record is redacted.
        """
        moments = record.replay()
        placed, game = next(moments)
        if not isinstance(game, Game):
            raise ValueError("the record contains only what one seat saw")
        table = cls(game, record.players, policies, adviser)
        before = game.copy()
        for events, _ in islice(moments, None if step is None else max(step - len(placed), 0)):
            table._write(events)
            table._remember(before, events[0])
            before = game.copy()
        return table

    @property
    def waits_for_policy(self) -> bool:
        """True if a policy is to act."""
        return not self.game.is_over and self.game.seat in self.policies

    @property
    def is_policy_ready(self) -> bool:
        """True if the acting seat's policy can be asked without loading it first."""
        policy = self.policies[self.game.seat]
        return not isinstance(policy, LatePolicy) or policy.loaded.is_made

    @property
    def may_undo(self) -> bool:
        """True if the acting seat may take its last choice back."""
        has_chosen = bool(self._before) and self._before[-1].seat == self.game.seat
        return has_chosen and not self.game.is_over

    @property
    def may_offer(self) -> bool:
        """True if the acting seat may make an offer."""
        game = self.game
        is_time = game.phase == Phase.MAIN and game.rules.player_trade
        return is_time and any(game.hand(game.seat))

    def act(self, seat: int, action: Action | int) -> None:
        """Play a choice; an IllegalActionError has the reason, and changes nothing."""
        self._check_seat(seat)
        game = self.game
        before = game.copy()
        count = len(game.events)
        event = game.play(action)
        try:
            if self.journal is not None:
                self.journal.follow(game)
        except OSError as error:
            self.game = before
            raise self._unstored(error) from error
        self._remember(before, event)
        self._write(game.events[count:])
        self._after(event, before)

    def _unstored(self, error: OSError) -> IllegalActionError:
        """The refusal of a choice, without the host's paths; the host has a line with them."""
        report = f"the choice cannot be stored: {reason(error)}"
        if report not in self._reports:
            self._reports.add(report)
            print(report, file=sys.stderr, flush=True)
        return IllegalActionError(f"the choice cannot be stored: {for_pages(error)}")

    def _check_seat(self, seat: int) -> None:
        """Raise IllegalActionError unless the seat is to decide."""
        if self.game.is_over:
            raise IllegalActionError("the game is over")
        if seat != self.game.seat:
            raise IllegalActionError(f"{self.names[self.game.seat]} decides now")

    def offer_to_all(self, seat: int, give: Sequence[int], get: Sequence[int]) -> None:
        """Offer a trade to the other seats, clockwise, until one accepts."""
        game = self.game
        steps = [k for k in range(1, game.seats) if game.is_playing((seat + k) % game.seats)]
        first, *others = [Action.offer(k, give, get) for k in steps]
        self.act(seat, first)
        self._to_ask = others

    def propose(self, seat: int, give: Sequence[int], get: Sequence[int]) -> None:
        """Note the trade that a seat would make with the seat on turn; without cards, none.

        IllegalActionError if the seat is on turn, or does not hold these cards.
        """
        game = self.game
        if game.is_over or game.turn == 0 or not game.rules.player_trade:
            raise IllegalActionError("no trade is possible now")
        if seat == game.turn_seat:
            raise IllegalActionError("it is your turn: make an offer instead")
        if not any(give):
            self.proposals.pop(seat, None)
            return
        if any(n < 0 for n in (*give, *get)) or not any(get):
            raise IllegalActionError("a proposal names cards on both sides")
        if max(get) > CARDS_PER_RESOURCE:
            raise IllegalActionError(f"a proposal asks for at most {CARDS_PER_RESOURCE} of a kind")
        if any(a and b for a, b in zip(give, get, strict=True)):
            raise IllegalActionError("the same resource cannot be on both sides")
        if not self._holds(seat, give):
            raise IllegalActionError("you do not hold these cards")
        self.proposals[seat] = tuple(give), tuple(get)

    def _holds(self, seat: int, cards: Sequence[int]) -> bool:
        """True if the seat has these cards, by Resource."""
        return all(n <= held for n, held in zip(cards, self.game.hand(seat), strict=True))

    @property
    def offers(self) -> list[Trade]:
        """The offers that await an answer, as the seat that answers sees them."""
        pending = self.game.offer
        if pending is None:
            return []
        announced = [(action.args[2], action.args[1]) for action in self._further]
        return [(pending.get, pending.give), *announced]

    def answer(self, seat: int, number: int) -> None:
        """Accept an offer by its number in `offers`, and refuse those before it; -1 refuses all."""
        offers = [None, *self._further]
        if self.game.phase != Phase.ANSWER or not -1 <= number < len(offers):
            raise IllegalActionError("there is no such offer")
        if seat == self.game.seat and number >= 0:
            give, _ = self.offers[number]
            if not self._holds(seat, give):
                raise IllegalActionError("you do not hold these cards")
        offerer = self.game.turn_seat
        for offer in offers[: len(offers) if number < 0 else number + 1]:
            if offer is not None:
                self.act(seat, Action.reject())
                self.act(offerer, offer)
        self.act(seat, Action.reject() if number < 0 else Action.accept())

    def question(self) -> Callable[[], "Decision"]:
        """A function that asks the acting policy, and may be called in another thread."""
        return partial(self._ask, self.game.copy())

    def substitute(self) -> Callable[[], "Decision"]:
        """A function that decides for a person whose time is over, with the smallest choice.

        The turn is rolled for and ended, offers are declined; everything else that must be chosen
        is left to `stand_in`.
        """
        game = self.game.copy()
        for action in (Action.end_turn(), Action.reject(), Action.roll()):
            if action in game.legal_actions and action.index is not None:
                return partial(Decision, action.index)
        return lambda: Decision(decide(self.stand_in, game.view(game.seat)))

    def let_policy_act(self) -> None:
        """Play the acting policy's answer; IllegalActionError if it is illegal."""
        self.decided(self.question()())

    def decided(self, decision: "Decision") -> None:
        """Play a policy's decision."""
        self.act(self.game.seat, decision.action)
        self._further = list(decision.further)

    def _ask(self, game: Game) -> "Decision":
        """The acting policy's decision, and its next offers to the same person if it is an offer.

        `game` is a copy; it is played on. If the policy fails, a safe move is the decision.
        """
        seat, policy = game.seat, self.policies[game.seat]
        try:
            chosen = decide(policy, game.view(seat))
        except FAILURES as error:
            return self._instead(game.view(seat), error)
        further: list[Action] = []
        asked = self._asked(seat, Action.from_index(chosen))
        action = Action.from_index(chosen)
        while asked is not None and len(further) < MOST_BUNDLED - 1:
            game.play(action)
            game.play(Action.reject())
            try:
                action = Action.from_index(decide(policy, game.view(seat)))
            except FAILURES:  # it is asked again if the offer is refused
                break
            if self._asked(seat, action) != asked:
                break
            further.append(action)
        return Decision(chosen, tuple(further))

    def _instead(self, view: SeatView, error: Exception) -> "Decision":
        """A safe move for a policy that has failed, which is reported on standard error."""
        name, action = self.names[view.viewer], safe_index(view)
        if isinstance(error, PolicyError) and error.trace not in self._reports:
            self._reports.add(error.trace)
            print(error.trace, end="", file=sys.stderr)
        report = f"{name}, seat {view.viewer}, turn {view.turn}: {error}"
        print(f"{report}; played: {Action.from_index(action)}", file=sys.stderr, flush=True)
        cause = error.reason if isinstance(error, PolicyError) else str(error)
        failure = f"the policy of {name} failed; safe moves are played instead: {cause}"
        return Decision(action, failure=failure)

    def _asked(self, seat: int, action: Action) -> int | None:
        """The person whom an offer asks; None if it is not an offer to a person."""
        if action.kind != ActionKind.OFFER:
            return None
        asked = (seat + action.args[0]) % self.game.seats
        return asked if asked in self.people else None

    def request(self, seat: int) -> Callable[[], Advised]:
        """A function that asks the adviser about the seat's view, in any thread."""
        if self.adviser is None or seat != self.game.seat or self.game.is_over:
            raise IllegalActionError("no adviser can be asked now")
        if not self.adviser.is_ready:
            raise IllegalActionError(f"{self.adviser.name} is getting ready")
        return partial(self.adviser.advise, self.game.view(seat))

    def undo(self, seat: int) -> None:
        """Take the seat's last choice back; IllegalActionError unless the next one is its own, too.

        At the end all cards are revealed and the game is stored: nothing is taken back then.
        """
        self._check_seat(seat)
        if not self.may_undo:
            raise IllegalActionError("chance or another seat has intervened since")
        try:
            if self.journal is not None:
                self.journal.rewrite(self._before[-1])
        except OSError as error:
            raise self._unstored(error) from error
        turn, self.game = self.game.turn, self._before.pop()
        self._keep_proposals(turn)
        self._to_ask, self._further = [], []
        count = self.step - 1
        for steps in self.sights.values():
            steps.rewind(count)

    def _after(self, event: Event, before: Game) -> None:
        """Follow up an offer to all, and forget offers and proposals that are settled."""
        self._drop_proposals(event, before)
        self._further = []
        if event.action.kind == ActionKind.REJECT and self._to_ask:
            following = self._to_ask
            self._to_ask = []
            with suppress(IllegalActionError):  # a full disk: the refusal holds, the offers end
                self.act(before.turn_seat, following[0])
                self._to_ask = following[1:]
        elif event.action.kind != ActionKind.OFFER:
            self._to_ask = []

    def _drop_proposals(self, event: Event, before: Game) -> None:
        """Forget the proposals that are settled, and those of a seat that was robbed.

        Everyone sees which proposals end: one that ended with its cards alone would name the
        card that was stolen.
        """
        kind = event.action.kind
        settled = event.seat if kind == ActionKind.ACCEPT else None
        if kind == ActionKind.MOVE_ROBBER:
            settled = event.victim(self.game.seats)
        if settled is not None:
            self.proposals.pop(settled, None)
        self._keep_proposals(before.turn)

    def _keep_proposals(self, turn: int) -> None:
        """Forget the proposals of another turn, and those whose cards are gone."""
        is_same = self.game.turn == turn
        proposals = self.proposals.items() if is_same else ()
        self.proposals = {seat: trade for seat, trade in proposals if self._holds(seat, trade[0])}

    def _remember(self, before: Game, event: Event) -> None:
        """Note the position before a person's choice, or forget all of them."""
        if event.action.kind in CHANCE or event.seat in self.policies:
            self._before.clear()
        else:
            self._before.append(before)


class Decision(NamedTuple):
    """A policy's action, and the offers that it makes if the person it asks refuses this one."""

    action: int
    further: tuple[Action, ...] = ()
    failure: str = ""
    """The reason why the policy did not choose the action, for the page."""
