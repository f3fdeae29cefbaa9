"""Writers of JSettlers' and StacSettlers' logs, made from their description, not the reader."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from catan_env import ActionKind, DevelopmentCard, Event, Game, Resource, Terrain
from catan_env.game import geometry

KIND = {"BRICK": 1, "ORE": 2, "WOOL": 3, "GRAIN": 4, "LUMBER": 5}
WORDS = ("clay", "ore", "sheep", "wheat", "wood")
TERRAIN = {"HILLS": 1, "MOUNTAINS": 2, "PASTURE": 3, "FIELDS": 4, "FOREST": 5, "DESERT": 0}
TOKENS = {0: -1, 2: 0, 3: 1, 4: 2, 5: 3, 6: 4, 8: 5, 9: 6, 10: 7, 11: 8, 12: 9}
NAMES = ("ann", "bob", "cid", "dora")
ROWS = ((0x17, 4), (0x15, 5), (0x13, 6), (0x11, 7), (0x31, 6), (0x51, 5), (0x71, 4))
SEA = 6
SIDES = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))


def hex_at(q: int, r: int) -> int:
    """A hex: two digits that grow eastward and southward."""
    return 0x77 + 0x22 * q + 0x20 * r


def corner_at(vertex: int) -> int:
    q, r, side = geometry.VERTEX_NAMES[vertex]
    return hex_at(q, r) + (0x01 if side == "N" else 0x10)


def edge_at(edge: int) -> int:
    q, r, side = geometry.EDGE_NAMES[edge]
    return hex_at(q, r) + {"NE": 0x01, "NW": -0x10, "W": -0x11}[side]


def by_kind(counts: Iterable[int]) -> list[int]:
    """Counts by Resource as counts of clay, ore, sheep, wheat, wood."""
    found = [0] * 5
    for card, n in zip(Resource, counts, strict=True):
        found[KIND[card.name] - 1] = n
    return found


def cards(counts: Iterable[int], unknown: int = 0) -> str:
    """Counts by Resource as a set of cards."""
    pairs = zip(WORDS, by_kind(counts), strict=True)
    return "|".join([*(f"{word}={n}" for word, n in pairs), f"unknown={unknown}"])


class Writer:
    """The parts that both programs' logs share: seats, the map, and the groups of events."""

    stac = False

    def __init__(self, game: Game, seats: tuple[int, ...] = (2, 3, 0, 1)) -> None:
        self.done = game
        self.game = Game(game.seats, seed=0, rules=game.rules, board=game.board)
        order = sorted(seats[: game.seats])
        k = order.index(seats[0])
        self.seats = (*order[k:], *order[:k])
        self.lines: list[str] = []

    def say(self, to: str, text: str) -> None:
        """Add a line."""
        name, _, fields = text.partition(":")
        self.lines.append(f"{self.prefix(to)}{name}:game=g{'|' if fields else ''}{fields}")

    def prefix(self, to: str) -> str:
        return f"{to}:"

    def board(self) -> tuple[list[int], list[int]]:
        """The kinds and the numbers of the 37 hexes."""
        board = self.game.board
        places = [first + 0x22 * k for first, count in ROWS for k in range(count)]
        at = {hex_at(q, r): k for k, (q, r) in enumerate(geometry.TILE_COORDS)}
        harbours = {}
        for harbour in board.harbours:
            edge = geometry.EDGE_VERTICES.index(harbour.vertices)
            (tile,) = geometry.EDGE_TILES[edge]
            q, r = geometry.TILE_COORDS[tile]
            for facing, step in enumerate((0x01, 0x11, 0x10, -0x01, -0x11, -0x10), 1):
                for dq, dr in SIDES:
                    sea = hex_at(q + dq, r + dr)
                    if sea not in at and sea + step == edge_at(edge):
                        kind = None if harbour.resource is None else KIND[harbour.resource.name]
                        harbours[sea] = facing + 6 if kind is None else facing * 16 + kind
        kinds = [
            TERRAIN[Terrain(board.tiles[at[place]].terrain).name]
            if place in at
            else harbours.get(place, SEA)
            for place in places
        ]
        tokens = [TOKENS[board.tiles[at[p]].token] if p in at else -1 for p in places]
        return kinds, tokens

    def write(self) -> str:
        """The whole log."""
        self.begin()
        self.new_turn(5)
        for events in grouped(self.done.events):
            self.before(events)
            outcome = None
            hands = [self.game.hand(seat) for seat in range(self.game.seats)]
            for event in events:
                outcome = self.game.play(event.action, event.outcome).outcome
            self.after(events, hands, outcome)
        self.end()
        return "\n".join(self.lines) + "\n"

    def number(self, seat: int) -> int:
        return self.seats[seat]

    def begin(self) -> None:
        raise NotImplementedError

    def end(self) -> None:
        raise NotImplementedError

    def before(self, events: list[Event]) -> None:
        """Add the lines before the events."""

    def after(self, events: list[Event], hands: list[Any], outcome: Any) -> None:
        raise NotImplementedError

    def new_turn(self, state: int) -> None:
        raise NotImplementedError

    def scores(self) -> str:
        points = [0] * 4
        for seat in range(self.game.seats):
            points[self.number(seat)] = self.game.points(seat)
        return "|".join(map(str, points)) + "|false|false|true|false"


