"""Colonist's replays: our games in that format are read back, damaged ones are refused."""

import json
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_env import Game, Rules
from catan_env.cli import main
from catan_env.core.constants import Phase
from catan_env.foreign import ForeignError, read_foreign
from catan_env.notation import read
from tests.foreign.colonist_writer import Writer
from tests.foreign.damage import check, damaged_replay
from tests.foreign.games import played, without_failed_offers

FEW, MANY = 6, 200


def rules_for(seed: int) -> tuple[Rules, int]:
    """Rules and a number of seats; the dice are read as they fell."""
    if seed % 3 == 0:
        return replace(Rules.colonist_1v1(), balanced_dice=False), 2
    rules = replace(Rules.colonist(), balanced_dice=False, friendly_robber=seed % 2 == 0)
    return rules, 3 + seed % 2


@pytest.fixture(scope="module")
def written(games: int) -> list[tuple[Game, dict[str, Any]]]:
    """Finished games, and their replays."""
    count = MANY if games >= 10_000 else FEW
    finished = [played(seed, *rules_for(seed)) for seed in range(1, count + 1)]
    return [(game, Writer(game, seed).replay()) for seed, game in enumerate(finished)]


def saved(replay: Any, folder: Path) -> Path:
    """The replay as a file."""
    file = folder / "replay.json"
    file.write_text(json.dumps(replay))
    return file


