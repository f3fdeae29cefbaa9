"""Whole conversations, word for word, from tests/golden/hanabi_conversations.json."""

import json
from pathlib import Path
from typing import Any

import pytest

from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.dialect import IMPLEMENTED, SPEC, STRICT, Dialect
from catan_env.guests.hanabi.wire.dialect_game import Held
from catan_env.guests.hanabi.wire.room import HanabiRoom
from catan_env.net.room import Close, Effect
from tests.guests.hanabi.conversation import spelling_of

GOLDEN = Path(__file__).parents[2] / "golden" / "hanabi_conversations.json"
CONVERSATIONS = json.loads(GOLDEN.read_text())
LINES = {"ann": 0, "ben": 1, "a third socket": 2}


def state_in(conversation: list[dict[str, Any]], to: str) -> dict[str, Any]:
    """The first table shown to one client."""
    return next(
        step["response"]["game_state"]
        for step in conversation
        if step.get("to") in (to, "all") and "game_state" in step.get("response", {})
    )


def all_ids(state: dict[str, Any]) -> list[int]:
    """The fifty ids, first dealt first."""
    hands = [held["card"]["id"] for player in state["players"] for held in player["cards"]]
    return hands + [card["id"] for card in state["deck"]]


def strict_room() -> HanabiRoom:
    """The game of the first conversation, with ids that reveal nothing."""
    order = all_ids(state_in(CONVERSATIONS["spec"], "all"))
    room = HanabiRoom(STRICT, order=order)
    shown = dict(zip(order, all_ids(state_in(CONVERSATIONS["strict"], "ann")), strict=True))
    room._deal = (order, [shown[number] for number in places.IDS])
    return room


def late_room(dialect: Dialect, conversation: list[dict[str, Any]]) -> HanabiRoom:
    """A game with one card left in the deck, which the first action draws."""
    after = conversation[1]["response"]
    state, gone, drawn = (
        after["game_state"],
        after["discarded_card"]["id"],
        after["drawn_card"]["id"],
    )
    room = HanabiRoom(dialect)
    room.opened(0, 0.0), room.opened(1, 0.0), room.opened(2, 0.0)
    room.received(0, m.ConnectionRequest("ann"), 0.0)
    room.received(1, m.ConnectionRequest("ben"), 0.0)
    room.received(1, m.GameStartRequest(), 0.0)
    table = room.table
    hands = [[held["card"]["id"] for held in player["cards"]] for player in state["players"]]
    hands[0][hands[0].index(drawn)] = gone
    table.hands = [[Held(number) for number in hand] for hand in hands]
    table.deck, table.mover = [drawn], 0
    table.discards = [card["id"] for card in state["discarded_cards"][:-1]]
    return room


def spread(room: HanabiRoom, effects: list[Effect]) -> dict[int, list[Any]]:
    """The messages received by each line: responses, and the close."""
    spelling = spelling_of(room.dialect)
    heard: dict[int, list[Any]] = {line: [] for line in LINES.values()}
    for effect in effects:
        if isinstance(effect, Close):
            heard[effect.line].append({"close": 1000})
        else:
            heard[effect.line].append({"response": json.loads(spelling.encode(effect.message))})
    return heard


def as_sets(value: Any) -> Any:
    """Sort the lists of words that represent sets."""
    if isinstance(value, dict):
        return {
            key: sorted(item) if key.endswith("_not") else as_sets(item)
            for key, item in value.items()
        }
    return [as_sets(item) for item in value] if isinstance(value, list) else value


def check(room: HanabiRoom, conversation: list[dict[str, Any]]) -> None:
    """Check that each request gets its recorded answers, on the same lines, and no others."""
    heard: dict[int, list[Any]] = {line: [] for line in LINES.values()}
    spelling = spelling_of(room.dialect)
    for step in conversation:
        if "request" in step:
            assert not any(heard.values()), heard
            request = spelling.decode(json.dumps(step["request"]).encode())
            heard = spread(room, room.received(LINES[step["from"]], request, 0.0))
            continue
        said = {key: step[key] for key in ("response", "close") if key in step}
        for line in LINES.values() if step["to"] == "all" else [LINES[step["to"]]]:
            assert as_sets(heard[line].pop(0)) == as_sets(said)
    assert not any(heard.values()), heard


def opened(room: HanabiRoom) -> HanabiRoom:
    for line in LINES.values():
        room.opened(line, 0.0)
    return room


def test_the_conversation_of_the_text() -> None:
    order = all_ids(state_in(CONVERSATIONS["spec"], "all"))
    check(opened(HanabiRoom(SPEC, order=order)), CONVERSATIONS["spec"])


def test_the_strict_conversation_hides_what_a_client_may_not_know() -> None:
    check(opened(strict_room()), CONVERSATIONS["strict"])


@pytest.mark.parametrize("dialect", [SPEC, IMPLEMENTED], ids=lambda dialect: dialect.name)
def test_the_last_turns(dialect: Dialect) -> None:
    conversation = CONVERSATIONS[f"{dialect.name}, from the last card of the deck"]
    check(late_room(dialect, conversation), conversation)