class Recorded(Writer):
    """A log of JSettlers since 2.5, of the server's and the clients' messages."""

    def __init__(self, game: Game, seats: tuple[int, ...] = (2, 3, 0, 1), timed: bool = False):
        super().__init__(game, seats)
        self.timed = timed

    def prefix(self, to: str) -> str:
        n = len(self.lines)
        time = f"{n // 60}:{n % 60:02}.{n % 1000:03}:" if self.timed else ""
        return f"{time}{to}:"

    def begin(self) -> None:
        rules = self.game.rules
        points = f"VP=t{rules.points_to_win}" if rules.points_to_win != 10 else "VP=f10"
        self.say("all", "SOCVersion")
        self.lines[-1] = "all:SOCVersion:2700|str=2.7.00|verBuild=X|feats=;ch;|cliLocale=(null)"
        self.say("all", f"SOCNewGameWithOptions:param1=-1|param2=BC=t4,N7=f7,RD=f,{points},PL=4")
        self.say("ob", "SOCGameState:state=77")
        for seat in range(self.game.seats):
            name, number = NAMES[seat], self.number(seat)
            self.say("fo", f"SOCSitDown:nickname=\t|playerNumber={number}|robotFlag=false")
            self.say("all", f"SOCSitDown:nickname={name}|playerNumber={number}|robotFlag=false")
        kinds, tokens = self.board()
        numbers = [[0, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12][n + 1] for n in tokens]
        robber = hex_at(*geometry.TILE_COORDS[self.game.robber])
        lists = [" ".join(map(str, each)) for each in (kinds, numbers)]
        self.say(
            "all", f"SOCBoardLayout2:bef=1|HL={{ {lists[0]} }}|NL={{ {lists[1]} }}|RH={robber}"
        )
        self.say("all", "SOCGameElements:e2=25")
        self.say("all", "SOCStartGame:gameState=5")
        self.lines.append("# a comment")

    def new_turn(self, state: int) -> None:
        number = self.number(self.game.seat)
        self.say("all", f"SOCTurn:playerNumber={number}|gameState={state}")

    def state(self) -> None:
        game = self.game
        self.say("all", f"SOCGameState:state={STATES[game.phase.name]}")

    def before(self, events: list[Event]) -> None:
        event = events[0]
        number, kind = self.number(event.seat), event.action.kind
        if kind == ActionKind.END_TURN:
            self.say(f"f{number}", "SOCEndTurn")
            self.say("all", "SOCClearOffer:playerNumber=-1")
        elif kind == ActionKind.ROLL:
            self.say(f"f{number}", "SOCRollDice")

    def after(self, events: list[Event], hands: list[Any], outcome: Any) -> None:
        game, event = self.game, events[0]
        seat, kind, args = event.seat, event.action.kind, event.action.args
        number = self.number(seat)
        if kind in PIECES:
            self.piece(event, hands)
        elif kind == ActionKind.END_TURN:
            self.new_turn(15)
            self.say("all", f"SOCRollDicePrompt:playerNumber={self.number(game.seat)}")
        elif kind == ActionKind.ROLL:
            self.roll(event, hands)
        elif kind == ActionKind.BUY_DEVELOPMENT_CARD:
            code = CODES[DevelopmentCard(outcome).name]
            self.say("all", f"SOCPlayerElements:playerNum={number}|actionType=LOSE|e2=1,e3=1,e4=1")
            self.card(f"p{number}", number, "DRAW", code)
            self.card(f"!p{number}", number, "DRAW", 0)
            self.say("all", f"SOCSimpleAction:pn={number}|actType=1|v1={game.deck_size}|v2=0")
            self.state()
        elif kind in PLAYED:
            self.card("all", number, "PLAY", CODES[PLAYED[kind]])
            self.say(
                "all", f"SOCPlayerElement:playerNum={number}|actionType=SET|elementType=19|amount=1"
            )
            self.choice(event, hands, outcome)
        elif kind == ActionKind.DISCARD:
            gone = counted(event.action.args[0] for event in events)
            known = f"SOCDiscard:playerNum={number}|resources={cards(gone)}"
            hidden = f"SOCDiscard:playerNum={number}|resources={cards((0,) * 5, sum(gone))}"
            self.say(f"f{number}", f"SOCDiscard:resources={cards(gone)}")
            self.say(f"p{number}", known)
            self.say(f"!p{number}", hidden)
            self.state()
        elif kind == ActionKind.MOVE_ROBBER:
            self.robber(event)
        elif kind == ActionKind.BANK_TRADE:
            give = [max(0, a - b) for a, b in zip(hands[seat], game.hand(seat), strict=True)]
            get = counted([args[1]])
            sides = f"give={cards(give)}|get={cards(get)}"
            self.say(f"f{number}", f"SOCBankTrade:{sides}")
            self.say("all", f"SOCBankTrade:{sides}|pn={number}")
        elif kind == ActionKind.OFFER:
            self.offer(events)

    def card(self, to: str, number: int, action: str, code: int) -> None:
        self.say(to, f"SOCDevCardAction:playerNum={number}|actionType={action}|cardType={code}")

    def piece(self, event: Event, hands: list[Any]) -> None:
        game, (place,) = self.game, event.action.args
        number, (code, at) = self.number(event.seat), PIECES[event.action.kind]
        if game.hand(event.seat) != hands[event.seat] and game.turn > 0:
            cost = "e2=3,e4=2" if code == 2 else "e1=1,e5=1"
            self.say("all", f"SOCPlayerElements:playerNum={number}|actionType=LOSE|{cost}")
        text = f"SOCPutPiece:playerNumber={number}|pieceType={code}|coord={at(place):x}"
        self.say(f"f{number}", text)
        self.say("all", f"SOCGameServerText:text={NAMES[event.seat]} built a thing.")
        self.say("all", text)
        self.awards()
        if game.turn <= 1 and game.phase.name in ("PLACE_SETTLEMENT", "ROLL"):
            self.new_turn(5 if game.turn == 0 else 15)
        elif game.turn > 0:
            self.state()

    def awards(self) -> None:
        for key, seat in (("e5", self.game.largest_army_seat), ("e6", self.game.longest_road_seat)):
            if seat is not None:
                self.say("all", f"SOCGameElements:{key}={self.number(seat)}")

    def roll(self, event: Event, hands: list[Any]) -> None:
        game = self.game
        self.say("all", f"SOCDiceResult:param={sum(event.outcome)}")
        got = [seat for seat in range(game.seats) if game.hand(seat) != hands[seat]]
        if got:
            words = [len(got)]
            for seat in got:
                gain = by_kind(a - b for a, b in zip(game.hand(seat), hands[seat], strict=True))
                words += [self.number(seat), game.hand_size(seat)]
                words += [w for kind, n in enumerate(gain, 1) if n for w in (n, kind)] + [0]
            self.say("all", "SOCDiceResultResources:" + "|".join(f"p={w}" for w in words[:-1]))
        for seat in got:
            number = self.number(seat)
            pairs = ",".join(f"e{k}={n}" for k, n in enumerate(by_kind(game.hand(seat)), 1))
            self.say(f"p{number}", f"SOCPlayerElements:playerNum={number}|actionType=SET|{pairs}")
        self.state()

    def choice(self, event: Event, hands: list[Any], outcome: Any) -> None:
        game, seat, args = self.game, event.seat, event.action.args
        number, kind = self.number(seat), event.action.kind
        if kind == ActionKind.PLAY_YEAR_OF_PLENTY:
            self.say("all", "SOCGameState:state=52")
            self.say(
                "all", f"SOCPickResources:resources={cards(counted(args))}|pn={number}|reason=2"
            )
        elif kind == ActionKind.PLAY_MONOPOLY:
            self.say("all", "SOCGameState:state=53")
            code = KIND[Resource(args[0]).name]
            for other in range(game.seats):
                if other != seat and game.hand(other) != hands[other]:
                    what = f"playerNum={self.number(other)}"
                    self.say(
                        "all",
                        f"SOCPlayerElement:{what}|actionType=SET|elementType={code}|amount=0|news=Y",
                    )
                    self.say("all", f"SOCResourceCount:{what}|count={game.hand_size(other)}")
            self.say("all", f"SOCSimpleAction:pn={number}|actType=3|v1={sum(outcome)}|v2={code}")
        elif kind == ActionKind.PLAY_KNIGHT:
            self.awards()
        self.state()

    def robber(self, event: Event) -> None:
        game, number = self.game, self.number(event.seat)
        at = hex_at(*geometry.TILE_COORDS[game.robber])
        text = f"SOCMoveRobber:playerNumber={number}|coord={at:x}"
        self.say(f"f{number}", text)
        self.say("all", text)
        if event.outcome is not None:
            victim = self.number(event.victim(game.seats) or 0)
            who = f"SOCRobberyResult:perp={number}|victim={victim}"
            known = f"{who}|resType={KIND[Resource(event.outcome).name]}|amount=1|isGainLose=true"
            if number % 2:
                self.say("all", "SOCGameState:state=51")
            self.say(f"p{number}", known)
            self.say(f"p{victim}", known)
            self.say(f"!p[{number}, {victim}]", f"{who}|resType=6|amount=1|isGainLose=true")
        self.state()

    def offer(self, events: list[Event]) -> None:
        game, (to, give, get) = self.game, events[0].action.args
        seat, other = events[0].seat, (events[0].seat + to) % game.seats
        sides = f"give={cards(give)}|get={cards(get)}"
        self.say("all", f"SOCMakeOffer:from={self.number(seat)}|to=true,true,false,false|{sides}")
        if events[-1].action.kind != ActionKind.ACCEPT:
            self.say("all", f"SOCRejectOffer:playerNumber={self.number(other)}")
            return
        if len(self.lines) % 2:
            seat, other, give, get = other, seat, get, give
        pair = f"accepting={self.number(other)}|offering={self.number(seat)}"
        got = f"toAccepting={cards(give)}|toOffering={cards(get)}"
        self.say("all", f"SOCAcceptOffer:{pair}|{got}")
        self.say("all", "SOCClearOffer:playerNumber=-1")

    def end(self) -> None:
        self.say("all", "SOCGameState:state=1000")
        winner = self.number(self.game.winner or 0)
        self.say("all", f"SOCDevCardAction:playerNum={winner}|actionType=ADD_OLD|cardTypes=[5, 4]")
        self.say("all", f"SOCGameStats:{self.scores()}")
        header = "SOC game event log: type=F, version=2700, created_at=1, now=2, game_name=g"
        self.lines.insert(0, header)
        self.lines.append("# End of log. Game state 1000")


