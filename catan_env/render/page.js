"use strict";

/** The page over `data`: the board, the players, the log and the curves, moved to and fro. */
function openPage(data) {
  const RESOURCES = ["brick", "grain", "lumber", "ore", "wool"];
  const TERRAINS = ["hills", "fields", "forest", "mountains", "pasture"];
  const TINTS = ["#e8b294", "#f6e19b", "#a5cda9", "#ccd1d8", "#d5ecb2"];
  const CARDS = ["knight", "road building", "year of plenty", "monopoly", "victory point"];
  const SVG = "http://www.w3.org/2000/svg";
  const EVERYTHING = -1;
  const $ = (id) => document.getElementById(id);
  const seats = data.players.map((_, seat) => seat);

  // A step says only what changed: put together, frame k is the whole position after step k.
  const frames = [];
  let last = 0, turns = 0;
  let starts = []; // the first frame of each turn; of turn 0, the set-up
  function putTogether(from) {
    frames.length = from;
    for (const step of data.steps.slice(from)) frames.push({ ...frames[frames.length - 1], ...step });
    last = frames.length - 1;
    turns = frames[last].turn;
    starts = [];
    frames.forEach((frame, k) => { starts[frame.turn] ??= k; });
    // A record that begins after the placing has no frame of turn 0.
    for (let turn = 0; turn <= turns; turn++) starts[turn] ??= turn ? starts[turn - 1] : 0;
  }
  putTogether(0);

  let at = 0, sight = data.viewer === null ? EVERYTHING : data.viewer, timer = null;

  function element(name, properties = {}, ...children) {
    const node = Object.assign(document.createElement(name), properties);
    node.append(...children);
    return node;
  }
  function drawn(name, attributes, ...children) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }
  const shape = (id, x, y, angle = 0) => drawn("use", {
    href: `#catan-${id}`, transform: `translate(${x} ${y}) rotate(${angle})`,
  });
  const picture = (id, box) => drawn("svg", { viewBox: box, "aria-hidden": "true" }, shape(id, 0, 0));

  // What is shown

  const isLaidOpen = (frame) => data.live && frame.phase === "OVER";
  const sees = (seat, frame) => sight === EVERYTHING || sight === seat || isLaidOpen(frame);
  const textOf = (line) =>
    line.seers === undefined || sight === EVERYTHING || line.seers.includes(sight)
      ? line.text : line.others;
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

  /** A seat's cards as they are seen: counts by resource, and how many are unseen. */
  function handOf(frame, seat) {
    const hand = sees(seat, frame) && frame.hands[seat] ? frame.hands[seat] : frame.known[seat];
    return { hand, unseen: frame.sizes[seat] - sum(hand) };
  }
  function cardsOf(frame, seat) {
    const cards = sees(seat, frame) ? frame.cards[seat] : null;
    return { cards, unseen: cards ? 0 : frame.counts[seat] };
  }
  function pointsOf(frame, seat) {
    const { cards } = cardsOf(frame, seat);
    return frame.points[seat] + (cards ? cards[4] : 0);
  }

  function drawBoard(frame) {
    const pieces = [], before = frames[Math.max(at - 1, 0)];
    const isNew = ({ seat, edge, vertex, robber, city }) => (robber !== undefined ? before.robber !== robber
      : edge !== undefined ? !before.roads[seat].includes(edge)
      : !before[city ? "cities" : "settlements"][seat].includes(vertex));
    const put = (id, x, y, angle, about) => {
      const node = shape(id, x, y, angle);
      Object.assign(node.dataset, about);
      if (at && isNew(about)) node.classList.add("new");
      pieces.push(node);
    };
    const tile = data.tiles[frame.robber];
    put("robber", tile[0] + (data.tokens[frame.robber] ? -37 : 0), tile[1], 0, { robber: frame.robber });
    for (const seat of seats)
      for (const edge of frame.roads[seat]) put(`road-${seat}`, ...data.edges[edge], { seat, edge });
    for (const seat of seats) {
      for (const vertex of frame.settlements[seat])
        put(`settlement-${seat}`, ...data.vertices[vertex], 0, { seat, vertex });
      for (const vertex of frame.cities[seat])
        put(`city-${seat}`, ...data.vertices[vertex], 0, { seat, vertex, city: true });
    }
    $("pieces").replaceChildren(...pieces);
    for (const token of document.querySelectorAll("[data-on]")) {
      const number = Number(token.dataset.on), disc = token.querySelector("circle");
      const isBlocked = number === frame.robber;
      const isLit = data.tokens[number] === frame.roll && !isBlocked;
      disc.setAttribute("fill", isBlocked ? "#cdc7bb" : "#fbf7ee");
      disc.setAttribute("stroke", "#f2b632");
      disc.setAttribute("stroke-width", isLit ? 6 : 0);
    }
  }

  const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
  const die = (n) => drawn("svg", { viewBox: "0 0 32 32" },
    drawn("rect", { x: 1, y: 1, width: 30, height: 30, rx: 6, fill: "#fffdf8", stroke: "#2b2a33", "stroke-width": 1.5 }),
    ...PIPS[n].map((k) => drawn("circle", { cx: 8 + 8 * (k % 3), cy: 8 + 8 * Math.floor(k / 3), r: 2.8, fill: "#2b2a33" })));

  const WAITS = {
    PLACE_SETTLEMENT: "to place a settlement", PLACE_ROAD: "to place a road", ROLL: "to roll",
    DISCARD: "to discard", ROBBER: "to move the robber", FREE_ROAD: "to lay a free road",
    MAIN: "to build and trade", ANSWER: "to answer", OVER: "",
  };
  function drawNow(frame) {
    const lines = frame.log.filter((line) => line.seat !== undefined);
    const line = lines[lines.length - 1];
    $("headline").textContent = line ? textOf(line)
      : at === 0 ? `${data.players[frame.seat]} ${WAITS[frame.phase]}` : "";
    const isOver = frame.phase === "OVER";
    $("turn").textContent = (frame.turn ? `Turn ${frame.turn}` : "Set-up")
      + (isOver ? ", over" : `, ${data.players[frame.seat]} ${WAITS[frame.phase]}`);
    const dice = frame.roll ? frame.dice : null;
    $("dice").replaceChildren(...(dice ? dice.map(die) : []));
    $("dice").setAttribute("aria-label", dice ? `Dice: ${dice[0]} and ${dice[1]}` : "Not rolled yet");
  }

  function chip(resource, n) {
    const node = element("span", { className: n ? "resource" : "resource none", title: `${n} ${RESOURCES[resource]}` },
      picture(`icon-${TERRAINS[resource]}`, "-15 -15 30 30"), String(n));
    node.style.background = TINTS[resource];
    node.dataset.resource = RESOURCES[resource];
    return node;
  }

  function drawPlayer(frame, seat) {
    const { hand, unseen } = handOf(frame, seat);
    const held = cardsOf(frame, seat);
    const classes = ["player"];
    if (seat === frame.on && frame.phase !== "OVER") classes.push("on");
    if (frame.gone.includes(seat)) classes.push("gone");
    if (data.colours[seat] === "#ffffff") classes.push("white");
    const box = element("div", { className: classes.join(" ") });
    box.dataset.seat = seat;
    box.style.setProperty("--seat", data.colours[seat]);
    const who = element("div", { className: "who" }, element("b", { textContent: data.players[seat] }));
    const name = element("div", { className: "name" }, picture(`settlement-${seat}`, "-20 -20 40 40"), who);
    const badge = (text, plain) => who.append(
      element("span", { className: plain ? "badge plain" : "badge", textContent: text }));
    if (frame.winner === seat) badge("winner");
    if (frame.gone.includes(seat)) badge("left", true);
    if (frame.longest === seat) badge(`Longest Road ${frame.lengths[seat]}`);
    if (frame.army === seat) badge(`Largest Army ${frame.played[seat][0]}`);
    const points = pointsOf(frame, seat);
    name.append(element("span", { className: "points", title: "victory points" }, String(points),
      element("small", { textContent: points === 1 ? " point" : " points" })));
    const cards = element("div", { className: "hand" }, ...hand.map((n, k) => chip(k, n)));
    if (unseen) cards.append(element("span", { className: "resource unseen", title: "cards unseen", textContent: `? ${unseen}` }));
    cards.append(element("span", { className: "quiet", textContent: `${frame.sizes[seat]} in hand` }));
    box.append(name, cards);
    const rest = element("div", { className: "cards" });
    const times = (n) => (n > 1 ? ` ×${n}` : "");
    if (held.cards) held.cards.forEach((n, kind) => {
      if (n) rest.append(element("span", { className: "card", textContent: CARDS[kind] + times(n) }));
    });
    if (held.unseen) rest.append(element("span", { className: "card", textContent: `${held.unseen} development card${held.unseen > 1 ? "s" : ""}` }));
    frame.played[seat].forEach((n, kind) => {
      if (n) rest.append(element("span", { className: "card played", textContent: `played ${CARDS[kind]}${times(n)}` }));
    });
    if (frame.longest !== seat && frame.lengths[seat]) rest.append(element("span", { className: "quiet", textContent: `road ${frame.lengths[seat]}` }));
    if (rest.childNodes.length) box.append(rest);
    return box;
  }

  function drawPlayers(frame) {
    $("players").replaceChildren(...seats.map((seat) => drawPlayer(frame, seat)));
    $("bank").replaceChildren(element("span", { className: "quiet", textContent: "Bank" }),
      ...frame.bank.map((n, k) => chip(k, n)),
      element("span", { className: "quiet", textContent: `deck ${frame.deck}` }));
  }

  // The log: written once for each sight, the lines of later steps hidden.
  let lines = [], written = 0;
  function writeLog() {
    lines = [];
    written = 0;
    frames.forEach((frame, k) => {
      for (const line of data.steps[k].log) lines.push(logLine(k, line));
      if (frame.turn && starts[frame.turn] === k && frame.phase !== "OVER")
        lines.push(logItem(k, `Turn ${frame.turn}: ${data.players[frame.on]}`, "head"));
    });
    $("log").replaceChildren(...lines);
  }
  function logItem(step, textContent, className) {
    const node = element("li", { textContent, className, hidden: true });
    node.dataset.step = step;
    return node;
  }
  function logLine(step, line) {
    if (line.seat === undefined)
      return logItem(step, line.by === "A" ? line.text : `${line.by}: ${line.text}`, "chat");
    const node = logItem(step, textOf(line), "");
    node.style.setProperty("--seat", data.colours[line.seat]);
    return node;
  }
  function drawLog() {
    const stepOf = (k) => Number(lines[k].dataset.step);
    for (const node of $("log").querySelectorAll(".here")) node.classList.remove("here");
    while (written < lines.length && stepOf(written) <= at) lines[written++].hidden = false;
    while (written > 0 && stepOf(written - 1) > at) lines[--written].hidden = true;
    for (let k = written - 1; k >= 0 && stepOf(k) === at; k--)
      if (lines[k].className !== "head") lines[k].classList.add("here");
    $("log").scrollTop = $("log").scrollHeight;
  }
  $("log").addEventListener("click", (event) => {
    const line = event.target.closest("li");
    if (line) { pause(); go(Number(line.dataset.step)); }
  });

  // Curves: one line a seat over all steps, and where we are.

  const CURVES = [
    ["points", "Victory points", pointsOf],
    ["hand", "Cards in hand", (frame, seat) => frame.sizes[seat]],
    ["income", "Cards from tiles, in all", (frame, seat) => frame.income[seat]],
  ];
  const WIDTH = 400, HEIGHT = 150, LEFT = 26, BOTTOM = 16;
  const cursors = [];
  function drawCurves() {
    cursors.length = 0;
    $("curves").replaceChildren(...CURVES.map(([id, name, value]) => drawCurve(id, name, value)));
  }
  function drawCurve(id, name, value) {
    const values = seats.map((seat) => frames.map((frame) => value(frame, seat)));
    const most = Math.max(1, ...values.map((line) => Math.max(...line)));
    const x = (k) => LEFT + (last ? k / last : 0) * (WIDTH - LEFT - 6);
    const y = (n) => HEIGHT - BOTTOM - (n / most) * (HEIGHT - BOTTOM - 8);
    const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": name });
    const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => most / n <= 5) || 1000;
    for (let n = 0; n <= most; n += steps) {
      svg.append(drawn("line", { x1: LEFT, x2: WIDTH - 6, y1: y(n), y2: y(n), class: "grid" }),
        drawn("text", { x: LEFT - 5, y: y(n) + 4, "text-anchor": "end", "font-size": 11, class: "mark" }, String(n)));
    }
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => turns / n <= 6) || 1000;
    for (let turn = every; turn <= turns; turn += every)
      svg.append(drawn("text", { x: x(starts[turn]), y: HEIGHT - 3, "text-anchor": "middle", "font-size": 11, class: "mark" }, String(turn)));
    for (const seat of seats) {
      let path = "", before = null;
      values[seat].forEach((n, k) => {
        if (n !== before || k === last) path += `${path ? `H${x(k).toFixed(1)}V` : `M${x(k).toFixed(1)} `}${y(n).toFixed(1)}`;
        before = n;
      });
      const colour = data.colours[seat];
      svg.append(drawn("path", { d: path, fill: "none", class: colour === "#ffffff" ? "halo white" : "halo", "stroke-width": 4.2 }));
      svg.append(drawn("path", { d: path, fill: "none", stroke: colour, "stroke-width": 2.2, "stroke-linejoin": "round" }));
    }
    const cursor = drawn("line", { y1: 0, y2: HEIGHT - BOTTOM, stroke: "#c0261c", "stroke-width": 1.5 });
    svg.append(cursor);
    cursors.push([cursor, x]);
    const seek = (event) => {
      const box = svg.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - 6);
      pause();
      go(Math.round(share * last));
    };
    svg.addEventListener("pointerdown", seek);
    svg.addEventListener("pointermove", (event) => { if (event.buttons) seek(event); });
    const figure = element("figure", {}, element("figcaption", {}, name, element("span", { textContent: "by turn" })), svg);
    figure.dataset.curve = id;
    return figure;
  }

  // Moving

  function show() {
    const frame = frames[at];
    drawBoard(frame);
    drawNow(frame);
    drawPlayers(frame);
    drawLog();
    for (const [cursor, x] of cursors) { cursor.setAttribute("x1", x(at)); cursor.setAttribute("x2", x(at)); }
    $("scrub").value = at;
    $("scrub").setAttribute("aria-valuetext", `${$("turn").textContent}, step ${at} of ${last}`);
    if (document.activeElement !== $("jump-to")) $("jump-to").value = frame.turn;
    for (const id of ["first", "back", "turn-back"]) $(id).disabled = at === 0;
    for (const id of ["last", "forward", "turn-on"]) $(id).disabled = at === last;
  }
  function go(step) {
    at = Math.min(Math.max(step, 0), last);
    if (at === last) pause();
    show();
  }
  function goTurn(turn) { go(starts[Math.min(Math.max(turn, 0), turns)]); }
  function turnBack() {
    const { turn } = frames[at];
    goTurn(at > starts[turn] ? turn : turn - 1);
  }
  function turnOn() {
    const { turn } = frames[at];
    if (turn === turns) go(last); else goTurn(turn + 1);
  }

  function play() {
    if (timer !== null) return;
    if (at === last) go(0);
    timer = setInterval(() => go(at + 1), 1000 / Number($("speed").value));
    drawPlay();
  }
  function pause() {
    clearInterval(timer);
    timer = null;
    drawPlay();
  }
  const PLAY = "M7 4v16l13-8z", PAUSE = "M6 4h4v16H6zM14 4h4v16h-4z";
  function drawPlay() {
    const isPlaying = timer !== null;
    $("play").querySelector("path").setAttribute("d", isPlaying ? PAUSE : PLAY);
    $("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }
  const toggle = () => (timer === null ? play() : pause());
  function setSpeed(step) {
    const { options, selectedIndex } = $("speed");
    $("speed").selectedIndex = Math.min(Math.max(selectedIndex + step, 0), options.length - 1);
    if (timer !== null) { pause(); play(); }
  }
  function setSight(value) {
    if (![...$("sight").options].some((option) => Number(option.value) === value)) return;
    sight = value;
    $("sight").value = value;
    writeLog();
    drawCurves();
    show();
  }

  const byHand = (move) => () => { pause(); move(); };
  $("first").onclick = byHand(() => go(0));
  $("last").onclick = byHand(() => go(last));
  $("back").onclick = byHand(() => go(at - 1));
  $("forward").onclick = byHand(() => go(at + 1));
  $("turn-back").onclick = byHand(turnBack);
  $("turn-on").onclick = byHand(turnOn);
  $("play").onclick = toggle;
  $("scrub").oninput = () => { pause(); go(Number($("scrub").value)); };
  $("speed").onchange = () => setSpeed(0);
  $("sight").onchange = () => setSight(Number($("sight").value));
  $("jump").onsubmit = (event) => {
    event.preventDefault();
    pause();
    $("jump-to").blur();
    goTurn(Math.round(Number($("jump-to").value)) || 0);
  };

  const KEYS = {
    " ": toggle, Home: byHand(() => go(0)), End: byHand(() => go(last)),
    ArrowLeft: byHand(() => go(at - 1)), ArrowRight: byHand(() => go(at + 1)),
    "Shift+ArrowLeft": byHand(turnBack), "Shift+ArrowRight": byHand(turnOn),
    "+": () => setSpeed(1), "=": () => setSpeed(1), "-": () => setSpeed(-1),
    0: () => setSight(EVERYTHING), 1: () => setSight(0), 2: () => setSight(1),
    3: () => setSight(2), 4: () => setSight(3),
  };
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.id === "jump-to" || target.tagName === "SELECT" || target.closest("#choices")) return;
    if (target.classList.contains("choice")) return;
    const isArrow = event.key.startsWith("Arrow");
    const move = KEYS[event.shiftKey && isArrow ? `Shift+${event.key}` : event.key];
    if (!move) return;
    event.preventDefault();
    move();
  });
  document.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target.tagName === "BUTTON") event.preventDefault();
  });

  const sights = data.viewer === null
    ? data.live ? [[EVERYTHING, "what all saw"]] : [[EVERYTHING, "everything"], ...seats.map((seat) => [seat, `what ${data.players[seat]} knew`])]
    : [[data.viewer, `what ${data.players[data.viewer]} knew`]];
  $("sight").replaceChildren(...sights.map(([value, text]) => element("option", { value, textContent: text })));
  measure();
  setSight(sight);

  /** How far the scrubber and the turns go. */
  function measure() {
    $("scrub").max = last;
    $("jump-to").max = turns;
    $("turns").textContent = `of ${turns}`;
  }

  let redrawing = null; // curves are drawn anew when the page is idle
  function redrawCurves() {
    redrawing ??= setTimeout(() => { redrawing = null; drawCurves(); show(); }, 400);
  }

  /** Take the first `count` steps of `data.steps` as known, and the rest as new; follow the end. */
  function grow(count) {
    const isFollowing = at >= last;
    putTogether(Math.min(count, frames.length));
    measure();
    writeLog();
    if (isFollowing || at > last) at = last;
    show();
    redrawCurves();
  }

  /** For whoever drives the page from outside: where it is, and what it knows there. */
  const page = {
    element, drawn, picture, RESOURCES, TERRAINS, TINTS, data, grow,
    get live() { return frames[last]; },
    get step() { return at; }, get last() { return last; }, get turns() { return turns; },
    get frame() { return frames[at]; }, get sight() { return sight; },
    get isPlaying() { return timer !== null; }, go, goTurn,
  };
  document.documentElement.dataset.ready = Math.round(performance.now());
  return page;
}
