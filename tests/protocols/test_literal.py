"""The literal dialect: nothing that a seat cannot compute is announced to it."""

import pytest

from catan_env import Action, ActionKind, Game, Rules
from catan_env.policy import load_policy
from catan_env.protocols.catan_binary.choices import is_choice
from catan_env.protocols.catan_binary.messages import Trade, TradeAccept
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom
from catan_env.protocols.catan_binary.speech import is_with_bank
from tests.protocols.in_memory import Played, Policy, builder_policy, random_policy, tournament

UNTOLD = (ActionKind.PLAY_YEAR_OF_PLENTY, ActionKind.PLAY_MONOPOLY)


class ComparedWhileTold:
    """A policy that compares its view with the truth while the text lets a seat know it.

    That is until another seat takes cards unseen: by a year of plenty or a monopoly, or by a
    seven, where three or more play.
    """

    def __init__(self, game: Game, seat: int, policy: Policy, own_is_told: bool = True) -> None:
        self.compared = 0
        self._own_is_told = own_is_told
        self._game, self._seat, self._policy = game, seat, policy
        self._looked_at = 0
        self._is_told = True

    def __call__(self, view) -> int:
        for event in self._game.events[self._looked_at :]:
            unseen = event.seat != self._seat and event.action.kind in UNTOLD
            silent = event.action.kind in (*UNTOLD, ActionKind.BANK_TRADE)
            unseen |= silent and not self._own_is_told
            own = event.action.kind == ActionKind.PLAY_MONOPOLY
            lost = event.action.kind == ActionKind.DISCARD and event.seat != self._seat
            if unseen or (self._game.seats > 2 and (lost or own)):
                self._is_told = False
        self._looked_at = len(self._game.events)
        truth = self._game.view(self._seat)
        if self._is_told:
            self.compared += 1
            assert view.observation.tobytes() == truth.observation.tobytes()
            assert view.action_mask.tobytes() == truth.action_mask.tobytes()
        assert not (view.action_mask > truth.action_mask).any()
        return self._policy(view)


@pytest.mark.parametrize("announced", [False, None], ids=["dialect-given", "finds-out"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_agent_knows_what_the_text_lets_it_know_and_is_never_kicked(seats, announced, games):
    compared = 0
    for seed in range(max(1, games // 5000)):
        room = tournament(seats, 700 + seed, announced=False)
        made = [builder_policy if seat % 2 else random_policy for seat in range(seats)]
        policies = [
            ComparedWhileTold(room.game, seat, make(seed)) for seat, make in enumerate(made)
        ]
        Played(room, policies, announced=announced).play()
        assert room.is_over and not room.removals
        compared += sum(policy.compared for policy in policies)
    assert compared > 20


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_agent_that_is_not_sure_of_its_discards_plays_only_what_is_legal(seats):
    room = tournament(seats, 710, announced=False)
    policies = [
        legal_in(room.game, seat, builder_policy(seat) if seat % 2 else random_policy(seat))
        for seat in range(seats)
    ]
    Played(room, policies, is_ours=False).play()
    assert room.is_over and not room.removals


@pytest.mark.parametrize("seed", [9000, 9001, 9002])
def test_a_table_of_agents_that_are_not_sure_of_their_discards_has_a_winner(seed):
    """They rely on their likely hands in the end; none could pay for anything otherwise."""
    room = tournament(3, seed, announced=False)
    policies = [load_policy("builder" if seat % 2 else "greedy", seat).act for seat in range(3)]
    Played(room, policies, is_ours=False).play()
    assert room.game.winner is not None


def legal_in(game: Game, seat: int, policy: Policy) -> Policy:
    """The policy; it checks that the game allows what its view does."""

    def act(view) -> int:
        assert not (view.action_mask > game.view(seat).action_mask).any()
        assert all(n <= m for n, m in zip(view.hand(seat), game.hand(seat), strict=True))
        return policy(view)

    return act


class SilentAboutChoices(CatanRoom):
    """A server that honours a choice and does not answer it."""

    def received(self, line, message, now):
        effects = super().received(line, message, now)
        return without_accepts(effects) if self.is_silent_about(message) else effects

    def is_silent_about(self, message) -> bool:
        return is_choice(message)


class SilentBank(SilentAboutChoices):
    """A server that does not answer trades with the bank either."""

    def is_silent_about(self, message) -> bool:
        return isinstance(message, Trade) and is_with_bank(message)


def without_accepts(effects) -> list:
    """Return the effects without the bank's answers to the seat on turn."""
    return [effect for effect in effects if not is_own_accept(effect)]


def is_own_accept(effect) -> bool:
    message = getattr(effect, "message", None)
    return isinstance(message, TradeAccept) and effect.line == message.player_id


def eager(policy: Policy) -> Policy:
    """Play a year of plenty or a monopoly as soon as allowed."""
    wanted = [Action.play_monopoly(r).index for r in range(5)]
    wanted += [Action.play_year_of_plenty(r, r).index for r in range(5)]
    return lambda view: next((i for i in wanted if view.action_mask[i]), None) or policy(view)


@pytest.mark.parametrize("announced", [False, None], ids=["dialect-given", "finds-out"])
@pytest.mark.parametrize("server", [SilentAboutChoices, SilentBank])
def test_an_agent_copes_with_a_server_that_does_not_answer_a_choice(server, announced, games):
    """It continues, remembers that the card is played, and plays only legal actions."""
    chosen = 0
    for seed in range(max(2, games // 2500)):
        seats = 2 + seed % 3
        game = Game(seats, 40 + seed, Rules.tournament())
        room = server(game, Settings(announced=False, max_turns=300))
        policies = [
            ComparedWhileTold(game, seat, eager(builder_policy(seed)), own_is_told=False)
            for seat in range(seats)
        ]
        played = Played(room, policies, announced=announced).play()
        assert room.is_over and not room.removals
        chosen += sum(event.action.kind in UNTOLD for event in game.events)
        assert all(agent.is_over for agent in played.agents)
    assert chosen >= 3
