"""A position as text, and the answers that are read from it."""

import re
import subprocess
import sys
import time
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from catan_env import Action, ActionKind, Game, Rules
from catan_env.game import geometry
from catan_env.text import AnswerError, TextPolicy, position_text, read_answer
from catan_env.text.position import action_text, numbered

RULES = ["base", "tournament", "jsettlers", "german_0.2", "colonist"]


def positions(seats: int, seed: int, rules: str = "base", most: int = 400) -> Any:
    """Views of the acting seat in a random game."""
    game, rng = Game(seats, seed, rules), np.random.default_rng(seed)
    for _ in range(most):
        if game.is_over:
            return
        yield game.view(game.seat)
        game.play(int(rng.choice(game.legal_actions.indices)))


@pytest.mark.parametrize(
    ("seats", "rules"),
    [
        pytest.param(seats, rules, marks=() if number % 3 == seats % 3 else pytest.mark.nightly)
        for number, rules in enumerate(RULES)
        for seats in (2, 3, 4)
    ],
)
def test_every_legal_action_is_read_back_from_its_number_and_its_text(
    seats: int, rules: str
) -> None:
    for view in positions(seats, 40 + seats, rules):
        legal = list(view.legal_actions)
        texts = [action_text(view, action) for action in legal]
        assert len(set(texts)) == len(texts)
        for number in {1, len(legal) // 2 + 1, len(legal)}:
            action = legal[number - 1]
            assert read_answer(view, str(number)) == action
            assert read_answer(view, texts[number - 1]) == action


@pytest.mark.parametrize("rules", ["base", "colonist"])
def test_a_listed_line_is_read_as_its_action(rules: str) -> None:
    for view in positions(4, 9, rules):
        legal = list(view.legal_actions)
        for line in numbered(view):
            is_offer = legal[number_of(line) - 1].kind == ActionKind.OFFER
            for listed in line.split("; ") if is_offer else [line]:
                assert read_answer(view, f"- {listed}") == legal[number_of(listed) - 1]


def number_of(line: str) -> int:
    """The first number of an action in a listed line."""
    found = re.search(r"(?<![\w-])(\d+)\. ", line)
    assert found is not None
    return int(found[1])


def test_an_offer_of_more_cards_than_listed_is_not_an_offer_of_fewer() -> None:
    offers = []
    for view in positions(2, 7):
        for action in view.legal_actions:
            if action.kind == ActionKind.OFFER and sum(action.args[2]) == 1:
                offers.append((view, action_text(view, action)))
    assert offers
    for view, text in offers:
        with pytest.raises(AnswerError):
            read_answer(view, f"{text}, 17 ore")


def test_every_number_is_in_the_text_once() -> None:
    for view in positions(4, 7):
        lines = numbered(view)
        numbers = [int(n) for line in lines for n in re.findall(r"(?<![\w-])(\d+)\. ", line)]
        assert numbers == list(range(1, len(view.legal_actions) + 1))
        assert position_text(view).endswith("\n".join(lines))


def test_a_text_depends_on_what_its_seat_may_know() -> None:
    """Hidden cards differ; the public history and the seat's own cards are the same."""
    game, rng = Game(3, 11), np.random.default_rng(3)
    while not any(game.cards(1)) or game.seat == 1:
        game.play(int(rng.choice(game.legal_actions.indices)))
    text = position_text(game.view(0))
    game._array["cards"][0, 1] = np.roll(game._array["cards"][0, 1], 1)
    game._array["hand"][0, 1] = np.roll(game._array["hand"][0, 1], 1)
    assert position_text(game.view(0)) == text


def test_a_reader_finds_the_board_in_the_text() -> None:
    view = Game(4, 3).view(0)
    tiles = re.findall(r"^  tile (\d+), .*: ([\d ]+)$", position_text(view), re.MULTILINE)
    assert [tuple(map(int, corners.split())) for _, corners in tiles] == list(
        geometry.TILE_VERTICES
    )


def test_a_reader_finds_the_seven_tiles_of_a_small_board() -> None:
    game = Game(2, seed=1, rules="small")
    lines = [line for line in position_text(game.view(0)).splitlines() if "  tile " in line]
    assert len(lines) == 7 and not any("sea" in line for line in lines)


@pytest.mark.parametrize("seed", range(5, 15))
def test_the_end_of_a_game_is_in_the_text(seed: int) -> None:
    game, rng = Game(2, seed), np.random.default_rng(1)
    while not game.is_over:
        game.play(int(rng.choice(game.legal_actions.indices)))
    text = position_text(game.view(0))
    hidden = game.points(game.winner, hidden=False) < 10
    assert f"seat {game.winner} has won{', with hidden victory points' if hidden else ''}." in text
    assert "Your actions" not in text


def told_rules(rules: Rules | str, seats: int = 2) -> list[str]:
    """The lines of the text about rules that are not the booklet's."""
    lines = position_text(Game(seats, 1, rules).view(0)).splitlines()
    return [line for line in lines if line.startswith(("Unlike", "Chances"))]


def test_rules_that_are_not_the_booklets_are_in_the_text() -> None:
    assert told_rules("base", 4) == []
    assert told_rules("duel") == ["Unlike in the booklet, seats do not trade with each other."]
    colonist, chances = told_rules("colonist_1v1")
    for part in ("more than 9 cards", "at most 2 points", "a deck of the 36", "do not trade"):
        assert part in colonist
    assert chances == (
        "Chances of the next roll: 2 2.8 %, 3 5.6 %, 4 8.3 %, 5 11.1 %, 6 13.9 %, 7 16.7 %, "
        "8 13.9 %, 9 11.1 %, 10 8.3 %, 11 5.6 %, 12 2.8 %."
    )


@pytest.mark.parametrize("switch", [s for s in fields(Rules) if isinstance(s.default, bool)])
def test_every_switch_of_the_rules_changes_the_text(switch: Any) -> None:
    other = replace(Rules.base(), **{switch.name: not switch.default})
    assert position_text(Game(2, 1, other).view(0)) != position_text(Game(2, 1).view(0))


def test_the_chances_of_a_roll_are_those_of_the_deck() -> None:
    for view in positions(2, 5, "colonist_1v1", 120):
        (line,) = re.findall(r"^Chances of the next roll: .*", position_text(view), re.MULTILINE)
        found = {int(t): float(p) for t, p in re.findall(r"(\d+) ([\d.]+) %", line)}
        weights = view.roll_weights()
        for total in range(2, 13):
            share = sum(w for k, w in enumerate(weights) if k // 6 + k % 6 + 2 == total)
            assert found.get(total, 0) == pytest.approx(100 * share / sum(weights), abs=0.05001)
    assert line != told_rules("colonist_1v1")[1]


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("12", 12),
        ("12.", 12),
        ("**Answer: 12**", 12),
        ("It has 6 ore and 8 grain.\n\nAction 12\n", 12),
        ("build a settlement at vertex 11", 12),
        ("Build a settlement at vertex 11.", 12),
        ("I choose (12)", 12),
        ("12. build a settlement at vertex 11", 12),
        ("**12)** Build a settlement at vertex 11!", 12),
        ("I would like to build a settlement at vertex 11: 12", 12),
        ("I play 12, of course.", 12),
    ],
)
def test_an_answer_names_its_action_in_the_last_line(answer: str, action: int) -> None:
    view = Game(2, 1).view(0)
    assert read_answer(view, answer) == list(view.legal_actions)[action - 1]
    assert read_answer(view, answer) == Action.settlement(11)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "the answer is empty; expected the number of an action"),
        ("\n \n", "the answer is empty"),
        ("3 or 4", "has 2 numbers; expected one of 1 to 54"),
        ("the first", "has no number; expected one of 1 to 54"),
        ("0", "there is no action 0; expected one of 1 to 54"),
        ("55", "there is no action 55"),
        ("-3", "has no number"),
        ("1.5", "has no number"),
        ("3-4", "has no number"),
        ("9" * 5000, "there is no action|has no number"),
        ("build a city at vertex 99", "there is no action 99"),
        ("build a settlement at the south corner of 4 grain", "names things of the game"),
        ("build a city at corner 3", "names things of the game"),
        ("Build a road at edge 7.", "names things of the game"),
        ("I put it on vertex 3", "names things of the game"),
        ("13. build a settlement at vertex 11", "is not action 12 alone"),
        ("not 12", "names things of the game"),
        ("I don't build a settlement at vertex 11", "is not action 12 alone"),
        ("build a settlement at vertex 11, then a road", "is not action 12 alone"),
        ("build a settlement at vertex 11 or build a settlement at vertex 12", "is not action"),
        ("build a settlement at vertex 111", "there is no action 111"),
    ],
)
def test_another_answer_gets_the_reason(answer: str, reason: str) -> None:
    with pytest.raises(AnswerError, match=reason):
        read_answer(Game(2, 1).view(0), answer)