class Stac(Writer):
    """A log of StacSettlers: clients' and the server's messages, with the time, and chat."""

    def prefix(self, to: str) -> str:
        n = len(self.lines)
        return f"2012:06:06:{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}:{n % 1000:03}:+0100:"

    def server(self, text: str) -> None:
        self.say("", f"SOCGameTextMsg:nickname=Server|text={text}")

    def element(self, seat: int, what: int, kind: int, value: int) -> None:
        number = self.number(seat)
        fields = f"playerNum={number}|actionType={what}|elementType={kind}|value={value}"
        self.say("", f"SOCPlayerElement:{fields}")

    def begin(self) -> None:
        for seat in range(self.game.seats):
            number = self.number(seat)
            for name in ("dummy", NAMES[seat]):
                self.say("", f"SOCSitDown:nickname={name}|playerNumber={number}|robotFlag=false")
        self.lines.append("player=ann|speaking-queue=[]|text=hello |SOC")
        self.lines.append("")
        kinds, tokens = (" ".join(map(str, each)) for each in self.board())
        robber = hex_at(*geometry.TILE_COORDS[self.game.robber])
        layout = f"hexLayout={{ {kinds} }}|numberLayout={{ {tokens} }}|robberHex=0x{robber:x}"
        self.say("", f"SOCBoardLayout:{layout}")
        self.say("", "SOCGameState:state=5")

    def new_turn(self, state: int) -> None:
        self.say("", f"SOCTurn:playerNumber={self.number(self.game.seat)}")

    def chat(self) -> None:
        """A player says something; it may interrupt anything."""
        self.say("", "SOCGameTextMsg:nickname=bob|text=You traded me | nothing")

    def after(self, events: list[Event], hands: list[Any], outcome: Any) -> None:
        game, event = self.game, events[0]
        seat, kind, args = event.seat, event.action.kind, event.action.args
        number = self.number(seat)
        if kind in PIECES:
            code, at = PIECES[kind]
            text = f"SOCPutPiece:playerNumber={number}|pieceType={code}|coord={at(args[0]):x}"
            self.say("", text)
            if len(self.lines) % 5 == 0:
                self.server("You can't build that.")
                self.say("", text)
            self.chat()
            self.server(f"{NAMES[seat]} built a thing.")
            self.say("", text)
            if game.turn <= 1 and game.phase.name in ("PLACE_SETTLEMENT", "ROLL"):
                self.new_turn(5)
            elif game.turn > 0:
                self.state()
        elif kind == ActionKind.END_TURN:
            self.say("", "SOCEndTurn:x=0")
            self.say("", "SOCGameState:state=15")
            self.new_turn(15)
        elif kind == ActionKind.ROLL:
            a, b = event.outcome
            self.say("", f"SOCDiceResult:param={a + b}")
            self.server(f"{NAMES[seat]} rolled a {a} and a {b}.")
            self.state()
            for other in range(game.seats):
                if game.hand(other) != hands[other]:
                    self.hand(other)
        elif kind == ActionKind.BUY_DEVELOPMENT_CARD:
            code = CODES[DevelopmentCard(outcome).name] % 9
            self.say("", f"SOCDevCard:playerNum={number}|actionType=0|cardType={code}")
            self.say("", f"SOCDevCard:playerNum={number}|actionType=0|cardType=9")
            self.state()
        elif kind in PLAYED:
            code = CODES[PLAYED[kind]] % 9
            self.say("", f"SOCDevCard:playerNum={number}|actionType=1|cardType={code}")
            self.choice(event, hands)
            self.state()
        elif kind == ActionKind.DISCARD:
            gone = counted(event.action.args[0] for event in events)
            self.say("", f"SOCDiscard:resources={cards(gone)}")
            for code, n in enumerate(by_kind(gone), 1):
                if n:
                    self.element(seat, 102, code, n)
            self.element(seat, 102, 6, sum(gone))
            self.state()
        elif kind == ActionKind.MOVE_ROBBER:
            self.robber(event)
        elif kind == ActionKind.BANK_TRADE:
            give = [max(0, a - b) for a, b in zip(hands[seat], game.hand(seat), strict=True)]
            self.say("", f"SOCBankTrade:give={cards(give)}|get={cards(counted([args[1]]))}")
            self.move(seat, 102, give)
            self.move(seat, 101, counted([args[1]]))
            self.server(f"{NAMES[seat]} traded 4 for 1 from the bank.")
        elif kind == ActionKind.OFFER:
            self.offer(events)

    def state(self) -> None:
        self.say("", f"SOCGameState:state={STATES[self.game.phase.name]}")

    def hand(self, seat: int) -> None:
        for code, n in enumerate(by_kind(self.game.hand(seat)), 1):
            self.element(seat, 100, code, n)
        size = self.game.hand_size(seat)
        self.say("", f"SOCResourceCount:playerNumber={self.number(seat)}|count={size}")

    def move(self, seat: int, what: int, counts: Iterable[int]) -> None:
        for code, n in enumerate(by_kind(counts), 1):
            if n:
                self.element(seat, what, code, n)

    def choice(self, event: Event, hands: list[Any]) -> None:
        game, args, kind = self.game, event.action.args, event.action.kind
        if kind == ActionKind.PLAY_YEAR_OF_PLENTY:
            self.say("", f"SOCDiscoveryPick:resources={cards(counted(args))}")
            self.move(event.seat, 101, counted(args))
        elif kind == ActionKind.PLAY_MONOPOLY:
            card = Resource(args[0])
            self.say("", f"SOCMonopolyPick:resource={KIND[card.name]}")
            for seat in range(game.seats):
                self.element(seat, 100, KIND[card.name], game.hand(seat)[card])

    def robber(self, event: Event) -> None:
        game, number = self.game, self.number(event.seat)
        at = hex_at(*geometry.TILE_COORDS[game.robber])
        for _ in range(2):
            self.say("", f"SOCMoveRobber:playerNumber={number}|coord={at:x}")
        if event.outcome is not None:
            victim, code = event.victim(game.seats) or 0, KIND[Resource(event.outcome).name]
            if number % 2:
                self.say("", "SOCGameState:state=51")
            for each in (code, code, 6):
                self.element(event.seat, 101, each, 1)
                self.element(victim, 102, each, 1)
        self.state()

    def offer(self, events: list[Event]) -> None:
        game, (to, give, get) = self.game, events[0].action.args
        seat, other = events[0].seat, (events[0].seat + to) % game.seats
        pair = f"SOCAcceptOffer:accepting={self.number(other)}|offering={self.number(seat)}"
        if events[-1].action.kind != ActionKind.ACCEPT:
            self.say("", pair)
            self.server("You can't make that trade.")
            return
        self.say("", pair)
        self.move(seat, 102, give)
        self.move(other, 101, give)
        self.chat()
        self.move(seat, 101, get)
        self.move(other, 102, get)
        self.server(f"{NAMES[seat]} traded some for some from {NAMES[other]}.")
        self.say("", pair)

    def end(self) -> None:
        self.say("", "SOCGameState:state=1000")
        self.say("", f"SOCGameStats:{self.scores()}")


