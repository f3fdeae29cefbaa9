/** Moves in a list, with their places on the board: hints in the set-up, and a policy's advice. */
function adviceOf(page, { act, plain }) {
  /** What a move brings, and its place on the board when it is pointed at. */
  function candidate(choice, text, value = "") {
    const row = plain("", () => act(choice));
    row.append(...(value ? [element("b", { textContent: value }), " "] : []), text,
      ...(choice.why ? [element("small", { textContent: ` ${choice.why}` })] : []));
    row.dataset.index = choice.index;
    const point = (isOn) => () => {
      for (const node of document.querySelectorAll(`#places [data-index="${choice.index}"]`)) node.classList.toggle("pointed-at", isOn);
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
    for (const index of hints) for (const node of $("places").querySelectorAll(`[data-index="${index}"]`)) node.classList.add("advised");
  }
  /** What a policy would play, and the odds of winning after it and after other moves. */
  function advise({ policy, action, moves, outlook, step }) {
    const rows = moves.map(({ choice, odds }) =>
      candidate(choice, `${choice.label}${choice.index === action.index ? ` — ${policy} plays this` : ""}`, percent(odds)));
    const seats = outlook.map((odds, seat) => `${page.data.players[seat]} ${percent(odds)}`).join(" · ");
    $("advice").replaceChildren(element("p", { className: "quiet", textContent: `Odds of winning: ${seats}; and after a move:` }),
      element("ol", {}, ...rows));
    for (const node of document.querySelectorAll(`[data-index="${action.index}"]`)) node.classList.add("advised");
    remember(outlook, step);
  }
  /** The odds as far as they were asked for, as a curve. */
  function remember(outlook, step) {
    const odds = page.data.odds ??= [];
    const before = odds.length ? odds[Math.min(step, odds.length) - 1] ?? outlook : outlook;
    while (odds.length < step - 1) odds.push(before);
    odds[step - 1] = outlook;
    odds.length = step;
    page.redrawCurves();
  }
  /** Leave out the odds of steps that were taken back. */
  function forget(steps) {
    if (!(page.data.odds?.length > steps)) return;
    page.data.odds.length = steps;
    page.redrawCurves();
  }
  return { hint, advise, forget };
}
