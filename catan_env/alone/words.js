/** Events as text, as render/words.py tells them; `before` is what was public before the event. */
function tellerOf(players, names, tables) {
  const { resources, cards, terrains } = tables;
  const named = players.map((name) => (/^\d+$/.test(name) ? `Player ${name}` : name));

  function sayCards(counts) {
    const some = counts.flatMap((n, k) => (n > 0 ? [`${n} ${resources[k]}`] : []));
    return [some.slice(0, -1).join(", "), ...some.slice(-1)].filter(Boolean).join(" and ") || "nothing";
  }
  const gained = (before, game, seat) => game.known(seat).map((n, k) => n - before.known[seat][k]);
  function gains(before, game) {
    return named.flatMap((name, seat) => {
      const some = gained(before, game, seat);
      return some.some((n) => n > 0) ? [`${name} gets ${sayCards(some)}`] : [];
    });
  }
  const TELL = {
    ROLL({ outcome: [a, b] }, before, game) {
      const rolled = `rolls ${a} + ${b} = ${a + b}`;
      return a + b === 7 ? `${rolled}: the robber wakes` : `${rolled}: ${gains(before, game).join(", ") || "no cards"}`;
    },
    SETTLEMENT({ seat, action }, before, game) {
      const place = names.corners[action.args[0]];
      if (before.turn) return `builds a settlement at ${place}`;
      const some = gained(before, game, seat);
      return `places a settlement at ${place}${some.some(Boolean) ? ` and gets ${sayCards(some)}` : ""}`;
    },
    CITY: ({ action }) => `builds a city at ${names.corners[action.args[0]]}`,
    ROAD: ({ action }, before) => `${before.turn ? "builds" : "places"} a road ${names.sides[action.args[0]]}`,
    BUY_DEVELOPMENT_CARD: ({ outcome }) => `buys a development card${outcome === HIDDEN ? "" : `: ${cards[outcome]}`}`,
    PLAY_YEAR_OF_PLENTY: ({ seat }, before, game) => `plays year of plenty and takes ${sayCards(gained(before, game, seat))}`,
    PLAY_MONOPOLY({ seat, action, outcome }) {
      const givers = outcome.flatMap((n, other) => (n && other !== seat ? [`${n} from ${named[other]}`] : []));
      const total = outcome.reduce((a, b) => a + b, 0);
      return `plays monopoly on ${resources[action.args[0]]} and ${givers.length ? `takes ${total} (${givers.join(", ")})` : "gets none"}`;
    },
    MOVE_ROBBER(event, before, game) {
      const tile = event.action.args[0], token = game.field.token[tile];
      const moved = `moves the robber to the ${terrains[game.field.terrain[tile]]}${token ? ` of ${token}` : ""}`;
      const victim = victimOf(event, game.seats);
      if (victim === null) return moved;
      if (event.outcome === null) return `${moved}; ${named[victim]} has nothing to steal`;
      return `${moved} and steals ${event.outcome === HIDDEN ? "a card" : `1 ${resources[event.outcome]}`} from ${named[victim]}`;
    },
    DISCARD: ({ action }) => `discards 1 ${resources[action.args[0]]}`,
    BANK_TRADE({ seat, action: { args: [give, get, rate] } }, before, game) {
      return `trades ${rate || game.rates(seat)[give]} ${resources[give]} for 1 ${resources[get]} with the bank`;
    },
    OFFER(event, before, game) {
      const [, give, get] = event.action.args;
      return `offers ${sayCards(give)} to ${named[victimOf(event, game.seats)]} for ${sayCards(get)}`;
    },
    END_TURN: () => "ends the turn", PLAY_KNIGHT: () => "plays a knight", PLAY_ROAD_BUILDING: () => "plays road building",
    ACCEPT: () => "accepts the offer", REJECT: () => "declines the offer",
  };
  function awards(before, game) {
    const held = [["Longest Road", before.longest, game.orNull("longest_road")], ["Largest Army", before.army, game.orNull("largest_army")]];
    return held.map(([name, old, now]) => (old === now ? ""
      : now === null ? `; no player holds ${name} any more` : `; ${named[now]} takes ${name}`)).join("");
  }
  function tell(event, before, game) {
    const line = `${named[event.seat]} ${TELL[event.action.kind](event, before, game)}${awards(before, game)}`;
    return event.winner === null ? line : `${line}. ${named[event.winner]} wins`;
  }
  return { tell, named };
}
