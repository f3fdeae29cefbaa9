"""A table and its agents connected in memory: every message is sent as bytes."""

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from catan_env import Game, Rules, SeatView
from catan_env.core.actions import OFFER_START
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind
from catan_env.net import Connection
from catan_env.net.room import Effect, Send
from catan_env.net.visit import Visit
from catan_env.policy import load_policy
from catan_env.protocols.catan_german.agent import Agent, client_end
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import said_by_clients
from catan_env.protocols.catan_german.play import Settings
from catan_env.protocols.catan_german.room import GermanRoom

Policy = Callable[[SeatView], int]


def random_policy(seed: int) -> Policy:
    """Any legal action, with offers less often than uniformly."""
    chance = Random(seed)

    def act(view: SeatView) -> int:
        legal = np.flatnonzero(view.action_mask)
        fewer = legal[legal < OFFER_START]
        if len(fewer) and chance.random() < 0.9:
            legal = fewer
        return int(legal[chance.randrange(len(legal))])

    return act


def policy_of(name: str, seed: int) -> Policy:
    """A policy by name."""
    return random_policy(seed) if name == "random" else load_policy(name, seed).act


class LineAgent(Agent):
    """An agent at its end of a line, in bytes; its decisions take no time."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.present.clock = lambda: 0.0
        self.visit = Visit(client_end(), self)

    def receive(self, data: bytes, now: float = 0.0) -> bytes:
        """The agent's answer to `data`."""
        return b"".join(self.visit.receive(data, now))

    def wait(self, now: float) -> bytes:
        """The agent's messages if it has received nothing until `now`."""
        return b"".join(self.visit.time(now))


class AtTheTable:
    """Compares an agent's view at each decision with the game's view for its seat."""

    def __init__(self, joined: "Joined", policy: Policy) -> None:
        self._joined = joined
        self._policy = policy
        self.decisions = 0
        self._trial: Game | None = None
        self._roads_laid = 0
        """Decisions by the card for two roads."""
        self._has_laid_one_road = False
        """True if a card for two roads was just used for one, which agents avoid at 1.0."""

    def __call__(self, view: SeatView) -> int:
        """Compare, then decide."""
        game = self._game_of(view)
        shown = game.view(view.viewer)
        if self._has_laid_one_road:
            correction.rule_out(shown, Action.play_road_building())
        assert shown.observation.tobytes() == view.observation.tobytes(), f"seat {view.viewer}"
        assert shown.action_mask.tobytes() == view.action_mask.tobytes(), f"seat {view.viewer}"
        assert shown.state_bytes() == view.state_bytes() and shown.rules == view.rules
        assert view.seat == view.viewer
        self.decisions += 1
        index = self._policy(view)
        self._remember(game, index)
        return index

    def _game_of(self, view: SeatView) -> Game:
        """The game; if several decisions are one message, with the earlier ones played."""
        play = self._joined.room.play
        assert play is not None
        if self._trial is not None:
            return self._trial
        if play.offer is not None and view.viewer != play.offer.seat:
            game, offer = play.game.copy(), play.offer
            step = (view.viewer - offer.seat) % game.seats
            game.play(Action.offer(step, offer.give, offer.get))
            return game
        return play.game

    def _remember(self, game: Game, index: int) -> None:
        """True if a knight's robber, free roads or discards are decided before anything is sent."""
        kind, seat, phase = Action.from_index(index).kind, game.seat, game.phase
        self._trial, self._has_laid_one_road = None, False
        self._roads_laid = self._roads_laid + 1 if phase.name == "FREE_ROAD" else 0
        if kind in (ActionKind.PLAY_KNIGHT, ActionKind.PLAY_ROAD_BUILDING) or phase.name in (
            "DISCARD",
            "FREE_ROAD",
        ):
            trial = game.copy()
            trial.play(index)
            goes_on = trial.seat == seat and trial.phase.name in (
                "DISCARD",
                "FREE_ROAD",
                "ROBBER",
            )
            if goes_on and not (phase.name == "DISCARD" and trial.phase.name == "ROBBER"):
                self._trial = trial
            elif self._roads_laid == 1 and not trial.is_over:
                self._has_laid_one_road = self._joined.room.settings.version == "1.0"


class Joined:
    """A room and its agents; line k is the k-th agent's."""

    def __init__(self, room: GermanRoom, policies: list[Policy]) -> None:
        self.room = room
        self.tables = [AtTheTable(self, policy) for policy in policies]
        self.agents = [LineAgent(table, f"Spieler {k}") for k, table in enumerate(self.tables)]
        self.heard: list[tuple[int, object]] = []
        self._ends = [Connection(GermanCodec(said_by_clients(room.settings.version)))
                      for _ in policies]  # fmt: skip
        self._effects: deque[Effect] = deque()

    def play(self) -> "Joined":
        """Play to the end."""
        for line in range(len(self.agents)):
            self._effects.extend(self.room.opened(line, 0.0))
        while self._effects:
            effect = self._effects.popleft()
            if isinstance(effect, Send):
                self.heard.append(tuple(effect))
                said = self.agents[effect.line].receive(
                    self._ends[effect.line].send(effect.message), 0.0
                )
                for message in self._ends[effect.line].receive(said):
                    self._effects.extend(self.room.received(effect.line, message, 0.0))
        return self


def room_of(version: str, seats: int, seed: int, **settings: object) -> GermanRoom:
    """A table for a new game of that version."""
    game = Game(seats, seed, Rules.german(version))
    return GermanRoom(game, Settings(version, **{"timeout": 0.0, "max_turns": 300, **settings}))
