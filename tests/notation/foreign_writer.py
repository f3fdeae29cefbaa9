"""A writer of records that reads the text of SGN otherwise than ours, in several ways.

It takes our messages of a game and changes what the text leaves open: order, speakers, repetition.
"""

import copy
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from catan_env import ActionKind, DevelopmentCard, Game
from catan_env.game.event import Event
from catan_env.notation import loads, places

Message = dict[str, Any]
LETTERS = "BGLOW"
ANNOUNCED = {"RP", "RA", "RD", "RS", "RE", "PS", "PE", "TR", "RR", "MO", "YP"}
"""Events of which the player on turn may be the sender."""
OPTIONAL = {"RA", "RD", "RS", "RE"}
SECOND = {"RR", "MO", "YP"}
"""The second messages of a choice, which come next to the first."""


class Step(NamedTuple):
    """The messages of one event, and the position after it."""

    messages: list[Message]
    awards: list[Message]
    """LR and LA of their holders at that moment."""
    lacked: str
    """The first kind of card that no seat but the one on turn holds; else "?"."""
    is_poor: bool = False
    """True if the robber has moved to a tile with one rival at most, which has no card now."""


def say(player: str, event: str, **value: Any) -> Message:
    return {"uuid": "#", "player": player, "event": event, "value": value}


def steps_of(game: Game, viewer: int | None) -> list[Step]:
    """The set-up as the first step, the opening as the second; then one for each event."""
    groups: list[list[Message]] = []
    for message in game.to_sgn(viewer=viewer):
        if message.get("batch", [1])[0] == 1:
            groups.append([])
        groups[-1].append(_without_batch(message))
    at = game.seats + 2
    setup = [message for group in groups[:at] for message in group]
    steps = [Step(setup, [], "?"), Step(groups[at], [], "?")]
    left = iter(groups[at + 1 :])
    for done, position in loads(game.to_sgn()).replay():
        assert isinstance(position, Game)
        facts = _awards(position), _lacked(position) if viewer is None else "?"
        steps += [Step(next(left), *facts, _is_poor(position, event)) for event in done]
    return steps


def _without_batch(message: Message) -> Message:
    return {key: value for key, value in message.items() if key != "batch"}


def _awards(game: Game) -> list[Message]:
    road, army, said = game.longest_road_seat, game.largest_army_seat, []
    if road is not None:
        said.append(say(str(road + 1), "LR", length=game.road_length(road)))
    if army is not None:
        said.append(say(str(army + 1), "LA", strength=game.knights(army)))
    return said


def _lacked(game: Game) -> str:
    others = [game.hand(seat) for seat in range(game.seats) if seat != game.turn_seat]
    return next((LETTERS[k] for k in range(5) if not any(hand[k] for hand in others)), "?")


def _is_poor(game: Game, event: Event) -> bool:
    if event.action.kind != ActionKind.MOVE_ROBBER:
        return False
    rivals = [seat for seat in game.seats_at(event.action.args[0]) if seat != event.seat]
    return len(rivals) < 2 and not any(map(game.hand_size, rivals))


def messages_of(steps: list[Step]) -> Iterator[Message]:
    return (message for step in steps for message in step.messages)


def in_setup(steps: list[Step]) -> list[Step]:
    """The steps before the first roll."""
    first = next((k for k, step in enumerate(steps) if _begins(step, "DR")), len(steps))
    return steps[:first]


Variant = Callable[[list[Step], Game, random.Random], None]


def number_rounds_on(steps: list[Step], game: Game, chance: random.Random) -> None:
    """Play's rounds begin with 3, after Deployment's two."""
    is_play = False
    for message in messages_of(steps):
        is_play |= message["event"] == "PS" and message["value"] == {"phase": "Play"}
        if is_play and message["event"] in ("RS", "RE"):
            message["value"]["round"] += 2


def name_the_bank_after_each_party(steps: list[Step], game: Game, chance: random.Random) -> None:
    for message in messages_of(steps):
        shares = message["value"].get("resources", [])
        if message["event"] == "RP" and len(shares) > 1:
            own = [share for share in shares if share["player"] != "B"]
            message["value"]["resources"] = [x for share in own for x in (share, _paid(share))]


def _paid(share: Message) -> Message:
    return {"player": "B", **{k: -n for k, n in share.items() if k != "player"}}


def produce_in_pieces(steps: list[Step], game: Game, chance: random.Random) -> None:
    """One RP for each player that receives cards."""
    for step in steps:
        for at in reversed(range(len(step.messages))):
            message = step.messages[at]
            if message["event"] == "RP":
                own = [s for s in message["value"]["resources"] if s["player"] != "B"]
                chance.shuffle(own)
                speaker = chance.choice(["A", "itself"])
                step.messages[at : at + 1] = [
                    say("A" if speaker == "A" else s["player"], "RP", resources=[s, _paid(s)])
                    for s in own
                ]


