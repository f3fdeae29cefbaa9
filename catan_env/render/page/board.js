/** The pieces on the board, the new ones among them, and the position as text. */
function boardOf(data) {
  const seats = data.players.map((_, seat) => seat);
  const place = (kind, number) => (kind === "road" ? data.edges[number] : [...data.vertices[number], 0]);
  const standing = (tile) => [data.tiles[tile][0] + (data.tokens[tile] ? -37 : 0), data.tiles[tile][1]];

  const PLURAL = { road: "roads", settlement: "settlements", city: "cities" };
  const isBuilt = (frame, kind, seat, number) => frame[PLURAL[kind]][seat].includes(number);
  const pieces = (frame, kinds) => kinds.flatMap((kind) =>
    seats.flatMap((seat) => frame[PLURAL[kind]][seat].map((number) => [kind, seat, number])));

  function piece([kind, seat, number]) {
    const node = shape(`${kind}-${seat}`, ...place(kind, number));
    Object.assign(node.dataset, { piece: [kind, seat, number], seat, [kind === "road" ? "edge" : "vertex"]: number });
    return node;
  }
  /** A ring around a place: that of a new piece, or of one that would have been better. */
  function ring(kind, number, className) {
    const [x, y, angle] = place(kind, number);
    return kind === "road"
      ? drawn("rect", { x: -33, y: -14, width: 66, height: 28, rx: 14, class: className, transform: `translate(${x} ${y}) rotate(${angle})` })
      : drawn("circle", { cx: x, cy: y, r: kind === "city" ? 29 : 24, class: className });
  }
  /** The robber's path, as an arrow that stops short of it. */
  function way(from, to) {
    const [[x1, y1], [x2, y2]] = [standing(from), standing(to)];
    const length = Math.hypot(x2 - x1, y2 - y1), share = (length - 30) / length;
    const angle = Math.atan2(y2 - y1, x2 - x1) * 180 / Math.PI;
    const [x, y] = [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
    return drawn("g", { class: "way", "aria-hidden": "true" },
      drawn("line", { x1, y1, x2: x, y2: y }),
      drawn("path", { d: "M6 0L-12 -9L-12 9z", transform: `translate(${x} ${y}) rotate(${angle})` }));
  }

  let shown = {}; // the frame that is on the board
  function draw(frame, before, lesson) {
    const fresh = before ? pieces(frame, Object.keys(PLURAL)).filter((one) => !isBuilt(before, ...one)) : [];
    const rings = fresh.map(([kind, , number]) => ring(kind, number, "halo-of-new"));
    if (before && before.robber !== frame.robber) rings.push(way(before.robber, frame.robber));
    fill(layers.below, rings);
    fill(layers.above, lesson ? better(lesson) : []);
    if (frame.robber !== shown.robber) fill(layers.robber, [robberOn(frame.robber)]);
    // Frames share what did not change between them.
    if (frame.roads !== shown.roads) stand(layers.roads, pieces(frame, ["road"]));
    if (frame.settlements !== shown.settlements || frame.cities !== shown.cities)
      stand(layers.buildings, pieces(frame, ["settlement", "city"]));
    for (const token of tokens) lightUp(frame, token);
    shown = frame;
  }
  const layers = {};
  for (const name of ["below", "robber", "roads", "buildings", "above"]) layers[name] = drawn("g");
  $("pieces").replaceChildren(...Object.values(layers));

  function robberOn(tile) {
    const node = shape("robber", ...standing(tile));
    node.dataset.robber = tile;
    return node;
  }
  function fill(layer, nodes) {
    if (nodes.length || layer.firstChild) layer.replaceChildren(...nodes);
  }
  /** Show exactly these pieces in a layer; those already there are left untouched. */
  function stand(layer, some) {
    const wanted = new Map(some.map((one) => [String(one), one]));
    for (const node of [...layer.children]) if (!wanted.delete(node.dataset.piece)) node.remove();
    layer.append(...[...wanted.values()].map(piece));
  }
  function better({ kind, args }) {
    const name = { SETTLEMENT: "settlement", CITY: "city", ROAD: "road" }[kind];
    if (name) return [ring(name, args[0], "better")];
    if (kind !== "MOVE_ROBBER") return [];
    const [cx, cy] = data.tiles[args[0]];
    return [drawn("circle", { cx, cy, r: 44, class: "better" })];
  }

  const tokens = [...document.querySelectorAll("[data-on]")].map((node) => {
    const number = Number(node.dataset.on);
    return { number, disc: node.querySelector("circle") };
  });
  function lightUp(frame, { number, disc }) {
    const isBlocked = number === frame.robber;
    const isLit = data.tokens[number] === frame.roll && !isBlocked;
    set(disc, "fill", isBlocked ? "#cdc7bb" : "#fbf7ee");
    set(disc, "stroke", "#f2b632");
    set(disc, "stroke-width", isLit ? 6 : 0);
  }

  // As text

  const corner = (vertex) => data.corners[vertex];
  const listed = (noun, some) => (some.length ? `${noun}: ${some.join("; ")}. ` : "");

  /** The position as sentences: one for the board, one for each seat. */
  function words(frame, hands, pointsOf) {
    const lines = [`The robber is at ${data.tile_names[frame.robber]}. `
      + `The bank holds ${inWords(frame.bank)}, the deck ${counted(frame.deck, "card")}.`];
    for (const seat of seats) {
      const { hand, unseen } = hands[seat];
      lines.push(`${data.players[seat]}: ${counted(pointsOf(seat), "point")}. Hand: ${inWords(hand)}`
        + `${unseen ? ` and ${counted(unseen, "card")} unseen` : ""}. `
        + listed("Settlements", frame.settlements[seat].map(corner)) + listed("Cities", frame.cities[seat].map(corner))
        + listed("Roads", frame.roads[seat].map((edge) => data.sides[edge]))
        + `Longest trail ${frame.lengths[seat]}, knights played ${frame.played[seat][0]}.`);
    }
    return lines;
  }
  return { draw, words };
}