def test_our_games_are_read_back(
    written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    for game, replay in written:
        found, players = read_foreign(saved(replay, tmp_path))
        assert found.events == tuple(without_failed_offers(game.events))
        assert found.board == game.board and found.winner == game.winner
        assert players == tuple(f"player {color}" for color in (5, 1, 3, 2)[: game.seats])
    kinds = {
        event.action.kind.name
        for game, _ in written
        for event in without_failed_offers(game.events)
    }
    assert {"ACCEPT", "PLAY_MONOPOLY", "PLAY_YEAR_OF_PLENTY", "BANK_TRADE", "DISCARD"} <= kinds


def test_a_damaged_replay_never_gives_another_game(
    written: list[tuple[Game, dict[str, Any]]], tmp_path: Path, games: int
) -> None:
    chance, refused, number = Random(11), 0, 500 if games >= 10_000 else 30
    for k in range(number):
        game, replay = written[k % len(written)]
        try:
            found, _ = read_foreign(saved(damaged_replay(replay, chance), tmp_path))
        except ForeignError as error:
            refused += 1
            assert "\n" not in str(error) and len(str(error)) < 400
            continue
        assert found.events == tuple(without_failed_offers(game.events)), k
    assert refused > number // 3


def test_the_command_damages_replays(
    written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    outcomes = check([saved(written[0][1], tmp_path)], 20, 1, lambda said: None)
    assert outcomes.total() == 20 and outcomes["refused at a step"]
    assert not outcomes["ANOTHER GAME"]


def first(replay: Any, kind: int) -> tuple[int, Any, Any]:
    """The first event with a log line of that type: its number from 1, its change, the text."""
    for number, event in enumerate(replay["data"]["eventHistory"]["events"], 1):
        for line in event["stateChange"].get("gameLogState", {}).values():
            if line["text"]["type"] == kind:
                return number, event["stateChange"], line["text"]
    raise LookupError(kind)


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        (10, lambda c, t: t.update(firstDice=7), "firstDice"),
        (10, lambda c, t: t.update(firstDice=1 + t["firstDice"] % 6), "diceState has"),
        (10, lambda c, t: t.update(type=147), "a line of type 147, which is unknown"),
        (10, lambda c, t: t.update(playerColor=9), "colour 9 does not play"),
        (10, lambda c, t: c.update(mechanicCityWallState={}), "mechanicCityWallState"),
        (1, lambda c, t: c.pop("mechanicDevelopmentCardsState"), "does not show the bought card"),
        (44, lambda c, t: c.update(currentState={"currentTurnPlayerColor": 3}), "is on turn"),
        (4, lambda c, t: c.pop("mapState"), "mapState changes 0 corners and 0 edges"),
        (4, lambda c, t: t.update(pieceEnum=1), "the log has 0 buildings and 0 roads"),
        (20, lambda c, t: t.update(cardEnum=12), "cardEnum is 12"),
        (55, lambda c, t: t.update(cardEnums=[0]), "0 is not a resource"),
        (116, lambda c, t: t["receivedCardEnums"].append(1), r"receivedCardEnums are .*too many"),
        (116, lambda c, t: t.update(givenCardEnums=[]), r"receivedCardEnums are .*too many"),
        (116, lambda c, t: t.pop("receivedCardEnums"), "receivedCardEnums"),
        (4, lambda c, t: t.update(pieceEnum=None), "the log has 0 buildings"),
        (14, lambda c, t: t.update(cardEnums=[9]), "9 is not a resource"),
        (4, lambda c, t: places_of(c)[0].update(owner=9), "the corner .* becomes"),
        (4, lambda c, t: add_road(c, t), "1 buildings and 1 roads, and one piece at a time"),
        (1, lambda c, t: cards_of(c, t, "developmentCardsBoughtThisTurn").clear(), "is new"),
        (11, lambda c, t: c.pop("mechanicRobberState"), "disagree whether the robber moves"),
        (11, lambda c, t: t["tileInfo"].update(diceNumber=1), "tileInfo is"),
    ],
)
def test_a_wrong_step_is_named(
    kind: int, change: Any, said: str, written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    replay = deepcopy(written[0][1])
    number, changes, text = first(replay, kind)
    change(changes, text)
    with pytest.raises(ForeignError, match=said) as caught:
        read_foreign(saved(replay, tmp_path))
    assert caught.value.step == number


def places_of(change: Any, kind: str = "tileCornerStates") -> list[Any]:
    """The corners or edges that an event changes."""
    return list(change["mapState"][kind].values())


def add_road(change: Any, text: Any) -> None:
    """Put a road in the event of a settlement, with its line of the log."""
    change["mapState"]["tileEdgeStates"] = {"0": {"owner": text["playerColor"], "type": 1}}
    change["gameLogState"]["9999"] = {"text": {**text, "pieceEnum": 0}}


def cards_of(change: Any, text: Any, key: str) -> Any:
    """A list of cards in the event of a purchase."""
    players = change["mechanicDevelopmentCardsState"]["players"]
    return players[str(text["playerColor"])][key]


def changes_of(replay: Any, kind: int) -> list[tuple[int, Any, Any]]:
    """All events with such a line, as `first` returns one."""
    return [
        (number, event["stateChange"], line["text"])
        for number, event in enumerate(replay["data"]["eventHistory"]["events"], 1)
        for line in event["stateChange"].get("gameLogState", {}).values()
        if line["text"]["type"] == kind
    ]


def refused_step(replay: Any, said: str, folder: Path) -> int | None:
    """The step at which the replay is refused with such an error."""
    with pytest.raises(ForeignError, match=said) as caught:
        read_foreign(saved(replay, folder))
    return caught.value.step


def test_a_road_of_another_colour_is_refused(
    written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    replay = deepcopy(written[0][1])
    at, changes, _ = next(one for one in changes_of(replay, 4) if one[2]["pieceEnum"] == 0)
    places_of(changes, "tileEdgeStates")[0]["owner"] = 9
    assert refused_step(replay, "belongs to colour 9", tmp_path) == at


def test_a_purchase_in_which_an_old_card_disappears_is_refused(
    written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    for _, replay in deepcopy(written):
        for at, changes, text in changes_of(replay, 1):
            cards = cards_of(changes, text, "developmentCards")["cards"]
            new = cards_of(changes, text, "developmentCardsBoughtThisTurn")
            if len(cards) == 2 and len(set(cards)) == 2 and len(new) == 1:
                cards[:] = new
                assert refused_step(replay, "not one more than before", tmp_path) == at
                return
    pytest.fail("no seat of these games bought a second card of another kind")


def test_a_seat_does_not_discard_for_another(
    written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    for _, replay in deepcopy(written):
        lines = changes_of(replay, 55)
        for (at, _, one), (following, _, other) in pairwise(lines):
            if following == at + 1:
                one["cardEnums"].append(other["cardEnums"].pop())
                assert refused_step(replay, "owes", tmp_path) == at
                return
    pytest.fail("no two seats of these games discarded at the same seven")


def test_a_replay_that_ends_within_discards_is_cut_before_them(
    written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    cuts = 0
    for _, replay in deepcopy(written):
        history = replay["data"]["eventHistory"]
        del history["endGameState"]
        events = history["events"]
        for k in range(1, len(events)):
            if all(discards(event) for event in events[k - 1 : k + 1]):
                history["events"], cuts = events[:k], cuts + 1
                with pytest.raises(ForeignError, match="the replay ends within a step") as caught:
                    read_foreign(saved(replay, tmp_path))
                assert caught.value.step == k and caught.value.kept is not None
                assert caught.value.kept[0].phase == Phase.DISCARD
    assert cuts


def discards(event: Any) -> bool:
    """True if a seat discards in the event."""
    lines = event["stateChange"].get("gameLogState", {}).values()
    return any(line["text"]["type"] == 55 for line in lines)


def map_of(data: Any) -> Any:
    """The map of a replay."""
    return data["eventHistory"]["initialState"]["mapState"]


def move_robber(initial: Any) -> None:
    """Put the robber on a hex with a token."""
    hexes = initial["mapState"]["tileHexStates"]
    productive = next(number for number, tile in hexes.items() if tile["type"])
    initial["mechanicRobberState"]["locationTileIndex"] = int(productive)


def add_port(ports: Any) -> None:
    """Put a second port where one is."""
    ports["9"] = ports["0"]


def hide(change: Any, color: int) -> None:
    cards = change["mechanicDevelopmentCardsState"]["players"][str(color)]["developmentCards"]
    cards["cards"] = [10] * len(cards["cards"])


def test_hidden_cards_are_refused(
    written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    replay = deepcopy(written[0][1])
    number, changes, text = first(replay, 1)
    hide(changes, text["playerColor"])
    with pytest.raises(ForeignError, match="some are hidden") as caught:
        read_foreign(saved(replay, tmp_path))
    assert caught.value.step == number
    replay = deepcopy(written[0][1])
    number, changes, text = first(replay, 16)
    for key, line in list(changes["gameLogState"].items()):
        if line["text"]["type"] in (14, 15):
            del changes["gameLogState"][key]
    with pytest.raises(ForeignError, match="the stolen card is hidden") as caught:
        read_foreign(saved(replay, tmp_path))
    assert caught.value.step == number


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["gameSettings"].update(extensionSetting=1), "an extension or a scenario"),
        (lambda d: d["gameSettings"].update(scenarioSetting=1), "an extension or a scenario"),
        (lambda d: move_robber(d["eventHistory"]["initialState"]), "which is not the desert"),
        (lambda d: d["gameSettings"].update(cardDiscardLimit=3), "hand_limit"),
        (lambda d: d["playOrder"].append(d["playOrder"][0]), "colours"),
        (lambda d: d["eventHistory"]["initialState"].pop("mapState"), "mapState"),
        (lambda d: d.pop("playOrder"), "playOrder"),
        (lambda d: map_of(d)["portEdgeStates"].pop("0"), "the harbours of the map are not at"),
        (lambda d: add_port(map_of(d)["portEdgeStates"]), "the harbours of the map are not at"),
        (lambda d: map_of(d)["tileCornerStates"].popitem(), "does not have the 54 corners"),
    ],
)
def test_a_table_that_is_not_the_base_game_is_refused(
    change: Any, said: str, written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    replay = deepcopy(written[1][1])
    change(replay["data"])
    with pytest.raises(ForeignError, match=said) as caught:
        read_foreign(saved(replay, tmp_path))
    assert caught.value.step is None


def test_the_command_saves_a_record_of_a_replay(
    written: list[tuple[Game, dict[str, Any]]], tmp_path: Path
) -> None:
    game, replay = written[0]
    saved(replay, tmp_path)
    assert main(["import", str(tmp_path / "replay.json"), "--record", str(tmp_path / "out")]) == 0
    assert list(read(tmp_path / "out" / "replay.sgn.json").events) == without_failed_offers(
        game.events
    )
