"""The agent on servers that misbehave, or do not answer."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from catan_env import Game, SeatView
from catan_env.core.constants import DevelopmentCard, Phase, Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.tracked import TrackedView
from catan_env.net import RemoteProtocolError
from catan_env.net.room import Send
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.corrected_view import CorrectedView
from catan_env.protocols.catan_german.ledger import Move
from catan_env.protocols.catan_german.messages import NAMES, HeldCards, Player, PlayKnight, body_of
from catan_env.protocols.catan_german.speech import Speech, richest
from catan_env.protocols.catan_german.transfers import Transfers
from tests.protocols.german.in_memory import Joined, LineAgent, policy_of, random_policy, room_of
from tests.protocols.german.mutation import mutated
from tests.rules.drawn import along, at, position


def line_of(name: str, **body: Any) -> bytes:
    """A line of a server; in keys "_" means a blank."""
    return msgspec.json.encode({name: {k.replace("_", " "): v for k, v in body.items()}}) + b"\n"


def said(data: bytes) -> list[str]:
    """The names of an agent's messages."""
    return [next(iter(msgspec.json.decode(line))) for line in data.splitlines()]


def status(number: int, word: str, **more: Any) -> bytes:
    player = {"id": number, "Status": word, "Siegpunkte": 0, "Rohstoffe": {}, **more}
    return line_of("Statusupdate", Spieler=player)


def in_lobby(version: str = "1.0") -> LineAgent:
    """An agent that has an id and has sent its name."""
    agent = LineAgent(random_policy(1), "Ada")
    assert said(agent.receive(line_of("Hallo", Version="x", Protokoll=version), 0.0)) == ["Hallo"]
    agent.receive(line_of("Willkommen", id=1), 0.0)
    assert said(agent.receive(status(1, "Spiel starten"), 0.0)) == ["Spieler"]
    return agent


def test_another_version_is_a_clear_error() -> None:
    with pytest.raises(RemoteProtocolError, match=r"0\.9; known are 0\.1, 0\.2, 0\.3, 1\.0"):
        LineAgent(random_policy(1)).receive(line_of("Hallo", Version="x", Protokoll="0.9"), 0.0)


def test_it_starts_at_the_first_ok_or_after_a_second() -> None:
    ok = b'{"Serverantwort":"OK"}\n'
    assert said(in_lobby().receive(ok, 0.1)) == ["Spiel starten"]
    agent = in_lobby()
    assert agent.deadline == 1.0 and agent.wait(0.9) == b""
    assert said(agent.wait(1.0)) == ["Spiel starten"]


def test_it_follows_the_status_when_it_waits() -> None:
    agent = in_lobby()
    agent.receive(b'{"Serverantwort":"OK"}\n', 0.1)
    assert agent.receive(status(1, "Wartet auf Spielbeginn"), 0.2) == b""
    assert agent.deadline is None


@pytest.mark.parametrize("mark", ["", "!"])
def test_both_refusals_of_a_colour_are_one(mark: str) -> None:
    agent = in_lobby("0.3")
    agent.receive(status(2, "Spiel starten", Farbe="Orange"), 0.0)
    agent.receive(b'{"Serverantwort":"OK"}\n', 0.1)
    agent.receive(status(3, "Wartet auf Spielbeginn", Farbe="Rot"), 0.1)
    first = agent.receive(line_of("Fehler", Meldung=f"Farbe bereits vergeben{mark}"), 0.2)
    second = agent.receive(f'{{"Serverantwort":"Farbe bereits vergeben{mark}"}}\n'.encode(), 0.2)
    assert said(first + second) == ["Spieler"]
    assert msgspec.json.decode(first)["Spieler"]["Farbe"] not in ("Rot", "Orange")
    assert said(agent.receive(b'{"Serverantwort":"OK"}\n', 0.3)) == ["Spiel starten"]


def test_closed_is_over_in_version_0_1() -> None:
    agent, lines = in_lobby("0.1"), a_game("0.1", 3)
    agent.closed(0.0)
    assert not agent.is_over
    agent.receive(
        b"".join(line for line in lines if b"Wartet auf" in line or b"Karte" in line), 0.0
    )
    agent.closed(0.0)
    assert agent.is_over


@pytest.mark.parametrize("version", ["0.2", "0.3", "1.0"])
def test_closed_is_not_over_in_later_versions(version: str) -> None:
    agent = LineAgent(random_policy(1), "Ada")
    agent.receive(b"".join(a_game(version, 3)[:-1]), 0.0)
    agent.closed(0.0)
    assert agent.follower.has_started and not agent.is_over


