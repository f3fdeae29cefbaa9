// A puzzle: one position, and the moves of which one is much better than the others.
(() => {
  const data = JSON.parse($("data").textContent), { moves, judge, next, count } = data.puzzle;
  const me = data.players[data.viewer], KEY = `catan-puzzles ${location.pathname.replace(/[^/]*$/, "")}`;
  const PLACES = ["SETTLEMENT", "CITY", "ROAD", "MOVE_ROBBER"];
  const best = moves[0], listed = [...moves].sort((a, b) => a.label.localeCompare(b.label));
  document.body.classList.add("puzzle");
  window.replay = openPage(data);
  $("ask").textContent = `You are ${me}. Which move wins most often?`;

  const layer = drawn("g", { id: "places" });
  $("pieces").append(layer);
  /** A move as a button; its place on the board lights up with it, and may be clicked as well. */
  function candidate(move, text, onclick) {
    const button = element("button", { type: "button", onclick }, ...text);
    button.dataset.index = move.index;
    if (PLACES.includes(move.kind)) {
      const node = drawn("g", { class: "choice" }, placeShape(data, move), drawn("title", {}, move.label));
      node.onclick = onclick;
      layer.append(node);
      button.onmouseenter = button.onfocus = () => node.classList.add("pointed-at");
      button.onmouseleave = button.onblur = () => node.classList.remove("pointed-at");
    }
    return element("li", {}, button);
  }
  const list = (items) => {
    layer.replaceChildren();
    $("advice").replaceChildren(element("ol", {}, ...items()));
  };
  const reasons = ({ why }) => (why ? [element("small", { textContent: why })] : []);
  function ask() { list(() => listed.map((move) => candidate(move, [move.label, ...reasons(move)], () => answer(move)))); }
  function answer(chosen) {
    $("choices").classList.add("answered");
    const isBest = chosen === best, solved = new Set(JSON.parse(stored(KEY) ?? "[]"));
    if (isBest) solved.add(location.pathname);
    store(KEY, JSON.stringify([...solved]));
    $("ask").textContent = isBest ? `Right: ${best.label}.` : `Not the best. ${percent(best.odds - chosen.odds)} better: ${best.label}.`;
    list(() => moves.map((move) => candidate(move, [element("b", { textContent: percent(move.odds) }),
      ` ${move.label}${move === chosen ? " — your choice" : ""}`, ...reasons(move)], () => {})));
    $("advice").append(element("p", { className: "quiet", textContent: `Odds of winning as ${me}, by ${judge}, from what ${me} knows.` }),
      element("p", { className: "answers" }, element("button", { type: "button", textContent: "Try again", onclick: () => location.reload() }),
        element("a", { href: next, textContent: "Next puzzle" })));
    $("solved").textContent = `${solved.size} of ${count} solved.`;
  }
  ask();
})();
