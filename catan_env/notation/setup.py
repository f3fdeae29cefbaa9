"""The start of a record: the map and the table's agreement."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from catan_env.core.constants import Layout, Placement, Resource, Terrain
from catan_env.game.board import Board, Harbour, Tile
from catan_env.game.chance import checked_secret
from catan_env.game.rules import Rules
from catan_env.notation import places
from catan_env.notation.errors import NotationError, unlike
from catan_env.notation.places import to_number
from catan_env.notation.values import KINDS, LETTERS, Message, check_keys, extension, to_word

SEA, DESERT = "S", "D"
TERRAIN_CODES = {
    Terrain.HILLS: "H",
    Terrain.FIELDS: "F",
    Terrain.FOREST: "FO",
    Terrain.MOUNTAINS: "M",
    Terrain.PASTURE: "P",
    Terrain.DESERT: DESERT,
    Terrain.SEA: SEA,
}
TERRAINS = {code: terrain for terrain, code in TERRAIN_CODES.items()}
TOKENS = frozenset((*range(2, 7), *range(8, 13)))
USUAL_RATES = {True: 3, False: 2}
"""By whether a harbour is generic."""
MOST_NAMED = 3
"""Maximum number of hexes that an error lists."""

AGREED, VIEWER, RATE, RATES = "x-game", "x-viewer", "x-rate", "x-rates"
UNKNOWN_TO_OLDER_READERS = (
    "endless_bank",
    "hand_limit",
    "friendly_robber",
    "balanced_dice",
    "small_map",
)
"""Rules that are written only where they differ from the booklet's."""
LAYOUTS = {layout.name.lower(): layout for layout in Layout}
PLACEMENTS = {placement.name.lower(): placement for placement in Placement}


class Agreement(NamedTuple):
    """The settings that the notation lacks, stored as an extension."""

    rules: Rules = Rules.base()
    first_seat: int = 0
    seed: int = 0
    layout: Layout = Layout.GIVEN
    viewer: str | None = None
    """The player whose redacted record this is."""
    secret: bytes | None = None
    """The source of dice, thefts and cards; None if it was the seed."""


def from_board(board: Board) -> dict[str, Any]:
    """Return the value that defines a map; NotationError if the notation cannot express it."""
    tiles = []
    for place in places.HEXES:
        number = places.tile_number(place)
        code, token = SEA, None
        if number is not None:
            tile = board.tiles[number]
            code, token = TERRAIN_CODES[tile.terrain], tile.token or None
            if token is not None and token not in TOKENS:
                raise NotationError(f"tile {number} has the token {token}; the notation has none")
        tiles.append({"tile": list(place), "tCode": code, "rNumber": token})
    harbours = [_from_harbour(harbour) for harbour in board.harbours]
    for number, reason in misplaced(board.harbours, land_of(board)):
        raise NotationError(f"harbour {number} of the board cannot be written: {reason}")
    return {"tiles": tiles, "harbors": harbours}


def land_of(board: Board) -> frozenset[places.Hex]:
    """Return the hexes of land."""
    tiles = ((places.tile_number(place), place) for place in places.HEXES)
    land = (p for k, p in tiles if k is not None and board.tiles[k].terrain != Terrain.SEA)
    return frozenset(land)


def misplaced(
    harbours: Sequence[Harbour], land: frozenset[places.Hex]
) -> Iterator[tuple[int, str]]:
    """Yield the number of each harbour off the coast, or not alone on its path, and the reason."""
    paths: set[frozenset[int]] = set()
    for number, harbour in enumerate(harbours):
        path = frozenset(harbour.vertices)
        if places.hexes_beside(harbour.vertices) <= land:
            yield number, "both hexes beside its path are land; a harbour is at the sea"
        elif path in paths:
            yield number, "another harbour is on the same path"
        paths.add(path)


def _from_harbour(harbour: Harbour) -> dict[str, Any]:
    path = places.path(harbour.vertices)
    try:
        places.to_ends(path, "path")
    except NotationError as error:
        a, b = harbour.vertices
        raise NotationError(
            f"the harbour at vertices {a} and {b} is not on an edge: the notation cannot express it"
        ) from error
    code = "HR" if harbour.resource is None else f"HR{LETTERS[harbour.resource]}"
    written: dict[str, Any] = {"path": path, "hCode": code}
    if harbour.rate != USUAL_RATES[harbour.resource is None]:
        written[RATE] = harbour.rate
    return written


def map_message(board: Board) -> Message:
    """Return the keys of the message that defines a map.

    They are `value`, and the harbours' rates if one is unusual.
    """
    value = from_board(board)
    unusual = [harbour.pop(RATE, None) for harbour in value["harbors"]]
    if not any(unusual):
        return {"value": value}
    return {"value": value, RATES: [harbour.rate for harbour in board.harbours]}