def produce_first_cards_late(steps: list[Step], game: Game, chance: random.Random) -> None:
    """The RP of the set-up after the road, together before Play, or in Play."""
    late: list[Message] = []
    for step in in_setup(steps):
        late += [message for message in step.messages if message["event"] == "RP"]
        step.messages[:] = [message for message in step.messages if message["event"] != "RP"]
        if _begins(step, "BR") and chance.random() < 0.2:
            step.messages[1:1] = late
            late.clear()
    end = in_setup(steps)[-1].messages
    at = chance.randrange(1, len(end) + 1)
    if chance.random() < 0.5 and late:
        shares = [share for message in late for share in message["value"]["resources"]]
        late[:] = [say("A", "RP", resources=shares)]
    end[at:at] = late


def produce_first_cards_silently(steps: list[Step], game: Game, chance: random.Random) -> None:
    for step in in_setup(steps):
        step.messages[:] = [message for message in step.messages if message["event"] != "RP"]


def _begins(step: Step, event: str) -> bool:
    return bool(step.messages) and step.messages[0]["event"] == event


def say_that_nothing_moves(steps: list[Step], game: Game, chance: random.Random) -> None:
    """RP, RR and MO with an empty list; zeros for the other kinds of a monopoly."""
    for before, step in pairwise(steps):
        said, events = step.messages, [message["event"] for message in step.messages]
        if events[0] == "DR" and "RP" not in events:
            zeros = [{"player": "1", "B": 0}] if chance.random() < 0.5 else []
            said.insert(1, say("A", "RP", resources=zeros))
        elif step.is_poor and ("RR" not in events or not _moves(said[1])):
            said[1 : 1 + ("RR" in events)] = [say(said[0]["player"], "RR", resources=[])]
        elif "MO" in events:
            shares = said[1]["value"]["resources"]
            if _moves(said[1]):
                for share in shares:
                    share.update({letter: 0 for letter in LETTERS if letter not in share})
            elif before.lacked in shares[0]:
                shares.clear()


def _moves(message: Message) -> bool:
    shares = message["value"]["resources"]
    return "x-robbed" in message or any(n for s in shares for n in s.values() if type(n) is int)


def repeat_awards(steps: list[Step], game: Game, chance: random.Random) -> None:
    """LR and LA of the present holders after many a choice."""
    for step in steps[:-1]:
        if step.messages and step.messages[0]["event"] in ("BR", "BS", "PD", "DR", "TB", "RM"):
            late = [award for award in step.awards if chance.random() < 0.5]
            step.messages.extend(late)


def show_the_victory(steps: list[Step], game: Game, chance: random.Random) -> None:
    """The winner's victory points, the end of its turn, and the robber of a knight that won."""
    if game.winner is None or game.events[-1].action.kind.name in ("END_TURN", "TIME_OUT", "LEAVE"):
        return
    name, said = str(game.winner + 1), steps[-1].messages
    points = game.cards(game.winner)[DevelopmentCard.VICTORY_POINT]
    shown = [say(name, "PD", cCode="VP") for _ in range(points)]
    if said[0]["value"] == {"cCode": "KN"}:
        tile = next(tile for tile in range(19) if tile != game.robber)
        shown += [say("A", "RA"), say(name, "RM", tile=places.tile_place(tile))]
        shown += [say(name, "RR", resources=[]), say("A", "RD")]
    end = next(k for k in range(1, len(said)) if said[k]["event"] not in ("LR", "LA"))
    said[end:end] = [*shown, say(name, "TE")]


def discard_in_any_order(steps: list[Step], game: Game, chance: random.Random) -> None:
    for start, end in _discards(steps):
        order = [step.messages for step in steps[start:end]]
        chance.shuffle(order)
        for step, messages in zip(steps[start:end], [list(said) for said in order], strict=True):
            step.messages[:] = messages


def discard_together(steps: list[Step], game: Game, chance: random.Random) -> None:
    """One CR of the admin's for all seats."""
    for start, end in _discards(steps):
        given: dict[str, Counter[str]] = {}
        for step in steps[start:end]:
            ((own, _),) = [message["value"]["resources"] for message in step.messages]
            lost = given.setdefault(own["player"], Counter())
            lost.update({k: -n for k, n in own.items() if k != "player"})
            step.messages.clear()
        shares = [{"player": p, **{k: -n for k, n in cards.items()}} for p, cards in given.items()]
        bank = Counter[str]()
        for cards in given.values():
            bank.update(cards)
        chance.shuffle(shares)
        steps[start].messages[:] = [say("A", "CR", resources=[*shares, {"player": "B", **bank}])]