def ended() -> LineAgent:
    """An agent that learned at 7.0 that its game has ended."""
    agent = LineAgent(random_policy(1), "Ada")
    agent.receive(b"".join(a_game("1.0", 3)[:-1]), 6.0)
    assert agent.receive(line_of("Spiel beendet", Nachricht="x", Sieger=1), 7.0) == b""
    return agent


def test_after_the_end_it_stays_until_the_server_closes() -> None:
    agent = ended()
    assert (agent.winner, agent.is_over, agent.deadline) == (0, False, 9.0)
    agent.closed(7.1)
    assert agent.is_over


def test_after_the_end_it_stays_two_seconds_at_most() -> None:
    agent = ended()
    assert agent.receive(line_of("Spiel beendet", Nachricht="x", Sieger=1), 8.0) == b""
    assert agent.wait(8.9) == b"" and not agent.is_over
    assert agent.deadline == 9.0 and agent.wait(9.0) == b"" and agent.is_over


def a_game(version: str, seed: int) -> list[bytes]:
    """The messages to the last of three agents in a game."""
    room = room_of(version, 3, seed, max_turns=40)
    joined = Joined(room, [policy_of("builder", seed + k) for k in range(3)]).play()
    heard = [message for line, message in joined.heard if line == 2]
    return [msgspec.json.encode({NAMES[type(m)]: body_of(m)}) + b"\n" for m in heard]  # type: ignore[arg-type]


@pytest.mark.parametrize("version", ["0.1", "0.2", "0.3", "1.0"])
def test_whatever_a_server_says_is_followed_or_a_protocol_error(version: str) -> None:
    """Lines are dropped, repeated, moved and garbled."""
    chance = Random(version)
    lines = a_game(version, 3)
    for _ in range(60):
        agent = LineAgent(random_policy(chance.randrange(99)), "Ada")
        try:
            for k, line in enumerate(lines):
                draw = chance.random()
                if k > 4 and draw < 0.02:
                    continue
                if draw < 0.04:
                    line = chance.choice(lines)
                elif draw < 0.06:
                    line = mutated(line[:-1], chance) + b"\n"
                agent.receive(line, float(k))
                agent.wait(float(k))
        except RemoteProtocolError:
            continue


@pytest.mark.parametrize("player, cards", [(1, {"Unbekannt": 20}), (2, {"Unbekannt": 20}),
                                           (3, {"Holz": 15, "Erz": 1})])  # fmt: skip
def test_a_discard_is_half_of_the_hand_whatever_hands_were_thought_to_be(
    player: int, cards: dict[str, int]
) -> None:
    lines = a_game("0.3", 3)
    asked = next(k for k, line in enumerate(lines) if is_own_discard(line))
    rolled = max(k for k in range(asked) if lines[k].startswith('{"Würfelwurf"'.encode()))
    agent = LineAgent(random_policy(1), "Ada")
    agent.receive(b"".join(lines[:rolled]), 0.0)
    agent.receive(status(player, "Warten", Rohstoffe=cards), 0.0)
    (reply,) = agent.receive(b"".join(lines[rolled : asked + 1]), 0.0).splitlines()
    hand = msgspec.json.decode(lines[asked])["Statusupdate"]["Spieler"]["Rohstoffe"]
    discarded = msgspec.json.decode(reply)["Karten abgeben"]["Abgeben"]
    assert sum(discarded.values()) == sum(hand.values()) // 2


def is_own_discard(line: bytes) -> bool:
    """True if the server asks the player with id 3, the last to join, for cards."""
    player = msgspec.json.decode(line).get("Statusupdate", {}).get("Spieler", {})
    return player.get("id") == 3 and player["Status"] == words.DISCARD


def test_a_refused_action_is_not_asked_for_again_in_that_turn() -> None:
    room = room_of("1.0", 2, 4, max_turns=30)
    joined = Joined(room, [policy_of("builder", 1), policy_of("builder", 2)])
    asked: list[str] = []
    effects = [effect for line in range(2) for effect in room.opened(line, 0.0)]
    while effects:
        effect = effects.pop(0)
        if not isinstance(effect, Send):
            continue
        data = joined._ends[effect.line].send(effect.message)
        for message in joined._ends[effect.line].receive(
            joined.agents[effect.line].receive(data, 0.0)
        ):
            name, turn = NAMES[type(message)], room.game.turn
            is_build = name == "Bauen" and turn > 0
            if is_build and effect.line == 0:
                assert f"{turn} {name}" not in asked
                asked.append(f"{turn} {name}")
                refusal = b'{"Serverantwort":"Heute nicht"}\n'
                reply = joined.agents[0].receive(refusal, 0.0)
                again = list(joined._ends[0].receive(reply))
                assert [NAMES[type(m)] for m in again] == ["Zug beenden"]
                effects += room.received(0, again[0], 0.0)
            else:
                effects += room.received(effect.line, message, 0.0)
    assert room.is_over and asked


