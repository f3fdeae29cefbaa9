"""Trades at a live table: offers to everyone, proposals, and several offers answered at a time."""

from collections.abc import Sequence

import pytest

from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.web.messages import (
    Act,
    Answer,
    Choices,
    Offer,
    Proposal,
    Proposals,
    Propose,
    Refused,
    Step,
    Undo,
)
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.table import LiveTable
from tests.web.positions import rich
from tests.web.tables import Tables

ANN, BEN, WATCH = 1, 2, 3
BRICK, GRAIN, ORE = (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 0, 1, 0)
NOTHING = (0, 0, 0, 0, 0)


class Scripted:
    """A policy that plays these actions, then ends its turns; it notes what it was asked."""

    def __init__(self, *actions: Action) -> None:
        self.actions = list(actions)

    def act(self, view: SeatView) -> int:
        """The first action left that is legal."""
        legal = [action.index for action in view.legal_actions]
        while self.actions:
            index = self.actions[0].index
            if index in legal:
                del self.actions[0]
                return int(index or 0)
            break
        return int(legal[0] or 0)


def seated(game: Game, policies: dict[int, Scripted]) -> Tables:
    table = LiveTable(game, ["Ann", "Ben", "Cleo", "Dan"], policies)
    tables = Tables(table)
    tables.room = TableRoom([Seating(table, {"ann": 0, "ben": 1, "watch": None})])
    for line, secret in ((ANN, "ann"), (BEN, "ben"), (WATCH, "watch")):
        tables.open(line, secret)
    return tables


def kinds(tables: Tables) -> list[ActionKind]:
    return [event.action.kind for event in tables.table.game.events]


def say_as(tables: Tables, line: int, message: type, *values: object) -> None:
    tables.say(line, message(*values, tables.table.step))


def test_an_offer_to_everyone_asks_clockwise_until_one_accepts() -> None:
    tables = seated(
        rich(hands=dict.fromkeys(range(4), (2, 2, 2, 2, 2))), {2: Scripted(), 3: Scripted()}
    )
    tables.table.policies = {2: Scripted(Action.reject()), 3: Scripted(Action.accept())}
    say_as(tables, ANN, Offer, 0, BRICK, ORE)
    choices = tables.choices(BEN)
    assert choices is not None and choices.offers[0].give == ORE
    say_as(tables, BEN, Answer, -1)
    tables.wait()
    tables.wait()
    offer, accept, reject = ActionKind.OFFER, ActionKind.ACCEPT, ActionKind.REJECT
    assert kinds(tables) == [offer, reject, offer, reject, offer, accept]
    assert tables.table.game.hand(0) == (1, 2, 2, 3, 2)
    assert tables.choices(ANN) is not None


def test_an_offer_to_everyone_ends_when_all_have_refused() -> None:
    tables = seated(
        rich(hands=dict.fromkeys(range(4), (2, 2, 2, 2, 2))), {2: Scripted(), 3: Scripted()}
    )
    tables.table.policies = {k: Scripted(Action.reject()) for k in (2, 3)}
    say_as(tables, ANN, Offer, 0, BRICK, ORE)
    say_as(tables, BEN, Answer, -1)
    tables.wait()
    tables.wait()
    assert kinds(tables).count(ActionKind.REJECT) == 3
    choices = tables.choices(ANN)
    assert choices is not None and choices.may_offer


class FullDisk:
    """A journal without space for one of its steps."""

    def __init__(self, full_at: int) -> None:
        self.left = full_at

    def follow(self, game: Game) -> None:
        self.left -= 1
        if self.left == 0:
            raise OSError(28, "No space left on device")


def test_an_offer_to_everyone_ends_at_a_refusal_after_which_the_disk_is_full() -> None:
    hands = dict.fromkeys(range(4), (2, 2, 2, 2, 2))
    tables = seated(rich(hands=hands), {2: Scripted(), 3: Scripted()})
    say_as(tables, ANN, Offer, 0, BRICK, ORE)
    tables.table.journal = FullDisk(2)  # type: ignore[assignment]
    say_as(tables, BEN, Answer, -1)
    assert kinds(tables) == [ActionKind.OFFER, ActionKind.REJECT]
    for line in (ANN, BEN, WATCH):
        (step,) = [m.number for m in tables.heard[line] if isinstance(m, Step)][1:]
        assert step == tables.table.step - 1
    say_as(tables, ANN, Offer, 0, BRICK, ORE)
    assert kinds(tables)[2:] == [ActionKind.OFFER] and tables.choices(BEN) is not None


