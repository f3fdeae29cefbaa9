"""The summary of a judged game: the worst move of a seat."""

from pathlib import Path
from typing import Any

from catan_env.game.action import Action
from catan_env.notation import loads, to_sgn
from catan_env.render.judged import Judgement, Lesson
from catan_env.render.replay import replay_html
from tests.render.browser import opened
from tests.web.test_ending import ended


def test_the_worst_move_of_a_seat_is_the_one_that_lost_most(browser: Any, tmp_path: Path) -> None:
    game = ended(3).game
    steps = [k + 1 for k, event in enumerate(game.events) if event.seat == 0][:3]
    better = Action.end_turn().index
    lessons = [
        Lesson(step, 0, 0.4, better, 0.4 + lost)
        for step, lost in zip(steps, (0.05, 0.3, 0.12), strict=True)
    ]
    chances = [(0.5, 0.5)] * (len(game.events) + 1)
    judgement = Judgement("greedy", chances, lessons, [], [], [])
    file = tmp_path / "game.html"
    file.write_text(replay_html(loads(to_sgn(game)), judgement=judgement), encoding="utf-8")
    page = opened(browser, file)
    worst, other = page.texts(".summary tbody td:last-child")
    assert worst.startswith("−30\N{NO-BREAK SPACE}%") and other == "–"
    listed = page.texts(".lessons b")
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in listed] == [
        "−5 %",
        "−30 %",
        "−12 %",
    ]
    browser.execute_script("document.querySelector('.summary td:last-child button').click()")
    assert page.step == steps[1]
