/** The places on the board that may be chosen; `again` shows all choices once more. */
function litPlaces(page, me, { act, plain, button, again }) {
  const lit = () => $("places");

  function clear() {
    lit()?.remove();
  }
  /** Light up the places of these actions, and no others. */
  function light(actions) {
    clear();
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
    $("acts").replaceChildren(yes, plain("Another place", again));
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
      plain("Another tile", again));
    $("acts").querySelector("button").focus();
  }
  const hasFocus = () => Boolean(lit()?.contains(document.activeElement));
  return { light, clear, hasFocus };
}
