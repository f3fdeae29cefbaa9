"""A seat's holdings: its containers, their contents, and what they can take and pay."""

from collections.abc import Callable

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import NOTHING_PAID, Payment
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.judge.maps import Pile
from catan_env.guests.renaissance.judge.refusal import refuse, refuse_transfer
from catan_env.guests.renaissance.native.actions import SOURCES, STRONGBOX
from catan_env.guests.renaissance.native.cards import DEPOT, GOOD, GOODS
from catan_env.guests.renaissance.native.state import EMPTY, PLACES_OF_GOODS, SHELVES, SLOTS
from catan_env.guests.renaissance.speech import active_leaders, place_id

DEPOT_SIZE = 2


class Holdings:
    """A seat's containers in a game; `boxes` are the ids of its places, -1 for a closed depot."""

    def __init__(self, game: Game, seat: int, ids: Ids) -> None:
        self.game, self.seat, self.ids = game, seat, ids
        self.state = game.state
        self.boxes = [*ids.shelves[seat], *self._depots()]
        self.containers = [*self.boxes, ids.strongbox[seat]]

    def ask(self, door: Callable[..., int], *given: int) -> int:
        """The answer of the rules about this seat; `door` is one of native/doors.py."""
        return int(door(self.game._states, 0, self.seat, *given))

    def content(self, place: int) -> tuple[int, int]:
        """The good in a place, and the number of pieces."""
        if place < SHELVES:
            shelves = self.state["shelf_good"][self.seat], self.state["shelf_count"][self.seat]
            return int(shelves[0][place]), int(shelves[1][place])
        if self.boxes[place] < 0:
            return EMPTY, 0
        return self.depot_good(place), int(self.state["depot"][self.seat, place - SHELVES])

    def depot_good(self, place: int) -> int:
        """The only good that a depot takes."""
        leader = self.state["leader"][self.seat, place - SHELVES]
        return int(self.state["leaders"][leader, GOOD])

    def size(self, place: int) -> int:
        """The capacity of a place."""
        return place + 1 if place < SHELVES else DEPOT_SIZE

    def held(self, box: int) -> Pile:
        """Pieces by good in one of the seat's containers, the strongbox being the last."""
        if box == PLACES_OF_GOODS:
            strongbox: Pile = self.state["strongbox"][self.seat].tolist()
            return strongbox
        kind, count = self.content(box)
        return [count if good == kind else 0 for good in range(GOODS)]

    def cards(self, colour: int, level: int) -> int:
        """The number of cards of a colour and level (0: any), including covered ones."""
        total = 0
        for slot in range(SLOTS):
            height = self.state["height"][self.seat, slot]
            for card in self.state["slot"][self.seat, slot][:height]:
                row = self.state["dev"][card]
                total += int(row[0] == colour and level in (0, row[1]))
        return total

    def check_placing(self, piles: list[Pile]) -> None:
        """Refuse piles that do not fit on the places, in the order of `boxes` (R030-R034)."""
        contents = [self.content(place) for place in range(PLACES_OF_GOODS)]
        for place, pile in enumerate(piles):
            for good, count in enumerate(pile):
                if not count:
                    continue
                there, pieces = contents[place]
                bound = self.depot_good(place) if place >= SHELVES else there if pieces else good
                if bound != good:
                    refuse_transfer(good, True, "BOUNDED_RESTYPE_DIFFER")
                if pieces + count > self.size(place):
                    refuse_transfer(good, True, "CAPACITY_REACHED")
                contents[place] = good, pieces + count
        shelves = [good for good, pieces in contents[:SHELVES] if pieces]
        for good in shelves:
            if shelves.count(good) > 1:
                refuse_transfer(good, True, "DUPLICATE_BOUNDED_RESOURCE")

    def payments(self, taken: list[list[Pile]]) -> list[Payment]:
        """The payments of several recipes, taken together from the seat's goods."""
        strongbox = len(self.containers) - 1
        for box in range(len(self.containers)):
            there = self.held(box)
            for good in range(GOODS):
                sent = sum(piles[box][good] for piles in taken)
                if sent > there[good]:
                    differs = box < strongbox and sum(there) > 0 and not there[good]
                    reason = "BOUNDED_RESTYPE_DIFFER" if differs else "CAPACITY_REACHED"
                    refuse_transfer(good, False, reason)
        return [_payment(piles) for piles in taken]

    def _depots(self) -> list[int]:
        """Containers of the kept leaders' depots; -1 for a closed depot."""
        leaders = active_leaders(self.state, self.seat, DEPOT)
        kept = self.state["leader"][self.seat].tolist()
        return [
            place_id(SHELVES + i, self.state, self.seat, self.ids) if leader in leaders else -1
            for i, leader in enumerate(kept)
        ]


def check_leader(leader: int, held: list[int]) -> None:
    """Refuse a leader that is not among those held, even if no such card exists."""
    if leader not in held:
        refuse(m.ErrObjectNotOwned(leader, "LeaderCard"))


def _payment(piles: list[Pile]) -> Payment:
    """Pieces by good and source, from pieces by container and good."""
    counts = list(NOTHING_PAID)
    for box, pile in enumerate(piles):
        is_last = box == len(piles) - 1
        source = STRONGBOX if is_last else 0 if box < SHELVES else 1
        for good, count in enumerate(pile):
            counts[SOURCES * good + source] += count
    return tuple(counts)