def offers_of_a_policy(hands: Sequence[int] = (2, 2, 2, 2, 2)) -> Tables:
    """Dan, a policy, offers Ben three trades one after another."""
    three = [Action.offer(2, BRICK, get) for get in (GRAIN, ORE, (0, 0, 0, 0, 1))]
    game = rich(turn_seat=3, hands={0: (2,) * 5, 1: tuple(hands), 3: (2,) * 5})
    tables = seated(game, {2: Scripted(), 3: Scripted(*three)})
    tables.wait()
    return tables


def test_offers_of_a_policy_arrive_together_and_one_of_them_is_accepted() -> None:
    tables = offers_of_a_policy()
    choices = tables.choices(BEN)
    assert choices is not None
    assert [(one.give, one.get) for one in choices.offers] == [
        (GRAIN, BRICK), (ORE, BRICK), ((0, 0, 0, 0, 1), BRICK)
    ]  # fmt: skip
    assert kinds(tables) == [ActionKind.OFFER]
    say_as(tables, BEN, Answer, 1)
    assert tables.table.game.hand(1) == (3, 2, 2, 1, 2)
    assert kinds(tables)[-1] is ActionKind.ACCEPT and kinds(tables).count(ActionKind.REJECT) == 1


def test_all_offers_of_a_policy_are_declined_at_a_time() -> None:
    tables = offers_of_a_policy()
    say_as(tables, BEN, Answer, -1)
    assert kinds(tables) == [ActionKind.OFFER, ActionKind.REJECT] * 3
    assert tables.table.game.seat == 3


def test_a_late_answer_is_refused_only_if_it_accepts() -> None:
    """A page may decline for its player, in several tabs."""
    tables = offers_of_a_policy()
    step = tables.table.step
    say_as(tables, BEN, Answer, -1)
    heard = len(tables.heard[BEN])
    tables.say(BEN, Answer(-1, step))
    assert len(tables.heard[BEN]) == heard
    tables.say(BEN, Answer(0, step))
    assert tables.heard[BEN][heard:] == [Refused("the table has moved on")]


@pytest.mark.parametrize("stored", [1, 2])
def test_the_part_of_an_answer_that_was_stored_reaches_everyone(stored: int) -> None:
    tables = offers_of_a_policy()
    tables.table.journal = FullDisk(stored + 1)  # type: ignore[assignment]
    step = tables.table.step
    say_as(tables, BEN, Answer, -1)
    assert tables.table.step == step + stored
    for line in (ANN, BEN, WATCH):
        numbers = [m.number for m in tables.heard[line] if isinstance(m, Step)]
        assert numbers[-stored:] == list(range(step, step + stored))
    assert "No space left" in tables.heard[BEN][-1].reason
    while tables.table.game.turn_seat == 3:
        if tables.table.waits_for_policy:
            tables.wait()
        else:
            say_as(tables, BEN, Answer, -1)
    assert kinds(tables)[-1] is ActionKind.END_TURN


def test_an_offer_that_cannot_be_paid_names_the_cards_that_are_missing() -> None:
    tables = offers_of_a_policy((2, 0, 2, 2, 2))
    choices = tables.choices(BEN)
    assert choices is not None
    assert [one.lacks for one in choices.offers] == [GRAIN, NOTHING, NOTHING]
    step = tables.table.step
    say_as(tables, BEN, Answer, 0)
    assert isinstance(tables.heard[BEN][-1], Refused) and tables.table.step == step
    say_as(tables, BEN, Answer, 3)
    assert isinstance(tables.heard[BEN][-1], Refused) and tables.table.step == step


def test_a_proposal_reaches_everyone_and_is_gone_with_the_turn() -> None:
    tables = seated(rich(), {2: Scripted(), 3: Scripted()})
    tables.say(BEN, Propose(ORE, BRICK, tables.table.step))
    told = Proposals([Proposal(1, ORE, BRICK)])
    assert all(tables.heard[line][-1] == told for line in (ANN, BEN, WATCH))
    tables.open(9, "watch")
    assert told in tables.heard[9]
    say_as(tables, ANN, Offer, 1, BRICK, ORE)
    say_as(tables, BEN, Answer, 0)
    assert tables.table.game.hand(0)[3] == 5
    tables.table.act(0, Action.end_turn())
    tables.take(tables.room._play.moved_on(tables.room._seatings[0], tables.table.step, 0.0))
    assert Proposals([]) in tables.heard[WATCH]


