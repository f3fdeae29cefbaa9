
// A live table: the page grows by the steps that come, and lets its seat choose.
(() => {
  const secret = location.hash.slice(1);
  const isAlone = typeof openLine === "function"; // the table is in the page (catan_env.alone)
  const RETRY = 1000, RETRY_AT_END = 5000, ASLEEP = 20_000, BRIEFLY = 150; // milliseconds
  let page = null, board = null, own = null, trades = null, clock = null, places = null, advice = null, socket = null, me = null, choices = null, picked = null, step = 0, isOver = false, isTurnedAway = false;
  const alerts = alertsOf(secret);
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
      const status = document.querySelector("#waiting [role=status]");
      if (status) status.textContent = GONE;
    } else if (said === step) refuse(GONE); // a rematch was asked for on this line
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
      said = -1;
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
      places = litPlaces(page, me, { act, plain, button, again: () => show(choices) });
      advice = adviceOf(page, { act, plain });
      drawSeat();
      const title = document.querySelector("h1").textContent = `Catan: ${message.data.players.join(", ")}`;
      alerts.name(title);
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
      advice.forget(step);
      drawSeat();
    },
    proposals(message) { trades.propose(message.proposals); },
    choices(message) { // a connection that has come again says what is shown already
      if (message.step !== step || JSON.stringify(message) === JSON.stringify(choices)) return;
      refuse(""); // what was refused at another step, perhaps to a tab that declined for its player
      show(message);
    },
    advice(message) { if (message.step === step) advice.advise(message); },
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
      if (choices) show(choices, true);
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
    hadFocus ||= $("choices").contains(document.activeElement) || Boolean(places?.hasFocus());
    choices = null;
    places?.clear();
    $("choices").inert = true;
    resting ??= setTimeout(() => show(null), BRIEFLY);
  }
  /** Show what may be chosen; nothing when it is somebody else's decision. */
  function show(message, isRefused = false) {
    hadFocus ||= $("choices").contains(document.activeElement);
    clearTimeout(resting);
    resting = null;
    choices = message;
    places?.clear();
    $("choices").inert = false;
    $("choices").hidden = !message;
    $("advice").replaceChildren();
    picked = null;
    $("ask").textContent = message ? askOf(page.live) : ""; // which a notification repeats
    if (!message) $("acts").replaceChildren();
    const isDeclined = drawSeat(isRefused);
    if (!message || isDeclined) { $("choices").hidden = true; return; }
    $("acts").replaceChildren(...message.actions.filter((a) => WORDS[a.kind]).map((a) => button(a, WORDS[a.kind])),
      ...cardButtons(message), ...trades.answers(message));
    if (message.may_ask) $("acts").append(plain("What would you play?", () => sayNow({ type: "ask" })));
    if (message.hints?.length) $("acts").append(plain("Hint: most pips", () => advice.hint(message)));
    if (message.may_undo) $("acts").append(plain("Undo", () => sayNow({ type: "undo" })));
    places.light(message.actions.filter((a) => PLACES.includes(a.kind)));
    if (hadFocus && document.activeElement === document.body) $("choices").focus({ preventScroll: true });
    hadFocus = false;
  }
  /** The call begins with the seat's choices, and ends when another seat decides. */
  function callToTurn(isDeclined = false) {
    const isStill = alerts.isCalling() && page.live.seat === me;
    alerts.call((choices !== null || isStill) && !isDeclined && !isOver);
  }
  /** Draw what the seat holds and may trade; true if its answer was given for it. */
  function drawSeat(isRefused = false) {
    own?.draw(choices, picked);
    const isDeclined = trades?.draw(choices, isRefused) ?? false;
    callToTurn(isDeclined);
    return isDeclined;
  }
  /** Light up only the places of one kind of piece; all of them without a kind. */
  function pick(kind) {
    picked = kind;
    own.draw(choices, kind);
    const some = choices.actions.filter((a) => (kind ? a.kind === kind : PLACES.includes(a.kind)));
    places.light(some);
    $("ask").textContent = kind ? `Where? ${counted(some.length, "place")} for a ${kind.toLowerCase()} ${some.length === 1 ? "is" : "are"} lit on the board.` : askOf(page.live);
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

  if (secret) connect(); else turnAway("It names no seat: the part after the # is missing.");
  window.addEventListener("hashchange", () => location.reload());
})();