@pytest.mark.parametrize("answer", [None, 39, b"39", ["1"]])
def test_an_answer_that_is_not_text_is_refused(answer: Any) -> None:
    answers = iter([answer, "3"])
    policy = TextPolicy(lambda text: next(answers))
    assert policy.act(Game(2, 1).view(0)) == Action.settlement(2).index
    with pytest.raises(AnswerError, match=re.escape(f"the answer is {answer!r}; expected text")):
        read_answer(Game(2, 1).view(0), answer)


def test_a_seat_that_does_not_decide_has_no_answer() -> None:
    with pytest.raises(AnswerError, match=r"^seat 1 does not decide now$"):
        read_answer(Game(2, 1).view(1), "1")


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"ask": 5}, TypeError, "ask is 5; expected a function of a text"),
        ({"tries": 0}, ValueError, "tries is 0; allowed are 1 or more"),
        ({"tries": 1.5}, TypeError, r"tries is 1\.5; allowed are whole numbers"),
        ({"seconds": -1}, ValueError, "seconds is -1; allowed are positive numbers and None"),
        ({"seconds": float("nan")}, ValueError, "seconds is nan; allowed"),
        ({"seconds": "60"}, ValueError, "seconds is '60'; allowed"),
    ],
)
def test_the_arguments_of_a_text_policy_are_checked(
    given: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        TextPolicy(**{"ask": str, **given})


def test_a_refused_answer_is_followed_by_another_try() -> None:
    asked: list[str] = []
    answers = iter(["all of them", "99", "3"])

    def ask(text: str) -> str:
        asked.append(text)
        return next(answers)

    assert TextPolicy(ask).act(Game(2, 1).view(0)) == Action.settlement(2).index
    assert asked[1].startswith(asked[0]) and asked[1].endswith("expected one of 1 to 54.")
    assert "there is no action 99" in asked[2]


def test_a_policy_that_never_answers_legally_is_named() -> None:
    reason = "no legal action after 2 answers; the last one: there is no action 99; expected one"
    with pytest.raises(AnswerError, match=f"^{reason}"):
        TextPolicy(lambda text: "99", tries=2).act(Game(2, 1).view(0))


def test_a_decision_takes_no_longer_than_its_time() -> None:
    start = time.monotonic()
    with pytest.raises(TimeoutError, match=r"no answer within 0\.2 s"):
        TextPolicy(lambda text: str(time.sleep(3)), seconds=0.2).act(Game(2, 1).view(0))
    assert time.monotonic() - start < 2.5


def test_an_error_of_the_function_reaches_the_caller() -> None:
    def ask(text: str) -> str:
        raise TimeoutError("of the model")

    for seconds in (None, 60):
        with pytest.raises(TimeoutError, match="of the model"):
            TextPolicy(ask, seconds=seconds).act(Game(2, 1).view(0))


def test_a_process_ends_though_an_answer_is_late() -> None:
    code = (
        "import time; from catan_env import Game; from catan_env.text import TextPolicy\n"
        "try: TextPolicy(lambda text: time.sleep(600), seconds=0.1).act(Game(2, 1).view(0))\n"
        "except TimeoutError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout == "no answer within 0.1 s\n"


def test_a_single_legal_action_is_not_asked_for() -> None:
    game = Game(2, 1)
    rng = np.random.default_rng(0)
    while len(game.legal_actions) > 1:
        game.play(int(rng.choice(game.legal_actions.indices)))
    policy = TextPolicy(lambda text: pytest.fail("asked"))
    assert policy.act(game.view(game.seat)) == game.legal_actions.indices[0]
