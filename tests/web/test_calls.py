"""Scripts play over HTTP: the same secrets, one answer to each call, reasons for refusals."""

import http.client
import json
import socket
import threading
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from catan_env import Action, Rules
from catan_env.web.calls import MOST_WAITING, Act, Call, History, Look, Reply
from catan_env.web.http_end import LONGEST_BODY, LONGEST_HEAD
from examples import table_script
from examples.table_script import play
from tests.web.browser import served
from tests.web.tables import SECRETS, Tables, live_table

PATIENCE = 600


def ask(
    address: str, method: str, path: str, body: Any = None, secret: str = "ann", **headers: str
) -> tuple[int, dict[str, Any]]:
    """One request, and its status and JSON."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Authorization": f"Bearer {secret}"} if secret else {}
    connection.request(method, path, data, {**given, **headers})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def raw(address: str, data: bytes) -> bytes:
    """The answer to bytes."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname or "", parts.port or 0), PATIENCE) as line:
        line.sendall(data)
        line.settimeout(PATIENCE)
        found = b""
        while part := line.recv(65536):
            found += part
        return found


def test_a_seat_is_played_with_its_secret() -> None:
    with served(live_table(1)) as address:
        status, state = ask(address, "GET", "/api/state")
        assert status == 200 and state["seat"] == 0 and state["your_turn"]
        assert "Your actions:" in state["text"] and len(state["actions"]) == 54
        first = state["actions"][2]
        assert first["number"] == 3 and f"3. {first['text']}" in state["text"]
        status, after = ask(address, "POST", "/api/act", {"action": 3, "step": state["step"]})
        assert status == 200 and after["step"] == state["step"] + 1
        status, after = ask(address, "POST", "/api/act", {"action": after["actions"][0]["text"]})
        assert status == 200 and not after["your_turn"] and after["actions"] == []
        events = ask(address, "GET", "/api/history?last=1")[1]["events"]
        assert events == [f"seat 0: {Action.from_index(after_road(address))}"]
        assert ask(address, "GET", "/api/state", secret="watch")[1]["seat"] is None


def after_road(address: str) -> int:
    """The flat index of the road of seat 0."""
    (road,) = ask(address, "GET", "/api/state")[1]["seats"][0]["roads"]
    index = Action.road(road).index
    assert index is not None
    return index


@pytest.mark.parametrize(
    ("method", "path", "body", "secret", "status", "said"),
    [
        ("GET", "/api/state", None, "eve", 401, "no seat has this secret"),
        ("GET", "/api/state", None, "", 401, "Authorization: Bearer"),
        ("POST", "/api/act", {"action": 1}, "eve", 401, "no seat has this secret"),
        ("POST", "/api/act", {"action": 1}, "watch", 409, "spectators do not play"),
        ("POST", "/api/act", {"action": 1}, "ben", 409, "it is not your turn: seat 0, Ann"),
        ("POST", "/api/act", {"action": 1, "step": 99}, "ann", 409, "the table has moved on"),
        ("POST", "/api/act", {"action": 55}, "ann", 422, "there is no action 55; expected one of"),
        ("POST", "/api/act", {"action": "pass"}, "ann", 422, "has no number"),
        ("POST", "/api/act", {"action": 1.5}, "ann", 400, r"`int | str`"),
        ("POST", "/api/act", {"act": 1}, "ann", 400, "`act`"),
        ("POST", "/api/act", {}, "ann", 400, "action"),
        ("POST", "/api/act", b"{", "ann", 400, "the body"),
        ("POST", "/api/act", b"\xff\xfe", "ann", 400, "not UTF-8"),
        ("POST", "/api/act", b"[" * 3000, "ann", 400, "deep"),
        ("POST", "/api/act", b"x" * (LONGEST_BODY + 1), "ann", 413, "more than 4096 bytes"),
        ("GET", "/api/act", None, "ann", 405, "takes POST"),
        ("POST", "/api/state", {"action": 1}, "ann", 405, "takes GET"),
        ("GET", "/api/nothing", None, "ann", 404, "/api/state"),
        ("GET", "/api/state?wait=61", None, "ann", 400, "wait is '61'; allowed are 0 to 60"),
        ("GET", "/api/state?wait=-1", None, "ann", 400, "wait is '-1'"),
        ("GET", "/api/state?step=1", None, "ann", 400, "unknown parameter 'step'"),
        ("GET", "/api/history?last=x", None, "ann", 400, "last is 'x'"),
    ],
)
def test_a_wrong_call_is_refused_with_its_reason(
    method: str, path: str, body: Any, secret: str, status: int, said: str
) -> None:
    with served(live_table(1)) as address:
        step = ask(address, "GET", "/api/state")[1]["step"]
        found, answer = ask(address, method, path, body, secret)
        assert found == status and said in answer["error"]
        if status in (409, 422) and secret == "ann":
            assert len(answer["actions"]) == 54, "the position for the next try"
        assert ask(address, "GET", "/api/state")[1]["step"] == step