def test_after_a_refused_card_the_turn_continues_without_its_kind() -> None:
    """The policy is asked again, and the view itself follows the rules."""
    view = next(view for view in views(3) if len(kinds(view)) > 2)
    TrackedView(view).believe_cards(view.viewer, 1, CARD_EACH[DevelopmentCard.MONOPOLY])
    assert monopolies(view) and len(kinds(view)) > 3
    asked: list[SeatView] = []

    def act(shown: SeatView) -> int:
        asked.append(shown)
        return eager_policy((monopolies(shown) or list(shown.legal_actions))[-1])(shown)

    agent = following(view, act)
    (first,) = agent._decided(view)
    assert first.kind == ActionKind.PLAY_MONOPOLY and asked[-1] is view
    agent._note_refusal((first,))
    second = agent._decided(view)
    assert first in view.legal_actions
    assert kinds(asked[-1]) == kinds(view) - {ActionKind.PLAY_MONOPOLY}
    assert second[0] == list(asked[-1].legal_actions)[-1], "the policy's choice counts"
    agent._note_refusal((Action.buy_development_card(),))
    assert agent._decided(view) == (Action.end_turn(),)


@pytest.mark.parametrize("knights", [0, 2])
def test_swapped_cards_are_recognised_whatever_knights_come_with_them(knights: int) -> None:
    """A real server that swaps them also leaves played knights in the hand."""
    view = next(views(3))
    TrackedView(view).believe_cards(view.viewer, 1, CARD_EACH[DevelopmentCard.MONOPOLY])
    tracked = CorrectedView()
    tracked.continue_from(view)
    said = HeldCards(knight=knights, monopoly=0, year_of_plenty=1)
    tracked.compare(view.viewer, Player(1, development_cards=said))
    cards = view.cards(view.viewer)
    assert (cards[DevelopmentCard.MONOPOLY], cards[DevelopmentCard.YEAR_OF_PLENTY]) == (1, 0)
    assert cards[DevelopmentCard.KNIGHT] == knights and sum(cards) == 1 + knights


def test_a_view_takes_over_the_servers_awards_once_it_is_in_doubt() -> None:
    view = next(views(3))
    tracked = CorrectedView()
    tracked.continue_from(view)
    longest = Player(2, longest_road=True)
    tracked.compare(1, longest)
    assert view.longest_road_seat is None
    tracked.be_in_doubt()
    tracked.compare(1, longest)
    assert view.longest_road_seat == 1


def test_a_monopoly_may_be_announced_player_by_player() -> None:
    """After the first pair it seems complete, but more follows."""
    view = next(view for view in views(3) if min(map(view.hand_size, range(3))) > 2)
    me, (first, second) = view.viewer, [seat for seat in range(3) if seat != view.viewer]
    TrackedView(view).believe_cards(me, 1, CARD_EACH[DevelopmentCard.MONOPOLY])
    tracked = CorrectedView()
    tracked.continue_from(view)
    transfers, sizes, wool = Transfers(tracked), [*map(view.hand_size, range(3))], view.hand(me)[-1]
    transfers.monopolise(me, Resource.WOOL)
    for seat, n in ((first, 1), (second, 2)):
        transfers.hear(Move(seat, -1, (0, 0, 0, 0, n), n))
        transfers.hear(Move(me, 1, (0, 0, 0, 0, n), n))
        sizes[seat] -= n
        sizes[me] += n
    assert (
        Resource.WOOL == 4
        and [*map(view.hand_size, range(3))] == sizes
        and view.hand(me)[-1] == wool + 3
    )
    transfers.close()
    transfers.hear(Move(first, -1, (0, 0, 0, 0, 1), 1))
    assert view.hand_size(first) == sizes[first], "another cause is yet to be named"


CARD_EACH = [[int(kind == other) for other in DevelopmentCard] for kind in DevelopmentCard]
"""One card of each kind, by kind."""


def monopolies(view: SeatView) -> list[Action]:
    return [action for action in view.legal_actions if action.kind == ActionKind.PLAY_MONOPOLY]


def kinds(view: SeatView) -> set[ActionKind]:
    return {action.kind for action in view.legal_actions}


