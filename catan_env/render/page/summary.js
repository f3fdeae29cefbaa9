/** What decided a game that is over: its turning point, each seat's luck, trades and moves, and a picture to share. */
function summaryOf(data, frames, { pointsOf, goTo }) {
  const seats = data.players.map((_, seat) => seat);
  const tilesAt = data.vertices.map(([x, y]) =>
    data.tiles.flatMap(([cx, cy], tile) => (Math.hypot(x - cx, y - cy) < REACH ? [tile] : [])));
  const pips = (tile) => (data.tokens[tile] ? 6 - Math.abs(7 - data.tokens[tile]) : 0);

  /** The cards that a roll brings a seat on average, with its buildings and the robber as they are. */
  function expected(frame, seat) {
    const worth = (vertex) => sum(tilesAt[vertex].filter((tile) => tile !== frame.robber).map(pips)) / 36;
    return sum(frame.settlements[seat].map(worth)) + 2 * sum(frame.cities[seat].map(worth));
  }
  /** Cards from tiles by seat, beyond what its rolls and buildings promised. */
  function luck() {
    const lucky = seats.map(() => 0);
    frames.forEach((frame, k) => {
      if (!k || !data.steps[k].log.some((line) => line.kind === "ROLL")) return;
      for (const seat of seats) lucky[seat] += frame.income[seat] - frames[k - 1].income[seat] - expected(frames[k - 1], seat);
    });
    return lucky;
  }
  /** The step at which the winner's odds rose most; without odds, that of the last change in the lead, by all points: null if some are unseen. */
  function turningPoint(winner) {
    const odds = data.odds?.length === frames.length ? data.odds.map((shares) => shares[winner]) : null;
    if (odds) {
      const rises = odds.map((share, k) => (k ? share - odds[k - 1] : 0));
      const step = rises.indexOf(Math.max(...rises));
      return { step, why: `the odds of ${data.players[winner]} rose from ${percent(odds[step - 1] ?? 0)} to ${percent(odds[step])}` };
    }
    if (frames.some(({ turn, cards }) => turn && !cards.every(Boolean))) return null;
    const allPoints = (frame, seat) => frame.points[seat] + (frame.cards[seat]?.[4] ?? 0); // whatever the page shows
    const leads = (frame) => seats.every((seat) => seat === winner || allPoints(frame, seat) < allPoints(frame, winner));
    let step = frames.length - 1;
    while (step > 0 && leads(frames[step - 1])) step--;
    return { step, why: `${data.players[winner]} took the lead and kept it` };
  }
  function linkTo({ step, why }) {
    const moment = data.steps[step].log.find((line) => line.seat !== undefined);
    return element("button", { type: "button", textContent: `${capital(turnName(frames[step].turn))}: ${why}`, title: moment?.text ?? "", onclick: () => goTo(step) });
  }
  /** A text with the sign of its number; a zero has none. */
  const withSign = (n, text) => (/[1-9]/.test(text) ? `${n < 0 ? "−" : "+"}${text}` : text);
  const signed = (n) => withSign(n, Math.abs(n).toFixed(1));

  const problem = element("p", { className: "lost" });
  problem.setAttribute("role", "alert");
  /** Play on from the seat's last choice before a step, with one click where a server can do it; otherwise show how. */
  function playOn(step) {
    const { path, seat: person } = data.source;
    if (!path || location.protocol === "file:") { goTo(step); $("play-on").click(); return; }
    const seat = data.viewer ?? person ?? frames[step].seat;
    let from = step;
    do from--; while (from > 0 && frames[from].seat !== seat);
    continueFrom(path, Math.max(from, 0), seat, (reason) => { problem.textContent = reason; });
  }
  const share = (odds) => withSign(odds, percent(Math.abs(odds)));
  /** A seat's trades and its best and worst move, each a way to its step. */
  function judgedCells(seat) {
    const move = (one, odds) => {
      if (!one) return element("td", { textContent: "–" });
      const line = data.steps[one.step].log.find((entry) => entry.seat === seat);
      return element("td", {}, element("button", { type: "button", textContent: `${share(odds)}, ${turnName(frames[one.step].turn)}`,
        title: line?.text ?? "", onclick: () => goTo(one.step) }));
    };
    const best = data.best?.find((one) => one.seat === seat);
    const lost = ({ odds: [played, better] }) => better - played;
    const worst = data.lessons.filter((one) => one.seat === seat).sort((a, b) => lost(b) - lost(a))[0];
    const [count, odds] = data.trades?.[seat] ?? [0, 0];
    return [element("td", { textContent: count ? `${share(odds)} (${count})` : "–", title: counted(count, "trade") }),
      move(best, best && best.odds[0] - best.odds[1]), move(worst, worst && -lost(worst))];
  }

  /** The summary, or null while the game goes on. */
  function figure() {
    const last = frames[frames.length - 1], { winner } = last;
    if (last.phase !== "OVER" || winner === null) return null;
    const turning = turningPoint(winner), lucky = luck();
    const heads = ["player", "points", "luck", ...(data.judge ? ["trades", "best move", "worst move"] : [])];
    const rows = seats.map((seat) => {
      const row = element("tr", {}, element("th", { scope: "row", textContent: data.players[seat] }),
        element("td", { textContent: pointsOf(last, seat) }), element("td", { textContent: data.luck ? `${share(data.luck[seat])} (${signed(lucky[seat])})` : signed(lucky[seat]) }),
        ...(data.judge ? judgedCells(seat) : []));
      stripe(row, data.colours[seat]);
      row.dataset.luck = lucky[seat];
      [...row.cells].forEach((cell, k) => { cell.dataset.head = heads[k]; });
      return row;
    });
    const head = element("tr", {}, ...heads.map((textContent) => element("th", { scope: "col", textContent })));
    const picture = element("button", { type: "button", textContent: "Picture to share", onclick: () => download(winner, lucky, last) });
    const again = element("button", { type: "button", textContent: "Play on from the turning point", onclick: () => playOn(turning.step) });
    again.hidden = !data.source || !turning;
    const node = element("figure", { className: "summary" },
      element("figcaption", {}, "What decided the game", element("span", { textContent: `luck: ${data.luck ? "odds from dice, thefts and bought cards, and " : ""}cards from the dice beyond the average${data.judge ? `; moves and trades: odds, judged by ${data.judge}` : ""}` })),
      ...(turning ? [element("p", {}, "Turning point: ", linkTo(turning))] : []),
      element("table", { className: data.judge ? "wide" : "" }, element("thead", {}, head), element("tbody", {}, ...rows)),
      problem, element("p", { className: "answers" }, again, picture));
    node.dataset.curve = "summary";
    return node;
  }

  /** A picture of the board and the result, 1200 by 630 pixels. */
  function drawCard(winner, lucky, last) {
    const canvas = element("canvas", { width: 1200, height: 630 }), pen = canvas.getContext("2d");
    const paint = (colour, x, y, width, height) => { pen.fillStyle = colour; pen.fillRect(x, y, width, height); };
    const write = (text, x, y, size, weight = 400) => {
      pen.fillStyle = "#2b2a33";
      pen.font = `${weight} ${size}px "Source Sans 3", "Segoe UI", Helvetica, Arial, sans-serif`;
      pen.fillText(text, x, y, 1180 - x);
    };
    paint("#fbf7ee", 0, 0, 1200, 630);
    write(`${data.players[winner]} won`, 690, 110, 54, 700);
    write(`in ${last.turn} turns of Catan`, 690, 158, 28);
    seats.forEach((seat, k) => {
      const y = 240 + 84 * k;
      paint("#2b2a33", 690, y - 40, 14, 56);
      paint(data.colours[seat], 691, y - 39, 12, 54);
      write(data.players[seat], 724, y - 8, 30, 600);
      write(`${pointsOf(last, seat)} points, luck ${signed(lucky[seat])} cards`, 724, y + 22, 22);
    });
    const ground = $("board").querySelector("svg").cloneNode(true), pieces = $("pieces");
    for (const layer of pieces.querySelectorAll("g:not(#places)")) if (layer.parentNode === pieces) ground.append(layer.cloneNode(true));
    ground.setAttribute("xmlns", SVG);
    ground.setAttribute("width", 640);
    ground.setAttribute("height", 576);
    const picture = new Image();
    return new Promise((resolve) => {
      picture.onload = () => { pen.drawImage(picture, 20, 27, 640, 576); resolve(canvas); };
      picture.onerror = () => resolve(canvas); // the result is readable without the board
      picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(ground))}`;
    });
  }
  async function download(winner, lucky, last) {
    const canvas = await drawCard(winner, lucky, last);
    element("a", { href: canvas.toDataURL("image/png"), download: "catan.png" }).click();
  }
  return { figure, drawCard: () => drawCard(frames[frames.length - 1].winner, luck(), frames[frames.length - 1]) };
}
