"""The parts of Colonist's replay JSON that describe a game; others in a change are refused."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Raw, Struct

Color = Annotated[int, msgspec.Meta(ge=1, le=99)]
Die = Annotated[int, msgspec.Meta(ge=1, le=6)]


class Hex(Struct, frozen=True, rename="camel"):
    """A tile; `type` 0 is the desert, 1 to 5 produce the card of that number."""

    x: int
    y: int
    type: Annotated[int, msgspec.Meta(ge=0, le=5)]
    dice_number: Annotated[int, msgspec.Meta(ge=0, le=12)]


class Corner(Struct, frozen=True):
    """A corner: `z` 0 is the north one of the hex at (x, y), 1 the south one."""

    x: int
    y: int
    z: Literal[0, 1]


class Edge(Struct, frozen=True):
    """An edge: `z` 0 is the north-west side of the hex at (x, y), 1 the west, 2 the south-west."""

    x: int
    y: int
    z: Literal[0, 1, 2]


class Port(Edge, frozen=True):
    """A harbour; `type` 1 is 3:1, 2 to 6 trade the card of that number less one at 2:1."""

    type: Annotated[int, msgspec.Meta(ge=1, le=6)]


class MapState(Struct, frozen=True, rename="camel"):
    """The map, by Colonist's numbers."""

    tile_hex_states: dict[str, Hex]
    tile_corner_states: dict[str, Corner]
    tile_edge_states: dict[str, Edge]
    port_edge_states: dict[str, Port]


class Robber(Struct, frozen=True, rename="camel"):
    """The hex of the robber."""

    location_tile_index: int | None = None


class Initial(Struct, frozen=True, rename="camel"):
    """The state before the first settlement."""

    map_state: MapState
    mechanic_robber_state: Robber


class Building(Struct, frozen=True, rename="camel"):
    """The change at a corner."""

    owner: Color | None = None
    building_type: Literal[1, 2] | None = None


class Road(Struct, frozen=True):
    """The change at an edge."""

    owner: Color | None = None
    type: Literal[1] | None = None


class MapChange(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The pieces that an event puts on the map."""

    tile_corner_states: dict[str, Building] = {}
    tile_edge_states: dict[str, Road] = {}


class Cards(Struct, frozen=True):
    """Cards by number; 0 and 10 are the backs of hidden ones."""

    cards: list[int]


class PlayerChange(Struct, frozen=True, rename="camel"):
    """A seat's hand after an event."""

    resource_cards: Cards | None = None


class BankChange(Struct, frozen=True, rename="camel"):
    """The bank's cards after an event, those that changed."""

    resource_cards: dict[str, int] = {}


class Dice(Struct, frozen=True, rename="camel"):
    """The dice, valid if thrown."""

    dice1: Die | None = None
    dice2: Die | None = None
    dice_thrown: bool | None = None


class CurrentChange(Struct, frozen=True, rename="camel"):
    """The seat on turn after an event."""

    current_turn_player_color: Color | None = None


class OwnedCards(Struct, frozen=True, rename="camel"):
    """A seat's development cards after an event."""

    development_cards: Cards | None = None
    development_cards_bought_this_turn: list[int] | None = None


class CardsChange(Struct, frozen=True, rename="camel"):
    """Development cards after an event."""

    players: dict[str, OwnedCards] = {}


class TileInfo(Struct, frozen=True, rename="camel"):
    """The tile that the robber moves to."""

    tile_type: int
    dice_number: int


class Text(Struct, frozen=True, rename="camel"):
    """A line of the game's log; which of its fields are there depends on its type."""

    type: int
    player_color: Color | None = None
    piece_enum: int | None = None
    tile_info: TileInfo | None = None
    first_dice: Die | None = None
    second_dice: Die | None = None
    card_enum: int | None = None
    card_enums: list[int] | None = None
    amount_stolen: int | None = None
    player_color_thief: Color | None = None
    player_color_victim: Color | None = None
    accepting_player_color: Color | None = None
    given_card_enums: list[int] | None = None
    received_card_enums: list[int] | None = None


class Line(Struct, frozen=True):
    """A line of the log."""

    text: Text


class Change(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The changes of an event; the parts that are only for display are not read."""

    map_state: MapChange = MapChange()
    player_states: dict[str, PlayerChange] = {}
    bank_state: BankChange = BankChange()
    dice_state: Dice = Dice()
    current_state: CurrentChange = CurrentChange()
    game_log_state: dict[str, Line | None] = {}
    mechanic_robber_state: Robber = Robber()
    mechanic_development_cards_state: CardsChange = CardsChange()
    trade_state: Any = None
    game_chat_state: Any = None
    mechanic_settlement_state: Any = None
    mechanic_city_state: Any = None
    mechanic_road_state: Any = None
    mechanic_longest_road_state: Any = None
    mechanic_largest_army_state: Any = None


class Happening(Struct, frozen=True, rename="camel"):
    """An event."""

    state_change: Change = Change()


class Standing(Struct, frozen=True, rename="camel"):
    """A seat at the end: its points by source, 0 settlements to 4 the longest road."""

    victory_points: dict[str, int]
    winning_player: bool = False


class End(Struct, frozen=True):
    """The end of the game."""

    players: dict[str, Standing]


class History(Struct, frozen=True, rename="camel"):
    """The game: its first state, its events, and its end."""

    initial_state: Initial
    events: list[Raw]
    end_game_state: End | None = None


class Settings(Struct, frozen=True, rename="camel"):
    """The rules of the table; an extension or a scenario is not 0."""

    victory_points_to_win: int = 10
    card_discard_limit: int = 7
    friendly_robber: bool = False
    extension_setting: int = 0
    scenario_setting: int = 0


class User(Struct, frozen=True, rename="camel"):
    """A player."""

    selected_color: Color
    username: str | None = None


class Data(Struct, frozen=True, rename="camel"):
    """A replay."""

    play_order: Annotated[list[Color], msgspec.Meta(min_length=2, max_length=4)]
    event_history: History
    game_settings: Settings
    player_user_states: list[User] = []


class Replay(Struct, frozen=True):
    """A file: what the site's replay interface returns."""

    data: Data
