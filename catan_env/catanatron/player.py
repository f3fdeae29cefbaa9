"""One of our policies as a catanatron `Player`."""

from collections import Counter
from typing import Any

from catanatron.models.player import Player

from catan_env import Action, ActionKind, DevelopmentCard, Phase, Resource, SeatView, geometry
from catan_env.catanatron.entry import Entry
from catan_env.catanatron.follower import Follower
from catan_env.catanatron.log import HAS_RECORDS, entry_of
from catan_env.policy import Policy, decide

CARD = {
    ActionKind.PLAY_KNIGHT: DevelopmentCard.KNIGHT,
    ActionKind.PLAY_ROAD_BUILDING: DevelopmentCard.ROAD_BUILDING,
    ActionKind.PLAY_YEAR_OF_PLENTY: DevelopmentCard.YEAR_OF_PLENTY,
    ActionKind.PLAY_MONOPOLY: DevelopmentCard.MONOPOLY,
}


class PolicyPlayer(Player):
    """Plays for a policy; call `begin` once the game is created, and `follow` after every action.

    `decisions` counts the policy's decisions; `withheld` and `unknown` count, by ActionKind, the
    actions that only our rules allow and that only catanatron's rules allow.
    """

    def __init__(self, color: Any, policy: Policy) -> None:
        super().__init__(color)
        self.policy = policy
        self.decisions = 0
        self.withheld: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()

    def begin(self, game: Any) -> None:
        """Join a new game."""
        self.follower = Follower(game.state, self.color, game.vps_to_win)

    def follow(self, state: Any, entry: Entry) -> None:
        """Apply an entry of the log, which led to `state`."""
        self.follower.follow(state, entry)

    def decide(self, game: Any, playable_actions: Any) -> Any:
        """The policy's choice among catanatron's actions; it is only asked if there are several."""
        if len(playable_actions) == 1:
            return playable_actions[0]
        view = self.follower.view([])
        choices = self._choices(playable_actions, view)
        withheld = [a for a in view.legal_actions if a not in choices]
        unknown = [a for a in choices if a not in view.legal_actions]
        self._count(withheld, unknown, view, game.state)
        self.decisions += 1
        allowed = self.follower.view([index_of(action) for action in withheld])
        return choices[Action.from_index(decide(self.policy, allowed))]

    def _choices(self, playable_actions: Any, view: SeatView) -> dict[Action, Any]:
        """catanatron's actions by ours; a year of plenty of two cards takes precedence."""
        choices: dict[Action, Any] = {}
        for action in sorted(playable_actions, key=is_one_card, reverse=True):
            for ours in self.follower.speech.choices(entry_of(action), view):
                choices[ours] = action
        return choices

    def _count(
        self, withheld: list[Action], unknown: list[Action], view: SeatView, state: Any
    ) -> None:
        forgotten = self.follower.forgotten(state.board)
        unexplained = [a for a in withheld if not is_refused_by_catanatron(a, view, forgotten)]
        if getattr(state, "friendly_robber", False):  # it spares seats with few points
            unexplained = [a for a in unexplained if a.kind != ActionKind.MOVE_ROBBER]
        unexplained += [a for a in unknown if not is_refused_by_booklet(a, view)]
        if unexplained:
            raise ValueError(
                f"in phase {view.phase.name} of turn {view.turn} the two rule books differ over "
                f"{', '.join(map(str, unexplained))}"
            )
        self.withheld.update(action.kind.name for action in withheld)
        self.unknown.update(action.kind.name for action in unknown)


def index_of(action: Action) -> int:
    """The flat index of a legal action."""
    assert action.index is not None
    return action.index


def is_one_card(action: Any) -> bool:
    """True for a year of plenty that takes one card."""
    return action.action_type.name == "PLAY_YEAR_OF_PLENTY" and len(action.value) == 1


def is_refused_by_catanatron(action: Action, view: SeatView, forgotten: set[int]) -> bool:
    """True if catanatron is known to refuse this action, which the booklet allows.

    `forgotten` are the vertices of the seat's own roads that catanatron has lost.
    """
    if action.kind == ActionKind.ROAD:
        own = {v for road in view.roads(view.viewer) for v in geometry.EDGE_VERTICES[road]}
        begun_at = own & set(geometry.EDGE_VERTICES[int(action.args[0])])
        return bool(begun_at) and begun_at <= forgotten
    if action.kind == ActionKind.SETTLEMENT:
        return action.args[0] in forgotten
    if action.kind == ActionKind.MOVE_ROBBER:
        step = action.args[1]
        return step is not None and view.hand_size((view.viewer + step) % view.seats) == 0
    if action.kind == ActionKind.PLAY_ROAD_BUILDING and not HAS_RECORDS:
        hand = view.hand(view.viewer)
        unpaid = not hand[Resource.BRICK] or not hand[Resource.LUMBER]
        return unpaid or view.phase == Phase.ROLL
    return action.kind in CARD and view.phase == Phase.ROLL and not HAS_RECORDS


def is_refused_by_booklet(action: Action, view: SeatView) -> bool:
    """True if the booklet is known to refuse this action, which catanatron allows."""
    if action.kind == ActionKind.ROAD:
        return passes_a_rival(int(action.args[0]), view)
    if action.kind not in CARD:
        return False
    if view.new_cards(view.viewer)[CARD[action.kind]] and not HAS_RECORDS:
        return True
    return action.kind == ActionKind.PLAY_YEAR_OF_PLENTY and action.args[0] == action.args[1]


def passes_a_rival(edge: int, view: SeatView) -> bool:
    """True if a road there would continue the seat's road past another seat's building (C100)."""
    others = [seat for seat in range(view.seats) if seat != view.viewer]
    rivals = {v for seat in others for v in (*view.settlements(seat), *view.cities(seat))}
    own = {v for road in view.roads(view.viewer) for v in geometry.EDGE_VERTICES[road]}
    return bool(rivals & own & set(geometry.EDGE_VERTICES[edge]))
