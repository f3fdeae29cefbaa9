/** Dice that tumble, cards that fly and a robber that walks, whenever one step follows another. */
function motionOf(data, handOf) {
  const seats = data.players.map((_, seat) => seat);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const LENGTH = 650, SOONEST = 180, MOST_CARDS = 16; // milliseconds, milliseconds, cards at a time
  let shown = 0, since = 0;

  const middle = (node) => {
    const box = node?.getBoundingClientRect();
    return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
  };
  function onBoard(tile) {
    const { x, y } = new DOMPoint(...data.tiles[tile]).matrixTransform($("pieces").getScreenCTM());
    return [x, y];
  }
  const atBank = () => middle($("bank"));
  /** Where a seat's cards of a resource are; without one, its other cards. */
  function atSeat(seat, resource) {
    const own = data.viewer === seat && resource !== null ? document.querySelectorAll("#own-hand .own-card")[resource] : null;
    const box = document.querySelector(`#players [data-seat="${seat}"]`);
    return middle(own) ?? middle(box.querySelector(`[data-resource="${RESOURCES[resource]}"]`)) ?? middle(box);
  }
  /** The tile that has just paid a seat that resource. */
  function source(frame, seat, resource) {
    const corners = [...frame.settlements[seat], ...frame.cities[seat]].map((vertex) => data.vertices[vertex]);
    const tile = data.tiles.findIndex(([x, y], k) => data.tokens[k] === frame.roll && k !== frame.robber
      && data.terrains[k] === TERRAINS[resource] && corners.some(([cx, cy]) => Math.hypot(cx - x, cy - y) < REACH));
    return tile < 0 ? null : onBoard(tile);
  }
  /** The changes of all hands by resource, and of unseen cards last. */
  function changes(frame, before) {
    return seats.map((seat) => {
      const [now, had] = [handOf(frame, seat), handOf(before, seat)];
      return [...now.hand.map((n, k) => n - had.hand[k]), now.unseen - had.unseen];
    });
  }
  /** Where cards go in this step: [resource or null, from, to], one entry per card. */
  function journeys(frame, before, isRoll) {
    const moved = changes(frame, before), found = [];
    moved[0].forEach((_, k) => {
      const resource = k < RESOURCES.length ? k : null;
      const givers = seats.flatMap((seat) => Array(Math.max(-moved[seat][k], 0)).fill(seat));
      for (const seat of seats) for (let n = 0; n < moved[seat][k]; n++) {
        const giver = givers.shift();
        const from = giver !== undefined ? atSeat(giver, resource) : isRoll && resource !== null ? source(frame, seat, resource) : null;
        found.push([resource, from ?? atBank(), atSeat(seat, resource)]);
      }
      for (const giver of givers) found.push([resource, atSeat(giver, resource), atBank()]);
    });
    for (const seat of seats) if (frame.counts[seat] > before.counts[seat]) found.push([null, atBank(), atSeat(seat, null)]);
    return found.filter(([, from, to]) => from && to).slice(0, MOST_CARDS);
  }
  function fly([resource, from, to], k) {
    const card = element("i", { className: "flying" }, ...(resource === null ? [] : [picture(`icon-${TERRAINS[resource]}`, "-15 -15 30 30")]));
    card.setAttribute("aria-hidden", "true");
    if (resource !== null) card.style.background = TINTS[resource];
    document.body.append(card);
    const at = ([x, y]) => `translate(${x - 13}px, ${y - 17}px)`;
    const flight = card.animate([{ transform: at(from), opacity: .4 }, { opacity: 1, offset: .25 }, { transform: at(to), opacity: .9 }],
      { duration: LENGTH, delay: 40 * k, easing: "ease-in-out", fill: "backwards" });
    flight.onfinish = flight.oncancel = () => card.remove();
  }
  function walk(from, to) {
    const robber = document.querySelector("[data-robber]"), path = robber.getAttribute("transform");
    const [x, y] = [data.tiles[from][0] - data.tiles[to][0], data.tiles[from][1] - data.tiles[to][1]];
    const goal = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(path).slice(1).map(Number);
    robber.animate([{ transform: `translate(${goal[0] + x}px, ${goal[1] + y}px)` }, { transform: `translate(${goal[0]}px, ${goal[1]}px)` }],
      { duration: LENGTH, easing: "ease-in-out" });
  }
  function tumble() {
    for (const [k, die] of [...$("dice").querySelectorAll("svg")].entries())
      die.animate([{ transform: `translateY(-26px) rotate(${k ? 400 : -540}deg) scale(.5)` }, { transform: "none" }],
        { duration: LENGTH, easing: "cubic-bezier(.2, .9, .3, 1.15)" });
  }

  /** Show what has just happened, if it is the next step and steps do not follow too fast. */
  function show(frame, before, step) {
    const isNext = step === shown + 1, now = performance.now(), isSlow = now - since > SOONEST;
    shown = step;
    since = now;
    if (!isNext || !isSlow || !before || calm.matches || document.hidden) return;
    const isRoll = frame.log.some((line) => line.kind === "ROLL");
    if (isRoll) tumble();
    if (frame.robber !== before.robber) walk(before.robber, frame.robber);
    journeys(frame, before, isRoll).forEach(fly);
  }
  return { show };
}