def _discards(steps: list[Step]) -> Iterator[tuple[int, int]]:
    """The first step, and the one after the last, of each time of discards that are all shown."""
    at = 0
    while at < len(steps):
        end = at
        while end < len(steps) and steps[end].messages and _is_discard(steps[end]):
            end += 1
        is_whole = end < len(steps) and steps[end].messages and _begins(steps[end], "RM")
        if end > at and is_whole and all(_begins(step, "CR") for step in steps[at:end]):
            yield at, end
        at = max(end, at + 1)


def _is_discard(step: Step) -> bool:
    return _begins(step, "CR") or "x-discarded" in step.messages[0]


def shuffle_statements(steps: list[Step], game: Game, chance: random.Random) -> None:
    for step in steps[1:]:
        kept = 0 if step is steps[1] else 1
        while kept < len(step.messages) and step.messages[kept]["event"] in SECOND | {"LR", "LA"}:
            kept += 1
        rest = step.messages[kept:]
        chance.shuffle(rest)
        step.messages[kept:] = rest


def leave_out(steps: list[Step], game: Game, chance: random.Random) -> None:
    """The rounds, the robber's waking and resting, and the end but for PE."""
    for step in steps:
        gone = OPTIONAL if step is not steps[-1] or not game.is_over else OPTIONAL | {"GO", "PS"}
        step.messages[:] = [
            message
            for message in step.messages
            if message["event"] not in gone
            and message["value"] not in ({"phase": "End"}, {"length": 0})
        ]


def state_awards_late(steps: list[Step], game: Game, chance: random.Random) -> None:
    """LR and LA at the end of the turn."""
    late: list[Message] = []
    for step in steps:
        said: list[Message] = []
        for message in step.messages:
            if message["event"] in ("LR", "LA"):
                late.append(message)
                continue
            if message["event"] in ("TE", "TS", "PE", "PS", "GO") or "x-left" in message:
                said += late
                late.clear()
            said.append(message)
        step.messages[:] = said
    steps[-1].messages.extend(late)


def forget_empty_numbers(steps: list[Step], game: Game, chance: random.Random) -> None:
    (board,) = (m for m in messages_of(steps) if m["event"] == "MD")
    for tile in board["value"]["tiles"]:
        if tile["tCode"] in ("D", "S"):
            del tile["rNumber"]


def speak_as_admin(steps: list[Step], game: Game, chance: random.Random) -> None:
    _speak(steps, game, lambda message, on_turn: "A")


def speak_as_player(steps: list[Step], game: Game, chance: random.Random) -> None:
    _speak(steps, game, lambda message, on_turn: on_turn)


def speak_by_turns(steps: list[Step], game: Game, chance: random.Random) -> None:
    _speak(steps, game, lambda message, on_turn: chance.choice(["A", on_turn, message["player"]]))


def _speak(steps: list[Step], game: Game, speaker: Callable[[Message, str], str]) -> None:
    on_turn, accepter = "", ""
    placing = [message for message in messages_of(in_setup(steps)) if message["event"] == "TE"]
    for message in messages_of(steps):
        event, was = message["event"], message["player"]
        said = speaker(message, on_turn or "A")
        if event == "PA":
            message["player"] = chosen(said, "A", message["value"]["player"])
        elif event in ("DR", "LA", "LR", "TS", "GO") or message in placing:
            message["player"] = chosen(said, "A", was)
        elif event == "TR":
            message["player"] = chosen(said, "A", accepter)
        elif event in ANNOUNCED:
            message["player"] = said
        on_turn = was if event == "TS" else on_turn
        accepter = was if event == "TA" else accepter


def chosen(said: str, admin: str, player: str) -> str:
    return admin if said == admin else player


VARIANTS: tuple[Variant, ...] = (
    number_rounds_on,
    say_that_nothing_moves,
    name_the_bank_after_each_party,
    produce_in_pieces,
    produce_first_cards_silently,
    produce_first_cards_late,
    repeat_awards,
    discard_in_any_order,
    discard_together,
    shuffle_statements,
    show_the_victory,
    leave_out,
    state_awards_late,
    forget_empty_numbers,
    speak_as_admin,
    speak_as_player,
    speak_by_turns,
)
"""In the order in which they can be applied one after another."""


def written_otherwise(
    game: Game, variants: Collection[Variant], chance: random.Random, viewer: int | None = None
) -> list[Message]:
    """The record of a game, with these variants."""
    steps = steps_of(game, viewer)
    for variant in VARIANTS:
        if variant in variants:
            variant(steps, game, chance)
    return copy.deepcopy(list(messages_of(steps)))
