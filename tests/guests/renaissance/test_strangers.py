"""Clients written only from the page, on our server: playing, provoking, leaving, returning."""

import json
from threading import Thread
from typing import Any

import pytest

from tests.guests.renaissance.stranger import Stranger
from tests.guests.renaissance.test_sockets import room_at_a_socket


def play_together(port: int, seats: int, drops: float, seed: int = 0) -> list[Stranger]:
    """A game between strangers, each in a thread."""
    names = [f"stranger {k}" for k in range(seats)]
    players = [Stranger(port, name, seats, seed=seed + k) for k, name in enumerate(names)]
    threads = [Thread(target=one.play, args=(drops,), daemon=True) for one in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120.0)
    return players


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_a_stranger_plays_whole_games(seats: int) -> None:
    with room_at_a_socket() as (room, port):
        for player in play_together(port, seats, 0.0):
            assert player.has_ended and player.errors == [] and player.commands > 20
            assert player.witness.findings == []
        assert not room.tables and not room._seats_of


@pytest.mark.parametrize(
    ("drops", "seed"),
    [
        (0.1, 0),
        (0.6, 7),
        *(pytest.param(0.6, seed, marks=pytest.mark.nightly) for seed in (14, 21)),
    ],
)
def test_strangers_leave_return_and_continue(drops: float, seed: int) -> None:
    """Some leave in the game's last turn, too."""
    with room_at_a_socket() as (room, port):
        for player in play_together(port, 3, drops, seed):
            assert player.has_ended and player.errors == []
        assert not room.tables


def test_every_illegal_command_gets_the_error_of_the_page_and_changes_nothing() -> None:
    with room_at_a_socket() as (room, port):
        ann = Stranger(port, "ann", 1)
        ann.until("UpdateGame")
        for line, error in IN_SET_UP:
            assert answer(ann, line) == error, line
        ann.set_up()
        table = next(iter(room.tables))
        before = table.game.copy()
        shelves, base = ann.me["warehouseShelves"], ann.me["baseProduction"]
        ids = {"S1": shelves[0], "S2": shelves[1], "BOX": ann.me["strongbox"], "BASE": base}
        for line, error in ON_TURN:
            for name, number in ids.items():
                line, error = line.replace(f"@{name}", str(number)), replaced(error, name, number)
            assert answer(ann, line) == error, line
        assert table.game == before and table.game.record() == before.record()
        assert len(IN_SET_UP) + len(ON_TURN) >= 45


def replaced(error: Any, name: str, number: int) -> Any:
    return json.loads(json.dumps(error).replace(f'"@{name}"', str(number)))


def answer(player: Stranger, line: str) -> dict[str, Any]:
    """The server's answers to a line; of an ErrProtocol only its type."""
    player.socket.sendall(line.encode() + b"\n")
    message = player.hear()
    return {"type": "ErrProtocol"} if message["type"] == "ErrProtocol" else message