def test_other_sites_and_damaged_requests_are_refused() -> None:
    with served(live_table(1)) as address:
        assert ask(address, "GET", "/api/state", Origin="http://evil.example")[0] == 403
        assert ask(address, "GET", "/api/state", Host="evil.example")[0] == 403
        host = address.removeprefix("http://").rstrip("/").encode()
        head = b"GET /api/state HTTP/1.1\r\nHost: " + host
        token = b"\r\nAuthorization: Bearer ann"
        for wrong, status in (
            (head + token + token, 400),
            (head + b"\r\nX y: z" + token, 400),
            (head + token + b"\r\nContent-Length: 1x", 400),
            (head + token + b"\r\nTransfer-Encoding: chunked", 501),
            (b"GET /api/state SPDY/1\r\nHost: x", 400),
            (head + b"\r\nX: " + b"y" * LONGEST_HEAD, 431),
        ):
            assert raw(address, wrong + b"\r\n\r\n").startswith(b"HTTP/1.1 %d" % status)
        assert b'"seat":0' in raw(address, head + token + b"\r\n\r\n")
        assert ask(address, "GET", "/api/state")[0] == 200


def test_a_request_may_arrive_in_pieces() -> None:
    with served(live_table(1)) as address:
        parts = urlsplit(address)
        body = b'{"action": 1}'
        whole = (
            f"POST /api/act HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: Bearer ann\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body
        with socket.create_connection((parts.hostname or "", parts.port or 0), PATIENCE) as line:
            for k in range(len(whole)):
                line.sendall(whole[k : k + 1])
            line.settimeout(PATIENCE)
            assert line.recv(12) == b"HTTP/1.1 200"


def replies(tables: Tables, line: int) -> list[Reply]:
    return [message for message in tables.heard[line] if isinstance(message, Reply)]


def test_a_call_waits_for_its_turn_for_a_step_or_for_its_time() -> None:
    tables = Tables(live_table(1))
    for line, secret, look in (
        (1, "ben", Look(wait=20)),
        (2, "watch", Look(wait=20, after=tables.table.step)),
        (3, "watch", Look(wait=5)),
    ):
        tables.open(line)
        tables.say(line, Call(secret, look))
        assert not replies(tables, line)
    tables.now = 5.0
    tables.take(tables.room.time(5.0))
    assert replies(tables, 3)[0].status == 200 and 3 in tables.closed
    tables.open(4)
    tables.say(4, Call("ann", Act(1)))
    assert replies(tables, 4)[0].status == 200
    assert replies(tables, 2)[0].body["step"] == tables.table.step
    assert not replies(tables, 1)
    tables.open(5)
    tables.say(5, Call("ann", Act(1)))
    assert replies(tables, 1)[0].body["your_turn"] and tables.room.lines == 0


def test_calls_and_pages_of_others_do_not_delay_a_policy() -> None:
    tables = Tables(live_table(1))
    tables.room._seatings[0].pace = 0.6
    while not tables.table.waits_for_policy:
        tables.table.act(tables.table.game.seat, tables.table.game.legal_actions[0])
    tables.open(1, "watch")
    assert tables.room.deadline == 0.6
    tables.now = 0.7
    tables.open(2)
    tables.say(2, Call("watch", Look()))
    tables.open(3, "watch")
    assert tables.room.deadline == 0.6


def test_few_calls_of_a_seat_wait_and_closed_lines_are_forgotten() -> None:
    tables = Tables(live_table(1))
    for line in range(MOST_WAITING + 1):
        tables.open(line)
        tables.say(line, Call("ben", Look(wait=20)))
    assert replies(tables, MOST_WAITING)[0].status == 429
    for line in range(MOST_WAITING):
        tables.take(tables.room.closed(line, "gone", 1.0))
    tables.now = 30.0
    assert tables.room.time(30.0) == []


def test_a_seat_sees_what_its_view_contains_and_no_more() -> None:
    tables = Tables(live_table(4, policies=("greedy", "greedy")))
    lines = {SECRETS[name]: k for k, name in enumerate(("ann", "ben"))}
    for name, k in (("ann", 0), ("ben", 1)):
        tables.open(k, name)
    for _ in range(120):
        if tables.table.waits_for_policy:
            tables.wait()
        else:
            tables.choose(lines[tables.table.game.seat])
    game = tables.table.game
    assert not game.is_over
    for k, (secret, sight) in enumerate(SECRETS.items(), 10):
        tables.open(k)
        tables.say(k, Call(secret, Look()))
        state = replies(tables, k)[0].body
        tables.open(k + 10)
        tables.say(k + 10, Call(secret, History(1000)))
        events = replies(tables, k + 10)[0].body["events"]
        assert len(events) == len(game.events)
        for event, text in zip(game.events, events, strict=True):
            if event.action.kind.name == "BUY_DEVELOPMENT_CARD":
                assert ("a card" in text) == (event.seat != sight)
        assert ("hand" in state) == (sight is not None)
        for seat in range(game.seats):
            assert state["seats"][seat]["points"] == game.points(seat, hidden=False)


def test_the_example_plays_a_game_to_its_end() -> None:
    rules = replace(Rules.duel(), points_to_win=4)
    table = live_table(1, rules=rules, policies=())
    with served(table) as address:
        ends: list[Any] = []
        other = threading.Thread(target=lambda: ends.append(play(f"{address}#ben")))
        other.start()
        last = play(f"{address}#ann")
        other.join(PATIENCE)
    assert last["is_over"] and last["winner"] == table.game.winner == ends[0]["winner"]


def test_the_example_prints_its_usage_without_an_address() -> None:
    with pytest.raises(SystemExit, match=r"usage: python examples/table_script.py http://"):
        table_script.main([])


def test_the_example_ends_without_a_winner(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    end = {"is_over": True, "winner": None, "names": ["ann", "ben"]}
    monkeypatch.setattr(table_script, "play", lambda address: end)
    table_script.main(["http://127.0.0.1:1/#ann"])
    assert capsys.readouterr().out == "no seat has won\n"
