/** The player's own cards, large, under the board, and what they can be spent on. */
function ownCards(page, me, { buy, pick }) {
  const BUILDS = { ROAD: "Road", SETTLEMENT: "Settlement", CITY: "City", BUY_DEVELOPMENT_CARD: "Card" };
  const { costs } = page.data;
  const hand = element("ul", { id: "own-hand", ariaLabel: "Your hand" });
  const cards = element("ul", { id: "own-cards", ariaLabel: "Your development cards" });
  const builds = element("div", { id: "builds", role: "group", ariaLabel: "Build" });
  const section = element("section", { id: "own", ariaLabel: "Your cards" }, hand, cards, builds);
  $("board").after(section);
  document.body.classList.add("seated");
  let picked = null;

  function card(resource, n) {
    const node = element("li", { className: n ? "own-card" : "own-card none", title: `${n} ${RESOURCES[resource]}` },
      picture(`icon-${TERRAINS[resource]}`, "-15 -15 30 30"), element("b", { textContent: n }),
      element("span", { textContent: RESOURCES[resource] }));
    node.style.background = n ? TINTS[resource] : "";
    return node;
  }
  const developed = (n, kind) =>
    element("li", { className: "own-card developed", title: counted(n, CARDS[kind]) }, element("b", { textContent: n }), element("span", { textContent: CARDS[kind] }));

  /** Why a piece cannot be built now; empty if it can. */
  function reason(kind, choices, frame) {
    if (choices?.actions.some((action) => action.kind === kind)) return "";
    if (!frame.turn) return "after the set\u2011up";
    if (frame.on !== me) return "on your turn";
    if (frame.phase === "ROLL") return "roll first";
    const lacks = costs[kind].map((n, k) => [n - frame.hands[me][k], RESOURCES[k]]).filter(([n]) => n > 0);
    if (lacks.length) return `needs ${lacks.map(([n, what]) => `${n} ${what}`).join(", ")}`;
    if (frame.phase !== "MAIN") return "not now";
    return kind === "BUY_DEVELOPMENT_CARD" ? "none is left" : "no place or piece left";
  }
  function price(kind, held) {
    const icons = costs[kind].flatMap((n, k) => Array.from({ length: n }, (_, one) => {
      const icon = picture(`icon-${TERRAINS[k]}`, "-15 -15 30 30");
      icon.style.background = TINTS[k];
      if (one >= held[k]) icon.setAttribute("class", "lacking");
      return icon;
    }));
    return element("span", { className: "price", ariaHidden: "true" }, ...icons);
  }
  const BOXES = { ROAD: "-32 -12 64 24", SETTLEMENT: "-20 -20 40 40", CITY: "-24 -24 48 48" };
  function build(kind, choices, frame) {
    const why = reason(kind, choices, frame);
    const cost = inWords(costs[kind]);
    const node = element("button", { type: "button", className: "build", title: why || `costs ${cost}` },
      kind in BOXES ? picture(`${kind.toLowerCase()}-${me}`, BOXES[kind]) : element("i", { className: "back", ariaHidden: "true", textContent: "?" }),
      element("span", { className: "of", textContent: BUILDS[kind] }), price(kind, frame.hands[me]),
      element("small", { textContent: why }));
    node.dataset.build = kind;
    node.setAttribute("aria-disabled", Boolean(why));
    node.setAttribute("aria-label", `${BUILDS[kind] === "Card" ? "Buy a development card" : `Build a ${BUILDS[kind].toLowerCase()}`}, costs ${cost}${why ? `; ${why}` : ""}`);
    if (kind in BOXES) node.setAttribute("aria-pressed", picked === kind);
    const action = choices?.actions.find((one) => one.kind === kind);
    if (action && !(kind in BOXES)) node.dataset.index = action.index;
    node.onclick = () => {
      if (why) return;
      if (kind in BOXES) pick(picked === kind ? null : kind); else buy(action);
    };
    return node;
  }

  /** Show the hand at the end of the game so far, and what may be bought with it. */
  function draw(choices, chosen = null) {
    const frame = page.live;
    picked = chosen;
    section.hidden = frame.phase === "OVER";
    if (section.hidden) return;
    hand.replaceChildren(...frame.hands[me].map((n, k) => card(k, n)));
    cards.replaceChildren(...frame.cards[me].flatMap((n, kind) => (n ? [developed(n, kind)] : [])));
    const focused = document.activeElement?.dataset?.build;
    builds.replaceChildren(...Object.keys(BUILDS).map((kind) => build(kind, choices, frame)));
    if (focused) builds.querySelector(`[data-build=${focused}]`).focus({ preventScroll: true });
  }
  return { draw };
}
