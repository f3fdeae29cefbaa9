
// A live table: the page grows by the steps that come, and lets its seat choose.
(() => {
  const secret = location.hash.slice(1);
  const RETRY = 1000, ASLEEP = 20_000, BRIEFLY = 150; // milliseconds
  let page = null, board = null, socket = null, me = null, choices = null, step = 0, isOver = false, isTurnedAway = false;
  let retrying = null, resting = null, hadFocus = false;

  function connect() {
    clearTimeout(retrying);
    const line = socket = new WebSocket(`ws://${location.host}/`);
    line.onopen = () => say({ type: "sit", secret });
    line.onmessage = (event) => { if (line === socket) hear(JSON.parse(event.data)); };
    line.onclose = () => { if (line === socket) disconnected(); };
  }
  function disconnected() {
    if (isOver || isTurnedAway) return; // what is shown then stays
    show(null);
    refuse("The connection is gone; trying again.");
    retrying = setTimeout(connect, RETRY);
  }
  /** Show what to do instead of a table: this link opens none. */
  function turnAway(reason) {
    isTurnedAway = true;
    document.body.classList.add("turned-away");
    document.body.append(element("section", { id: "turned-away" },
      element("h1", { textContent: "This link does not open a table" }),
      element("p", { textContent: reason }),
      element("p", {}, "The links of a table are printed by the command ",
        element("code", { textContent: "catan-env table" }),
        ", one for each person and one for spectators. They change when the table is started again."),
      element("p", { textContent: "Ask the host of the table for your link, and copy it whole, with everything after the #." })));
  }
  const say = (message) => socket.send(JSON.stringify(message));

  // Who slept, a tab or its machine, may have lost the connection without hearing of it.
  let asleepSince = null;
  function wake(slept) {
    const isLost = socket.readyState > WebSocket.OPEN || slept > ASLEEP;
    if (!isLost || isOver || isTurnedAway) return;
    const old = socket;
    connect();
    old.close();
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) asleepSince = Date.now();
    else if (socket) wake(asleepSince === null ? 0 : Date.now() - asleepSince);
  });
  window.addEventListener("online", () => { if (socket) wake(Infinity); });
  window.addEventListener("pagehide", () => { if (socket) socket.close(); }); // browsers keep no page with an open line
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(0); }); // the way back
  const refuse = (text) => { $("refused").textContent = text; $("choices").hidden = !text && !choices; };

  const HEAR = {
    welcome(message) {
      me = message.seat;
      if (page && step !== message.data.steps.length) rest();
      step = message.data.steps.length;
      refuse("");
      if (page && message.board !== board) location.reload(); // another game has begun here
      if (page) {
        page.data.steps = message.data.steps;
        page.grow(0);
        return;
      }
      $("board").innerHTML = board = message.board;
      document.body.classList.add("live");
      page = openPage(message.data);
      page.go(page.last);
      window.replay = page;
      document.title = document.querySelector("h1").textContent = `Catan: ${message.data.players.join(", ")}`;
    },
    step(message) {
      page.data.steps.length = message.number;
      page.data.steps.push(message.step);
      step = page.data.steps.length;
      rest();
      page.grow(message.number);
    },
    rewind(message) {
      page.data.steps.length = step = message.number;
      rest();
      page.grow(message.number);
    },
    choices(message) { // a connection that has come again says what is shown already
      if (message.step === step && JSON.stringify(message) !== JSON.stringify(choices)) show(message);
    },
    advice(message) { if (message.step === step) advise(message); },
    over(message) {
      isOver = true;
      show(null);
      $("choices").hidden = false;
      for (const id of ["acts", "missing"]) $(id).replaceChildren();
      $("ask").replaceChildren("The game is over. ",
        element("a", { href: message.replay, textContent: "Replay" }), " · ",
        element("a", { href: message.record, textContent: "Record" }));
    },
    refused(message) {
      if (page === null) { turnAway(`The server refused it: ${message.reason}.`); return; }
      refuse(message.reason);
      if (choices) show(choices);
    },
  };
  const hear = (message) => HEAR[message.type](message);

  // Choices

  const WORDS = {
    ROLL: "Roll the dice", END_TURN: "End the turn", BUY_DEVELOPMENT_CARD: "Buy a development card",
    PLAY_KNIGHT: "Play a knight", PLAY_ROAD_BUILDING: "Play road building", ACCEPT: "Accept", REJECT: "Decline",
  };
  const ASKS = {
    PLACE_SETTLEMENT: "Place a settlement.", PLACE_ROAD: "Place a road beside it.", ROLL: "Roll the dice, or play a card first.",
    DISCARD: "Discard a card.", ROBBER: "Move the robber.", FREE_ROAD: "Lay a free road.",
    MAIN: "Build, trade, play a card, or end the turn.", ANSWER: "Somebody offers you a trade.",
  };
  const PLACES = ["SETTLEMENT", "CITY", "ROAD", "MOVE_ROBBER"];
  const act = (choice) => { refuse(""); say({ type: "act", index: choice.index, step }); };

  /** Nothing may be chosen now; new choices mostly follow at once, so the old stand a moment. */
  function rest() {
    hadFocus ||= $("choices").contains(document.activeElement) || Boolean(lit()?.contains(document.activeElement));
    choices = null;
    lit()?.remove();
    $("choices").inert = true;
    resting ??= setTimeout(() => show(null), BRIEFLY);
  }
  /** Show what may be chosen; nothing when it is somebody else's decision. */
  function show(message) {
    clearTimeout(resting);
    resting = null;
    choices = message;
    lit()?.remove();
    $("choices").inert = false;
    $("choices").hidden = !message;
    $("advice").replaceChildren();
    for (const id of ["bank-trade", "offer"]) $(id).hidden = true;
    if (!message) return;
    const frame = page.data.steps.length ? page.live : null;
    $("ask").textContent = askOf(frame);
    $("acts").replaceChildren(...message.actions.filter((a) => WORDS[a.kind]).map((a) => button(a, WORDS[a.kind])),
      ...cardButtons(message));
    $("missing").textContent = missing(message, frame);
    if (message.may_ask) $("acts").append(plain("What would you play?", () => say({ type: "ask", step })));
    if (message.may_undo) $("acts").append(plain("Undo", () => say({ type: "undo", step })));
    showBank(message);
    showOffer(message, frame);
    lightUp(message.actions.filter((a) => PLACES.includes(a.kind)));
    if (hadFocus && document.activeElement === document.body) $("choices").focus({ preventScroll: true });
    hadFocus = false;
  }
  function askOf(frame) {
    if (frame.phase !== "ANSWER") return ASKS[frame.phase] || "";
    const lines = frame.log.filter((line) => line.seat !== undefined);
    return `${lines.length ? lines[lines.length - 1].text : "An offer"}.`;
  }
  function button(choice, text) {
    const isMain = ["ROLL", "END_TURN", "ACCEPT"].includes(choice.kind);
    const node = plain(text, () => act(choice));
    node.classList.toggle("main", isMain);
    node.dataset.index = choice.index;
    node.dataset.kind = choice.kind;
    return node;
  }
  const plain = (text, onclick) => element("button", { type: "button", textContent: text, onclick });

  function cardButtons(message) {
    const name = (resource) => RESOURCES[resource];
    return message.actions.flatMap((a) => {
      if (a.kind === "DISCARD") return [button(a, `Discard ${name(a.args[0])}`)];
      if (a.kind === "PLAY_MONOPOLY") return [button(a, `Monopoly on ${name(a.args[0])}`)];
      if (a.kind === "PLAY_YEAR_OF_PLENTY") {
        const [one, two] = a.args;
        return [button(a, `Take ${one === two ? `2 ${name(one)}` : `${name(one)} and ${name(two)}`}`)];
      }
      return [];
    });
  }

  // What cannot be done says why.
  const COSTS = {
    ROAD: ["Road", [1, 0, 1, 0, 0]], SETTLEMENT: ["Settlement", [1, 1, 1, 0, 1]], CITY: ["City", [0, 2, 0, 3, 0]],
    BUY_DEVELOPMENT_CARD: ["Card", [0, 1, 0, 1, 1]],
  };
  function missing(message, frame) {
    if (frame.phase !== "MAIN") return "";
    return Object.entries(COSTS).filter(([kind]) => !message.actions.some((a) => a.kind === kind)).map(([kind, [name, cost]]) => {
      const lacks = cost.map((n, k) => [n - frame.hands[me][k], RESOURCES[k]]).filter(([n]) => n > 0);
      const why = lacks.length ? `needs ${lacks.map(([n, what]) => `${n} ${what}`).join(", ")}`
        : kind === "BUY_DEVELOPMENT_CARD" ? "none is left" : "no place, or no piece left";
      return `${name}: ${why}`;
    }).join(" · ");
  }

  function options(select, entries) {
    select.replaceChildren(...entries.map(([value, textContent]) => element("option", { value, textContent })));
  }
  function showBank(message) {
    const trades = message.actions.filter((a) => a.kind === "BANK_TRADE");
    $("bank-trade").hidden = !trades.length;
    const gives = [...new Set(trades.map((a) => a.args[0]))];
    options($("bank-give"), gives.map((k) => [k, `${message.rates[k]} ${RESOURCES[k]}`]));
    const fill = () => options($("bank-get"), trades.filter((a) => a.args[0] === Number($("bank-give").value))
      .map((a) => [a.index, `1 ${RESOURCES[a.args[1]]}`]));
    $("bank-give").onchange = fill;
    fill();
    $("bank-trade").onsubmit = (event) => { event.preventDefault(); act({ index: Number($("bank-get").value) }); };
  }

  function stepper(side, resource, most) {
    const count = element("b", { textContent: "0" });
    const move = (by) => () => {
      count.textContent = Math.min(Math.max(Number(count.textContent) + by, 0), most);
    };
    const name = RESOURCES[resource];
    const held = page.live.hands[me][resource];
    const have = side === "offer-give" ? element("small", { textContent: `of ${held}`, title: `${held} in your hand` }) : "";
    const less = element("button", { type: "button", textContent: "−", onclick: move(-1), ariaLabel: `one ${name} less` });
    const more = element("button", { type: "button", textContent: "+", onclick: move(1), ariaLabel: `one ${name} more` });
    const node = element("span", { className: "stepper", title: name },
      picture(`icon-${TERRAINS[resource]}`, "-15 -15 30 30"), less, count, more, have);
    node.dataset.resource = name;
    node.style.background = TINTS[resource];
    return node;
  }
  const counts = (id) => [...$(id).querySelectorAll("b")].map((node) => Number(node.textContent));
  function showOffer(message, frame) {
    $("offer").hidden = !message.may_offer;
    if (!message.may_offer) return;
    const seats = page.data.players.length;
    options($("offer-to"), [...Array(seats - 1).keys()].map((k) => (me + k + 1) % seats)
      .filter((seat) => !frame.gone.includes(seat)).map((seat) => [(seat - me + seats) % seats, page.data.players[seat]]));
    const isSame = $("offer").dataset.step === String(message.step); // what was put together stays
    $("offer").dataset.step = message.step;
    for (const [id, most] of isSame ? [] : [["offer-give", (k) => frame.hands[me][k]], ["offer-get", () => 19]]) {
      for (const node of $(id).querySelectorAll(".stepper")) node.remove();
      $(id).append(...RESOURCES.map((_, k) => stepper(id, k, most(k))));
    }
    $("offer").onsubmit = (event) => {
      event.preventDefault();
      refuse("");
      say({ type: "offer", to: Number($("offer-to").value), give: counts("offer-give"), get: counts("offer-get"), step });
    };
  }

  // Places on the board

  const lit = () => $("places");
  function lightUp(actions) {
    const layer = drawn("g", { id: "places", role: "group", "aria-label": "Places" });
    const robbed = new Map();
    for (const choice of actions) {
      if (choice.kind === "MOVE_ROBBER") {
        const [tile] = choice.args;
        robbed.set(tile, [...(robbed.get(tile) || []), choice]);
      } else layer.append(place(choice, placeShape(choice), choice.label, () => act(choice)));
    }
    for (const [tile, some] of robbed) {
      const [x, y] = page.data.tiles[tile];
      const label = `move the robber to ${page.data.tile_names[tile]}`;
      const shape = drawn("circle", { cx: x, cy: y, r: 40 });
      layer.append(place(some[0], shape, label, () => (some.length === 1 ? act(some[0]) : chooseVictim(some))));
    }
    $("pieces").append(layer);
  }
  function placeShape({ kind, args: [number] }) {
    if (kind === "ROAD") {
      const [x, y, angle] = page.data.edges[number];
      return drawn("rect", { x: -24, y: -8, width: 48, height: 16, rx: 8, transform: `translate(${x} ${y}) rotate(${angle})` });
    }
    const [cx, cy] = page.data.vertices[number];
    return drawn("circle", { cx, cy, r: kind === "CITY" ? 24 : 15 });
  }
  function place(choice, shape, label, choose) {
    const node = drawn("g", { class: "choice", tabindex: 0, role: "button", "aria-label": label }, shape, reachOf(shape));
    Object.assign(node.dataset, { index: choice.index, kind: choice.kind, place: choice.args[0] });
    node.append(drawn("title", {}, label));
    node.onclick = (event) => (event.pointerType === "touch" ? confirm(node, label, choose) : choose());
    node.onkeydown = (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); }
    };
    return node;
  }
  /** What a finger hits: 24 pixels on the narrowest phone, without reaching into the next place. */
  function reachOf(shape) {
    const reach = shape.cloneNode();
    reach.setAttribute("class", "reach");
    const box = { x: -26, y: -26, width: 52, height: 52 };
    if (shape.tagName === "rect") for (const [key, value] of Object.entries(box)) reach.setAttribute(key, value);
    else reach.setAttribute("r", Math.max(Number(shape.getAttribute("r")), 30));
    return reach;
  }
  /** A finger hides what it hits: ask before anything is built. */
  function confirm(node, label, choose) {
    for (const other of lit().querySelectorAll(".pointed-at")) other.classList.remove("pointed-at");
    node.classList.add("pointed-at");
    $("ask").textContent = `${label[0].toUpperCase()}${label.slice(1)}?`;
    const yes = plain("Yes", choose);
    yes.classList.add("main");
    $("acts").replaceChildren(yes, plain("Another place", () => show(choices)));
  }
  function victim(choice, name) {
    const node = button(choice, name);
    node.classList.add("victim");
    return node;
  }
  function chooseVictim(some) {
    const seats = page.data.players.length;
    $("ask").textContent = "Whom do you rob?";
    $("acts").replaceChildren(...some.map((choice) => victim(choice, page.data.players[(me + choice.args[1]) % seats])),
      plain("Another tile", () => show(choices)));
    $("acts").querySelector("button").focus();
  }

  /** What a policy would play, and the odds of winning after it and after other moves. */
  function advise(message) {
    const { policy, action, moves, outlook } = message;
    const rows = moves.map(({ choice, odds }) => {
      const isIts = choice.index === action.index;
      const row = plain("", () => act(choice));
      row.append(element("b", { textContent: percent(odds) }), ` ${choice.label}${isIts ? ` — ${policy} plays this` : ""}`);
      row.dataset.index = choice.index;
      const point = (isOn) => () => {
        for (const node of lit().querySelectorAll(`[data-index="${choice.index}"]`)) node.classList.toggle("pointed-at", isOn);
      };
      row.onmouseenter = row.onfocus = point(true);
      row.onmouseleave = row.onblur = point(false);
      return element("li", {}, row);
    });
    const seats = outlook.map((odds, seat) => `${page.data.players[seat]} ${percent(odds)}`).join(" · ");
    $("advice").replaceChildren(element("p", { className: "quiet", textContent: `Odds of winning: ${seats}; and after a move:` }),
      element("ol", {}, ...rows));
    for (const node of document.querySelectorAll(`[data-index="${action.index}"]`)) node.classList.add("advised");
    remember(outlook);
  }
  /** The odds as far as they were asked for, as a curve. */
  function remember(outlook) {
    const odds = page.data.odds ??= [];
    const before = odds.length ? odds[Math.min(step, odds.length) - 1] ?? outlook : outlook;
    while (odds.length < step - 1) odds.push(before);
    odds[step - 1] = outlook;
    odds.length = step;
    page.redrawCurves();
  }

  if (secret) connect(); else turnAway("It has no seat in it: the part after the # is missing.");
  window.addEventListener("hashchange", () => location.reload());
})();
