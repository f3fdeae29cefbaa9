"""Records of hanab.live: written and read games are the same, and every action is checked."""

import json
import random
from typing import Any

import pytest

from catan_env.guests.hanabi import Card, Game, Rules
from catan_env.guests.hanabi.hanab_live import VARIANTS, dumps, is_live, loads, positions, read
from tests.guests.hanabi.random_games import careful_action


def played(players: int, seed: int, rules: Rules) -> Game:
    game, chance = Game(players, seed, rules), random.Random(seed)
    while not game.is_over:
        game.play(careful_action(game, chance))
    return game


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_written_game_is_read_as_it_was(variant: str, players: int) -> None:
    for seed in range(3):
        game = played(players, seed, VARIANTS[variant])
        assert loads(dumps(game)) == game
        assert len(list(positions(dumps(game)))) == len(game.events) + 1


@pytest.mark.parametrize("rules", [Rules(hand_size=4), Rules(empty_hints=True)])
def test_options_of_the_hand_and_of_hints_are_kept(rules: Rules) -> None:
    game = played(2, 4, rules)
    assert json.loads(dumps(game))["options"] != {"variant": "No Variant"}
    assert loads(dumps(game)) == game


def test_a_record_names_cards_by_deck_place_and_players_by_table_place() -> None:
    record = a_record()
    game = loads(json.dumps(record))
    assert game.players == 2 and game.tokens == 7 and len(game.events) == 3
    assert game.dealt[0][0] == Card.from_text("R1") and game.dealt[1][0] == Card.from_text("R2")
    assert [str(event) for event in game.events[:2]] == [
        "seat 0: play card 0, placed: R1",
        "seat 1: play card 0, placed: R2",
    ]
    assert game.hands[0][-1] == Card.from_text("B1"), "the first card drawn; its suit 3 is blue"
    assert str(game.events[2].action) == "hint W to the player 1 to the left", "suit 4 is purple"


def test_another_player_may_start() -> None:
    record = a_record()
    record["options"]["startingPlayer"] = 1
    record["actions"] = [{"type": 1, "target": 0, "value": 0}]
    with pytest.raises(ValueError, match=r"action 1 .* card 0 is not in the player's hand"):
        loads(json.dumps(record))
    record["actions"] = [{"type": 3, "target": 0, "value": 1}, {"type": 0, "target": 0}]
    game = loads(json.dumps(record))
    assert game.dealt[0][0] == Card.from_text("R2") and game.tops[0] == 1
    assert read(json.dumps(record)).names == ("Ann", "Ben")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"actions": [{"type": 1, "target": 0}]}, r"action 1 .*all 8 hint tokens"),
        ({"actions": [{"type": 0, "target": 49}]}, r"action 1 .*card 49 is not"),
        ({"actions": [{"type": 2, "target": 0, "value": 0}]}, r"action 1 .*target is 0"),
        ({"actions": [{"type": 2, "target": 3}]}, r"action 1 .*target 3; allowed are 0\.\.1"),
        ({"actions": [{"type": 3, "target": -1, "value": 1}]}, r"action 1 .*target -1; allowed"),
        ({"actions": [{"type": 2, "target": 1, "value": 9}]}, r"action 1 .*colour 9"),
        ({"actions": [{"type": 9, "target": 1}]}, r"action 1 .*type 9"),
        ({"actions": [{"type": "0"}]}, "in numbers"),
        ({"actions": [[]]}, "'actions' is"),
        ({"deck": []}, "a deck of 0 cards"),
        ({"deck": [{"suitIndex": 7, "rank": 1}]}, "no card"),
        ({"deck": [{"suitIndex": True, "rank": 1}]}, "no card"),
        ({"deck": [{"suitIndex": 1, "rank": 1.0}]}, "no card"),
        ({"deck": [{"suitIndex": [1], "rank": 1}]}, "no card"),
        ({"deck": [{"rank": 1}]}, "no card"),
        ({"players": ["Ann"]}, "players is 1"),
        ({"options": {"variant": "Reversed (6 Suits)"}}, "Reversed"),
        ({"options": {"deckPlays": True}}, "deckPlays"),
        ({"options": {"deckPlays": "no"}}, "deckPlays is 'no'; allowed are true and false"),
        ({"options": {"emptyClues": 1}}, "emptyClues is 1; allowed are true and false"),
        ({"options": {"oneLessCard": []}}, r"oneLessCard is \[\]; allowed are true and false"),
        ({"options": {"startingPlayer": 5}}, "startingPlayer"),
        ({"options": {"startingPlayer": 1.0}}, "startingPlayer is 1.0"),
        ({"options": {"variant": ["6 Suits"]}}, r"variant \['6 Suits'\]; allowed are"),
        ({"options": []}, r"'options' is \[\]"),
        ({"options": 3}, "'options' is 3"),
    ],
)
def test_an_invalid_record_is_refused_with_the_reason(change: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        loads(json.dumps(a_record() | change))


def test_a_record_without_options_is_of_the_usual_variant() -> None:
    record = a_record()
    del record["options"]
    for same in (record, record | {"options": None}):
        assert loads(json.dumps(same)).tokens == 7


def test_a_record_that_is_nested_too_deeply_is_refused() -> None:
    text = '{"deck": [' + "[" * 100_000
    assert not is_live(text)
    with pytest.raises(ValueError, match="a record is JSON"):
        loads(text)


def test_a_game_that_was_ended_there_stops() -> None:
    record = a_record()
    record["actions"].append({"type": 4, "target": 0, "value": 4})
    assert not loads(json.dumps(record)).is_over
    with pytest.raises(ValueError, match="JSON"):
        loads("{")


def test_actions_after_the_end_are_refused() -> None:
    game = played(2, 1, VARIANTS["No Variant"])
    record = json.loads(dumps(game))
    record["actions"].append({"type": 2, "target": 1, "value": 0})
    with pytest.raises(ValueError, match=f"action {len(game.events) + 1} .*over"):
        loads(json.dumps(record))


def test_rules_that_no_variant_has_are_not_written() -> None:
    with pytest.raises(ValueError, match="not a variant"):
        dumps(Game(2, 1, "Hanabi-Small"))


def a_record() -> dict[str, Any]:
    """Two plays and a hint; the hands hold ones, twos and a purple card."""
    first = [(0, 1), (0, 1), (0, 1), (1, 1), (1, 1), (0, 2), (0, 2), (1, 2), (4, 1), (4, 2)]
    first += [(3, 1), (4, 1)]
    counts = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
    rest = [(suit, rank) for suit in range(5) for rank in counts for _ in range(counts[rank])]
    for card in first:
        rest.remove(card)
    return {
        "players": ["Ann", "Ben"],
        "deck": [{"suitIndex": suit, "rank": rank} for suit, rank in [*first, *rest]],
        "actions": [
            {"type": 0, "target": 0, "value": 0},
            {"type": 0, "target": 5, "value": 0},
            {"type": 2, "target": 1, "value": 4},
        ],
        "options": {"variant": "No Variant"},
    }
