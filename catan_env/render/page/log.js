/** The log: written once for each sight, the lines of later steps hidden; refused offers in one. */
function logOf(data, frames, textOf, goTo) {
  const PART = 100;
  let lines = [], here = [], written = 0, at = 0;
  const stepOf = (k) => Number(lines[k].dataset.step);
  const kindOf = (step) => frames[step]?.log.map((line) => line.kind).find(Boolean);

  /** The first and last step of each run of offers that everybody refused. */
  function refusals(from) {
    const runs = [];
    for (let k = from; k < frames.length; k++) {
      let end = k;
      while (kindOf(end) === "OFFER" && kindOf(end + 1) === "REJECT") end += 2;
      if (end > k) { runs.push([k, end - 1]); k = end - 1; }
    }
    return runs;
  }
  let folded = [];
  /** Write the lines of a step and of those after it; what stands before them stays. */
  function write(turnStarts, first = 0) {
    let from = first;
    while (from > 0 && ["OFFER", "REJECT"].includes(kindOf(from - 1))) from--; // the run may go on
    forget(from);
    const runs = refusals(from);
    folded.push(...runs);
    const fold = new Map(runs);
    const inside = new Set(runs.flatMap(([begin, end]) => Array.from({ length: end - begin + 1 }, (_, k) => begin + k)));
    const fresh = [];
    for (let k = from; k < frames.length; k++) {
      const frame = frames[k];
      if (fold.has(k)) fresh.push(summary(k, fold.get(k)));
      for (const line of data.steps[k].log) fresh.push(entry(k, line, inside.has(k)));
      if (frame.turn && turnStarts[frame.turn] === k && frame.phase !== "OVER")
        fresh.push(item(k, `Turn ${frame.turn}: ${data.players[frame.on]}`, "head"));
    }
    lines.push(...fresh);
    append(fresh);
  }
  /** Lines stand in lists of a hundred, of which only the last is laid out anew at a step. */
  function append(fresh) {
    for (const node of fresh) {
      if (!($("log").lastElementChild?.children.length < PART)) $("log").append(element("ol"));
      $("log").lastElementChild.append(node);
    }
  }
  function forget(from) {
    let kept = lines.length;
    while (kept && stepOf(kept - 1) >= from) kept--;
    for (const node of lines.splice(kept)) node.remove();
    for (const part of [...$("log").children]) if (!part.children.length) part.remove();
    folded = folded.filter(([begin]) => begin < from);
    written = Math.min(written, kept);
  }
  function summary(from, to) {
    const offers = (to - from + 1) / 2;
    const first = data.steps[from].log.find((line) => line.kind === "OFFER");
    const node = item(from, offers === 1 ? `${textOf(first)}: refused`
      : `${data.players[first.seat]}: ${offers} offers, all refused`, "fold");
    stripe(node, data.colours[first.seat]);
    node.dataset.last = to;
    return node;
  }
  function item(step, textContent, className) {
    const node = element("li", { textContent, className, hidden: true });
    node.dataset.step = step;
    return node;
  }
  function entry(step, line, isFolded) {
    if (line.seat === undefined)
      return item(step, line.by === "A" ? line.text : `${line.by}: ${line.text}`, "chat");
    const node = item(step, textOf(line), isFolded ? "folded" : "");
    stripe(node, data.colours[line.seat]);
    const lesson = data.lessons?.find((one) => one.step === step);
    if (lesson) node.append(element("em", { className: "lost", textContent: ` −${percent(lesson.odds[1] - lesson.odds[0])}` }));
    return node;
  }
  function draw(step) {
    at = step;
    for (const node of here) node.classList.remove("here");
    here = [];
    while (written < lines.length && stepOf(written) <= at) lines[written++].hidden = false;
    while (written > 0 && stepOf(written - 1) > at) lines[--written].hidden = true;
    for (let k = written - 1; k >= 0 && stepOf(k) === at; k--)
      if (lines[k].className !== "head") here.push(lines[k]);
    const run = foldAt(at);
    if (run) here.push(lines.find((node) => node.dataset.last == run[1]));
    for (const node of here) node.classList.add("here");
    scrolling ??= requestAnimationFrame(toItsEnd);
  }
  let scrolling = null; // where it ends is a question of layout: one a frame, not one a step
  function toItsEnd() {
    scrolling = null;
    $("log").scrollTop = 1e9;
  }
  new ResizeObserver(toItsEnd).observe($("log")); // choices take its room
  const foldAt = (step) => folded.find(([from, to]) => from <= step && step <= to);

  $("log").addEventListener("click", (event) => {
    const line = event.target.closest("li");
    if (!line) return;
    if (line.classList.contains("fold")) unfold(line);
    goTo(Number(line.dataset.step));
  });
  function unfold(line) {
    const isOpen = line.classList.toggle("open");
    for (const node of lines)
      if (node.classList.contains("folded") && node.dataset.step >= Number(line.dataset.step) && node.dataset.step <= Number(line.dataset.last))
        node.classList.toggle("open", isOpen);
  }
  $("log").addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const steps = lines.filter((node) => !node.matches(".head, .chat, .folded")).map((node) => Number(node.dataset.step));
    const next = by < 0 ? steps.filter((step) => step < at).pop() : steps.find((step) => step > (foldAt(at)?.[1] ?? at));
    if (next !== undefined) goTo(next);
  });

  return { write, draw, foldAt };
}