def to_board(message: Message) -> Board:
    """Return the board that a map's message defines."""
    value = message["value"]
    listed: dict[places.Hex, Tile | None] = {}
    for at, entry in _entries(value, "tiles"):
        place = places.to_hex(entry.get("tile"), f"{at}.tile")
        if place in listed:
            raise unlike(entry["tile"], "this hex was listed before", f"{at}.tile")
        listed[place] = _to_tile(entry, places.tile_number(place), at)
    missing = [list(place) for place in places.HEXES if place not in listed]
    if missing:
        raise NotationError(
            f"{len(listed)} hexes are listed; expected all {len(places.HEXES)}: "
            f"{_named(missing)} {'is' if len(missing) == 1 else 'are'} missing",
            ".value.tiles",
        )
    harbours = [_to_harbour(entry, at) for at, entry in _entries(value, "harbors")]
    if RATES in message:
        harbours = _with_rates(harbours, message[RATES])
    tiles = [tile for place in places.HEXES if (tile := listed[place]) is not None]
    try:
        board = Board(tuple(tiles), tuple(harbours))
    except ValueError as error:
        raise NotationError(str(error), ".value") from error
    for number, reason in misplaced(harbours, land_of(board)):
        raise NotationError(reason, f".value.harbors[{number}].path")
    return board


def _named(hexes: list[list[int]]) -> str:
    """Return the first few hexes as text, and the number of others."""
    more = len(hexes) - MOST_NAMED
    named = ", ".join(map(str, hexes[:MOST_NAMED]))
    return f"{named} and {more} more" if more > 0 else named


def _entries(value: Message, key: str) -> list[tuple[str, dict[str, Any]]]:
    at = f".value.{key}"
    entries = value.get(key)
    if not isinstance(entries, list):
        raise unlike(entries, "expected a list of objects", at)
    for k, entry in enumerate(entries):
        if not isinstance(entry, dict):
            raise unlike(entry, "expected an object", f"{at}[{k}]")
    return [(f"{at}[{k}]", entry) for k, entry in enumerate(entries)]


def _to_tile(entry: dict[str, Any], number: int | None, at: str) -> Tile | None:
    """Return the tile of a hex of the board, on the small map also of sea; None around it."""
    check_keys(entry, ("tile", "tCode", "rNumber"), "a tile", at)
    code, token = entry.get("tCode"), entry.get("rNumber")
    if "rNumber" not in entry and code not in (SEA, DESERT):
        raise NotationError("rNumber is missing; expected null or a number", at)
    if not isinstance(code, str) or code not in TERRAINS:
        raise unlike(code, "expected H, D, M, S, F, FO or P", f"{at}.tCode")
    if number is None and code != SEA:
        raise unlike(code, "expected S: this hex is sea", f"{at}.tCode")
    if token is not None:
        token = to_number(token, f"{at}.rNumber")
        if token not in TOKENS or code in (SEA, DESERT):
            allowed = "null" if code in (SEA, DESERT) else "null, 2..6 and 8..12"
            raise unlike(token, f"expected {allowed}", f"{at}.rNumber")
    return None if number is None else Tile(TERRAINS[code], token or 0)


def _to_harbour(entry: dict[str, Any], at: str) -> Harbour:
    check_keys(entry, ("path", "hCode"), "a harbour", at)
    ends = places.to_ends(entry.get("path"), f"{at}.path")
    code = entry.get("hCode")
    if not isinstance(code, str) or not (code == "HR" or code in _HARBOURS):
        raise unlike(code, f"expected HR, {', '.join(_HARBOURS)}", f"{at}.hCode")
    resource = _HARBOURS.get(code)
    rate = entry.get(RATE, USUAL_RATES[resource is None])
    return Harbour(ends, resource, to_number(rate, f"{at}.{RATE}"))


def _with_rates(harbours: list[Harbour], rates: Any) -> list[Harbour]:
    if not isinstance(rates, list) or len(rates) != len(harbours):
        raise unlike(rates, f"expected {len(harbours)} rates, one per harbour", f".{RATES}")
    read = [to_number(rate, f".{RATES}[{k}]") for k, rate in enumerate(rates)]
    return [harbour._replace(rate=rate) for harbour, rate in zip(harbours, read, strict=True)]


_HARBOURS = {f"HR{letter}": Resource(KINDS[letter]) for letter in LETTERS}