STATES = {
    "PLACE_SETTLEMENT": 5, "PLACE_ROAD": 6, "ROLL": 15, "DISCARD": 50, "ROBBER": 33,
    "FREE_ROAD": 40, "MAIN": 20, "OVER": 1000,
}  # fmt: skip
PIECES: dict[ActionKind, tuple[int, Any]] = {
    ActionKind.ROAD: (0, edge_at),
    ActionKind.SETTLEMENT: (1, corner_at),
    ActionKind.CITY: (2, corner_at),
}
PLAYED = {
    ActionKind.PLAY_KNIGHT: "KNIGHT",
    ActionKind.PLAY_ROAD_BUILDING: "ROAD_BUILDING",
    ActionKind.PLAY_YEAR_OF_PLENTY: "YEAR_OF_PLENTY",
    ActionKind.PLAY_MONOPOLY: "MONOPOLY",
}
CODES = {
    "ROAD_BUILDING": 1, "YEAR_OF_PLENTY": 2, "MONOPOLY": 3, "VICTORY_POINT": 6, "KNIGHT": 9,
}  # fmt: skip


def counted(resources: Iterable[int]) -> list[int]:
    """Cards as counts by Resource."""
    found = [0] * 5
    for card in resources:
        found[card] += 1
    return found


def grouped(events: tuple[Event, ...]) -> Iterable[list[Event]]:
    """The events that a server announces together: a seat's discards, an offer and its answer."""
    last = [0]

    def key(item: tuple[int, Event]) -> Any:
        k, event = item
        if event.action.kind == ActionKind.DISCARD:
            return ("discard", event.seat)
        if event.action.kind not in (ActionKind.ACCEPT, ActionKind.REJECT):
            last[0] = k
        return last[0]

    for _, group in groupby(enumerate(events), key):
        yield [event for _, event in group]
