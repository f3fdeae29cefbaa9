"""A seat's message, judged in the current position."""

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import Command, EndTurn
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.judge.exchange import judge_exchange
from catan_env.guests.renaissance.judge.holdings import Holdings
from catan_env.guests.renaissance.judge.leaders import judge_leader_action
from catan_env.guests.renaissance.judge.market import judge_market
from catan_env.guests.renaissance.judge.production import judge_productions
from catan_env.guests.renaissance.judge.purchase import judge_purchase
from catan_env.guests.renaissance.judge.refusal import refuse
from catan_env.guests.renaissance.judge.start import judge_goods, judge_leaders

SETUP = (m.ReqChooseLeaders, m.ReqChooseResources)
MAIN = (m.ReqTakeFromMarket, m.ReqBuyDevCard, m.ReqActivateProductions)


def judge(game: Game, seat: int, ids: Ids, message: m.Command) -> Command | None:
    """The command; None if the rules ignore the message (R066). Raises Refusal."""
    reason = _wrong_time(game, seat, message)
    if reason is not None:
        refuse(m.ErrAction(reason))
    has = Holdings(game, seat, ids)
    if isinstance(message, m.ReqChooseLeaders):
        return judge_leaders(has, message)
    if isinstance(message, m.ReqChooseResources):
        return judge_goods(has, message)
    if isinstance(message, m.ReqSwapShelves):
        return judge_exchange(has, message)
    if isinstance(message, m.ReqLeaderAction):
        return judge_leader_action(has, message)
    if isinstance(message, m.ReqTakeFromMarket):
        return judge_market(has, message)
    if isinstance(message, m.ReqBuyDevCard):
        return judge_purchase(has, message)
    if isinstance(message, m.ReqActivateProductions):
        return judge_productions(has, message)
    return EndTurn()


def _wrong_time(game: Game, seat: int, message: m.Command) -> str | None:
    """The reason of ErrAction, in the page's order of checks."""
    is_setup = isinstance(message, SETUP)
    if not is_setup and not game.is_playing:
        return "EARLY_MANDATORY_ACTION"
    if game.is_over:
        return "GAME_ENDED"
    if is_setup:
        return "LATE_SETUP_ACTION" if _has_chosen(game, seat) else None
    if game.seat != seat:
        return "NOT_CURRENT_PLAYER"
    is_done = bool(game.state["main_done"])
    if isinstance(message, MAIN) and is_done:
        return "LATE_MANDATORY_ACTION"
    if isinstance(message, m.ReqEndTurn) and not is_done:
        return "EARLY_TURN_END"
    return None


def _has_chosen(game: Game, seat: int) -> bool:
    """True if the seat has completed its set-up."""
    state = game.state
    return game.is_playing or bool(state["has_kept"][seat] and state["has_goods"][seat])
