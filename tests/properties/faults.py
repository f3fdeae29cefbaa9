"""Faults outside the rules, in each part of the package, with the tests that find them.

Nothing here is compiled, and most cost a few seconds. `planted.py` plants them.
"""

from typing import NamedTuple


class Planted(NamedTuple):
    """A fault: in `file`, `right` reads `wrong`; the tests that must find it."""

    tests: str
    file: str
    right: str
    wrong: str


GAME = (
    Planted(
        "tests/game/test_hand_bounds.py",
        "catan_env/game/hand_bounds.py",
        "set(range(n + 1)) if is_single else {0, n}",
        "{0, n}",
    ),
    Planted(
        "tests/game/test_hand_bounds.py",
        "catan_env/game/hand_bounds.py",
        "if event.action.kind == ActionKind.ROAD and position.free_roads:",
        "if False:",
    ),
    Planted(
        "tests/game/test_board_code.py",
        "catan_env/game/board_code.py",
        "if any(harbour.rate != _rate(harbour.resource) for harbour in harbours):",
        "if False:",
    ),
    Planted(
        "tests/game/test_chance.py",
        "catan_env/game/chance.py",
        "return bisect_right(list(accumulate(counts)), n)",
        "return bisect_right(list(accumulate(counts)), n + 1)",
    ),
)
ENVIRONMENTS = (
    Planted(
        "tests/envs/test_trajectories.py",
        "catan_env/adapters/trajectories.py",
        "for kept in (self.received, self._value, self._advantage):",
        "for kept in (self.received, self._value):",
    ),
    Planted(
        "tests/envs/test_trajectories.py",
        "catan_env/adapters/trajectories.py",
        "        self.received[at] = 0\n",
        "",
    ),
    Planted(
        "tests/envs/test_choices.py",
        "catan_env/envs/choices.py",
        "            total += float(reward)\n",
        "",
    ),
    Planted(
        "tests/envs/test_rewards.py",
        "catan_env/envs/rewards.py",
        'on_vertices(states["settlements"]) + 2 * on_vertices(states["cities"])',
        'on_vertices(states["settlements"]) + on_vertices(states["cities"])',
    ),
    Planted(
        "tests/envs/test_rewards.py",
        "catan_env/envs/rewards.py",
        'states["points"] + states["cards"][:, :, VICTORY_POINT]',
        'states["points"]',
    ),
    Planted(
        "tests/envs/test_choices.py",
        "catan_env/envs/choices.py",
        "if any(over) else (seen, info)",
        "if False else (seen, info)",
    ),
    Planted(
        "tests/envs/test_rewards.py",
        "catan_env/envs/episode.py",
        'if self.winner != before["winner"][0]:',
        "if False:",
    ),
    Planted(
        "tests/adapters/test_many.py",
        "catan_env/adapters/pasts.py",
        "self.pick_others(waits, self.past.length)",
        "self.pick_others(waits, np.arange(self.num_games))",
    ),
    Planted(
        "tests/adapters/test_many.py tests/adapters/test_one_seat.py",
        "catan_env/adapters/lockstep.py",
        "            totals[i] = 0.0\n",
        "",
    ),
)
LEAGUES = (
    Planted(
        "tests/arena/test_match.py tests/test_doctests.py",
        "catan_env/arena/schedule.py",
        "return (seat - k) % seats",
        "return (seat + k) % seats",
    ),
    Planted(
        "tests/arena/league/test_ratings.py tests/test_doctests.py",
        "catan_env/arena/rating.py",
        "met = won + won.T",
        "met = won + won",
    ),
    Planted(
        "tests/arena/league/test_ratings.py tests/test_doctests.py",
        "catan_env/arena/league/skill.py",
        "    ranks[winner] = -100.0\n",
        "",
    ),
    Planted(
        "tests/arena/league/test_schedules.py",
        "catan_env/arena/league/pairing.py",
        "return min(line_ups, key=meetings)",
        "return line_ups[0]",
    ),
    Planted(
        "tests/arena/league/test_schedules.py",
        "catan_env/arena/league/pairing.py",
        "for most in sorted({0, *met.values()}):",
        "for most in sorted({0, *met.values()}, reverse=True):",
    ),
    Planted(
        "tests/arena/test_match.py tests/test_doctests.py",
        "catan_env/arena/report.py",
        "if games == 0:\n        return 0.0, 1.0\n    rate, weight = wins / games, Z * Z / games",
        "if games == 0:\n        return 0.0, 1.0\n    rate, weight = wins / games, Z / games",
    ),
    Planted(
        "tests/training/test_evaluate.py tests/test_doctests.py",
        "catan_env/arena/fair.py",
        "multiple_of(won[~is_here], luck[~is_here])",
        "multiple_of(won[is_here], luck[is_here])",
    ),
)
WEB = (
    Planted(
        "tests/web/test_turn_clock.py",
        "catan_env/web/turn_clock.py",
        "used = self._used.get((self._turn, self.seat), 0.0)",
        "used = 0.0",
    ),
    Planted(
        "tests/web/test_room.py",
        "catan_env/web/table.py",
        "        ActionKind.BUY_DEVELOPMENT_CARD,\n        ActionKind.MOVE_ROBBER,",
        "        ActionKind.MOVE_ROBBER,",
    ),
    Planted(
        "tests/web/test_people.py",
        "catan_env/web/people.py",
        "return sha256(key.encode()).hexdigest()",
        "return key",
    ),
    Planted(
        "tests/render/test_judged.py",
        "catan_env/render/judged.py",
        "second.sort(key=lambda lesson: -lesson.lost)",
        "second.sort(key=lambda lesson: lesson.lost)",
    ),
    Planted(
        "tests/text/test_text.py",
        "catan_env/text/answer.py",
        'last = lines[-1].strip("*_` ")',
        'last = lines[0].strip("*_` ")',
    ),
)
NETWORK = (
    Planted(
        "tests/net/test_allowance.py",
        "catan_env/net/allowance.py",
        "min(self._rate, self._left + self._rate * (now - self._at)) - count",
        "self._left + self._rate * (now - self._at) - count",
    ),
    Planted(
        "tests/net/test_watchdog.py",
        "catan_env/net/watchdog.py",
        "        if self._heard_at is not None:\n"
        "            self._heard_at = max(self._heard_at, now)",
        "        self._heard_at = max(self._heard_at or 0.0, now)",
    ),
    Planted(
        "tests/net/test_lines.py",
        "catan_env/net/lines.py",
        "if (len(data) if ends < 0 else ends) > self._spelling.most_bytes:",
        "if ends > self._spelling.most_bytes:",
    ),
)
PROTOCOLS = (
    Planted(
        "tests/protocols/rules/test_trade.py",
        "catan_env/protocols/catan_binary/clock.py",
        "            self._waited += now + self._limit - self.deadline\n",
        "",
    ),
    Planted(
        "tests/protocols/test_absent.py tests/protocols/late",
        "catan_env/protocols/catan_binary/inferred_view.py",
        "(view.turn_seat + step) % view.seats for step in range(view.seats)",
        "step for step in range(view.seats)",
    ),
    Planted(
        "tests/protocols/german/test_ledger.py",
        "catan_env/protocols/catan_german/ledger.py",
        "for move in in_full + [move for move in self.open if move not in in_full]:",
        "for move in list(self.open):",
    ),
    Planted(
        "tests/protocols/german/test_safe.py",
        "catan_env/protocols/catan_german/safe.py",
        "return next((move for move in moves if move not in refused), moves[0])",
        "return moves[0]",
    ),
    Planted(
        "tests/protocols/german/test_unanswered.py",
        "catan_env/protocols/catan_german/unanswered.py",
        "if self._sent and self._sent.pop(0).offer is None:",
        "if self._sent and self._sent.pop().offer is None:",
    ),
    Planted(
        "tests/protocols/jsettlers/test_clock.py",
        "catan_env/protocols/jsettlers/clock.py",
        "return CLOCK if self.forced < 2 else SHORT_CLOCK",
        "return CLOCK if self.forced < 3 else SHORT_CLOCK",
    ),
    Planted(
        "tests/protocols/jsettlers",
        "catan_env/protocols/jsettlers/robbery.py",
        "for rival in rivals if view.hand_size(rival) <= 0]",
        "for rival in rivals]",
    ),
    Planted(
        "tests/protocols/jsettlers",
        "catan_env/protocols/jsettlers/discards.py",
        "counted(a + b) for a, b in zip(so_far, cards, strict=True)",
        "counted(b) for a, b in zip(so_far, cards, strict=True)",
    ),
    Planted(
        "tests/foreign/test_colonist_json.py",
        "catan_env/foreign/colonist_places.py",
        '(x - 1, y + 1, "NE") if z == 2',
        '(x, y + 1, "NE") if z == 2',
    ),
    Planted(
        "tests/foreign/test_soclogs.py",
        "catan_env/foreign/stac_log.py",
        "if sum(pair) != self._total:",
        "if False:",
    ),
    Planted(
        "tests/catanatron/test_mirror.py",
        "catan_env/catanatron/deal.py",
        "view.hand(seat) if seat == view.viewer else view.known(seat)",
        "view.hand(seat) if seat == view.viewer else [0] * len(Resource)",
    ),
)
GUESTS = (
    Planted(
        "tests/guests/hanabi/test_rules.py tests/guests/hanabi/test_properties.py",
        "catan_env/guests/hanabi/knowledge.py",
        "return self._replace(numbers=self.numbers & ~touched)",
        "return self",
    ),
    Planted(
        "tests/guests/hanabi/test_batch.py",
        "catan_env/guests/hanabi/native/encode.py",
        "    if size > STORED:\n",
        "    if False:\n",
    ),
    Planted(
        "tests/guests/hanabi/test_hat.py",
        "catan_env/guests/hanabi/policies/hats.py",
        "return before + 2 + (is_colour and self.classes(seat) == 4)",
        "return before + 2",
    ),
    Planted(
        "tests/guests/renaissance/test_judging.py tests/guests/renaissance/test_refusals.py"
        " tests/guests/renaissance/test_warehouse.py",
        "catan_env/guests/renaissance/judge/exchange.py",
        "if place >= SHELVES and good != has.depot_good(place):",
        "if False:",
    ),
    Planted(
        "tests/guests/renaissance/test_judging.py tests/guests/renaissance/test_refusals.py"
        " tests/guests/renaissance/test_production.py",
        "catan_env/guests/renaissance/judge/production.py",
        "        if number == other:\n",
        "        if False:\n",
    ),
)
POLICIES = (
    Planted(
        "tests/policies/test_players.py",
        "policies/players.py",
        "        batch.masks[rows, SIMPLE_WORD] &= ~(1 << ACCEPT_ACTION)\n",
        "",
    ),
    Planted(
        "tests/policies/test_luck.py",
        "policies/luck/luck.py",
        "total += chances[draw.happened] - draw.probabilities @ chances",
        "total += chances[draw.happened] - chances.mean(axis=0)",
    ),
    Planted(
        "tests/policies/test_search_reranked.py",
        "policies/search/reranked.py",
        "if worlds[FUTURE].seat == seat:",
        "if worlds[FUTURE].seat != seat:",
    ),
    Planted(
        "tests/training/test_ppo_update.py::"
        "test_actions_beyond_the_clip_are_learned_from_only_to_undo_it",
        "training/ppo_update.py",
        "policy_loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()",
        "policy_loss = -(ratio * advantages).mean()",
    ),
    Planted(
        "tests/training/test_control_variate.py",
        "training/control_variate.py",
        '    yields[np.arange(len(states)), :, states["robber"]] = 0\n',
        "",
    ),
    Planted(
        "tests/training/test_opponents.py",
        "training/opponents.py",
        " & (self.batch.done[over] != CUT_OFF)",
        "",
    ),
    Planted(
        "tests/training/test_self_play.py",
        "training/rollout_buffer.py",
        "following_advantages = gamma * gae_lambda * advantages[then]",
        "following_advantages = gamma * advantages[then]",
    ),
)
ELSEWHERE = (
    *GAME,
    *ENVIRONMENTS,
    *LEAGUES,
    *WEB,
    *NETWORK,
    *PROTOCOLS,
    *GUESTS,
    *POLICIES,
)
