"""Servers with other habits: as in the text, as the real one, and a teasing one."""

import json
from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.net.room import Effect, Send
from tests.guests.renaissance.in_memory import TO_CLIENT, House


class OfTheText(House):
    """A server with the spellings of the protocol's text where the real one's differ."""

    def spelled(self, message: Any) -> list[bytes]:
        return [TO_CLIENT.encode(self._of_the_text(message))]

    def _of_the_text(self, message: Any) -> Any:
        if isinstance(message, m.UpdateFaithPoints):
            return m.UpdateFaithTrack(message.isBlackCross, message.faithPoints, message.player)
        if isinstance(message, m.UpdateCurrentPlayer):
            return m.UpdateCurrentPlayer(nickname=message.player)
        if isinstance(message, m.UpdatePlayerStatus):
            return m.UpdatePlayerStatus(message.isActive, nickname=message.player)
        if isinstance(message, m.UpdateDevSlot):
            return m.UpdateDevSlot(message.player, slot=message.devSlot, cards=message.devCards)
        if isinstance(message, m.UpdateVaticanSection) and len(message.bonusGivenPlayers) == 1:
            name = message.bonusGivenPlayers[0]
            return m.UpdateVaticanSection(name, id=message.vaticanSection)
        if isinstance(message, m.UpdateDevCardGrid) and message.devCardGrid is not None:
            cards: m.TopCards = {name: [row] for name, row in message.devCardGrid.topCards.items()}
            return m.UpdateDevCardGrid(topCards=m.DevCardGrid(grid=cards))
        return message


class OfTheRealServer(House):
    """A server that behaves like AM49's: it announces half of its actions, and repeats much.

    Starting faith comes unannounced, to some before their game; containers are sent with
    intermediate contents first; the last round is announced again; tokens are listed in the order
    of drawing; `type` is written last, after an unknown field.
    """

    def spelled(self, message: Any) -> list[bytes]:
        fields = json.loads(TO_CLIENT.encode(message))
        if isinstance(message, m.UpdateGame):
            return self._begun(fields)
        if isinstance(message, m.UpdateResourceContainer):
            half = {**fields, "resContainer": {**fields["resContainer"], "content": {}}}
            return [typed_last(half), typed_last(fields)]
        if isinstance(message, (m.UpdateLastRound, m.UpdateSetupDone)):
            return [typed_last(fields)] * 2
        return [typed_last(fields)]

    def _begun(self, game: dict[str, Any]) -> list[bytes]:
        game["actionTokens"] = game.get("actionTokens", [])[::-1]
        news = []
        for player in game["players"] if not game["isSetupDone"] else []:
            faith, player["faithPoints"] = player["faithPoints"], 0
            told = m.UpdateFaithPoints(False, faith, player["nickname"])
            news += [typed_last(json.loads(TO_CLIENT.encode(told)))] * (faith > 0)
        return [*news, typed_last(game), *news]


class Teasing(House):
    """Our server with noise: lines that mean nothing to the agent, and legal commands refused.

    Refused or ignored messages change nothing.
    """

    refused = silent = 0

    def spelled(self, message: Any) -> list[bytes]:
        said = [TO_CLIENT.encode(message)]
        return [self.random.choice(JESTS), *said] if self.random.random() < 0.3 else said

    def answer(self, line: int, message: Any) -> list[Effect]:
        table = self.room._guests[line].table
        if isinstance(message, GAME_COMMANDS) and table is not None and table.game.is_playing:
            draw = self.random.random()
            if draw < 0.05:
                self.refused += 1
                return [Send(line, self.random.choice(REFUSALS))]
            if draw < 0.08:
                self.silent += 1
                return []
        return super().answer(line, message)


GAME_COMMANDS = (
    m.ReqSwapShelves,
    m.ReqLeaderAction,
    m.ReqTakeFromMarket,
    m.ReqBuyDevCard,
    m.ReqActivateProductions,
    m.ReqEndTurn,
)
REFUSALS = (
    m.ErrResourceTransfer(True, "CAPACITY_REACHED", "Coin"),
    m.ErrReplacedTransRecipe(True, "Stone", 2, 1, True),
    m.ErrAction("NOT_CURRENT_PLAYER"),
    m.ErrAction("EARLY_TURN_END"),
    m.ErrObjectNotOwned(77, "Shelf"),
    m.ErrBuyDevCard(True),
    m.ErrProtocol("no"),
)
JESTS = tuple(
    line + b"\n"
    for line in (
        b"",
        b"{}",
        b"null",
        b"good luck!",
        b'{"type":"UpdateWeather","isRaining":true}',
        b'{"type":"UpdateFaithPoints","isBlackCross":false}',
        b'{"type":"UpdateFaithPoints","isBlackCross":false,"faithPoints":23,"player":"nobody"}',
        b'{"type":"UpdateAction","player":"nobody","action":"END_TURN"}',
        b'{"type":"UpdateAction","player":"nobody","action":"DANCE"}',
        b'{"type":"UpdateCurrentPlayer","player":"nobody"}',
        b'{"type":"UpdateDevSlot","player":"nobody","devSlot":0,"devCards":[1]}',
        b'{"type":"UpdateLeadersHandCount","player":"nobody","leadersHandCount":1}',
        b'{"type":"UpdatePlayerStatus","player":"nobody","isActive":false}',
        b'{"type":"UpdateVaticanSection","vaticanSection":77,"bonusGivenPlayers":["nobody"]}',
        b'{"type":"UpdateActionToken","actionToken":77}',
        b'{"type":"UpdateResourceContainer","resContainer":{"id":99999,"content":{},"size":1}}',
        b'{"type":"UpdateBookedSeats","bookedSeats":3,"canPrepareNewGame":"nobody"}',
        b'{"type":"UpdateJoinGame","playersCount":4}',
        b'{"type":"ErrNickname","reason":"NOT_IN_GAME"}',
        b'{"type":"ReqHeartbeat"}',
        b'{"type":"ReqWelcome"}',
        b'{"type":"ResWelcome"}',
        b'{"type":"ResHeartbeat"}',
    )
)
"""Lines without a message, about unknown players, or with unrequested answers."""


def typed_last(fields: dict[str, Any]) -> bytes:
    """A line that ends with `type`."""
    named = {name: value for name, value in fields.items() if name != "type"}
    return json.dumps({**named, "colour": "blue", "type": fields["type"]}).encode() + b"\n"
