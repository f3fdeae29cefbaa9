"""The reasons why the rules refuse an action that is not in a position's action mask."""

from typing import TYPE_CHECKING

from catan_env.core.constants import ROAD_BUILDING, Phase
from catan_env.game.action import Action, ActionKind, Counts, say_cards
from catan_env.game.nearest import allowed_instead

if TYPE_CHECKING:
    from catan_env.game.position import Position


def refusal_beyond_mask(position: "Position", action: Action) -> str | None:
    """Return why the rules refuse `action` now, which the mask lacks, or None if it is legal."""
    if _is_all_in_mask(position, action.kind):
        return f"allowed are: {allowed_instead(action, position.legal_actions)}"
    return _refusal_of_unmasked(position, action)


def is_legal_beyond_mask(position: "Position", action: Action) -> bool:
    """True if `action`, which the mask lacks, is legal now."""
    return not _is_all_in_mask(position, action.kind) and not _refusal_of_unmasked(position, action)


def _is_all_in_mask(position: "Position", kind: ActionKind) -> bool:
    """True if all legal actions of that kind have a flat index in the mask now."""
    if position.phase == Phase.MAIN:
        return kind not in (ActionKind.OFFER, ActionKind.BANK_TRADE)
    return position.phase != Phase.ROLL or kind != ActionKind.PLAY_ROAD_BUILDING


def _refusal_of_unmasked(position: "Position", action: Action) -> str | None:
    """The refusal for kinds of which some legal actions are not in the mask."""
    if action.kind == ActionKind.OFFER:
        return _refusal_of_offer(position, *action.args)
    if action.kind == ActionKind.BANK_TRADE:
        return _refusal_of_bank_trade(position, *action.args)
    return _refusal_of_road_building(position)


def _refusal_of_offer(position: "Position", to: int, give: Counts, get: Counts) -> str | None:
    if not position.rules.player_trade:
        return "there is no trade between seats under these rules"
    if not 1 <= to < position.seats:
        return f"there is no seat {to} places on at a table of {position.seats}"
    if not any(give) or not any(get):
        return "cards cannot be given away: each side needs at least one (C123)"
    if any(a and b for a, b in zip(give, get, strict=True)):
        return "a resource is on both sides (C124, C125)"
    hand = position.hand(position.seat)
    if any(n > held for n, held in zip(give, hand, strict=True)):
        return f"the seat holds only {say_cards(hand)} (C127)"
    return None


def _refusal_of_bank_trade(
    position: "Position", give: int, get: int, rate: int | None
) -> str | None:
    if give == get:
        return "the bank does not trade a resource for itself (C114)"
    rates = position.owned_rates(position.seat, give)
    if not rates:
        return "there is no trade with the bank under these rules"
    rate = min(rates) if rate is None else rate
    if rate not in rates:
        return f"allowed rates are {sorted(rates)} (C119)"
    if position.hand(position.seat)[give] < rate:
        return f"the seat holds only {say_cards(position.hand(position.seat))}"
    has_some = position.rules.endless_bank or position.bank[get] > 0
    return None if has_some else "the bank has none of the requested kind (C115)"


def _refusal_of_road_building(position: "Position") -> str | None:
    """Return why road building is refused; with roads on credit it may precede the roll."""
    g = position._read
    if position.card_played or g.cards[g.seat, ROAD_BUILDING] <= g.new_cards[ROAD_BUILDING]:
        return "no such card may be played now (C136, C138)"
    if position.rules.free_roads_at_once:
        return "there is no road, or no place for one (C149)"
    return None
