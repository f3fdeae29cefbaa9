"""Play a seat of a live table over HTTP, with the standard library only: a rule answers.

    catan-env table --against greedy
    python examples/table_script.py http://127.0.0.1:PORT/#SECRET

The address is the seat's link, as the table prints it. Each of our actions is printed; a game takes
some minutes unless the table has `--pace 0`.
"""

import json
import sys
from random import Random
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

WAIT = 20
"""Seconds that the server may wait for our turn before it answers."""
WANTED = (
    "city", "settlement", "buy_development_card", "road", "roll", "bank_trade", "end_turn",
)  # fmt: skip
"""Kinds of actions, the best first."""


def call(address: str, path: str, body: Any = None) -> dict[str, Any]:
    """Ask the table, and return its JSON, also that of a refusal."""
    place, _, secret = address.partition("#")
    data = None if body is None else json.dumps(body).encode()
    request = Request(place.rstrip("/") + path, data, {"Authorization": f"Bearer {secret}"})
    try:
        with urlopen(request, timeout=WAIT + 60) as answer:
            return dict(json.load(answer))
    except HTTPError as refusal:
        if refusal.code in (409, 422):  # the position, and the reason
            return dict(json.load(refusal))
        if refusal.code == 503:  # the table is still being laid
            sleep(1)
            return call(address, path, body)
        raise


def choose(state: dict[str, Any], chance: Random) -> dict[str, Any]:
    """A random action of the best kind: its number, kind and text."""
    ranks = {kind: rank for rank, kind in enumerate(WANTED)}
    ranked = [(ranks.get(a["kind"], len(WANTED)), a) for a in state["actions"]]
    best = min(rank for rank, _ in ranked)
    return chance.choice([action for rank, action in ranked if rank == best])


def play(address: str) -> dict[str, Any]:
    """Play until the game is over; return the last state."""
    chance = Random(0)
    while True:
        state = call(address, f"/api/state?wait={WAIT}")
        if state["is_over"]:
            return state
        if state["your_turn"]:
            action = choose(state, chance)
            print(action["text"], flush=True)
            body = {"action": action["number"], "step": state["step"]}
            state = call(address, "/api/act", body)
            if "error" in state:
                print("refused:", state["error"])


def main(arguments: list[str]) -> None:
    """Play at the address that the arguments give, and print the winner."""
    if len(arguments) != 1:
        sys.exit("usage: python examples/table_script.py http://127.0.0.1:PORT/#SECRET")
    last = play(arguments[0])
    winner = last["winner"]
    print("no seat has won" if winner is None else f"{last['names'][winner]} has won")


if __name__ == "__main__":
    main(sys.argv[1:])
