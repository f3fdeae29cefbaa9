"""A listener on one player's line that judges each action by the page and the rules alone.

At each UpdateAction the changes since the last one must be that action and nothing else:
goods, cards, marbles, faith, reports, points, the last round, and the turn. It uses nothing of
the package, and knows only the messages on its line.
"""

from collections import Counter
from copy import deepcopy
from itertools import chain, combinations
from typing import Any

from tests.guests.renaissance.picture import (
    GOODS,
    LAST_SPACE,
    Content,
    Picture,
    line_of,
    marbles_of,
    same,
    shifted,
)

CARDS_TO_END = 7
SETUP = ("CHOOSE_LEADERS", "CHOOSE_RESOURCES")


class Witness:
    """The games as announced on one line; `findings` lists contradictions."""

    def __init__(self) -> None:
        self.findings: list[str] = []
        self.actions: Counter[str] = Counter()
        self.now: Picture | None = None
        self.has_ended = False

    def hear(self, message: dict[str, Any]) -> None:
        """Handle a message; judge the action that it completes."""
        kind = message["type"]
        if kind == "UpdateGame":
            self._begin(message)
        elif self.now is not None and kind in _EVENTS:
            _EVENTS[kind](self, self.now, message)
        if kind == "UpdateAction":
            self._judge(message["player"], message["action"])

    def _begin(self, game: dict[str, Any]) -> None:
        players = {one["nickname"]: one for one in game["players"]}
        order = list(players)
        first = order.index(game["inkwellPlayer"])
        self.game, self.players, self.order = game, players, order[first:] + order[:first]
        self.cards = {card["id"]: card for card in game["developmentCards"]}
        self.leader_cards = {card["id"]: card for card in game["leaderCards"]}
        self.recipes = {recipe["id"]: recipe for recipe in game["productions"]}
        self.sections = game["faithTrack"]["vaticanSections"]
        self.tokens = {token["id"]: token for token in game.get("actionTokens", [])}
        self.sizes = {box["id"]: box["size"] for box in game["resContainers"]}
        self.token: dict[str, Any] | None = None
        active = [card["id"] for card in game["leaderCards"] if card["active"]]
        self.now = Picture(
            {box["id"]: box["content"] for box in game["resContainers"]},
            marbles_of(game["market"]),
            {name: one["devSlots"] for name, one in players.items()},
            game["devCardGrid"]["topCards"],
            {name: one["faithPoints"] for name, one in players.items()},
            {name: one["victoryPoints"] for name, one in players.items()},
            game["currentPlayer"],
            game["blackPoints"],
            {name: one["leadersHandCount"] for name, one in players.items()},
            {n: [k for k in active if k in one["leadersHand"]] for n, one in players.items()},
            {key: s["bonusGivenPlayers"] for key, s in self.sections.items() if s["activated"]},
            game["lastRound"],
            game["isSetupDone"],
        )
        self.before = deepcopy(self.now)

    def _judge(self, player: str, action: str) -> None:
        assert self.now is not None
        self.actions[action] += 1
        before, now = self.before, self.now
        if action not in SETUP and before.current != player:
            self._find(player, action, "it is not their turn")
        for what in _JUDGES[action](self, player, before, now):
            self._find(player, action, what)
        for what in (*self._shelves(player, now), *self._table(before, now)):
            self._find(player, action, what)
        self.before, self.token = deepcopy(now), None

    def _find(self, player: str, action: str, what: str) -> None:
        self.findings.append(f"{action} of {player}: {what}")

    def _places(self, player: str) -> list[int]:
        """Shelves, then open depots."""
        assert self.now is not None
        depots = [self.leader_cards[k]["containerId"] for k in self.now.leaders[player]]
        return [*self.players[player]["warehouseShelves"], *(k for k in depots if k >= 0)]

    def _held(self, player: str, picture: Picture, strongbox: bool = True) -> Counter[str]:
        boxes = self._places(player) + [self.players[player]["strongbox"]] * strongbox
        return sum((Counter(picture.boxes[box]) for box in boxes), Counter())

    def _take(self, player: str, before: Picture, now: Picture) -> list[str]:
        """R021-R029: some line explains market, goods and faith."""
        lines = [line for line in range(7) if shifted(before.market, line) == now.market]
        if before.boxes[self.players[player]["strongbox"]] != self._strongbox(player, now):
            return ["the strongbox has changed"]
        explained = (self._explains(player, before, now, line) for line in lines)
        return [] if any(explained) else [f"no line of the market explains it: {lines}"]

    def _strongbox(self, player: str, picture: Picture) -> Content:
        return picture.boxes[self.players[player]["strongbox"]]

    def _explains(self, player: str, before: Picture, now: Picture, line: int) -> bool:
        drawn = Counter(line_of(before.market, line))
        gained = self._held(player, now)
        gained.subtract(self._held(player, before))
        turned = [self.leader_cards[k] for k in before.leaders[player]]
        goods = [card["resourceType"] for card in turned if card["leaderType"] == "ZERO"]
        whites = drawn["Zero"] if goods else 0
        beyond = {good: max(gained[good] - drawn[good], 0) for good in GOODS}
        discarded = sum(drawn[good] for good in GOODS) + whites - sum(gained.values())
        faith = {name: before.faith[name] + discarded for name in self.order}
        faith[player] = before.faith[player] + drawn["Faith"]
        cross = before.cross + (discarded if len(self.order) == 1 else 0)
        return (
            min(gained.values(), default=0) >= 0
            and discarded >= 0
            and sum(beyond.values()) <= whites
            and all(good in goods for good in GOODS if beyond[good])
            and {name: min(space, LAST_SPACE) for name, space in faith.items()} == now.faith
            and min(cross, LAST_SPACE) == now.cross
            and same(before, now, "slots", "top", "leaders")
        )

    def _buy(self, player: str, before: Picture, now: Picture) -> list[str]:
        """R041-R047: the top card of a stack, into a slot that it fits, for its price."""
        new = [
            (slot, cards[-1])
            for slot, cards in enumerate(now.slots[player])
            if cards[:-1] == before.slots[player][slot] and cards
        ]
        if len(new) != 1 or not same(before, now, "market", "faith", "cross", "leaders"):
            return ["it is not a purchase of one card"]
        slot, number = new[0]
        card = self.cards[number]
        stack, level = before.top[card["color"]], card["level"]
        paid = self._held(player, before)
        paid.subtract(self._held(player, now))
        wrong = []
        if stack[level] != number or now.top[card["color"]][level] == number:
            wrong.append(f"card {number} was not on top, or still is")
        if level != len(before.slots[player][slot]) + 1:
            wrong.append(f"a card of level {level} in slot {slot}")
        if +paid != self._price(player, before, card) or min(paid.values(), default=0) < 0:
            wrong.append(f"{dict(paid)} paid for {card['cost']}")
        return wrong

    def _price(self, player: str, before: Picture, card: dict[str, Any]) -> Counter[str]:
        price = Counter(card["cost"]["requirements"])
        for leader in (self.leader_cards[k] for k in before.leaders[player]):
            good = leader["resourceType"]
            price[good] = max(price[good] - leader["discount"], 0)
        return +price

    def _produce(self, player: str, before: Picture, now: Picture) -> list[str]:
        """R050-R054: some set of the seat's productions explains goods and faith."""
        own = [self.players[player]["baseProduction"]]
        own += [self.cards[cards[-1]]["production"] for cards in before.slots[player] if cards]
        own += [self.leader_cards[k]["production"] for k in before.leaders[player]]
        own = [number for number in own if number >= 0]
        sets = chain.from_iterable(combinations(own, n) for n in range(1, len(own) + 1))
        if not same(before, now, "market", "slots", "top", "cross", "leaders"):
            return ["a production changes goods and faith alone"]
        if any(self._yields(player, before, now, chosen) for chosen in sets):
            return []
        return [f"no set of {own} explains it"]

    def _yields(self, player: str, before: Picture, now: Picture, chosen: tuple[int, ...]) -> bool:
        recipes = [self.recipes[number] for number in chosen]
        taken = sum((Counter(recipe["input"]) for recipe in recipes), Counter())
        given = sum((Counter(recipe["output"]) for recipe in recipes), Counter())
        free_in = sum(recipe["inputBlanks"] for recipe in recipes)
        free_out = sum(recipe["outputBlanks"] for recipe in recipes)
        had, has = self._held(player, before), self._held(player, now)
        odd = [has[good] - had[good] - given[good] + taken[good] for good in GOODS]
        faith = min(before.faith[player] + given["Faith"], LAST_SPACE)
        return (
            sum(odd) == free_out - free_in
            and sum(max(one, 0) for one in odd) <= free_out
            and all(had[good] >= taken[good] for good in GOODS)
            and sum(had.values()) >= sum(taken.values()) + free_in
            and now.faith == {**before.faith, player: faith}
            and self._held(player, now, strongbox=False) <= self._held(player, before, False)
        )

    def _swap(self, player: str, before: Picture, now: Picture) -> list[str]:
        """R036: two places have exchanged their contents."""
        places = self._places(player)
        moved = [box for box in places if before.boxes[box] != now.boxes[box]]
        contents = [[picture.boxes[box] for box in moved] for picture in (before, now)]
        is_exchange = not moved or (len(moved) == 2 and contents[0] == contents[1][::-1])
        rest = same(before, now, "market", "slots", "top", "faith", "cross", "leaders")
        return [] if is_exchange and rest else [f"no exchange: {contents}"]

    def _activate(self, player: str, before: Picture, now: Picture) -> list[str]:
        """R060-R063: a leader whose requirement is met."""
        if not same(before, now, "market", "slots", "top", "faith", "cross", "boxes"):
            return ["an activation changes leaders alone"]
        for leader in now.leaders[player]:
            if leader not in before.leaders[player] and not self._may_have(leader, player, before):
                return [f"leader {leader} asks for more"]
        return []

    def _may_have(self, leader: int, player: str, before: Picture) -> bool:
        card = self.leader_cards[leader]
        held = self._held(player, before)
        asked = (card.get("resourceRequirement") or {}).get("requirements", {})
        cards = [self.cards[k] for slot in before.slots[player] for k in slot]
        entries = (card.get("devCardRequirement") or {}).get("entries", [])
        has_cards = all(
            sum(one["color"] == entry["color"] and entry["level"] in (0, one["level"])
                for one in cards) >= entry["quantity"]
            for entry in entries
        )  # fmt: skip
        return has_cards and all(held[good] >= count for good, count in asked.items())

    def _discard(self, player: str, before: Picture, now: Picture) -> list[str]:
        """R064: one leader fewer, one space further."""
        faith = {**before.faith, player: min(before.faith[player] + 1, LAST_SPACE)}
        hands = {**before.hands, player: before.hands[player] - 1}
        rest = same(before, now, "market", "slots", "top", "cross", "boxes", "leaders")
        is_discard = rest and (faith, hands) == (now.faith, now.hands)
        return [] if is_discard else ["it is not a discard of one leader"]

    def _end(self, player: str, before: Picture, now: Picture) -> list[str]:
        """R020, R091-R095: the next seat is on turn; alone, a token is carried out."""
        wrong = [] if same(before, now, "market", "slots", "boxes", "leaders") else ["more changed"]
        following = self.order[(self.order.index(player) + 1) % len(self.order)]
        if now.current != (player if self.has_ended else following):
            wrong.append(f"{now.current} is on turn")
        if len(self.order) > 1:
            return wrong if same(before, now, "top", "faith", "cross") else [*wrong, "a token?"]
        return wrong + self._token_wrong(before, now)

    def _token_wrong(self, before: Picture, now: Picture) -> list[str]:
        if self.token is None:
            return ["no token"]
        steps = {"ActionTokenBlackMoveTwo": 2, "ActionTokenBlackMoveOneShuffle": 1}
        cross = min(before.cross + steps.get(self.token["kind"], 0), LAST_SPACE)
        colour = self.token.get("discardedDevCardColor")
        others = {name: cards for name, cards in now.top.items() if name != colour}
        is_carried_out = now.cross == cross and others.items() <= before.top.items()
        return [] if is_carried_out else [f"{self.token} was not carried out"]

    def _set_up(self, player: str, before: Picture, now: Picture) -> list[str]:
        """R008, R009: goods that are owed, on shelves."""
        held = sum(self._held(player, now).values())
        owed = self.players[player]["setup"]["initialResources"]
        return [] if held in (0, owed) else [f"{held} starting goods, {owed} owed"]

    def _shelves(self, player: str, now: Picture) -> list[str]:
        """R030-R034."""
        shelves = self.players[player]["warehouseShelves"]
        kinds = [kind for box in shelves for kind, count in now.boxes[box].items() if count]
        wrong = [] if len(kinds) == len(set(kinds)) else [f"two shelves of one kind: {kinds}"]
        for box in self._places(player):
            content = now.boxes[box]
            if sum(content.values()) > self.sizes[box] or len(content) > 1:
                wrong.append(f"{content} in a place of {self.sizes[box]}")
        return wrong

    def _table(self, before: Picture, now: Picture) -> list[str]:
        """R071-R084: reports, points and the last round follow from the state."""
        wrong = []
        furthest = max(*now.faith.values(), now.cross)
        for key, section in self.sections.items():
            there = [n for n in now.faith if now.faith[n] >= section["faithPointsBeginning"]]
            due = before.reports.get(key, there if furthest >= int(key) else None)
            if now.reports.get(key) != due and set(now.reports.get(key, [])) != set(due or ["?"]):
                wrong.append(f"report on {key}: {now.reports.get(key)}, due {due}")
        counts = [sum(map(len, slots)) for slots in now.slots.values()]
        if now.is_last_round != (max(counts) >= CARDS_TO_END or furthest == LAST_SPACE):
            wrong.append(f"last round {now.is_last_round}, cards {counts}, furthest {furthest}")
        points = {name: self._points(name, now) for name in self.order}
        if points != now.points:
            wrong.append(f"points {now.points}, not {points}")
        return wrong

    def _points(self, name: str, now: Picture) -> int:
        cards = [self.cards[k]["victoryPoints"] for slot in now.slots[name] for k in slot]
        gold = [0] + [
            tile["victoryPoints"]
            for tile in self.game["faithTrack"]["yellowTiles"]
            if tile["faithPoints"] <= now.faith[name]
        ]
        tiles = [self.sections[k]["victoryPoints"] for k, won in now.reports.items() if name in won]
        leaders = [self.leader_cards[k]["victoryPoints"] for k in now.leaders[name]]
        goods = sum(self._held(name, now).values()) // 5 if self.has_ended else 0
        return sum(cards) + max(gold) + sum(tiles) + sum(leaders) + goods

    def _hear_section(self, now: Picture, message: dict[str, Any]) -> None:
        number = message["vaticanSection"]
        key = next(key for key, section in self.sections.items() if section["id"] == number)
        now.reports[key] = message["bonusGivenPlayers"]

    def _hear_faith(self, now: Picture, message: dict[str, Any]) -> None:
        if message["isBlackCross"]:
            now.cross = message["faithPoints"]
        else:
            now.faith[message["player"]] = message["faithPoints"]

    def _hear_box(self, now: Picture, message: dict[str, Any]) -> None:
        box = message["resContainer"]
        now.boxes[box["id"]] = box["content"]

    def _hear_token(self, now: Picture, message: dict[str, Any]) -> None:
        self.token = self.tokens[message["actionToken"]]

    def _hear_slot(self, now: Picture, message: dict[str, Any]) -> None:
        now.slots[message["player"]][message["devSlot"]] = message["devCards"]

    def _hear_leader(self, now: Picture, message: dict[str, Any]) -> None:
        now.leaders[now.current].append(message["leader"])

    def _hear_points(self, now: Picture, message: dict[str, Any]) -> None:
        now.points[message["player"]] = message["victoryPoints"]

    def _hear_hand(self, now: Picture, message: dict[str, Any]) -> None:
        now.hands[message["player"]] = message["leadersHandCount"]

    def _hear_end(self, now: Picture, message: dict[str, Any]) -> None:
        """R085: the most points, then goods, then the lower seat; alone the page names a winner."""
        self.has_ended = True
        if len(self.order) == 1:
            return
        ranks = [(now.points[n], sum(self._held(n, now).values())) for n in self.order]
        winner = self.order[ranks.index(max(ranks))]
        if message.get("winner") != winner:
            self.findings.append(f"{message.get('winner')} has won, not {winner}: {ranks}")


