/** Curves: one line a seat over all steps, where we are, and who is who. */
function curvesOf(data, frames, { pointsOf, goTo }) {
  const seats = data.players.map((_, seat) => seat);
  const CURVES = [
    ["points", "Victory points", pointsOf, String],
    ["hand", "Cards in hand", (frame, seat) => frame.sizes[seat], String],
    ["income", "Cards from tiles, in all", (frame, seat) => frame.income[seat], String],
  ];
  const WIDTH = 400, HEIGHT = 150, LEFT = 36, BOTTOM = 16;
  const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
  const summary = summaryOf(data, frames, { pointsOf, goTo });
  let moved = []; // what changes with the step
  /** Letters keep their size and shape, however a chart is stretched. */
  const letters = new ResizeObserver((charts) => {
    for (const { target, contentRect: { width, height } } of charts) {
      if (!width || !height) continue;
      target.style.setProperty("--across", WIDTH / width);
      target.style.setProperty("--down", HEIGHT / height);
    }
  });

  const valuesOf = (valueAt) => seats.map((seat) => frames.map((_, k) => valueAt(k, seat)));
  function write(starts) {
    moved = [];
    const last = frames.length - 1, turns = frames[last].turn;
    const x = (k) => LEFT + (last ? k / last : 0) * (WIDTH - LEFT - 6);
    const figures = CURVES.map(([id, name, value, show]) => {
      const valueAt = (k, seat) => value(frames[k], seat);
      const values = valuesOf(valueAt);
      return curve({ id, name, values, valueAt, show, most: Math.max(1, ...values.map((line) => Math.max(...line))) });
    });
    if (data.odds) {
      const valueAt = (k, seat) => data.odds[Math.min(k, data.odds.length - 1)][seat];
      figures.unshift(curve({ id: "odds", name: "Odds of winning", values: valuesOf(valueAt), valueAt, show: percent, most: 1 }));
    }
    const ending = summary.figure();
    letters.disconnect();
    $("curves").replaceChildren(...(ending ? [ending] : []), ...figures, histogram(), ...(data.lessons ? [lessons()] : []));
    for (const chart of $("curves").querySelectorAll("figure > svg")) letters.observe(chart);

    // The legend reads its values from the frames: a live game is ahead of the curves' last drawing.
    function curve({ id, name, values, valueAt, show, most }) {
      const y = (n) => HEIGHT - BOTTOM - (n / most) * (HEIGHT - BOTTOM - 8);
      const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `${name} by turn` });
      const ticks = id === "odds" ? 0.25 : STEPS.find((n) => most / n <= 5) || 1000;
      for (let n = 0; n <= most; n += ticks) {
        svg.append(drawn("line", { x1: LEFT, x2: WIDTH - 6, y1: y(n), y2: y(n), class: "grid" }),
          drawn("text", { x: LEFT - 5, y: y(n) + 4, "text-anchor": "end", "font-size": 11, class: "mark" }, id === "odds" ? String(100 * n) : String(n)));
      }
      const every = STEPS.find((n) => turns / n <= 6) || 1000;
      for (let turn = every; turn <= turns; turn += every)
        svg.append(drawn("text", { x: x(starts[turn]), y: HEIGHT - 3, "text-anchor": "middle", "font-size": 11, class: "mark" }, String(turn)));
      for (const seat of seats) svg.append(...line(values[seat], seat, x, y));
      if (id === "odds") for (const { step, seat } of data.lessons || [])
        svg.append(drawn("circle", { cx: x(step), cy: y(values[seat][step]), r: 4, class: "lesson-dot" }));
      const cursor = drawn("line", { y1: 0, y2: HEIGHT - BOTTOM, class: "cursor" });
      svg.append(cursor);
      const numbers = seats.map(() => element("b"));
      const legend = element("div", { className: "legend" }, ...seats.map((seat) => named(seat, numbers[seat])));
      moved.push((at) => {
        for (const end of ["x1", "x2"]) set(cursor, end, x(Math.min(at, last)));
        for (const seat of seats) setText(numbers[seat], show(valueAt(at, seat)));
      });
      seekable(svg);
      return figure(id, name, "by turn", legend, svg);
    }
    function seekable(svg) {
      const seek = (event) => {
        const box = svg.getBoundingClientRect();
        goTo(Math.round(((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - 6) * last));
      };
      svg.addEventListener("pointerdown", seek);
      svg.addEventListener("pointermove", (event) => { if (event.buttons) seek(event); });
    }
  }
  function line(values, seat, x, y) {
    const last = values.length - 1;
    let path = "", before = null;
    values.forEach((n, k) => {
      if (n !== before || k === last) path += `${path ? `H${x(k).toFixed(1)}V` : `M${x(k).toFixed(1)} `}${y(n).toFixed(1)}`;
      before = n;
    });
    const colour = data.colours[seat];
    return [drawn("path", { d: path, fill: "none", class: colour === WHITE ? "halo white" : "halo", "stroke-width": 4.2 }),
      drawn("path", { d: path, fill: "none", stroke: colour, "stroke-width": 2.2, "stroke-linejoin": "round" })];
  }
  function named(seat, number) {
    const swatch = element("i");
    swatch.style.background = data.colours[seat];
    return element("span", { title: data.players[seat] }, swatch, element("span", { className: "of", textContent: data.players[seat] }), number);
  }
  function figure(id, name, unit, ...rest) {
    const node = element("figure", {}, element("figcaption", {}, name, element("span", { textContent: unit })), ...rest);
    node.dataset.curve = id;
    return node;
  }

  // The dice so far, and how often each sum was to be expected

  function histogram() {
    const rolls = []; // the sum at each step where somebody rolled
    frames.forEach((frame, k) => { if (data.steps[k].log.some((one) => one.kind === "ROLL")) rolls.push([k, frame.dice[0] + frame.dice[1]]); });
    const sums = Array.from({ length: 11 }, (_, k) => k + 2);
    const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": "Dice so far" });
    const counts = (at) => {
      const sofar = sums.map(() => 0);
      for (const [k, total] of rolls) if (k <= at) sofar[total - 2]++;
      return sofar;
    };
    const most = Math.max(1, ...counts(Infinity), rolls.length / 6);
    const wide = (WIDTH - 12) / 11, y = (n) => (HEIGHT - BOTTOM - 12) * (1 - n / most) + 12;
    const bars = sums.map((total, k) => {
      const bar = drawn("rect", { x: 6 + k * wide + 4, width: wide - 8, rx: 2, class: total === 7 ? "bar-of seven" : "bar-of" });
      const number = drawn("text", { x: 6 + (k + 0.5) * wide, "text-anchor": "middle", "font-size": 11, class: "mark" });
      svg.append(bar, number, drawn("text", { x: 6 + (k + 0.5) * wide, y: HEIGHT - 3, "text-anchor": "middle", "font-size": 11, class: "mark" }, String(total)));
      return [bar, number];
    });
    const expected = drawn("path", { class: "expected", fill: "none" });
    svg.append(expected);
    const figcaption = figure("dice", "Dice", "", svg);
    moved.push((at) => {
      const now = counts(at), all = sum(now);
      bars.forEach(([bar, number], k) => {
        set(bar, "y", y(now[k]));
        set(bar, "height", HEIGHT - BOTTOM - y(now[k]));
        set(number, "y", y(now[k]) - 3);
        setText(number, now[k] || "");
      });
      set(expected, "d", sums.map((total, k) =>
        `${k ? "L" : "M"}${6 + (k + 0.5) * wide} ${y(all * (6 - Math.abs(7 - total)) / 36)}`).join(""));
      setText(figcaption.querySelector("figcaption span"), `${counted(all, "roll")}; dashed: expected`);
    });
    return figcaption;
  }

  // The moves that lost most

  function lessons() {
    const items = data.lessons.map((lesson) => {
      const [odds, better] = lesson.odds;
      const log = data.steps[lesson.step].log.find((one) => one.seat === lesson.seat);
      const button = element("button", { type: "button", onclick: () => goTo(lesson.step) },
        element("b", { textContent: `−${percent(better - odds)}` }),
        ` ${turnName(frames[lesson.step].turn)}: ${log.text}; ${data.judge} would ${lesson.would}`);
      const item = element("li", {}, button);
      stripe(item, data.colours[lesson.seat]);
      return item;
    });
    const list = items.length ? element("ol", { className: "lessons" }, ...items)
      : element("p", { className: "quiet", textContent: `${data.judge} would have played no better.` });
    return figure("lessons", "Moves that lost most", `judged by ${data.judge}`, list);
  }

  return { write, drawCard: summary.drawCard, draw: (at) => { for (const move of moved) move(at); } };
}
