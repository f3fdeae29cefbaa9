"""A judged replay: odds at every step, and the moves that really lost most."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from catan_env import Game, SeatView
from catan_env.game.action import ActionKind
from catan_env.game.rules import Rules
from catan_env.notation import Record, loads, to_sgn
from catan_env.policy import load_judge, load_luck, load_policy
from catan_env.render.judged import FORCED, LEAST, MARKED, Judgement, Traded, judged
from catan_env.render.replay import replay_data
from tests.notation.random_games import random_game


@pytest.fixture(scope="module")
def duel() -> Game:
    """A random player against a good one."""
    game = Game(2, seed=1, rules="duel")
    policies = [load_policy("random", 1), load_policy("greedy")]
    while not game.is_over:
        game.play(policies[game.seat].act(game.view(game.seat)))
    return game


@pytest.fixture(scope="module")
def judgement(duel: Game) -> Judgement:
    return judged(loads(to_sgn(duel)), load_judge("greedy"))


def test_every_step_has_odds_and_lessons_name_moves_that_were_made(
    duel: Game, judgement: Judgement
) -> None:
    assert len(judgement.chances) == len(duel.events) + 1
    assert judgement.chances[-1] == tuple(float(seat == duel.winner) for seat in range(2))
    assert 1 <= len(judgement.lessons) <= 2 * MARKED
    for lesson in judgement.lessons:
        event = duel.events[lesson.step - 1]
        assert event.seat == lesson.seat and event.action.index != lesson.better
        assert lesson.lost >= LEAST
    worst = max(judgement.lessons, key=lambda lesson: lesson.lost)
    assert worst.seat == 0  # the random player's


def record_view(table: Game | SeatView) -> SeatView:
    assert isinstance(table, Game)
    return table.view(table.seat)


class Copycat:
    """A judge that would have played all moves the same but one of seat 0."""

    name = "copycat"

    def __init__(self, record: Record, wrong: int) -> None:
        self._answers = {}
        view = None
        for step, (events, table) in enumerate(record.replay()):
            if view is not None:
                index = events[0].action.index
                if step == wrong:
                    index = self.better = next(
                        i for i in view.legal_actions.indices.tolist() if i != index
                    )
                self._answers[view.state_bytes()] = index
            view = None if table.is_over else record_view(table)

    def choose(self, view: SeatView) -> int:
        return self._answers[view.state_bytes()]  # type: ignore[return-value]

    def likely(self, view: SeatView) -> list[int]:
        return [self.choose(view)]

    def weigh(
        self, view: SeatView, moves: Sequence[int], worlds: int = 1
    ) -> list[tuple[int, float]]:
        return [(move, 0.7 if move == self.better else 0.4) for move in moves]

    def win_probabilities(self, table: Game | SeatView, futures: int = 1) -> tuple[float, ...]:
        return (1 / table.seats,) * table.seats


def test_only_moves_that_the_judge_would_not_have_made_are_marked() -> None:
    record = loads(to_sgn(random_game(5, 2, "duel", 120)))
    wrong = next(
        step
        for step, (events, _) in enumerate(record.replay())
        if step > 30 and events[0].action.kind.name == "ROAD"
    )
    judge = Copycat(record, wrong)
    (lesson,) = judged(record, judge).lessons
    assert lesson.step == wrong
    assert lesson.better == judge.better and round(lesson.lost, 6) == 0.3
    data = replay_data(record, judged(record, judge))
    assert len(data["odds"]) == len(data["steps"]) and data["judge"] == "copycat"
    assert data["lessons"][0]["step"] == wrong


class Critic(Copycat):
    """A judge that would have made none of five moves of seat 0, each worse than the last."""

    def __init__(self, record: Record) -> None:
        super().__init__(record, -1)
        self.wrong: list[int] = []
        self._lost: dict[bytes, float] = {}
        view = None
        for step, (events, table) in enumerate(record.replay()):
            if view is not None and view.viewer == 0 and len(self.wrong) < 5:
                others = {*view.legal_actions.indices.tolist()} - {events[0].action.index}
                if others:
                    self.wrong.append(step)
                    self._answers[view.state_bytes()] = min(others)
                    self._lost[view.state_bytes()] = 0.1 * len(self.wrong)
            view = None if table.is_over else record_view(table)

    def weigh(
        self, view: SeatView, moves: Sequence[int], worlds: int = 1
    ) -> list[tuple[int, float]]:
        lost = self._lost.get(view.state_bytes(), 0.0)
        better = self.choose(view)
        return [(move, 0.9 if move == better else 0.9 - lost) for move in moves]


def test_a_seats_moves_that_lost_most_are_marked() -> None:
    record = loads(to_sgn(random_game(5, 2, "duel", 120)))
    critic = Critic(record)
    lessons = judged(record, critic).lessons
    assert [lesson.step for lesson in lessons] == critic.wrong[-MARKED:]
    assert [round(lesson.lost, 6) for lesson in lessons] == [0.3, 0.4, 0.5]


@pytest.mark.parametrize(
    ("seats", "rules"), [(2, "duel"), (3, "small"), (3, "tournament"), (4, "colonist")]
)
def test_luck_is_measured_in_odds_under_every_rules(seats: int, rules: str) -> None:
    game = random_game(5, seats, rules, 30)
    record, measure = loads(to_sgn(game)), load_luck()
    judgement = judged(record, load_judge("greedy"), measure)
    begun = record.begin()
    assert isinstance(begun, Game)
    assert judgement.luck == measure(begun, game.events).tolist()
    assert any(judgement.luck) and abs(sum(judgement.luck)) < 1e-9
    data = replay_data(record, judgement)
    assert data["luck"] == pytest.approx(judgement.luck, abs=5e-4)


def test_placements_of_the_table_are_not_played_again_for_the_luck() -> None:
    game, policy = Game(2, seed=4, rules="tournament"), load_policy("greedy")
    begun = game.copy()
    while len(game.events) < 150:
        game.play(policy.act(game.view(game.seat)))
    record = loads(to_sgn(game))
    expected = load_luck()(begun, game.events).tolist()
    assert judged(record, load_judge("greedy"), load_luck()).luck == expected
    assert any(expected)


def test_without_a_measure_or_all_cards_there_is_no_luck() -> None:
    game = random_game(5, 2, "duel", 30)
    record, judge = loads(to_sgn(game)), load_judge("greedy")
    assert "luck" not in replay_data(record, judged(record, judge))
    own = loads(to_sgn(game, viewer=0))
    assert judged(own, judge, load_luck()).luck == []


def test_a_seats_own_record_is_judged_by_its_information(duel: Game) -> None:
    record = loads(to_sgn(duel, viewer=0))
    judgement = judged(record, load_judge("greedy"))
    assert {lesson.seat for lesson in judgement.lessons} <= {0}
    assert len(judgement.chances) == len(duel.events) + 1


def test_the_tables_own_placing_is_not_judged() -> None:
    game = random_game(3, 3, "tournament", 60)
    record = loads(to_sgn(game))
    judgement = judged(record, load_judge("greedy"))
    data = replay_data(record, judgement)
    assert len(data["odds"]) == len(data["steps"])
    placed = len(data["steps"]) - len(judgement.chances)
    assert placed == 12 and all(lesson["step"] > placed for lesson in data["lessons"])


def test_best_moves_are_the_judges_and_trades_are_valued_against_a_refusal() -> None:
    game = Game(3, seed=2, rules=replace(Rules.base(), points_to_win=6))
    policies = [load_policy("greedy", seat) for seat in range(3)]
    while not game.is_over:
        game.play(policies[game.seat].act(game.view(game.seat)))
    judgement = judged(loads(to_sgn(game)), load_judge("greedy"))
    best, trades = judgement.best, judgement.trades
    assert best and len({move.seat for move in best}) == len(best)
    for move in best:
        event = game.events[move.step - 1]
        assert event.seat == move.seat and move.gained >= LEAST and move.chance > move.next_chance
        assert event.action.kind not in FORCED
    accepted = sum(event.action.kind is ActionKind.ACCEPT for event in game.events)
    assert accepted and sum(traded.trades for traded in trades) == 2 * accepted
    assert any(trade.gained > 0 for trade in trades)


def test_without_trades_there_is_none_to_value(judgement: Judgement) -> None:
    assert judgement.trades == [Traded(0, 0.0)] * 2
