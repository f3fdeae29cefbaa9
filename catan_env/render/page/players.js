/** The players' cards, the bank, and the line that says what has just happened. */
function playersOf(data, sight) {
  const seats = data.players.map((_, seat) => seat);
  const isOver = (frame) => frame.phase === "OVER";
  const isDeciding = (frame, seat) => !isOver(frame) && frame.seat === seat;

  /** A seat's cards as they are seen: counts by resource, and how many are unseen. */
  function handOf(frame, seat) {
    const hand = sight.sees(seat, frame) && frame.hands[seat] ? frame.hands[seat] : frame.known[seat];
    return { hand, unseen: frame.sizes[seat] - sum(hand) };
  }
  /** Development cards by kind, and how many are unseen; victory points are shown at the end. */
  function cardsOf(frame, seat) {
    const cards = sight.sees(seat, frame) ? frame.cards[seat] : null;
    if (cards) return { cards, unseen: 0 };
    const shown = isOver(frame) && frame.cards[seat] ? frame.cards[seat][4] : 0;
    return { cards: [0, 0, 0, 0, shown], unseen: frame.counts[seat] - shown };
  }
  const pointsOf = (frame, seat) => frame.points[seat] + cardsOf(frame, seat).cards[4];

  function chip(resource, n, gain = 0) {
    const node = element("span", { className: n ? "resource" : "resource none", title: `${n} ${RESOURCES[resource]}` },
      picture(`icon-${TERRAINS[resource]}`, "-15 -15 30 30"), String(n));
    node.style.background = TINTS[resource];
    node.dataset.resource = RESOURCES[resource];
    if (gain > 0) node.dataset.gain = `+${gain}`;
    return node;
  }

  const ROAD = "M2 15.500L15.500 2l2.500 2.500L4.500 18z", KNIGHT = "M5 18v-4l3-2-4-2 1-4 5-4 5 3 1 6-2 7z";
  function mark(kind, n, isHeld, title) {
    const node = element("span", { className: `mark-of ${kind}${isHeld ? " held" : ""}`, title },
      drawn("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, drawn("path", { d: kind === "road" ? ROAD : KNIGHT })),
      String(n));
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", title);
    return node;
  }
  function nameLine({ seat, points, isDeciding, isWinner, isGone, trail, hasRoad, knights, hasArmy }) {
    const who = element("div", { className: "who" }, element("b", { textContent: data.players[seat], title: data.players[seat] }));
    const badge = (text, className) => who.append(element("span", { className: `badge ${className}`, textContent: text }));
    if (isWinner) badge("winner", "gold");
    else if (isGone) badge("left", "plain");
    else if (isDeciding) badge("decides", "now");
    return element("div", { className: "name" }, picture(`settlement-${seat}`, "-20 -20 40 40"), who,
      mark("road", trail, hasRoad, `${hasRoad ? "Longest Road: " : "longest trail: "}${counted(trail, "road")}`),
      mark("knight", knights, hasArmy, `${hasArmy ? "Largest Army: " : ""}${counted(knights, "knight")} played`),
      element("span", { className: "points", title: "victory points" }, String(points),
        element("small", { textContent: ` / ${data.goal}` })));
  }
  function bar(points) {
    const node = element("div", { className: "bar" }, element("i"));
    node.firstChild.style.width = `${Math.min(100, 100 * points / data.goal)}%`;
    node.style.setProperty("--goal", data.goal);
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", `${points} of ${data.goal} points`);
    return node;
  }
  function cardLine({ size, held, played }) {
    const times = (n) => (n > 1 ? ` ×${n}` : "");
    const card = (text, className = "card") => element("span", { className, textContent: text });
    const line = element("div", { className: "cards" }, element("span", { className: "quiet", textContent: `${size} in hand` }));
    held.cards.forEach((n, kind) => { if (n) line.append(card(CARDS[kind] + times(n))); });
    if (held.unseen) line.append(card(counted(held.unseen, "development card"), "card unseen-cards"));
    played.forEach((n, kind) => {
      if (n && kind) line.append(card(`played ${CARDS[kind]}${times(n)}`, "card played"));
    });
    return line;
  }

  function handLine({ hand, gains, unseen, unseenGain }) {
    const line = element("div", { className: "hand" }, ...hand.map((n, k) => chip(k, n, gains[k])));
    if (unseen) {
      const node = element("span", { className: "resource unseen", title: "cards unseen", textContent: `? ${unseen}` });
      if (unseenGain) node.dataset.gain = `+${unseenGain}`;
      line.append(node);
    }
    return line;
  }

  /** What each line of a seat's box shows, and what makes it. */
  function linesOf(frame, before, seat) {
    const { hand, unseen } = handOf(frame, seat), size = frame.sizes[seat];
    const isComparable = before && sight.sees(seat, before) === sight.sees(seat, frame); // not where cards are revealed
    const had = isComparable ? handOf(before, seat) : { hand, unseen };
    const points = pointsOf(frame, seat), played = frame.played[seat];
    const gains = hand.map((n, k) => Math.max(n - had.hand[k], 0));
    const unseenGain = isComparable && size > before.sizes[seat] ? Math.max(unseen - had.unseen, 0) : 0;
    return [
      [nameLine, {
        seat, points, isDeciding: isDeciding(frame, seat), isWinner: frame.winner === seat, isGone: frame.gone.includes(seat),
        trail: frame.lengths[seat], hasRoad: frame.longest === seat, knights: played[0], hasArmy: frame.army === seat,
      }],
      [bar, points],
      [handLine, { hand, gains, unseen, unseenGain }],
      [cardLine, { size, held: cardsOf(frame, seat), played }],
    ];
  }
  function classesOf(frame, seat) {
    const classes = ["player"];
    if (seat === frame.on && !isOver(frame)) classes.push("on");
    if (isDeciding(frame, seat)) classes.push("deciding");
    if (frame.gone.includes(seat)) classes.push("gone");
    if (data.colours[seat] === WHITE) classes.push("white");
    if (data.colours[seat] === BLACK) classes.push("black");
    return classes.join(" ");
  }
  const bankLine = ({ bank, deck }) => element("div", { id: "bank" },
    element("span", { className: "quiet", textContent: "Bank" }), ...bank.map((n, k) => chip(k, n)),
    element("span", { className: "quiet", textContent: `deck ${deck}` }));

  /** Have a node show these facts; it is made anew only where they are others than it showed. */
  const shown = new Map();
  function show(node, facts, make) {
    const text = JSON.stringify(facts);
    if (shown.get(node) === text) return;
    shown.set(node, text);
    become(node, make(facts));
  }
  const boxes = seats.map((seat) => {
    const box = element("div", {}, ...Array.from({ length: 4 }, () => element("div")));
    box.dataset.seat = seat;
    box.style.setProperty("--seat", data.colours[seat]);
    return box;
  });
  $("players").replaceChildren(...boxes);
  function draw(frame, before) {
    for (const seat of seats) {
      set(boxes[seat], "class", classesOf(frame, seat));
      linesOf(frame, before, seat).forEach(([make, facts], k) => show(boxes[seat].children[k], facts, make));
    }
    show($("bank"), { bank: frame.bank, deck: frame.deck }, bankLine);
  }

  // What has just happened

  const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
  const die = (n) => drawn("svg", { viewBox: "0 0 32 32" },
    drawn("rect", { x: 1, y: 1, width: 30, height: 30, rx: 6, fill: "#fffdf8", stroke: "#2b2a33", "stroke-width": 1.5 }),
    ...PIPS[n].map((k) => drawn("circle", { cx: 8 + 8 * (k % 3), cy: 8 + 8 * Math.floor(k / 3), r: 2.8, fill: "#2b2a33" })));
  const WAITS = {
    PLACE_SETTLEMENT: "to place a settlement", PLACE_ROAD: "to place a road", ROLL: "to roll",
    DISCARD: "to discard", ROBBER: "to move the robber", FREE_ROAD: "to lay a free road",
    MAIN: "to build and trade", ANSWER: "to answer", OVER: "",
  };
  function drawNow(frame, isFirst, textOf, lesson) {
    const lines = frame.log.filter((line) => line.seat !== undefined);
    const line = lines[lines.length - 1];
    const text = line ? textOf(line) : isFirst ? `${data.players[frame.seat]} ${WAITS[frame.phase]}` : "";
    setText($("headline"), text);
    set($("headline"), "title", text);
    setText($("lesson"), lesson);
    $("lesson").hidden = !lesson;
    setText($("turn"), (frame.turn ? `Turn ${frame.turn}` : "Set-up")
      + (isOver(frame) ? ", over" : isFirst && !line ? "" : `, ${data.players[frame.seat]} ${WAITS[frame.phase]}`));
    show($("dice"), (frame.roll && frame.dice) || [], (dice) => {
      const label = dice.length ? `Dice: ${dice[0]} and ${dice[1]}` : "Not rolled yet";
      return element("span", { id: "dice", role: "img", ariaLabel: label }, ...dice.map(die));
    });
  }
  return { handOf, pointsOf, draw, drawNow };
}
