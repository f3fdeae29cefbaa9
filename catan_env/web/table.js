
// A live table: the page grows by the steps that come, and lets its seat choose.
(() => {
  const secret = location.hash.slice(1);
  const isAlone = typeof openLine === "function"; // the table is in the page (catan_env.alone)
  const RETRY = 1000, RETRY_AT_END = 5000, ASLEEP = 20_000, BRIEFLY = 150; // milliseconds
  let page = null, board = null, own = null, trades = null, clock = null, socket = null, me = null, choices = null, picked = null, step = 0, isOver = false, isTurnedAway = false;
  let isSeated = false, isUnknown = false, said = -1; // of this line, of its table, and the last step that was answered
  let retrying = null, resting = null, hadFocus = false;

  function connect() {
    clearTimeout(retrying);
    isSeated = isUnknown = false;
    const line = socket = isAlone ? openLine() : new WebSocket(`ws://${location.host}/`);
    line.onopen = () => say({ type: "sit", secret });
    line.onmessage = (event) => { if (line === socket) hear(JSON.parse(event.data)); };
    line.onclose = () => { if (line === socket) disconnected(); };
  }
  function disconnected() {
    if (isTurnedAway) return;
    if (!isOver) { // what is shown at the end stays
      rest();
      show(null);
      clock?.hide();
      refuse(isUnknown ? "The server does not have this table; trying again." : GONE);
    }
    retrying = setTimeout(connect, isOver ? RETRY_AT_END : RETRY);
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
        ", one for each person and one for spectators. A table that was stopped has them again after ",
        element("code", { textContent: "catan-env table --resume FOLDER" }), "."),
      element("p", { textContent: "Ask the host of the table for your link, and copy it whole, with everything after the #." })));
  }
  /** Show that the game itself is still being prepared. */
  const begun = Date.now();
  let waiting = null;
  function waitForTable(parts, invitation) {
    document.body.classList.add("waiting");
    waiting ??= setInterval(() => { $("waited").textContent = counted(Math.round((Date.now() - begun) / 1000), "second"); }, 1000);
    $("waiting")?.remove();
    const link = `${location.origin}/start#${invitation}`;
    const inviting = invitation ? [element("p", {}, "Send this link to the others:", element("code", { textContent: link }),
      element("button", { type: "button", textContent: "Copy", onclick: (event) => copy(link, event.target) }))]
      : [element("p", { className: "quiet", textContent: "The first start on a machine compiles the rules, which takes a minute or two." })];
    document.body.append(element("section", { id: "waiting" },
      element("h1", { textContent: "The table is being set up" }),
      element("p", { role: "status", textContent: `Waiting for ${parts.join(", ")}. The game opens here by itself.` }),
      element("progress", { ariaLabel: "Waiting" }), element("p", { id: "waited", className: "quiet" }), ...inviting));
  }
  function stopWaiting() {
    clearInterval(waiting);
    waiting = null;
    document.body.classList.remove("waiting");
    $("waiting")?.remove();
  }
  const GONE = "Connection lost; reconnecting.";
  const isLost = () => socket.readyState > WebSocket.OPEN;
  function say(message) {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); else refuse(GONE);
  }
  /** Say something about the position that is shown. */
  function sayNow(message) {
    said = step;
    say({ ...message, step });
  }

  // Who slept, a tab or its machine, may have lost the connection without hearing of it.
  let asleepSince = null;
  function wake(slept) {
    if (isTurnedAway || !isLost() && slept <= ASLEEP) return;
    const old = socket;
    connect();
    old.close();
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) asleepSince = Date.now();
    else wake(asleepSince === null ? 0 : Date.now() - asleepSince);
  });
  window.addEventListener("online", () => wake(Infinity));
  window.addEventListener("pagehide", () => { if (socket) socket.close(); }); // browsers keep no page with an open line
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(0); }); // the way back
  const refuse = (text) => { $("refused").textContent = text; $("choices").hidden = !text && !choices; };

  const HEAR = {
    welcome(message) {
      me = message.seat;
      isSeated = true;
      stopWaiting();
      prepare([]);
      if (page && step !== message.data.steps.length) rest();
      step = message.data.steps.length;
      refuse("");
      if (page && message.board !== board) location.reload(); // another game has begun here
      if (page) { // proposals and a clock follow if there still are any
        trades.propose([]);
        clock.hide();
        page.data.steps = message.data.steps;
        page.grow(0);
        drawSeat();
        return;
      }
      $("board").innerHTML = board = message.board;
      document.body.classList.add("live");
      page = openPage(message.data);
      page.go(page.last);
      window.replay = page;
      if (me !== null) own = ownCards(page, me, { buy: act, pick });
      clock = clockOf(page);
      trades = tradesOf(page, me, { act, say: sayNow, refuse, plain });
      drawSeat();
      title = document.querySelector("h1").textContent = `Catan: ${message.data.players.join(", ")}`;
      $("declines-box").parentNode.hidden = me === null;
      callToTurn();
    },
    clock(message) { clock.start(message); },
    step(message) {
      const isLate = choices !== null && said !== step && clock.isOut();
      clock.hide();
      page.data.steps.length = message.number;
      page.data.steps.push(message.step);
      step = page.data.steps.length;
      rest();
      page.grow(message.number);
      drawSeat();
      if (isLate) $("noted").textContent = "Your time ran out: the table chose for you.";
    },
    rewind(message) {
      page.data.steps.length = step = message.number;
      rest();
      page.grow(message.number);
      drawSeat();
    },
    proposals(message) { trades.propose(message.proposals); },
    choices(message) { // a connection that has come again says what is shown already
      if (message.step !== step || JSON.stringify(message) === JSON.stringify(choices)) return;
      refuse(""); // what was refused at another step, perhaps to a tab that declined for its player
      show(message);
    },
    advice(message) { if (message.step === step) advise(message); },
    preparing({ parts, invitation }) { if (page) prepare(parts); else waitForTable(parts, invitation); },
    seated(message) { location.hash = message.secret; }, // the rematch
    over(message) {
      isOver = true;
      if (message.replay.startsWith("/")) page.data.source = { file: "game.sgn.json", path: message.replay.replace(/\.html$/, "") };
      page.redrawCurves();
      clock.hide();
      show(null);
      $("wishes").hidden = true;
      $("noted").textContent = "";
      $("choices").hidden = false;
      $("acts").replaceChildren();
      $("ask").replaceChildren("The game is over. ",
        element("a", { href: message.replay, textContent: "Replay", target: isAlone ? "_blank" : "" }), " · ",
        element("a", { href: message.record, textContent: "Record", download: isAlone ? "game.sgn.json" : "" }));
      if (message.again) $("ask").append(" · ", element("a", { href: isAlone ? "#" : "/start", textContent: "New table" }));
      if (page.live.winner !== null) $("acts").append(plain("What decided the game", () => $("curves").scrollIntoView({ block: "start" })));
      if (message.again && me !== null) $("acts").append(plain("Rematch with rotated seats", () => sayNow({ type: "rematch" })));
    },
    judged({ data }) {
      if (data.odds.length !== page.data.steps.length) return;
      Object.assign(page.data, data);
      page.redrawCurves();
    },
    refused(message) {
      if (page === null) { stopWaiting(); turnAway(`The server refused it: ${message.reason}.`); return; }
      isUnknown = !isSeated;
      if (isUnknown) return; // the server closes this line
      refuse(message.reason);
      if (choices) show(choices);
    },
  };
  function prepare(parts) {
    $("preparing").hidden = !parts.length;
    $("preparing").replaceChildren(...(parts.length ? [`Getting ready: ${parts.join(", ")}. The game waits only on their turns. `,
      element("progress", { ariaLabel: "Getting ready" })] : []));
  }
  const hear = (message) => HEAR[message.type](message);

  // Choices

  const WORDS = {
    ROLL: "Roll the dice", END_TURN: "End the turn", PLAY_KNIGHT: "Play a knight", PLAY_ROAD_BUILDING: "Play road building",
  };
  const ASKS = {
    PLACE_SETTLEMENT: "Place a settlement on a lit corner.", PLACE_ROAD: "Place a road beside it.", ROLL: "Roll the dice, or play a card first.",
    ROBBER: "Move the robber to another tile.", FREE_ROAD: "Build a free road.",
    MAIN: "Build, trade, play a card, or end the turn.", ANSWER: "You are offered a trade.",
  };
  const PLACES = ["SETTLEMENT", "CITY", "ROAD", "MOVE_ROBBER"];
  const act = (choice) => { refuse(""); sayNow({ type: "act", index: choice.index }); };

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
    picked = null;
    $("ask").textContent = message ? askOf(page.live) : ""; // which a notification repeats
    if (!message) $("acts").replaceChildren();
    const isDeclined = drawSeat();
    if (!message || isDeclined) { $("choices").hidden = true; return; }
    $("acts").replaceChildren(...message.actions.filter((a) => WORDS[a.kind]).map((a) => button(a, WORDS[a.kind])),
      ...cardButtons(message), ...trades.answers(message));
    if (message.may_ask) $("acts").append(plain("What would you play?", () => sayNow({ type: "ask" })));
    if (message.hints?.length) $("acts").append(plain("Hint: most pips", () => hint(message)));
    if (message.may_undo) $("acts").append(plain("Undo", () => sayNow({ type: "undo" })));
    lightUp(message.actions.filter((a) => PLACES.includes(a.kind)));
    if (hadFocus && document.activeElement === document.body) $("choices").focus({ preventScroll: true });
    hadFocus = false;
  }
  // "Your turn", for a tab in the background

  const icon = document.querySelector("link[rel=icon]"), plainIcon = icon.href;
  const turnIcon = plainIcon.replace("cf7b4f", "0068b0");
  let title = document.title, isAsked = false;
  /** The call begins with the seat's choices, and ends when another seat decides. */
  function callToTurn(isDeclined = false) {
    const isStill = isAsked && page.live.seat === me;
    const isMine = (choices !== null || isStill) && !isDeclined && !isOver;
    setText(document.querySelector("title"), isMine ? `Your turn – ${title}` : title);
    set(icon, "href", isMine ? turnIcon : plainIcon);
    if (isMine && !isAsked) for (const call of [chime, notify]) {
      try { call(); } catch (error) { console.warn(error); } // as in Chrome for Android, which refuses the constructor
    }
    isAsked = isMine;
  }
  function notify() {
    if (!document.hidden || !mayNotify() || !$("alerts").checked) return;
    new Notification("Catan: your turn", { body: $("ask").textContent, tag: secret });
  }
  let sound = null;
  /** A short tone, only where the player has switched sounds on. */
  function chime() {
    if (!$("sounds").checked) return;
    sound ??= new AudioContext();
    const tone = sound.createOscillator(), volume = sound.createGain(), at = sound.currentTime;
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(.12, at);
    volume.gain.exponentialRampToValueAtTime(.001, at + .35);
    tone.connect(volume).connect(sound.destination);
    tone.start(at);
    tone.stop(at + .35);
  }
  const mayNotify = () => window.Notification?.permission === "granted";
  /** Browsers allow notifications only where the person agrees, and only on pages by HTTPS or of their own machine. */
  async function askForAlerts() {
    const answer = await window.Notification?.requestPermission();
    if (answer === "granted") return;
    $("alerts").checked = false;
    store("catan-alerts", "no");
    $("noted").textContent = "This browser allows no notifications from this page.";
  }
  for (const name of ["sounds", "alerts"]) {
    $(name).checked = stored(`catan-${name}`) === "yes" && (name === "sounds" || mayNotify());
    $(name).onchange = () => {
      store(`catan-${name}`, $(name).checked ? "yes" : "no");
      if (name === "alerts" && $(name).checked) askForAlerts();
      if (name === "sounds") chime();
    };
  }

  /** Draw what the seat holds and may trade; true if its answer was given for it. */
  function drawSeat() {
    own?.draw(choices, picked);
    const isDeclined = trades?.draw(choices) ?? false;
    callToTurn(isDeclined);
    return isDeclined;
  }
  /** Light up only the places of one kind of piece; all of them without a kind. */
  function pick(kind) {
    picked = kind;
    own.draw(choices, kind);
    lit()?.remove();
    const places = choices.actions.filter((a) => (kind ? a.kind === kind : PLACES.includes(a.kind)));
    lightUp(places);
    $("ask").textContent = kind ? `Where? ${counted(places.length, "place")} for a ${kind.toLowerCase()} ${places.length === 1 ? "is" : "are"} lit on the board.` : askOf(page.live);
  }
  function askOf(frame) {
    if (frame.phase === "DISCARD") return `Discard ${counted(choices.owed, "card")}.`;
    if (frame.phase !== "ANSWER") return ASKS[frame.phase] || "";
    const lines = frame.log.filter((line) => line.seat !== undefined);
    return `${lines.length ? lines[lines.length - 1].text : ASKS.ANSWER}`;
  }
  function button(choice, text) {
    const isMain = ["ROLL", "END_TURN"].includes(choice.kind);
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

  // Places on the board

  const lit = () => $("places");
  function lightUp(actions) {
    const layer = drawn("g", { id: "places", role: "group", "aria-label": "Places" });
    const robbed = new Map();
    for (const choice of actions) {
      if (choice.kind === "MOVE_ROBBER") {
        const [tile] = choice.args;
        robbed.set(tile, [...(robbed.get(tile) || []), choice]);
      } else layer.append(place(choice, placeShape(page.data, choice), choice.label, choice.why, () => act(choice)));
    }
    for (const [tile, some] of robbed) {
      const label = `move the robber to ${page.data.tile_names[tile]}`;
      const shape = placeShape(page.data, some[0]);
      layer.append(place(some[0], shape, label, some[0].why.split("; ")[0], () => (some.length === 1 ? act(some[0]) : chooseVictim(some))));
    }
    $("pieces").append(layer);
  }
  function place(choice, shape, label, why, choose) {
    const node = drawn("g", { class: "choice", tabindex: 0, role: "button", "aria-label": label }, shape, reachOf(shape));
    Object.assign(node.dataset, { index: choice.index, kind: choice.kind, place: choice.args[0] });
    if (why) node.setAttribute("aria-description", why);
    node.append(drawn("title", {}, why ? `${label}; ${why}` : label));
    node.onclick = (event) => (event.pointerType === "touch" ? confirm(node, label, why, choose) : choose());
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
  function confirm(node, label, why, choose) {
    for (const other of lit().querySelectorAll(".pointed-at")) other.classList.remove("pointed-at");
    node.classList.add("pointed-at");
    $("ask").textContent = `${capital(label)}?`;
    const yes = plain("Yes", choose);
    yes.classList.add("main");
    $("acts").replaceChildren(yes, plain("Another place", () => show(choices)));
    $("advice").replaceChildren(...(why ? [element("p", { className: "quiet", textContent: why })] : []));
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

  /** A move in a list: what it brings, and its place on the board when it is pointed at. */
  function candidate(choice, text, value = "") {
    const row = plain("", () => act(choice));
    row.append(...(value ? [element("b", { textContent: value }), " "] : []), text,
      ...(choice.why ? [element("small", { textContent: ` ${choice.why}` })] : []));
    row.dataset.index = choice.index;
    const point = (isOn) => () => {
      for (const node of lit().querySelectorAll(`[data-index="${choice.index}"]`)) node.classList.toggle("pointed-at", isOn);
    };
    row.onmouseenter = row.onfocus = point(true);
    row.onmouseleave = row.onblur = point(false);
    return element("li", {}, row);
  }
  /** The corners with most pips, in the set-up. */
  function hint({ hints, actions }) {
    const rows = hints.map((index) => actions.find((one) => one.index === index)).map((choice) => candidate(choice, choice.label));
    $("advice").replaceChildren(element("p", { className: "quiet",
      textContent: "The free corners with most pips (ways to roll their numbers, of 36). Look for different resources, and for harbours." }),
    element("ol", {}, ...rows));
    for (const index of hints) for (const node of lit().querySelectorAll(`[data-index="${index}"]`)) node.classList.add("advised");
  }
  /** What a policy would play, and the odds of winning after it and after other moves. */
  function advise(message) {
    const { policy, action, moves, outlook } = message;
    const rows = moves.map(({ choice, odds }) =>
      candidate(choice, `${choice.label}${choice.index === action.index ? ` — ${policy} plays this` : ""}`, percent(odds)));
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

  if (secret) connect(); else turnAway("It names no seat: the part after the # is missing.");
  window.addEventListener("hashchange", () => location.reload());
})();