def test_without_confirmations_a_refusal_counts_after_some_silence() -> None:
    """It may refer to a late answer; without further messages it did not."""
    room = room_of("1.0", 3, 6, max_turns=40)
    joined = Joined(room, [policy_of("builder", k) for k in range(3)])
    agent, has_answered, was_refused = joined.agents[0], False, False
    effects = [effect for line in range(3) for effect in room.opened(line, 0.0)]
    while effects and not was_refused:
        effect = effects.pop(0)
        if not isinstance(effect, Send) or is_about_own_answer(effect, room, has_answered):
            continue
        data = joined._ends[effect.line].send(effect.message)
        reply = joined.agents[effect.line].receive(data, 5.0)
        for message in joined._ends[effect.line].receive(reply):
            name = NAMES[type(message)]
            has_answered |= effect.line == 0 and name == "Handel annehmen"
            if effect.line == 0 and has_answered and name == "Würfeln":
                assert agent.receive(b'{"Serverantwort":"Nein"}\n', 5.0) == b""
                assert agent.deadline == 8.0 and agent.wait(7.9) == b""
                assert said(agent.wait(8.0)) == ["Würfeln"] and agent.deadline == 11.0
                was_refused = True
            effects += room.received(effect.line, message, 0.0)
    assert was_refused


def is_about_own_answer(effect: Send, room: Any, has_answered: bool) -> bool:
    """True if the room confirms line 0's answer."""
    is_own = getattr(effect.message, "partner", None) == 1
    is_ok = getattr(effect.message, "text", None) == "OK"
    return effect.line == 0 and has_answered and (is_own or is_ok)


def test_a_knight_that_wins_names_a_field_and_a_victim_that_a_strict_server_allows() -> None:
    """Nothing is decided about a robber that no longer moves."""
    speech, checked = Speech("1.0", (1, 2, 3)), 0
    for seed in range(12):
        game, act = Game(3, seed), random_policy(seed)
        while game.turn < 40 and not game.is_over:
            if game.phase == Phase.ROBBER:
                message = speech.request(game, (Action.play_knight(),))
                assert isinstance(message, PlayKnight)
                moves = speech.actions(game, message)
                assert moves[1] in game.legal_actions and moves[1].args[0] != game.robber
                assert (message.victim is None) == (richest(game, moves[1].args[0]) is None)
                checked += 1
            game.play(act(game.view(game.seat)))
    assert checked > 20


@pytest.mark.parametrize(
    "version, roads_left, plays_it", [("1.0", 1, False), ("1.0", 2, True), ("0.3", 1, True)]
)
def test_a_card_for_two_roads_is_not_played_for_one_at_1_0(
    version: str, roads_left: int, plays_it: bool
) -> None:
    """A real server of 1.0 closes the connection of a client that names only one road."""
    card = Action.play_road_building()
    view = next(view for view in views(3) if len(kinds(view)) > 2)
    TrackedView(view).believe_cards(view.viewer, 1, CARD_EACH[DevelopmentCard.ROAD_BUILDING])
    assert card in view.legal_actions
    view._array[0]["pieces"][view.viewer][0] = roads_left
    agent = LineAgent(eager_policy(card), "Ada")
    agent.follower.version = version
    agent.follower._tracked.continue_from(view)
    decided = agent._decided(view)
    assert (decided[0] == card) == plays_it
    assert decided[0] in view.legal_actions and (not plays_it or len(decided) == 1 + roads_left)
    assert card in view.legal_actions, "the view itself is as the rules have it"


def test_a_card_for_one_road_that_wins_is_played_at_1_0() -> None:
    card, (*roads, winning) = Action.play_road_building(), map(Action.road, along(2, 0, 5))
    view = position(
        seats=2,
        cities={0: [at(2, 0), at(2, 2), at(2, 4), at(0, 1)]},
        roads={0: [road.args[0] for road in roads]},
        cards={0: CARD_EACH[DevelopmentCard.ROAD_BUILDING]},
    ).view(0)
    decide = eager_policy(card, winning)
    assert following(view, decide)._decided(view) == (card, winning)


def test_after_a_refused_roll_the_policy_still_moves_the_robber() -> None:
    view = position(seats=2, settlements={0: [8], 1: [35]}, phase="robber").view(0)
    last = list(view.legal_actions)[-1]
    agent = following(view, eager_policy(last))
    agent._note_refusal((Action.roll(),))
    assert agent._decided(view) == (last,)


def views(seats: int) -> Iterator[SeatView]:
    """The view of the acting seat, in many random games."""
    for seed in range(400):
        game, act = Game(seats, seed), random_policy(seed)
        while game.turn < 60 and not game.is_over:
            view = game.view(game.seat)
            if view.phase == Phase.MAIN:
                yield view
            game.play(act(view))


def following(view: SeatView, decide: Callable[[SeatView], int]) -> LineAgent:
    """An agent of 1.0 with that view."""
    agent = LineAgent(decide, "Ada")
    agent.follower.version = "1.0"
    agent.follower._tracked.continue_from(view)
    return agent


def eager_policy(*wanted: Action) -> Callable[[SeatView], int]:
    """Plays the first of `wanted` that is legal, otherwise the last legal action."""

    def act(view: SeatView) -> int:
        legal = list(view.legal_actions)
        return next((action for action in wanted if action in legal), legal[-1]).index

    return act
