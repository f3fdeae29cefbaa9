"""Development cards as announced: drawn, played, taken back, and their effects."""

from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game import correction
from catan_env.game.action import Action
from catan_env.game.event import HIDDEN
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import states
from catan_env.protocols.jsettlers.corrected_view import CorrectedView
from catan_env.protocols.jsettlers.places import CARDS, to_resource
from catan_env.protocols.jsettlers.speech import plenty

DRAWN, PLAYED, BACK = 0, 1, 3
"""Actions of `CardAction` (1046)."""
TOOK = 3
"""The action of `SimpleAction` (1090) that announces a monopoly's takings."""
_MOVES = {
    DevelopmentCard.KNIGHT: Action.play_knight(),
    DevelopmentCard.ROAD_BUILDING: Action.play_road_building(),
}
"""Cards that move the view immediately; the others' choice is announced later."""
_BEGUN = {Phase.ROBBER: DevelopmentCard.KNIGHT, Phase.FREE_ROAD: DevelopmentCard.ROAD_BUILDING}


class Cards:
    """The cards of all seats, in the `tracked` view."""

    def __init__(self, tracked: CorrectedView) -> None:
        self._tracked = tracked
        self._played: DevelopmentCard | None = None
        """The card whose choice is still to be announced."""
        self._losses: dict[int, int] = {}

    @property
    def is_monopoly(self) -> bool:
        """True while a monopoly's takings are awaited."""
        return self._played == DevelopmentCard.MONOPOLY

    def hear(self, message: m.CardAction) -> None:
        """Follow a card that is drawn, played or taken back."""
        tracked = self._tracked
        if tracked.state == states.OVER or message.seat < 0 or not message.cards:
            return
        seat, card = tracked.checked(message.seat), CARDS.get(message.cards[0])
        if message.action == DRAWN:
            seen = card if seat == tracked.seat and card is not None else HIDDEN
            tracked.act(seat, Action.buy_development_card(), seen)
        elif message.action == PLAYED and card is not None:
            self._play(seat, card)
        elif message.action == BACK:
            self._take_back(seat)

    def choose_plenty(self, message: m.PickCards) -> None:
        """Follow the takings of a year of plenty."""
        if self._played == DevelopmentCard.YEAR_OF_PLENTY:
            self._played = None
            self._tracked.act(self._tracked.turn_seat, plenty(message))

    def lose(self, seat: int, size: int) -> None:
        """Follow the rest of a seat's hand after a monopoly."""
        self._losses[seat] = self._tracked.view.hand_size(seat) - size

    def pay(self, seat: int, count: int) -> None:
        """Follow a seat's announced loss by a monopoly."""
        self._losses[seat] = count

    def take(self, message: m.SimpleAction) -> None:
        """Name a monopoly's kind from the losses of each seat; our own loss is known exactly."""
        if message.action != TOOK or not self.is_monopoly:
            return
        tracked, kind = self._tracked, to_resource(message.values[1])
        seat = tracked.checked(message.seat)
        losses = dict(self._losses)
        if seat != tracked.seat:
            losses[tracked.seat] = tracked.view.hand(tracked.seat)[kind]
        taken = tuple(max(0, losses.get(other, 0)) for other in range(tracked.view.seats))
        self._played = None
        tracked.act(seat, Action.play_monopoly(kind), taken)

    def settle(self, state: int) -> None:
        """Drop the open choice if the game is in another state."""
        if state not in states.CHOICES:
            self._played, self._losses = None, {}

    def _play(self, seat: int, card: DevelopmentCard) -> None:
        self._played, self._losses = card, {}
        if card in _MOVES:
            self._tracked.act(seat, _MOVES[card])

    def _take_back(self, seat: int) -> None:
        """Take back the card whose choice is open, if the view has followed it."""
        tracked, view = self._tracked, self._tracked.view
        card = _BEGUN.get(view.phase)
        if card is not None and view.card_played and seat == view.turn_seat:
            tracked.differ("card taken back")
            correction.take_card_back(view, seat, card)
        self._played = None