def _set(part: str, value: Any) -> Any:
    """Apply an event to one part of the picture."""
    return lambda _, now, message: setattr(now, part, value(message))


_EVENTS: dict[str, Any] = {
    "UpdateResourceContainer": Witness._hear_box,
    "UpdateCurrentPlayer": _set("current", lambda message: message["player"]),
    "UpdateSetupDone": _set("is_playing", lambda _: True),
    "UpdateLastRound": _set("is_last_round", lambda _: True),
    "UpdateMarket": _set("market", lambda message: marbles_of(message["market"])),
    "UpdateDevCardGrid": _set("top", lambda message: message["devCardGrid"]["topCards"]),
    "UpdateDevSlot": Witness._hear_slot,
    "UpdateActivateLeader": Witness._hear_leader,
    "UpdateFaithPoints": Witness._hear_faith,
    "UpdateVictoryPoints": Witness._hear_points,
    "UpdateVaticanSection": Witness._hear_section,
    "UpdateLeadersHandCount": Witness._hear_hand,
    "UpdateActionToken": Witness._hear_token,
    "UpdateGameEnd": Witness._hear_end,
}
_JUDGES: dict[str, Any] = {
    "CHOOSE_LEADERS": Witness._set_up,
    "CHOOSE_RESOURCES": Witness._set_up,
    "TAKE_MARKET_RESOURCES": Witness._take,
    "BUY_DEVELOPMENT_CARD": Witness._buy,
    "ACTIVATE_PRODUCTION": Witness._produce,
    "SWAP_SHELVES": Witness._swap,
    "ACTIVATE_LEADER": Witness._activate,
    "DISCARD_LEADER": Witness._discard,
    "END_TURN": Witness._end,
}