def test_a_proposal_is_gone_when_its_trade_is_made_or_its_cards_are_lost() -> None:
    monopoly = {0: (0, 0, 0, 1, 0)}
    tables = seated(rich(cards=monopoly), {2: Scripted(), 3: Scripted()})
    tables.say(BEN, Propose(ORE, BRICK, tables.table.step))
    say_as(tables, ANN, Offer, 1, BRICK, ORE)
    say_as(tables, BEN, Answer, -1)
    assert set(tables.table.proposals) == {1}  # an offer that was declined changes nothing
    say_as(tables, ANN, Offer, 1, BRICK, ORE)
    say_as(tables, BEN, Answer, 0)
    assert not tables.table.proposals
    assert tables.heard[WATCH][-1] == Proposals([])
    tables.say(BEN, Propose(ORE, GRAIN, tables.table.step))
    say_as(tables, ANN, Act, Action.play_monopoly(3).index)
    assert not tables.table.proposals


def test_a_proposal_is_gone_when_the_last_road_of_the_set_up_is_taken_back() -> None:
    tables = seated(Game(4, seed=1), {2: Scripted(), 3: Scripted()})
    game = tables.table.game
    while game.turn == 0:
        tables.table.act(game.seat, game.legal_actions[0])
    held = next(kind for kind, number in enumerate(game.hand(1)) if number)
    give, get = (tuple(int(k == one) for k in range(5)) for one in (held, (held + 1) % 5))
    say_as(tables, BEN, Propose, give, get)
    assert set(tables.table.proposals) == {1}
    say_as(tables, ANN, Undo)
    assert tables.table.game.turn == 0 and not tables.table.proposals
    assert all(Proposals([]) in tables.heard[line] for line in (ANN, BEN, WATCH))


def test_an_accepted_trade_is_not_taken_back() -> None:
    hands = {0: (0, 0, 0, 1, 0), 1: (1, 0, 0, 0, 0)}
    tables = seated(rich(hands=hands), {2: Scripted(), 3: Scripted()})
    say_as(tables, ANN, Offer, 1, ORE, BRICK)
    say_as(tables, BEN, Answer, 0)
    say_as(tables, BEN, Undo)
    assert tables.heard[BEN][-1] == Refused("Ann decides now")
    say_as(tables, ANN, Undo)
    assert isinstance(tables.heard[ANN][-1], Refused)
    assert tables.table.game.hand(0) == BRICK and tables.table.game.hand(1) == ORE


def test_a_proposal_does_not_tell_which_card_was_stolen() -> None:
    stolen = set()
    for seed in range(8):
        game = rich(hands={0: (4,) * 5, 1: (0, 0, 0, 1, 1)}, phase="robber", roll=7, seed=seed)
        tables = seated(game, {2: Scripted(), 3: Scripted()})
        tables.say(BEN, Propose(ORE, BRICK, tables.table.step))
        robs = next(
            action
            for action in tables.table.game.legal_actions
            if action.kind is ActionKind.MOVE_ROBBER and action.args[1] == 1
        )
        say_as(tables, ANN, Act, robs.index)
        stolen.add(tables.table.game.events[-1].outcome)
        assert tables.heard[WATCH][-1] == Proposals([])
    assert len(stolen) == 2


@pytest.mark.parametrize(
    ("line", "give", "get", "why"),
    [
        (ANN, BRICK, ORE, "your turn"),
        (BEN, (9, 0, 0, 0, 0), ORE, "do not hold"),
        (BEN, BRICK, BRICK, "both sides"),
        (BEN, BRICK, NOTHING, "both sides"),
        (BEN, (-1, 1, 0, 0, 0), ORE, "both sides"),
        (BEN, BRICK, (0, 0, 0, 2**70, 0), "at most 19"),
    ],
)
def test_a_proposal_that_cannot_be_kept_is_refused(line, give, get, why) -> None:  # type: ignore[no-untyped-def]
    tables = seated(rich(), {2: Scripted(), 3: Scripted()})
    say_as(tables, line, Propose, give, get)
    refused = tables.heard[line][-1]
    assert isinstance(refused, Refused) and why in refused.reason
    assert not tables.table.proposals


def test_a_spectator_answers_nothing() -> None:
    tables = offers_of_a_policy()
    say_as(tables, WATCH, Answer, 0)
    assert isinstance(tables.heard[WATCH][-1], Refused)
    say_as(tables, ANN, Answer, 0)
    assert isinstance(tables.heard[ANN][-1], Refused)
    assert kinds(tables) == [ActionKind.OFFER]
    with pytest.raises(IllegalActionError):
        tables.table.answer(1, 7)
    assert not [m for m in tables.heard[ANN] if isinstance(m, Choices) and m.offers]
