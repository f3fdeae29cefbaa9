"use strict";
// The page of a game: the frames of a record, or those that a server sends while it is played.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const SEATS = ["#b5382c", "#2a6fb0", "#b9791a", "#3c7a48"], LORENZO = 4, EVERYTHING = -1;
  const COLOURS = ["#3d7fc4", "#4d9a58", "#8a55b5", "#d9a520"];
  const MARBLES = ["#f2c230", "#a9adb3", "#9a5fc0", "#4a92d6", "#d0382c", "#ffffff"];
  const MARBLE_NAMES = ["coin", "stone", "servant", "shield", "faith", "white"];
  const [OPEN, WON, LOST] = [0, 1, 2], [IN_HAND, ACTIVE, DISCARDED] = [0, 1, 2];
  const [COLOUR, LEVEL, POINTS, COST, INPUT, OUTPUT, FAITH] = [0, 1, 2, 3, 7, 11, 15];
  let fixed = null, frames = [], starts = [], at = 0, sight = EVERYTHING, timer = null;
  let shown = null; // the number of the game on the page

  const safe = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const icon = (name) => `<svg viewBox="0 0 24 24" role="img" aria-label="${name}"><use href="#${name}"/></svg>`;
  const piece = (name, n) => (n ? `<span class="piece">${n > 1 ? n : ""}${icon(name)}</span>` : "");
  const pieces = (counts) => counts.map((n, good) => piece(fixed.goods[good], n)).join("");

  // Frames: each lists what has changed

  function take(news) {
    for (const step of news) frames.push({ ...frames[frames.length - 1], ...step });
    starts = [];
    frames.forEach((frame, k) => {
      const before = frames[k - 1];
      if (!before || before.on !== frame.on || before.round !== frame.round) starts.push(k);
    });
    $("scrub").max = frames.length - 1;
  }

  // The table

  function drawTrack(frame) {
    const x = (space) => 20 + 40 * space, spaces = [...Array(25).keys()];
    const sections = fixed.popes.map((pope, k) => {
      const from = fixed.sections[k];
      return `<rect x="${x(from) - 18}" y="6" width="${40 * (pope - from) + 36}" height="66" rx="8" fill="var(--section)"/>
        <text x="${x(from) + 4}" y="20" font-size="12" fill="var(--ink)">tile ${fixed.tiles[k]}</text>`;
    });
    const gold = new Map(fixed.gold);
    const cells = spaces.map((space) => `<rect x="${x(space) - 16}" y="26" width="32" height="42" rx="5" fill="var(--card)"
        stroke="${fixed.popes.includes(space) ? "var(--red)" : "var(--edge)"}" stroke-width="${fixed.popes.includes(space) ? 2.5 : 1}"/>
      <text x="${x(space)}" y="82" text-anchor="middle" font-size="11" fill="var(--muted)">${space}</text>
      ${gold.has(space) ? `<text x="${x(space)}" y="64" text-anchor="middle" font-size="12" font-weight="700" fill="var(--muted)">${gold.get(space)}</text>` : ""}`);
    const markers = frame.faith.map((space, seat) => `<circle cx="${x(space) + (seat % 2 ? 8 : -8) * (frame.faith.length > 1)}"
      cy="${seat < 2 ? 37 : 53}" r="7" fill="${SEATS[seat]}" stroke="#fff" stroke-width="1.5"><title>${safe(fixed.names[seat])}: ${space}</title></circle>`);
    if (fixed.names.length === 1) markers.push(`<path d="M${x(frame.cross) - 3} 44h6v6h6v6h-6v12h-6v-12h-6v-6h6z" fill="#2b2a33" stroke="#fff"><title>Lorenzo: ${frame.cross}</title></path>`);
    const said = frame.faith.map((space, seat) => `${fixed.names[seat]} ${space}`).join(", ");
    $("track").innerHTML = `<svg viewBox="0 0 1000 88" role="img" aria-label="Faith track: ${safe(said)}">${sections.join("")}${cells.join("")}${markers.join("")}</svg>`;
  }

  function drawMarket(frame, before) {
    const marble = (kind, x, y, isNew) => `<circle cx="${x}" cy="${y}" r="17" fill="${MARBLES[kind]}" stroke="${isNew ? "var(--accent)" : "#6b6455"}" stroke-width="${isNew ? 3 : 1.5}"><title>${MARBLE_NAMES[kind]}</title></circle>`;
    const grid = frame.market.slice(0, 12).map((kind, k) =>
      marble(kind, 30 + 42 * (k % 4), 68 + 42 * Math.floor(k / 4), before && before.market[k] !== kind));
    const labels = [1, 2, 3].map((n) => `<text x="188" y="${31 + 42 * n}" font-size="13" fill="var(--muted)">${n}</text>`)
      .concat([1, 2, 3, 4].map((n) => `<text x="${42 * n - 12}" y="192" text-anchor="middle" font-size="13" fill="var(--muted)">${n}</text>`));
    $("market").innerHTML = `<svg viewBox="0 0 204 198" role="img" aria-label="Market: ${frame.market.map((kind) => MARBLE_NAMES[kind]).join(", ")} on the slide">
      <rect x="5" y="43" width="176" height="134" rx="10" fill="var(--marble)"/>${grid.join("")}
      <text x="8" y="26" font-size="13" fill="var(--muted)">slide</text>${marble(frame.market[12], 156, 22)}${labels.join("")}</svg>`;
  }

  function card(id, more = "", extra = "") {
    const row = fixed.cards[id], span = (from) => row.slice(from, from + 4);
    return `<div class="dev ${extra}" style="--colour:${COLOURS[row[COLOUR]]}" title="${fixed.colours[row[COLOUR]]}, level ${row[LEVEL]}">
      ${more}<b>${row[POINTS]}</b> <span class="label">${"I".repeat(row[LEVEL])}</span>
      ${extra === "covered" ? "" : `${more ? `<p>${pieces(span(COST))}</p>` : ""}<p>${pieces(span(INPUT))}→${pieces(span(OUTPUT))}${piece("faith", row[FAITH])}</p>`}</div>`;
  }

  function drawGrid(frame, before) {
    const rows = [2, 1, 0].flatMap((level) => frame.top.map((tops, colour) => {
      const id = tops[level], left = frame.left[colour][level];
      if (id < 0) return `<div class="dev none" style="--colour:${COLOURS[colour]}">${fixed.colours[colour]}, level ${level + 1}: none left</div>`;
      return card(id, `<span class="left">×${left}</span>`, before && before.top[colour][level] !== id ? "new" : "");
    }));
    $("grid").innerHTML = rows.join("");
  }

  // The players

  function leader([id, how], isSeen) {
    const state = ["in hand", "active", "discarded"][how];
    if (id < 0 || !(isSeen || how === ACTIVE)) return `<span class="leader ${state}">leader ${state}</span>`;
    const [kind, good, points] = fixed.leaders[id];
    return `<span class="leader ${state}" title="${state}">${points} ${fixed.kinds[kind]} ${icon(fixed.goods[good])}</span>`;
  }
  function shelf([good, count], size) {
    const places = [...Array(size).keys()].map((k) => `<span class="place">${k < count ? icon(fixed.goods[good]) : ""}</span>`);
    return `<div class="shelf">${places.join("")}</div>`;
  }
  function depots(frame, seat) {
    return frame.leaders[seat].slice(0, 2).map(([id, how], i) => {
      if (how !== ACTIVE || fixed.kinds[fixed.leaders[id][0]] !== "depot") return "";
      return `<span class="label">depot</span>${shelf([fixed.leaders[id][1], frame.depots[seat][i]], 2)}`;
    }).join("");
  }
  function player(frame, seat) {
    const isSeen = sight === EVERYTHING || sight === seat, name = safe(fixed.names[seat]);
    const badges = [
      frame.winner === seat ? '<span class="badge gold">winner</span>' : "",
      frame.winner === null && frame.on === seat ? '<span class="badge">on turn</span>' : "",
      frame.away[seat] ? '<span class="badge plain">away</span>' : "",
    ];
    const tiles = frame.tiles[seat].map((how, k) => `<span class="tile ${how === WON ? "won" : how === LOST ? "lost" : ""}"
      title="tile of ${counted(fixed.tiles[k], "point")}: ${["open", "won", "lost"][how]}">${fixed.tiles[k]}</span>`);
    const slots = frame.slots[seat].map((cards) => `<div class="slot">${cards.slice(0, -1).map((id) => card(id, "", "covered")).join("")}${
      cards.length ? card(cards[cards.length - 1]) : ""}</div>`);
    return `<article class="player ${frame.on === seat ? "on" : ""} ${frame.away[seat] ? "away" : ""}" style="--seat:${SEATS[seat]}" aria-label="${name}">
      <div class="name"><b>${name}</b>${badges.join("")}${tiles.join("")}
        <span class="piece">${frame.faith[seat]}${icon("faith")}</span>
        <span class="points">${frame.points[seat]} <small>points</small></span></div>
      <div class="holds"><div>${frame.shelves[seat].map((one, k) => shelf(one, k + 1)).join("")}${depots(frame, seat)}</div>
        <div><div class="box"><span class="label">strongbox</span>${pieces(frame.strongbox[seat]) || '<span class="label">empty</span>'}</div>
        <div class="slots">${slots.join("")}</div></div></div>
      <div class="own">${frame.leaders[seat].map((one) => leader(one, isSeen)).join("")}</div></article>`;
  }

  // Moving

  function show() {
    if (!frames.length) return;
    const frame = frames[at], before = at ? frames[at - 1] : null;
    drawTrack(frame);
    drawMarket(frame, before);
    drawGrid(frame, before);
    $("players").innerHTML = fixed.names.map((_, seat) => player(frame, seat)).join("");
    $("headline").textContent = frame.text;
    $("turn").textContent = frame.winner !== null ? "over" : frame.round ? `round ${frame.round}${frame.last_round ? ", the last" : ""}` : "set-up";
    $("scrub").value = at;
    $("scrub").setAttribute("aria-valuetext", `step ${at} of ${frames.length - 1}`);
    for (const id of ["first", "back", "turn-back"]) $(id).disabled = at === 0;
    for (const id of ["last", "forward", "turn-on"]) $(id).disabled = at === frames.length - 1;
    markLog();
    if (timer === null) remember();
  }
  function writeLog(from) {
    const list = $("log").firstElementChild;
    if (from === 0) list.replaceChildren();
    frames.slice(from).forEach((frame, k) => {
      const item = document.createElement("li"), step = from + k, mover = frames[Math.max(step - 1, 0)].on;
      item.textContent = frame.text;
      if (mover >= 0) item.style.setProperty("--seat", SEATS[mover]);
      item.onclick = () => { pause(); go(step); };
      list.append(item);
    });
  }
  function markLog() {
    const list = $("log").firstElementChild, here = list.children[at];
    list.querySelector(".here")?.classList.remove("here");
    here.classList.add("here");
    const { top, bottom } = here.getBoundingClientRect(), box = $("log").getBoundingClientRect();
    if (top < box.top || bottom > box.bottom) $("log").scrollTop += top - box.top - box.height / 2;
  }
  let remembering = null; // browsers allow a page only some changes of its address a minute
  function remember() {
    if (data.live || location.protocol === "about:") return;
    remembering ??= setTimeout(() => { remembering = null; history.replaceState(null, "", `#step=${at}`); }, 250);
  }
  const linked = () => Number(/^#step=(\d+)$/.exec(location.hash)?.[1] ?? at);

  function go(step) {
    at = Math.min(Math.max(step, 0), frames.length - 1);
    if (at === frames.length - 1) pause();
    show();
  }
  const turnBack = () => go(starts.filter((step) => step < at).pop() ?? 0);
  const turnOn = () => go(starts.find((step) => step > at) ?? frames.length - 1);
  function play() {
    if (at === frames.length - 1) go(0);
    timer = setInterval(() => go(at + 1), 1000 / Number($("speed").value));
    drawPlay();
  }
  function pause() {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    drawPlay();
    remember();
  }
  function drawPlay() {
    const isPlaying = timer !== null;
    $("play").querySelector("path").setAttribute("d", isPlaying ? "M6 4h4v16H6zM14 4h4v16h-4z" : "M7 4v16l13-8z");
    $("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    $("headline").setAttribute("aria-live", isPlaying ? "off" : "polite");
  }
  const toggle = () => (timer === null ? play() : pause());
  function setSight(value) {
    if (![...$("sight").options].some((option) => Number(option.value) === value)) return;
    sight = value;
    $("sight").value = value;
    show();
  }
  const byHand = (action) => () => { pause(); action(); };
  const KEYS = {
    " ": toggle, Home: byHand(() => go(0)), End: byHand(() => go(frames.length - 1)),
    ArrowLeft: byHand(() => go(at - 1)), ArrowRight: byHand(() => go(at + 1)),
    "Shift+ArrowLeft": byHand(turnBack), "Shift+ArrowRight": byHand(turnOn),
    0: () => setSight(EVERYTHING), 1: () => setSight(0), 2: () => setSight(1), 3: () => setSight(2), 4: () => setSight(3),
  };
  $("first").onclick = KEYS.Home;
  $("last").onclick = KEYS.End;
  $("back").onclick = KEYS.ArrowLeft;
  $("forward").onclick = KEYS.ArrowRight;
  $("turn-back").onclick = byHand(turnBack);
  $("turn-on").onclick = byHand(turnOn);
  $("play").onclick = toggle;
  $("speed").onchange = () => { if (timer !== null) { pause(); play(); } };
  $("scrub").oninput = () => { pause(); go(Number($("scrub").value)); };
  $("sight").onchange = () => setSight(Number($("sight").value));
  $("log").addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !frames.length || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    pause();
    go(at + by);
  });
  document.addEventListener("keydown", (event) => {
    if (!frames.length || event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key === " " && event.target.closest("button, summary, a")) return; // Space presses it
    const action = KEYS[event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  function open(game) {
    pause();
    const isAgain = game.number === shown && JSON.stringify(game.fixed) === JSON.stringify(fixed);
    const step = isAgain && at < frames.length - 1 ? at : Infinity; // the end is followed
    shown = game.number;
    fixed = game.fixed;
    frames = [];
    take(game.frames);
    const sights = data.live ? [[EVERYTHING, "what all saw"]]
      : [[EVERYTHING, "everything"], ...fixed.names.map((name, seat) => [seat, `what ${name} knew`])];
    $("sight").replaceChildren(...sights.map(([value, text]) => new Option(text, value)));
    writeLog(0);
    at = Math.min(data.live ? step : linked(), frames.length - 1);
    setSight(EVERYTHING);
  }

  // Live: the server lists its games; the page watches one of them

  let watched = null, wanted = null; // the games that this connection has asked for, and that the page was asked for
  function list(games, socket) {
    $("which").hidden = false;
    $("games").replaceChildren(...games.map(({ number, names, is_over }) =>
      new Option(`${number}: ${names.join(", ")}${is_over ? " (over)" : ""}`, number)));
    const next = games.find(({ number }) => number === wanted) ?? games[0];
    if (watched === null && next) watch(next.number, socket);
    else if (watched === null) $("headline").textContent = "No game is being played; the page waits for one.";
    if (watched !== null) $("games").value = watched;
  }
  function watch(number, socket) {
    wanted = number;
    if (socket.readyState !== WebSocket.OPEN) return; // the next connection asks for it
    watched = number;
    socket.send(JSON.stringify({ type: "watch", number }));
  }
  function connect() {
    const socket = new WebSocket(`ws://${location.host}/`);
    $("games").onchange = () => watch(Number($("games").value), socket);
    socket.onmessage = ({ data: text }) => {
      const message = JSON.parse(text);
      if (message.type === "games") list(message.games, socket);
      if (message.number !== watched) return;
      if (message.type === "game") open(message);
      if (message.type === "frames") {
        const from = frames.length, isFollowing = at === from - 1;
        take(message.frames);
        writeLog(from);
        if (isFollowing) at = frames.length - 1;
        show();
      }
    };
    socket.onclose = () => {
      watched = null;
      $("headline").textContent = "The server does not answer; trying again.";
      setTimeout(connect, 2000);
    };
  }
  if (!data.live) window.addEventListener("hashchange", byHand(() => go(linked())));
  $("of-sight").hidden = Boolean(data.live);
  if (data.live) connect(); else open(data);
  window.replay = { go, get step() { return at; }, get last() { return frames.length - 1; }, get frame() { return frames[at]; } };
  document.documentElement.dataset.ready = "yes";
})();
