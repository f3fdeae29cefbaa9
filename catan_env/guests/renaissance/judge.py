"""What a client asks for, judged: a command of the game, or the error that the page names.

Checks come in the page's order: the time for it, ids, slot or stack, maps, sums, containers.
"""

from itertools import pairwise
from typing import NoReturn

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import (
    NOTHING_PAID,
    Buy,
    ChooseGoods,
    Command,
    EndTurn,
    KeepLeaders,
    LeaderAction,
    Payment,
    Produce,
    Production,
    Swap,
    TakeFromMarket,
)
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.actions import (
    BASE,
    FIRST_LEADER,
    FIRST_SLOT,
    PAIRS,
    PRODUCTIONS,
    SOURCES,
    STRONGBOX,
)
from catan_env.guests.renaissance.native.cards import (
    COLOURS,
    COLUMNS,
    FAITH,
    FAITH_OPEN,
    GOOD,
    GOODS,
    INPUT,
    NEEDS,
    NEEDS_GOODS,
    NUM_LEADERS,
    ROWS,
    START_GOODS,
    WHITE,
    WHITE_MARBLE,
)
from catan_env.guests.renaissance.native.state import ACTIVE, IN_HAND, KEPT, SHELVES, SLOTS
from catan_env.guests.renaissance.speech import active_leaders, marbles_in, place_id, production_id

DEPOT_KIND, DEPOT_SIZE = 1, 2
PLACES = SHELVES + KEPT
SETUP = (m.ReqChooseLeaders, m.ReqChooseResources)
MAIN = (m.ReqTakeFromMarket, m.ReqBuyDevCard, m.ReqActivateProductions)
Pile = list[int]


class Refusal(Exception):
    """The error that a client is answered."""

    def __init__(self, error: m.Message) -> None:
        super().__init__(repr(error))
        self.error = error


def refuse(error: m.Message) -> NoReturn:
    """Answer with that error."""
    raise Refusal(error)


