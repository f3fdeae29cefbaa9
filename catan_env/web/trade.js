/** Trades: with the bank, offers to others, answers to theirs, and proposals while others are on turn. */
function tradesOf(page, me, { act, say, refuse, plain }) {
  const names = page.data.players, seats = names.length;
  const swapped = (give, get) => `give ${inWords(give)}, get ${inWords(get)}`;
  let choices = null, proposals = [];

  function options(select, entries) {
    select.replaceChildren(...entries.map(([value, textContent]) => element("option", { value, textContent })));
  }
  function showBank() {
    const trades = choices.actions.filter((a) => a.kind === "BANK_TRADE");
    $("bank-trade").hidden = !trades.length;
    const gives = [...new Set(trades.map((a) => a.args[0]))];
    options($("bank-give"), gives.map((k) => [k, `${choices.rates[k]} ${RESOURCES[k]}`]));
    const fill = () => options($("bank-get"), trades.filter((a) => a.args[0] === Number($("bank-give").value))
      .map((a) => [a.index, `1 ${RESOURCES[a.args[1]]}`]));
    $("bank-give").onchange = fill;
    fill();
    $("bank-trade").onsubmit = (event) => { event.preventDefault(); act({ index: Number($("bank-get").value) }); };
  }

  // Cards on both sides of a trade

  function stepper(side, resource, most, isGiven) {
    const count = element("b", { textContent: "0" });
    const name = RESOURCES[resource], held = page.live.hands[me][resource];
    const node = element("span", { className: "stepper", title: name });
    const set = (n) => {
      count.textContent = Math.min(Math.max(n, 0), most);
      node.classList.toggle("some", Number(count.textContent) > 0);
    };
    const move = (by) => () => set(Number(count.textContent) + by);
    const verb = isGiven ? "give" : "get";
    const have = isGiven ? element("small", { textContent: `of ${held}`, title: `${held} in your hand` }) : "";
    const less = element("button", { type: "button", textContent: "−", onclick: move(-1), ariaLabel: `${verb} one ${name} less` });
    const more = element("button", { type: "button", textContent: "+", onclick: move(1), ariaLabel: `${verb} one ${name} more` });
    node.append(picture(`icon-${TERRAINS[resource]}`, "-15 -15 30 30"), less, count, more, have);
    node.dataset.resource = name;
    node.style.background = TINTS[resource];
    node.set = set;
    return node;
  }
  const steppers = (id) => [...$(id).querySelectorAll(".stepper")];
  const counts = (id) => steppers(id).map((node) => Number(node.querySelector("b").textContent));
  function fillIn(form, give = [0, 0, 0, 0, 0], get = [0, 0, 0, 0, 0]) {
    const hand = page.live.hands[me];
    for (const [side, wanted] of [["give", give], ["get", get]]) {
      const id = `${form}-${side}`;
      for (const node of steppers(id)) node.remove();
      $(id).append(...RESOURCES.map((_, k) => stepper(id, k, side === "give" ? hand[k] : 19, side === "give")));
      steppers(id).forEach((node, k) => node.set(wanted[k]));
    }
  }

  /** Why these cards cannot be traded; empty if they can. */
  function faultOf(give, get) {
    if (!sum(give) || !sum(get)) return "Choose cards on both sides.";
    return give.some((n, k) => n && get[k]) ? "The same resource cannot be on both sides." : "";
  }

  // Offers of the seat on turn

  function showOffer() {
    const frame = page.live;
    $("offer").hidden = $("quick").hidden = !choices.may_offer;
    if (!choices.may_offer) return;
    const others = [...Array(seats - 1).keys()].map((k) => (me + k + 1) % seats).filter((seat) => !frame.gone.includes(seat));
    const everyone = others.length > 1 ? [[0, "everyone"]] : [];
    const partners = [...everyone, ...others.map((seat) => [(seat - me + seats) % seats, names[seat]])];
    options($("offer-to"), partners);
    const key = `${choices.step} ${frame.hands[me]}`; // an undo repeats steps
    if ($("offer").dataset.key !== key) fillIn("offer"); // what was put together stays
    $("offer").dataset.key = key;
    $("offer").onsubmit = (event) => {
      event.preventDefault();
      const give = counts("offer-give"), get = counts("offer-get"), problem = faultOf(give, get);
      if (problem) refuse(problem); else offer(Number($("offer-to").value), give, get);
    };
    showQuick(frame.hands[me], partners[0][0]);
  }
  function offer(to, give, get) {
    refuse("");
    say({ type: "offer", to, give, get });
  }
  /** Offers of one spare card for the one card that a purchase lacks. */
  function showQuick(hand, to) {
    const NAMES = { CITY: "a city", SETTLEMENT: "a settlement", ROAD: "a road", BUY_DEVELOPMENT_CARD: "a card" };
    const found = new Map();
    for (const [kind, name] of Object.entries(NAMES)) {
      const cost = page.data.costs[kind], lacks = cost.map((n, k) => Math.max(n - hand[k], 0));
      if (sum(lacks) !== 1) continue;
      const spare = hand.map((n, k) => n - cost[k]), most = Math.max(...spare);
      const give = hand.map((_, k) => Number(k === spare.indexOf(most)));
      const text = `${inWords(give)} for ${inWords(lacks)}`;
      if (most > 0) found.set(text, found.get(text) || [give, lacks, name]);
    }
    $("quick").hidden = !found.size;
    $("quick").replaceChildren(element("span", { className: "legend", textContent: "Quick" }),
      ...[...found].map(([text, [give, get, name]]) => plain(`${text} (${name})`, () => offer(to, give, get))));
  }

  // Answers

  const lacking = ({ lacks }) => (sum(lacks) ? `you lack ${inWords(lacks)}` : "");
  const declinesAlone = () => $("declines").checked;
  $("declines").checked = stored("catan-declines") !== "no";
  $("declines").onchange = () => {
    store("catan-declines", declinesAlone() ? "yes" : "no");
    if (choices) answerAlone();
  };
  /** The buttons that answer the offers on the table; empty if there are none. */
  function answers(message) {
    const { offers, actions } = message;
    if (!offers.length) return [];
    const answer = (number) => () => { refuse(""); say({ type: "answer", number }); };
    const indexOf = (kind) => actions.find((action) => action.kind === kind)?.index;
    const rows = offers.map((one, k) => {
      const why = lacking(one);
      const node = plain(`Accept: ${swapped(one.give, one.get)}`, why ? null : answer(k));
      if (!k && !why) node.dataset.index = indexOf("ACCEPT");
      node.dataset.kind = "ACCEPT";
      node.classList.toggle("main", !k && !why);
      if (why) { node.setAttribute("aria-disabled", "true"); node.append(element("small", { textContent: why })); }
      return node;
    });
    const decline = plain(offers.length > 1 ? "Decline all" : "Decline", answer(-1));
    decline.dataset.index = indexOf("REJECT");
    decline.dataset.kind = "REJECT";
    const counter = plain("Counter-offer", () => {
      $("propose-box").hidden = false;
      $("propose-box").open = true;
      fillIn("propose", offers[0].give.map((n, k) => Math.min(n, page.live.hands[me][k])), offers[0].get);
      $("propose").querySelector("button").focus();
    });
    return [...rows, decline, counter];
  }
  /** Decline what cannot be paid, where the player wants that. */
  function answerAlone() {
    const { offers } = choices;
    if (!offers.length || !declinesAlone() || !offers.every(lacking)) return false;
    const from = names[page.live.on];
    note(`Declined for you: ${from} wanted ${offers.map(({ give }) => inWords(give)).join(", or ")}; ${lacking(offers[0])}.`);
    say({ type: "answer", number: -1 });
    return true;
  }
  const note = (text) => { $("noted").textContent = text; };

  // Proposals of the others

  function showProposals() {
    const mayOffer = Boolean(choices?.may_offer);
    $("proposals").hidden = !proposals.length;
    $("proposals").replaceChildren(...proposals.map(({ seat, give, get }) => {
      const who = seat === me ? "You" : names[seat];
      const item = element("li", {}, `${who} would give ${inWords(give)} for ${inWords(get)} `);
      const canPay = me !== null && mayOffer && get.every((n, k) => n <= page.live.hands[me][k]);
      if (canPay) item.append(plain("Offer that", () => offer((seat - me + seats) % seats, get, give)));
      if (seat === me) item.append(plain("Withdraw", () => say({ type: "propose", give: [0, 0, 0, 0, 0], get: [0, 0, 0, 0, 0] })));
      return item;
    }));
  }
  function showPropose() {
    const frame = page.live;
    const may = me !== null && page.data.trades && frame.turn && frame.on !== me && frame.phase !== "OVER";
    $("propose-box").hidden = !may;
    const key = `${frame.turn} ${frame.hands[me]}`;
    if (may && $("propose").dataset.hand !== key) { fillIn("propose"); $("propose").dataset.hand = key; }
  }
  $("propose").onsubmit = (event) => {
    event.preventDefault();
    const isAnswer = Boolean(choices?.offers.length), give = counts("propose-give"), get = counts("propose-get");
    const problem = faultOf(give, get);
    refuse(problem);
    if (problem) return;
    say({ type: "propose", give, get });
    if (isAnswer) say({ type: "answer", number: -1 });
    $("propose-box").open = false;
  };

  /** Show what may be traded; `message` are the seat's choices, if it has any; its last one may be refused. */
  function draw(message, isRefused) {
    choices = message;
    for (const id of ["bank-trade", "offer", "quick"]) $(id).hidden = true;
    $("declines-box").hidden = me === null || !page.data.trades;
    if (me !== null) showPropose();
    showProposals();
    if (!message) return false;
    showBank();
    showOffer();
    const isDeclined = !isRefused && answerAlone(); // what was refused would be refused again
    if (!isDeclined && message.actions.length) note("");
    return isDeclined;
  }
  function propose(list) {
    proposals = list;
    showProposals();
  }
  return { draw, answers, propose };
}
