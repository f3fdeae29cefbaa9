/** The reasons for an action, as render/reasons.py gives them; the hints of web/play.py. */
function reasonsOf(table) {
  const { game, names, players, tables } = table, { geometry, resources, cards, deck } = tables;
  const { tiles } = game.board, { seat } = game, seats = [...Array(game.seats).keys()];
  const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const sum = (numbers) => [...numbers].reduce((a, b) => a + b, 0);
  const buildingsOf = (one) => [...game.settlements(one), ...game.cities(one)];
  const tilePips = (tile) => (tiles[tile].token ? 6 - Math.abs(7 - tiles[tile].token) : 0);
  /** The pips of each resource at a corner. */
  function pipsAt(vertex) {
    const found = new Map();
    for (const tile of geometry.vertex_tiles[vertex]) {
      const { terrain } = tiles[tile];
      if (terrain < tables.desert) found.set(terrain, (found.get(terrain) ?? 0) + tilePips(tile));
    }
    return found;
  }
  const allPipsAt = (vertex) => sum(pipsAt(vertex).values());
  function listed(pips) {
    const parts = [...pips].sort(([, a], [, b]) => b - a).map(([resource, n]) => `${n} ${resources[resource]}`);
    return parts.length ? `${counted(sum(pips.values()), "pip")}: ${parts.join(", ")}` : "no pips";
  }
  function ofSettlement([vertex]) {
    const pips = pipsAt(vertex), owned = new Set(buildingsOf(seat).flatMap((one) => [...pipsAt(one).keys()]));
    const added = resources.filter((_, resource) => pips.has(resource) && !owned.has(resource));
    return owned.size && added.length ? `${listed(pips)}; new: ${added.join(", ")}` : listed(pips);
  }
  /** The best free corner that the road reaches, or the one beyond its end. */
  function ofRoad([edge]) {
    const around = (vertex) => geometry.vertex_edges[vertex].flatMap((one) => geometry.edge_vertices[one]);
    const isLand = (vertex) => geometry.vertex_tiles[vertex].some((tile) => tiles[tile].terrain <= tables.desert);
    const built = new Set(seats.flatMap(buildingsOf));
    const mine = new Set(game.roads(seat).flatMap((road) => geometry.edge_vertices[road]));
    const ends = geometry.edge_vertices[edge].filter((vertex) => !mine.has(vertex) && !built.has(vertex));
    const beyond = [...new Set(ends.flatMap(around))].filter((vertex) => !mine.has(vertex)).sort((a, b) => a - b);
    for (const [verb, corners] of [["reaches", ends], ["leads towards", beyond]]) {
      const free = corners.filter((vertex) => isLand(vertex) && !around(vertex).some((near) => built.has(near)));
      if (!free.length) continue;
      const best = free.reduce((a, b) => (allPipsAt(b) > allPipsAt(a) ? b : a));
      return `${verb} ${names.corners[best]}, ${counted(allPipsAt(best), "pip")}`;
    }
    return "reaches no free corner";
  }
  /** The pips that the robber blocks for each seat, and the hand that it steals from. */
  function ofRobber([tile, step]) {
    const corners = new Set(geometry.tile_vertices[tile]), at = (some) => some.filter((vertex) => corners.has(vertex)).length;
    const parts = seats.flatMap((one) => {
      const buildings = at(game.settlements(one)) + 2 * at(game.cities(one));
      return buildings ? [`${players[one]} ${buildings * tilePips(tile)}`] : [];
    });
    const blocked = parts.length ? `blocks pips: ${parts.join(", ")}` : "blocks no buildings";
    if (!step) return blocked;
    const victim = (seat + step) % game.seats;
    return `${blocked}; ${players[victim]} holds ${counted(game.field.hand_size[victim], "card")}`;
  }
  /** The chances of the next card, from those that the seat has not seen. */
  function ofCard() {
    const played = seats.map((one) => game.row("played", one, 4));
    const unseen = deck.map((n, kind) => n - game.row("cards", seat)[kind] - sum(played.map((some) => some[kind] ?? 0)));
    const total = sum(unseen);
    if (!total) return "";
    const parts = ["knight", "victory point"].map((kind) => `${wholeOf(100 * unseen[cards.indexOf(kind)] / total)} % ${kind}`);
    return `${game.field.deck_size[0]} in the deck: ${parts.join(", ")}`;
  }
  function ofMonopoly([resource]) {
    return `others hold at least ${sum(seats.map((one) => (one === seat ? 0 : game.known(one)[resource])))} ${resources[resource]}`;
  }
  const REASONS = {
    SETTLEMENT: ofSettlement, CITY: ([vertex]) => `+${listed(pipsAt(vertex))}`, ROAD: ofRoad, MOVE_ROBBER: ofRobber,
    BUY_DEVELOPMENT_CARD: ofCard, PLAY_MONOPOLY: ofMonopoly,
  };
  /** In the set-up, the flat indices of the free corners with most pips, the best first. */
  function hints() {
    if (game.phase !== "PLACE_SETTLEMENT") return [];
    const corners = game.legal().map((index) => game.action(index)).filter(({ kind }) => kind === "SETTLEMENT");
    const pips = corners.map(({ index, args: [vertex] }) => [index, allPipsAt(vertex)]);
    return pips.sort(([a, m], [b, n]) => n - m || a - b).slice(0, tables.most_hints).map(([index]) => index);
  }
  return { why: ({ kind, args }) => REASONS[kind]?.(args) ?? "", hints };
}
/** The nearest whole number; of two that are equally near, the even one, as Python rounds. */
function wholeOf(x) {
  const low = Math.floor(x), rest = x - low;
  return rest > 0.5 || (rest === 0.5 && low % 2) ? low + 1 : low;
}
