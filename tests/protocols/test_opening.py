"""MSG_BEGIN and MSG_SETUP: a seat's view when the first turn begins."""

from dataclasses import replace

import pytest

from catan_env import Board, Game, Rules
from catan_env.net import RemoteProtocolError
from catan_env.protocols.catan_binary.messages import (
    Card,
    Cell,
    HarbourCell,
    TilePos,
    TileType,
    VertexCorner,
    VertPos,
)
from catan_env.protocols.catan_binary.opening import (
    Settings,
    begin_message,
    check_begin,
    setup_message,
    view_at_start,
)

GAME = Game(seats=3, seed=11, rules=Rules.tournament())
BEGIN = begin_message(GAME, 1, Settings(timeout_secs=4, thread_limit=2, memory_limit=99))
SETUP = setup_message(GAME)
SEA = Cell(TilePos(0, -3), TileType.EMPTY, 0)


def with_cell(number, **changes):
    cells = list(SETUP.cells)
    cells[number] = replace(cells[number], **changes)
    return replace(SETUP, cells=tuple(cells))


def with_first_player(**changes):
    first, *rest = SETUP.players
    return replace(SETUP, players=(replace(first, **changes), *rest))


def desert_of(setup):
    return next(k for k, cell in enumerate(setup.cells) if cell.type == TileType.DESERT)


