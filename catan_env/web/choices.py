"""The choices, offers and proposals of a live table, in the form of its page."""

from catan_env.core.constants import Phase
from catan_env.game.action import Action, ActionKind, as_counts
from catan_env.render.place_names import described, names_after
from catan_env.render.reasons import corner_pips, reason
from catan_env.web.messages import Bundled, Choice, Choices, Proposal, Proposals
from catan_env.web.table import LiveTable

MOST_HINTS = 5
"""The number of corners that are suggested in the set-up."""


def choices_of(table: LiveTable) -> Choices:
    """The acting seat's choices: single actions, and offers as a whole."""
    game = table.game
    actions = [choice_of(a, table) for a in game.legal_actions if a.kind != ActionKind.OFFER]
    return Choices(
        table.step,
        actions,
        game.trade_rates(game.seat),
        table.may_offer,
        table.may_undo,
        table.adviser is not None,
        hints_of(table),
        offers_of(table),
        game.owes(game.seat),
    )


def offers_of(table: LiveTable) -> list[Bundled]:
    """The offers that the acting seat answers, with the cards that it lacks for each."""
    hand = table.game.hand(table.game.seat)
    return [
        Bundled(
            as_counts(give),
            as_counts(get),
            as_counts(max(n - held, 0) for n, held in zip(give, hand, strict=True)),
        )
        for give, get in table.offers
    ]


def proposals_of(table: LiveTable) -> Proposals:
    """The trades that seats have proposed in this turn."""
    items = sorted(table.proposals.items())
    return Proposals(
        [Proposal(seat, as_counts(give), as_counts(get)) for seat, (give, get) in items]
    )


def hints_of(table: LiveTable) -> list[int]:
    """In the set-up, the flat indices of the free corners with most pips, the best first."""
    game = table.game
    if game.phase != Phase.PLACE_SETTLEMENT:
        return []
    corners = [a for a in game.legal_actions if a.kind == ActionKind.SETTLEMENT]
    pips = {a.index: sum(corner_pips(game.board, a.args[0]).values()) for a in corners}
    found = sorted((index for index in pips if index is not None), key=lambda k: (-pips[k], k))
    return found[:MOST_HINTS]


def choice_of(action: Action, table: LiveTable) -> Choice:
    """An action as the page shows it."""
    index, game = action.index, table.game
    assert index is not None
    why = reason(action, game, table.names)
    others = names_after(game.seat, table.names)
    return Choice(index, action.kind.name, action.args, described(action, game.board, others), why)