class Judge:
    """One seat's message at a game as it stands."""

    def __init__(self, game: Game, seat: int, ids: Ids) -> None:
        self.game, self.seat, self.ids = game, seat, ids
        self.state = game.state
        self.boxes = [*ids.shelves[seat], *self._depots()]

    def command(self, message: m.Command) -> Command | None:
        """The command; None for one that the rules answer with nothing (R066). Raises Refusal."""
        self._check_time(message)
        if isinstance(message, m.ReqChooseLeaders):
            return self._leaders(message)
        if isinstance(message, m.ReqChooseResources):
            return self._starting_goods(message)
        if isinstance(message, m.ReqSwapShelves):
            return self._swap(message)
        if isinstance(message, m.ReqLeaderAction):
            return self._leader_action(message)
        if isinstance(message, m.ReqTakeFromMarket):
            return self._market(message)
        if isinstance(message, m.ReqBuyDevCard):
            return self._purchase(message)
        if isinstance(message, m.ReqActivateProductions):
            return self._productions(message)
        return EndTurn()

    def _check_time(self, message: m.Command) -> None:
        game, is_setup = self.game, isinstance(message, SETUP)
        reason = None
        if not is_setup and not game.is_playing:
            reason = "EARLY_MANDATORY_ACTION"
        elif game.is_over:
            reason = "GAME_ENDED"
        elif is_setup:
            reason = "LATE_SETUP_ACTION" if game.is_playing else None
        elif game.seat != self.seat:
            reason = "NOT_CURRENT_PLAYER"
        elif isinstance(message, MAIN) and self.state["main_done"]:
            reason = "LATE_MANDATORY_ACTION"
        elif isinstance(message, m.ReqEndTurn) and not self.state["main_done"]:
            reason = "EARLY_TURN_END"
        if reason is not None:
            refuse(m.ErrAction(reason))

    def _leaders(self, message: m.ReqChooseLeaders) -> Command:
        if self.state["has_kept"][self.seat]:
            refuse(m.ErrInitialChoice(True, 0))
        dealt = self.state["dealt"][self.seat].tolist()
        for leader in message.leaders:
            self._check_leader(leader, dealt)
        if len(message.leaders) != KEPT or len(set(message.leaders)) != KEPT:
            refuse(m.ErrInitialChoice(True, KEPT - len(message.leaders)))
        pair = tuple(sorted(dealt.index(leader) for leader in message.leaders))
        pairs = [(PAIRS[k, 0], PAIRS[k, 1]) for k in range(len(PAIRS))]
        return KeepLeaders(pairs.index(pair))

    def _starting_goods(self, message: m.ReqChooseResources) -> Command:
        if self.state["has_goods"][self.seat]:
            refuse(m.ErrInitialChoice(False, 0))
        piles = self._piles(m.boxes_of(message.shelves), self.boxes[:SHELVES], is_input=False)
        owed, sent = START_GOODS[self.seat], sum(map(sum, piles))
        if sent != owed:
            refuse(m.ErrReplacedTransRecipe(False, "", owed, sent, sent < owed))
        self._check_placing(piles)
        goods = [
            (good, shelf)
            for shelf, pile in enumerate(piles)
            for good, count in enumerate(pile)
            for _ in range(count)
        ]
        return ChooseGoods(tuple(sorted(goods)))

    def _swap(self, message: m.ReqSwapShelves) -> Command:
        places = []
        for number in (message.shelf1, message.shelf2):
            if number not in self.boxes or number < 0:
                refuse(m.ErrObjectNotOwned(number, "Shelf"))
            places.append(self.boxes.index(number))
        a, b = sorted(places)
        if a != b and not self._read(doors.EXCHANGE_FITS, a, b):
            self._refuse_swap(a, b)
        return Swap(a, b)

    def _refuse_swap(self, a: int, b: int) -> NoReturn:
        for place, other in ((a, b), (b, a)):
            good, count = self._content(other)
            if not count:
                continue
            size = place + 1 if place < SHELVES else DEPOT_SIZE
            reason = "DUPLICATE_BOUNDED_RESOURCE"
            if place >= SHELVES and good != self._depot_good(place):
                reason = "BOUNDED_RESTYPE_DIFFER"
            elif count > size:
                reason = "CAPACITY_REACHED"
            elif place >= SHELVES or not self._is_on_third_shelf(good, a, b):
                continue
            refuse(m.ErrResourceTransfer(True, reason, m.NAMES[good]))
        refuse(m.ErrResourceTransfer(True, "CAPACITY_REACHED"))

    def _is_on_third_shelf(self, good: int, a: int, b: int) -> bool:
        return any(
            self._content(shelf) == (good, self._content(shelf)[1]) and self._content(shelf)[1] > 0
            for shelf in range(SHELVES)
            if shelf not in (a, b)
        )

    def _leader_action(self, message: m.ReqLeaderAction) -> Command | None:
        kept = self.state["leader"][self.seat].tolist()
        states = self.state["leader_state"][self.seat].tolist()
        held = [
            leader for leader, how in zip(kept, states, strict=True) if how in (IN_HAND, ACTIVE)
        ]
        self._check_leader(message.leader, held)
        i = kept.index(message.leader)
        if states[i] == ACTIVE:
            if message.isActivate:
                return None
            refuse(m.ErrActiveLeaderDiscarded())
        if message.isActivate and not self._read(doors.NEEDS, message.leader, 0):
            self._refuse_activation(message.leader)
        return LeaderAction(i, message.isActivate)

    def _refuse_activation(self, leader: int) -> NoReturn:
        row = self.state["leaders"][leader].tolist()
        asked = dict(enumerate(row[NEEDS_GOODS : NEEDS_GOODS + GOODS]))
        missing = {good: count - self._read(doors.COUNT, good, 0) for good, count in asked.items()}
        short = {m.NAMES[good]: count for good, count in missing.items() if count > 0}
        if short:
            refuse(m.ErrCardRequirements(missingResources=short))
        entries = []
        for colour, level, count in (row[NEEDS : NEEDS + 3], row[NEEDS + 3 : NEEDS + 6]):
            lacking = count - self._cards(colour, level)
            if lacking > 0:
                entries.append(m.CardEntry(COLOURS[colour], lacking, level))
        refuse(m.ErrCardRequirements(missingDevCards=entries))

    def _market(self, message: m.ReqTakeFromMarket) -> Command:
        if not 0 <= message.index < (ROWS if message.isRow else COLUMNS):
            refuse(m.ErrNoSuchEntity("MARKET_INDEX", message.index))
        line = message.index + (0 if message.isRow else ROWS)
        self._check_boxes(m.boxes_of(message.shelves), self.boxes)
        self._check_names(message.replacements)
        turned = self._goods_of(message.replacements, is_input=False, is_replacement=True)
        piles = self._piles(m.boxes_of(message.shelves), self.boxes, is_input=False)
        marbles = marbles_in(line, self.state)
        whites = self._whites(turned, marbles.count(WHITE))
        drawn = [marbles.count(good) + turned[good] for good in range(GOODS)]
        for good in range(GOODS):
            placed = sum(pile[good] for pile in piles)
            if placed > drawn[good]:
                error = m.ErrReplacedTransRecipe(False, m.NAMES[good], drawn[good], placed, False)
                refuse(error)
        self._check_placing(piles)
        placed_by_good = tuple(self._placed(piles, good, drawn[good]) for good in range(GOODS))
        return TakeFromMarket(line, whites, placed_by_good)

    def _whites(self, turned: Pile, whites: int) -> tuple[int, ...]:
        """White marbles by leader, where two turn them."""
        leaders = active_leaders(self.state, self.seat, WHITE_MARBLE)
        goods = [int(self.state["leaders"][leader, GOOD]) for leader in leaders]
        if any(count and good not in goods for good, count in enumerate(turned)):
            refuse(m.ErrInvalidResourceTransaction(False, True, "EXCLUDED"))
        owed, sent = whites if goods else 0, sum(turned)
        if sent != owed:
            refuse(m.ErrReplacedTransRecipe(False, m.NAMES[WHITE], owed, sent, sent < owed))
        if len(goods) < KEPT:
            return ()
        return tuple(i for i, good in enumerate(goods) for _ in range(turned[good]))

    def _placed(self, piles: list[Pile], good: int, drawn: int) -> tuple[int, ...]:
        counts = [pile[good] for pile in piles]
        return (*counts, drawn - sum(counts))

    def _purchase(self, message: m.ReqBuyDevCard) -> Command:
        colour = m.colour_of(message.color)
        if colour is None:
            refuse(m.ErrNoSuchEntity("COLOR", -1, message.color))
        if not 1 <= message.level <= 3:
            refuse(m.ErrNoSuchEntity("DEVCARD", message.level))
        if not 0 <= message.devSlot < SLOTS:
            refuse(m.ErrObjectNotOwned(message.devSlot, "DevSlot"))
        boxes, owned = m.boxes_of(message.resContainers), self._own_containers()
        self._check_boxes(boxes, owned)
        card = int(self.state["top"][colour, message.level - 1])
        if card < 0:
            refuse(m.ErrBuyDevCard(True))
        if self.state["height"][self.seat, message.devSlot] != message.level - 1:
            refuse(m.ErrBuyDevCard(False))
        piles = self._piles(boxes, owned, is_input=True)
        for good in range(GOODS):
            cost = self._read(doors.COST, card, good)
            sent = sum(pile[good] for pile in piles)
            if sent != cost:
                refuse(m.ErrReplacedTransRecipe(True, m.NAMES[good], cost, sent, sent < cost))
        payment = self._payments([piles])[0]
        return Buy(colour, message.level - 1, message.devSlot, payment)

    def _productions(self, message: m.ReqActivateProductions) -> Command:
        requests = sorted(
            ((self._number(one), one) for one in message.prodRequests), key=lambda pair: pair[0]
        )
        if not requests:
            refuse(m.ErrReplacedTransRecipe(True, "", 0, 0, False))
        for (number, one), (other, _) in pairwise(requests):
            if number == other:
                refuse(m.ErrObjectNotOwned(_named(one), "ReducedProductionRequest"))
        owned = self._own_containers()
        for _, one in requests:
            self._check_boxes(m.boxes_of(one.inputContainers), owned)
            self._check_names(one.outputRep)
            self._check_names(one.inputNonStorableRep)
        taken, gains = [], []
        for number, one in requests:
            piles, gained = self._maps(number, one, owned)
            taken.append(piles)
            gains.append(gained)
        for (number, _), piles, gained in zip(requests, taken, gains, strict=True):
            self._check_recipe(number, piles, gained)
        payments = self._payments(taken)
        productions = (
            Production(
                number,
                payment,
                tuple(good for good, count in enumerate(gained) for _ in range(count)),
            )
            for (number, _), payment, gained in zip(requests, payments, gains, strict=True)
        )
        return Produce(tuple(productions))

    def _number(self, request: m.ProductionRequest) -> int:
        named = _named(request)
        for number in range(PRODUCTIONS):
            if production_id(number, self.state, self.seat, self.ids) == named:
                return number
        refuse(m.ErrObjectNotOwned(named, "ReducedProductionRequest"))

    def _maps(
        self, number: int, one: m.ProductionRequest, owned: list[int]
    ) -> tuple[list[Pile], Pile]:
        piles = self._piles(m.boxes_of(one.inputContainers), owned, is_input=True)
        for name, count in one.inputNonStorableRep.items():
            if count:
                good = m.good_of(name)
                reason = "EXCLUDED" if good is not None and good >= GOODS else "ILLEGAL_STORABLE"
                reason = "NEGATIVE_VALUES" if count < 0 else reason
                refuse(m.ErrInvalidResourceTransaction(True, True, reason))
        gained = self._counted(one.outputRep, is_input=False, is_replacement=True)
        if gained[WHITE]:
            refuse(m.ErrInvalidResourceTransaction(False, True, "ILLEGAL_NON_STORABLE"))
        if gained[FAITH] and not self._is_faith_open(number):
            refuse(m.ErrInvalidResourceTransaction(False, True, "EXCLUDED"))
        return piles, gained[:WHITE]

    def _is_faith_open(self, number: int) -> bool:
        if number == BASE:
            return bool(self.state["base_faith_open"])
        if number < FIRST_LEADER:
            return True  # there is no choice: what is sent does not add up
        leader = self.state["leader"][self.seat, number - FIRST_LEADER]
        return bool(self.state["leaders"][leader, FAITH_OPEN])

    def _check_recipe(self, number: int, piles: list[Pile], gained: Pile) -> None:
        fixed, blanks, choices = self._recipe(number)
        sent = [sum(pile[good] for pile in piles) for good in range(GOODS)]
        for good in range(GOODS):
            if sent[good] < fixed[good] or (not blanks and sent[good] != fixed[good]):
                is_missing = sent[good] < fixed[good]
                name = m.NAMES[good]
                refuse(m.ErrReplacedTransRecipe(True, name, fixed[good], sent[good], is_missing))
        if sum(sent) != sum(fixed) + blanks:
            owed = sum(fixed) + blanks
            refuse(m.ErrReplacedTransRecipe(True, "", owed, sum(sent), sum(sent) < owed))
        if sum(gained) != choices:
            few = sum(gained) < choices
            refuse(m.ErrReplacedTransRecipe(False, "", choices, sum(gained), few))

    def _recipe(self, number: int) -> tuple[Pile, int, int]:
        """Goods taken, pieces of any kind, pieces of choice given."""
        if number == BASE:
            return [0] * GOODS, 2, 1
        if number < FIRST_LEADER:
            slot = number - FIRST_SLOT
            top = self.state["slot"][self.seat, slot, self.state["height"][self.seat, slot] - 1]
            return self.state["dev"][top][INPUT : INPUT + GOODS].tolist(), 0, 0
        goods = [0] * GOODS
        leader = self.state["leader"][self.seat, number - FIRST_LEADER]
        goods[self.state["leaders"][leader, GOOD]] = 1
        return goods, 0, 1

    def _check_leader(self, leader: int, held: list[int]) -> None:
        if not 0 <= leader < NUM_LEADERS:
            refuse(m.ErrNoSuchEntity("LEADER", leader))
        if leader not in held:
            refuse(m.ErrObjectNotOwned(leader, "LeaderCard"))

    def _check_boxes(self, boxes: dict[int, m.Map], owned: list[int]) -> None:
        for number, content in boxes.items():
            if number not in owned or number < 0:
                refuse(m.ErrObjectNotOwned(number, "ResourceContainer"))
            self._check_names(content)

    def _check_names(self, content: m.Map) -> None:
        for name in content:
            if m.good_of(name) is None:
                refuse(m.ErrNoSuchEntity("RESOURCE", -1, name))

    def _piles(self, boxes: dict[int, m.Map], owned: list[int], is_input: bool) -> list[Pile]:
        """Pieces by container, in the order of `owned`, and good."""
        self._check_boxes(boxes, owned)
        return [self._goods_of(boxes.get(number, {}), is_input, False) for number in owned]

    def _goods_of(self, content: m.Map, is_input: bool, is_replacement: bool) -> Pile:
        counts = self._counted(content, is_input, is_replacement)
        if any(counts[GOODS:]):
            error = m.ErrInvalidResourceTransaction(
                is_input, is_replacement, "ILLEGAL_NON_STORABLE"
            )
            refuse(error)
        return counts[:GOODS]

    def _counted(self, content: m.Map, is_input: bool, is_replacement: bool) -> Pile:
        counts = [0] * len(m.NAMES)
        for name, count in content.items():
            if count < 0:
                refuse(m.ErrInvalidResourceTransaction(is_input, is_replacement, "NEGATIVE_VALUES"))
            good = m.good_of(name)
            assert good is not None
            counts[good] += count
        return counts

    def _check_placing(self, piles: list[Pile]) -> None:
        """Whether the piles fit on the places, in the order of `boxes` (R030-R034)."""
        contents = [self._content(place) for place in range(PLACES)]
        for place, pile in enumerate(piles):
            for good, count in enumerate(pile):
                if not count:
                    continue
                there, pieces = contents[place]
                bound = self._depot_good(place) if place >= SHELVES else there if pieces else good
                size = place + 1 if place < SHELVES else DEPOT_SIZE
                if bound != good:
                    self._refuse_transfer(good, True, "BOUNDED_RESTYPE_DIFFER")
                if pieces + count > size:
                    self._refuse_transfer(good, True, "CAPACITY_REACHED")
                contents[place] = good, pieces + count
        shelves = [good for good, pieces in contents[:SHELVES] if pieces]
        for good in shelves:
            if shelves.count(good) > 1:
                self._refuse_transfer(good, True, "DUPLICATE_BOUNDED_RESOURCE")

    def _payments(self, taken: list[list[Pile]]) -> list[Payment]:
        """Payments of each recipe, taken together from what is there."""
        owned = len(self._own_containers())
        for box in range(owned):
            there = self._held(box)
            for good in range(GOODS):
                sent = sum(piles[box][good] for piles in taken)
                if sent > there[good]:
                    differs = box < owned - 1 and sum(there) > 0 and not there[good]
                    reason = "BOUNDED_RESTYPE_DIFFER" if differs else "CAPACITY_REACHED"
                    self._refuse_transfer(good, False, reason)
        return [self._payment(piles) for piles in taken]

    def _payment(self, piles: list[Pile]) -> Payment:
        counts = list(NOTHING_PAID)
        for box, pile in enumerate(piles):
            is_last = box == len(piles) - 1
            source = STRONGBOX if is_last else 0 if box < SHELVES else 1
            for good, count in enumerate(pile):
                counts[SOURCES * good + source] += count
        return tuple(counts)

    def _refuse_transfer(self, good: int, is_added: bool, reason: str) -> NoReturn:
        refuse(m.ErrResourceTransfer(is_added, reason, m.NAMES[good]))

    def _read(self, what: int, a: int, b: int) -> int:
        return int(doors.read(self.game._states, 0, what, self.seat, a, b))

    def _depots(self) -> list[int]:
        """Containers of the kept leaders' depots; -1 where none is open."""
        leaders = active_leaders(self.state, self.seat, DEPOT_KIND)
        kept = self.state["leader"][self.seat].tolist()
        return [
            place_id(SHELVES + i, self.state, self.seat, self.ids) if leader in leaders else -1
            for i, leader in enumerate(kept)
        ]

    def _own_containers(self) -> list[int]:
        return [*self.boxes, self.ids.strongbox[self.seat]]

    def _depot_good(self, place: int) -> int:
        leader = self.state["leader"][self.seat, place - SHELVES]
        return int(self.state["leaders"][leader, GOOD])

    def _content(self, place: int) -> tuple[int, int]:
        """Kind and pieces on a place."""
        if place < SHELVES:
            shelves = self.state["shelf_good"][self.seat], self.state["shelf_count"][self.seat]
            return int(shelves[0][place]), int(shelves[1][place])
        if self.boxes[place] < 0:
            return -1, 0
        return self._depot_good(place), int(self.state["depot"][self.seat, place - SHELVES])

    def _held(self, box: int) -> Pile:
        """Pieces by good in an own container."""
        if box == PLACES:
            held: Pile = self.state["strongbox"][self.seat].tolist()
            return held
        kind, count = self._content(box)
        return [count if good == kind else 0 for good in range(GOODS)]

    def _cards(self, colour: int, level: int) -> int:
        total = 0
        for slot in range(SLOTS):
            for card in self.state["slot"][self.seat, slot][
                : self.state["height"][self.seat, slot]
            ]:
                row = self.state["dev"][card]
                total += int(row[0] == colour and level in (0, row[1]))
        return total


def _named(request: m.ProductionRequest) -> int:
    """The production that a request names, whichever way."""
    if isinstance(request.production, int):
        return request.production
    if isinstance(request.id, int):
        return request.id
    return refuse(m.ErrProtocol("Object missing required field `production`"))