def err(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": name, **fields}


def time_for_it(reason: str) -> dict[str, Any]:
    return err("ErrAction", reason=reason)


PROTOCOL = err("ErrProtocol")
IN_SET_UP: list[tuple[str, dict[str, Any]]] = [
    ("7", PROTOCOL),
    ("{", PROTOCOL),
    ("null", PROTOCOL),
    ('"ReqEndTurn"', PROTOCOL),
    ('{"type":null}', PROTOCOL),
    ('{"type":"UpdateGame"}', PROTOCOL),
    ('{"type":"ReqChooseLeaders"}', PROTOCOL),
    ('{"type":"ReqChooseLeaders","leaders":"01"}', PROTOCOL),
    ('{"type":"ReqChooseLeaders","leaders":[0.5,1]}', PROTOCOL),
    ('{"type":"ReqLeaderAction","leader":1}', PROTOCOL),
    ('{"type":"ReqSwapShelves","shelf1":1}', PROTOCOL),
    ('{"type":"ReqJoin","nickname":"eve"}', err("ErrNickname", reason="ALREADY_SET")),
    ('{"type":"ReqNewGame","playersCount":2}', err("ErrNewGame", isInvalidPlayersCount=False)),
    ('{"type":"ReqEndTurn"}', time_for_it("EARLY_MANDATORY_ACTION")),
    ('{"type":"ReqSwapShelves","shelf1":0,"shelf2":1}', time_for_it("EARLY_MANDATORY_ACTION")),
    (
        '{"type":"ReqTakeFromMarket","isRow":true,"index":0,"replacements":{},"shelves":{}}',
        time_for_it("EARLY_MANDATORY_ACTION"),
    ),
    (
        '{"type":"ReqChooseLeaders","leaders":[]}',
        err("ErrInitialChoice", isLeadersChoice=True, missingLeadersCount=2),
    ),
    (
        '{"type":"ReqChooseLeaders","leaders":null}',
        err("ErrInitialChoice", isLeadersChoice=True, missingLeadersCount=2),
    ),
    (
        '{"type":"ReqChooseLeaders","leaders":[77,78]}',
        err("ErrObjectNotOwned", id=77, objectType="LeaderCard"),
    ),
    (
        '{"type":"ReqChooseLeaders","leaders":[-1]}',
        err("ErrObjectNotOwned", id=-1, objectType="LeaderCard"),
    ),
    (
        '{"type":"ReqChooseResources","shelves":{}}',
        err("ErrInitialChoice", isLeadersChoice=False, missingLeadersCount=0),
    ),
    (
        '{"type":"ReqChooseResources","shelves":null}',
        err("ErrInitialChoice", isLeadersChoice=False, missingLeadersCount=0),
    ),
]


def take(fields: str) -> str:
    return '{"type":"ReqTakeFromMarket",' + fields + "}"


def buy(fields: str) -> str:
    return '{"type":"ReqBuyDevCard",' + fields + "}"


def produce(fields: str) -> str:
    return '{"type":"ReqActivateProductions","prodRequests":[' + fields + "]}"


def not_owned(number: Any, kind: str) -> dict[str, Any]:
    return err("ErrObjectNotOwned", id=number, objectType=kind)


def recipe(is_input: bool, name: str, owed: int, sent: int, is_missing: bool) -> dict[str, Any]:
    return err(
        "ErrReplacedTransRecipe",
        isInput=is_input,
        resType=name,
        replacedCount=owed,
        shelvesChoiceResCount=sent,
        isIllegalDiscardedOut=is_missing,
    )


def map_holds(is_input: bool, is_replacement: bool, reason: str) -> dict[str, Any]:
    return err(
        "ErrInvalidResourceTransaction",
        isInput=is_input,
        isReplacement=is_replacement,
        reason=reason,
    )


def no_such(kind: str, number: int, code: str | None = None) -> dict[str, Any]:
    fields = {"originalEntity": kind, "id": number}
    return err("ErrNoSuchEntity", **fields, **({} if code is None else {"code": code}))


ON_TURN: list[tuple[str, dict[str, Any]]] = [
    ('{"type":"ReqChooseLeaders","leaders":[0,1]}', time_for_it("LATE_SETUP_ACTION")),
    ('{"type":"ReqChooseResources","shelves":{}}', time_for_it("LATE_SETUP_ACTION")),
    ('{"type":"ReqEndTurn"}', time_for_it("EARLY_TURN_END")),
    ('{"type":"ReqSwapShelves","shelf1":@S1,"shelf2":@BOX}', not_owned("@BOX", "Shelf")),
    ('{"type":"ReqSwapShelves","shelf1":99999,"shelf2":@S1}', not_owned(99999, "Shelf")),
    ('{"type":"ReqLeaderAction","leader":16,"isActivate":true}', not_owned(16, "LeaderCard")),
    ('{"type":"ReqLeaderAction","leader":-2,"isActivate":false}', not_owned(-2, "LeaderCard")),
    (take('"isRow":true,"index":3'), no_such("MARKET_INDEX", 3)),
    (take('"isRow":false,"index":4'), no_such("MARKET_INDEX", 4)),
    (take('"isRow":false,"index":-1'), no_such("MARKET_INDEX", -1)),
    (
        take('"isRow":true,"index":0,"shelves":{"@BOX":{"Coin":1}}'),
        not_owned("@BOX", "Shelf"),
    ),
    (
        take('"isRow":true,"index":0,"shelves":{"@S1":{"Gold":1}}'),
        no_such("RESOURCE", -1, "Gold"),
    ),
    (take('"isRow":true,"index":0,"replacements":{"Gold":1}'), no_such("RESOURCE", -1, "Gold")),
    (
        take('"isRow":true,"index":0,"shelves":{"@S1":{"Coin":-1}}'),
        map_holds(False, False, "NEGATIVE_VALUES"),
    ),
    (
        take('"isRow":true,"index":0,"replacements":{"Coin":-1}'),
        map_holds(False, True, "NEGATIVE_VALUES"),
    ),
    (
        take('"isRow":true,"index":0,"shelves":{"@S1":{"Zero":1}}'),
        map_holds(False, False, "ILLEGAL_NON_STORABLE"),
    ),
    (
        take('"isRow":true,"index":0,"replacements":{"Faith":1}'),
        map_holds(False, True, "ILLEGAL_NON_STORABLE"),
    ),
    (take('"isRow":true,"index":0,"replacements":{"Coin":1}'), map_holds(False, True, "EXCLUDED")),
    (take('"isRow":1,"index":0'), PROTOCOL),
    (buy('"color":"Red","level":1,"devSlot":0'), no_such("COLOR", -1, "Red")),
    (buy('"color":"blue","level":1,"devSlot":0'), no_such("COLOR", -1, "blue")),
    (buy('"color":"Blue","level":0,"devSlot":0'), no_such("DEVCARD", 0)),
    (buy('"color":"Blue","level":4,"devSlot":0'), no_such("DEVCARD", 4)),
    (buy('"color":"Blue","level":1,"devSlot":3'), not_owned(3, "DevSlot")),
    (buy('"color":"Blue","level":1,"devSlot":-1'), not_owned(-1, "DevSlot")),
    (buy('"color":"Blue","level":2,"devSlot":0'), err("ErrBuyDevCard", isStackEmpty=False)),
    (
        buy('"color":"Blue","level":1,"devSlot":0,"resContainers":{"7777":{}}'),
        not_owned(7777, "ResourceContainer"),
    ),
    (buy('"color":"Blue","level":1'), PROTOCOL),
    (produce(""), recipe(True, "", 0, 0, False)),
    ('{"type":"ReqActivateProductions","prodRequests":null}', recipe(True, "", 0, 0, False)),
    ('{"type":"ReqActivateProductions"}', PROTOCOL),
    (
        produce('{"production":@BASE,"inputContainers":null,"outputRep":null}'),
        recipe(True, "", 2, 0, True),
    ),
    (produce("{}"), PROTOCOL),
    (produce('{"production":88888}'), not_owned(88888, "ReducedProductionRequest")),
    (produce('{"production":@BASE},{"id":@BASE}'), not_owned("@BASE", "ReducedProductionRequest")),
    (produce('{"production":@BASE,"outputRep":{"Coin":1}}'), recipe(True, "", 2, 0, True)),
    (
        produce('{"production":@BASE,"inputContainers":{"@BOX":{"Coin":2}},"outputRep":{}}'),
        recipe(False, "", 1, 0, True),
    ),
    (
        produce(
            '{"production":@BASE,"inputContainers":{"@BOX":{"Coin":2}},"outputRep":{"Faith":1}}'
        ),
        map_holds(False, True, "EXCLUDED"),
    ),
    (
        produce('{"production":@BASE,"inputContainers":{"@BOX":{"Faith":2}}}'),
        map_holds(True, False, "ILLEGAL_NON_STORABLE"),
    ),
    (
        produce('{"production":@BASE,"inputNonStorableRep":{"Coin":1},"outputRep":{"Coin":1}}'),
        map_holds(True, True, "ILLEGAL_STORABLE"),
    ),
    (
        produce(
            '{"production":@BASE,"inputContainers":{"@BOX":{"Coin":2}},"outputRep":{"Coin":1}}'
        ),
        err("ErrResourceTransfer", isAdded=False, reason="CAPACITY_REACHED", resType="Coin"),
    ),
]