@pytest.mark.parametrize("placement", ["pips", "random"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_view_at_the_start_is_the_games(seats, placement):
    game = Game(seats=seats, seed=3, rules=Rules.tournament(placement))
    for seat in range(seats):
        view = view_at_start(begin_message(game, seat, Settings()), setup_message(game))
        assert view.state_bytes() == game.view(seat).state_bytes()


def test_begin_contains_the_limits_and_the_counts():
    assert (BEGIN.timeout_secs, BEGIN.thread_limit, BEGIN.memory_limit) == (4, 2, 99)
    assert (BEGIN.board_radius, BEGIN.player_id) == (2, 1)
    assert (BEGIN.cell_count, BEGIN.harbour_count, BEGIN.player_count) == (19, 9, 3)


def test_the_hand_is_the_yield_of_the_second_house_padded_with_any():
    for player in SETUP.players:
        assert len(player.starting_hand) == 3
        held = [card - 1 for card in player.starting_hand if card != Card.ANY]
        assert sorted(held) == sorted(
            resource for resource, n in enumerate(GAME.hand(player.id)) for _ in range(n)
        )


@pytest.mark.parametrize(
    ("sent", "held"),
    [
        ((Card.ORE,) * 3, (0, 0, 0, 3, 0)),
        ((Card.WOOL, Card.ANY, Card.BRICK), (1, 0, 0, 0, 1)),
        ((Card.ANY,) * 3, (0, 0, 0, 0, 0)),
    ],
)
@pytest.mark.parametrize("viewer", [0, 1])
def test_other_servers_may_deal_any_hand(sent, held, viewer):
    """The text does not derive it from house2. ANY is not a card."""
    begin = replace(BEGIN, player_id=viewer)
    view, ours = view_at_start(begin, with_first_player(starting_hand=sent)), GAME.view(viewer)
    assert (view.known(0), view.hand_size(0)) == (held, sum(held))
    assert view.hand(0) == held if viewer == 0 else view.hand(1) == ours.hand(1)
    assert (view.known(2), view.hand_size(2)) == (ours.known(2), ours.hand_size(2))
    dealt = [sum(view.known(seat)[resource] for seat in range(3)) for resource in range(5)]
    assert [19 - n for n in dealt] == list(view.bank)


def test_cells_may_come_in_any_order_and_with_the_sea():
    shuffled = replace(SETUP, cells=(SEA, *reversed(SETUP.cells)))
    assert view_at_start(BEGIN, shuffled) == view_at_start(BEGIN, SETUP)


@pytest.mark.parametrize("radius", [0, 2, 3, 255])
def test_the_radius_may_be_any_where_the_land_is_the_usual_one(radius):
    """The text does not say whether it counts the sea, whose cells a server may list."""
    begin = replace(BEGIN, board_radius=radius, cell_count=20)
    check_begin(begin)
    with_sea = replace(SETUP, cells=(SEA, *SETUP.cells))
    assert view_at_start(begin, with_sea) == view_at_start(BEGIN, SETUP)


def test_the_robber_starts_on_the_first_desert_of_the_list():
    """Rule 3."""
    houses = {p.house2 for p in SETUP.players}
    game = GAME
    other = next(
        k
        for k in range(18, -1, -1)
        if k != desert_of(SETUP) and not houses & set(corners_of(game.board, k))
    )
    setup = with_cell(other, type=TileType.DESERT, counter=0)
    first = min(other, desert_of(SETUP))
    assert view_at_start(BEGIN, setup).robber == first
    backwards = replace(setup, cells=tuple(reversed(setup.cells)))
    assert view_at_start(BEGIN, backwards).robber == max(other, desert_of(SETUP))


def corners_of(board, tile):
    from catan_env.game.geometry import TILE_VERTICES
    from catan_env.protocols.catan_binary.places import VERT_POS

    return [VERT_POS[vertex] for vertex in TILE_VERTICES[tile]]


def test_any_harbour_is_accepted_and_one_of_cost_0_ignored():
    """Rule 3."""
    far = HarbourCell(VertPos(0, 0, VertexCorner.N), VertPos(0, 1, VertexCorner.S), Card.ORE, 1)
    none = replace(far, cost=0)
    view = view_at_start(BEGIN, replace(SETUP, harbours=(none, far)))
    assert [(h.resource, h.rate) for h in view.board.harbours] == [(3, 1)]
    assert view.board.harbours[0].vertices == (
        Board.vertex_at(0, 0, "N"),
        Board.vertex_at(0, 1, "S"),
    )


@pytest.mark.parametrize("cost", [0, 1, 19, 20, 255])
def test_a_harbour_is_of_use_if_a_hand_can_pay_its_cost(cost):
    where = VertPos(0, 0, VertexCorner.N), VertPos(0, 1, VertexCorner.S)
    sent = replace(SETUP, harbours=(HarbourCell(*where, Card.ORE, cost),))
    rates = [harbour.rate for harbour in view_at_start(BEGIN, sent).board.harbours]
    assert rates == ([cost] if cost in (1, 19) else [])


def test_counters_that_no_dice_roll_yield_nothing():
    view = view_at_start(BEGIN, with_cell(0, counter=200))
    assert view.board.tiles[0].token == 0


@pytest.mark.parametrize(
    ("setup", "complaint"),
    [
        (with_cell(desert_of(SETUP), type=TileType.HILLS), "no TILE_DESERT is listed"),
        (replace(SETUP, cells=SETUP.cells[1:]), "18 tiles of land; a board of radius 2 has 19"),
        (replace(SETUP, cells=(*SETUP.cells, SETUP.cells[0])), "is listed twice"),
        (with_cell(0, pos=TilePos(5, 5)), "no tile of the board is at TilePos"),
        (
            replace(SETUP, players=(SETUP.players[0], *SETUP.players[:2])),
            r"players \[0, 0, 1\]; allowed are 0..2",
        ),
        (
            with_first_player(house1=SETUP.players[1].house1),
            "two pieces stand at VertPos",
        ),
    ],
)
def test_an_invalid_board_is_the_peers_error(setup, complaint):
    with pytest.raises(RemoteProtocolError, match=complaint):
        view_at_start(BEGIN, setup)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"player_count": 5}, "player_count is 5; this agent plays with 2, 3 or 4"),
        ({"player_id": 3}, "player_id is 3 among 3 players"),
    ],
)
def test_an_unsupported_table_is_the_peers_error(changes, complaint):
    with pytest.raises(RemoteProtocolError, match=complaint):
        check_begin(replace(BEGIN, **changes))