def from_agreement(agreement: Agreement) -> dict[str, Any]:
    """Return the extensions of the first message; a redacted one omits everything random."""
    rules = {field.name: getattr(agreement.rules, field.name) for field in fields(Rules)}
    for name in UNKNOWN_TO_OLDER_READERS:
        if rules[name] == getattr(Rules, name):
            del rules[name]
    rules["placement"] = agreement.rules.placement.name.lower()
    written: dict[str, Any] = {"rules": rules, "first_seat": agreement.first_seat}
    if agreement.viewer is None:
        written["seed"] = str(agreement.seed)
        written["layout"] = agreement.layout.name.lower()
        if agreement.secret is not None:
            written["secret"] = agreement.secret.hex()
        return {AGREED: written}
    return {AGREED: written, VIEWER: agreement.viewer}


def to_agreement(message: Message) -> Agreement:
    """Return the agreement in the first message; by default the rulebook and seed 0."""
    found = extension(message, VIEWER)
    viewer = to_word(*found) if found else None
    found = extension(message, AGREED)
    if found is None:
        return Agreement(viewer=viewer)
    said, at = found
    if not isinstance(said, dict):
        raise unlike(said, "expected an object", at)
    check_keys(said, ("rules", "first_seat", "seed", "layout", "secret"), AGREED, at)
    layout = said.get("layout", "given")
    if not isinstance(layout, str) or layout not in LAYOUTS:
        raise unlike(layout, f"expected {', '.join(LAYOUTS)}", f"{at}.layout")
    seed = to_number(said.get("seed", 0), f"{at}.seed")
    if not 0 <= seed < 1 << 64:
        raise unlike(seed, "expected 0..2**64 - 1", f"{at}.seed")
    return Agreement(
        _to_rules(said.get("rules", {"name": "base"}), f"{at}.rules"),
        to_number(said.get("first_seat", 0), f"{at}.first_seat"),
        seed,
        LAYOUTS[layout],
        viewer,
        _to_secret(said["secret"], f"{at}.secret") if "secret" in said else None,
    )


def _to_secret(said: Any, at: str) -> bytes:
    try:
        return checked_secret(bytes.fromhex(said))
    except (TypeError, ValueError):
        raise unlike(said, "expected 32..128 hexadecimal digits", at) from None


def laid_board(agreement: Agreement, board: Board) -> Board:
    """Return the board that the agreed layout and seed lay; `board` itself without a layout.

    NotationError if it differs from `board` in more than the order of harbours and their ends.
    """
    lay = {Layout.SPIRAL: Board.spiral, Layout.RANDOM_TOKENS: Board.random_tokens}
    if agreement.layout not in lay:
        return board
    laid = lay[agreement.layout](agreement.seed, agreement.rules.small_map)
    if (laid.tiles, _harbours_of(laid)) != (board.tiles, _harbours_of(board)):
        raise NotationError(
            f"another map than the one that layout and seed {agreement.seed} lay", ".value"
        )
    return laid


def _harbours_of(board: Board) -> Counter[tuple[frozenset[int], Resource | None, int]]:
    """Return the harbours without their order."""
    return Counter((frozenset(ends), resource, rate) for ends, resource, rate in board.harbours)


def _to_rules(said: Any, at: str) -> Rules:
    """Return rules field by field; missing ones are as in the rulebook."""
    if not isinstance(said, Mapping) or not isinstance(said.get("name"), str):
        raise unlike(said, "expected an object with a name", at)
    read: dict[str, Any] = {}
    for key, value in said.items():
        if key not in _RULE_TYPES:
            raise unlike(key, f"expected {', '.join(_RULE_TYPES)}", at)
        if type(value) is not _RULE_TYPES[key]:
            raise unlike(value, f"expected a {_RULE_TYPES[key].__name__}", f"{at}.{key}")
        if key == "name":
            to_word(value, f"{at}.{key}")
        if key == "placement" and value not in PLACEMENTS:
            raise unlike(value, f"expected {', '.join(PLACEMENTS)}", f"{at}.{key}")
        read[key] = PLACEMENTS[str(value)] if key == "placement" else value
    try:
        return Rules(**read)
    except ValueError as error:
        raise NotationError(str(error), at) from error


_RULE_TYPES: dict[str, type] = {
    "name": str,
    "placement": str,
    "chosen_discards": bool,
    "win_at_once": bool,
    "free_roads_at_once": bool,
    "player_trade": bool,
    "bank_trade": bool,
    "robber_moves": bool,
    "development_cards": bool,
    "awards": bool,
    "endless_bank": bool,
    "offers_per_turn": int,
    "points_to_win": int,
    "hand_limit": int,
    "friendly_robber": bool,
    "balanced_dice": bool,
    "small_map": bool,
}
